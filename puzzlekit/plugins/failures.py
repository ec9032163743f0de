"""Messages about plugins that fail, and changes that plugins of version 1 need."""

from __future__ import annotations

from typing import NamedTuple

_PAGE = 'the page "From plugin API 1 to 2" of the documentation, docs/api-2.md in the sources'


class Replaced(NamedTuple):
    """Arguments and attributes that a class had in version 1 of the plugin API."""

    kind: str
    names: str
    #: The replacement in version 2.
    now: str
    #: The section of the page that shows the change.
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
        "caps",
        "Improve(finish_nodes=...) limits the second phase by nodes in place of costs",
        "Methods have a strategy",
    ),
    Replaced(
        "Puzzle",
        "twisty",
        "the field viewer=... of FaceletLayout replaces twisty",
        "The viewer's name belongs to the layout",
    ),
    Replaced(
        "PruningTable",
        "bits fold farthest thresholds hashed additive",
        "each kind of pruning table is a class of its own, such as Plain and Modulo3",
        "Each kind of pruning table is a class",
    ),
    Replaced(
        "Solver",
        "profiled",
        "solver.choose(SearchOptions(...)).method replaces solver.profiled",
        "For code that calls puzzlekit",
    ),
)
#: The change that most plugins of version 1 need.
FROM_VERSION_1 = f"{REPLACED[0].now}; {_PAGE}, shows old and new side by side"


def said(error: BaseException) -> str:
    """Return a message for an exception of a plugin.

    If the plugin uses a name that was removed after version 1, the message names the replacement.
    """
    words = f"{type(error).__name__}: {error}"
    if isinstance(error, ImportError) and error.name == "puzzlekit":
        return f"{words}. If the plugin is for an older puzzlekit: {FROM_VERSION_1}"
    for each in REPLACED:
        if any(_is_about(error, each.kind, name) for name in each.names.split()):
            return f'{words}. Since version 2, {each.now}: see "{each.section}" on {_PAGE}'
    return words


def _is_about(error: BaseException, kind: str, name: str) -> bool:
    """Return whether an error is about an argument or attribute that a class no longer has."""
    if isinstance(error, AttributeError):
        return (type(error.obj).__name__, error.name) == (kind, name)
    starts = (
        f"{kind}.__init__() got an unexpected keyword argument {name!r}",
        f"{kind}() takes no",
    )
    return isinstance(error, TypeError) and str(error).startswith(starts)
