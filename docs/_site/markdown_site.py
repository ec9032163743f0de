"""Sphinx extension: pages that are made from the code, and docstrings as they are written here.

`<!-- made from the code: commands -->` in a page stands for every command of the command line,
`<!-- made from the code: names -->` for a list of every public name, and with a purpose after
`names` for the names of this purpose, `<!-- made from the code: community -->` for the plugins in
`community.toml`.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

import puzzlekit
import puzzlekit_authoring
import puzzlekit_beam
import puzzlekit_lab
import puzzlekit_twophase
from puzzlekit.cli import main

COMMUNITY = Path(__file__).parents[1] / "community.toml"
MARK = re.compile(r"^<!-- made from the code: (\w+) ?(.*?) -->$", re.MULTILINE)
# [tables.md](tables.md) is readable on a code host; on the site the title of the page is shown.
BARE_LINK = re.compile(r"\[[\w/.-]+\.md\]\(([\w/.-]+\.md(?:#[\w-]+)?)\)")


def setup(app: Any) -> dict[str, bool]:
    """Connect what is below with Sphinx."""
    app.connect("source-read", on_source)
    app.connect("autodoc-process-docstring", on_docstring)
    app.connect("autodoc-process-signature", on_signature)
    return {"parallel_read_safe": True}


def on_source(app: Any, page: str, source: list[str]) -> None:
    """Complete the text of a page."""
    text = linked_sources(BARE_LINK.sub(r"[](\1)", source[0]))
    source[0] = MARK.sub(lambda mark: MADE[mark[1]](*filter(None, [mark[2]])), text)
    if page == app.config.root_doc:
        source[0] += contents(text, Path(app.srcdir))


# --- sources -------------------------------------------------------------------------------------

CITATION = re.compile(
    r"\b([A-Z]\w+)(?:\s+and\s+[A-Z]\w+|\s+et\s+al\.)?\s+(?:((?:19|20)\d\d)\b|\(((?:19|20)\d\d)\))"
)


def linked_sources(text: str) -> str:
    """A page with a list of sources, where "Korf 1985" leads to the first that has both words."""
    text, heading, listed = text.partition("\n## Sources\n")
    sources = re.split(r"^- ", listed, flags=re.MULTILINE)

    def link(found: re.Match[str]) -> str:
        number = source_number(sources, found)
        return f'<a href="#source-{number}">{found[0]}</a>' if number else found[0]

    anchored = [f'- <a id="source-{i}"></a>{each}' for i, each in enumerate(sources[1:], 1)]
    return CITATION.sub(link, text) + heading + sources[0] + "".join(anchored)


def source_number(sources: list[str], found: re.Match[str]) -> int:
    """Which of the sources, after the text before the first, a citation names; 0 for none."""
    name, year = found[1], found[2] or found[3]
    numbers = range(1, len(sources))
    return next((i for i in numbers if name in sources[i] and year in sources[i]), 0)


# --- contents ------------------------------------------------------------------------------------


def contents(index: str, directory: Path) -> str:
    """Tables of contents: the pages that the index lists under each heading, then the others."""
    sections = {}
    for section in index.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        sections[title] = re.findall(r"^- .*?\]\(([\w/-]+\.md)\)", body, re.MULTILINE)
    listed = {"index.md", *(page for pages in sections.values() for page in pages)}
    found = sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*.md"))
    listed |= {page for page in found if page.startswith("api/")}  # api.md lists them
    sections["More"] = [page for page in found if page not in listed]
    return "\n".join(
        "\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```"])
        for title, pages in sections.items()
        if pages
    )


# --- plugins of others ---------------------------------------------------------------------------


def community() -> str:
    """The table of the plugins in `community.toml`, in Markdown."""
    listed = tomllib.loads(COMMUNITY.read_text(encoding="utf-8"))["plugin"]
    rows = [
        f"| [`{each['distribution']}`]({each['address']}) | {each['about']} | {each['licence']} |"
        for each in sorted(listed, key=lambda each: each["distribution"])
    ]
    return "\n".join(["| to install | what it adds | licence |", "|---|---|---|", *rows])


# --- commands ------------------------------------------------------------------------------------


def commands() -> str:
    """Every command with its arguments, options and examples, in Markdown."""
    return "\n".join(_command(main, click.Context(main, info_name="puzzlekit"), 2))


def _command(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    yield f"{'#' * level} {context.command_path}\n"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n"
    yield from _help(command.help or "")
    rows = [
        record
        for parameter in command.get_params(context)
        if (record := parameter.get_help_record(context))
    ]
    if rows:
        yield "| option | meaning |\n|---|---|"
        yield from (f"| `{_cell(names)}` | {_cell(_escaped(said))} |" for names, said in rows)
        yield ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            part = command.get_command(context, name)
            assert part is not None
            inner = click.Context(part, info_name=name, parent=context)
            yield from _command(part, inner, level + 1)


def _help(text: str) -> Iterator[str]:
    """Paragraphs of a help text; one after a line with a backspace is kept as it is."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if paragraph.startswith("\b\n"):
            yield f"```text\n{paragraph[2:]}\n```\n"
        else:
            yield f"{_escaped(' '.join(paragraph.split()))}\n"


def _escaped(text: str) -> str:
    """Plain text as Markdown, with options as code."""
    text = re.sub(r"([\\`*_<>\[\]#])", r"\\\1", text)
    return re.sub(r"(?<![\w-])(--?[a-z][\w-]*)", lambda found: f"`{found[1]}`", text)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


# --- public names --------------------------------------------------------------------------------

