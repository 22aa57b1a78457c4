"""What the camera sees stands against a round: no word starts it, whoever says it and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.errors import IllegalAnswer
from companion.core.offers import (
    Button,
    Offer,
    PictureState,
    Press,
    Seen,
    SeenState,
    Sighting,
    Stamp,
)
from companion.core.question import Question
from companion.core.ruling import TABLE, Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.referee.script import read_script
from ui.terminal.sitting import TerminalSitting
from ui.terminal.voice import JsonVoice

Maker = Callable[..., Any]
FITS = {"jaws": "Paws.PC", "paws": "Jaws.PC", "sun": "Jaws.GL"}
SET_UP = (("set-up/toss", "Jaws"), ("set-up/sun", "Jaws.GL"), ("set-up/placed", "placed"))
FIRST, LAST = "round-1/ready/jaws", "round-1/ready/paws"

CAUSES: Mapping[str, tuple[Mapping[str, str], tuple[str, ...], str]] = {
    "cannot be": ({**FITS, "jaws": "Jaws.GL"}, (), "a board of its own team"),
    "two of a kind": (FITS, ("paws",), "Two tokens are the Paws plane"),
    "elsewhere": ({**FITS, "jaws": "Paws.GC"}, (), "stands on Paws.GC, the record has Paws.PC"),
}
"""Where pieces are seen, those seen twice, and words of what is wrong."""


def sighting(at: float, cause: str, state: PictureState = PictureState.SETTLED) -> Sighting:
    """A picture of Jaws & Paws with that cause; "" shows all where the record has it."""
    places, twice, _ = CAUSES[cause] if cause else (FITS, (), "")
    pieces = {
        Piece(name): Seen(SeenState.SEEN, Pose(zone), (zone,)) for name, zone in places.items()
    }
    pieces |= {Piece(name): Seen(SeenState.UNSURE) for name in twice}
    return Sighting(at, 1, state, pieces, conflicts=tuple(map(Piece, twice)))


def see(table: Any, cause: str, state: PictureState = PictureState.SETTLED) -> None:
    table.referee.see(sighting(table.now, cause, state))
    table.tick()


def by_button(table: Any, key: str) -> None:
    button = Button.READY_FIRST if key == FIRST else Button.READY_SECOND
    table.referee.press(Press(button, table.now))
    table.tick()


def by_touch(table: Any, key: str) -> None:
    question = table.referee.match.open[key]
    table.referee.post(Offer(key, "ready", "touch", question.by, question.opened))
    table.tick()


def by_terminal(table: Any, key: str) -> None:
    table.say(key, "ready", "terminal")


def by_sensor_box(table: Any, key: str) -> None:
    table.say(key, "ready", "sensor")


WAYS = pytest.mark.parametrize("say", [by_button, by_touch, by_terminal, by_sensor_box])


@pytest.fixture
def placed(real_table: Any) -> Any:
    """Jaws & Paws before its first round: both teams are asked whether they are ready."""
    for key, raw in SET_UP:
        real_table.say(key, raw)
    return real_table


def starts(table: Any, say: Callable[[Any, str], None] = by_touch) -> bool:
    """Whether the round runs once both teams have said that they are ready."""
    for key in (FIRST, LAST):
        if key in table.asked and key not in table.referee.match.answered:
            say(table, key)
    return table.referee.clock is not None


@WAYS
@pytest.mark.parametrize("cause", CAUSES)
def test_jp_5_1_no_word_starts_a_round_over_what_the_camera_sees(
    placed: Any, cause: str, say: Callable[[Any, str], None]
) -> None:
    """Refused with what is wrong and the ways out, and nothing is kept of it.  (RULING 35)"""
    see(placed, cause)
    lines = len(placed.referee.match.entries)
    assert not starts(placed, say)
    refused = placed.referee.refused
    assert refused.code == "Q-BLOCK"
    assert CAUSES[cause][2] in refused.text
    assert "without the camera" in refused.text
    assert refused.cite is not None
    assert len(placed.referee.match.entries) == lines
    assert placed.bell.rung == []


@WAYS
@pytest.mark.parametrize("cause", CAUSES)
def test_jp_5_1_a_word_given_before_does_not_let_the_last_one_start_it(
    placed: Any, cause: str, say: Callable[[Any, str], None]
) -> None:
    """The first team was ready over a table that fitted; then a token is knocked."""
    see(placed, "")
    say(placed, FIRST)
    see(placed, cause)
    assert not starts(placed, say)
    assert placed.referee.match.answered == {FIRST: "ready"}
    see(placed, "")
    assert placed.referee.block is None
    assert starts(placed, say)


@pytest.mark.parametrize("cause", CAUSES)
def test_jp_5_1_it_stands_until_a_settled_picture_fits(placed: Any, cause: str) -> None:
    """A hand over the boards solves nothing; looking again forgets what was seen."""
    see(placed, cause)
    assert placed.referee.block is not None
    see(placed, "", PictureState.HAND)
    assert not starts(placed)
    see(placed, "")
    assert starts(placed)


@pytest.mark.parametrize("cause", CAUSES)
def test_jp_5_1_the_table_goes_on_without_the_camera(placed: Any, cause: str) -> None:
    """For every word of this round's start, though the camera goes on seeing the same."""
    see(placed, cause)
    placed.referee.trust()
    assert placed.referee.block is None
    by_touch(placed, FIRST)
    see(placed, cause)
    assert starts(placed)
    assert not placed.referee.sight.trusted, "the next round is looked at again"


