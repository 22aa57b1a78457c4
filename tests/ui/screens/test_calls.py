"""Calls at the screen: a challenge that is opened and decided, a late card that a sensor saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.core.offers import AfterZero, Button, CardEvent, CardMove
from companion.core.ruling import Seat
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion
from companion.referee.late import SENSOR, SETTLED_S
from ui.scene.scene import Scene
from ui.scene.values import KeyLook, Mark, Picture
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.log import LogState
from ui.screens.match.challenge import ChallengeState, to_the_buzzer
from ui.screens.match.lock import LockState
from ui.screens.match.ready import ReadyState
from ui.screens.match.round import Phase, RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import present
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
    verdicts = state.frame.bottom.keys[1:]
    assert [key.label for key in verdicts] == ["Stands", "Corrected", "Replayed"]
    assert {key.look for key in verdicts} == {KeyLook.PLAIN}, "none is proposed"
    held = state.frame.bottom.next
    assert held is not None
    assert held.action is None
    state = person.touch(verdicts[0].action)
    assert state.frame.bottom.keys[1].look is KeyLook.CHOSEN
    held = state.frame.bottom.next
    assert (held.look, held.second) == (KeyLook.HOLD, "clock runs from 12.5 s")
    after = person.go_on()
    assert isinstance(after, RoundState)
    assert after.phase is Phase.RUNNING
    assert person.table.refereed().clock.rest(person.clock()) == pytest.approx(12.5)
    texts = [line.text for line in in_the_log(person)]
    assert "Challenge: Paws, 12.5 s left" in texts
    assert "Challenge decided, stands: Paws, 12.5 s left" in texts


def test_a_challenge_is_opened_by_touch_too(person: Any) -> None:
    """Arbiter, Challenge, who: with a clock or without one; once open, the same key leads back."""
    person.to_lock()
    arbiter = person.touch(a.Show(a.Panel.ARBITER))
    key = next(key for key in arbiter.keys if key.label == "Challenge")
    asked = person.touch(key.action)
    assert person.table.refereed().presses.challenge is not None
    assert isinstance(asked, ArbiterState)
    assert [key.label for key in asked.keys] == ["Jaws", "Paws", "Arbiter"]
    state = person.touch(asked.keys[2].action)
    assert isinstance(state, ChallengeState)
    assert state.band.lines == ("CHALLENGE: THE ARBITER", "PLAY WAITS")
    assert state.band.side is None
    arbiter = person.touch(a.Show(a.Panel.ARBITER))
    assert isinstance(person.touch(arbiter.keys[0].action), ChallengeState)
    assert person.table.refereed().presses.challenge is not None, "nothing is decided by accident"
    assert isinstance(person.touch(DecideChallenge()), LockState)


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
    state = person.touch(a.ChooseVerdict("stands"))
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


def test_pictures_before_and_after_stand_side_by_side(person: Any) -> None:
    """Of the latest line that has any; a touch on one leads to all of them."""
    person.to_round()
    seq = person.match.steps[-1].seq
    at = ("2026-11-21T19:34:05.000Z", "2026-11-21T19:34:07.000Z")
    files = tuple(
        EvidenceFile(seq, Occasion.REVEAL, part, utc)
        for part, utc in zip((EvidencePart.BEFORE, EvidencePart.AFTER), at, strict=True)
    )
    asked: list[Any] = []

    def pair(before: EvidenceFile, after: EvidenceFile) -> tuple[Picture, Picture]:
        asked.append((before, after))
        return Picture(None, 0, (4, 3)), Picture(None, 1, (4, 3))

    person.touch(OpenChallenge("Jaws"))
    kept = Kept(files, clips=True, pair=pair)
    state = present(replace(person.table.situation(), kept=kept), person.view)
    assert isinstance(state, ChallengeState)
    assert asked == [files]
    assert [one.note.partition(", ")[2] for one in state.pictures] == ["before it", "after it"]
    assert state.shown == a.Show(a.Panel.EVIDENCE, str(seq))


def test_a_picture_that_cannot_be_read_is_named(person: Any) -> None:
    """A file that somebody deleted leaves its place, and the challenge stands."""
    person.to_round()
    person.touch(OpenChallenge("Jaws"))
    file = EvidenceFile(1, Occasion.ZERO, EvidencePart.AT, "2026-11-21T19:34:05.000Z")
    situation = replace(person.table.situation(), kept=Kept((file,)))
    state = present(situation, person.view)
    assert isinstance(state, ChallengeState)
    assert [one.note for one in state.pictures] == [f"{file.short} cannot be read."]


def test_each_side_says_what_happened_by_touch(person: Any) -> None:
    """The line that is meant and both claims are chosen, kept in the log and shown again."""
    person.to_section(1, {"jaws/1": "pilot"})
    person.answer("reveal/jaws", "SH PL")
    person.read_rulings()
    state = person.touch(OpenChallenge("Paws"))
    assert [line.name for line in state.claims] == ["Paws", "Jaws"]
    which = state.lines[0].key
    assert which is not None
    listed = person.touch(which.action)
    state = person.touch(listed.keys[1].action)
    assert isinstance(state, ChallengeState)
    assert state.lines[0].value == "disputed"
    for n, words in ((0, "It is recorded wrong."), (1, "It is as recorded.")):
        told = state.claims[n].key
        assert told is not None
        keys = person.touch(told.action).keys
        assert isinstance(keys[-1].action, a.TypeClaim)
        state = person.touch(next(key for key in keys if key.label == words).action)
    assert [line.value for line in state.claims] == [
        "It is recorded wrong.",
        "It is as recorded.",
    ]
    noted = [entry.answer for entry in person.match.entries if entry.kind == "clock"]
    assert [said["claim"] for said in noted if said["event"] == "claimed"] == [
        "It is recorded wrong.",
        "It is as recorded.",
    ]


def test_what_is_corrected_comes_back_to_the_challenge(person: Any) -> None:
    """Corrected asks what corrects it; once that is done the challenge is decided by a hold."""
    person.to_lock()
    person.answer("lock/jaws/1", {"pilot": 1, "gunner": 0})
    person.touch(OpenChallenge("Jaws"))
    asked = person.touch(a.ChooseVerdict("corrected"))
    assert isinstance(asked, ArbiterState)
    assert asked.keys[0].label == "Amend it"
    state = person.touch(a.Undo(person.match.last_act))
    while isinstance(state, RulingState):
        state = person.go_on()
    assert isinstance(state, ChallengeState)
    assert state.frame.bottom.keys[2].second == "1 correction"
    assert isinstance(person.go_on(), LockState)
    assert person.match.entries[-1].answer["verdict"] == "corrected"


def test_what_is_replayed_goes_back_to_before_the_round(person: Any) -> None:
    """Both teams say ready again, and the clock has all of its time."""
    person.to_round()
    person.wait(7.5)
    state = person.touch(OpenChallenge("Jaws"))
    assert state.frame.bottom.keys[3].second == "Round 1 again"
    state = person.touch(a.ChooseVerdict("replayed"))
    state = person.go_on()
    while isinstance(state, RulingState):
        state = person.go_on()
    assert person.table.refereed().presses.challenge is None
    person.answer("ready/jaws", "ready")
    state = person.answer("ready/paws", "ready")
    assert isinstance(state, RoundState)
    assert person.table.refereed().clock.rest(person.clock()) == pytest.approx(20.0)


def test_who_challenges_is_asked_once_the_clock_stands(person: Any) -> None:
    """A touch by mistake is taken back by nobody's name, and the clock goes on."""
    person.to_round()
    person.wait(5.0)
    asked = person.touch(OpenChallenge())
    assert isinstance(asked, ArbiterState)
    assert not person.table.refereed().clock.running
    state = person.touch(asked.frame.bottom.keys[0].action)
    assert isinstance(state, RoundState)
    assert person.table.refereed().clock.running
    asked = person.touch(OpenChallenge())
    state = person.touch(asked.keys[1].action)
    assert isinstance(state, ChallengeState)
    assert state.band.lines[0] == "CHALLENGE: PAWS"


