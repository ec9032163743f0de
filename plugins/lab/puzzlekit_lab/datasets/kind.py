"""Kinds: classes that a text such as "walk:20" names, and that a plugin can add to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, TypeVar, cast

import attrs

from puzzlekit import UsageError
from puzzlekit.amounts import Amount


class Kind:
    """A record that the command line names by a word, followed by its fields after colons.

    A subclass is a frozen attrs class. Each field has a converter that reads its text, and raises a
    ValueError that says what is wrong.
    """

    #: The word.
    word: ClassVar[str] = ""
    #: The kind in a few words, for help and documentation.
    about: ClassVar[str] = ""

    def __str__(self) -> str:
        """Return the text that names the record."""
        values = (getattr(self, name) for name in _names(type(self)))
        return ":".join([self.word, *(str(each) for each in values if each != "")])


K = TypeVar("K", bound=Kind)


def _names(kind: type[Kind]) -> list[str]:
    return [each.name for each in attrs.fields(cast(Any, kind)) if each.init and not each.kw_only]


def usage(kind: type[Kind]) -> str:
    """Return the form of the texts of a kind, such as "walk:LENGTH"."""
    fields = {each.name: each for each in attrs.fields(cast(Any, kind))}
    parts = [
        f":{name.upper()}" if fields[name].default is attrs.NOTHING else f"[:{name.upper()}]"
        for name in _names(kind)
    ]
    return kind.word + "".join(parts)


def read_kind(text: str, kinds: Mapping[str, type[K]], what: str, more: Sequence[str] = ()) -> K:
    """Return the record that a text names.

    - `kinds`: the kinds by their words.
    - `what`: what the kinds are, for messages.
    - `more`: other texts that are possible, for messages.

    Raises a UsageError that lists the kinds.
    """
    word, *values = text.split(":")
    kind = kinds.get(word)
    if kind is None:
        known = ", ".join([*map(usage, kinds.values()), *more])
        raise UsageError(f"there is no {what} {text!r}; there are {known}")
    try:
        return kind(*values)
    except TypeError:
        raise UsageError(f"{what} {text!r} is not of the form {usage(kind)}") from None
    except ValueError as error:
        raise UsageError(f"{what} {text!r}: {error}") from None


def whole_number(value: Any, amount: Amount) -> int:
    """Return a number, or the number that a text states. Raises a ValueError if it does not fit."""
    with suppress(ValueError):  # the check says what is possible
        value = int(value)
    found: int = amount.check(value)
    return found