@pytest.mark.parametrize("cause", CAUSES)
def test_jp_5_1_a_camera_that_is_lost_blocks_nothing(placed: Any, cause: str) -> None:
    see(placed, cause)
    see(placed, "", PictureState.BLIND)
    assert placed.referee.block is None
    assert starts(placed)


def test_jp_5_1_a_camera_that_comes_back_blocks_again(placed: Any) -> None:
    see(placed, "elsewhere")
    see(placed, "", PictureState.BLIND)
    see(placed, "elsewhere")
    assert not starts(placed)


def test_ruling_35_the_arbiter_accepts_the_table(placed: Any) -> None:
    """The record follows the table, with its line in the log; the round may start."""
    see(placed, "elsewhere")
    placed.referee.accept_table(placed.now, by="Ana")
    assert placed.referee.match.position.zones["jaws"] == "Paws.GC"
    assert starts(placed)


def test_ruling_35_the_arbiter_adjusts_the_record(placed: Any) -> None:
    see(placed, "elsewhere")
    placed.referee.adjust({"jaws": "Paws.GC"}, "was placed there", placed.now)
    assert starts(placed)


def test_ruling_35_to_follow_the_record_is_not_yet_done(placed: Any) -> None:
    """The screen goes on, the round waits until hands have put the piece back; or is accepted."""
    see(placed, "elsewhere")
    placed.referee.follow_record(placed.now)
    assert placed.referee.differences == ()
    assert not starts(placed)
    assert "Jaws plane is seen on Paws.GC; the record has Paws.PC." in placed.referee.refused.text
    placed.referee.accept_table(placed.now)
    assert starts(placed)


def test_jp_5_8_a_round_without_a_clock_waits_as_well(real_tables: Maker) -> None:
    """Nothing runs there, and yet it starts by the same words."""
    table = real_tables(setup=Setup("jaws-and-paws", options={"timer_s": "none"}))
    table.referee.begin(table.now)
    for key, raw in SET_UP:
        table.say(key, raw)
    see(table, "elsewhere")
    starts(table)
    assert table.asked == [FIRST, LAST]
    see(table, "")
    starts(table)
    assert all("/locked/" in key for key in table.asked)


def test_jp_3_3_the_set_up_is_not_called_placed_over_another_table(real_table: Any) -> None:
    """The word that ends the set-up is held, too; a piece that was let lie early is not."""
    for key, raw in SET_UP[:2]:
        real_table.say(key, raw)
    see(real_table, "elsewhere")
    real_table.say(*SET_UP[2])
    assert real_table.referee.refused.code == "Q-BLOCK"
    assert "it starts on Paws.PC" in real_table.referee.refused.text
    see(real_table, "")
    real_table.say(*SET_UP[2])
    assert real_table.asked == [FIRST, LAST]


def test_nothing_else_of_a_round_waits_for_the_camera(placed: Any) -> None:
    """Cards are counted and laid aside whatever the boards look like."""
    assert starts(placed)
    placed.zero()
    see(placed, "two of a kind")
    placed.say("round-1/lock/jaws/1", "1 0")
    assert placed.referee.refused is None
    assert placed.referee.block is None


def test_every_box_holds_the_first_question_of_a_round(tables: Maker) -> None:
    """The game of our own has no plan and says nothing of its pieces: the referee does."""
    table = tables()
    table.referee.begin(table.now)
    table.see("s4")
    table.ready()
    assert table.referee.refused.code == "Q-BLOCK"
    assert "pawn is seen on s4; the record has s0." in table.referee.refused.text
    table.see("s0")
    table.ready()
    assert table.asked == ["round-1/locked"]


