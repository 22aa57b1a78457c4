"""Disputes: whose claim each is, however many there are, and what is told once they are decided."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.core.errors import RecordReadOnly
from companion.core.offers import Stamp
from companion.core.ruling import Move, Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, playing
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion
from companion.referee.challenge import Verdict
from ui.samples.match import CHALLENGE, EVIDENCE
from ui.scene.theme import Light, Theme
from ui.scene.values import Alert, Band, Picture
from ui.screens.arbiter.log import LogState
from ui.screens.match.challenge import ChallengeState, Quoted, QuotedPart, Tab
from ui.screens.registry import parts_of, present, screen_of
from ui.table.evidence import Kept
from ui.touch import actions as a
from ui.touch.actions import OpenChallenge
from ui.widgets.box import Box
from ui.widgets.teams import CallPart

SIZES = ((800, 480), (1280, 720), (480, 800), (720, 1280))
LONGEST = "The plane stood on the other space before anybody had turned over the second car"
NAMES = (
    "Donaudampfschifffahr", "Wilhelmine Hohenzoll", "Annabel", "Bo", "Cleopatra", "Dan",
)  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", [2, 3, 4, 5, 6])
def test_every_claim_has_its_name_however_many_there_are(
    make_sheet: Callable[[Theme], Any], judge: Any, number: int, size: tuple[int, int]
) -> None:
    """Long names, claims as long as they may be: all is written whole."""
    claim = CHALLENGE.claims[0]
    claims = tuple(replace(claim, name=name, value=LONGEST) for name in NAMES[:number])
    lines = (f"CHALLENGE: {NAMES[1].upper()}, 2 LEFT", "THE CLOCK STANDS AT 12.4 s")
    state = replace(CHALLENGE, claims=claims, band=Band(lines, claim.side))
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    assert list(judge.all(sheet)) == []
    assert {*NAMES[:number]} <= {text.text for _, text in sheet.written()}


@pytest.mark.parametrize("size", SIZES)
def test_no_line_of_the_band_is_larger_than_the_one_over_it(
    make_sheet: Callable[[Theme], Any], size: tuple[int, int]
) -> None:
    """A long name makes the first line small."""
    band = Band((f"CHALLENGE: {NAMES[0].upper()}", "THE CLOCK STANDS AT 12.4 s"))
    state = replace(CHALLENGE, band=band)
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    assert isinstance(sheet.parts["call"], CallPart)
    caps = [text.caps_u for name, text in sheet.written() if name == "call"]
    assert caps == sorted(caps, reverse=True)


def test_a_player_of_a_challenge_is_told_by_name_and_nobody_who_does_not_play(
    new_person: Any, tmp_path: Path
) -> None:
    """Two ships at a table that has seats for six."""
    person = new_person(tmp_path)
    seats = {Seat("A"): "Ana", Seat("B"): "Bo"}
    person.table.new_match(Setup("starship-edition", options={"players": 2}, seats=seats))
    person.table.checked = True
    person.go_on()
    asked = person.touch(OpenChallenge())
    assert [key.label for key in asked.keys] == ["Ana", "Bo", "Arbiter"]
    state = person.touch(asked.keys[1].action)
    assert state.band.lines[0] == "CHALLENGE: BO"
    assert [line.name for line in state.claims] == ["Bo", "Ana"]
    claimed = person.touch(state.claims[1].key.action)
    assert claimed.lead == "What does Ana say?"


# A decided challenge, as its line of the log opens it.


def decided(person: Any, verdict: Verdict | None) -> int:
    """A challenge of a reveal with both claims, decided; the line that it disputes."""
    person.to_section(1, {"jaws/1": "pilot"})
    person.answer("reveal/jaws", "SH PL")
    seq: int = person.match.steps[-1].seq
    person.touch(OpenChallenge("Paws"))
    calls = person.table.refereed().presses
    calls.dispute(5.0, seq)
    calls.claim(5.0, Seat("Paws"), "the card said PC")
    calls.claim(5.0, Seat("Jaws"), LONGEST)
    if verdict is Verdict.CORRECTED:
        referee = person.table.refereed()
        referee.commit(referee.amend(seq, "SH PC", "misread"), 6.0)
    person.touch(a.DecideChallenge(str(verdict) if verdict is not None else ""))
    return seq


def opened(person: Any) -> Any:
    """What the newest line of the log opens, by a touch."""
    state = person.touch(a.Show(a.Panel.LOG))
    line = next(one for one in reversed(state.lines) if one.text.startswith("Challenge decided"))
    return person.touch(line.key.action)


def test_the_line_of_a_decided_challenge_opens_all_that_it_rested_on(person: Any) -> None:
    """Claims, what was disputed, what came of it; pictures or a word that there are none."""
    seq = decided(person, Verdict.STANDS)
    state = opened(person)
    assert isinstance(state, ChallengeState)
    assert state.band.lines == ("CHALLENGE: PAWS", "WHAT WAS RULED STANDS")
    assert [(one.name, one.value) for one in state.claims] == [
        ("Paws", "the card said PC"),
        ("Jaws", LONGEST),
    ]
    assert all(one.key is None for one in (*state.claims, *state.lines))
    assert state.lines[0].value.startswith("Section 1 · Reveal · Jaws: Shoot PL")
    assert state.lines[1].value.startswith("Nothing.")
    amend = state.frame.bottom.keys[1]
    assert amend.action == a.Show(a.Panel.AMEND, str(seq))
    pictures = person.touch(state.tabs[1].action)
    assert [one.note for one in pictures.pictures] == ["No picture was kept: no camera looked."]
    paragraph = person.touch(pictures.tabs[2].action)
    assert paragraph.paragraphs
    assert "JP-" in paragraph.book.part
    assert isinstance(person.touch(a.Back()), LogState), "one way back, whatever was looked at"


def test_what_was_changed_by_a_decision_is_told(person: Any) -> None:
    """An amended answer with what it had said and what it says now, in words."""
    decided(person, Verdict.CORRECTED)
    state = opened(person)
    assert state.band.lines[1] == "IT IS CORRECTED"
    assert state.lines[1].value.endswith("Section 1 · Reveal · Jaws: Shoot PL, now Shoot PC")


def test_a_correction_that_was_taken_back_after_the_decision_is_told_as_such(person: Any) -> None:
    """In the dispute and in the log, where its line is struck and the undo names it."""
    decided(person, Verdict.CORRECTED)
    amend = next(one for one in person.match.entries if one.kind == "amend")
    person.touch(a.Undo(amend.seq))
    assert opened(person).lines[1].value.endswith("(taken back since)")
    lines = {line.seq: line for line in person.touch(a.Back()).lines}
    assert lines[amend.seq].taken_back
    assert lines[amend.seq].text.endswith("Shoot PL, now Shoot PC")
    last = lines[len(person.match.entries) - 1]
    assert last.text == "Undone: the amend of Section 1 · Reveal · Jaws"


def test_what_people_say_of_a_challenge_is_not_said_by_the_clock(person: Any) -> None:
    """A claim is its side's, a pause somebody's word; only what runs by itself is the clock's."""
    decided(person, Verdict.STANDS)
    lines = person.touch(a.Show(a.Panel.LOG)).lines
    told = [line for line in lines if line.text.startswith(("Challenge", "Claim", "Disputed"))]
    assert told
    assert {line.source for line in told} == {""}


