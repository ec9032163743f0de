"""The page as a person uses it: by what is read on it, or read aloud."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

_sync_api = pytest.importorskip(
    "playwright.sync_api", reason="needs permutation-puzzlekit[browser]"
)
expect = _sync_api.expect
expect.set_options(timeout=15_000)

# Chromium tells the console of every answer that is no success. These are in order: the page says
# in words what is wrong with an input, or that too many searches are under way.
REFUSED = re.compile(r"Failed to load resource: .* status of (422|503)")
WESTERN = {"U": "white", "R": "red", "F": "green", "D": "yellow", "L": "orange", "B": "blue"}
JAPANESE = {**WESTERN, "D": "blue", "B": "yellow"}
STICKERS = {
    "2x2x2 cube": 24,
    "3x3x3 cube": 54,
    "4x4x4 cube": 96,
    "Pyraminx": 36,
    "Skewb": 30,
}
# Puzzles whose plugin draws the net.
DRAWN = {"Ivy Cube": 18, "Megaminx": 132, "3x3x3 supercube": 72}
# The stickers of a net by the numbers of their facelets.
LETTERS = """net => [...net.querySelectorAll('[data-facelet]')]
    .sort((a, b) => a.dataset.facelet - b.dataset.facelet)
    .map(each => each.querySelector('.symbol').textContent || '?').join('')"""

# Where an element is, once ten frames have passed in which it did not move.
STILL = """element => new Promise(resolve => {
    let before = '', frames = 0;
    const look = () => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const now = JSON.stringify({ x, y, width, height });
        frames = now === before ? frames + 1 : 0;
        before = now;
        frames < 10 ? requestAnimationFrame(look) : resolve(now);
    };
    look();
})"""

# Leaves in the window what an asynchronous function comes to.
OUTCOME = """argument => {
    window.outcome = null;
    (SCRIPT)(argument).then(
        value => { window.outcome = { value }; },
        error => { window.outcome = { error: `${error}` }; },
    );
}"""


def by_name(facelets: str, words: Mapping[str, str] = WESTERN) -> dict[str, str]:
    """Colours in words by the names of the stickers, of a cube's facelets as face letters."""
    each = len(facelets) // 6
    return {
        f"{'URFDLB'[i // each]}{i % each + 1}": words[letter] for i, letter in enumerate(facelets)
    }


