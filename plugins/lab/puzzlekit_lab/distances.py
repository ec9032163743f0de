"""Distributions: the number of states of a phase at each distance from its goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import (
    DeclarationError,
    Method,
    Metric,
    Move,
    Phase,
    Solver,
    UsageError,
    universal_method,
)
from puzzlekit.engine.fill import COMPILED
from puzzlekit.puzzle.move import Effect
from puzzlekit.search.directions import Relabellings
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.search.solution import frame
from puzzlekit_lab.graph import TooManyStates
from puzzlekit_lab.group_space import GroupSpace, PackedGroupSpace
from puzzlekit_lab.listed_space import ListedSpace
from puzzlekit_lab.state_space import GuardedSpace, StateSpace
from puzzlekit_lab.symmetry import SymSpace, class_counts
from puzzlekit_pictures import beside, heading, table

if TYPE_CHECKING:
    from pandas import DataFrame

MEMORY = 10**9  # default limit in bytes
_OF_CLASSES = 32  # bytes per entry for counting classes

KINDS = (".png", ".svg", ".pdf")


@attrs.frozen(repr=False)
class Distribution:
    """The number of states at each distance from the goal of a phase.

    States count as one state if they agree in all coordinates of the phase.

    >>> import puzzlekit
    >>> import puzzlekit_lab
    >>> found = puzzlekit_lab.distribution(puzzlekit.load("cube2"))
    >>> found.states[:4], found.diameter, found.total
    ((1, 9, 54, 321), 11, 3674160)
    """

    #: The name of the puzzle.
    puzzle: str
    #: The name of the method.
    method: str
    #: The name of the phase.
    phase: str
    #: The goal of the phase, in words.
    goal: str
    #: The name of the metric.
    metric: str
    #: The names of the allowed moves.
    moves: tuple[str, ...]
    #: The number of states at distance 0, 1, 2 and so on.
    states: tuple[int, ...]
    #: The number of joint values of the coordinates, including values that no state has.
    values: int
    #: The number of ways to hold the puzzle, if the states in all these ways count as one state. It
    #: is 1 if they count as different states.
    orientations: int
    #: Moves that lead from the solved state to one of the farthest states.
    farthest: tuple[str, ...]
    #: The stickers of the state that the moves `farthest` reach. Empty if the method has several
    #: phases or the puzzle has no facelets.
    facelets: str
    #: The number of classes of states under symmetry at each distance. Empty if classes were not
    #: counted.
    classes: tuple[int, ...] = ()
    #: The number of symmetries of the puzzle. It is 0 if classes were not counted.
    symmetries: int = 0
    #: Wall-clock seconds of the count.
    seconds: float = 0.0

    @property
    def total(self) -> int:
        """The number of states."""
        return sum(self.states)

    @property
    def diameter(self) -> int:
        """The largest distance: God's number."""
        return len(self.states) - 1

    @property
    def mean(self) -> float:
        """The mean distance."""
        return sum(depth * count for depth, count in enumerate(self.states)) / self.total

    def __repr__(self) -> str:
        """Return the phase, the number of states, and the largest and the mean distance."""
        return (
            f"<Distribution of {self.puzzle}, {self.method}, phase {self.phase}: "
            f"{self.total:,} states, at most {self.diameter} {self.metric}, mean {self.mean:.2f}>"
        )

    def to_frame(self) -> DataFrame:
        """Return a pandas data frame with a row for each distance.

        Raises UsageError if pandas is not installed.
        """
        return frame(self._columns())

    def _columns(self) -> dict[str, Sequence[Any]]:
        columns: dict[str, Sequence[Any]] = {
            "distance": range(len(self.states)),
            "states": self.states,
            "share": [count / self.total for count in self.states],
        }
        return columns | ({"classes": self.classes} if self.classes else {})

    def _repr_html_(self) -> str:
        columns = self._columns()
        rows = [
            [f"{cell:.2%}" if isinstance(cell, float) else f"{cell:,}" for cell in row]
            for row in zip(*columns.values(), strict=True)
        ]
        text = heading(repr(self)[1:-1]) + table(list(columns), rows)
        if find_spec("matplotlib") is None:
            return beside(text, "")
        file = BytesIO()
        _draw_bars(self, file, "svg")
        drawn = file.getvalue().decode()
        return beside(text, drawn[drawn.index("<svg") :])