def test_pictures_of_a_decided_challenge_are_those_of_its_line(person: Any) -> None:
    """Before and after; of another moment none is shown."""
    seq = decided(person, Verdict.STANDS)
    files = tuple(
        EvidenceFile(at, Occasion.REVEAL, part, f"2026-11-21T19:34:0{n}.000Z")
        for at in (seq, seq + 1)
        for n, part in enumerate((EvidencePart.BEFORE, EvidencePart.AFTER))
    )
    opened(person)
    view = person.view.opened(a.Panel.EVIDENCE, f"{person.view.part}pictures")
    state = present(replace(person.table.situation(), kept=Kept(files)), view)
    assert isinstance(state, ChallengeState)
    assert len(state.pictures) == 2
    assert state.shown == a.Show(a.Panel.EVIDENCE, str(seq))


@pytest.mark.parametrize("size", SIZES)
def test_a_decided_challenge_is_judged_in_all_sizes(
    person: Any, make_sheet: Callable[[Theme], Any], judge: Any, size: tuple[int, int]
) -> None:
    """Texts whole and apart, with each of its tabs."""
    decided(person, Verdict.CORRECTED)
    state = opened(person)
    sheet = make_sheet(Theme(Light.NIGHT, size_px=size))
    for tab in state.tabs:
        shown = person.touch(tab.action)
        sheet.show(screen_of(shown), parts_of(shown, sheet.theme))
        assert list(judge.all(sheet)) == []


