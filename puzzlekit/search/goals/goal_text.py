"""Read goals from text: names and conditions, as on the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

# These modules add their kinds to KINDS.
import puzzlekit.search.goals.each_solvable_by
import puzzlekit.search.goals.showing
import puzzlekit.search.goals.solvable_by  # noqa: F401
from puzzlekit.errors import UsageError
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.goals.condition import KINDS, Condition
from puzzlekit.search.goals.condition_kinds import Solved
from puzzlekit.search.goals.goal import Goal, GoalCase

# Words for pieces that are solved; the text before the colon stays part of the name.
_SELECTORS = ("layer", "moved")


def read_goal(puzzle: Puzzle, text: str, named: Mapping[str, Goal]) -> Goal:
    """Return the goal that a text describes.

    A text is one or more alternatives, joined by the word "or". An alternative is a list of words,
    separated by blanks, that must all hold:

    - the name of a goal in `named`;
    - a kind of condition, a colon and pieces, such as "solved:UF,UR" or "oriented:edges";
    - "layer:U", "moved:R" or "piece:UF" for pieces that must be solved;
    - "up-to:U" for moves that may be missing at the end.

    Raises UsageError for a word that cannot be read.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> read_goal(cube.puzzle, "oriented:edges solved:DF,DB", {}).words
    'edges oriented, DF DB solved'
    """
    alternatives = [
        (part, case)
        for part in re.split(r"\s+or\s+", text.strip())
        for case in _cases(puzzle, part, named)
    ]
    if text.strip() in named:
        return named[text.strip()]
    if len(alternatives) == 1:
        conditions, up_to = alternatives[0][1]
        goal = Goal(text, "", conditions, up_to)
    else:
        goal = Goal(text, any_of=tuple(Goal(part, "", *case) for part, case in alternatives))
    for case in goal.cases:
        case.test(puzzle)  # reports pieces that do not exist
    return goal


def _cases(puzzle: Puzzle, text: str, named: Mapping[str, Goal]) -> list[GoalCase]:
    """Return all combinations of the cases of the words of an alternative."""
    found = [GoalCase((), "")]
    if not text.split():
        raise UsageError("a goal is empty: name a goal or a condition such as solved:UF,UR")
    for word in text.split():
        own = _of_word(puzzle, word, named)
        found = [
            GoalCase((*one.conditions, *other.conditions), f"{one.up_to} {other.up_to}".strip())
            for one in found
            for other in own
        ]
    return found


def _of_word(puzzle: Puzzle, word: str, named: Mapping[str, Goal]) -> tuple[GoalCase, ...]:
    if word in named:
        if named[word].colours:
            raise UsageError(f"the goal {word} has colours, so no other word can follow it")
        return named[word].cases
    kind, _, rest = word.partition(":")
    if kind == "up-to" and rest:
        moves = rest.replace(",", " ")
        puzzle.moves(moves)  # reports unknown moves
        return (GoalCase((), moves),)
    if kind in _SELECTORS and rest:
        return (GoalCase((Solved(word),), ""),)
    if kind == "piece" and rest:
        return (GoalCase((Solved(rest.replace(",", " ")),), ""),)
    if kind in KINDS and rest:
        return (GoalCase((_condition(word, kind, rest),), ""),)
    known = f"its goals are {', '.join(named)}" if named else "it has no named goals"
    kinds = ", ".join([*KINDS, *_SELECTORS, "piece", "up-to"])
    raise UsageError(
        f"{puzzle.name} has no goal {word!r}; {known}; a condition is KIND:PIECES, and the kinds "
        f"are {kinds}"
    )


def _condition(word: str, kind: str, text: str) -> Condition:
    """Return the condition of a word, such as within:UF,UR=layer:U."""
    given = [each.replace(",", " ") for each in text.split("=")]
    made: Any = KINDS[kind]
    fields = [each for each in attrs.fields(made) if each.init]
    least = sum(each.default is attrs.NOTHING for each in fields)
    if not all(each.strip() for each in given):
        raise UsageError(f"goal {word!r}: name something on both sides of '='")
    if len(given) > len(fields):
        what = f"{len(fields) - 1} '='" if len(fields) > 1 else "no '='"
        raise UsageError(f"goal {word!r}: a condition {kind} takes {what}")
    if len(given) < least:
        raise UsageError(f"goal {word!r}: a condition {kind} needs {least - 1} '='")
    condition: Condition = made(*given)
    return condition
