"""Whatever any box cites has a paragraph in our own words: a touch on it never opens nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.ruling import Json
from companion.games import RULEBOOKS, find_rulebook
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, playing
from companion.record.file import read_export
from companion.record.lines import read_entry

GOLDEN = Path(__file__).parents[1] / "golden"
ID = re.compile(r"RULING \d+|\b[A-Z]{2}-(?:[A-Z]{3}-\d+[a-z]?|R\d+|\d+(?:\.(?:[A-Z]\d?|\d+))*)")
NONSENSE: list[Json] = ["nonsense", -7, [99, 99], {"x": 1}, None]


def spoken(tree: ast.Module) -> Iterator[str]:
    """Every text of a module that is no docstring."""
    silent = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
        ):
            yield node.value


def stands(name: str, known: Any) -> bool:
    """Whether an id has a paragraph, or is a chapter that has some."""
    return name in known or any(rule.startswith((f"{name}.", f"{name}-")) for rule in known)


def test_every_id_that_a_box_can_say_has_a_paragraph(box: str) -> None:
    """In its source, its house rules, and in the paragraphs themselves."""
    rulebook = find_rulebook(box)
    known = rulebook.paragraphs()
    folder = Path(str(import_module(RULEBOOKS[box].folder).__file__)).parent
    said = [text for file in folder.glob("*.py") for text in spoken(ast.parse(file.read_text()))]
    said += [str(switch.cite) for switch in rulebook.switches.values()]
    said += [paragraph.text for paragraph in known.values()]
    cited = {name for text in said for name in ID.findall(text)}
    own = {rule.partition("-")[0] for rule in known if "-" in rule}
    cited = {name for name in cited if name.partition("-")[0] in own or " " in name}
    assert cited
    assert sorted(name for name in cited if not stands(name, known)) == []


def test_every_paragraph_stands_in_a_chapter(box: str) -> None:
    """Each has a heading, a text and a chapter, and no chapter's name is used twice over."""
    paragraphs = find_rulebook(box).paragraphs().values()
    assert [one.rule for one in paragraphs if not (one.chapter and one.heading and one.text)] == []
    assert 1 < len({one.chapter for one in paragraphs}) <= 30


def cites_of(match: Match[Any]) -> set[str]:
    """What a match cites at this moment."""
    cites = [question.cite for question in match.open.values()]
    cites += [ruling.cite for ruling in match.rulings]
    cites += [notice.cite for notice in match.notices.values()]
    return {name for cite in cites for name in str(cite).split(", ")}


def refused_cites(match: Match[Any]) -> set[str]:
    """What each open question cites when it is told nonsense."""
    found = set[str]()
    for question in match.open.values():
        for nonsense in NONSENSE:
            try:
                question.read(nonsense)
            except IllegalAnswer as refused:
                found |= set(str(refused.cite).split(", "))
    return found


@pytest.mark.slow(gate=6)
def test_what_bots_matches_cite_can_be_read(setup: Setup) -> None:
    """Questions, refusals, rulings and notices of the first 250 answers."""
    known = find_rulebook(setup.box).paragraphs()
    match, bots = Match[Any].start(setup, STAMP), bots_of(setup, Random(7))
    cited = set[str]()
    for _ in playing(match, bots, 250):
        cited |= cites_of(match) | refused_cites(match)
    cited |= cites_of(match)
    assert len(cited) > 4
    assert sorted(name for name in cited if not stands(name, known)) == []


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.jsonl")), ids=lambda file: file.stem)
def test_what_golden_matches_cite_can_be_read(file: Path) -> None:
    """Matches of released editions, to their last ruling."""
    export = read_export(file)
    match = Match[Any].replay([read_entry(row.line, row.chain) for row in export.rows])
    known = find_rulebook(match.setup.box).paragraphs()
    assert sorted(name for name in cites_of(match) if not stands(name, known)) == []