@pytest.mark.parametrize("size", SIZES)
def test_a_long_line_of_the_log_is_whole_over_its_evidence(
    make_sheet: Callable[[Theme], Any], judge: Any, size: tuple[int, int]
) -> None:
    """However much it says."""
    title = "Round 14 · Movement, tier 3 · Donaudampfschifffahr: " + "two ahead, turn right; " * 5
    state = replace(EVIDENCE, title=title)
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    assert list(judge.all(sheet)) == []


def test_any_answer_may_be_disputed_the_latest_first_but_not_that_somebody_was_ready(
    person: Any,
) -> None:
    """Seven a page, and older ones behind them."""
    person.to_section(1, {"jaws/1": "pilot"})
    person.touch(OpenChallenge("Paws"))
    first = person.touch(a.Show(a.Panel.CHALLENGE, "which"))
    turn = next(key for key in first.frame.bottom.keys if key.label == "Older")
    older = person.touch(turn.action)
    seqs = [key.action.seq for state in (first, older) for key in state.keys[:-1]]
    assert seqs == sorted(seqs, reverse=True)
    assert all(state.keys[-1].action == a.DisputeLine(None) for state in (first, older))
    assert not [seq for seq in seqs if "ready" in person.match.entries[seq].key]
    person.touch(a.DisputeLine(seqs[-1]))
    assert person.table.refereed().presses.challenge.line == seqs[-1]


def played_until(box: str, asked: str, seed: int) -> Match[Any]:
    """A match of bots up to a question of that kind; over where none was asked."""
    match = Match[Any].start(Setup(box), Stamp("", "2026-11-21T19:00:00.000Z", 0.0))
    bots = bots_of(match.setup, Random(seed))
    list(takewhile(lambda one: asked not in one.key, playing(match, bots)))
    return match


def moved_in(match: Match[Any]) -> list[int]:
    """The lines that moved a piece from where it stood."""
    return [
        seq
        for seq, _, told in match.ruled_by()
        if any(isinstance(deed, Move) and deed.was for deed in told[-1].deeds)
    ]


def test_a_claim_names_another_answer_without_its_heading_where_no_other_is_called_so(
    new_person: Any, tmp_path: Path
) -> None:
    """It was "No dogfight", not "Nothing No dogfight"; two that are called alike keep theirs."""
    person = new_person(tmp_path)
    match = next(
        played
        for seed in range(20)  # until somebody starts a dogfight by the RANGE of a card
        if (played := played_until("talespin-dogfight", "announce/player-card", seed)).open
    )
    person.take_up(match)
    person.touch(OpenChallenge("A"))
    state = person.touch(a.Show(a.Panel.CHALLENGE, "claim/A"))
    words = [key.label for key in state.keys]
    assert "It was No dogfight." in words
    assert not any("Nothing" in one for one in words)


@pytest.mark.parametrize(
    ("box", "asked"), [("dogfight-hex", "turn-3/declare"), ("dogfight-1917", "fire")]
)
def test_a_disputed_move_is_told_without_coordinates(
    new_person: Any, tmp_path: Path, box: str, asked: str
) -> None:
    """What was ruled, what was said and what is claimed, as hands know it."""
    person = new_person(tmp_path)
    match = next(
        played
        for seed in range(20)  # until somebody has moved a piece that stood elsewhere
        if moved_in(played := played_until(box, asked, seed))
    )
    moved = moved_in(match)
    person.take_up(match)
    person.touch(OpenChallenge("A"))
    person.touch(a.DisputeLine(moved[-1]))
    for part in ("paragraph", "", "claim/A"):
        said = repr(person.touch(a.Show(a.Panel.CHALLENGE, part)))
        words = re.findall(r"(?:text|label|name|value|head)='([^']*)'", said)
        assert words
        assert [one for one in words if re.search(r"\d,-?\d", one)] == []


