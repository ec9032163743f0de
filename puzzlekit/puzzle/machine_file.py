"""Machines that users describe in TOML files.

    name = "my robot"
    arms = [["R", "L"], ["F", "B"]]   # arms of one list can turn at once
    turns = ["'", "2"]                # how far an arm can turn (default: any turn)
    again = false                     # whether the same list can turn in two steps in a row
    without = ["R2 + L2"]             # steps that the machine cannot do
    whole = ["x", "y"]                # rotations of the whole puzzle

    [cost]
    quarter = 1                       # cost of turning an arm by its base move
    half = 2                          # cost of turning an arm by two base moves
    grip = 1                          # additional cost of every step
    change = 0                        # additional cost if the step before used another list
    whole = 2                         # cost of turning the whole puzzle

All keys except `arms` are optional.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.machine import Machine
from puzzlekit.puzzle.toml_file import check_keys, toml_table, toml_text

_KEYS = ("name", "title", "arms", "turns", "again", "without", "whole", "cost")
_COSTS = {"quarter": 1, "half": 1, "grip": 0, "change": 0, "whole": 1}


def read_machine(path: str | Path) -> Machine:
    """Return the machine that a TOML file describes.

    Raises UsageError if the file cannot be read or does not describe a machine.
    """
    path = Path(path)
    return parse_machine(toml_text(path, "a machine"), str(path), path.stem)


def parse_machine(text: str, source: str = "machine", name: str = "machine") -> Machine:
    """Return the machine that a string in TOML describes.

    `source` is the name of the file in messages. `name` is the name of the machine if the string
    has none. Raises UsageError if the string does not describe a machine.

    >>> robot = parse_machine('''
    ... arms = [["R", "L"], ["F", "B"]]
    ... turns = ["'", "2"]
    ... [cost]
    ... half = 2
    ... grip = 1
    ... ''')
    >>> robot.amounts, robot.turns, robot.grip
    ((-1, 2), {1: 1, 2: 2}, 1)
    """
    found = toml_table(text, source)
    check_keys(found, _KEYS, source)
    if "arms" not in found:
        raise UsageError(f'{source}: "arms" is missing: add lists such as [["R", "L"], ["F", "B"]]')
    cost = found.get("cost", {})
    if not isinstance(cost, dict):
        raise UsageError(f"{source}: [cost] must be a table of whole numbers")
    check_keys(cost, _COSTS, f"{source}: [cost]")
    for key, value in cost.items():
        if type(value) is not int:
            raise UsageError(f"{source}: [cost] {key} is {value!r}, not a whole number")
    prices = {**_COSTS, **cost}
    again = found.get("again", True)
    if type(again) is not bool:
        raise UsageError(f'{source}: "again" is true or false, not {again!r}')
    arms = found["arms"]
    if not isinstance(arms, list) or not all(isinstance(group, list) for group in arms):
        raise UsageError(
            f'{source}: "arms" must be a list of lists, such as [["R", "L"], ["F", "B"]]'
        )
    try:
        return Machine(
            name=_text(found, "name", name, source),
            title=_text(found, "title", "a machine from a file", source),
            arms=tuple(_texts(group, "arms", source) for group in arms),
            amounts=tuple(_amount(each, source) for each in _listed(found, "turns", source)),
            turns={1: prices["quarter"], 2: prices["half"]},
            grip=prices["grip"],
            change=prices["change"],
            again=again,
            without=_listed(found, "without", source),
            rotations=_listed(found, "whole", source),
            whole=prices["whole"],
        )
    except DeclarationError as error:
        raise UsageError(f"{source}: {error}") from None


def _text(found: Mapping[str, Any], key: str, usual: str, source: str) -> str:
    value = found.get(key, usual)
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise UsageError(f'{source}: "{key}" has to be a string of one line, not {value!r}')
    return value


def _listed(found: Mapping[str, Any], key: str, source: str) -> tuple[str, ...]:
    return _texts(found.get(key, []), key, source)


def _texts(value: object, key: str, source: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError(f'{source}: "{key}" has to be a list of strings, not {value!r}')
    return tuple(value)


def _amount(text: str, source: str) -> int:
    """Return the amount of a turn, read from the suffix of a move."""
    read = re.fullmatch(r"(\d{0,2})('?)", text)
    if read is None or read[1] == "0":
        raise UsageError(f"""{source}: "turns" lists "", "'" or "2", not {text!r}""")
    return int(read[1] or 1) * (-1 if read[2] else 1)
