"""What people read is plain English: no turns from the list below, no long sentences, one spelling.

`python tests/test_prose.py FILE...` shows what is found in files.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
MOST_WORDS = 35

# A pattern, and what to write instead.
TURNS = {
    "so many(?! that)": "say how many, or 'n'",
    "such as to": "'that', or 'so that it'",
    "for want of": "'because there is no'",
    "but for": "'except'",
    "(what|that) is no(?! longer| more)": "'that is not a'",
    "(?<!there )(is|are) no(?! longer| more| less| better| good| use) [a-z]+": ("'is not a'"),
    "worth (its|their|the|one's) while": "'worth it', or say what is gained",
    "tells?(?! (git|people|you|the (user|reader|author|compiler)))": "'stores', 'returns', 'says'",
    "(is|are|was|were|be) told(?! to)": "the active voice: who says it",
    "told apart|tell apart|tells [a-z]+ apart": "'distinguished', 'distinguishes'",
    "(is|are) to be (found|had|seen)": "'is in', 'see'",
    "as which": "a sentence of its own",
    "than which": "'no shorter one exists'",
    "of which there (is|are)": "'there are ...'",
    "what has no": "'... without'",
    "at hand": "'available', 'on disk', 'loaded'",
    "comes? along": "name what happens",
    "says? so": "say what it says",
    "(is|are|was|were|be) had": "the active voice: who has it",
    "manieth": "'every n-th'",
    "joiners?": "'heuristic'",
    "(thereof|therein|whereof|wherein|thereby|whereby|thereto)": "a sentence of its own",
    "not unless|unless [a-z]+ (is|are|has|have|does|do) not": "one negation at most",
    "all what": "'all that', 'everything that'",
    "since long": "'for a long time'",
    "(allow|permit)s? to": "'allows ...ing', 'makes it possible to'",
    "as good as none|next to none": "'almost none'",
    "in so far|insofar": "'as far as', or 'if'",
    "of (its|their) own accord|of itself": "'by itself'",
}
# A sentence starts with what it is about. These are matched at its start alone, as they are cased.
STARTS = {
    r"What (?!(is|are|does|do|to|can|if)\b.*\?)(?![^.]*\?)": "the noun that 'what' stands for",
    r"Of (?!course)": "the subject first",
    r"That (of|which)\b": "the noun that 'that' stands for",
    r"Those (of|which|that)\b": "the noun that 'those' stands for",
}
# One spelling, in prose alone: names in code follow the libraries that they come from.
SPELLINGS = {
    "colo(r|rs|red|ring)": "colour",
    "centre(s|d)?": "center, as the pieces are called",
    "behaviors?": "behaviour",
    "neighbor(s|ing|hood)?": "neighbour",
    "gray": "grey",
    "(analyz|optimiz|minimiz|maximiz|normaliz|recogniz|summariz|initializ|visualiz|organiz)"
    "(e|es|ed|ing|ation)": "-ise, -isation",
    "(cancel|label|model|travel)(ed|ing)": "-lled, -lling",
    "catalog": "catalogue",
    "artifacts?": "artefact",
}


class Finding(NamedTuple):
    """Something to mend."""

    line: int
    sentence: str
    wrong: str


Paragraph = tuple[int, str]  # the number of the first line, and the text


# --- paragraphs ----------------------------------------------------------------------------------

ITEM = re.compile(r"\s*([-*+]|\d+\.)\s")
DIRECTIVE = re.compile(r"!|-{3}|\s*(type|noqa|fmt|mypy|cython|pragma)\b:?")


def markdown(text: str) -> Iterator[Paragraph]:
    """The paragraphs and items of a page, without headings, code, tables and comments."""
    blank = lambda found: re.sub(r"[^\n]", "", found[0])  # noqa: E731
    text = re.sub(r"^( *)```.*?^\1```$|<!--.*?-->", blank, text, flags=re.DOTALL | re.MULTILINE)
    kept: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        item = ITEM.match(line)
        preformatted = line.startswith("    ") and not kept
        if kept and (not line.strip() or item or line.startswith(("|", "#", ">"))):
            yield number - len(kept), "\n".join(kept)
            kept = []
        if line.strip() and not preformatted and not line.startswith(("|", "#")):
            kept.append(line[item.end() :] if item else line.lstrip("> "))


def docstring(text: str, first: int) -> Iterator[Paragraph]:
    """The paragraphs of a docstring, without examples and what is indented after a blank line."""
    lines = text.split("\n")
    margin = min((len(each) - len(each.lstrip()) for each in lines[1:] if each.strip()), default=0)
    kept: list[str] = []
    skipped = listed = False  # listed: parameters, with text below each of them
    for number, line in enumerate([*lines, ""], first):
        line = line[margin:] if number > first else line
        listed = listed or set(line) == {"-"}
        begins = line.startswith(">>>") or ITEM.match(line) or (listed and line[:1] != " ")
        if kept and (not line.strip() or begins or (listed and kept[-1][:1] != " ")):
            yield number - len(kept), "\n".join(kept)
            kept = []
        quoted = line.startswith((">>>", "\b")) or (line.startswith("    ") and not listed)
        if not line.strip():
            skipped = False
        elif not kept and quoted and not ITEM.match(line):
            skipped = True
        named = listed and re.fullmatch(r"\*{0,2}\w+(, \*{0,2}\w+)*", line)  # a parameter
        if line.strip() and not skipped and not named:
            kept.append(line)


def comments(text: str, left_out: set[int]) -> Iterator[Paragraph]:
    """The comments of a source: blocks of lines, and those that follow code."""
    kept: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        found = None if number in left_out else re.match(r"\s*#:? ?(.*)", line)
        said = found[1] if found and not DIRECTIVE.match(found[1]) else ""
        if kept and (not said.strip() or said.startswith("    ") or ITEM.match(said)):
            yield number - len(kept), "\n".join(kept)
            kept = []
        if said.strip() and not said.startswith("    "):
            kept.append(said)
        elif number not in left_out:
            after = re.search(r"\S  # (.+)$", line)
            if after and not DIRECTIVE.match(after[1]):
                yield number, after[1]


def python(text: str) -> Iterator[Paragraph]:
    """What people read of a source: docstrings, comments, helps of options, and errors."""
    tree = ast.parse(text)
    strings: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(said))):
                yield from docstring(said, node.lineno)
            case ast.keyword(arg="help" | "short_help" | "epilog", value=value):
                yield from _message(value)
            case ast.Raise(exc=ast.Call(args=arguments)):
                for argument in arguments:
                    yield from _message(argument)
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno != node.lineno:
            strings.update(range(node.lineno, (node.end_lineno or 0) + 1))
    yield from comments(text, strings)


def _message(node: ast.expr) -> Iterator[Paragraph]:
    """A text in the code; what is put into it counts as a piece of code."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    elif isinstance(node, ast.JoinedStr):
        parts = (each.value if isinstance(each, ast.Constant) else "`...`" for each in node.values)
        yield node.lineno, "".join(map(str, parts))


