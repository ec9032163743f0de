"""The texts of the page: every language has all of them, and nothing else has any."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import puzzlekit
from puzzlekit_web import PAGE
from puzzlekit_web.records import puzzles_shown

SOURCES = {path.name: path.read_text("utf-8") for path in sorted(PAGE.glob("*.js"))}
LANGUAGES = re.findall(r'"(\w+)"', re.search(r"LANGUAGES = \[(.*)\]", SOURCES["texts.js"])[1])  # type: ignore[index]
FILES: dict[str, Any] = {
    code: json.loads((PAGE / "texts" / f"{code}.json").read_text("utf-8")) for code in LANGUAGES
}
ENGLISH = FILES["en"]["texts"]


def places(text: str | dict[str, str]) -> set[str]:
    """The names of the values in a text, or in any of its forms."""
    return set(
        re.findall(r"\{(\w+)\+?\}", text if isinstance(text, str) else str([*text.values()]))
    )


def test_every_file_is_a_language() -> None:
    assert {path.stem for path in (PAGE / "texts").iterdir()} == set(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_has_every_text(code: str) -> None:
    texts, said = FILES[code]["texts"], FILES[code]["said"]
    assert texts.keys() == ENGLISH.keys()
    for key, text in texts.items():
        assert text and places(text) == places(ENGLISH[key]), key
        assert isinstance(text, str) == isinstance(ENGLISH[key], str), key
        assert isinstance(text, str) or "other" in text, key
    known = FILES["de"]["said"].keys()  # English needs no translations
    assert said.keys() == (set() if code == "en" else known)
    for sentence, meaning in said.items():
        assert meaning and places(meaning) <= places(sentence), sentence


WORDY = [name for name in puzzles_shown() if puzzlekit.load(name).puzzle.move_words]


def test_every_puzzle_without_stickers_has_words_for_its_moves() -> None:
    assert {"clock", "eight", "fifteen", "square1"} <= set(WORDY)
    for name in puzzles_shown():
        puzzle = puzzlekit.load(name).puzzle
        assert puzzle.layout is not None or name in WORDY, name


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", WORDY)
def test_a_move_has_words_of_its_own_in_every_language(name: str, code: str) -> None:
    puzzle = puzzlekit.load(name).puzzle
    told = puzzle.move_words
    assert told is not None
    guarded = puzzle.guarded
    moves = puzzle.family_moves(puzzle.turns) if guarded is None else [*guarded.moves.values()]
    words = [told(move, puzzle.solved, code) for move in moves]
    if guarded is not None:
        words = [each for each in words if each]
        assert len(words) == 2  # the blank is in a corner
    assert all(words) and len({*words}) == len(words)
    assert not any("{" in each or "}" in each for each in words)


def called() -> set[str]:
    """What `called` in names.js may look up: goals, step methods and their steps."""
    found = set()
    for puzzle in puzzles_shown():
        catalogue = puzzlekit.load(puzzle).catalogue
        names = [*catalogue.goals, *catalogue.step_methods]
        for method in catalogue.step_methods.values():
            steps = [step.name for step in method.steps]
            names += steps
            found |= {f"{method.name}.{step}" for step in steps}
        found |= {*names, *(f"{puzzle}.{name}" for name in names)}
    return {f"called.{name}" for name in found}


def test_the_page_asks_for_the_texts_that_there_are() -> None:
    page = (PAGE / "index.html").read_text("utf-8")
    asked = set(re.findall(r'data-text="([^"]+)"', page))
    for each in re.findall(r'data-texts="([^"]+)"', page):
        asked |= {pair.partition(":")[2] for pair in each.split()}
    code = "".join(SOURCES.values())
    families = set()
    for call in re.findall(r"\bt\(((?:[^()]|\([^()]*\))*)\)", code):
        asked |= set(re.findall(r'"([a-z][\w.-]*)"', call))
        families |= set(re.findall(r"`(\w+\.)\$", call))
    assert families == {"called.", "face.", "hold.", "net.", "side."}
    asked.remove("data-text")
    assert asked <= ENGLISH.keys()
    asked |= {f"{family}.{face}" for family in ("face", "net", "side") for face in "URFDLB"}
    asked |= {"hold.UF", "hold.FD"} | called()
    # A literal may reach `t` by a variable. Without a dot it might be an element or an event.
    asked |= set(re.findall(r'"([a-z]\w*\.[\w.-]+)"', code))
    assert ENGLISH.keys() - asked == set()


class Words(HTMLParser):
    """Collects the words of a document that are seen, or read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "input", "br", "path", "rect", "circle", "ellipse"):
            self._open.append(tag)
        spoken = ("title", "aria-label", "placeholder", "alt")
        self.found += [value for name, value in attributes if name in spoken and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not {"title", "noscript"} & set(self._open):
            self.found.append(data.strip())


def test_the_document_has_no_words() -> None:
    words = Words()
    words.feed((PAGE / "index.html").read_text("utf-8"))
    assert set(words.found) == {"puzzlekit", "\xa0", "✕", "Ctrl+Z", "Ctrl+Shift+Z"} - {"\xa0"}


# Names of colours that the library has, of classes and of what is stored; Python; an error for us.
UNSEEN = ("light ", "dark ", "ring ", "sticker ", "puzzlekit ", "import ", "the page has no ")


def test_the_code_has_no_words() -> None:
    """A text begins with a capital, or has a small word between blanks."""
    for name, source in SOURCES.items():
        code = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
        code = re.sub(r"(?m)(^|\s)//.*$", "", code)
        for text in re.findall(r'"([^"\n]*)"', code) + re.findall(r"`([^`]*)`", code):
            plain = re.sub(r"\$\{.*?\}", "", text)
            words = re.search(r"^[A-Z][a-z]+ |(?<![-\w.#:])[a-z]{2,} [a-z]{2,}\b(?![-:=])", plain)
            assert not words or text.startswith(UNSEEN), (name, text)
