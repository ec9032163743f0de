"""JSON values that know their path, for errors that name the position."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import attrs

from puzzlekit import DefinitionError
from puzzlekit.amounts import whole
from puzzlekit_definitions.definition import MAX_TEXT, repeated


@attrs.frozen
class Node:
    """A value in the file and its path, such as moves.R.CORNERS.permutation[3]."""

    value: Any
    path: str
    source: str

    def fail(self, problem: str) -> NoReturn:
        """Raise a DefinitionError at this value."""
        raise DefinitionError(problem, self.source, self.path)

    def expect(self, kind: type, what: str) -> Any:
        """Return the value if it has a type; fail if not. `what` names the type in words."""
        if type(self.value) is not kind:
            self.fail(f"expected {what}, found {_shown(self.value)}")
        return self.value

    def items(self, what: str) -> list[tuple[str, Node]]:
        """Return the members of an object."""
        members: dict[str, Any] = self.expect(dict, f"an object of {what}")
        return [(name, self._inside(value, _step(name))) for name, value in members.items()]

    def __getitem__(self, name: str) -> Node:
        """Return a required member of an object."""
        members: dict[str, Any] = self.expect(dict, f'an object with "{name}"')
        if name not in members:
            self.fail(f'"{name}" is missing')
        return self._inside(members[name], _step(name))

    def __contains__(self, name: str) -> bool:
        return name in self.expect(dict, "an object")

    def elements(self, what: str, size: int | None = None) -> list[Node]:
        """Return the elements of an array. If `size` is given, the array must have this size."""
        listed: list[Any] = self.expect(list, f"an array of {what}")
        if size is not None and len(listed) != size:
            self.fail(f"expected an array of {size} {what}, found {len(listed)}")
        return [self._inside(value, f"[{i}]") for i, value in enumerate(listed)]

    def number(self, least: int, most: int) -> int:
        """Return the value as a whole number from `least` to `most`."""
        allowed = whole(least, most)
        if not allowed.fits(self.value):
            self.fail(f"expected {allowed.words}, found {_shown(self.value)}")
        found: int = self.value
        return found

    def numbers(self, size: int, least: int, most: int) -> tuple[int, ...]:
        """Return an array of whole numbers from `least` to `most`."""
        return tuple(each.number(least, most) for each in self.elements("numbers", size))

    def _inside(self, value: Any, step: str) -> Node:
        return Node(value, f"{self.path}{step}".lstrip("."), self.source)


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _step(name: str) -> str:
    return "." + "".join(char if char.isprintable() else "?" for char in name[:40])


def parsed(text: str, source: str) -> Node:
    """Return the value of a JSON text. Raise a DefinitionError if the text is not JSON."""
    if len(text) > MAX_TEXT:
        raise DefinitionError(f"more than {MAX_TEXT:,} characters", source)

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = repeated([name for name, _ in pairs])
            raise DefinitionError(f"duplicate key {json.dumps(pairs[twice or 0][0][:40])}", source)
        return found

    try:
        return Node(json.loads(text, object_pairs_hook=members), "", source)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DefinitionError(f"this is not JSON: {error.msg}", source, where) from None
    except ValueError:
        raise DefinitionError("this is not JSON: a number has too many digits", source) from None
    except RecursionError:
        raise DefinitionError("this is nested too deeply", source) from None
