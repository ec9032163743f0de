"""Find every sequence of moves up to a length that has a wanted effect."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from inspect import signature
from math import isqrt
from typing import Any, NamedTuple, ParamSpec, TypeVar

import attrs

from puzzlekit import (
    Limits,
    Metric,
    Move,
    NoSolutionError,
    Puzzle,
    PuzzlekitError,
    Solver,
    UsageError,
)
from puzzlekit.amounts import whole
from puzzlekit.engine.automaton import canonical_sequences, redundancy_automaton
from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import FOUND
from puzzlekit.puzzle.diagnose import check
from puzzlekit.puzzle.move import invert
from puzzlekit.puzzle.position import Position, read_position_with_scheme
from puzzlekit.puzzle.symmetry import symmetries
from puzzlekit.search.budget import OUT_OF_LIMITS, Budget
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.move_order import pairs_of
from puzzlekit.search.options import allowed_moves
from puzzlekit.search.resolved import Plan
from puzzlekit.tables.table import TableSpec
from puzzlekit.tables.watchers import Patience
from puzzlekit_lab.aim import aim
from puzzlekit_lab.effects import from_held, read_wanted, write_cycles

Path = tuple[int, ...]

P = ParamSpec("P")
T = TypeVar("T")
_MEMORY = 128_000_000  # bytes of all pruning tables of a search
_LENGTHS = whole(0, 1000)  # moves; the number of sequences of this length can still be printed


class Folding:
    """Groups sequences of moves into classes.

    Two sequences are in the same class if a symmetry, an inversion or a change of order maps one to
    the other. The symmetries are the rotations and reflections that permute the moves and keep
    their costs. A change of order exchanges neighbouring moves that commute.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> folding = Folding(cube, cube.family_moves("RUF"), cube.metric("HTM"))
    >>> folding.representative((0, 3)) == folding.representative((8, 5))  # R U and F' U'
    True
    """

    def __init__(self, puzzle: Puzzle, moves: Sequence[Move], metric: Metric) -> None:
        costs = [metric.cost(move) for move in moves]
        self._images = [
            row
            for row in symmetries(puzzle, moves)
            if all(costs[image] == cost for image, cost in zip(row, costs, strict=True))
        ]
        number = {move.effect: i for i, move in enumerate(moves)}
        undone = [number.get(invert(move.effect, puzzle.modulus)) for move in moves]
        self._undone = [each for each in undone if each is not None]
        self._can_be_undone = len(self._undone) == len(moves) and all(
            costs[image] == cost for image, cost in zip(self._undone, costs, strict=True)
        )
        self._commute = [[puzzle.commute(one, other) for other in moves] for one in moves]

    def representative(self, path: Path) -> Path:
        """Return the lexicographically first sequence of indices in the class of `path`."""
        paths = [path]
        if self._can_be_undone:
            paths.append(tuple(self._undone[move] for move in reversed(path)))
        return min(
            self.normal(tuple(row[move] for move in each)) for row in self._images for each in paths
        )

    def normal(self, path: Path) -> Path:
        """Return the lexicographically first sequence that changes of order make of `path`."""
        left = list(path)
        found = []
        while left:
            # A move can come first if it commutes with all moves before it.
            movable = [
                i
                for i, move in enumerate(left)
                if all(self._commute[move][before] for before in left[:i])
            ]
            found.append(left.pop(min(movable, key=left.__getitem__)))
        return tuple(found)


@attrs.frozen
class NamedMoves:
    """Moves by name, with their costs."""

    #: The name of the puzzle.
    puzzle: str
    #: The names of the moves.
    moves: tuple[str, ...]
    #: The name of the metric of the search.
    metric: str
    #: The cost of the moves in this metric.
    length: int
    #: The cost of the moves in every metric of the puzzle that is not a machine, by name.
    lengths: Mapping[str, int]

    def __str__(self) -> str:
        return " ".join(self.moves)

    def __len__(self) -> int:
        return len(self.moves)


@attrs.frozen
class Found(NamedMoves):
    """A sequence of moves and its effect."""

    #: The effect in cycles (see `puzzlekit_lab.effects`).
    effect: str
    #: The state that the sequence reaches from the solved state.
    state: bytes


class _Sequence(NamedTuple):
    """A sequence: the numbers of its moves, its cost, and the state after it."""

    path: tuple[int, ...]
    cost: int
    state: bytes


class Finder:
    """A search for sequences with an effect, ready to run. It has the parameters of `find`.

    The constructor reads and checks the arguments. Tables are built or loaded when a search needs
    them for the first time.
    """

    def __init__(
        self,
        solver: Solver,
        *,
        max_length: int,
        min_length: int = 1,
        moves: str | None = None,
        metric: str | Metric | None = None,
        effect: str | None = None,
        to: str | bytes | Position | None = None,
        keep: str = "",
        keep_placed: str = "",
        keep_oriented: str = "",
        free: str = "",
        ignore_orientation: bool = False,
        nontrivial: bool = False,
        orientations: Collection[int] | None = None,
        unique: bool = False,
        memory: int = _MEMORY,
        timeout: float | None = None,
        max_nodes: int | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        self.limits = Limits(max_length, timeout, max_nodes, cancel=cancel).checked()
        puzzle = self.puzzle = solver.puzzle
        if puzzle.restricted:
            raise UsageError(
                f"{puzzle.name} does not allow a search for sequences with a given effect: its "
                "moves are not always possible, so the effect of a sequence depends on the state"
            )
        self._store = solver.store
        self.metric = _counting(puzzle, metric)
        self.moves = allowed_moves(solver.puzzle, solver.method(), moves, self.metric)
        for name, length in (("min_length", min_length), ("max_length", max_length)):
            _LENGTHS.check_argument(name, length)
        self.lengths = range(min_length, max_length + 1)
        if isinstance(to, str):
            to = read_position_with_scheme(puzzle, to)
        if isinstance(to, Position):
            to = to.state if to.symbols is None else from_held(puzzle, to.state, self.moves)
        if to is not None:
            check(puzzle, to)
        self.wanted = read_wanted(
            puzzle,
            effect=effect,
            to=to,
            keep=keep,
            keep_placed=keep_placed,
            keep_oriented=keep_oriented,
            free=free,
            ignore_orientation=ignore_orientation,
        )
        counts = canonical_counts(puzzle, self.moves, self.metric, max_length)
        # With a table of n entries, about an n-th of all sequences is searched. Both numbers are
        # equal if n is the square root. The factor 64 makes the table larger, because an entry
        # takes less time than a sequence.
        entries = min(max(64 * isqrt(sum(counts)), 1 << 16), 1 << 25, 2 * memory)
        self._phase, self._start, self._exact = aim(
            puzzle, self.moves, self.wanted, entries, memory
        )
        self._plan = Plan(puzzle, (self._phase,), self.metric, self._store)
        self._counts = counts[min_length:]
        self._trivial: set[bytes] = set()
        if nontrivial:
            self._trivial = {puzzle.apply(puzzle.solved, [move]) for move in self.moves}
            self._trivial.add(puzzle.solved)
        most = max(orbit.orientations for orbit in puzzle.orbits)
        if unknown := [each for each in orientations or () if not 0 <= each < most]:
            raise UsageError(
                f"orientation {unknown[0]} does not exist: the pieces of {puzzle.name} have "
                f"the orientations 0 to {most - 1}"
            )
        self._allowed = None if orientations is None else frozenset(orientations)
        self._folding = Folding(puzzle, self.moves, self.metric) if unique else None

    @property
    def table_keys(self) -> list[TableSpec]:
        """The keys of the tables that the search needs."""
        simple, pruning = self._plan.resolved(self._phase).table_keys()
        return [*simple, *pruning]

    @cached_property
    def assembled(self) -> CompiledPhase:
        """The phase to search, with its tables built or loaded."""
        patience = Patience(None, self.limits.cancel)
        with self._store.checking(), self._store.watched(patience), self._store.for_goal():
            return CompiledPhase(self._plan, self._phase)

    @property
    def is_arithmetic(self) -> bool:
        """Whether every sequence qualifies. If so, no search is needed to count the sequences."""
        filtered = self._trivial or self._allowed is not None or self._folding is not None
        return self.wanted.is_empty and not filtered

    def find(self, limits: Limits | None = None) -> Iterator[Found]:
        """Yield every sequence, shortest first (see `puzzlekit_lab.find`)."""
        puzzle = self.puzzle
        for path, cost, state in self._sequences(limits or self.limits):
            moves = [self.moves[move] for move in path]
            yield Found(
                puzzle=puzzle.name,
                moves=tuple(move.name for move in moves),
                metric=self.metric.name,
                length=cost,
                lengths=puzzle.lengths(moves, self.metric),
                effect=write_cycles(puzzle, state),
                state=state,
            )

    def count(self, limits: Limits | None = None) -> int:
        """Return the number of sequences.

        If every effect is allowed, the number is computed without a search.
        """
        if self.is_arithmetic:
            return sum(self._counts)
        return sum(1 for _ in self._sequences(limits or self.limits))

    def _sequences(self, limits: Limits) -> Iterator[_Sequence]:
        """Yield every sequence that passes all filters; with `unique`, the first of each class."""
        seen: set[tuple[int, ...]] = set()
        for found in self._replayed(limits):
            if found.state in self._trivial or not self._is_allowed(found.state):
                continue
            if self._folding is not None:
                representative = self._folding.representative(found.path)
                if representative in seen:
                    continue
                seen.add(representative)
            yield found

    def _replayed(self, limits: Limits) -> Iterator[_Sequence]:
        """Yield every sequence with the effect, replayed on the full state."""
        if not self.lengths:
            return
        puzzle, phase = self.puzzle, self.assembled
        budget = Budget(limits)
        search = Search(phase.space, exact=True)
        ranks, vector = phase.ranks(self._start), phase.vector(self._start)
        search.start(ranks, self.lengths[-1], 0, vector, 0, self.lengths[0])
        while (status := budget.run(search)) == FOUND:
            path = tuple(search.path)
            state = puzzle.apply(puzzle.solved, [self.moves[move] for move in path])
            if self.wanted.holds(state):
                yield _Sequence(path, search.spent_here, state)
            elif self._exact:
                names = " ".join(self.moves[move].name for move in path)
                raise PuzzlekitError(
                    f"internal error: {names} does not have the effect; please report this"
                )
        if status == OUT_OF_LIMITS:
            raise NoSolutionError("a limit was met: there may be more sequences")

    def _is_allowed(self, state: bytes) -> bool:
        """Whether all pieces have allowed orientations."""
        return self._allowed is None or all(
            self._allowed.issuperset(self.puzzle.orientations(state, orbit))
            for orbit in self.puzzle.orbits
            if orbit.orientations > 1
        )


def taking(taken: Callable[P, object]) -> Callable[[Callable[..., T]], Callable[P, T]]:
    """Give a function the signature of `taken`, also for type checkers and `help`."""

    def same(function: Callable[..., T]) -> Callable[P, T]:
        returned = signature(function).return_annotation
        shown = signature(taken).replace(return_annotation=returned)
        function.__signature__ = shown  # type: ignore[attr-defined]
        return function

    return same


@taking(Finder)
def find(*solver: Any, **asked: Any) -> Iterator[Found]:  # noqa: D417
    """Yield every sequence of moves of given lengths with an effect, the shortest first.

    Only canonical sequences are listed. If sequences differ only in the order of commuting moves,
    one of them is listed. A sequence is left out if two neighbouring moves in it have the effect of
    one allowed move that costs no more, or no effect. If none of `effect`, `to` and `free` is
    given, all pieces that are not kept are free.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    max_length
        The largest cost of a sequence, in `metric`.
    min_length
        The least cost of a sequence, in `metric`.
    moves
        The allowed moves: families or single moves, separated by spaces or commas. Default: the
        moves of the phase with the most moves, in the default method.
    metric
        The metric, or its name. Default: the first metric of the puzzle.
    effect
        The effect as cycles of pieces (see `puzzlekit_lab.effects`). All other pieces
        stay in place.
    to
        The state to reach from the solved state: bytes, a `Position`, or text as for
        `Solver.solve`. If it was read from stickers, the solved puzzle is held as the stickers show
        by the pieces that the moves leave as they are, such as centers.
    keep
        Pieces or whole orbits that stay in place and are not twisted.
    keep_placed
        Pieces or whole orbits that stay in place. They may be twisted.
    keep_oriented
        Pieces or whole orbits that are not twisted. They may move.
    free
        Pieces or whole orbits that do not matter.
    ignore_orientation
        Whether to ignore the orientations of all pieces except the kept pieces.
    nontrivial
        Whether to leave out sequences without effect, and those with the effect of one move.
    orientations
        The amounts by which a sequence may twist a piece. Default: any amount.
    unique
        Whether to list only one of several sequences that are rotations, reflections or inverses
        of each other.
    memory
        The number of bytes for all pruning tables. They are built when the search starts.
    timeout
        Wall-clock seconds after which the search ends.
    max_nodes
        The number of nodes after which the search ends.
    cancel
        An event that ends the search when it is set.

    Raises
    ------
    UsageError
        If a parameter cannot be read.
    StateError, NoSolutionError
        If the effect is known to be impossible.
    NoSolutionError
        After the last sequence, if a limit was met. Then there may be more sequences.

    Examples
    --------
    >>> import puzzlekit
    >>> import puzzlekit_lab
    >>> cube = puzzlekit.load("cube2")
    >>> for found in puzzlekit_lab.find(cube, effect="(ULB)-(UBR RFU)+", max_length=7):
    ...     print(found, found.effect)
    R U R' U' F' U' F (ULB)-(UBR RFU)+
    """
    return Finder(*solver, **asked).find()


def _counting(puzzle: Puzzle, metric: str | Metric | None) -> Metric:
    """Return the metric of that name; raise UsageError if moves have no costs of their own."""
    measure = metric if isinstance(metric, Metric) else puzzle.metric(metric)
    if not measure.counts:
        known = ", ".join(each.name for each in puzzle.metrics if each.counts)
        raise UsageError(
            f"sequences cannot be found in {measure.name}, because the cost of a move depends on "
            f"the moves before: use {known}"
        )
    return measure


def canonical_counts(
    puzzle: Puzzle, moves: Sequence[Move], metric: Metric, length: int
) -> list[int]:
    """Return the number of canonical sequences of each cost from 0 to `length`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> canonical_counts(cube, cube.family_moves("RUF"), cube.metric("HTM"), 4)
    [1, 9, 54, 324, 1944]
    """
    costs = [metric.cost(move) for move in moves]
    automaton = redundancy_automaton(pairs_of(puzzle, moves, costs))
    return canonical_sequences(automaton, length, costs)
