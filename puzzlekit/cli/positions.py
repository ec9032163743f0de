"""Positions from the command line: a scramble, stickers, vectors, at random, lines of a file."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import click

from puzzlekit.errors import NotationError, StateError
from puzzlekit.phase.solver import Solver

_LONGEST_LINE = 4_000_000  # bytes: more than the notation reads
_BRACKETS = "()[],:"
_SUFFIXES = "'`\u00b4\u02bc\u2018\u2019\u2032"  # what makes a move of a letter, but for digits


def read_position(
    solver: Solver,
    scramble: Sequence[str] = (),
    facelets: str | None = None,
    vectors: str | None = None,
    scheme: str | None = None,
) -> bytes:
    """The state given by the argument or by one of the options (see `one_source`)."""
    if facelets is not None:
        return solver.from_facelets(facelets, scheme)
    if vectors is not None:
        return solver.from_vectors(vectors)
    return read_text(solver, " ".join(scramble), scheme)


def one_source(sources: dict[str, bool]) -> str:
    """The one source that is given; a usage error says which there are."""
    given = [name for name, there in sources.items() if there]
    if len(given) == 1:
        return given[0]
    *names, last = sources
    if given:
        raise click.UsageError(f"{' and '.join(given)} are given; only one of them can be")
    raise click.UsageError(f"no position is given: use {', '.join(names)} or {last}")


def position_source(
    scramble: Sequence[str], facelets: str | None, vectors: str | None
) -> dict[str, bool]:
    """The sources that every command with a position has, and whether each is given."""
    return {
        "a scramble": bool(scramble),
        "--facelets": facelets is not None,
        "--vectors": vectors is not None,
    }


def read_text(solver: Solver, text: str, scheme: str | None = None) -> bytes:
    """The state that a line means: stickers if it looks so, else moves from the solved state.

    `state:` and `moves:` in front force either.
    """
    puzzle = solver.puzzle
    prefix, colon, rest = text.partition(":")
    forced = prefix.strip().lower()
    if colon and forced == "state":
        return solver.from_facelets(_without_comment(rest), scheme)
    if colon and forced == "moves":
        try:
            return solver.scrambled(" " * (len(prefix) + 1) + rest)
        except NotationError as error:
            raise NotationError(
                error.problem, text=text, token=error.token, column=error.column, hint=error.hint
            ) from None
    stickers = _without_comment(text).strip()
    wanted = len(puzzle.layout.face_of) if puzzle.layout else -1
    if _is_plain(stickers) and len(stickers) == wanted:
        try:
            return solver.from_facelets(stickers, scheme)
        except StateError:
            if _reads_as_moves(solver, stickers):
                warnings.warn(
                    f"read as a state of {wanted} stickers; 'moves: ...' has it read as moves",
                    stacklevel=2,
                )
            raise
    state = solver.scrambled(text)
    if _is_plain(stickers) and wanted * 3 < len(stickers) * 4 < wanted * 5:
        warnings.warn(
            f"read as {len(stickers)} moves; if it is meant as a state: that has {wanted} stickers",
            stacklevel=2,
        )
    return state


def _reads_as_moves(solver: Solver, text: str) -> bool:
    try:
        solver.puzzle.moves(text)
    except NotationError:
        return False
    return True


def _without_comment(text: str) -> str:
    """The text up to a comment, which has a blank in front of it."""
    for mark in (" #", "\t#", " //", "\t//"):
        text = text.partition(mark)[0]
    return text


def _is_plain(text: str) -> bool:
    """Whether the text has no blank, no bracket, and no number or prime mark after a letter."""
    after_letter = False
    for char in text:
        if char.isspace() or char in _BRACKETS or char in _SUFFIXES:
            return False
        if after_letter and char.isdecimal():
            return False
        after_letter = char.isalpha()
    return bool(text)


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, str, NotationError | None]]:
    """The number and text of each line that is neither blank nor a comment, as soon as it is there.

    With a line that is not UTF-8 comes the error that says so.
    """
    number = 0
    while raw := stream.readline(_LONGEST_LINE + 1):
        number += 1
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise click.UsageError("the input is UTF-16; save it as UTF-8")
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if len(raw) > _LONGEST_LINE:
            raise click.UsageError(f"line {number} of the input is longer than 4 MB")
        error = None
        try:
            text = raw.decode().strip()
        except UnicodeDecodeError as failure:
            text = raw.decode(errors="replace").strip()
            error = NotationError(f"byte {failure.start + 1} of the line is not UTF-8", text=text)
        if text and not text.startswith(("#", "//")):
            yield number, text, error
