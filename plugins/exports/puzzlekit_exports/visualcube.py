"""Pictures of cubes by the parameters of VisualCube, which many pages and spreadsheets use."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

from puzzlekit import Puzzle, UsageError, load
from puzzlekit.puzzle.stickers import origins
from puzzlekit_pictures import draw_svg

__all__ = ["STAGES", "picture", "stage_stickers"]

#: Whether a sticker of a piece is in a stage: the faces of its place, and its own face.
_Test = Callable[[str, str], bool]


def _block(without: str) -> _Test:
    return lambda place, _: not set(place) & set(without)


def _last(kept: _Test) -> _Test:
    """The stickers of the first two layers, and some of the last one."""
    return lambda place, face: "U" not in place or kept(place, face)


def _top(sizes: tuple[int, ...]) -> _Test:
    """The stickers of the face U of pieces with so many stickers."""
    return lambda place, face: face == "U" and len(place) in sizes


def _either(one: _Test, other: _Test) -> _Test:
    return lambda place, face: one(place, face) or other(place, face)


def _layer(sizes: tuple[int, ...]) -> _Test:
    return lambda place, _: "U" in place and len(place) in sizes


#: The stages of a 3x3x3 that are known here, by what keeps its colour on the solved cube.
STAGES: dict[str, _Test] = {
    "fl": lambda place, _: "D" in place,
    "f2l": _block("U"),
    "ll": lambda place, _: "U" in place,
    "cll": _layer((1, 3)),
    "ell": _layer((1, 2)),
    "oll": _top((1, 2, 3)),
    "ocll": _top((1, 3)),
    "oell": _top((1, 2)),
    "coll": _either(_top((2,)), _layer((1, 3))),
    "ocell": _either(_top((3,)), _layer((1, 2))),
    "wv": _last(_top((1, 2, 3))),
    "cls": _last(_top((1, 2, 3))),
    "vh": _last(_top((1, 2))),
    "cross": lambda place, _: (
        "U" not in place and (len(place) == 1 or (len(place) == 2 and "D" in place))
    ),
    "f2b": lambda place, _: "U" not in place and bool(set(place) & set("LR")),
    "line": lambda place, _: place in ("F", "D", "B") or set(place) in ({"D", "F"}, {"D", "B"}),
    "2x2x2": _block("ULB"),
    "2x2x3": _block("UB"),
}
_STAGES_OF_2 = ("fl", "ll", "oll")
_COLOURS = "WYROGB"
_USUAL = "YRBWOG"  # of the faces U R F D L B
_LARGEST = 7
_KNOWN = ("fmt", "pzl", "size", "view", "stage", "alg", "case", "fd", "fc", "sch", "bg")
_OTHERS = ("r", "cc", "co", "fo", "dist", "arw", "ac")


def stage_stickers(puzzle: Puzzle, stage: str) -> frozenset[int]:
    """Return the numbers of the stickers of a solved cube that keep their colour in a stage.

    A rotation may follow, as in "cross-x2". Raises a UsageError for an unknown stage.
    """
    name, _, rotation = stage.partition("-")
    known = {"cube2": _STAGES_OF_2, "cube3": tuple(STAGES)}
    if name not in known.get(puzzle.name, ()):
        found = ", ".join(known.get(puzzle.name, ())) or "none"
        raise UsageError(f"stage={name[:20]} is not known; stages of {puzzle.name}: {found}")
    layout = puzzle.layout
    assert layout is not None
    kept = set()
    for orbit in puzzle.orbits:
        for place, stickers in zip(orbit.places, layout.places[orbit.name], strict=True):
            for sticker in stickers:
                if STAGES[name](place, layout.faces[layout.face_of[sticker]]):
                    kept.add(sticker)
    if rotation:
        moves = puzzle.moves(rotation)
        if any(move.family not in puzzle.rotations for move in moves):
            raise UsageError(f"stage={stage[:40]}: only rotations x, y and z follow the hyphen")
        turned = puzzle.apply(puzzle.solved, moves)
        homes = origins(puzzle, turned)
        kept = {place for place, home in enumerate(homes) if home in kept}
    return frozenset(kept)


def picture(query: str) -> str:
    """Return a picture as SVG, by the parameters of a query such as "pzl=3&view=plan&stage=oll".

    A whole address is allowed, too. `view` is plan or left out. Raises a UsageError that names a
    parameter which is unknown or wrong.

    >>> picture("pzl=2&alg=R2F2R2&bg=t").startswith("<svg")
    True
    """
    given = _parameters(query)
    size = _number(given, "size", 128, 1024)
    solver = load(f"cube{_number(given, 'pzl', 3, _LARGEST, 2)}")
    puzzle = solver.puzzle
    view = given.get("view", "")
    if view not in ("", "plan"):
        raise UsageError(f"view={view[:20]} is not known here; write view=plan, or leave it out")
    only = stage_stickers(puzzle, given["stage"]) if given.get("stage") else None
    symbols = _scheme(given.get("sch", _USUAL))
    state = puzzle.solved
    if stickers := given.get("fc") or given.get("fd"):
        scheme = "".join(symbols) if given.get("fc") else None
        wanted = "".join(stickers.split()).upper()
        state = solver.positions.from_facelets(wanted, scheme=scheme, order="faces")
    undone = puzzle.undo(puzzle.moves(_spaced(given.get("case", ""))))
    state = puzzle.apply(state, [*undone, *puzzle.moves(_spaced(given.get("alg", "")))])
    drawn = draw_svg(
        puzzle,
        state,
        "top" if view else "solid",
        only="" if only is None else sorted(only),
        symbols=symbols,
        size=size,
    )
    return _on_ground(drawn, given.get("bg", "w"))


def _parameters(query: str) -> dict[str, str]:
    text = urlsplit(query).query if "://" in query else query.partition("?")[2] or query
    given = dict(parse_qsl(text, keep_blank_values=True))
    for name in given:
        if name in _OTHERS:
            raise UsageError(
                f"the parameter {name} of VisualCube has no meaning here: leave it out"
            )
        if name not in _KNOWN:
            raise UsageError(f"there is no parameter {name[:20]!r}; known are {', '.join(_KNOWN)}")
    if not given:
        raise UsageError("expected parameters such as pzl=3&view=plan&alg=RUR'U'")
    return given


def _number(given: dict[str, str], name: str, usual: int, most: int, least: int = 1) -> int:
    text = given.get(name) or str(usual)
    if not (text.isascii() and text.isdigit() and len(text) < 6 and least <= int(text) <= most):
        raise UsageError(f"{name}={text[:20]} has to be a number from {least} to {most}")
    return int(text)


def _spaced(moves: str) -> str:
    """Return moves with blanks between them: VisualCube needs none."""
    return re.sub(r"(?<=[A-Za-z'2)])(?=[A-Zrludfbxyz(])(?!w)", " ", moves)


def _scheme(text: str) -> dict[str, str]:
    symbols = text.upper()
    if sorted(symbols) != sorted(_COLOURS):
        raise UsageError(
            f"sch={text[:20]} has to be six different letters of w, y, r, o, g and b, the colours "
            "of U, R, F, D, L and B"
        )
    return dict(zip(symbols, "URFDLB", strict=True))


def _on_ground(svg: str, ground: str) -> str:
    """Return a picture with a background: the letter of a colour, hexadecimal digits, or t."""
    if ground == "t":
        return svg
    letters = {"w": "#ffffff", "y": "#fefe00", "r": "#ee0000", "o": "#ffa100"}
    letters |= {"g": "#00d800", "b": "#0000f2", "n": "#000000", "d": "#404040", "s": "#bfbfbf"}
    hexadecimal = re.fullmatch(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})", ground)
    if ground not in letters and hexadecimal is None:
        raise UsageError(
            f"bg={ground[:20]} has to be a letter of a colour, hexadecimal digits, or t"
        )
    colour = letters.get(ground) or f"#{hexadecimal[1]}"  # type: ignore[index]
    head, end, rest = svg.partition(">")
    return f'{head}{end}\n<rect width="100%" height="100%" fill="{colour}"/>{rest}'
