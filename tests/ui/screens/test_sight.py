"""What the camera sees on the screen: offered, confirmed, held, different."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.offers import Button, Offer, PictureState
from companion.core.ruling import Seat
from ui.scene.values import KeyLook, Mark
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.differ import DifferState
from ui.screens.match.cards import CardsState
from ui.screens.match.choose import ChooseState
from ui.screens.match.ready import ReadyState
from ui.screens.match.round import RoundState
from ui.screens.match.ruling import RulingState
from ui.touch import actions as a

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
    assert state.frame.bottom.next.second == "seen now"
    assert isinstance(person.wait(60.0), ChooseState)
    assert isinstance(person.go_on(), ReadyState)
    assert person.match.entries[-1].source == "touch"


def test_accept_when_settled_lights_the_key_before_it_counts(person: Any) -> None:
    """0.6 s in which a touch anywhere stops it."""
    _placing(person, sight="accept")
    person.see({**START, "sun": "Jaws.PR"})
    assert isinstance(person.wait(0.5), ChooseState)
    assert isinstance(person.wait(0.2), ReadyState)
    assert person.match.entries[-1].source == "camera"


def test_a_touch_on_the_body_stops_what_sight_would_accept(person: Any) -> None:
    """It stays lit and waits for a tap."""
    _placing(person, sight="accept")
    person.see({**START, "sun": "Jaws.PR"})
    person.touch(a.HoldSight())
    state = person.wait(60.0)
    assert person.is_at(ChooseState)
    assert any(cell.lit for board in state.map.boards for cell in board.cells)


def test_jp_3_5_the_sun_is_told_by_itself_until_the_camera_sees_it(person: Any) -> None:
    """A hand holds it still: it is told where to put it, not that none is seen."""
    _placing(person)
    person.answer("sun", "Jaws.GL")
    state = person.see({"jaws": "Paws.PC", "paws": "Jaws.PC"}, lost=("sun",))
    assert isinstance(state, RulingState)
    assert state.band.lines == ("Jaws", "Sun to Jaws GL")
    assert state.frame.refusal is None
    state = person.see(START)
    assert isinstance(state, ReadyState)
    assert [band.lines[-1] for band in state.deeds] == ["Sun to Jaws GL", "All: draw 4"]
    assert state.frame.refusal is None


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
    arbiter = next(key for key in state.frame.bottom.keys if key.label == "Arbiter")
    assert isinstance(person.touch(arbiter.action), ArbiterState), "whoever disputes it stops here"
    assert isinstance(person.touch(a.Back()), DifferState)


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


EARLY = {**START, "sun": "Jaws.PL"}


def _told_early(person: Any, sight: str = "confirm") -> Any:
    """The Sun lies on the boards as the box was laid out, before anybody has won the toss."""
    person.begin(sight=sight)
    return person.see(EARLY)


def test_a_piece_laid_early_is_named_so_with_the_way_on_in_one_touch(person: Any) -> None:
    """Nothing says that it was knocked; going on lets it lie, and the toss is asked for."""
    state = _told_early(person)
    assert isinstance(state, DifferState)
    assert state.band.note == "It was laid early: nobody has placed the Sun yet"
    assert [cause.label for cause in state.causes] == ["It was laid out before its turn"]
    person.go_on()
    assert not person.is_at(DifferState)
    assert "set-up/toss" in person.match.open


@pytest.mark.parametrize("way_on", [a.FollowRecord(), a.AcceptTable()])
def test_what_lies_there_early_is_offered_once_it_is_asked_for(person: Any, way_on: Any) -> None:
    """Whichever way out was taken, PLACE THE SUN has the seen zone lit, and waits for a tap."""
    _told_early(person, sight="accept")
    person.touch(way_on)
    person.answer("toss", "Jaws")
    state = person.wait(60.0)
    assert isinstance(state, ChooseState)
    assert state.map is not None
    lit = [cell.space for board in state.map.boards for cell in board.cells if cell.lit]
    assert lit == ["Jaws.PL"]
    assert isinstance(person.go_on(), ReadyState)
    assert person.match.position.placement()["sun"].space == "Jaws.PL"


def test_a_piece_let_lie_early_that_moves_on_is_told_again(person: Any) -> None:
    """It was let lie where it lay, and nowhere else."""
    _told_early(person)
    person.go_on()
    person.see({**START, "sun": "Jaws.PR"})
    assert person.is_at(DifferState)
    person.see(START | {"sun": "Jaws.PR"})
    person.go_on()
    assert not person.is_at(DifferState)


def test_the_table_check_says_early_and_start_lets_it_lie(person: Any) -> None:
    """Told on the table check, it is not told again right after."""
    person.begin()
    person.table.checked = False
    state = person.see(EARLY)
    (line,) = [line for line in state.lines if line.name == "Sun"]
    assert (line.mark, line.value) == (Mark.ASK, "Jaws.PL, laid early")
    person.touch(a.Checked())
    assert not person.is_at(DifferState)


# -- before a round ------------------------------------------------------------------------------

CANNOT_BE = ({**START, "jaws": "Jaws.GL"}, ())
TWO_OF_A_KIND = (START, ("paws",))
ELSEWHERE = ({**START, "jaws": "Paws.GC"}, ())


def _says_ready(person: Any, way: str) -> None:
    """Both teams, whatever the screen shows."""
    for team, button in (("jaws", Button.READY_FIRST), ("paws", Button.READY_SECOND)):
        if way == "button":
            person.desk.push(button)
            person.wait(0.1)
        elif way == "touch":
            person.answer(f"ready/{team}", "ready")
        else:
            offer = Offer(f"round-1/ready/{team}", "ready", way, Seat(team.capitalize()))
            person.table.refereed().post(offer)
            person.wait(0.1)


@pytest.mark.parametrize("way", ["button", "touch", "terminal"])
@pytest.mark.parametrize("seen", [CANNOT_BE, TWO_OF_A_KIND, ELSEWHERE])
def test_jp_5_1_no_word_starts_a_round_while_the_camera_blocks(
    person: Any, seen: Any, way: str
) -> None:
    """No key on the screen says ready, and the referee takes the word from nobody else either."""
    person.to_ready()
    state = person.see(seen[0], twice=seen[1])
    _says_ready(person, way)
    assert person.match.answered == {}
    assert person.table.refereed().refused.code == "Q-BLOCK"
    if isinstance(state, ReadyState):
        assert {row.key.look for row in state.rows} == {KeyLook.IMPOSSIBLE}
        assert {row.key.action for row in state.rows} == {None}
    else:
        assert isinstance(state, DifferState)
    person.see(START)
    _says_ready(person, way)
    assert person.is_at(RoundState)


def test_jp_e14_the_band_says_why_no_key_is_lit(person: Any) -> None:
    """With the rule, and the way on that does without the camera."""
    person.to_ready()
    state = person.see(START, twice=("paws",))
    assert isinstance(state, ReadyState)
    refusal = state.frame.refusal
    assert refusal is not None
    assert (refusal.code, refusal.mark) == ("JP-E14", Mark.BAD)
    assert "Two tokens are the Paws plane" in refusal.text
    assert refusal.key is not None
    state = person.touch(refusal.key.action)
    assert state.frame.refusal is None
    assert {row.key.look for row in state.rows} == {KeyLook.PLAIN}
    _says_ready(person, "touch")
    assert person.is_at(RoundState)


def test_jp_e11_to_follow_the_record_leaves_the_keys_unlit_until_hands_have(person: Any) -> None:
    """The differing table is put away by a touch; the round still waits for the piece."""
    person.to_ready()
    person.answer("ready/jaws", "ready")
    person.see(*ELSEWHERE[:1])
    state = person.go_on()
    assert isinstance(state, ReadyState)
    assert state.frame.refusal is not None
    assert "is seen on Paws.GC" in state.frame.refusal.text
    assert [row.key.look for row in state.rows] == [KeyLook.CHOSEN, KeyLook.IMPOSSIBLE]
    assert state.map is not None
    jaws = [(piece.space, piece.dashed) for piece in state.map.pieces if piece.piece == "jaws"]
    assert sorted(jaws) == [("Paws.GC", False), ("Paws.PC", True)]
    state = person.see(START)
    assert state.frame.refusal is None
    assert [row.key.look for row in state.rows] == [KeyLook.CHOSEN, KeyLook.PLAIN]


def test_jp_e11_the_arbiter_accepts_the_table_and_the_round_may_start(person: Any) -> None:
    person.to_ready()
    person.see(*ELSEWHERE[:1])
    state = person.touch(a.AcceptTable())
    assert isinstance(state, ReadyState)
    assert {row.key.look for row in state.rows} == {KeyLook.PLAIN}
