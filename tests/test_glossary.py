"""The glossary: every term is used on other pages or in docstrings, and is spelt one way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from documents import ROOT
from test_prose import CODE, FILES, markdown, masked, python

GLOSSARY = ROOT / "docs" / "glossary.md"
TERMS = [
    term.replace("\\", "")
    for entry in re.findall(r"^- (.*?): ", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    for term in re.findall(r"\*\*((?:\\\*|[^*])+)\*\*", entry)
]
# Other spellings and other words for a term.
VARIANTS = {
    "branching (rate|number)s?": "branching factor",
    "canonic sequences?|normal sequences?": "canonical sequence",
    "commuters?": "commutator",
    "double[- ]edges?": "dedge",
    "face[- ]turn metric|FTM": "HTM",
    "face-lets?": "facelet",
    "half turn metric": "half-turn metric",
    "joiners?": "heuristic",
    "outer-block turns?|outer[- ]layer turns?": "outer block turn",
    "over-estimates?": "overestimate",
    "pattern data bases?|PDBs?": "pattern database",
    "plug-ins?": "plugin",
    "pre-moves?": "premove",
    "prune tables?|pruning-tables?|distance tables?": "pruning table",
    "sub-groups?": "subgroup",
    "sub-optimality": "suboptimality",
    "symmetry coordinates?": "sym coordinate",
    "transition tables?": "move table",
}


def paragraphs() -> Iterator[str]:
    """What people read outside of the glossary, without code."""
    for path in FILES:
        if path != GLOSSARY:
            read = python if path.suffix == ".py" else markdown
            for _, paragraph in read(path.read_text(encoding="utf-8")):
                yield " ".join(masked(paragraph).replace(CODE, "").split())


@cache
def prose() -> str:
    return "\n".join(paragraphs())


def test_the_glossary_has_terms() -> None:
    assert len(TERMS) > 90 and {"IDA*", "part", "effective branching factor"} <= set(TERMS)
    assert len(set(TERMS)) == len(TERMS)


def words(text: str) -> str:
    """The words of a text, with a space around each."""
    found = re.findall(r"\bIDA\*|\bh\*|[\w']+", text.replace("\\", ""))
    return f" {' '.join(found)} ".lower()


def test_every_term_is_used() -> None:
    pages = (path for path in FILES if path.suffix == ".md" and path != GLOSSARY)
    used = words(" ".join([prose(), *(path.read_text(encoding="utf-8") for path in pages)]))
    unused = [
        term
        for term in TERMS
        if not any(f"{words(term)[:-1]}{ending} " in used for ending in ("", "s", "es"))
    ]
    assert not unused


@pytest.mark.parametrize("variant", VARIANTS)
def test_terms_are_spelt_one_way(variant: str) -> None:
    found = re.finditer(rf"\b(?:{variant})\b", prose(), re.IGNORECASE)
    places = [prose()[max(0, each.start() - 60) : each.end() + 60] for each in found]
    assert not places, f"write {VARIANTS[variant]}"