def distribution(
    solver: Solver,
    *,
    method: str | None = None,
    phase: str | int | None = None,
    metric: str | Metric | None = None,
    moves: str | None = None,
    classes: bool = False,
    memory: int = MEMORY,
) -> Distribution:
    """Count the states at each distance from the goal of a phase.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    method
        The name of a method. Default: the first method with a single phase whose states fit into
        `memory`.
    phase
        The name or the number of a phase of the method. Default: the only phase of the method.
    metric
        The metric, or its name. Default: the first metric of the method.
    moves
        The moves to use, such as "R U2". They must be moves of the phase. A family stands for all
        its powers. Default: all moves of the phase.
    classes
        Whether to count classes of states under the symmetries of the puzzle as well.
    memory
        The largest number of bytes to use.

    Raises
    ------
    UsageError
        If the states do not fit into `memory`, or if the phase, the metric or a move does not
        exist. The error is raised before memory is allocated.

    Examples
    --------
    >>> import puzzlekit
    >>> found = distribution(puzzlekit.load("cube2"), moves="U F2", metric="QTM")
    >>> found.states
    (1, 2, 2, 4, 6, 6, 9, 12, 12, 16, 18, 12, 10, 6, 2, 2)
    """
    count = partial(_count, solver, metric=metric, moves=moves, classes=classes, memory=memory)
    if method is None and phase is None:
        return _first_that_fits(solver.methods, count)
    try:
        return count(*find_phase(solver, method, phase))
    except TooManyStates as error:
        raise UsageError(str(error)) from None


def find_phase(solver: Solver, method: str | None, phase: str | int | None) -> tuple[Method, Phase]:
    """Return the phase with a name or number, and its method.

    If `method` is None, the first method that has such a phase is used.
    """
    if phase is None:
        chosen = solver.method(method)
        if len(chosen.phases) > 1:
            raise UsageError(f"{chosen.name} has several phases: choose one of {_phases(chosen)}")
        return chosen, chosen.phases[0]
    methods = [solver.method(method)]
    if method is None:
        methods += [each for each in solver.methods if each is not methods[0]]
    for chosen in methods:
        with suppress(UsageError):
            return chosen, chosen.phases[chosen.phase_number(str(phase))]
    known = "; ".join(f"{each.name}: {_phases(each)}" for each in methods)
    raise UsageError(f"there is no phase {str(phase)!r} in {known}")


def _phases(method: Method) -> str:
    return ", ".join(f"{number} {each.name}" for number, each in enumerate(method.phases))


def _first_that_fits(
    methods: Sequence[Method], count: Callable[[Method, Phase], Distribution]
) -> Distribution:
    problems = []
    # A method of several phases is never counted. The hints about such methods come last.
    for method in sorted(methods, key=lambda each: len(each.phases) > 1):
        if len(method.phases) > 1:
            problems.append(f"{method.name} has several phases: choose one of {_phases(method)}")
            continue
        if not method.phases[0].coordinates and len(methods) > 1:
            problems.append(f"{method.name} has no coordinates, so its states cannot be counted")
            continue
        try:
            return count(method, method.phases[0])
        except TooManyStates as error:
            problems.append(str(error))
    raise UsageError("; ".join(problems))