def test_a_first_ruling_may_be_objected_to_for_a_while(person: Any) -> None:
    """The edge shrinks, one touch opens a challenge; then it is official, and Done skips it all."""
    person.table.set_setting("reversal_s", 10)
    person.to_section(1, {"jaws/1": "pilot"})
    state = person.answer("reveal/jaws", "SH PL")
    assert isinstance(state, RulingState)
    assert state.objection == 1.0
    state = person.wait(4.0)
    assert state.objection == 0.6
    message = state.frame.bottom.message
    assert "First ruling" in (message.first, message.second), "no more has room beside the key"
    keys = {key.label: key.second for key in state.frame.bottom.keys}
    assert keys["Object"] == "6 s left", "whatever counts have the room of the message"
    state = person.wait(7.0)
    assert state.objection is None
    assert "Object" not in [key.label for key in state.frame.bottom.keys]
    assert not isinstance(person.read_rulings(), RulingState)


def test_an_undo_names_the_player_it_goes_back_to_and_no_code(person: Any) -> None:
    """What was discarded is the Jaws Pilot's, not Jp's."""
    person.to_section(1, {"jaws/1": "pilot"})
    scene = Scene(person.table.situation(), person.view)
    places = [scene.line_in_words(e.seq) for e in person.match.entries if e.key]
    words = {word for place in places for word in place.split(" · ")}
    assert not words & {"Jp", "Jg", "Pp", "Pg"}
    assert words & {"Jaws Pilot", "Paws Pilot", "Jaws", "Paws"}