class Page:
    """A tab with the page in it.

    `complaints` has what its console calls an error, and requests to other hosts.
    """

    def __init__(self, tab: Any, address: str) -> None:
        self.tab = tab
        self.address = address
        self.complaints: list[str] = []
        tab.on("console", self._hear)
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", self._watch)

    def _hear(self, message: Any) -> None:
        if message.type == "error" and not REFUSED.match(message.text):
            self.complaints.append(message.text)

    def _watch(self, request: Any) -> None:
        elsewhere = urlsplit(request.url).netloc != urlsplit(self.address).netloc
        if elsewhere and not request.url.startswith(("blob:", "data:")):
            self.complaints.append(f"a request to {request.url}")

    def outcome(self, script: str, argument: Any = None) -> Any:
        """What an asynchronous function returns, waited for as long as for everything else.

        It is left in the window and looked for there. Of a promise that Playwright waits for, the
        browser may say instead that it was garbage collected.
        """
        self.tab.evaluate(OUTCOME.replace("SCRIPT", script), argument)
        outcome = self.tab.wait_for_function("() => window.outcome").json_value()
        assert "error" not in outcome, outcome["error"]
        return outcome.get("value")

    def still(self, element: Any) -> dict[str, float]:
        """Where an element is, once it has come to rest."""
        return dict(json.loads(element.evaluate(STILL)))

    # --- what is on it ---------------------------------------------------------------------------

    def region(self, name: str) -> Any:
        """A part of the page."""
        return self.tab.get_by_role("region", name=name, exact=True)

    def button(self, name: str) -> Any:
        """A button."""
        return self.tab.get_by_role("button", name=name, exact=True)

    def select(self, name: str) -> Any:
        """A list to choose from."""
        return self.tab.get_by_role("combobox", name=name, exact=True)

    def field(self, name: str) -> Any:
        """A field to type in."""
        return self.tab.get_by_label(name, exact=True)

    def status(self, name: str = "Status") -> Any:
        """What is read aloud when something has happened."""
        return self.tab.get_by_role("status", name=name, exact=True)

    @property
    def faults(self) -> Any:
        """What is said to be wrong, line by line."""
        return self.tab.get_by_role("list", name="Faults").get_by_role("listitem")

    @property
    def repairs(self) -> Any:
        """The buttons that make repairs."""
        return self.tab.get_by_role("button", name=re.compile("^Apply: "))

    @property
    def net(self) -> Any:
        """The net to paint."""
        return self.tab.get_by_role("grid")

    @property
    def replay(self) -> Any:
        """The net on which the solution is replayed."""
        return self.tab.get_by_role("img", name="Net of the solution")

    @property
    def moves(self) -> Any:
        """The moves of the solution."""
        return self.region("Solution").locator("#moves").get_by_role("button")

    @property
    def current(self) -> Any:
        """The move that has just been made."""
        return self.region("Solution").locator("[aria-current=step]")

    def sticker(self, name: str) -> Any:
        """A sticker of the net to paint, as "U1"."""
        return self.net.get_by_role("gridcell", name=re.compile(rf"^{name} "))

    def marked(self) -> set[str]:
        """The names of the stickers that are marked as faulty."""
        names = self.net.locator(".faulty").evaluate_all(
            "all => all.map(each => each.getAttribute('aria-label').split(' ')[0])"
        )
        return set(names)

    def painted(self) -> str:
        """The letters on the net to paint, in the order of the facelets."""
        return str(self.net.evaluate(LETTERS))

    def shows(self, letters: str) -> None:
        """Wait until the net to paint shows these letters."""
        condition = f"([net, letters]) => ({LETTERS})(net) === letters"
        with suppress(_sync_api.TimeoutError):
            self.tab.wait_for_function(condition, arg=[self.net.element_handle(), letters])
        assert self.painted() == letters

    def replayed(self) -> str:
        """The letters on the net of the solution."""
        return str(self.replay.evaluate(LETTERS))

    # --- what one does with it -------------------------------------------------------------------

    def open(self, url: str) -> None:
        """Open an address, and wait until the puzzle is there."""
        self.tab.goto(url)
        expect(self.sticker("U1")).to_be_visible()

    def choose(self, puzzle: str) -> None:
        """Choose a puzzle, as "2x2x2 cube", and wait for its net."""
        expect(self.net.get_by_role("gridcell").first).to_be_visible()  # so the list is up to date
        chosen = self.select("Puzzle").locator("option:checked")
        # Choosing the puzzle on show would load it again, without a sign of when that is done.
        if chosen.text_content() != puzzle:
            self.select("Puzzle").select_option(puzzle)
        expect(self.net.get_by_role("gridcell")).to_have_count({**STICKERS, **DRAWN}[puzzle])

    def pick(self, colour: str) -> None:
        """Choose the colour to paint with, in words."""
        self.tab.get_by_role("radio", name=colour, exact=True).check(force=True)

    def paint(self, colours: Mapping[str, str]) -> None:
        """Paint stickers, by their names; all of one colour after the other."""
        for word in dict.fromkeys(colours.values()):
            self.pick(word)
            for name in (each for each, own in colours.items() if own == word):
                self.sticker(name).click()

    def unfold(self, name: str) -> None:
        """Open a fold, as "Advanced", unless it is open."""
        fold = self.tab.locator("details").filter(has=self.tab.locator("summary", has_text=name))
        if fold.get_attribute("open") is None:
            fold.locator("summary").click()

    def set(self, name: str, value: str) -> None:
        """Choose in one of the advanced lists."""
        self.unfold("Advanced")
        self.select(name).select_option(value)

    def verify(self, moves: str) -> None:
        """Have moves of one's own checked."""
        self.unfold("Try your own moves")
        self.field("Your moves").fill(moves)
        self.button("Verify").click()

    def read(self, text: str) -> None:
        """Type a scramble or stickers, have them read, and wait for what is said of them."""
        field = self.tab.locator("#read-text")  # its name depends on the puzzle
        field.fill(text)
        field.press("Enter")
        expect(self.tab.locator("#read-answer p").first).to_be_visible()

    def solve(self, seconds: float | None = None) -> None:
        """Solve with a time limit, and wait until the search has ended."""
        if seconds is not None:
            self.unfold("Advanced")
            self.field("Time limit in seconds").fill(str(seconds))
        self.button("Solve").click()
        self.solved()

    def solved(self) -> None:
        """Wait until a search has ended with an answer, which may need tables."""
        expect(self.moves.first).to_be_visible(timeout=120_000)
        expect(self.button("Stop")).to_be_hidden(timeout=60_000)

    def step_through(self) -> list[str]:
        """Press Next until the end; the move that is current after each step."""
        names = []
        for move in self.moves.all():
            self.button("Next").click()
            expect(move).to_have_attribute("aria-current", "step")
            names.append(self.current.inner_text())
        expect(self.button("Next")).to_be_disabled()
        return names

    def see_it_solved(self) -> None:
        """The replay is at its end, and solved, in whatever holding."""
        expect(self.region("Solution")).to_contain_text(re.compile(r"\bsolved$", re.MULTILINE))
        letters = self.replayed()
        each = len(letters) // len(set(letters))
        faces: Iterable[str] = (letters[i : i + each] for i in range(0, len(letters), each))
        assert all(len(set(face)) == 1 for face in faces), letters