def test_where_nothing_was_told_yet_no_other_answer_is_offered(
    new_person: Any, tmp_path: Path
) -> None:
    """A dispute before the first answer."""
    person = new_person(tmp_path)
    person.table.new_match(Setup("dogfight-1917"))
    person.touch(OpenChallenge("A"))
    line = person.touch(a.Show(a.Panel.CHALLENGE)).lines[0]
    assert (line.name, line.value) == ("Nothing was told yet", "no answer to point at")


# A decision that was a mistake.


def test_a_decision_is_taken_back_in_three_touches(person: Any) -> None:
    """Arbiter, Take back, a reason held; then its challenge is open, with what was said."""
    decided(person, Verdict.REPLAYED)
    person.table.arbiter = "Judy"
    steps = len(person.match.steps)
    keys = person.touch(a.Show(a.Panel.ARBITER)).keys
    key = next(key for key in keys if key.label == "Take back")
    assert key.second == "the decision: replayed"
    asked = person.touch(key.action)
    assert asked.lead == "Why is “replayed” taken back?"
    assert asked.lines[0].name == "What it changed stands as before."
    assert asked.lines[0].value == "The challenge is open."
    person.touch(asked.keys[0].action)
    assert len(person.match.steps) > steps
    assert person.table.refereed().presses.challenge.said_by("Jaws") == LONGEST
    state = person.touch(a.Show(a.Panel.CHALLENGE))
    assert isinstance(state, ChallengeState)
    person.touch(a.Back())
    lines = person.touch(a.Show(a.Panel.LOG)).lines
    struck = [line for line in lines if line.taken_back]
    assert "Challenge decided, replayed: Paws" in [line.text.partition(",  ")[0] for line in struck]
    assert lines[-1].text.startswith("Decision taken back: replayed; open again")
    assert any(line.text.startswith("As it stood before the undo to ") for line in lines)


@pytest.mark.parametrize("size", SIZES)
def test_taking_a_decision_back_is_judged_in_all_sizes(
    person: Any, make_sheet: Callable[[Theme], Any], judge: Any, size: tuple[int, int]
) -> None:
    """The keys of the arbiter with that one, the reasons, and what had two decisions."""
    decided(person, Verdict.CORRECTED)
    person.table.arbiter = "Judy"
    sheet = make_sheet(Theme(Light.NIGHT, size_px=size))
    seen = [person.touch(a.Show(a.Panel.ARBITER))]
    take_back = next(key for key in seen[0].keys if key.label == "Take back")
    seen.append(person.touch(take_back.action))
    person.touch(seen[1].keys[0].action)
    person.touch(a.DecideChallenge(str(Verdict.STANDS)))
    seen.append(opened(person))
    assert seen[2].band.lines[1] == "WHAT WAS RULED STANDS, WAS CORRECTED"
    for shown in seen:
        sheet.show(screen_of(shown), parts_of(shown, sheet.theme))
        assert list(judge.all(sheet)) == []


@pytest.mark.parametrize("size", SIZES)
def test_withdraw_does_not_touch_the_edges_of_its_key(
    make_sheet: Callable[[Theme], Any], judge: Any, size: tuple[int, int]
) -> None:
    """It is longer than Undo, whose place it has."""
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show(screen_of(CHALLENGE), parts_of(CHALLENGE, sheet.theme))
    assert list(judge.all(sheet)) == []
    label = CHALLENGE.frame.bottom.keys[0].label
    box = sheet.parts["bottom/0"].box
    (text,) = [text for name, text in sheet.written() if (name, text.text) == ("bottom/0", label)]
    assert text.ink.x - box.x >= 5.0
    assert box.right - text.ink.right >= 5.0


# What is in trouble meanwhile.