def _count(
    solver: Solver,
    method: Method,
    phase: Phase,
    metric: str | Metric | None,
    moves: str | None,
    classes: bool,
    memory: int,
) -> Distribution:
    started = perf_counter()
    measure = solver.metric(method.name, metric)
    puzzle = solver.puzzle
    listed = bool(puzzle.forbidden or puzzle.blocks) and not phase.coordinates
    if listed and method.strategy != universal_method(puzzle).strategy:
        raise UsageError(f"{method.name} has no coordinates, so its states cannot be counted")
    needs = solver.chooser.plan(method, measure).resolved(phase)
    numbers = _chosen(needs, moves)
    whole = len(method.phases) == 1
    goals = _goals(needs, method) if whole else ()
    if len(goals) > 1:
        needs = attrs.evolve(needs, goal_states=goals)
    if classes and needs.puzzle.guard is not None:
        raise UsageError(f"{needs.puzzle.name} has no symmetries, so no classes can be counted")
    try:
        with solver.store.checking():
            space = _space(solver, needs, numbers, memory, classes, whole, listed)
    except DeclarationError as error:
        if measure.counts:
            raise
        raise UsageError(f"machine {measure.name}: {error}") from None
    except TooManyStates as error:
        error.where = f"{solver.puzzle.name}, method {method.name}, phase {phase.name}"
        raise
    states = tuple(space.counts())
    farthest = space.farthest()
    facelets = ""
    if whole and solver.puzzle.has_facelets:
        facelets = solver.positions.to_facelets(solver.puzzle.apply(solver.puzzle.solved, farthest))
    # Holdings that the method distinguishes are counted as states.
    orientations = len(solver.puzzle.solved_states) // (states[0] if len(goals) > 1 else 1)
    counted: Sequence[int] = ()
    symmetries = 0
    if isinstance(space, StateSpace | SymSpace) and classes:
        counted, symmetries = class_counts(space, method)
    return Distribution(
        puzzle=solver.puzzle.name,
        method=method.name,
        phase=phase.name,
        goal=phase.goal,
        metric=measure.name,
        moves=tuple(dict.fromkeys(needs.moves[number].name for number in numbers)),
        states=states,
        values=space.values,
        orientations=orientations if whole and method.fixed and not moves else 1,
        farthest=tuple(part.name for move in farthest for part in move.parts or (move,)),
        facelets=facelets,
        classes=tuple(counted),
        symmetries=symmetries,
        seconds=perf_counter() - started,
    )


def _space(
    solver: Solver,
    needs: ResolvedPhase,
    numbers: Sequence[int],
    memory: int,
    classes: bool,
    whole: bool,
    listed: bool,
) -> StateSpace | SymSpace | GroupSpace | PackedGroupSpace | ListedSpace:
    """Return the states of a phase.

    If the values of the coordinates are too many, the states are numbered by the group of the
    moves, if the group is known.
    """
    try:
        if listed and not classes:
            return ListedSpace(solver, needs, numbers, memory)
        if not needs.phase.coordinates:
            raise UsageError(
                f"{solver.puzzle.name}: the method has no coordinates, so its states cannot be "
                "counted"
            )
        if SymSpace.suits(needs, numbers):
            return SymSpace(solver.store, needs, memory)
        per_entry = _OF_CLASSES if classes else 1
        kind = GuardedSpace if needs.places else StateSpace
        return kind(solver.store, needs, numbers, memory, per_entry)
    except UsageError:
        levels = solver.positions.stabiliser_levels() if whole and not classes else None
        if levels is None or needs.remembers:
            raise
        if COMPILED and PackedGroupSpace.suits(levels, needs, numbers):
            return PackedGroupSpace(levels, needs, numbers, memory)
        return GroupSpace(levels, needs, numbers, memory)


def _goals(needs: ResolvedPhase, method: Method) -> tuple[bytes, ...]:
    """Return the solved states that a method of one phase distinguishes.

    There is one such state for each way to hold the puzzle that agrees with the method's fixed
    places. The result is empty if the phase lists its goals.
    """
    if needs.phase.view is not None or needs.goal_moves or needs.goal_states:
        return ()
    namings = Relabellings(needs.puzzle, method.phases, method.fixed, needs.moves)
    return tuple(namings.of(needs.puzzle.solved))


