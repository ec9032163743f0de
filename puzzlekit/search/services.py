"""The services that plugins offer to the core with the hook `puzzlekit_services`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol, cast

from puzzlekit.errors import UsageError

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["Renderer"]

# The services, and the bundled plugins that offer them.
_BUNDLED = {"goals": "steps", "pictures": "pictures", "bidirectional": "universal"}
# The function that finds a service. It belongs to a room above.
_FIND = "puzzlekit.plugins.manager:find_service"


def find_service(name: str) -> Any:
    """Return the service with this name; None if no plugin offers it.

    The bundled plugin is used, or else the first one by name. Raises PluginError if the service
    cannot be imported.
    """
    return resolve_name(_FIND)(name, _BUNDLED[name])


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
    ) -> str:
        """Return a state as SVG.

        The parameters are those of `Positions.svg`. `symbols` has the face of each symbol in which
        the position was given. Raises UsageError if the puzzle has no such picture or stickers.
        """

    def png(self, svg: str) -> bytes:
        """Return an SVG picture as a PNG file. Raises UsageError if a library is missing."""

    def html(self, shown: Any) -> str:
        """Return a `Solver` or a `Solution` as HTML, for a notebook."""


def renderer() -> Renderer:
    """Return how positions are drawn. Raises UsageError if no plugin offers it."""
    found = find_service("pictures")
    if found is None:
        raise missing("pictures come", "pictures")
    return cast(Renderer, found)


def html(shown: Any) -> str | None:
    """Return a solver or a solution as HTML, or None if no plugin draws it."""
    found = find_service("pictures")
    return None if found is None else cast(Renderer, found).html(shown)
