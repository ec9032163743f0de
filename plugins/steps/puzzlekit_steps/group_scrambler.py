"""Scrambles of some moves: moves to a random state of the group that they generate."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from puzzlekit import Move, NoSolutionError, Solver, UsageError
from puzzlekit.puzzle.move import act
from puzzlekit.search.options import allowed_moves
from puzzlekit.search.scrambling import RANDOM_MOVES, moves_to
from puzzlekit_steps.move_group import MoveGroup

_NODES = (30_000, 1_000_000, 10_000_000)  # limits of the searches with these moves only
_MOST_DRAWS = 1_000  # states of a group that may all be solved


class GroupScrambler:
    """Draws scrambles of some moves, such as "R,U".

    All states that the moves reach are equally likely, except solved ones. Raises a UsageError if
    the moves cannot be read, if a move is listed without its inverse, or if a move of the puzzle is
    not always possible.

    >>> import puzzlekit
    >>> scrambler = GroupScrambler(puzzlekit.load("cube2"), "R,U")
    >>> scrambler.order
    29160
    """

    def __init__(self, solver: Solver, moves: str) -> None:
        puzzle = self._puzzle = solver.puzzle
        if puzzle.restricted:
            raise UsageError(
                f"{puzzle.name} has no scrambles of some moves: its moves are not always possible"
            )
        self._solver = solver
        self._text = moves
        self._moves = allowed_moves(puzzle, solver.method(), moves, puzzle.metric())
        effects = {move.effect for move in self._moves}
        for move in self._moves:
            back = puzzle.inverse(move)
            if back.effect not in effects:
                raise UsageError(
                    f"{move.name} is listed without its inverse: add {back.name}, or write "
                    f"{move.family} for all turns"
                )
        self._group = MoveGroup(puzzle, self._moves)
        # If the default method uses no other moves, it finds moves to every state quickly.
        self._usual = {*solver.method().allowed(puzzle)} <= {*self._moves}

    @property
    def order(self) -> int:
        """The number of elements of the group that the moves generate."""
        return self._group.order

    def state(self, rng: Random) -> bytes:
        """Return a random state that the moves reach and that is not solved."""
        puzzle = self._puzzle
        for _ in range(_MOST_DRAWS):
            state = act(puzzle.solved, *self._group.random(rng), puzzle.modulus)
            if not puzzle.is_solved(state):
                return state
        raise UsageError(f"the moves {self._text} lead to solved states only")

    def scramble(self, rng: Random) -> tuple[Move, ...] | None:
        """Return moves of the list that lead to a random state; None if they take too long."""
        state = self.state(rng)
        if self._usual:
            names = moves_to(self._solver, state)
            return self._puzzle.moves(" ".join(names)) or None
        for nodes in _NODES:
            try:
                found = self._solver.solve(state, moves=self._text, max_nodes=nodes, threads=1)
            except NoSolutionError:
                continue
            return self._puzzle.undo(found.sequence)
        return None

    def random_moves(self, rng: Random, count: int = RANDOM_MOVES) -> Sequence[Move]:
        """Return random moves of the list. Neighbours are of different families, if possible."""
        found: list[Move] = []
        while len(found) < count:
            others = [each for each in self._moves if not found or each.family != found[-1].family]
            found.append(rng.choice(others or self._moves))
        return found
