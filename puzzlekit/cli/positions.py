"""Read positions from the command line: a scramble, stickers, vectors, or lines of a file."""

from __future__ import annotations

import click

from puzzlekit.cli.options import Given
from puzzlekit.puzzle.position import Position
from puzzlekit.search.solver import Solver

__all__ = ["check_drawn", "one_source", "read_position"]


def read_position(solver: Solver, given: Given, method: str | None = None) -> Position:
    """Return the position that the user gave. Coordinates are read as those of `method`."""
    if given.facelets is not None:
        from puzzlekit.puzzle.sticker_reading import read_facelets_with_scheme

        own = given.facelets, given.scheme, given.order
        return Position(*read_facelets_with_scheme(solver.puzzle, *own))
    if given.vectors is not None:
        found = Position(solver.from_vectors(given.vectors))
    elif given.defined is not None:
        found = Position(_read_defined(solver, given.defined))
    elif given.coordinates is not None:
        found = Position(solver.from_coordinates(given.coordinates, method))
    else:
        found = solver.read_position(" ".join(given.scramble), given.scheme, given.order)
    if found.symbols is None:
        for name, value in {"--scheme": given.scheme, "--order": given.order}.items():
            if value is not None:
                raise click.UsageError(f"{name} is for stickers, but no stickers are given")
    return found


def _read_defined(solver: Solver, given: str) -> bytes:
    """Return the state that is given in the format of a definition, as text or as a file name."""
    from pathlib import Path

    from puzzlekit.plugins.readers import read_text

    if not solver.state_format:
        raise click.UsageError("--state needs --definition")
    if len(given.split()) != 1 or given.startswith("{"):  # not a file name
        return solver.from_written(given)
    return solver.from_written(read_text(Path(given)), given)


def one_source(sources: dict[str, bool]) -> str:
    """Return the one source that is given.

    Raise a UsageError if no source or more than one source is given.
    """
    given = [name for name, there in sources.items() if there]
    if len(given) == 1:
        return given[0]
    *names, last = sources
    if given:
        raise click.UsageError(f"{' and '.join(given)} cannot be combined: give only one")
    raise click.UsageError(f"no position is given: use {', '.join(names)} or {last}")


def check_drawn(random: bool, seed: int | None, given: Given) -> None:
    """Raise a UsageError for options that do not fit --random, or need it."""
    if seed is not None and not random:
        raise click.UsageError("--seed needs --random")
    for name, value in {"--scheme": given.scheme, "--order": given.order}.items():
        if random and value is not None:
            raise click.UsageError(
                f"{name} cannot be combined with --random: {name} explains stickers, and a random "
                "state is drawn without stickers"
            )
