"""What hands do, and who is asked for what, is 10 mm high on every ruling and field question."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.ruling import Cite, Move, Ruling, Seat
from companion.games import rulebook_of
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of
from companion.record.record import Record
from ui.demo.drawn import SteppedClock
from ui.scene.steps import is_printed
from ui.scene.theme import Caps, Reach, Theme
from ui.scene.values import Band
from ui.screens.match.cards import CardsState
from ui.screens.match.counts import CountsState
from ui.screens.match.field import FieldState
from ui.screens.match.lock import LockState
from ui.screens.match.ready import ReadyState
from ui.screens.match.result import ResultState
from ui.screens.match.round import Phase, RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import present
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

PEOPLE = ("Annabel", "Bo", "Cleopatra", "Dan", "Eve", "Finnegan")
MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("jaws-and-paws", {}),
    ("dogfight-1917", {}),
    ("starship-edition", {"players": 5}),
    ("talespin-dogfight", {"players": 4}),
    ("dogfight-hex", {"players": 6}),
]
SIZES = ((800, 480), (1280, 720), (480, 800))
SCREENS = 130


def setup_of(box: str, options: dict[str, Any]) -> Setup:
    """That box with people at its seats."""
    rules = rulebook_of(Setup(box, options=options))
    bare = Setup(box, rules.usual(()), options=options)
    return Setup(box, bare.variants, dict(zip(rules(bare).seats_taken(), PEOPLE)), options)  # noqa: B905


def screens(folder: Path, setup: Setup) -> Iterator[Any]:
    """Every screen of a match between bots, each before somebody touches it."""
    clock = SteppedClock(9.0)
    record = Record.open(str(folder / "r.sqlite"))
    table = Table(record, SettingsFile.load(folder / "s.toml"), clock=clock)
    table.new_match(setup)
    bots, ruled = bots_of(setup, Random(1)), 0
    view = act(a.Checked(), table, View())
    for _ in range(SCREENS):
        state, match = present(table.situation(), view), table.refereed().match
        yield state
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
        if isinstance(state, ResultState):
            break
        locked = isinstance(state, RoundState) and state.phase is Phase.LOCKED
        if isinstance(state, RulingState) or locked:
            key = state.frame.bottom.next
            assert key is not None
            assert key.action is not None
            view = act(key.action, table, view)
        elif isinstance(state, RoundState):
            for question in match.open.values():
                bots.act(question)
            clock.wait(5.0)
            table.tick()
        else:
            waiting = [q for key, q in match.open.items() if key not in match.answered]
            question = min(waiting, key=lambda asked: asked.kind == "ready")
            raw = bots.act(question)
            view = act(a.Anyway(a.Answer(question.key, question.opened, raw)), table, view)
    table.close()


def told_large(state: Any) -> dict[str, Band]:
    """What must be 10 mm high on a screen, by the part that says it."""
    match state:
        case LockState():
            return {"lead": Band((state.lead,))}
        case CardsState():
            told = dict(zip(("band", "then", "last"), state.deeds, strict=False))
            return {**told, "asked": Band((state.asked.rpartition(": ")[2],))}
        case RulingState() | FieldState() | ReadyState() | CountsState():
            deeds = getattr(state, "deeds", ()) or (state.band,)
            return dict(zip(("band", "then", "last"), filter(None, deeds), strict=False))
        case _:
            return {}


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("box", "options"), MATCHES, ids=str)
def test_deeds_and_questions_are_10_mm_high(
    make_sheet: Any, tmp_path: Path, box: str, options: dict[str, Any]
) -> None:
    """The whole deed and all that is asked, whoever it is; nothing on the screen is larger.

    No place stands there, either, that the box's boards do not have in print.
    """
    from ui.screens.registry import parts_of, screen_of

    sheets = [make_sheet(Theme(size_px=size)) for size in SIZES]
    setup = setup_of(box, options)
    places = [name for name in rulebook_of(setup)(setup).plan.spaces if not is_printed(name)]
    seen = 0
    for state in screens(tmp_path, setup):
        deeds = told_large(state)
        if not deeds:
            continue
        seen += 1
        for sheet in sheets:
            sheet.show(screen_of(state), parts_of(state, sheet.theme))
            written = [(name, text) for name, text in sheet.written() if text.text]
            for place, band in deeds.items():
                what = [text for name, text in written if name == place]
                large = [text for text in what if text.caps_u >= Caps.HANDS - 0.5]
                said = " ".join(text.text for text in large).casefold()
                assert band.lines[-1].casefold() in said, (band, what)
            assert max(text.caps_u for _, text in written) <= Caps.HANDS + 1.0, deeds
            cut = [text.text for _, text in written if text.cut]
            assert not cut, deeds
            words = {word.strip(".,;:") for _, text in written for word in text.text.split()}
            assert not words & {*places}, deeds
            keys = [part.box for part in sheet.parts.values() if part.action is not None]
            for one, other in itertools.combinations(keys, 2):
                assert not one.meets(other), deeds
            least = min((min(box.wide, box.high) for box in keys), default=Reach.TARGET[0])
            assert least >= Reach.TARGET[0] - 0.01, deeds
    assert seen >= 12


@pytest.mark.slow
def test_the_rulings_map_is_twice_as_large_as_it_was(make_sheet: Any, tmp_path: Path) -> None:
    """322 by 158 u once; a long sentence may take some of it."""
    from ui.screens.registry import parts_of

    sizes: list[float] = []
    for state in screens(tmp_path, setup_of("dogfight-1917", {})):
        if isinstance(state, RulingState) and state.then is None:
            box = parts_of(state, Theme())["map/board"].box
            sizes.append(box.wide * box.high / (322.0 * 158.0))
    assert sorted(sizes)[len(sizes) // 2] >= 2.0, sizes
    assert min(sizes) >= 1.2, sizes


def test_each_step_shows_the_table_as_it_then_is(person: Any, duel: Any) -> None:
    """Two moves of one piece: the first step ends where the second begins."""
    duel()
    scene_map = present(person.table.situation(), person.view)
    assert isinstance(scene_map, FieldState)
    from ui.scene.scene import Scene
    from ui.screens.match.ruling import DeedTold, _map

    scene = Scene(person.table.situation(), person.view)
    camel, now = Piece("camel"), scene.match.position.placement()[Piece("camel")]
    first, between = Pose("3,0", 0), Pose("2,0", 1)
    rulings = [
        Ruling(text, Cite.of("DF-9.7"), (Move(camel, was, then),), Seat("A"))
        for text, was, then in (("One.", first, between), ("Two.", between, now))
    ]
    steps = [_map(scene, rulings, DeedTold(at, 0, at)) for at in range(2)]
    ends = [next(p for p in step.pieces if p.piece == camel and not p.dashed) for step in steps]
    begins = [next(p for p in step.pieces if p.piece == camel and p.dashed) for step in steps]
    assert [piece.space for piece in begins] == ["3,0", "2,0"]
    assert [piece.space for piece in ends] == ["2,0", now.space]
    assert all(step.glides and step.arrows for step in steps)
    assert steps[0].lit == {"2,0"}


def test_a_deed_of_many_rows_stands_beside_a_map_as_high_as_the_body(
    person: Any, duel: Any, make_sheet: Any, judge: Any
) -> None:
    """10 mm high as ever: under three rows of it the map had a third of the body."""
    from ui.screens.registry import parts_of, screen_of

    duel()
    state = person.touch(a.Adjust((("A.place", "2,1 SE"),), "knocked over"))
    line = replace(state.lines[0], first="Player A's SPAD S.XIII is shot down.")
    band = Band(("Player A", "SPAD S.XIII off the board"), state.band.side, queue="2 of 2")
    ruled = RulingState(state.frame, band, state.map, (line,))
    sheet = make_sheet(Theme(size_px=(800, 480)))
    sheet.show(screen_of(ruled), parts_of(ruled, sheet.theme))
    assert min(sheet.parts["map/board"].box.wide, sheet.parts["map/board"].box.high) > 300
    large = [text.text for _, text in sheet.written() if text.caps_u >= Caps.HANDS - 0.5]
    assert " ".join(large) == "SPAD S.XIII off the board"
    assert not list(judge.all(sheet))
