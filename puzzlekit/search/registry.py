"""Heuristics by name: built-in ones, and heuristics of other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import Any

from puzzlekit.errors import UsageError
from puzzlekit.search.heuristic import Heuristic, Max, Sum, defaults, parameters, usage

__all__ = ["format_heuristics"]

# Functions that return more classes of heuristics. They are called only for names that are not
# built in.
sources: list[Callable[[], Iterable[type[Heuristic]]]] = []

_READABLE = {int: "a whole number", float: "a finite number", str: "a string"}


def built_in() -> Iterator[type[Heuristic]]:
    """Yield the classes of the built-in heuristics."""
    yield from (Max, Sum)
    # This import is slow, and a search without these heuristics should not have to wait.
    from puzzlekit.search.formulas import Blended, Euclid, MaxSd, MaxSum

    yield from (MaxSd, Euclid, Blended, MaxSum)


def _kinds() -> Iterator[type[Heuristic]]:
    yield from built_in()
    for source in sources:
        yield from source()


def heuristics() -> tuple[Heuristic, ...]:
    """Return all heuristics with default parameters, including heuristics of plugins.

    >>> [str(heuristic) for heuristic in heuristics()][:5]
    ['max', 'sum', 'max-sd', 'euclid', 'blended']
    """
    return tuple(kind() for kind in _kinds())


def find_heuristic(text: str) -> Heuristic:
    """Return the heuristic that a string describes: its name, and values of parameters.

    A colon follows the name, and commas separate the values. Parameters that are not given have
    their defaults. Raises UsageError if a name or a value is wrong. The message lists all
    heuristics, or all parameters of the heuristic.

    >>> find_heuristic("max")
    Max()
    >>> print(find_heuristic("blended:a=3,sd=population"))
    blended:a=3,sd=population
    """
    name, colon, given = text.partition(":")
    kind = next((kind for kind in _kinds() if kind.name == name.strip()), None)
    if kind is None:
        known = ", ".join(map(usage, _kinds()))
        raise UsageError(f"there is no heuristic {name.strip()!r}; there are {known}")
    usual = {field.alias: field.default for field in parameters(kind)}
    values: dict[str, Any] = {}
    for item in given.split(",") if colon else ():
        parameter, equals, value = (part.strip() for part in item.partition("="))
        what = f"the heuristic {kind.name}"
        if not equals:
            raise UsageError(f"{what}: {item!r} is not of the form NAME=VALUE; {_known(kind)}")
        if parameter not in usual:
            raise UsageError(f"{what} has no parameter {parameter!r}; {_known(kind)}")
        if parameter in values:
            raise UsageError(f"{what}: {parameter} is given twice")
        read = type(usual[parameter])
        try:
            values[parameter] = read(value)
            if read is float and not isfinite(values[parameter]):
                raise ValueError
        except ValueError:
            raise UsageError(f"{what}: {parameter}={value} is not {_READABLE[read]}") from None
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:  # from a class of a plugin
        raise UsageError(f"the heuristic {text}: {error}") from error


def _known(kind: type[Heuristic]) -> str:
    return f"it has {', '.join(defaults(kind)) or 'none'}"


def format_heuristics(chosen: Sequence[Heuristic], declared: Sequence[Heuristic] = ()) -> str:
    """Return the heuristics of all phases as one string.

    If all phases have the same heuristic, it is named once. `declared` has the heuristics that the
    phases declare. If the caller chose no others, only those that are not max are named.

    >>> format_heuristics([Sum(), Sum()]), format_heuristics([Max(), Sum()])
    ('sum', '0=max/1=sum')
    >>> format_heuristics([Max(), Sum()], [Max(), Sum()])
    '1=sum'
    """
    texts = [str(heuristic) for heuristic in chosen]
    if len(set(texts)) == 1:
        return texts[0]
    usual = list(chosen) == list(declared)
    named = [number for number, each in enumerate(chosen) if not (usual and each == Max())]
    return "/".join(f"{number}={texts[number]}" for number in named)


def fault(kind: object) -> str | None:
    """Return why an object is not a valid class of heuristics; None if it is valid.

    >>> fault(Max)
    >>> fault(Max())
    'Max() is not a subclass of Heuristic'
    """
    if not (isinstance(kind, type) and issubclass(kind, Heuristic)):
        return f"{kind!r} is not a subclass of Heuristic"
    name = getattr(kind, "name", None)
    if not (isinstance(name, str) and name.replace("-", "").isalnum()):
        return f"the heuristic class {kind.__name__} needs a name of letters, digits and hyphens"
    for field in parameters(kind):
        if type(field.default) not in _READABLE:
            return f"the heuristic {name}: {field.alias} needs a default, a number or a string"
    try:
        _ = kind().identity  # calls `join`
    except Exception as error:
        return f"the heuristic {name} does not work: {type(error).__name__}: {error}"
    return None
