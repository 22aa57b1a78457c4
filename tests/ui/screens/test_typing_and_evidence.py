"""What is typed letter by letter, and what is said of the pictures kept with a line."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.question import Declare
from companion.core.ruling import TABLE, Cite
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion
from ui.scene.values import KeyLook, Mark
from ui.screens.arbiter import amend, evidence
from ui.screens.beside.naming import ARBITER, LONGEST, NamingState, SearchState, TitleState
from ui.table.evidence import Kept
from ui.touch import actions as a

PILOT = a.EditName("seat.JP", "Jaws Pilot", "Jaws")


def typed(state: Any, letters: str) -> Any:
    for letter in letters:
        state = state.after(a.TypeLetter(letter))
    return state


def test_a_name_begins_each_of_its_words_with_a_capital() -> None:
    assert typed(NamingState(PILOT), "ann-marie o'neil").text == "Ann-Marie O'neil"
    assert typed(NamingState(PILOT), "McA").text == "McA"
    assert typed(NamingState(PILOT), "ßa").text == "ßa"
    assert len(typed(NamingState(PILOT), "x" * 60).text) == 24


def test_a_name_is_a_choice_of_the_new_match_or_the_arbiters() -> None:
    assert typed(NamingState(PILOT), "ana ").taken == a.SetupChoice("seat.JP", "Ana")
    assert typed(NamingState(ARBITER), "ada ").taken == a.NameArbiter("Ada")


def test_words_to_look_up_stay_as_they_are_typed() -> None:
    state = typed(SearchState("jaws-and-paws"), " sun Moon")
    assert state.text == "sun Moon"
    assert state.taken.panel is a.Panel.FOUND
    assert len(typed(SearchState("jaws-and-paws"), "x" * 60).text) == LONGEST


def test_a_title_begins_with_a_capital_and_has_room_for_so_many_letters() -> None:
    asked = a.AddWords(a.Answer("turn-1/which", 3, "unknown"), "Another card", 9)
    assert typed(TitleState(asked), "tractor Beam").text == "Tractor B"
    assert typed(TitleState(asked), " ").text == ""


@pytest.mark.parametrize(
    "state",
    [
        NamingState(PILOT, "Ana"),
        SearchState("jaws-and-paws", "Ana"),
        TitleState(a.AddWords(a.Answer("k", 1, "x"), "?", 9), "Ana"),
    ],
)
def test_letters_are_erased_and_others_shown(state: Any) -> None:
    assert state.after(a.EraseLetter()).text == "An"
    assert state.after(a.EraseLetter()).after(a.EraseLetter()).after(a.EraseLetter()).text == ""
    assert not state.more
    switched = state.after(a.SwitchLetters())
    assert (switched.more, switched.text) == (True, "Ana")
    assert not switched.after(a.SwitchLetters()).more


# -- evidence ----------------------------------------------------------------------------------


def kept_file(part: EvidencePart) -> EvidenceFile:
    return EvidenceFile(42, Occasion.REVEAL, part, "2026-11-21T19:34:07.250Z")


def test_a_clip_is_no_picture_and_a_lost_file_is_named() -> None:
    clip = kept_file(EvidencePart.CLIP)
    assert evidence._picture(Kept(), clip) is evidence.A_CLIP
    before = kept_file(EvidencePart.BEFORE)
    assert evidence._picture(Kept(), before).note == f"{before.name} cannot be read."
    there = Kept(picture=lambda _: evidence.NOTHING)
    assert evidence._picture(there, before) is evidence.NOTHING


@pytest.mark.parametrize(
    ("kept", "files", "words"),
    [
        (Kept(), (), "Kept: buzzer, reveals, disputes."),
        (Kept(), (kept_file(EvidencePart.BEFORE),), ""),
        (Kept(lost=(1, "disk full")), (), "Once something was not kept."),
        (Kept(lost=(2, "disk full")), (), "Twice something was not kept."),
        (Kept(lost=(3, "disk full")), (), "3 times something was not kept."),
        (Kept(clip_is_due=True, lost=(3, "disk full")), (), "A clip is being kept."),
        (Kept(trouble="no room", clip_is_due=True), (), "The last picture was not kept."),
    ],
)
def test_what_could_not_be_kept_is_said_first(
    kept: Kept, files: tuple[EvidenceFile, ...], words: str
) -> None:
    message = evidence._message(kept, files)
    assert message.first == words
    assert (message.mark is Mark.WARN) == ("not kept" in words)
    assert message.second == (kept.trouble or kept.lost[1] * ("something" in words)
                              or "The seconds after it, too." * ("clip" in words))  # fmt: skip


def test_a_clip_can_be_kept_where_a_camera_looks_and_none_is_on_its_way() -> None:
    none, due, free = (
        evidence._clip_key(kept, 7)
        for kept in (Kept(), Kept(clips=True, clip_is_due=True), Kept(clips=True))
    )
    assert (none.action, none.second, none.look) == (None, "no camera looks", KeyLook.IMPOSSIBLE)
    assert (due.action, due.second) == (None, "one is being kept")
    assert (free.action, free.look) == (a.KeepClip(7), KeyLook.GO)


# -- an amend of several counts ----------------------------------------------------------------


def test_counts_of_parts_are_amended_by_small_pairs() -> None:
    """Three rows of three for two parts; one row for one."""
    two = Declare(key="d", by=TABLE, cite=Cite.of("T-1"), prompt="?", parts=("pilot", "gunner"))
    pad = amend._parts_pad(7, two)
    assert pad.title == "PILOT · GUNNER"
    keys = [(one.row, one.column, one.key.label, one.key.action) for one in pad.keys]
    assert keys == [
        (p, g, f"{p} · {g}", a.AmendTo(7, {"pilot": p, "gunner": g}))
        for p in range(3)
        for g in range(3)
    ]
    one = Declare(key="d", by=TABLE, cite=Cite.of("T-1"), prompt="?", parts=("cards",))
    assert [(key.row, key.column, key.key.label) for key in amend._parts_pad(7, one).keys] == [
        (0, 0, "0"),
        (0, 1, "1"),
        (0, 2, "2"),
    ]
