"""The camera's side of the referee: offers of sight, lag, differences, trust."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, Sighting
from companion.core.ruling import Cite, Level, Move, Ruling
from companion.referee.sight import Fit, Reading

PAWN = Piece("pawn")
CITE = Cite.of("T-1")
Maker = Callable[..., Any]


def reach_steps(table: Any) -> None:
    table.ready()
    table.zero()


def test_what_is_seen_is_offered_and_waits_for_a_tap(table: Any) -> None:
    reach_steps(table)
    table.see("s2")
    assert table.referee.sight.offered["round-1/steps"].raw == "2"
    table.tick(10.0)
    assert table.asked == ["round-1/steps"]


def test_accepted_sight_counts_after_its_key_was_lit(tables: Maker) -> None:
    table = tables({"sight": "accept"})
    table.referee.begin(table.now)
    reach_steps(table)
    table.see("s1")
    assert table.asked == ["round-1/steps"]
    table.tick(0.7)
    assert table.referee.match.position.space == "s1"
    assert table.disk.lines[-1].source == "camera"


def test_an_offer_of_sight_is_ripe_from_the_moment_asked_for(table: Any) -> None:
    """Lit since then or longer; once taken it is not offered again."""
    reach_steps(table)
    table.see("s2")
    sight, lit = table.referee.sight, table.now
    assert sight.take_ripe(lit - 0.01) == []
    (ripe,) = sight.take_ripe(lit)
    assert (ripe.key, ripe.raw, ripe.source, ripe.taken_at) == ("round-1/steps", "2", "camera", lit)
    assert ripe.opened == table.referee.match.open["round-1/steps"].opened
    assert not sight.offered


def test_only_the_option_whose_piece_was_laid_early_waits_for_a_tap(table: Any) -> None:
    reach_steps(table)
    sight = table.referee.sight
    sight.lag.let_lie(PAWN, Pose("s2"))
    lit = {option: sight._lit_since("round-1/steps", option, 5.0) for option in ("1", "2")}
    assert lit == {"1": 5.0, "2": math.inf}


def test_an_offer_of_sight_goes_out_or_changes_with_the_picture(table: Any) -> None:
    """Lit from the first picture that shows it; another place begins anew."""
    reach_steps(table)
    table.see("s2")
    first = table.referee.sight.offered["round-1/steps"]
    table.tick(1.0)
    table.see("s2")
    assert table.referee.sight.offered["round-1/steps"] is first
    table.see("s1")
    changed = table.referee.sight.offered["round-1/steps"]
    assert (changed.raw, changed.taken_at) == ("1", table.now)
    table.see("s0")
    assert not table.referee.sight.offered


def test_what_was_seen_is_forgotten_altogether(table: Any) -> None:
    reach_steps(table)
    table.see("s2")
    sight = table.referee.sight
    assert sight.settled is sight.sighting
    sight.forget()
    assert (sight.sighting, sight.settled, sight.reading) == (None, None, None)
    assert (sight.notices, sight.offered, sight.differences) == ((), {}, ())
    assert (sight.astray, sight.elsewhere(), sight.block) == (frozenset(), {}, None)


def test_the_camera_is_lost_once(table: Any) -> None:
    """The first blind picture is news, the next one is not, nor is one before anything was seen."""
    sight = table.referee.sight
    blind = Sighting(table.now, 1, PictureState.BLIND, {})
    assert not sight.look(blind, table.now)
    table.see("s0")
    assert not sight.look(replace(blind, state=PictureState.HAND), table.now)
    assert sight.reading is not None
    assert sight.look(blind, table.now)
    assert (sight.settled, sight.reading, sight.notices) == (None, None, ())
    assert not sight.look(blind, table.now)


def test_a_camera_that_is_lost_offers_nothing(table: Any) -> None:
    """What it was about to answer is not answered by a picture that is over."""
    reach_steps(table)
    table.see("s1")
    sight = table.referee.sight
    assert list(sight.offered) == ["round-1/steps"]
    assert sight.look(Sighting(table.now, 2, PictureState.BLIND, {}), table.now)
    assert sight.offered == {}


def test_a_lagging_piece_holds_the_next_question_that_looks_at_it(table: Any) -> None:
    """What hands still owe is no difference; the question waits, or is trusted by a tap."""
    reach_steps(table)
    table.see("s0")
    table.say("round-1/steps", "1")
    table.referee.trust()
    reach_steps(table)
    table.see("s0")
    assert table.referee.sight.reading is not None
    assert table.referee.sight.reading.lagging == {PAWN}
    assert list(table.referee.held) == ["round-2/steps"]
    table.say("round-2/steps", "1")
    assert table.referee.refused is not None
    assert table.referee.refused.code == "Q-HELD"
    table.see("s1")
    assert not table.referee.held
    table.say("round-2/steps", "1")
    assert table.referee.match.position.space == "s2"


def test_a_lost_camera_holds_nothing_up(table: Any) -> None:
    """What it saw last holds no question: the table goes on by touch until it sees again."""
    reach_steps(table)
    table.see("s9")
    assert table.referee.held
    table.see("s9", PictureState.BLIND)
    assert not table.referee.held
    assert table.referee.differences == ()
    table.say("round-1/steps", "1")
    assert table.referee.match.position.space == "s1"


def test_a_difference_is_followed_accepted_or_looked_at_again(table: Any) -> None:
    table.see("s5")
    (difference,) = table.referee.differences
    assert (difference.seen, difference.recorded) == (Pose("s5"), Pose("s0"))
    table.referee.sight.let_early_lie(table.now)
    assert table.referee.differences == (difference,), "it has a place in the record"
    table.referee.follow_record(table.now)
    assert table.referee.differences == ()
    assert table.referee.sight.astray == {PAWN}
    table.referee.look_again()
    table.see("s6")
    assert len(table.referee.differences) == 1
    table.referee.accept_table(table.now, by="Ana")
    assert table.referee.match.position.space == "s6"
    assert table.referee.differences == ()
    assert (table.disk.lines[-1].kind, table.disk.lines[-1].author) == ("adjust", "Ana")


def test_a_way_round_that_hands_stop_on_opens_no_difference(table: Any) -> None:
    """Two rulings send the pawn to s3 and back while it still stands at s0."""
    reach_steps(table)
    table.see("s0")
    sight = table.referee.sight
    step = Ruling("On.", CITE, (Move(PAWN, Pose("s0"), Pose("s3")),))
    back = Ruling("Back.", CITE, (Move(PAWN, Pose("s3"), Pose("s0")),))
    for ruling, space in ((step, "s3"), (back, "s0")):
        table.referee.match.position.space = space
        sight.lag.follow([ruling])
        sight.match_changed(table.now)
    table.see("s3")
    assert table.referee.differences == ()
    assert sight.astray == {PAWN}
    table.see("s0")
    assert sight.astray == frozenset()
    table.see("s3")
    assert len(table.referee.differences) == 1


def test_options_are_listed_once_after_each_answer_and_not_for_each_picture(table: Any) -> None:
    """However many pictures come: listing the ends of a flight is dear."""
    reach_steps(table)
    asked = table.referee.match.open["round-1/steps"]
    listed, offered = list[int](), asked.options_now()

    def list_them() -> Any:
        listed.append(1)
        return offered

    asked.offered = list_them
    for n in range(20):
        table.see(f"s{n % 5}")
        assert table.referee.held in ((), ("round-1/steps",))
    assert len(listed) <= 1
    table.see("s1")
    table.say("round-1/steps", "1")
    assert table.referee.match.position.space == "s1"


def test_what_stands_elsewhere_blocks_a_round_in_words(table: Any) -> None:
    """A piece or a space without a name of its own is told as it is called in the record."""
    table.see("s5")
    sight = table.referee.sight
    assert sight.elsewhere() == {PAWN: Pose("s5")}
    assert sight.block is not None
    assert sight.block.text == "pawn is seen on s5; the record has s0."
    assert (sight.block.code, sight.block.level) == ("Q-BLOCK", Level.BLOCK)
    sight.trust()
    assert sight.block is None
    table.see("s0")
    assert sight.elsewhere() == {}


def test_what_stands_elsewhere_after_a_correction_is_excused_piece_by_piece(table: Any) -> None:
    """Where it was seen; one that stands where it belongs by now is not."""
    sight = table.referee.sight
    sight.excuse_hands()
    assert not sight.lag.ways
    table.see("s0")
    sight.excuse_hands()
    assert not sight.lag.ways
    table.referee.match.position.space = "s3"
    sight.excuse_hands()
    assert sight.lag.owes(PAWN, Pose("s0"))


def test_trust_goes_on_without_the_camera_until_the_next_answer(table: Any) -> None:
    reach_steps(table)
    table.see("s9")
    table.referee.trust()
    table.say("round-1/steps", "1")
    assert table.referee.match.position.round == 2
    assert not table.referee.sight.trusted


def test_after_a_correction_hands_follow_before_anything_differs(table: Any) -> None:
    table.see("s0")
    table.referee.adjust({"pawn": "s3"}, "was knocked", table.now)
    assert table.referee.differences == ()
    assert table.referee.sight.astray == {PAWN}


def test_a_rule_that_fails_on_a_picture_is_told_and_touch_goes_on(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture comes again and again: it must not end the program each time."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    reach_steps(table)
    table.see("s1")
    monkeypatch.setattr(type(table.referee.match.rulebook), "compare", broken)
    table.see("s2")
    (notice,) = table.referee.sight.notices
    assert (notice.code, notice.level) == ("Q-BUG", Level.NOTE)
    assert "ZeroDivisionError" in notice.text
    assert not table.referee.sight.offered
    assert table.referee.sight.look(table.referee.sight.sighting, table.now), "it is told anew"
    table.say("round-1/steps", "1")
    assert table.referee.match.position.space == "s1"


@pytest.mark.parametrize(("after_s", "told"), [(-0.1, {}), (0.0, {"round-1/steps": "2"})])
def test_cards_answer_only_what_was_asked_when_the_picture_was_taken(
    table: Any, monkeypatch: pytest.MonkeyPatch, after_s: float, told: dict[str, str]
) -> None:
    """One taken as the question was asked has all that lies there; one of before has not."""
    reach_steps(table)
    rules = type(table.referee.match.rulebook)
    monkeypatch.setattr(rules, "seen_answer", lambda *_: "2")
    sight = table.referee.sight
    cards: Any = {("team", 1): ()}
    taken = Sighting(table.now + after_s, 1, PictureState.SETTLED, {}, cards=cards)
    sight._asked_at.clear()
    assert sight._told_by_cards(taken, table.now) == told


def test_a_place_is_called_as_its_board_does(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is on no board has the word that the picture has for it."""
    plan = SimpleNamespace(board_of={"s1"}, name_of=lambda pose: f"step {pose.space[1:]}")
    monkeypatch.setattr(type(table.referee.match.rulebook), "plan", plan, raising=False)
    called = [table.referee.sight._place(pose) for pose in (Pose("s1"), Pose("s2"), None)]
    assert called == ["step 1", str(Pose("s2")), "no board"]