def test_df_5_1_a_turn_without_a_word_of_its_own_waits_as_well(real_tables: Maker) -> None:
    """Its first choice begins it, by script as by touch; the choices after it are the rules'."""
    flown = {Seat("A"): "Ana/camel", Seat("B"): "Ben/fokker"}
    table = real_tables(setup=Setup("dogfight-1917", ("base",), flown))
    table.referee.begin(table.now)
    table.say("set-up/placed", "placed")
    table.see_pieces(camel="0,-1", fokker="3,-3")
    table.say("turn-1/1/action", "engage", "script")
    assert table.referee.refused.code == "Q-BLOCK"
    assert "Fokker" in table.referee.refused.text
    table.see_pieces(PictureState.BLIND)
    table.say("turn-1/1/action", "engage", "script")
    assert table.referee.refused is None


def test_a_round_is_not_started_by_silence(tally: Maker) -> None:
    """An answer to what lies behind an optional question lets that lapse: it is held there, too."""
    tables = tally()
    match = tables.match
    tables.say("round-1/done", "ready")
    assert [match.starts_round(question) for question in match.open.values()] == [False]

    def hold(question: Question[Any], _: Offer) -> None:
        if match.starts_round(question):
            raise question.refuse("T-HELD", "The table is not as recorded.")

    lines, steps = len(match.entries), tuple(match.steps)
    with pytest.raises(IllegalAnswer, match="T-HELD"):
        match.answer(Offer("round-2/done", "ready", "touch", TABLE), tables.stamp, hold)
    assert (len(match.entries), tuple(match.steps)) == (lines, steps)
    match.answer(Offer("round-2/done", "ready", "touch", TABLE), tables.stamp)
    assert match.position.round == 2


def test_a_typed_word_is_refused_at_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """The same referee judges lines: code, sentence and rule are said."""
    match: Match[Any] = Match.start(Setup("jaws-and-paws"), Stamp("", "", 0.0))
    sitting = TerminalSitting(
        match, JsonVoice(), lambda: 100.0, lambda *_: Stamp("", "", 0.0),
        source="terminal", files=lambda _: {},
    )  # fmt: skip
    sitting.begin()
    for line in read_script("Jaws\nJaws.GL\nplaced\n", "typed"):
        sitting.do(line)
    sitting.referee.see(sighting(100.0, "two of a kind"))
    for line in read_script("ready\nready\n", "typed"):
        sitting.do(line)
    assert (sitting.refusals, list(match.answered)) == (2, [])
    assert '"Q-BLOCK"' in capsys.readouterr().out


# -- a box without timed rounds ------------------------------------------------------------


def two_of_a_kind(at: float) -> Sighting:
    """A settled picture of Starship Edition: Ben's marker twice, Ana's vessel in its place."""
    pieces = {
        Piece("vessel-a"): Seen(SeenState.SEEN, Pose("3,5"), ("3,5",)),
        Piece("vessel-b"): Seen(SeenState.UNSURE),
    }
    return Sighting(at, 1, PictureState.SETTLED, pieces, conflicts=(Piece("vessel-b"),))


def test_se_pre_01_no_turn_of_starship_starts_over_two_of_a_kind(real_tables: Maker) -> None:
    """Nobody prepares until one of them is gone; what is under way in a turn is not held."""
    seats = {Seat("A"): "Ana", Seat("B"): "Ben"}
    table = real_tables(setup=Setup("starship-edition", seats=seats))
    table.referee.begin(table.now)
    for key, raw in (("first-player", "A"), ("start/B", "A"), ("start/A", "B 3,5")):
        table.say(f"set-up/{key}", raw)
    table.referee.see(two_of_a_kind(table.now))
    table.tick()
    table.say("turn-1/prepare/A/1", "pass")
    refused = table.referee.refused
    assert (refused.code, "turn-1/prepare/A/1" in table.asked) == ("Q-BLOCK", True)
    assert "Ben's vessel" in refused.text
    table.referee.trust()
    table.say("turn-1/prepare/A/1", "pass")
    table.referee.see(two_of_a_kind(table.now))
    table.tick()
    table.say("turn-1/prepare/A/2", "pass")
    assert table.asked == ["turn-1/prepare/A/3"]
