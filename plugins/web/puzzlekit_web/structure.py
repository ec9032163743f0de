"""JSON objects, read by cattrs into attrs classes without converting values.

The type of a field determines the accepted values. `int` and `float` accept numbers that are not
negative. A tuple or NamedTuple accepts a list. `Annotated` adds a check (`Amount`, `Characters`) or
a description for the schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from cattrs import BaseConverter, ClassValidationError, Converter

from puzzlekit.amounts import Amount, shown, whole

__all__ = ["Characters", "FieldError", "Keys", "element_types", "structured"]

T = TypeVar("T")
Hook = Callable[[Any, Any], Any]

COUNTS = whole(0, 2**64 - 1)
NUMBERS = Amount("a number from 0 to 2^64", 0, 2**64 - 1, whole=False)


class Characters(NamedTuple):
    """Strings of `least` to `most` characters that match the regular expression `pattern`."""

    least: int = 0
    most: int | None = None
    pattern: str = ""

    def check(self, value: Any) -> str:
        """Return the value.

        Raises a ValueError if the value does not fit. The message follows the name of the field.
        """
        if not isinstance(value, str):
            raise ValueError(f"must be a string, not {shown(value)}")
        if self.most is not None and not self.least <= len(value) <= self.most:
            raise ValueError(f"must have {self.least} to {self.most} characters")
        if not re.search(self.pattern, value):
            raise ValueError(f"must match {self.pattern}, not {shown(value)}")
        return value


class Keys(NamedTuple):
    """The keys of a mapping, for the schema only. Reading does not check the keys."""

    names: tuple[str, ...]


class FieldError(ValueError):
    """A missing or wrong field. The message follows the `name` of the field."""

    def __init__(self, name: str, problem: str) -> None:
        self.name = name
        super().__init__(problem)


def structured(kind: type[T], found: Mapping[str, Any]) -> T:
    """Return an object of a class with these fields. Unknown fields are ignored.

    Raises a FieldError for the first field that is missing or wrong.
    """
    try:
        return _CONVERTER.structure(found, kind)
    except ClassValidationError as error:
        problem: Exception = error.exceptions[0]
        name = next((note.name for _, note in error.group_exceptions()[0]), "")
    if not name:  # an error of the whole object, raised by its class
        raise problem
    while isinstance(problem, ExceptionGroup):
        problem = problem.exceptions[0]
    if name not in found:
        raise FieldError(name, "is missing")
    told = isinstance(problem, ValueError)
    raise FieldError(name, str(problem) if told else f"cannot be {shown(found[name])}")


def element_types(kind: Any) -> tuple[Any, ...] | None:
    """Return the types of the elements of a NamedTuple or tuple; None for another type."""
    if hasattr(kind, "_fields"):
        return tuple(get_type_hints(kind, include_extras=True).values())
    return get_args(kind) if get_origin(kind) is tuple else None


def _row(kind: Any, converter: BaseConverter) -> Hook:
    types = element_types(kind) or ()
    size = None if types[-1] is ... else len(types)

    def read(value: Any, _: Any) -> Any:
        if not isinstance(value, list) or size not in (None, len(value)):
            of = "" if size is None else f" of {size}"
            raise ValueError(f"must be a list{of}, not {shown(value)}")
        kinds = types if size is not None else types[:1] * len(value)
        return make([converter.structure(*pair) for pair in zip(value, kinds, strict=True)])

    make = getattr(kind, "_make", tuple)
    return read


def _annotated(kind: Any, converter: BaseConverter) -> Hook:
    inner, *notes = get_args(kind)
    checks = [note.check for note in notes if hasattr(note, "check")]
    read = converter.get_structure_hook(inner)
    return lambda value, _: checks[0](value) if checks else read(value, inner)


def _is(words: str, *kinds: type) -> Hook:
    def read(value: Any, _: Any) -> Any:
        if not isinstance(value, kinds):
            raise ValueError(f"must be {words}, not {shown(value)}")
        return value

    return read


def _is_literal(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _literal(kind: Any) -> Hook:
    words = get_args(kind)

    def read(value: Any, _: Any) -> Any:
        if value not in words:
            raise ValueError(f"must be {', '.join(words[:-1])} or {words[-1]}, not {shown(value)}")
        return value

    return read


def _converter() -> Converter:
    made = Converter()
    made.register_structure_hook_factory(lambda kind: element_types(kind) is not None, _row)
    made.register_structure_hook_factory(lambda kind: hasattr(kind, "__metadata__"), _annotated)
    made.register_structure_hook_factory(_is_literal, _literal)
    simple = _is("a string, a number, true, false or null", str, int, float, type(None))
    made.register_structure_hook_func(lambda kind: kind is Any, simple)
    made.register_structure_hook(str, _is("a string", str))
    made.register_structure_hook(bool, _is("true or false", bool))
    made.register_structure_hook(int, lambda value, _: COUNTS.check(value))
    made.register_structure_hook(float, lambda value, _: NUMBERS.check(value))
    return made


_CONVERTER = _converter()