# --- sentences -----------------------------------------------------------------------------------

CODE = "\N{REPLACEMENT CHARACTER}"
END = re.compile(
    r"""(?<!\b[A-Z])(?<!\bal)(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)[.!?][)"'*_]*"""
    rf"""(?=\s+["'(*_\[]*[A-Z0-9{CODE}]|\s*$)"""
)
WORD = re.compile(rf"{CODE}+(?:,?\s+(?:and\s+|or\s+)?{CODE}+)*|\S*\w\S*")
EACH = {re.compile(rf"\b(?:{it})\b", re.I): wanted for it, wanted in (TURNS | SPELLINGS).items()}
ANY = re.compile(rf"\b(?:{'|'.join(TURNS | SPELLINGS)})\b", re.I)


def masked(text: str) -> str:
    """A text of the same length without code, quoted titles of works and addresses of links."""
    code = lambda found: re.sub(r"[^\n]", CODE, found[0])  # noqa: E731
    space = lambda found: re.sub(r"[^\n]", " ", found[0])  # noqa: E731
    text = re.sub(r"(`+).+?\1", code, text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)\s]*\)|https?://\S+|<[^>]+>", space, text)
    return re.sub(r'"[A-Z][^"]*"', code, text)


def findings(path: Path) -> Iterator[Finding]:
    """What is to be mended in a file."""
    text = path.read_text(encoding="utf-8")
    for first, paragraph in (python if path.suffix == ".py" else markdown)(text):
        seen = masked(paragraph)
        start = 0
        for end in [*(found.end() for found in END.finditer(seen)), len(seen)]:
            sentence = " ".join(seen[start:end].split())
            line = first + paragraph[:start].count("\n")
            shown = " ".join(paragraph[start:end].split())
            start = end
            if (count := len(WORD.findall(sentence))) > MOST_WORDS:
                yield Finding(line, shown, f"{count} words, more than {MOST_WORDS}")
            for pattern, wanted in STARTS.items():
                if found := re.match(pattern, sentence):
                    yield Finding(line, shown, f"starts with '{found[0].strip()}': {wanted}")
            for turn, wanted in EACH.items() if ANY.search(sentence) else ():
                if found := turn.search(sentence):
                    yield Finding(line, shown, f"'{found[0]}': write {wanted}")


