"""What the camera sees on the screen: offered, confirmed, held, different."""

from __future__ import annotations

from typing import Any

import pytest

from companion.offers import PictureState
from ui.presenters import actions as a
from ui.presenters.cards import CardsState
from ui.presenters.choose import ChooseState
from ui.presenters.common import KeyLook, Mark
from ui.presenters.differ import DifferState
from ui.presenters.ruling import RulingState

START = {"jaws": "Paws.PC", "paws": "Jaws.PC", "sun": "Jaws.GL"}
CARDS = {"jaws/1": "pilot", "paws/1": "gunner"}


def _placing(person: Any, **options: Any) -> Any:
    person.begin(**options)
    return person.answer("toss", "Jaws")


def test_what_sight_offers_lights_its_key_and_waits_for_a_tap(person: Any) -> None:
    """Match option sight=confirm: the zone is lit, the next tap takes it, nothing else does."""
    _placing(person, sight="confirm")
    state = person.see({**START, "sun": "Jaws.PR"})
    lit = [cell.space for board in state.map.boards for cell in board.cells if cell.lit]
    assert lit == ["Jaws.PR"]
    assert state.frame.bottom.next.second == "seen 0.0 s"
    assert isinstance(person.wait(60.0), ChooseState)
    assert isinstance(person.go_on(), RulingState)
    assert person.match.entries[-1].source == "touch"


def test_accept_when_settled_lights_the_key_before_it_counts(person: Any) -> None:
    """0.6 s in which a touch anywhere stops it."""
    _placing(person, sight="accept")
    person.see({**START, "sun": "Jaws.PR"})
    assert isinstance(person.wait(0.5), ChooseState)
    assert isinstance(person.wait(0.2), RulingState)
    assert person.match.entries[-1].source == "camera"


def test_a_touch_on_the_body_stops_what_sight_would_accept(person: Any) -> None:
    """It stays lit and waits for a tap."""
    _placing(person, sight="accept")
    person.see({**START, "sun": "Jaws.PR"})
    person.touch(a.HoldSight())
    state = person.wait(60.0)
    assert person.is_at(ChooseState)
    assert any(cell.lit for board in state.map.boards for cell in board.cells)


def test_jp_e67_a_piece_elsewhere_opens_table_and_record_differ(person: Any) -> None:
    """Band: what is seen; dashed: the record; three keys to go on, Accept is held."""
    person.to_section(1, CARDS)
    person.see(START)
    state = person.see({**START, "paws": "Jaws.GC"})
    assert person.is_at(DifferState)
    assert state.band.lines == ("PAWS PLANE ON JAWS GC",)
    assert state.band.note.startswith("The record has Jaws PC; legal now: ")
    dashed = [(piece.piece, piece.space) for piece in state.map.pieces if piece.dashed]
    assert dashed == [("paws", "Jaws.PC")]
    assert [key.look for key in state.frame.bottom.keys][-1] is KeyLook.HOLD
    assert state.frame.bottom.wide


def test_nothing_differs_while_a_hand_is_there(person: Any) -> None:
    """Once hands are gone, and not before."""
    person.to_section(1, CARDS)
    person.see(START)
    person.see({**START, "paws": "Jaws.GC"}, PictureState.HAND)
    assert person.is_at(CardsState)


def test_a_running_round_is_not_disturbed(person: Any) -> None:
    """A token knocked while cards are laid is told after the buzzer."""
    person.to_round()
    person.see(START)
    state = person.see({**START, "paws": "Jaws.GC"})
    assert state.count == "20"
    person.wait(20.0)
    assert isinstance(person.go_on(), DifferState)


def test_follow_the_record_waits_for_hands(person: Any) -> None:
    """The screen goes; the card waits until the piece is back, or the table trusts the record."""
    person.to_section(1, CARDS)
    person.see(START)
    person.see({**START, "paws": "Jaws.GC"})
    assert isinstance(person.go_on(), CardsState)
    state = person.answer("reveal/jaws", "MPL enemy")
    assert state.frame.refusal.code == "Q-HELD"
    assert state.frame.refusal.key.label == "Without camera"
    person.see(START)
    state = person.answer("reveal/jaws", "MPL enemy")
    assert state.frame.refusal is None


def test_without_camera_goes_on_until_the_next_answer(person: Any) -> None:
    """The way out where the camera is wrong."""
    person.to_section(1, CARDS)
    person.see(START)
    person.see({**START, "paws": "Jaws.GC"})
    person.go_on()
    person.answer("reveal/jaws", "MPL enemy")
    person.touch(a.TrustRecord())
    state = person.answer("reveal/jaws", "MPL enemy")
    assert state.frame.refusal is None


def test_accept_the_table_adjusts_the_record(person: Any) -> None:
    """An arbiter's entry with its reason; the piece stands where it is seen."""
    person.to_section(1, CARDS)
    person.see(START)
    person.see({**START, "paws": "Jaws.GC"})
    person.touch(a.AcceptTable())
    assert person.is_at(CardsState)
    assert person.match.entries[-1].kind == "adjust"
    assert person.match.entries[-1].answer == {"paws": "Jaws.GC"}


def test_the_likeliest_cause_opens_the_fitting_amend(person: Any) -> None:
    """The card that moved the piece last, by its line of the log."""
    person.to_section(1, CARDS)
    person.see(START)
    person.answer("reveal/jaws", "MPL enemy")
    seq = person.match.entries[-1].seq
    person.answer("reveal/paws", "SH PL")
    person.read_rulings()
    person.see({**START, "paws": "Jaws.PL"})
    state = person.see({**START, "paws": "Jaws.GR"})
    assert person.is_at(DifferState)
    amends = [key for key in state.causes if isinstance(key.action, a.Show)]
    assert [key.action for key in amends] == [a.Show(a.Panel.AMEND, str(seq + 1))]
    assert isinstance(state.causes[-1].action, a.FollowRecord)


@pytest.mark.parametrize("space", ["Jaws.PL", "Jaws.PC"])
def test_a_ruled_move_is_ticked_when_it_is_seen(person: Any, space: str) -> None:
    """Seen where it belongs: done. Seen where it was: lagging, and no difference."""
    person.to_section(1, CARDS)
    person.see(START)
    person.answer("reveal/jaws", "MPL enemy")
    person.answer("reveal/paws", "SH PL")
    state = person.see({**START, "paws": space})
    assert person.is_at(RulingState)
    moved = next(line for line in state.lines if line.step == "4")
    assert (moved.mark is Mark.OK) == (space == "Jaws.PL")
