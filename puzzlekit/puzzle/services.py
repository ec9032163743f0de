"""The services that plugins offer to the core with the hook `puzzlekit_services`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol, cast

from puzzlekit.errors import UsageError

if TYPE_CHECKING:
    from puzzlekit.errors import NotationError
    from puzzlekit.puzzle.diagnose import Fault
    from puzzlekit.puzzle.move import Effect, Move
    from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["Goal", "Painted", "Pasted", "Renderer", "RepairSearch", "Repaired", "TextReader"]

# The services, and the bundled plugins that offer them.
_BUNDLED = {
    "bidirectional": "universal",
    "coordinates": "lab",
    "goals": "steps",
    "pictures": "pictures",
    "repairs": "repairs",
    "symmetric": "universal",
    "texts": "exports",
}
# The function that finds a service. It belongs to a room above.
_FIND = "puzzlekit.plugins.manager:find_service"


def find_service(name: str) -> Any:
    """Return the service with this name; None if no plugin offers it.

    The bundled plugin is used, or else the first one by name. Raises PluginError if the service
    cannot be imported.
    """
    return resolve_name(_FIND)(name, _BUNDLED[name])


def needed(name: str, what: str) -> Any:
    """Return the service with this name.

    Raises UsageError if no plugin offers it. `what` begins the message: "pictures come".
    """
    found = find_service(name)
    if found is None:
        raise missing(what, _BUNDLED[name])
    return found


def missing(what: str, plugin: str) -> UsageError:
    """Return the error that something comes from a plugin that is not there."""
    return UsageError(
        f"{what} from the plugin {plugin}, which is not installed, or which PUZZLEKIT_WITHOUT "
        "leaves out"
    )


class Renderer(Protocol):
    """How positions are drawn: the service "pictures"."""

    def draw(
        self,
        puzzle: Puzzle,
        state: bytes,
        picture: str = "net",
        *,
        only: str | Iterable[int] = "",
        grey: str | Iterable[int] = "",
        symbols: Mapping[str, str] | None = None,
        size: int = ...,
        moves: Sequence[Move] = (),
    ) -> str:
        """Return a state as SVG, which plays the moves.

        The parameters are those of `Positions.svg`. `symbols` has the face of each symbol in which
        the position was given. `size` is the longer side in pixels. Raises UsageError if the
        puzzle has no such picture or stickers.
        """

    def png(self, svg: str) -> bytes:
        """Return an SVG picture as a PNG file. Raises UsageError if a library is missing."""

    def html(self, shown: Any) -> str:
        """Return a `Solver` or a `Solution` as HTML, for a notebook."""


class Pasted(Protocol):
    """The moves or stickers in a text from elsewhere."""

    @property
    def text(self) -> str:
        """The moves or stickers."""

    @property
    def kind(self) -> str:
        """What it is: "state", "moves", "inverse", or "" if the text does not say.

        "inverse" means moves of which those in parentheses are on the inverse.
        """

    @property
    def puzzle(self) -> str:
        """The name of the puzzle in a link; empty for other texts."""

    @property
    def undone(self) -> Pasted | None:
        """Moves that are undone after the moves of `text`."""

    def retold(self, error: NotationError, pasted: str) -> NotationError:
        """Return an error about `text` as an error about the text `pasted`."""


class TextReader(Protocol):
    """How texts and links of other programs are read, and links written: the service "texts"."""

    def unwrap(self, pasted: str, wanted: str = "setup") -> Pasted | None:
        """Return what is inside a text; None if there is nothing to remove.

        `wanted` chooses "setup" or "alg" of a link. Raises a NotationError if the inner part is not
        a single scramble.
        """

    def links(
        self, puzzle: Puzzle, setup: Iterable[Move], moves: Iterable[Move] = ()
    ) -> dict[str, str]:
        """Return a mapping from sites to web addresses that play moves after a setup.

        Raises a UsageError if no site knows the puzzle.
        """


class Goal(Protocol):
    """A set of states that a search may have to reach, such as the `Goal` of the plugin `steps`."""

    @property
    def name(self) -> str:
        """The name in `--goal`."""

    @property
    def words(self) -> str:
        """The goal in words."""

    @property
    def conditions(self) -> Sequence[Any]:
        """The conditions that hold at the goal."""

    @property
    def cases(self) -> Sequence[Any]:
        """The alternatives, each with its `conditions`."""

    @property
    def as_held(self) -> bool:
        """Whether the goal depends on how the puzzle is held."""

    def reached(self, puzzle: Puzzle, state: bytes) -> Any:
        """Return how a state reaches the goal, with rotations `after` which it does, or None."""

    def rotations(self, puzzle: Puzzle) -> tuple[Effect, ...]:
        """Return the rotations after which the goal counts, too, the identity first."""


class Repaired(Protocol):
    """A change of stickers that removes all faults."""

    @property
    def words(self) -> str:
        """The change in words."""

    @property
    def stickers(self) -> str:
        """All stickers after the change."""


class Painted(Protocol):
    """Stickers with their faults and repairs."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults."""

    @property
    def repairs(self) -> Sequence[Repaired]:
        """The repairs, the smallest first."""

    @property
    def state(self) -> bytes | None:
        """The state; None if stickers are unknown or wrong."""


class RepairSearch(Protocol):
    """How repairs of wrong stickers are found: the service "repairs"."""

    def inspect(self, puzzle: Puzzle, stickers: str, scheme: str | None = None) -> Painted:
        """Return the faults of stickers and their repairs; see `Positions.inspect`."""

    def of_text(
        self, puzzle: Puzzle, text: str, scheme: str | None, order: str | None
    ) -> Sequence[Repaired]:
        """Return the repairs of the stickers in a text that cannot be read."""

    def fill_in(self, puzzle: Puzzle, stickers: str, scheme: str | None) -> Any:
        """Return the `StickerReading` of stickers, after those written "?" are filled in."""


def repairs() -> RepairSearch:
    """Return how repairs are found. Raises UsageError if no plugin offers it."""
    what = "repairs of stickers, and stickers in place of ?, come"
    return cast(RepairSearch, needed("repairs", what))


def links(puzzle: Puzzle, setup: Iterable[Move], moves: Iterable[Move] = ()) -> dict[str, str]:
    """Return what `TextReader.links` does. Raises UsageError if no plugin offers it."""
    return cast(TextReader, needed("texts", "links come")).links(puzzle, setup, moves)


def renderer() -> Renderer:
    """Return how positions are drawn. Raises UsageError if no plugin offers it."""
    return cast(Renderer, needed("pictures", "pictures come"))


def html(shown: Any) -> str | None:
    """Return a solver or a solution as HTML, or None if no plugin draws it."""
    found = find_service("pictures")
    return None if found is None else cast(Renderer, found).html(shown)
