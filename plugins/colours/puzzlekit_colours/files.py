"""Files of measured colours: what robots, cameras and rubiks-color-resolver write."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from math import isfinite
from typing import Any, NamedTuple

from puzzlekit import FaceletLayout, UsageError

__all__ = ["Measured", "parse", "read_file"]

_NUMBERED = "ULFRBD"  # the order of the faces where stickers are numbered 1, 2, 3, ...
_MOST = 50_000_000  # bytes
_KEYS = ("puzzle", "space", "faces", "colours")


class Measured(NamedTuple):
    """The measured colours in a file."""

    #: The name of the puzzle; None if the file does not say it.
    puzzle: str | None
    #: "rgb" or "lab".
    space: str
    #: The colours of each face, row by row, by the letter of the face.
    faces: dict[str, list[tuple[float, float, float]]]

    def in_order(self, layout: FaceletLayout, name: str) -> list[tuple[float, float, float]]:
        """Return the colours in the order of the layout; raise a UsageError if they do not fit."""
        wanted = {face: layout.face_of.count(number) for number, face in enumerate(layout.faces)}
        if missing := [face for face in wanted if face not in self.faces]:
            raise UsageError(
                f"the face {missing[0]} is missing: {name} has the faces {' '.join(wanted)}"
            )
        if strange := [face for face in self.faces if face not in wanted]:
            raise UsageError(
                f"{name} has no face {strange[0][:20]}: its faces are {' '.join(wanted)}"
            )
        for face, count in wanted.items():
            if len(self.faces[face]) != count:
                raise UsageError(
                    f"face {face} has {len(self.faces[face])} colours; {name} has {count} stickers "
                    "there"
                )
        return [colour for face in layout.faces for colour in self.faces[face]]


def read_file(path: str) -> Measured:
    """Read a file of measured colours; "-" is standard input.

    Raises a UsageError if it cannot be read.
    """
    import sys

    if path == "-" and sys.stdin is None:
        raise UsageError("standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            raw = file.read(_MOST + 1)  # a device has no size and no end
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    if len(raw) > _MOST:
        raise UsageError(f"{path} is larger than {_MOST:,} bytes: it has no measured colours")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text in UTF-8") from None
    try:
        return parse(text)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def parse(text: str) -> Measured:
    """Read measured colours in JSON.

    The text is an object with the colours of each face, `{"U": [[250, 250, 245], ...], ...}`, alone
    or as the field `faces` beside `puzzle` and `space`; or one with the colours of numbered
    stickers, as rubiks-color-resolver has: `{"1": [250, 250, 245], ...}`.

    >>> parse('{"A": [[1, 2, 3]], "B": [[[4, 5, 6]]]}').faces
    {'A': [(1.0, 2.0, 3.0)], 'B': [(4.0, 5.0, 6.0)]}
    """
    try:
        given = json.loads(text)
    except RecursionError:
        raise UsageError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise UsageError(f"no JSON: {error}") from None
    if not isinstance(given, dict) or not given:
        raise UsageError('expected an object such as {"U": [[250, 250, 245], ...], "R": ...}')
    puzzle, space = given.get("puzzle"), given.get("space", "rgb")
    if puzzle is not None and not isinstance(puzzle, str):
        raise UsageError("`puzzle` has to be the name of a puzzle")
    if space not in ("rgb", "lab"):
        raise UsageError('`space` has to be "rgb" or "lab"')
    faces = given.get("faces", given.get("colours"))
    if faces is None:
        faces = {key: value for key, value in given.items() if key not in _KEYS}
    if not isinstance(faces, dict) or not faces:
        raise UsageError("`faces` has to be an object with the colours of each face")
    if all(key.isascii() and key.isdigit() for key in faces):
        by_face = _numbered(faces)
    else:
        by_face = {
            face: [_colour(each, f"face {face}, colour {i}") for i, each in _listed(face, colours)]
            for face, colours in faces.items()
        }
    numbers = [number for colours in by_face.values() for each in colours for number in each]
    if space == "rgb" and min(numbers) < 0:
        raise UsageError(
            f'{min(numbers):g} is no part of a colour in RGB; Lab needs "space": "lab"'
        )
    return Measured(puzzle, space, by_face)


def _listed(face: str, colours: Any) -> list[tuple[int, Any]]:
    """Number the colours of a face, which may be in rows."""
    if not isinstance(colours, list) or not colours:
        raise UsageError(f"face {face[:20]} has to be a list of colours, each of three numbers")
    if all(isinstance(row, list) and row and isinstance(row[0], list) for row in colours):
        colours = [each for row in colours for each in row]
    return list(enumerate(colours, 1))


def _colour(given: Any, where: str) -> tuple[float, float, float]:
    sound = isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 3
    if not sound or not all(
        isinstance(each, (int, float))
        and not isinstance(each, bool)
        and abs(each) < 1e9
        and isfinite(each)
        for each in given
    ):
        raise UsageError(f"{where} has to be three numbers such as [250, 250, 245]")
    return float(given[0]), float(given[1]), float(given[2])


def _numbered(given: dict[str, Any]) -> dict[str, list[tuple[float, float, float]]]:
    """Return the colours of numbered stickers by face: those of U first, then L F R B D."""
    by_number = {int(key): value for key, value in given.items()}
    size = len(by_number) // len(_NUMBERED)
    if sorted(by_number) != [*range(1, 6 * size + 1)] or size == 0:
        raise UsageError(
            f"{len(given)} numbered stickers: a cube has 24, 54, 96, 150, 216 or 294, numbered "
            "from 1, in the order of the faces U L F R B D"
        )
    return {
        face: [
            _colour(by_number[number * size + i], f"sticker {number * size + i}")
            for i in range(1, size + 1)
        ]
        for number, face in enumerate(_NUMBERED)
    }
