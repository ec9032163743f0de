"""Why the code of a plugin fails, in words, with what to change where it is of version 1."""

from __future__ import annotations

from typing import NamedTuple

_PAGE = 'the page "From plugin API 1 to 2" of the documentation, docs/api-2.md in the sources'


class Replaced(NamedTuple):
    """Arguments and attributes that a class had in version 1 of the plugin API."""

    kind: str
    names: str
    #: What an author writes now.
    now: str
    #: The section of the page that shows it.
    section: str


REPLACED = (
    Replaced(
        "Method",
        "chaining choices recolour premoves seconds upper shares starts alternatives pooled kept",
        "a Method has a strategy, such as strategy=Improve(premoves=2), in place of chaining and "
        "its options",
        "Methods have a strategy",
    ),
    Replaced(
        "Phase",
        "heuristic",
        "a Phase has no heuristic, which is chosen for a search",
        "Methods have a strategy",
    ),
    Replaced(
        "Puzzle",
        "twisty",
        "a FaceletLayout has the name that the viewer knows, viewer=..., in place of twisty",
        "The viewer's name belongs to the layout",
    ),
    Replaced(
        "PruningTable",
        "bits fold farthest thresholds hashed additive",
        "each kind of pruning table is a class of its own, such as Plain and Modulo3",
        "Pruning tables are of kinds",
    ),
    Replaced(
        "Solver",
        "profiled",
        "solver.choose(SearchOptions(...)).method stands in place of solver.profiled",
        "For code that calls puzzlekit",
    ),
)
#: What most plugins of version 1 have to change.
FROM_VERSION_1 = f"{REPLACED[0].now}; {_PAGE}, shows old and new side by side"


def said(error: BaseException) -> str:
    """An exception of a plugin's code in words, with what stands in place of what is gone."""
    words = f"{type(error).__name__}: {error}"
    if isinstance(error, ImportError) and error.name == "puzzlekit":
        return f"{words}. If it was written for an older puzzlekit: {FROM_VERSION_1}"
    for each in REPLACED:
        if any(_is_about(error, each.kind, name) for name in each.names.split()):
            return f'{words}. Since version 2, {each.now}: see "{each.section}" on {_PAGE}'
    return words


def _is_about(error: BaseException, kind: str, name: str) -> bool:
    """Whether an argument or attribute that a class no longer has is why it fails."""
    if isinstance(error, AttributeError):
        return (type(error.obj).__name__, error.name) == (kind, name)
    starts = (
        f"{kind}.__init__() got an unexpected keyword argument {name!r}",
        f"{kind}() takes no",
    )
    return isinstance(error, TypeError) and str(error).startswith(starts)
