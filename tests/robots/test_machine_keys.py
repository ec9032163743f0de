"""Tables of machines depend on nothing that does not change them, and impossible states on none."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner
from resolving import resolve

import puzzlekit
import puzzlekit_robots
from puzzlekit import Solver, UsageError
from puzzlekit.cli import main
from puzzlekit.search.options import SearchOptions, table_keys
from puzzlekit.tables.store import TableStore
from puzzlekit_robots import Machine

MACHINE = """
arms = [["R", "L"], ["F", "B"], ["U", "D"]]
[cost]
half = 2
grip = 1
"""
FOUR = 'arms = [["R", "L"], ["F", "B"]]'


def files(puzzle: str, metric: str | Machine) -> set[str]:
    """The files of the tables of a metric, the same whichever tables are there already."""
    solver = puzzlekit.load(puzzle)
    profile = "small" if puzzle == "cube3" else None
    choice = solver.choose(SearchOptions(metric=metric, profile=profile))
    return {key.filename for key in table_keys(choice)}


def machine(name: str = "own", **costs: int) -> Machine:
    """The machine with other costs."""
    lines = "".join(f"{key} = {value}\n" for key, value in costs.items())
    kept = "".join(
        f"{line}\n" for line in MACHINE.splitlines() if line.split(" = ")[0] not in costs
    )
    return puzzlekit_robots.parse_machine(kept + lines, name=name)


@pytest.mark.parametrize("puzzle", ["cube2", "cube3"])
def test_a_machine_of_another_name_takes_the_same_tables(puzzle: str) -> None:
    assert files(puzzle, machine()) == files(puzzle, machine("other"))


def test_twice_the_costs_take_the_same_tables() -> None:
    assert files("cube2", machine()) == files("cube2", machine(half=4, quarter=2, grip=2))


def test_other_costs_take_the_same_classes() -> None:
    """Only distances depend on costs: symmetries of the cube never carry a half to a quarter."""
    one, other = files("cube3", machine()), files("cube3", machine(half=4, grip=0))
    assert one != other
    changed = one ^ other
    assert changed and all("-distance-" in name for name in changed)


def test_what_is_only_dearer_after_another_step_takes_the_same_tables_of_cube3() -> None:
    assert files("cube3", machine()) == files("cube3", machine(change=1))


def test_metrics_that_symmetries_cannot_tell_apart_share_classes() -> None:
    hand, quarter = files("cube3", "HTM"), files("cube3", "QTM")
    assert all("-distance-" in name for name in hand ^ quarter)
    assert any("classes" in name for name in hand & quarter)


def test_costs_that_break_symmetries_have_classes_of_their_own() -> None:
    from puzzlekit.tables.classes import SymNeeds

    solver = puzzlekit.load("cube3")
    phase = solver.method().phases[0]
    needs = resolve(solver.puzzle, phase, solver.metric())
    (sym,) = (each.sym for each in needs.runners if each.sym is not None)

    def identity(**dear: int) -> str:
        costs = [dear.get(move.name, 1) for move in needs.moves]
        return SymNeeds(sym.coordinate, sym.partners, sym.moves, costs, sym.goal_moves).identity

    names = {move.name for move in needs.moves}
    halves = {name: 2 for name in names if name.endswith("2")}
    assert identity() == identity(**halves) == identity(**dict.fromkeys(names, 3))
    assert identity(R=2) != identity()
    assert identity(R=2) != identity(L=2)
    assert identity(R=3) == identity(R=2)


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_state_that_a_machine_cannot_solve_is_told_before_any_table_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "four.toml").write_text(FOUR)
    arguments = ("solve", "-p", "cube3", "R U F2", "--metric", str(tmp_path / "four.toml"), *more)
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == 1
    words = 'these arms cannot flip edges; add U or D, or `whole = ["x"]`'
    assert found.stderr == f"error: the machine four cannot solve this: {words}\n"
    assert not list((tmp_path / "cache").rglob("*.*"))


@pytest.mark.parametrize(
    ("machine", "told"),
    [
        ('arms = [["D"]]\nwhole = ["x"]\ncost = {each = {D2 = 3}}', "add R or F or L or B"),
        ('arms = [["R", "L"]]\nturns = ["2"]', "its moves reach 1 of the 2,187 values"),
        ('arms = [["D"]]\nwhole = ["y"]', '`whole = ["y", "x"]`'),
    ],
)
def test_the_advice_for_a_machine_is_what_it_can_do(machine: str, told: str) -> None:
    """With other rotations, a table that only makes half turns still twists no corners."""
    with pytest.raises(puzzlekit.NoSolutionError) as caught:
        puzzlekit.load("cube3").solve("R U F2", metric=puzzlekit_robots.parse_machine(machine))
    assert str(caught.value).endswith(told) or f": {told}" in str(caught.value)


def test_the_library_tells_it_too(tmp_path: Path) -> None:
    cube = puzzlekit.load("cube3")
    solver = Solver(cube.puzzle, cube.methods, TableStore(tmp_path))
    four = puzzlekit_robots.parse_machine(FOUR, name="four")
    with pytest.raises(puzzlekit.NoSolutionError, match="cannot solve this"):
        solver.solve("U", metric=four)
    with pytest.raises(puzzlekit.NoSolutionError, match="cannot solve this"):
        solver.check_reach(solver.state("U"), solver.choose(SearchOptions(metric=four)))
    solver.check_reach(solver.state("R F2 L"), solver.choose(SearchOptions(metric=four)))
    solver.check_reach(solver.state("U"), solver.choose())
    assert not list(tmp_path.rglob("*.*"))


def test_a_machine_without_any_move_of_a_method_is_refused_as_before() -> None:
    cube = puzzlekit.load("cube2")
    moved = attrs.evolve(
        cube.methods[0],
        phases=tuple(attrs.evolve(phase, moves="R") for phase in cube.methods[0].phases),
    )
    solver = Solver(cube.puzzle, [moved])
    four = puzzlekit_robots.parse_machine('arms = [["F"]]', name="front")
    with pytest.raises(UsageError, match="can make none of the moves"):
        solver.solve("F", metric=four)
