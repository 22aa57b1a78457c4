"""Calls at the screen: a challenge that is opened and decided, a late card that a sensor saw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.offers import AfterZero, Button, CardEvent, CardMove
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion
from companion.referee.late import SENSOR, SETTLED_S
from ui.scene.values import Mark, Picture
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.log import LogState
from ui.screens.match.challenge import ChallengeState
from ui.screens.match.lock import LockState
from ui.screens.match.round import Phase, RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.present import present
from ui.table.evidence import Kept
from ui.touch import actions as a
from ui.touch.actions import DecideChallenge, OpenChallenge, RuleLate

NOTHING = (0,) * 8


def push(person: Any, button: Button) -> Any:
    person.desk.push(button)
    person.table.tick()
    return person.state


def lay(person: Any, track: int, section: int, after_s: float | None = None) -> Any:
    """A slot sensor feels a card."""
    after = None if after_s is None else AfterZero(after_s, 0.0012)
    event = CardEvent(CardMove.LAID, track, section, 1, person.clock(), 0.001, 0.0, after)
    person.table.refereed().card(event)
    person.table.tick()
    return person.state


def sensed_lock(person: Any) -> Any:
    """The hands-off screen of a lock whose tracks have live sensors; one card lies on Paws 2."""
    person.to_ready()
    person.table.refereed().tracks.sense(NOTHING)
    person.answer("ready/jaws", "ready")
    person.answer("ready/paws", "ready")
    lay(person, 1, 2)
    return person.wait(20.0)


def in_the_log(person: Any) -> list[Any]:
    """The newest page of the log."""
    state = person.touch(a.Show(a.Panel.LOG))
    assert isinstance(state, LogState)
    person.touch(a.Back())
    return list(state.lines)


# -- challenges ----------------------------------------------------------------------------


def test_a_challenge_has_the_screen_to_itself_until_it_is_decided(person: Any) -> None:
    """Who, and how the clock stands; one touch decides it and the clock goes on from there."""
    person.to_round()
    person.wait(7.5)
    state = push(person, Button.CHALLENGE_SECOND)
    assert isinstance(state, ChallengeState)
    assert state.band.lines == ("CHALLENGE: PAWS", "THE CLOCK STANDS AT 12.5 s")
    assert state.band.mark is Mark.WARN
    assert person.wait(5.0).band == state.band
    decided = state.frame.bottom.next
    assert decided is not None
    assert decided.second == "clock runs from 12.5 s"
    after = person.go_on()
    assert isinstance(after, RoundState)
    assert after.phase is Phase.RUNNING
    assert person.table.refereed().clock.rest(person.clock()) == pytest.approx(12.5)
    texts = [line.text for line in in_the_log(person)]
    assert "Challenge: Paws, 12.5 s left" in texts
    assert "Challenge decided: Paws, 12.5 s left" in texts


def test_a_challenge_is_opened_by_touch_too(person: Any) -> None:
    """Arbiter, Challenge, who: with a clock or without one; the arbiter can decide it there."""
    person.to_lock()
    arbiter = person.touch(a.Show(a.Panel.ARBITER))
    key = next(key for key in arbiter.keys if key.label == "Challenge")
    asked = person.touch(key.action)
    assert isinstance(asked, ArbiterState)
    assert [key.label for key in asked.keys] == ["Jaws", "Paws", "Arbiter"]
    state = person.touch(asked.keys[2].action)
    assert isinstance(state, ChallengeState)
    assert state.band.lines == ("CHALLENGE: THE ARBITER", "NOTHING GOES ON")
    assert state.band.side is None
    arbiter = person.touch(a.Show(a.Panel.ARBITER))
    decided = next(key for key in arbiter.keys if key.label == "Decided")
    person.touch(decided.action)
    assert isinstance(person.touch(a.Back()), LockState)


def test_a_second_challenge_and_a_second_decision_change_nothing(person: Any) -> None:
    """The first one stands; nothing is logged twice."""
    person.to_round()
    first = person.touch(OpenChallenge("Jaws"))
    lines = len(person.match.entries)
    assert person.touch(OpenChallenge("Paws")) == first
    assert len(person.match.entries) == lines
    person.touch(DecideChallenge())
    lines = len(person.match.entries)
    person.touch(DecideChallenge())
    assert len(person.match.entries) == lines


def test_a_clock_that_stood_already_stays_paused(person: Any) -> None:
    """The challenge did not stop it, so deciding does not start it; the key says so before."""
    person.to_round()
    person.touch(a.Pause())
    state = person.touch(OpenChallenge("Jaws"))
    assert state.frame.bottom.next.second == "the clock stays paused"
    assert person.go_on().phase is Phase.PAUSED


def test_what_was_corrected_in_a_challenge_is_done_by_hands_first(person: Any) -> None:
    """An undo in it shows its tasks; then the challenge stands there again, not the clock."""
    person.to_lock()
    person.answer("lock/jaws/1", {"pilot": 1, "gunner": 0})
    person.touch(OpenChallenge("Jaws"))
    corrected = person.touch(a.Undo(person.match.last_act))
    while isinstance(corrected, RulingState):
        corrected = person.go_on()
    assert isinstance(corrected, ChallengeState)


def test_the_last_answers_and_the_kept_stills_are_shown_again(person: Any) -> None:
    """The latest still first; a line with pictures leads to them; a clip may be kept of now."""
    person.to_round()
    seq = person.match.steps[-1].seq
    at = ("2026-11-21T19:34:05.000Z", "2026-11-21T19:34:07.000Z")
    files = tuple(
        EvidenceFile(seq, Occasion.REVEAL, part, utc)
        for part, utc in zip((EvidencePart.BEFORE, EvidencePart.AFTER), at, strict=True)
    )
    seen: list[EvidenceFile] = []

    def picture(file: EvidenceFile) -> Picture:
        seen.append(file)
        return Picture(None, 0, (4, 3), note="")

    person.touch(OpenChallenge("Jaws"))
    kept = Kept(files, clips=True, picture=picture)
    situation = replace(person.table.situation(), kept=kept)
    state = present(situation, person.view)
    assert isinstance(state, ChallengeState)
    assert seen == [files[1]]
    assert state.picture is not None
    assert state.picture.note.startswith("card turned over, after")
    assert state.pages == 2
    assert state.lines[0].value == "touch"
    assert state.lines[0].key is not None
    assert state.lines[0].key.action == a.Show(a.Panel.EVIDENCE, str(seq))
    clip = next(key for key in state.frame.bottom.keys if key.label == "Keep clip")
    challenged = next(e for e in reversed(person.match.entries) if e.kind == "clock" and
                      e.answer.get("event") == "challenged")  # fmt: skip
    assert clip.action == a.KeepClip(challenged.seq)


def test_a_picture_that_cannot_be_read_is_named(person: Any) -> None:
    """A file that somebody deleted leaves its place, and the challenge stands."""
    person.to_round()
    person.touch(OpenChallenge("Jaws"))
    file = EvidenceFile(1, Occasion.ZERO, EvidencePart.AT, "2026-11-21T19:34:05.000Z")
    situation = replace(person.table.situation(), kept=Kept((file,)))
    state = present(situation, person.view)
    assert isinstance(state, ChallengeState)
    assert state.picture is not None
    assert state.picture.note == f"{file.short} cannot be read."


# -- late cards ----------------------------------------------------------------------------


def test_a_late_card_asks_whose_it_is_with_the_evidence(person: Any) -> None:
    """At hands off already: a key for each of the team; the touched one is ruled on and logged."""
    state = sensed_lock(person)
    assert state.frame.bottom.message.second == "A late card is named and waits for you."
    state = lay(person, 1, 3, after_s=0.18)
    assert isinstance(state, RoundState)
    refusal = state.frame.refusal
    assert refusal is not None
    assert refusal.key is not None
    assert refusal.text == "Late card: Paws 3. Whose?"
    assert refusal.way_out == "Laid 0.180 s ± 2 ms after zero"
    assert [key.label for key in (refusal.key, *refusal.more)] == ["Cleo", "Dan", "In time"]
    after = person.touch(refusal.more[0].action)
    assert after.frame.refusal.code == "JP-E20"
    assert "returns to the hand, not played" in after.frame.refusal.text
    assert not person.table.refereed().late.waiting
    line = in_the_log(person)[-1]
    assert line.text == (
        "Reported: Dan laid a card late, at least 178 ms after the buzzer, on section 3"
    )
    detail = person.touch(a.Show(a.Panel.LOG)) and person.touch(a.SelectLine(line.seq))
    assert "Reason: slot sensor Paws 3: laid 0.180 s ± 2 ms after zero" in detail.details


def test_a_card_that_was_there_in_time_is_let_lie(person: Any) -> None:
    """A sensor may be wrong: people say so, the log keeps who did, and the card is asked for."""
    sensed_lock(person)
    state = lay(person, 1, 3, after_s=0.18)
    lines = len(person.match.entries)
    key = state.frame.refusal.more[-1]
    assert person.touch(key.action).frame.refusal is None
    assert not person.table.refereed().late.waiting
    *_, noted = person.match.entries[lines:]
    said = noted.answer
    assert (said["event"], said["by"]) == ("card in time", "table")
    assert (said["card"], said["seen_by"]) == ("Paws 3", "sensor")
    assert "no late card waits" in person.touch(key.action).frame.refusal.way_out
    assert len(person.match.entries) == lines + 1
    assert in_the_log(person)[-1].text == "Card Paws 3 in time: the arbiter"


def test_several_late_cards_wait_in_a_row(person: Any) -> None:
    """Each is named, one after another, and each is ruled on by its own touch."""
    sensed_lock(person)
    lay(person, 1, 3, after_s=0.18)
    state = lay(person, 0, 1, after_s=0.4)
    assert state.frame.refusal.text == "Late card: Paws 3. Whose? (1 of 2)"
    state = person.touch(state.frame.refusal.key.action)
    assert "not played" in state.frame.refusal.text
    assert person.go_on().frame.refusal.text == "Late card: Jaws 1. Whose?"


def test_a_late_card_that_waits_no_longer_is_refused_in_words(person: Any) -> None:
    """Two fingers on its key: the second one is told so, and nothing is reported twice."""
    sensed_lock(person)
    key = lay(person, 1, 3, after_s=0.18).frame.refusal.key
    person.touch(key.action)
    lines = len(person.match.entries)
    state = person.touch(key.action)
    assert "no late card waits" in f"{state.frame.refusal.text} {state.frame.refusal.way_out}"
    assert len(person.match.entries) == lines


def test_a_late_card_of_nobody_there_is_refused_in_words(person: Any) -> None:
    """The other team lays no cards on this track."""
    sensed_lock(person)
    late = lay(person, 1, 3, after_s=0.18).frame.refusal.key.action.late
    state = person.touch(RuleLate(late, "JP"))
    assert "lays no cards for Paws" in state.frame.refusal.text
    assert person.table.refereed().late.waiting == (late,)


# -- whence an answer came -----------------------------------------------------------------


def test_the_lock_and_the_log_name_the_sensor(person: Any) -> None:
    """Empty by the sensor's word; a hand that tells otherwise takes the word from it."""
    sensed_lock(person)
    state = person.wait(SETTLED_S + 0.1)
    assert isinstance(state, RoundState), "hands off stands until somebody has seen it"
    state = person.go_on()
    assert isinstance(state, LockState)
    notes = {(t.side.name, s.label): s.note for t in state.teams for s in t.sections}
    assert notes["Jaws", "1"] == "sensor: empty"
    assert notes["Paws", "2"] == ""
    assert {line.source for line in in_the_log(person)} == {"slot sensor"}
    assert person.match.entries[-1].source == SENSOR
    state = person.touch(state.teams[0].sections[0].keys[0].key.action)
    changed = state.teams[0].sections[0]
    assert changed.note != "sensor: empty"


def test_pictures_kept_with_a_ruling_are_one_touch_from_it(person: Any) -> None:
    """Of the answer that brought it; without a picture or a camera there is no key."""
    person.to_section(1, {"jaws/1": "pilot"})
    state = person.answer("reveal/jaws", "SH PL")
    assert isinstance(state, RulingState)
    assert "Evidence" not in [key.label for key in state.frame.bottom.keys]
    seq = person.match.steps[-1].seq
    file = EvidenceFile(seq, Occasion.REVEAL, EvidencePart.AT, "2026-11-21T19:34:05.000Z")
    state = present(replace(person.table.situation(), kept=Kept((file,))), person.view)
    assert state.frame.bottom.keys[-1].label == "Evidence"
    assert state.frame.bottom.keys[-1].action == a.Show(a.Panel.EVIDENCE, str(seq))
