"""Metrics for robots and hands: machines that do several moves at once, and the effort of fingers.

>>> import puzzlekit
>>> from puzzlekit_robots import Machine
>>> cube = puzzlekit.load("cube2")
>>> machine = Machine(name="M", title="two pairs of arms", arms=(("R", "L"), ("F", "B")))
>>> [" + ".join(moves) for moves, cost in cube.solve("R U F2", metric=machine).steps]
['F + B', "R'", "F'"]
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlekit import MetricReader, hookimpl

if TYPE_CHECKING:
    from puzzlekit_robots.files import parse_hands as parse_hands
    from puzzlekit_robots.files import parse_machine as parse_machine
    from puzzlekit_robots.files import read_hands as read_hands
    from puzzlekit_robots.files import read_machine as read_machine
    from puzzlekit_robots.hands import Hands as Hands
    from puzzlekit_robots.hands import Way as Way
    from puzzlekit_robots.machine import Machine as Machine

puzzlekit_api = 2

__all__ = [
    "Hands",
    "Machine",
    "Way",
    "parse_hands",
    "parse_machine",
    "read_hands",
    "read_machine",
]

_HOME = {"Hands": "hands", "Machine": "machine", "Way": "hands"}


@hookimpl
def puzzlekit_metrics() -> Iterator[MetricReader]:
    """Read machines and hands from TOML files."""
    yield MetricReader("robots", (".toml",), "puzzlekit_robots.files:read_metric")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME.get(name, 'files')}"), name)
    globals()[name] = value
    return value
