"""Paired tests against published values and against counting by hand."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit_lab.paired import holm, paired, wilcoxon


# The critical values of Wilcoxon's table: the largest rank sum with a two-sided p of at most 5 %.
@pytest.mark.parametrize(
    ("pairs", "critical"), [(6, 0), (8, 3), (10, 8), (15, 25), (20, 52), (25, 89), (50, 434)]
)
def test_the_table_of_wilcoxon(pairs: int, critical: int) -> None:
    def p(rank_sum: int) -> float:
        """The p-value if the negative differences have this sum of ranks."""
        signs, left = [], rank_sum
        for rank in range(pairs, 0, -1):
            signs.append(-rank if rank <= left else rank)
            left -= rank if rank <= left else 0
        return wilcoxon(signs)

    assert p(critical) <= 0.05 < p(critical + 1)


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_every_choice_of_signs_is_counted(differences: list[int]) -> None:
    sizes = sorted(abs(each) for each in differences if each)
    ranks = [
        sum(i for i, other in enumerate(sizes, 1) if other == size) / sizes.count(size)
        for size in sizes
    ]
    centre = sum(ranks) / 2
    rank_of = dict(zip(sizes, ranks, strict=True))
    off = abs(sum(rank_of[each] for each in differences if each > 0) - centre)
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(ranks))
    ]
    extreme = sum(abs(each - centre) >= off for each in sums)
    assert wilcoxon(differences) == pytest.approx(extreme / len(sums))


def test_many_pairs_are_approximated() -> None:
    random = Random(1)
    values = [random.gauss(0.1, 1) for _ in range(200)]
    exact = wilcoxon(values)
    assert wilcoxon([*values, 1e-9]) == pytest.approx(exact, abs=0.01)
    assert 0.01 < exact < 0.5


def test_the_example_of_holm_in_r() -> None:
    """`p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")`."""
    found = holm(dict(enumerate((0.01, 0.02, 0.03, 0.04, 0.05))))
    assert [found[i] for i in range(5)] == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert holm({}) == {}


def test_ratios_are_ranked_and_not_differences() -> None:
    assert paired([6, 3, 1000], [3, 6, 1001], 1) == (2, 0, 1, 1.0, 1.0)
    assert paired([0.0, 5.0], [1e-9, 5.0], 1e-6) == (0, 2, 0, 1.0, 1.0)