# --- the test ------------------------------------------------------------------------------------

FILES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "docs/conf.py")),
    *sorted(
        path
        for place, kind in (("docs", "*.md"), ("docs/_site", "*.py"), ("puzzlekit", "*.py"))
        for path in (ROOT / place).rglob(kind)
    ),
    *sorted((ROOT / "plugins").glob("*/puzzlekit_*/**/*.py")),
]
ROOMS = sorted({path.relative_to(ROOT).parent.as_posix() for path in FILES})


def listed(path: Path) -> str:
    """All that is found in a file, with places."""
    name = path.relative_to(ROOT).as_posix()
    return "".join(f"\n{name}:{at}: {wrong}\n    {said}" for at, said, wrong in findings(path))


@pytest.mark.parametrize("room", ROOMS)
def test_texts_are_plain(room: str) -> None:
    files = [path for path in FILES if path.relative_to(ROOT).parent.as_posix() == room]
    found = [listed(path) for path in files]
    assert not any(found), "".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "A table, which tells the distance.",
        "It keeps so many of them.",
        "What is left out searches the rest.",
        "What is that? What it was.",
        "This is no table.",
        "The color of a piece.",
        "A long one" + ", as this is" * 12 + ".",
    ],
)
def test_what_is_not_plain_is_found(text: str, tmp_path: Path) -> None:
    for name, shown in {
        "page.md": f"# Page\n\n- {text}\n",
        "docstring.py": f'"""Summary.\n\n{text}\n"""\n',
        "comment.py": f"a = 1\n# {text}\n",
        "help.py": f"option(help={text!r})\n",
        "error.py": f"raise ValueError(f{text!r})\n",
    }.items():
        (tmp_path / name).write_text(shown, encoding="utf-8")
        assert len(list(findings(tmp_path / name))) == 1, (name, shown)


def test_what_is_plain_or_code_is_not_found(tmp_path: Path) -> None:
    text = (
        "A table stores `what tells` it.\n\n    so many\n\n| so many |\n\n```text\nso many\n```\n"
    )
    (tmp_path / "page.md").write_text(text + "There is no [page](so-many.md)? What is it?\n")
    assert not list(findings(tmp_path / "page.md"))


if __name__ == "__main__":
    for given in sys.argv[1:]:
        for path in FILES:
            if path.is_relative_to(Path(given).resolve()) and (found := listed(path)):
                print(found)