def test_an_unsettled_picture_changes_nothing(table: Any) -> None:
    table.see("s9", PictureState.HAND)
    assert table.referee.differences == ()
    assert table.referee.sight.reading is None


@pytest.fixture
def section(real_table: Any) -> Any:
    """A match of Jaws & Paws at section 1, where both teams have a card to turn over."""
    table = real_table
    for key, raw in (
        ("set-up/toss", "Jaws"),
        ("set-up/sun", "Jaws.GL"),
        ("set-up/placed", "placed"),
        ("round-1/ready/jaws", "ready"),
        ("round-1/ready/paws", "ready"),
    ):
        table.say(key, raw)
    table.zero()
    table.say("round-1/lock/jaws/1", "1 0")
    table.say("round-1/lock/paws/1", "1 0")
    table.say("round-1/lock/checked", "checked")
    table.say("round-1/drawn", "drawn")
    for key in [key for key in table.asked if "/shuffled/" in key]:
        table.say(key, "shuffled")
    assert table.asked == ["round-1/section-1/reveal/jaws", "round-1/section-1/reveal/paws"]
    return table


def test_a_second_source_that_sees_the_same_corroborates(section: Any) -> None:
    """What was told and is seen as well has two sources; nobody taps twice."""
    section.say("round-1/section-1/reveal/jaws", "MPL own")
    section.see_pieces(jaws="Paws.PR", paws="Jaws.PC", sun="Jaws.GL")
    source = section.referee.sources["round-1/section-1/reveal/jaws"]
    assert (source.source, source.second) == ("touch", "camera")
    assert section.referee.sight.notices == ()


def test_a_second_source_that_sees_another_is_a_notice_and_no_winner(section: Any) -> None:
    """Both are said; the answer stands until somebody revises it."""
    key = "round-1/section-1/reveal/jaws"
    section.say(key, "MPL own")
    reading = Reading(contradicted=(Fit(key, "MPR own"),))
    (notice,) = section.referee.sight._contradictions(reading)
    assert notice.code == "Q-SEEN"
    assert "MPL own" in notice.text
    assert "MPR own" in notice.text
    assert section.referee.match.answered == {key: "MPL own"}