def _seen(move: Move, metric: Metric) -> tuple[Effect, int | None]:
    """Return the effect of a move, and its cost unless steps have costs."""
    return move.effect, metric.cost(move) if metric.counts else None


def _is_repeated(move: Move, base: Move, metric: Metric) -> bool:
    """Whether a power costs no less than the same turn made of its family's base moves."""
    times = min(move.amount, move.order - move.amount)
    return not metric.counts or metric.cost(move) >= times * metric.cost(base)


def _chosen(needs: ResolvedPhase, moves: str | None) -> Sequence[int]:
    if moves is None:
        return range(len(needs.moves))
    puzzle, metric = needs.puzzle, needs.metric
    known = {_seen(move, metric): move for move in reversed(needs.moves)}
    found: set[Move] = set()
    for name in moves.replace(",", " ").split():
        wanted = [*puzzle.searched(puzzle.turns_of(name))]
        for move in wanted:
            # A phase has one of several moves with the same effect.
            same = move if move in needs.moves else known.get(_seen(move, metric))
            if same is not None:
                found.add(same)
            elif move is wanted[0] or not _is_repeated(move, wanted[0], metric):
                allowed = " ".join(dict.fromkeys(move.name for move in needs.moves))
                raise UsageError(
                    f"{move.name} is not a move of the phase {needs.phase.name}; its moves are "
                    f"{allowed}"
                )
    if not found:
        raise UsageError("no moves are given")
    # A machine has moves that combine several moves. Include them if all their parts are chosen.
    return [
        number
        for number, move in enumerate(needs.moves)
        if move in found or (move.parts and {*move.parts} <= found)
    ]


def check_picture(path: str) -> None:
    """Raise UsageError if no picture can be drawn to a file of that name."""
    if Path(path).suffix.lower() not in KINDS:
        known = f"{', '.join(KINDS[:-1])} or {KINDS[-1]}"
        raise UsageError(f"{path}: the name of a picture must end in {known}")
    if not Path(path).parent.is_dir():
        raise UsageError(f"{path}: the directory {Path(path).parent} does not exist")
    check_matplotlib()


def check_matplotlib() -> None:
    """Raise UsageError if matplotlib is not installed."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise UsageError(
            "pictures need matplotlib, which is not installed: "
            "pip install 'permutation-puzzlekit[plot]'"
        ) from None


def draw(found: Distribution, path: str, log: bool = False) -> None:
    """Draw the states at each distance as bars; `check_picture` says which paths are possible."""
    title = (
        f"{found.puzzle}, {found.method}, phase {found.phase}: {found.total:,} states, "
        f"at most {found.diameter}, mean {found.mean:.2f} {found.metric}"
    )
    _draw_bars(found, path, Path(path).suffix[1:].lower(), title, log)


def _draw_bars(
    found: Distribution, file: str | BytesIO, kind: str, title: str = "", log: bool = False
) -> None:
    """Draw bars to a file. With `log`, the axis of the states is logarithmic."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    # Text stays text in the SVG, and the file is reproducible.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "puzzlekit"}):
        width = max(7, 0.6 * len(found.states))  # inches, with room for the numbers
        figure = Figure(figsize=(width, 4), layout="constrained")
        axes = figure.add_subplot()
        depths = range(len(found.states))
        bars = axes.bar(depths, found.states, log=log, color="#3b75af")
        axes.bar_label(bars, [f"{count:,}" for count in found.states], fontsize=7, padding=2)
        axes.margins(y=0.15)
        axes.set_xticks(depths)
        axes.set_xlabel(f"distance ({found.metric})")
        axes.set_ylabel("states")
        if log:
            axes.set_ylim(bottom=0.5)  # with 1, the bar of a single state would have no height
        else:
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(title, fontsize=10)
        undated = {"Date": None} if kind == "svg" else None
        figure.savefig(file, format=kind, dpi=150, metadata=undated)
