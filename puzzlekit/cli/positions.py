"""Read positions and goals from the command line: scrambles, stickers, vectors, lines of a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import click

from puzzlekit.cli import options
from puzzlekit.cli.options import Given
from puzzlekit.errors import DefinitionError, NotationError
from puzzlekit.puzzle.position import Position
from puzzlekit.search.solver import Solver

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.search.options import SearchOptions

    Aim = Callable[[Mapping[str, str] | None], SearchOptions]

__all__ = ["Aim", "check_drawn", "loaded", "one_source", "read_position"]


def read_position(solver: Solver, given: Given, method: str | None = None) -> Position:
    """Return the position that the user gave. Coordinates are read as those of `method`."""
    if given.state is not None:
        found = _read_state(solver, given.state, given, method)
    else:
        found = solver.positions.read_position(" ".join(given.scramble), given.scheme, given.order)
    if found.symbols is None:
        for name, value in {"scheme": given.scheme, "order": given.order}.items():
            if value is not None:
                raise click.UsageError(
                    f"--option {name} is for stickers, but no stickers are given"
                )
    return found


def _read_state(solver: Solver, text: str, given: Given, method: str | None) -> Position:
    """Return the state in a text of any form but moves."""
    from puzzlekit.puzzle.position import names_vectors
    from puzzlekit.puzzle.sticker_reading import read_facelets_with_scheme

    puzzle = solver.puzzle
    if names_vectors(puzzle, text):
        return Position(solver.positions.from_vectors(text))
    if solver.positions.state_format:
        return Position(_read_defined(solver, text))
    if is_coordinates(text):
        return Position(solver.catalogue.from_coordinates(text, method))
    if puzzle.has_facelets:
        return Position(*read_facelets_with_scheme(puzzle, text, given.scheme, given.order))
    return Position(solver.positions.from_vectors(text))  # says what is wrong


def is_coordinates(text: str) -> bool:
    """Whether a state is written as coordinates, such as flip=12 slice=3."""
    name, sign, _ = text.partition("=")
    return bool(sign) and len(name.split()) == 1


def _read_defined(solver: Solver, given: str) -> bytes:
    """Return the state that is given in the format of a definition, as text or as a file name."""
    import os
    from pathlib import Path

    from puzzlekit.plugins.readers import read_text

    # As `solve --random` prints stickers. A long list is no name of a file.
    listed = "," in given and not os.path.exists(given)
    try:
        if listed or len(given.split()) != 1 or given.startswith("{"):
            return solver.positions.from_written(given)
        return solver.positions.from_written(read_text(Path(given)), given)
    except DefinitionError as error:
        raise NotationError(str(error)) from None


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
    for name, value in {"scheme": given.scheme, "order": given.order}.items():
        if random and value is not None:
            raise click.UsageError(
                f"--option {name} cannot be combined with --random: it explains stickers, and a "
                "random state is drawn without stickers"
            )


def loaded(
    puzzle: str | None, asked: SearchOptions, given: options.Given
) -> tuple[Solver, SearchOptions, Aim]:
    """Return the solver, the options without the target, and a function that adds the target.

    The function takes the symbols of the position, or None. Raise a UsageError for an unknown name,
    before anything is read or built.
    """
    from puzzlekit.search.options import check_names

    solver, asked = options.load_asked(puzzle, asked)
    goal = asked.goal if isinstance(asked.goal, str) else ""
    stickers = goal.removeprefix("stickers:") if goal.startswith("stickers:") else None
    state = goal.removeprefix("state:") if goal.startswith("state:") else None
    if state is not None:
        asked = asked._replace(goal=None)
    check_names(solver.catalogue, asked)
    if stickers is None and (asked.profile is not None or asked.memory is not None):
        solver.choose(asked)  # reports errors before anything is read
    return solver, asked, partial(_aimed, solver, asked, given, stickers, state)


def _aimed(
    solver: Solver,
    asked: SearchOptions,
    given: options.Given,
    stickers: str | None,
    state: str | None,
    symbols: Mapping[str, str] | None,
) -> SearchOptions:
    """Return the options with the given goal and target.

    Their stickers are read in the `symbols` of the position, if they have only these symbols.
    """
    puzzle = solver.puzzle
    if stickers is not None:
        from puzzlekit.search.catalogue import goal_search

        read = goal_search().read_stickers
        asked = asked._replace(goal=read(puzzle, stickers, given.scheme, given.order, symbols))
    if state is not None:
        scheme = given.scheme or _scheme_of(puzzle, symbols, state)
        target = solver.positions.read_position(state, scheme, given.order)
        asked = asked._replace(target=target.state)
    return asked


def _scheme_of(puzzle: Puzzle, symbols: Mapping[str, str] | None, text: str) -> str | None:
    """Return the symbols in the order of the faces; None if the stickers in a text have others."""
    from puzzlekit.puzzle.position import stickers_in
    from puzzlekit.puzzle.sticker_reading import stickers_of

    stickers = stickers_in(puzzle, text)
    if not symbols or stickers is None or puzzle.layout is None:
        return None
    faces = puzzle.layout.faces
    scheme = "".join(sorted(symbols, key=lambda symbol: faces.index(symbols[symbol])))
    return scheme if {*stickers_of(puzzle.layout, stickers, scheme)} <= {*scheme} else None
