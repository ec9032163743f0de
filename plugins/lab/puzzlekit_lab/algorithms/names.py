"""Algorithms by name, as they follow a heuristic: gap@a-star:w=2."""

from __future__ import annotations

from typing import Any

import attrs

from puzzlekit import Heuristic, PuzzlekitError, UsageError
from puzzlekit.plugins.manager import manager
from puzzlekit.search.strategies.named import Named
from puzzlekit.search.strategies.strategy import Strategy

__all__ = ["IDA", "algorithm_text", "find_algorithm", "parted"]

IDA = "ida"  # the search of the method itself


def parted(heuristic: str | Heuristic) -> tuple[str | Heuristic, str]:
    """Return a heuristic and the algorithm after it; "" for the IDA* of the method.

    >>> parted("gap:ignored=1@a-star:w=2"), parted("max"), parted("max@ida")
    (('gap:ignored=1', 'a-star:w=2'), ('max', ''), ('max', ''))
    """
    if not isinstance(heuristic, str) or "@" not in heuristic:
        return heuristic, ""
    own, _, algorithm = heuristic.rpartition("@")
    return own, "" if algorithm.strip() == IDA else algorithm.strip()


def find_algorithm(text: str) -> Strategy:
    """Return the strategy that a text names, with options after a colon.

    >>> find_algorithm("a-star:w=2").w
    2.0
    """
    name, colon, given = text.partition(":")
    strategies = manager().strategies()
    if name not in strategies:
        fit = [each for each in strategies if Named(each, each).found().one_by_one()]
        raise UsageError(f"there is no algorithm {name!r}; there are {', '.join([IDA, *fit])}")
    usual = _options(Named(name, name).found())
    options: dict[str, Any] = {}
    for item in given.split(",") if colon else ():
        option, equals, value = (part.strip() for part in item.partition("="))
        if not equals or option not in usual or option in options:
            known = ", ".join(f"{each}={_text(value)}" for each, value in usual.items())
            raise UsageError(
                f"the algorithm {name}: {item!r} is not an option, or is given twice; its options "
                f"are {known or 'none'}"
            )
        try:
            options[option] = type(usual[option])(value)
        except ValueError:
            raise UsageError(f"the algorithm {name}: {value!r} is no value of {option}") from None
    try:
        return Named(name, name, options).found()
    except PuzzlekitError:
        raise
    except ValueError as error:
        raise UsageError(f"the algorithm {text}: {error}") from None


def algorithm_text(text: str) -> str:
    """Return the text of an algorithm with the options that differ from their defaults.

    >>> algorithm_text("a-star:w=2.0,states=2000000")
    'a-star:w=2'
    """
    name = text.partition(":")[0]
    own, usual = _options(find_algorithm(text)), _options(Named(name, name).found())
    given = ",".join(f"{each}={_text(own[each])}" for each in own if own[each] != usual[each])
    return f"{name}:{given}" if given else name


def _options(strategy: Strategy) -> dict[str, Any]:
    kind: Any = type(strategy)
    return {
        field.name: value
        for field in attrs.fields(kind)
        if isinstance(value := getattr(strategy, field.name), (int, float, str))
    }


def _text(value: object) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
