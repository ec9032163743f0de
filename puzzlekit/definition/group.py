"""The group that moves generate, on the pairs of a place and an orientation there.

Schreier-Sims is SymPy's (C. C. Sims, "Computational methods in the study of permutation groups",
1970; the random version is that of D. F. Holt, "Handbook of Computational Group Theory", 2005).
Importing SymPy takes a second, so this module is imported only where nothing cheaper tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from sympy.combinatorics import Permutation, PermutationGroup

# Of the work of the exact version, estimated as orbit times generators times base times points,
# what is allowed: about five seconds.
_MOST_WORK = 100_000_000


def order_at_least(generators: Sequence[Sequence[int]]) -> int:
    """A number of elements that the group has for certain; nearly always all that it has."""
    return prod(size for size, _ in _levels(_group(generators)))


def exact_group(generators: Sequence[Sequence[int]]) -> PermutationGroup | None:
    """The group with a base that is proven; None where this would take too long."""
    group = _group(generators)
    levels = _levels(group)
    if sum(size * left for size, left in levels) * len(levels) * group.degree > _MOST_WORK:
        return None
    group.schreier_sims()
    return group


def _group(generators: Sequence[Sequence[int]]) -> PermutationGroup:
    return PermutationGroup([Permutation(list(each)) for each in generators])


def _levels(group: PermutationGroup) -> list[tuple[int, int]]:
    """How large the orbit of each base point is under what fixes those before it.

    With each the number of generators. The base is found by random elements of the group.
    """
    # It fails where one base point is enough, unless it is given two to begin with.
    base, left = group.schreier_sims_random(base=[0, 1], gens=group.generators, consec_succ=10)
    found = []
    for point in base:
        if left:
            found.append((len(PermutationGroup(left).orbit(point)), len(left)))
        left = [each for each in left if each(point) == point]
    return found