def test_without_a_time_to_object_a_ruling_is_as_before(person: Any) -> None:
    """Off by default: no table is slowed that did not ask for it."""
    person.to_section(1, {"jaws/1": "pilot"})
    state = person.answer("reveal/jaws", "SH PL")
    assert isinstance(state, ReadyState)
    assert state.deeds
    assert "Object" not in [key.label for key in state.frame.bottom.keys]


def test_the_screen_says_how_many_challenges_are_left(person: Any) -> None:
    """A lost one costs one; whoever has none left is heard by the arbiter."""
    person.table.set_setting("challenges", 1)
    person.to_round()
    asked = person.touch(OpenChallenge())
    assert [key.second for key in asked.keys[:2]] == ["1 challenge left", "1 challenge left"]
    state = person.touch(asked.keys[0].action)
    assert state.band.lines[0] == "CHALLENGE: JAWS, 1 LEFT"
    person.touch(a.ChooseVerdict("stands"))
    person.go_on()
    asked = person.touch(OpenChallenge())
    assert asked.keys[0].second == "none left: the arbiter hears it"
    assert asked.keys[1].second == "1 challenge left"


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
    assert "by slot sensor" in {line.source for line in in_the_log(person)}
    assert person.match.entries[-1].source == SENSOR
    state = person.touch(state.teams[0].sections[0].keys[0].key.action)
    changed = state.teams[0].sections[0]
    assert changed.note != "sensor: empty"


def test_pictures_kept_with_a_ruling_are_one_touch_from_it(person: Any) -> None:
    """Of the answer that brought it; without a picture or a camera there is no key."""
    person.to_section(1, {"jaws/1": "pilot"})
    person.answer("reveal/jaws", "SH PL")
    state = person.touch(a.Show(a.Panel.RULED, "0"))
    assert isinstance(state, RulingState)
    assert "Evidence" not in [key.label for key in state.frame.bottom.keys]
    seq = person.match.steps[-1].seq
    file = EvidenceFile(seq, Occasion.REVEAL, EvidencePart.AT, "2026-11-21T19:34:05.000Z")
    state = present(replace(person.table.situation(), kept=Kept((file,))), person.view)
    assert state.frame.bottom.keys[-1].label == "Evidence"
    assert state.frame.bottom.keys[-1].action == a.Show(a.Panel.EVIDENCE, str(seq))


# What a challenge shows: claims of all, pictures, the paragraph.


def tab(person: Any, part: str) -> Any:
    return person.touch(a.Show(a.Panel.CHALLENGE, part))


def test_what_was_looked_at_goes_with_a_challenge_that_is_decided_by_a_button(person: Any) -> None:
    """Nobody is asked who challenges then: the match goes on."""
    person.to_round()
    person.touch(OpenChallenge("Jaws"))
    assert tab(person, "pictures").tab == "pictures"
    person.table.refereed().decide(person.clock(), None)
    assert isinstance(person.go_on(), RoundState)


