"""Fill a pruning table of cosets by words. A word is a sequence of moves."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from puzzlekit import TableStore
from puzzlekit.engine.automaton import pruned_pairs, redundancy_automaton
from puzzlekit.puzzle.move import compose, no_effect
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.pruning_table import Entries, Tell
from puzzlekit_cubes.coset_marks import CosetNeeds, merged
from puzzlekit_cubes.engine.coset_fill import CosetFill
from puzzlekit_cubes.engine.cosets import Cosets

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_ENOUGH = 20_000  # distinct cosets to grow words from; distinct, so that no word occurs twice
_TOLD = 3  # distances above the base
_SHARE = 64  # into how many parts the words of one length are split

States = tuple["npt.NDArray[np.uint16]", "npt.NDArray[np.uint16]"]


def fill_by_words(store: TableStore, needs: CosetNeeds, base: int, tell: Tell) -> Entries:
    """Return the entries of a table of cosets, packed into bytes.

    The function has two steps. Near the goal, it lists the different cosets level by level. From
    the last of these levels on, it extends every move sequence that may lead to a new coset, and
    does not compare the cosets with each other.
    """
    import numpy as np

    cosets = Cosets(needs.engine_input(store))
    check_memory(cosets.table_size, "the table of cosets")
    entries = np.full(cosets.table_size, 255, np.uint8)
    puzzle, moves = needs.puzzle, needs.moves
    pairs = pruned_pairs(
        [move.effect for move in moves],
        [1] * len(moves),
        partial(compose, modulus=puzzle.modulus),
        no_effect(puzzle.modulus),
    )
    make = partial(
        CosetFill, cosets, redundancy_automaton(pairs), merged(puzzle, moves), entries.data
    )
    levels = _levels(make(), needs, base + _TOLD - 1)
    last = len(levels) - 1
    growth = max(2.0, len(levels[-1][1]) / max(1, len(levels[last - 1][1])))
    whole = sum(growth ** (level - last) for level in range(last + 1, base + _TOLD))
    done = 0.0
    workers = os.cpu_count() or 1
    fills = [make() for _ in range(workers)]
    with ThreadPoolExecutor(workers) as pool:
        for level in range(base + _TOLD):
            own = min(level, last)
            marks, ends = levels[own]
            cuts = [len(ends) * part // _SHARE for part in range(_SHARE + 1)]
            spans = list(pairwise(cuts))
            for first in range(0, _SHARE, workers):
                code = max(0, level - base)
                started = [
                    pool.submit(
                        partial(fill.fill, marks.data, ends.data), *span, level - own, level, code
                    )
                    for fill, span in zip(fills, spans[first:], strict=False)
                ]
                for each in started:
                    each.result()
                if level > last:
                    share = min(1.0, (first + workers) / _SHARE)
                    tell((done + share * growth ** (level - last)) / whole)
            if level > last:
                done += growth ** (level - last)
    return entries


def _levels(fill: CosetFill, needs: CosetNeeds, most: int) -> list[States]:
    """Return the cosets of each distance: for each the marks of a state, and the last move."""
    import numpy as np

    moves, start = len(needs.moves), needs.marks(needs.puzzle.solved)
    levels: list[States] = [(np.array(start, np.uint16), np.array([moves], np.uint16))]
    known = np.array([fill.key(start)], np.int64)
    while len(levels) <= most and 0 < len(levels[-1][1]) < _ENOUGH:
        marks, ends = levels[-1]
        room = len(ends) * moves
        keys, found = np.zeros(room, np.int64), np.zeros((room, 6), np.uint16)
        count = fill.children(marks.data, ends.data, keys.data, found.ravel().data)
        fresh, at = np.unique(keys[:count], return_index=True)
        new = ~np.isin(fresh, known)
        known = np.concatenate([known, fresh[new]])
        states = found[at[new]]
        levels.append((states[:, :5].ravel(), np.ascontiguousarray(states[:, 5])))
    return levels
