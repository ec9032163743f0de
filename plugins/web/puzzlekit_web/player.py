"""Replay solutions in 3D in a notebook, as the page does."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

from puzzlekit import FaceletLayout, Puzzle, Solution, UsageError
from puzzlekit.puzzle.net import facelets
from puzzlekit_pictures import css_colour
from puzzlekit_web import PAGE

__all__ = ["Player", "player"]

_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<style>
html, body {{ height: 100%; margin: 0; font: 0.9rem system-ui, sans-serif; text-align: center }}
canvas {{ width: 100%; height: calc(100% - 5rem); touch-action: none }}
p {{ margin: 0.3rem }}
</style>
<body>
<script type="application/json" id="replay">{replay}</script>
<script type="module">
{source}
</script>
"""
_MODULES = ("space.js", "scene.js", "solid.js", "embed.js")
_LATITUDE = 30


class Player(NamedTuple):
    """A replay of some moves, which a notebook displays in a frame.

    The frame adds about 30 kB to the notebook and sends no requests.
    """

    #: The name of the puzzle.
    puzzle: str
    #: The moves.
    moves: str
    #: What the page draws, as a JSON object.
    replay: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Player of {self.puzzle}: {self.moves}>"

    def _repr_html_(self) -> str:
        from html import escape

        style = "width: 360px; height: 430px; border: 0"
        return (
            f'<iframe title="{escape(repr(self)[1:-1])}" sandbox="allow-scripts" '
            f'style="{style}" srcdoc="{escape(self.page())}"></iframe>'
        )

    def page(self) -> str:
        """Return the page in the frame as HTML."""
        import json

        replay = json.dumps(self.replay).replace("<", "\\u003c")
        return _PAGE.format(source="\n".join(map(_inlined, _MODULES)), replay=replay)


def _inlined(name: str) -> str:
    """The source of a module of the page, without its imports and exports."""
    lines = (PAGE / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(line.removeprefix("export ") for line in lines if line[:7] != "import ")


def player(solution: Solution) -> Player:
    """Return a 3D replay of a solution, for notebooks.

    Raises a UsageError if the plugin of the puzzle declares no solid.
    """
    from puzzlekit_web.solid import solid_record  # NumPy is slow to import

    puzzle = solution.declared
    layout = puzzle.layout if puzzle is not None else None
    solid = solid_record(puzzle, layout) if puzzle is not None and layout is not None else None
    if puzzle is None or layout is None or solid is None:
        raise UsageError(f"{solution.puzzle} has no 3D view: its plugin declares no solid")
    states = accumulate(
        solution.sequence, lambda state, move: puzzle.apply(state, [move]), initial=solution.state
    )
    replay = {
        "solid": solid,
        "view": {"latitude": _LATITUDE, "longitude": layout.longitude},
        "moves": [move.name for move in solution.sequence],
        "frames": [_colours(puzzle, layout, state) for state in states],
        "words": _words(),
    }
    return Player(solution.puzzle, str(solution), replay)


def _words() -> dict[str, str]:
    """The words of the replay, from the texts of the page."""
    import json

    texts = json.loads((PAGE / "texts" / "en.json").read_text(encoding="utf-8"))["texts"]
    buttons = ("first", "back", "play", "next", "last")
    own = {"done": texts["solved"], "behind": texts["view.back"]}
    return own | {name: texts[f"steps.{name}"] for name in buttons}


def _colours(puzzle: Puzzle, layout: FaceletLayout, state: bytes) -> list[str]:
    """The colour of each sticker, as CSS writes it."""
    css = {
        face: css_colour(word, index, len(layout.faces))
        for index, (face, word) in enumerate(zip(layout.faces, layout.colours, strict=True))
    }
    return [css[face] for face in facelets(puzzle, state)]
