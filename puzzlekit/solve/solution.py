"""What a search gives back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.strategy.answer import HowFound

if TYPE_CHECKING:
    from pandas import DataFrame

    from puzzlekit.picture.player import Player
    from puzzlekit.puzzle.layout import FaceletLayout


def _names(moves: Sequence[Move]) -> tuple[str, ...]:
    return tuple(move.name for move in moves)


@attrs.frozen(repr=False)
class PhaseReport:
    """One phase of a solution: its moves, and what finding them took."""

    #: Number, from 0, name and goal as the method declares the phase.
    number: int
    name: str
    goal: str
    found: HowFound
    #: Whether the puzzle, as held, is at the goal after the phase's moves.
    direct: bool
    #: The phase's own moves, before merging.
    sequence: tuple[Move, ...] = attrs.field(eq=_names)
    #: The moves of the solution that belong to the phase. A move that was merged over a seam
    #: belongs to the later phase, and so do all moves after it.
    merged: tuple[Move, ...] = attrs.field(eq=_names)
    #: The cost of its own moves.
    length: int
    #: How many nodes were generated, and of how many the children were listed.
    nodes: int
    expanded: int
    #: The wall time of the phase; its share by nodes where phases are interleaved.
    seconds: float
    #: Whether it is known that no shorter sequence of the phase's moves reaches its goal.
    optimal: bool

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of its own moves, before merging."""
        return _names(self.sequence)

    def __repr__(self) -> str:
        """The phase and its moves."""
        return f"<PhaseReport {self.name}: {' '.join(self.moves)} ({self.length})>"


@attrs.frozen(repr=False)
class Solution:
    """An answer, replayed on the full state before anyone sees it."""

    puzzle: str
    method: str
    #: The text by which the same heuristics can be asked for again.
    heuristic: str
    metric: str
    #: Which tables were used, where the method has several; else empty.
    profile: str
    #: The state as held.
    state: bytes
    #: In the metric of a machine the names of the moves that are done at once, and the cost of each
    #: step; else empty.
    steps: tuple[tuple[tuple[str, ...], int], ...]
    #: The cost of the moves in `metric`.
    length: int
    #: Their cost in every metric that counts moves, and in `metric`.
    lengths: dict[str, int] = attrs.field(hash=False)
    #: A report on each phase, in the order in which they are done.
    phases: tuple[PhaseReport, ...]
    #: What the search alone has taken, with the tables loaded: nodes generated and expanded, wall
    #: and CPU seconds.
    nodes: int
    expanded: int
    seconds: float
    cpu_seconds: float
    #: Whether no shorter answer exists in `metric`.
    optimal: bool
    #: No answer is shorter than this; 0 where nothing is known.
    at_least: int
    #: (seconds, length) of each answer that was shorter than those before it.
    improvements: tuple[tuple[float, int], ...]
    #: Whether the moves were replayed on the full state.
    verified: bool
    #: What was solved, for pictures and links. None in a copy that was pickled: declarations hold
    #: functions.
    declared: Puzzle | None = attrs.field(default=None, eq=False)

    @property
    def sequence(self) -> tuple[Move, ...]:
        """The moves, merged over the seams of the phases."""
        return tuple(move for phase in self.phases for move in phase.merged)

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves."""
        return _names(self.sequence)

    def __str__(self) -> str:
        """The moves, as one string."""
        return " ".join(self.moves)

    def __repr__(self) -> str:
        """The puzzle, the moves and their length."""
        proven = ", optimal" if self.optimal else ""
        return f"<Solution of {self.puzzle}: {self} ({self.length} {self.metric}{proven})>"

    def __len__(self) -> int:
        """How many moves there are."""
        return len(self.sequence)

    def __iter__(self) -> Iterator[str]:
        """The names of the moves, one after the other."""
        return iter(self.moves)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = attrs.fields(Solution)[:-1]
        return Solution, tuple(getattr(self, field.name) for field in fields)

    def links(self) -> dict[str, str]:
        """Addresses that play the solution, by the name of the site; none if no site can.

        >>> import puzzlekit
        >>> puzzlekit.load("cube2").solve("R").links()["alg.cubing.net"]
        'https://alg.cubing.net/?puzzle=2x2x2&setup=R&alg=R-'
        """
        from puzzlekit.position.links import links
        from puzzlekit.position.setup import setup_moves

        if self.declared is None or self._viewed is None:
            return {}
        setup = setup_moves(self.declared, self.state, self.sequence)
        return {} if setup is None else links(self.declared, setup, self.sequence)

    @property
    def _viewed(self) -> FaceletLayout | None:
        """How the puzzle looks, if cubing.js knows it."""
        layout = self.declared.layout if self.declared is not None else None
        return layout if layout is not None and layout.viewer else None

    def player(self) -> Player:
        """A replay in 3D, which a notebook shows.

        A UsageError where the viewer is not installed, or does not know the puzzle.
        """
        from puzzlekit.errors import UsageError
        from puzzlekit.picture.player import Player, check_viewer
        from puzzlekit.position.setup import setup_moves

        check_viewer()
        layout = self._viewed
        if self.declared is None or layout is None:
            raise UsageError(f"the 3D view does not know {self.puzzle}")
        setup = setup_moves(self.declared, self.state, self.sequence) or ()
        return Player(layout.viewer, " ".join(_names(setup)), str(self), layout.longitude)

    def to_frame(self) -> DataFrame:
        """The phases as a data frame of pandas; a UsageError where that is not installed."""
        from puzzlekit.frames import frame

        return frame(
            {
                "phase": [phase.name for phase in self.phases],
                "goal": [phase.goal for phase in self.phases],
                "moves": [" ".join(_names(phase.merged)) for phase in self.phases],
                "length": [phase.length for phase in self.phases],
                "nodes": [phase.nodes for phase in self.phases],
                "seconds": [phase.seconds for phase in self.phases],
                "optimal": [phase.optimal for phase in self.phases],
            }
        )

    def _repr_html_(self) -> str:
        from puzzlekit.picture.markup import beside, heading, table
        from puzzlekit.picture.svg import draw_svg, pictures

        proven = "optimal" if self.optimal else "not proven optimal"
        rows = [
            [each.name, " ".join(_names(each.merged)), each.goal, f"{each.nodes:,}"]
            for each in self.phases
        ]
        text = heading(str(self) or "solved", f"{self.length} {self.metric}, {proven}")
        text += table(["phase", "moves", "goal", "nodes"], rows)
        text += "".join(
            f'<p><a href="{address}">{site}</a></p>'.replace("&", "&amp;")
            for site, address in self.links().items()
        )
        if self.declared is None or not pictures(self.declared):
            return text
        return beside(draw_svg(self.declared, self.state, size=240), text)

    def evolve(self, **changes: Any) -> Solution:
        """A copy with some fields changed."""
        return attrs.evolve(self, **changes)