def test_a_part_that_a_challenge_has_not_shows_its_claims(person: Any) -> None:
    """An old touch may name anything."""
    person.to_round()
    person.touch(OpenChallenge("Jaws"))
    for part in ("nothing", "claim/Nobody"):
        assert tab(person, part).tab == ""


def test_the_keys_that_decide_stay_in_sight_with_claims_pictures_and_paragraph(person: Any) -> None:
    """Each of the three has a key that says what is behind it."""
    person.to_section(1, {"jaws/1": "pilot"})
    person.answer("reveal/jaws", "SH PL")
    person.read_rulings()
    bottom = person.touch(OpenChallenge("Paws")).frame.bottom
    told = []
    for part in ("pictures", "paragraph", ""):
        state = tab(person, part)
        assert state.frame.bottom == bottom
        told.append([(key.label, key.second) for key in state.tabs])
    assert told[0][0] == ("Claims", "0 of 2 told")
    assert told[0][1] == ("Pictures", "none kept")
    assert told[0] == told[1] == told[2]
    ruled, *paragraphs = tab(person, "paragraph").paragraphs
    assert ruled.head.startswith("Ruled: ")
    assert paragraphs
    assert all(one.text for one in paragraphs)


def test_every_player_of_six_has_a_claim(new_person: Any, tmp_path: Path) -> None:
    """Whoever challenges speaks first."""
    person = new_person(tmp_path)
    seats = {Seat(seat): f"P{seat}" for seat in "ABCDEF"}
    person.table.new_match(Setup("dogfight-hex", options={"players": 6}, seats=seats))
    person.table.checked = True
    state = person.touch(OpenChallenge("C"))
    assert [line.name for line in state.claims] == [f"P{seat}" for seat in "CABDEF"]
    keys = person.touch(state.claims[5].key.action).keys
    assert isinstance(keys[-1].action, a.TypeClaim)


def test_each_other_answer_may_be_claimed_page_by_page(person: Any) -> None:
    """Of a pad of cards all of them; what is typed is on every page."""
    person.to_section(1, {"jaws/1": "pilot"})
    person.answer("reveal/jaws", "SH PL")
    person.read_rulings()
    person.touch(OpenChallenge("Paws"))
    state, words = tab(person, "claim/Jaws"), []
    for n in range(state.pages):
        state = person.touch(a.TurnPage(1)) if n else state
        assert isinstance(state.keys[-1].action, a.TypeClaim)
        words += [key.label for key in state.keys[:-1]]
    assert state.pages > 1
    assert {"It is as recorded.", "It was Shoot PC.", "It was own plane Left."} <= {*words}
    assert len(words) == len({*words})


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (-3.0, ""),  # before the phase
        (5.0, "15.0 s before the buzzer"),
        (8.0, "the clock stood at 12.5 s"),
        (95.0, "the clock stood at 12.5 s"),
        (105.0, "7.5 s before the buzzer"),
        (113.0, "0.5 s after the buzzer"),
        (500.0, ""),
    ],
)
def test_a_picture_has_its_time_to_the_buzzer(second: float, words: str) -> None:
    """A phase that stood from its 7.5th second to its 100th, and sounded at 112.5 s."""
    evening = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)

    def at(seconds: float) -> str:
        return f"{evening + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"

    told: Sequence[tuple[float, dict[str, Any]]] = (
        (0.0, {"event": "started", "rest_s": 20.0}),
        (7.5, {"event": "challenged", "rest_s": 12.5, "stopped": True}),
        (7.6, {"event": "claimed", "by": "Jaws", "claim": "late"}),
        (100.0, {"event": "decided", "rest_s": 12.5}),
        (100.0, {"event": "resumed", "rest_s": 12.5}),
        (112.6, {"event": "sounded", "before_s": 0.1}),
    )
    entries = [
        Entry(n, "clock", "round-1/locked", said, at_utc=at(seconds))
        for n, (seconds, said) in enumerate(told)
    ]
    file = EvidenceFile(1, Occasion.CHALLENGE, EvidencePart.AT, at(second))
    assert to_the_buzzer(entries, file) == words
