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
from typing import TYPE_CHECKING

from puzzlekit import hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import MetricReader

if TYPE_CHECKING:
    from puzzlekit_robots.files import parse_hands as parse_hands
    from puzzlekit_robots.files import parse_machine as parse_machine
    from puzzlekit_robots.files import read_hands as read_hands
    from puzzlekit_robots.files import read_machine as read_machine
    from puzzlekit_robots.hands import Hands as Hands
    from puzzlekit_robots.hands import Way as Way
    from puzzlekit_robots.machine import FLIP_SPIN as FLIP_SPIN
    from puzzlekit_robots.machine import Machine as Machine

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".files": "parse_hands parse_machine read_hands read_machine",
        ".hands": "Hands Way",
        ".machine": "FLIP_SPIN Machine",
    },
)


@hookimpl
def puzzlekit_metrics() -> Iterator[MetricReader]:
    """Read machines and hands from TOML files."""
    yield MetricReader("robots", (".toml",), "puzzlekit_robots.files:read_metric")
