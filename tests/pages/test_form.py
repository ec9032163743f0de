"""Public functions and records of more than four parameters or fields document each of them.

A field has a `#:` comment, a parameter its place in the numpydoc list of the docstring.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

import puzzlekit
import puzzlekit_authoring
import puzzlekit_beam
import puzzlekit_lab
import puzzlekit_twophase
from puzzlekit.search import options

MOST = 4


def fields(kind: type) -> list[str]:
    """What a record or another class is made of."""
    if attrs.has(kind):
        return [field.alias or field.name for field in attrs.fields(kind) if field.init]
    if hasattr(kind, "_fields"):
        return list(kind._fields)
    return parameters(kind.__init__) if "__init__" in vars(kind) else []


def parameters(function: Any) -> list[str]:
    """The names of parameters, those of keyword arguments that a `TypedDict` lists included."""
    found: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if keywords := re.fullmatch(r"Unpack\[(\w+)\]", str(parameter.annotation)):
            found += getattr(options, keywords[1]).__annotations__
        elif name not in ("self", "cls"):
            found.append(name)
    return found


def documented() -> Iterator[tuple[str, Any, list[str]]]:
    """The public functions, classes and methods of many names: path, value and names."""
    for module in (
        puzzlekit,
        puzzlekit_authoring,
        puzzlekit_beam,
        puzzlekit_lab,
        puzzlekit_twophase,
    ):
        for name in module.__all__:
            value = getattr(module, name)
            found = [(name, value)] if callable(value) else []
            if inspect.isclass(value):
                own = ((each, getattr(it, "__func__", it)) for each, it in vars(value).items())
                found += [(f"{name}.{each}", it) for each, it in own if not each.startswith("_")]
            for path, each in found:
                if inspect.isclass(each) or inspect.isfunction(each):
                    names = fields(each) if inspect.isclass(each) else parameters(each)
                    if len(names) > MOST:
                        yield f"{module.__name__}.{path}", each, names


def commented(kind: type) -> set[str]:
    """The fields of a class and of its bases that have a comment, or a text in their type."""
    ours = [each for each in kind.__mro__ if each.__module__.startswith("puzzlekit")]
    text = "\n".join(map(inspect.getsource, ours))
    found = re.findall(r"^ +#: .*\n(?: +#:.*\n)* +(\w+)[ :]", text, re.MULTILINE)
    return set(found) | set(re.findall(r"^ +(\w+): Annotated\[[^=]*?\"", text, re.MULTILINE))


def listed(text: str) -> set[str]:
    """The names below "Parameters", and those that begin items, in a docstring."""
    _, _, section = text.partition("Parameters\n----------\n")
    section = re.split(r"^\w+\n-+\n", section, flags=re.MULTILINE)[0]
    lines = re.findall(r"^([\w*][^\n:]*)", section, re.MULTILINE)
    items = re.findall(r"^- `(\w+)`:", text, re.MULTILINE)
    return {name for line in [*lines, *items] for name in re.findall(r"\w+", line)}


def missing(value: Any, names: list[str]) -> list[str]:
    """The names that nothing is written of.

    A docstring may name a method or a record with the same parameters, and the others in its text.
    """
    text = inspect.getdoc(value) or ""
    said = listed(text) | (commented(value) if inspect.isclass(value) else set())
    if found := re.search(r"(?i:parameters)\b[^.]*\bof\s`(\w+)`", text):
        other = getattr(puzzlekit.Solver, found[1], None) or getattr(puzzlekit, found[1])
        said |= listed(inspect.getdoc(other) or "") | set(re.findall(r"`(\w+)`", text))
        said |= commented(other) if inspect.isclass(other) else set()
    return [name for name in names if name not in said]


DOCUMENTED = {path: (value, names) for path, value, names in documented()}


def test_there_are_some() -> None:
    assert {"puzzlekit.Puzzle", "puzzlekit.Solver.solve", "puzzlekit_lab.find"} <= set(DOCUMENTED)


@pytest.mark.parametrize("path", sorted(DOCUMENTED))
def test_each_parameter_is_documented(path: str) -> None:
    assert not missing(*DOCUMENTED[path])