@pytest.mark.parametrize("size", SIZES)
def test_a_dispute_hides_no_trouble(
    person: Any,
    make_sheet: Callable[[Theme], Any],
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
) -> None:
    """On every page beside it: that nothing is on disk, and who called."""

    def full(*_lines: object) -> None:
        raise RecordReadOnly("the disk is full", "make room", place="m.sqlite")

    person.to_round()
    referee = person.table.refereed()
    monkeypatch.setattr(referee, "_keeping", replace(referee._keeping, append=full))
    person.touch(OpenChallenge("Paws"))
    sheet = make_sheet(Theme(Light.NIGHT, size_px=size))
    ways = [a.Show(a.Panel.CHALLENGE, "claim/Jaws"), a.Show(a.Panel.CHALLENGE, "which")]
    for way in (*ways, a.Show(a.Panel.LOG), a.Show(a.Panel.DEVICES)):
        state = person.touch(way)
        assert not isinstance(state, ChallengeState)
        sheet.show(screen_of(state), parts_of(state, sheet.theme))
        top = " ".join(text.text for name, text in sheet.written() if name.startswith("top/"))
        assert "Not on disk yet" in top
        assert "CHALLENGE: Paws" in top
        assert not [text for name, text in sheet.written() if name.startswith("top/") and text.cut]


def test_pictures_lie_beside_or_over_each_other_whichever_shows_them_larger(
    make_sheet: Callable[[Theme], Any],
) -> None:
    """Boards drawn flat are nearly square, so upright they lie beside each other."""
    drawn = np.zeros((1200, 1300, 3), np.uint8)
    flat = Picture(drawn, 0, (1300, 1200), note="127.4 s after the buzzer")
    wide = replace(flat, image=drawn[:500], size_px=(1600, 500))
    for picture, beside in ((flat, True), (wide, False)):
        state = replace(CHALLENGE, tab=Tab.PICTURES, pictures=(picture, picture))
        sheet = make_sheet(Theme(Light.NIGHT, size_px=(480, 800)))
        sheet.show("Challenge", parts_of(state, sheet.theme))
        first, second = sheet.parts["picture/0"], sheet.parts["picture/1"]
        assert (first.box.y == second.box.y) is beside
        assert first.shown_wide > 200
        notes = [text for _, text in sheet.written() if text.text == picture.note]
        assert [text.cut for text in notes] == [False, False]


def test_a_paragraph_without_room_is_named_and_the_others_are_as_large_as_there_is_room(
    make_sheet: Callable[[Theme], Any],
) -> None:
    """In full where they fit; what is not told in full is opened by a touch."""
    said = Quoted("JP-14.1 · Shoot cards", "A card is aimed at one zone of your own boards. " * 5)
    sheet = make_sheet(Theme(Light.NIGHT, size_px=(800, 480)))
    for many in (1, 2, 9):
        quoted = (Quoted("Ruled: it hits."), *(said,) * many)
        sheet.show("Challenge", {"told": QuotedPart(box=Box(10, 60, 700, 320), quoted=quoted)})
        told = [text for _, text in sheet.written()]
        named = sum(text.text == said.head for text in told)
        assert not [text for text in told if text.cut]
        whole = sum(text.text == said.text for text in told)
        assert (whole == many) is (many < 9)
        assert whole == named if many < 9 else 0 < whole <= named
        assert (max(text.caps_u for text in told) > 19) is (many == 1)


def test_a_claim_is_told_as_large_as_its_room_allows(
    make_sheet: Callable[[Theme], Any],
) -> None:
    """Both sides stand before the screen and read what the other said."""
    sheet = make_sheet(Theme(Light.NIGHT, size_px=(800, 480)))
    for words, caps in (("It was Shoot PL.", 26), (LONGEST, 15)):
        claims = tuple(replace(line, value=words) for line in CHALLENGE.claims)
        sheet.show("Challenge", parts_of(replace(CHALLENGE, claims=claims), sheet.theme))
        told = [text for name, text in sheet.written() if name == "claim/0" and text.text == words]
        assert [text.cut for text in told] == [False]
        assert told[0].caps_u >= caps


def test_what_came_of_a_dispute_is_told_where_a_refusal_has_the_place_of_its_band(
    person: Any,
) -> None:
    """In the top bar, as while it is open."""
    decided(person, Verdict.STANDS)
    opened(person)
    refusal = Alert("The Jaws plane stands elsewhere.", "Put it back.", "JP-E67", "JP-21.2")
    person.view = replace(person.view, refusal=refusal)
    state = person.state
    assert state.frame.refusal is not None
    assert state.frame.top.where == "CHALLENGE: PAWS · WHAT WAS RULED STANDS"
