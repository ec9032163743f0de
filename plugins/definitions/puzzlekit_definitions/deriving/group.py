"""Compute the group that moves generate, acting on pairs of a place and an orientation.

SymPy provides the Schreier-Sims algorithm (C. C. Sims, "Computational methods in the study of
permutation groups", 1970; random version: D. F. Holt, "Handbook of Computational Group Theory",
2005). Importing SymPy takes a second, so callers import this module only if they need it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy.combinatorics import Permutation, PermutationGroup

# Limit of the work of the exact version of Schreier-Sims: about five seconds. The work is estimated
# as orbit * generators * base * points.
_MOST_WORK = 100_000_000


def exact_group(generators: Sequence[Sequence[int]]) -> PermutationGroup | None:
    """Return the group with its exact order; None if the computation would take too long."""
    group = _group(generators)
    levels = _levels(group)
    if sum(size * left for size, left in levels) * len(levels) * group.degree > _MOST_WORK:
        return None
    group.schreier_sims()
    return group


def stabiliser_levels(
    generators: Sequence[Sequence[int]],
) -> list[tuple[int, list[list[int]]]] | None:
    """Return for each base point the elements that carry it to the points of its orbit.

    They leave earlier base points, and the first of them is the identity. Return None if the
    computation would take too long.
    """
    group = exact_group(generators)
    if group is None:
        return None
    found = []
    for point, carriers in zip(group.base, group.basic_transversals, strict=True):
        first = list(range(group.degree))
        others = [each.array_form for to, each in carriers.items() if to != point]
        found.append((point, [first, *others]))
    return found


def _group(generators: Sequence[Sequence[int]]) -> PermutationGroup:
    return PermutationGroup([Permutation(list(each)) for each in generators])


def _levels(group: PermutationGroup) -> list[tuple[int, int]]:
    """Return one pair for each base point: the size of an orbit and a number of generators.

    The pair describes the stabiliser of the preceding base points. The first number is the size of
    the orbit of the base point under the stabiliser. The second is the number of generators of the
    stabiliser. Random elements of the group determine the base.
    """
    # SymPy fails if one base point is enough, so it starts with two.
    base, left = group.schreier_sims_random(base=[0, 1], gens=group.generators, consec_succ=10)
    found = []
    for point in base:
        if left:
            found.append((len(PermutationGroup(left).orbit(point)), len(left)))
        left = [each for each in left if each(point) == point]
    return found
