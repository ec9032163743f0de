"""How things show themselves: plain reprs, HTML and SVG for notebooks, data frames, 3D replays."""

from __future__ import annotations

import json
import pickle
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import attrs
import pytest
from documents import ROOT

import puzzlekit
import puzzlekit_lab
from puzzlekit import Solver, UsageError
from puzzlekit_lab import Case, Comparison, Experiment, summarise
from puzzlekit_web import player as player_module

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def html(shown: Any) -> str:
    """The HTML that a notebook is given, which has to be well formed, pictures included."""
    text: str = shown._repr_html_()
    Balanced().check(text)
    return text


class Balanced(HTMLParser):
    """Sees that each element is closed."""

    def check(self, text: str) -> None:
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_solver_says_what_it_solves() -> None:
    cube = puzzlekit.load("cube2")
    assert repr(cube) == "<Solver of cube2: 2x2x2 cube; methods optimal, small-tables>"
    shown = html(cube)
    assert "<svg" in shown and "shortest answers from one exact table" in shown
    assert "<svg" in html(puzzlekit.load("eight"))


def test_a_solver_without_methods_can_be_shown() -> None:
    solver = Solver(puzzlekit.load("cube2").puzzle, lambda: ())
    assert repr(solver) == "<Solver of cube2: 2x2x2 cube>"
    assert "cube2 has no method" in html(solver)


def test_a_puzzle_without_a_net_is_shown_in_words() -> None:
    cube = puzzlekit.load("cube2")
    bare = Solver(attrs.evolve(cube.puzzle, layout=None), cube.methods, cube.store)
    assert "<svg" not in html(bare) and "<svg" not in html(bare.solve("R"))


def test_a_position_is_a_picture() -> None:
    picture = puzzlekit.load("cube2").svg("R U")
    ET.fromstring(picture._repr_svg_())
    assert picture._repr_svg_() == picture


@pytest.mark.parametrize(("name", "scramble"), [("cube2", "R U F2"), ("eight", "L U L")])
def test_a_solution_shows_its_state_and_its_moves(name: str, scramble: str) -> None:
    solution = puzzlekit.load(name).solve(scramble)
    shown = html(solution)
    assert f"<strong>{solution}</strong>".replace("'", "&#x27;") in shown and "<svg" in shown
    assert ("twizzle" in shown) == (name == "cube2")


def test_a_pickled_solution_shows_what_it_knows() -> None:
    solution = puzzlekit.load("cube2").solve("R U F2")
    copy = pickle.loads(pickle.dumps(solution))
    assert copy == solution and copy.declared is None
    assert "solve" in html(copy) and "<svg" not in html(copy)
    assert copy.links() == {}


@pytest.mark.parametrize("scramble", ["R U F2", "R U F2 x y'", "y"])
def test_links_of_a_solution_begin_with_its_state(scramble: str) -> None:
    cube = puzzlekit.load("cube2")
    solution = cube.solve(scramble)
    for address in solution.links().values():
        assert cube.state(address) == solution.state


@pytest.mark.slow
def test_a_distribution_shows_a_table_and_bars() -> None:
    found = puzzlekit_lab.distribution(puzzlekit.load("cube2"), moves="U F2", classes=True)
    assert repr(found) == (
        "<Distribution of cube2, optimal, phase solve: 120 states, at most 10 HTM, mean 5.51>"
    )
    shown = html(found)
    assert "<svg" in shown and "<table" in shown
    pytest.importorskip("pandas")
    frame = found.to_frame()
    assert list(frame.columns) == ["distance", "states", "share", "classes"]
    assert tuple(frame.states) == found.states and frame.share.sum() == pytest.approx(1)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    case = Case(puzzlekit.load("cube2"))
    return Comparison(Experiment([case], ["max", "sum"], count=3, max_nodes=10**5))


@pytest.mark.slow
def test_a_comparison_says_how_far_it_is(comparison: Comparison) -> None:
    assert repr(comparison) == ("<Comparison of cube2 small-tables, HTM: max, sum; 0 runs, 6 left>")
    html(comparison)
    next(comparison.run())
    assert repr(comparison).endswith("1 runs, 5 left>")


@pytest.mark.slow
def test_a_comparison_shows_tables_and_plots(comparison: Comparison) -> None:
    for _ in comparison.run():
        pass
    shown = html(comparison)
    assert "Nodes against nodes" in shown and "<svg" in shown
    pytest.importorskip("pandas")
    frame = comparison.to_frame()
    assert list(frame.heuristic) == ["max", "sum"]
    rows = summarise(comparison.records).rows
    assert [row.cost.value for row in rows if row.cost] == list(frame.cost)
    assert {"cost_low", "cost_high"} <= {*frame.columns}


def test_phases_as_a_frame() -> None:
    pytest.importorskip("pandas")
    solution = puzzlekit.load("cube3").solve("R U F2 D L B", max_length=22)
    frame = solution.to_frame()
    assert tuple(" ".join(frame.moves).split()) == solution.moves
    assert list(frame.phase) == [phase.name for phase in solution.phases]


def test_without_pandas_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="pip install pandas"):
        puzzlekit.load("cube2").solve("R").to_frame()


def test_a_replay_holds_all_that_it_needs() -> None:
    cube = puzzlekit.load("cube2")
    solution = cube.solve("R U x")
    player = player_module.player(solution)
    assert repr(player) == f"<Player of cube2: {solution}>"
    assert player.replay["moves"] == list(solution.moves)
    first, *_, last = player.replay["frames"]
    assert len(player.replay["frames"]) == len(solution.moves) + 1
    assert first != last and all(len({*last[4 * i : 4 * i + 4]}) == 1 for i in range(6))
    page = player.page()
    assert "https://" not in page and "import " not in page and "export " not in page
    assert len(page) < 100_000
    assert json.dumps(player.replay["moves"]) in page
    assert "<iframe" in html(player)
    with pytest.raises(UsageError, match="eight has no 3D view"):
        player_module.player(puzzlekit.load("eight").solve("L"))


def test_there_are_notebooks_without_outputs() -> None:
    assert len(NOTEBOOKS) == 2
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text())["cells"]:
            assert cell.get("outputs", []) == [] and cell.get("execution_count") is None


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_pictures(path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300).execute()
    shown = [
        output["data"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "data" in output
    ]
    # Each cell that is not a data frame or a message shows a picture.
    pictures = [data for data in shown if "image/svg+xml" in data]
    pages = [data["text/html"] for data in shown if "<svg" in data.get("text/html", "")]
    assert pictures and pages and len(pictures) + len(pages) >= 3
    for data in pictures:
        assert ET.fromstring(data["image/svg+xml"]).tag.endswith("svg")
    assert not [data for data in shown if " object at 0x" in data["text/plain"]]
