"""Read scans of random states: synthetic ones, or files of rubiks-color-resolver's tests.

    python benchmarks/colours.py --puzzles cube2 cube3 cube4 cube5 --scans 200
    python benchmarks/colours.py --resolver ~/rubiks-color-resolver/tests

A synthetic scan has a colour cast, another light on each face that also rises along the face,
noise, glare on some stickers, and 8 bits a channel. `nearest` calls each sticker by the nearest of
the usual colours after white balance. `--resolver` names the directory of test-cubes.py, whose
answers are compared up to the names of the colours. Times are CPU times. The exit code is 1 if
fewer scans are right than `--right` says, in percent.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator
from math import isqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

import puzzlekit
from puzzlekit import FaceletLayout, Puzzle, StateError
from puzzlekit_colours import read_colours
from puzzlekit_colours.model import Floats, balanced, lab, reference

#: What stickers look like in daylight, in sRGB.
PAINT = {
    "white": (235, 235, 230),
    "yellow": (215, 205, 40),
    "orange": (235, 110, 30),
    "red": (180, 30, 35),
    "green": (30, 140, 70),
    "blue": (25, 70, 150),
}


class Camera(NamedTuple):
    """How wrong a camera and the light are."""

    noise: float = 6.0  # standard deviation of a channel, of 255
    cast: float = 0.4  # of the logarithm of the gain of a channel
    light: float = 0.18  # of the logarithm of the light of a face; half of it rises along the face
    glare: float = 0.02  # the share of stickers with glare


def linear(rgb: Floats) -> Floats:
    """Return the light of colours in sRGB."""
    return np.where(rgb > 0.04045, ((rgb + 0.055) / 1.055) ** 2.4, rgb / 12.92)


def standard(light: Floats) -> Floats:
    """Return the colours in sRGB of light."""
    root = 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055
    return np.where(light > 0.0031308, root, light * 12.92)


def positions(layout: FaceletLayout) -> Floats:
    """Return the row and the column of each sticker in the net."""
    at = np.zeros((len(layout.face_of), 2))
    for number, row in enumerate(layout.net):
        for column, facelet in enumerate(row):
            if facelet is not None:
                at[facelet] = number, column
    return at


def measure(
    puzzle: Puzzle, stickers: str, rng: np.random.Generator, camera: Camera | None = None
) -> Floats:
    """Return what a camera measures of stickers, in RGB from 0 to 255."""
    camera = camera or Camera()
    layout = puzzle.layout
    assert layout is not None
    usual = 255 * reference(layout.colours)
    paint = np.array([PAINT.get(word, usual[i]) for i, word in enumerate(layout.colours)]) / 255
    light = linear(paint)[[layout.faces.index(letter) for letter in stickers]]
    light = light * np.exp(rng.normal(0, camera.cast, 3))
    face_of, at = np.array(layout.face_of), positions(layout)
    for face in range(len(layout.faces)):
        own = face_of == face
        apart = at[own] - at[own].mean(axis=0)
        rise = apart / max(1.0, float(np.abs(apart).max())) @ rng.normal(0, camera.light / 2, 2)
        light[own] *= np.exp(rng.normal(0, camera.light) + rise)[:, None]
    shiny = rng.random(len(light)) < camera.glare
    light[shiny] += rng.uniform(0.1, 0.5, int(shiny.sum()))[:, None]
    seen = 255 * standard(light) + rng.normal(0, camera.noise, light.shape)
    return np.clip(seen, 0, 255).round()


def nearest(puzzle: Puzzle, measured: Floats) -> str:
    """Return the face of the nearest usual colour of each sticker, after white balance."""
    layout = puzzle.layout
    assert layout is not None
    usual = reference(layout.colours)
    seen = lab(balanced(measured / measured.max(), usual[np.array(layout.colour_of)]))
    far = ((seen[:, None] - lab(usual)[None]) ** 2).sum(axis=2)
    return "".join(layout.faces[i] for i in far.argmin(axis=1))


def is_right(puzzle: Puzzle, measured: Floats, stickers: str) -> bool:
    """Whether the decoder reads stickers, up to the names of their colours."""
    try:
        found = read_colours(puzzle, measured.tolist())
    except StateError:
        return False
    return len({*zip(found.stickers, stickers, strict=True)}) == len({*stickers})


def synthetic(name: str, scans: int, seed: int, camera: Camera) -> float:
    """Read synthetic scans of a puzzle, print a line, and return the share that is right."""
    solver = puzzlekit.load(name)
    rng = np.random.default_rng(seed)
    right = near = 0
    seconds = 0.0
    for number in range(scans):
        stickers = solver.positions.to_facelets(solver.random_state(seed + number))
        measured = measure(solver.puzzle, stickers, rng, camera)
        near += nearest(solver.puzzle, measured) == stickers
        begin = time.process_time()
        right += is_right(solver.puzzle, measured, stickers)
        seconds += time.process_time() - begin
    print(
        f"{name:16} right {right / scans:7.1%}   nearest {near / scans:7.1%}   "
        f"{seconds / scans:.2f} s each, {scans} scans",
        flush=True,
    )
    return right / scans


def resolver(directory: Path) -> Iterator[bool]:
    """Read the files of rubiks-color-resolver's tests, and print a line for each."""
    text = (directory / "test-cubes.py").read_text(encoding="utf-8")
    for file, stickers in re.findall(r'"test-data/([^"]+)",\s*"([URFDLB]+)"', text):
        given = json.loads((directory / "test-data" / file).read_text(encoding="utf-8"))
        each = len(given) // 6
        puzzle = puzzlekit.load(f"cube{isqrt(each)}").puzzle
        numbered = {face: i for i, face in enumerate("ULFRBD")}
        measured = [
            given[str(numbered[face] * each + i + 1)] for face in "URFDLB" for i in range(each)
        ]
        right = is_right(puzzle, np.array(measured, dtype=float), stickers)
        print(f"{file:28} {'right' if right else 'WRONG'}", flush=True)
        yield right


def main() -> None:
    """Read the scans and print what is right."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--puzzles", nargs="*", default=["cube2", "cube3", "cube4", "cube5"])
    parser.add_argument("--scans", type=int, default=100, help="of each puzzle (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resolver", type=Path, metavar="DIRECTORY")
    parser.add_argument("--right", type=float, default=99.0, metavar="PERCENT")
    for field, value in Camera()._asdict().items():
        parser.add_argument(f"--{field}", type=float, default=value)
    options = parser.parse_args()
    if options.resolver:
        found = [*resolver(options.resolver)]
        print(f"{sum(found)} of {len(found)} files are right")
        sys.exit(0 if sum(found) >= len(found) * options.right / 100 else 1)
    camera = Camera(options.noise, options.cast, options.light, options.glare)
    rights = [synthetic(name, options.scans, options.seed, camera) for name in options.puzzles]
    sys.exit(0 if min(rights) >= options.right / 100 else 1)


if __name__ == "__main__":
    main()
