"""Premoves: additional starts for the engine, made by short move sequences.

Let q be a move sequence, the premoves. "q, then the moves to a state" leads to another state. A
solution of that state, followed by q, solves the original state. Its total cost includes the cost
of q. So each q gives the first phase another start. The solution ends with q, right after the moves
of the last phase. So q should begin with a move that the last phase does not have: all other moves
are found by the last phase itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.engine.improve import Premoves
from puzzlekit.puzzle.move import Effect
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.compiled_phase import CompiledPhase, labels


def premove_sequences(
    outer: CompiledPhase, inner: CompiledPhase, length: int
) -> list[tuple[int, ...]]:
    """Return the premove sequences of up to `length` moves, the shorter ones first.

    A sequence consists of moves of the first phase. Its first move is not a move of the last phase.
    Each sequence lists indices of moves. All sequences are canonical: the automaton of the first
    phase allows them.
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
    outer: CompiledPhase,
    sequences: Sequence[tuple[int, ...]],
    after: Sequence[int],
    turns: Sequence[Effect],
    picked: Sequence[int],
) -> Premoves:
    """Return the object with which the engine makes starts from premoves.

    - `puzzle`: the puzzle of the phases.
    - `outer`: the first phase, ready to search.
    - `sequences`: the premove sequences. A sequence lists indices into `outer.moves`.
    - `after`: the search begins to use sequences of i + 1 moves when it has generated `after[i]`
      nodes. The last number also holds for all longer sequences.
    - `turns`: further effects, for `Premoves.seen`. Their indices follow the indices of
      `outer.moves`.
    - `picked`: the indices of the bytes of a state that the search stores at each node.
    """
    effects = [*(move.effect for move in outer.moves), *turns]
    return Premoves(
        labels(puzzle, effects if puzzle.invertible else []),
        list(sequences),
        [sum(outer.costs[move] for move in sequence) for sequence in sequences],
        _stages(sequences, after),
        outer.engine_ranks(),
        list(picked),
    )


def _stages(sequences: Sequence[tuple[int, ...]], after: Sequence[int]) -> list[tuple[int, int]]:
    """Return for each stage the number of sequences in use and the nodes after which it begins."""
    nodes = (0, *after)
    lengths = [len(sequence) for sequence in sequences]
    return [
        (sum(each <= length for each in lengths), nodes[min(length, len(after))])
        for length in range(max(lengths) + 1)
    ]
