"""The goal of a search, as the options of the command line give it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import click

from puzzlekit.cli import options

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.search.options import SearchOptions
    from puzzlekit.search.solver import Solver

    Aim = Callable[[Mapping[str, str] | None], SearchOptions]

__all__ = ["Aim", "loaded"]


def loaded(
    puzzle: str | None,
    definition: str | None,
    asked: SearchOptions,
    given: options.Given,
    goal_facelets: str | None,
    goal_state: str | None,
) -> tuple[Solver, SearchOptions, Aim]:
    """Return the solver, the options without the target, and a function that adds the target.

    The function takes the symbols of the position, or None. Raise a UsageError for an unknown name,
    before anything is read or built.
    """
    from puzzlekit.search.options import check_names

    solver = options.load_puzzle(puzzle, definition, asked.memory)
    if definition is not None:
        asked = asked._replace(memory=None)  # already used to derive the method
    if goal_facelets is not None and asked.goal is not None:
        raise click.UsageError("--goal and --goal-facelets cannot be combined")
    check_names(solver, asked if goal_facelets is None else asked._replace(goal=goal_facelets))
    if goal_facelets is None and (asked.profile is not None or asked.memory is not None):
        solver.choose(asked)  # reports errors before anything is read
    return solver, asked, partial(_aimed, solver, asked, given, goal_facelets, goal_state)


def _aimed(
    solver: Solver,
    asked: SearchOptions,
    given: options.Given,
    goal_facelets: str | None,
    goal_state: str | None,
    symbols: Mapping[str, str] | None,
) -> SearchOptions:
    """Return the options with the given goal and target.

    Their stickers are read in the `symbols` of the position, if they have only these symbols.
    """
    puzzle = solver.puzzle
    if goal_facelets is not None:
        from puzzlekit.search.goals.goal_text import read_stickers

        own = given.scheme, given.order, symbols
        asked = asked._replace(goal=read_stickers(puzzle, goal_facelets, *own))
    if goal_state is not None:
        scheme = given.scheme or _scheme_of(puzzle, symbols, goal_state)
        target = solver.read_position(goal_state, scheme, given.order)
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
