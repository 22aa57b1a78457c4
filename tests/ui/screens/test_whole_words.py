"""Live states of every box: refusals, banners, messages and all else that is read is never cut.

Samples are drawn by hand; names and texts of real matches outgrow them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.ruling import Seat
from companion.games import RULEBOOKS, find_rulebook
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of
from ui.scene.theme import Light, Theme
from ui.screens.match.challenge import ChallengeState
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

if TYPE_CHECKING:
    from ui.screens.registry import ScreenState

PEOPLE = ("Ana", "Bartholomew", "Cleo", "Dan", "Esmeralda", "Finn")
LANDSCAPE, PORTRAIT = ((800, 480), (1280, 720)), (480, 800)
UPRIGHT = ("Adjust", "Amend", "Arbiter", "Counts", "Log", "Report", "Value")
"""Screens that are laid out for a window that is higher than wide."""
PANELS = (
    a.Panel.LOG,
    a.Panel.ARBITER,
    a.Panel.REPORT,
    a.Panel.ADJUST,
    a.Panel.CHALLENGE,
    a.Panel.CLOSE,
    a.Panel.MENU,
)
SHORTENED = "log/"
"""Lines of the log, of which the whole is a touch away."""


def middle(person: Any, box: str, answers: int) -> None:
    """So many answers into a match of bots, played on the person's screen."""
    rules = find_rulebook(box)
    taken = rules(Setup(box)).seats_taken()
    seats = dict(zip(taken, PEOPLE, strict=False))
    named = {seat: name for seat, name in seats.items() if seat not in rules.held_by}
    setup = Setup(box, (), named)
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    bots, ruled = bots_of(setup, Random(3)), 0
    for _ in range(4 * answers):
        match = person.match
        if match.outcome is not None or len(match.steps) >= answers:
            break
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
        waiting = [q for key, q in match.open.items() if key not in match.answered]
        question = min(waiting, key=lambda asked: asked.kind == "ready")
        raw = bots.act(question)
        person.clock.wait(25.0 if question.kind == "locked" else 2.0)
        person.table.tick()
        if question.key in person.match.open:
            person.do(a.Anyway(a.Answer(question.key, question.opened, raw)))
    person.view = replace(person.view, read=len(person.match.rulings), refusal=None)


def corrections(person: Any) -> Iterator[ScreenState]:
    """Everything that may be opened above a match, with a line, a report and a quantity chosen."""
    for panel in PANELS:
        yield person.touch(a.Show(panel))
        person.do(a.Back())
    for step in [step for step in person.match.steps if step.answers][-3:]:
        yield person.touch(a.Show(a.Panel.AMEND, str(step.seq)))
        person.do(a.Back())
        person.do(a.Show(a.Panel.LOG))
        yield person.touch(a.SelectLine(step.seq))
        person.do(a.Back())
    state = person.touch(a.Show(a.Panel.ADJUST))
    for row in state.rows[:2]:
        for key in row.keys:
            yield person.touch(key.action)
    person.do(a.Back())


def refusals(person: Any) -> Iterator[ScreenState]:
    """What is not taken, what a report blocks or warns of, and an open challenge."""
    question = next(iter(person.match.open.values()), None)
    if question is None:
        return
    yield person.touch(a.Answer(question.key, question.opened, "nonsense"))
    person.view = replace(person.view, refusal=None)
    rules, seat = person.match.rulebook, str(person.match.rulebook.seats_taken()[0])
    for word, fields in rules.report_words().items():
        needed = [field for field in fields if not field.endswith("?")]
        if needed == ["player"] and word not in ("retired", "leaves"):
            yield person.touch(a.Report((("what", word), ("player", seat))))
            person.view = replace(person.view, read=len(person.match.rulings))
            for panel in (a.Panel.LOG, a.Panel.ARBITER):
                yield person.touch(a.Show(panel))
                person.do(a.Back())
    state = person.touch(a.OpenChallenge(str(Seat(rules.sides[0]))))
    assert isinstance(state, ChallengeState)
    yield state


def cut(sheet: Any, state: ScreenState) -> list[tuple[str, str]]:
    """The texts of a state that are not whole, by the part that they are of."""
    from ui.screens.registry import parts_of, screen_of

    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    return [
        (name, text.text)
        for name, text in sheet.written()
        if text.cut and not name.startswith(SHORTENED)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("box", RULEBOOKS)
def test_no_text_of_a_live_state_is_cut(
    new_person: Callable[[Path], Any], tmp_path: Path, make_sheet: Any, box: str
) -> None:
    """At both usual sizes all that is read is whole; the arbiter's screens upright, too."""
    from ui.screens.registry import screen_of

    person = new_person(tmp_path)
    middle(person, box, 27)
    states = [person.state, *corrections(person), *refusals(person)]
    assert len(states) > len(PANELS)
    for size in (*LANDSCAPE, PORTRAIT):
        sheet = make_sheet(Theme(Light.NIGHT, size_px=size))
        for state in states:
            if size != PORTRAIT or screen_of(state) in UPRIGHT:
                assert cut(sheet, state) == [], (screen_of(state), size)
