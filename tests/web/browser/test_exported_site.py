"""An exported site: solving without a server, faults, stopping, a visit without a network."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import exported
import pytest
from click.testing import CliRunner
from documents import ROOT
from page import Page, expect

import puzzlekit
from puzzlekit.cli import main

pytestmark = pytest.mark.long  # Pyodide has to start, and its engine is not compiled

LOADED = 60_000  # ms
# Waits until the first visit has left bytecode.
COMPILED = """async () => {
  for (;;) {
    for (const name of await caches.keys()) {
      const kept = name.startsWith("puzzlekit bytecode") && (await caches.open(name));
      if (kept && (await kept.keys()).length === 2) return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with three puzzles."""
    directory = tmp_path_factory.mktemp("exported") / "site"
    options = ["--export", str(directory), "--pyodide", exported.pyodide()]
    named = [f"--puzzle={name}" for name in ("cube2", "cube3", "skewb")]
    done = CliRunner().invoke(main, ["serve", *options, *named])
    assert done.exit_code == 0, done.output
    return directory


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the files of the site are served."""
    with exported.static_server(site) as address:
        yield address


def loaded(page: Page) -> None:
    """Wait until Python and the tables are there."""
    expect(page.status()).not_to_have_text("\xa0", timeout=LOADED)
    expect(page.tab.locator("#preparing")).to_be_hidden(timeout=LOADED)


@pytest.mark.parametrize(("name", "optimal"), [("cube2", True), ("cube3", False), ("skewb", True)])
def test_a_random_state_is_solved(page: Page, name: str, optimal: bool) -> None:
    solver = puzzlekit.load(name)
    page.choose(solver.puzzle.title)
    loaded(page)
    page.button("Random").click()
    expect(page.status()).to_have_text("ready to solve", timeout=LOADED)
    expect(page.region("Solve").get_by_role("status", name="Search")).to_have_text("")
    start = page.painted()
    page.solve()
    moves = page.moves.all_inner_texts()
    told = "the shortest possible" if optimal else "a shorter one may exist"
    expect(page.region("Solution")).to_contain_text(told)
    page.button("Last").click()
    page.see_it_solved()
    scheme = "western" if name.startswith("cube") else None
    state = solver.positions.from_facelets(start, scheme=scheme)
    assert solver.puzzle.is_solved(solver.puzzle.apply(state, solver.puzzle.moves(" ".join(moves))))
    if optimal:
        assert len(moves) == solver.solve(state).length


def test_faults_are_named(page: Page) -> None:
    page.button("Solved").click()
    page.paint({"U8": "green", "F2": "white"})
    expect(page.faults.first).to_contain_text("edge UF is flipped", timeout=LOADED)
    page.repairs.first.click()
    expect(page.status()).to_have_text("solved")


def test_a_scramble_is_read_and_moves_are_verified(page: Page) -> None:
    page.choose("2x2x2 cube")
    loaded(page)
    page.read("R U R' U'")
    page.verify("U R U' R'")
    expect(page.status("Verified")).to_contain_text("Solved after 4 moves")


def test_the_whole_site(
    tmp_path_factory: pytest.TempPathFactory, browser: Any, window: dict[str, Any]
) -> None:
    """As the workflow makes and deploys it: the documentation, and the page below it."""
    pytest.importorskip("sphinx")
    whole = tmp_path_factory.mktemp("whole") / "site"
    command = ["bash", str(ROOT / "packaging" / "site.sh"), str(whole), exported.pyodide()]
    environment = os.environ | {"PYTHON": sys.executable}
    subprocess.run([*command, "--puzzle=cube2"], env=environment, check=True, capture_output=True)
    assert (whole / ".nojekyll").exists()
    context = browser.new_context(**window)
    with exported.static_server(whole) as address:
        page = Page(context.new_page(), address)
        page.tab.goto(address)
        expect(page.tab.get_by_role("heading", name="puzzlekit", level=1)).to_be_visible()
        page.tab.get_by_role("link", name="Plugins of others").first.click()
        expect(page.tab.get_by_role("cell", name="puzzlekit-rows")).to_be_visible()
        page.open(f"{address}solve/")
        loaded(page)
        page.read("R U F2")
        page.solve()
        assert page.moves.all_inner_texts() == ["F2", "U'", "R'"]
    assert not page.complaints
    context.close()


def test_a_visit_without_a_network(browser: Any, site: Path, window: dict[str, Any]) -> None:
    context = browser.new_context(**window)
    with exported.static_server(site) as address:
        page = Page(context.new_page(), address)
        page.open(address)
        loaded(page)
        page.outcome("() => navigator.serviceWorker.ready.then(() => true)")
        page.outcome(COMPILED)
    # Its server has ended now.
    page.tab.reload()
    loaded(page)
    page.read("R U F2")
    page.solve()
    page.button("Last").click()
    page.see_it_solved()
    assert not page.complaints
    context.close()
