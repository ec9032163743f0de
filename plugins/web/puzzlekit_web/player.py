"""A 3D replay in a page, with the viewer of cubing.js."""

from __future__ import annotations

from typing import NamedTuple

import puzzlekit_web
from puzzlekit import Solution, UsageError
from puzzlekit.puzzle.symmetry import setup_moves

__all__ = ["Player", "player"]

_PAGE = """<!doctype html>
<meta charset="utf-8">
<style>
html, body {{ height: 100%; margin: 0 }}
twisty-player {{ width: 100%; height: 100% }}
</style>
<script type="module">
const source = new Blob([{source}], {{ type: "text/javascript" }});
const {{ TwistyPlayer }} = await import(URL.createObjectURL(source));
document.body.append(new TwistyPlayer({options}));
</script>
"""


class Player(NamedTuple):
    """A replay of some moves, which a notebook displays in a frame.

    The frame adds about 1 MB to the notebook and sends no requests.
    """

    #: The name of the puzzle for cubing.js.
    puzzle: str
    #: The moves before the replay.
    setup: str
    #: The moves of the replay.
    moves: str
    #: The viewpoint, in degrees to the right of the front.
    longitude: int = 30

    def __repr__(self) -> str:
        return f"<Player of {self.puzzle}: {self.moves}>"

    def _repr_html_(self) -> str:
        from html import escape

        style = "width: 360px; height: 400px; border: 0"
        return (
            f'<iframe title="{escape(repr(self)[1:-1])}" sandbox="allow-scripts" '
            f'style="{style}" srcdoc="{escape(self.page())}"></iframe>'
        )

    def page(self) -> str:
        """Return the page in the frame as HTML.

        Raises a UsageError if the viewer is not installed.
        """
        import json

        check_viewer()
        options = {
            "puzzle": self.puzzle,
            "experimentalSetupAlg": self.setup,
            "alg": self.moves,
            "background": "none",
            "hintFacelets": "none",
            "viewerLink": "none",
            "visualization": "PG3D",
            "cameraLatitude": 30,
            "cameraLongitude": self.longitude,
        }
        source, given = (
            json.dumps(each).replace("<", "\\u003c")
            for each in (puzzlekit_web.VIEWER.read_text(encoding="utf-8"), options)
        )
        return _PAGE.format(source=source, options=given)


def player(solution: Solution) -> Player:
    """Return a 3D replay of a solution, for notebooks.

    Raises a UsageError if the viewer is not installed or does not know the puzzle.
    """
    check_viewer()
    puzzle = solution.declared
    layout = None if puzzle is None else puzzle.layout
    if puzzle is None or layout is None or not layout.viewer:
        raise UsageError(f"the 3D view does not know {solution.puzzle}")
    setup = setup_moves(puzzle, solution.state, solution.sequence) or ()
    before = " ".join(move.name for move in setup)
    return Player(layout.viewer, before, str(solution), layout.longitude)


def check_viewer() -> None:
    """Raise a UsageError if the viewer is not installed."""
    if not puzzlekit_web.has_viewer():
        raise UsageError(f"this installation has no 3D view: {puzzlekit_web.VIEWER_HINT}")
