"""The states that sequences of moves reach, with or without the canonical automaton."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.engine.automaton import Automaton
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle


def unpruned(moves: Sequence[Move], puzzle: Puzzle) -> Automaton:
    """Return an automaton that allows every possible move.

    The automaton has one state for each place of the guarding piece.
    """
    if puzzle.guarded is None:
        return [[(number, 0) for number in range(len(moves))]]
    return [
        [(n, move.guard_after) for n, move in enumerate(moves) if move.guard_before == at]
        for at in range(puzzle.guarded.size)
    ]


def reached(
    puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int], limit: int, automaton: Automaton
) -> dict[bytes, int]:
    """Return the least cost of every state that the sequences of an automaton reach within a limit.

    >>> import puzzlekit
    >>> puzzle = puzzlekit.load("cube2").puzzle
    >>> turns = puzzle.family_moves("URF")
    >>> len(reached(puzzle, turns, [1] * 9, 2, unpruned(turns, puzzle)))
    64
    """
    least: dict[bytes, int] = {}
    levels: list[set[tuple[bytes, int]]] = [set() for _ in range(limit + 1)]
    # With a guard, the automaton begins with one state per place of the guarding piece.
    levels[0].add((puzzle.solved, puzzle.place_of_guard(puzzle.solved)))
    done: set[tuple[bytes, int]] = set()
    for spent, level in enumerate(levels):
        for node in level - done:
            done.add(node)
            state, at = node
            least.setdefault(state, spent)
            for number, after in automaton[at]:
                if spent + costs[number] <= limit:
                    moved = puzzle.apply(state, [moves[number]])
                    levels[spent + costs[number]].add((moved, after))
    return least
