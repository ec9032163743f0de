"""Premoves: starts that are some moves off, for the engine.

Solving q and then the state, and doing q at the end, solves the state. It costs the same in all,
but gives the first phase many more starts. It is worth its while where q begins with a move that
the last phase has not got: other q are found by that phase itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.engine.improve import Premoves
from puzzlekit.prepare.assembled import Assembled
from puzzlekit.prepare.space_inputs import labels
from puzzlekit.puzzle.move import Effect
from puzzlekit.puzzle.puzzle import Puzzle


def premove_sequences(outer: Assembled, inner: Assembled, length: int) -> list[tuple[int, ...]]:
    """All sequences of up to `length` outer moves that begin with none of the inner moves.

    Numbers of moves; as few as the outer automaton allows, the shorter ones first.
    """
    later = set(inner.moves)
    fresh: list[tuple[tuple[int, ...], int]] = [
        ((move,), state) for move, state in outer.automaton[0] if outer.moves[move] not in later
    ]
    found: list[tuple[int, ...]] = [()]
    for _ in range(length):
        found += [sequence for sequence, _ in fresh]
        fresh = [
            ((*sequence, move), after)
            for sequence, state in fresh
            for move, after in outer.automaton[state]
        ]
    return found


def engine_premoves(
    puzzle: Puzzle,
    outer: Assembled,
    sequences: Sequence[tuple[int, ...]],
    after: Sequence[int],
    turns: Sequence[Effect],
    picked: Sequence[int],
) -> Premoves:
    """The starts as the engine makes them; `picked` are the bytes of a state to carry along.

    Sequences of 1, 2, 3 ... moves are used `after` that many nodes; the last number is for all
    longer ones. `turns` are numbered after the moves of the outer phase, for `Premoves.seen`.
    """
    effects = [*(move.effect for move in outer.moves), *turns]
    return Premoves(
        labels(puzzle, effects if puzzle.invertible else []),
        list(sequences),
        [sum(outer.costs[move] for move in sequence) for sequence in sequences],
        _stages(sequences, after),
        outer.inputs.engine_ranks(),
        list(picked),
    )


def _stages(sequences: Sequence[tuple[int, ...]], after: Sequence[int]) -> list[tuple[int, int]]:
    """How many of the sequences are used, after how many nodes."""
    nodes = (0, *after)
    lengths = [len(sequence) for sequence in sequences]
    return [
        (sum(each <= length for each in lengths), nodes[min(length, len(after))])
        for length in range(max(lengths) + 1)
    ]