# In the docstring of the package: "    Puzzle  what is solved", and after "by purpose" paragraphs
# "Solve a puzzle:" with indented lines "    Errors: PuzzlekitError, ...".
FIRST = re.compile(r"^    (\w+)  +\S", re.MULTILINE)
PURPOSE = re.compile(r"^([A-Z][a-z ]+):\n\n((?: {4}.+\n)+)", re.MULTILINE)
TOPIC = re.compile(r"^    ([A-Z][a-z ]+): ((?:.+\n(?: {8}.+\n)*))", re.MULTILINE)

Topics = dict[str, list[str]]


def ranked() -> dict[str, Topics]:
    """The public names by purpose and topic, in the order of the docstring of the package."""
    first = (puzzlekit.__doc__ or "").partition("by purpose")[0]
    found = {"A first plugin": {"": _paths(puzzlekit, FIRST.findall(first))}}
    for module in (puzzlekit, puzzlekit_lab):
        for purpose, text in PURPOSE.findall((module.__doc__ or "").partition("by purpose")[2]):
            found[purpose] = {
                topic: _listed(module.__name__, listed) for topic, listed in TOPIC.findall(text)
            }
    strategies = _paths(puzzlekit_twophase, puzzlekit_twophase.__all__)
    found["Write a method"]["Two phases in one search"] = strategies
    found["Write a method"]["Beams"] = _paths(puzzlekit_beam, puzzlekit_beam.__all__)
    checks = _paths(puzzlekit_authoring, puzzlekit_authoring.__all__)
    found["Extend puzzlekit"]["Conformance checks"] = checks
    return found


def _listed(package: str, text: str) -> list[str]:
    """The paths of "Move, Metric; puzzle.move: Effect", which names a module before its names."""
    found = []
    for part in text.split(";"):
        module, _, names = part.rpartition(":")
        where = f"{package}.{module.strip()}" if module else package
        found += [f"{where}.{name}" for name in re.findall(r"\w+", names)]
    return found


def _paths(module: ModuleType, names: Sequence[str]) -> list[str]:
    return [f"{module.__name__}.{name}" for name in names]


def names(purpose: str = "") -> str:
    """The public names of a purpose, or a list of all names, in Markdown for autodoc."""
    found = ranked()
    return "\n".join(_entries(found[purpose]) if purpose else _overview(found))


def _overview(found: dict[str, Topics]) -> Iterator[str]:
    """A list of topics for each purpose, with links to the names and to the page of the purpose."""
    pages = {purpose: f"api/{purpose.lower().replace(' ', '-')}.md" for purpose in found}
    for purpose, topics in found.items():
        yield f"**[{purpose}]({pages[purpose]})**\n"
        for topic, paths in topics.items():
            links = (f"{{py:obj}}`~{path}`" for path in paths)
            yield f"- {topic}{': ' if topic else ''}{', '.join(links)}"
        yield ""
    yield "\n".join(["```{toctree}", ":hidden:", "", *pages.values(), "```"])


def _entries(topics: Topics) -> Iterator[str]:
    for topic, paths in topics.items():
        yield f"## {topic}\n" if topic else ""
        yield from (_entry(path, 3 if topic else 2) for path in paths)


def _entry(path: str, level: int) -> str:
    module, _, name = path.rpartition(".")
    value = getattr(import_module(module), name)
    if inspect.isclass(value):
        shown = f".. autoclass:: {path}\n   :members:"
        if value.__base__ and value.__base__.__module__.startswith("puzzlekit"):
            shown += "\n   :show-inheritance:"
    elif inspect.isfunction(inspect.unwrap(value)):
        shown = f".. autofunction:: {path}"
    else:
        shown = f".. py:data:: {path}\n\n   {_comment(module, name)}"
    title = path.removeprefix("puzzlekit.")
    return f"{'#' * level} {title}\n\n```{{eval-rst}}\n{shown}\n```\n"


def _comment(module: str, name: str) -> str:
    """The comment above a public value, such as `API_VERSION`, in the module that defines it."""
    homes = (home for home, names in puzzlekit._HOMES.items() if name in names.split())
    source = inspect.getsource(import_module(next(homes, module)))
    found = re.search(rf"((?:^#: .*\n)+)^{name} = ", source, re.MULTILINE)
    assert found, f"{name} has no comment"
    return _prose(found[1].replace("#: ", "").replace("\n", " ").strip())


def on_signature(
    app: Any, what: str, name: str, value: Any, options: Any, signature: str | None, returns: str
) -> tuple[str | None, str]:
    """Show an argument that has a factory for its default as one with a default."""
    return signature and signature.replace("= NOTHING", "= ..."), returns


def on_docstring(
    app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Make reStructuredText of a docstring, in which only backticks and indents mean something."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()
    made: list[str] = []
    example = False
    listed = False  # in a list of parameters: names, with indented text below them
    for line in lines:
        listed = listed or set(line) == {"-"}
        if not line.strip():
            example = False
        example = example or line.startswith(">>>")
        indented = line.startswith("    ")
        if indented and not listed and made and not made[-1] and _said_last(made).endswith(":"):
            made[made.index(_said_last(made), -len(made))] += ":"
        made.append(line if example or indented != listed else _prose(line))
    if listed:
        # The tests import this module, and need no Sphinx.
        from sphinx.ext.napoleon import Config, NumpyDocstring

        made = NumpyDocstring(made, Config(), app, what, name, value, options).lines()
    lines[:] = made


def _said_last(made: list[str]) -> str:
    return next((line for line in reversed(made) if line), "")


def _prose(line: str) -> str:
    parts = re.split(r"`([^`]*)`", line)
    parts[::2] = [re.sub(r"([*_|\\])", r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [
        f":py:obj:`~puzzlekit.{part}`" if part in puzzlekit.__all__ else f"``{part}``"
        for part in parts[1::2]
    ]
    return "".join(parts)


MADE = {"commands": commands, "names": names, "community": community}
