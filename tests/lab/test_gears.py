"""The Gear Cube of `examples/gears`, which was written from the documentation alone."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest

from puzzlekit import Solver, TableStore
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.random_states import random_state
from puzzlekit_lab import distribution

MODULE = Path(__file__).parents[2] / "examples" / "gears" / "puzzlekit_gears.py"


@pytest.fixture(scope="module")
def gears() -> Solver:
    spec = spec_from_file_location("puzzlekit_gears", MODULE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    made = module.puzzle()
    return Solver(made, module.methods(made), TableStore(None))


def test_states_and_the_farthest(gears: Solver) -> None:
    # Jaap Scherphuis counts 41,472 positions, the farthest 12 half turns away.
    found = distribution(gears)
    assert (found.total, found.diameter) == (41_472, 12)
    assert distribution(gears, metric="TURNS").diameter == 6


def test_random_states_are_solved(gears: Solver) -> None:
    rng = Random(1)
    for _ in range(20):
        state = random_state(gears.puzzle, rng)
        assert not diagnose(gears.puzzle, state) and gears.solve(state).optimal
