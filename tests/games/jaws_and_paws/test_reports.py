"""What the table reports: words, fields, and what a report may change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall, CompanionError, IllegalAnswer
from companion.core.ruling import Level
from companion.games.jaws_and_paws.boards import ROUND
from companion.games.jaws_and_paws.faults import faults
from companion.games.jaws_and_paws.reports import AGREES, WORDS


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ({"what": "weather"}, "nobody reports 'weather'; the words are token, "),
        ({"what": ["late card"]}, "nobody reports"),
        ({}, 'the report lacks "what", which is one of token, '),
        ({"what": "late card", "player": "JP"}, "the report 'late card' lacks section"),
        ({"what": "late card", "player": "XX", "section": 1}, "player: 'XX' is none of JP, JG"),
        ({"what": "late card", "player": "JP", "section": 0}, "section: 0 is not a whole number"),
        ({"what": "late card", "player": "JP", "section": 9}, "section: 9 is not a whole number"),
        ({"what": "late card", "player": "JP", "section": True}, "section: True is not a whole"),
        ({"what": "track side", "team": "Jaws", "smoke": "yes"}, "smoke: 'yes' is neither true"),
        ({"what": "wrong pile", "player": "JP", "colour": 1}, "has no field colour"),
        ({"what": "token", "piece": "moon", "zone": "Jaws.PC"}, "piece: 'moon' is none of"),
        ({"what": "token", "piece": "sun", "zone": "Jaws.XX"}, "zone: 'Jaws.XX' is none of"),
        ({"what": "straddling card", "team": "Jaws", "section": 1, "second": 2, "larger": 4},
         "larger: 4 is neither 1 nor 2"),
    ],
)  # fmt: skip
def test_a_malformed_report_is_named_and_changes_nothing(
    at: Callable[..., Any], fact: dict[str, Any], message: str
) -> None:
    """The word, the field, what was given and what is allowed."""
    table = at("lock")
    before = table.position.digest()
    with pytest.raises(BadCall) as refusal:
        table.match.report(fact, table.stamp)
    assert message in str(refusal.value)
    assert table.position.digest() == before


def test_what_is_as_recorded_is_said_so(at: Callable[..., Any]) -> None:
    """A report that agrees is a note without a code of an error."""
    table = at("action")
    told = [
        table.report("token", piece="sun", zone="Jaws.GC"),
        table.report("track side", team="Paws", smoke=False),
        table.report("pile counted", player="JP", pile="deck", cards=16),
        table.report("cards counted", team="Jaws", section=4, cards=0),
    ]
    assert {(notice.code, notice.level) for notice in told} == {(AGREES, Level.NOTE)}
    assert at("repair", JG={"played": 0}).report("wants to repair", player="JG").code == AGREES
    assert at("section-1").report("damage taken", player="JP", cards=0).code == AGREES
    assert at("draw").report("misdrawn", player="JP", cards=4).code == AGREES


def test_jp_4_1_nothing_is_said_of_cards_before_the_buzzer(at: Callable[..., Any]) -> None:
    """While the phase runs a count of cards is not answered, whatever it is."""
    table = at("action").say("ready/jaws").say("ready/paws")
    said = [table.report("cards counted", team="Jaws", section=1, cards=n).text for n in (0, 1, 2)]
    assert len(set(said)) == 1


def test_ruling_34_an_exposed_card_brings_no_penalty(at: Callable[..., Any]) -> None:
    """It is noted, and turned face down."""
    notice = at("action").report("card exposed", player="JP")
    assert (notice.level, str(notice.cite)) == (Level.NOTE, "JP-4.1, RULING 34")


@pytest.mark.parametrize(("larger", "counts_for"), [(None, 2), (3, 3), (2, 2)])
def test_ruling_6_a_straddling_card(
    at: Callable[..., Any], larger: int | None, counts_for: int
) -> None:
    """The section with the larger part, else the lower number."""
    fields = {} if larger is None else {"larger": larger}
    notice = at("lock").report("straddling card", team="Jaws", section=2, second=3, **fields)
    assert f"counts for section {counts_for}" in notice.text


@pytest.mark.parametrize(
    ("held", "way_out"), [(3, "Draw 1 now."), (6, "An opponent puts 2 at random")]
)
def test_ruling_35_a_wrong_draw(at: Callable[..., Any], held: int, way_out: str) -> None:
    """Too few: draw now. Too many: an opponent takes the surplus, unseen."""
    assert at("repair").report("misdrawn", player="JP", cards=held).way_out.startswith(way_out)


def test_e33_the_lock_is_held_to_what_was_counted(at: Callable[..., Any]) -> None:
    """Told and counted must agree before the lock closes; silence is an answer too."""
    table = at("lock")
    table.report("cards counted", team="Jaws", section=2, cards=1)
    assert table.refused("checked").code == "JP-E33"
    assert table.say("lock/jaws/2", "0 1").say("checked").position.owners["Jaws"][1] == "JG"


def test_e33_players_counts_are_held_to_the_track(play: Callable[..., Any]) -> None:
    """Where players are asked, their sum must be what was counted on the whole track."""
    table = play(options={"lock_asks": "players"}).set_up().act().say("lock/JP", 1)
    for number, cards in ((1, 0), (2, 1), (3, 1), (4, 0)):
        table.report("cards counted", team="Jaws", section=number, cards=cards)
    refusal = table.refused("checked")
    assert (refusal.code, "1 cards told, but 2 counted" in refusal.text) == ("JP-E33", True)
    table.say("lock/JG", 1).say("checked")
    assert table.position.owners["Jaws"] == ["?"] * 4


def test_e33_after_the_lock_a_count_that_differs_blocks(at: Callable[..., Any]) -> None:
    """Two cards where one was told, or one where none was."""
    for cards in (0, 2):
        table = at("draw", cards={"Jaws": {1: "JP"}})
        notice = table.report("cards counted", team="Jaws", section=1, cards=cards)
        assert (notice.code, notice.level) == ("JP-E33", Level.BLOCK)


def test_e34_the_card_counts_as_played(at: Callable[..., Any]) -> None:
    """Before the draw the record is corrected: from hand to track, and no Repairing."""
    table = at("draw", JG={"played": 0})
    table.report("says none", player="JG", section=3)
    assert table.position.owners["Jaws"][2] == "JG"
    assert (table.position.piles["JG"]["hand"], table.position.piles["JG"]["track"]) == (3, 1)
    assert [key for key in table.draw().asked if "shuffled" in key] == []


def test_e34_needs_a_section_that_is_free(at: Callable[..., Any]) -> None:
    """Which section it is must be told, and must not hold a recorded card."""
    table = at("draw", JG={"played": 0}, cards={"Jaws": {3: "JP"}})
    assert "name the section" in str(table.refused_report("says none", player="JG"))
    assert "has a card there" in str(table.refused_report("says none", player="JG", section=3))


def test_e34_after_the_draw_the_lock_is_amended(at: Callable[..., Any]) -> None:
    """Too late for a simple correction: the match waits for the amend."""
    table = at("repair", JG={"played": 0})
    assert table.report("says none", player="JG", section=3).level is Level.BLOCK


def test_e61_both_cards_are_discarded_and_count_as_played(at: Callable[..., Any]) -> None:
    """A doubled section that the lock missed: no effect; the section is answered with none."""
    table = at("section-1", cards={"Jaws": {1: "JP"}}, JG={"played": 0})
    table.report("two cards", team="Jaws", section=1, extra="JG")
    assert table.position.piles["JP"].counts["discard"] == 10
    assert table.position.piles["JG"].counts["hand"] == 3
    assert table.position.played["JG"] == 1
    assert table.refused("reveal/jaws", "SH PL").code == "JP-E60"
    assert table.flip(jaws="none").asked == ["round-3/ready/jaws", "round-3/ready/paws"]


def test_e61_an_answer_given_before_is_judged_again(at: Callable[..., Any]) -> None:
    """Jaws' card was told, then the second was found: the form does not close on the first."""
    table = at("section-1", cards={"Jaws": {1: "JP"}, "Paws": {1: "PP"}}).say(
        "reveal/jaws", "SH PL"
    )
    table.report("two cards", team="Jaws", section=1, extra="JG")
    assert table.refused("reveal/paws", "SH PL").code == "JP-E60"
    table.say("reveal/jaws", "none").say("reveal/paws", "SH GL")
    assert table.asked == ["round-3/ready/jaws", "round-3/ready/paws"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"team": "Paws", "section": 1, "extra": "PG"}, "JP-E60"),
     ({"team": "Jaws", "section": 1, "extra": "JG"}, "JP-E64")],
)  # fmt: skip
def test_e61_where_it_cannot_be(at: Callable[..., Any], fields: dict[str, Any], code: str) -> None:
    """No card there, or an empty hand: the lock was wrong, and the match waits."""
    table = at("section-1", cards={"Jaws": {1: "JP"}}, JG={"hand": 0, "deck": 20})
    before = table.position.digest()
    notice = table.report("two cards", **fields)
    assert (notice.code, notice.level) == (code, Level.BLOCK)
    assert table.position.digest() == before


def test_e50_before_the_lock_nobody_is_repairing(at: Callable[..., Any]) -> None:
    """Who is Repairing is judged by what was played."""
    refusal = at("action").refused_report("wants to repair", player="JP")
    assert "judged after the lock" in str(refusal)


def test_e64_the_border_differs_from_the_lock(at: Callable[..., Any]) -> None:
    """Another teammate's card than the lock has, though that one has played."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    notice = table.report("owner", player="JG", section=1)
    assert (notice.code, notice.level) == ("JP-E64", Level.BLOCK)
    assert at("section-1", cards={"Jaws": {1: "JP"}}).report(
        "owner", player="JP", section=1).code == AGREES  # fmt: skip


def test_e64_by_answer_where_the_owner_is_asked(play: Callable[..., Any]) -> None:
    """lock_asks players: an owner who is Repairing, or has no card left, is refused."""
    table = play(options={"lock_asks": "players"}).set_up().act().say("lock/JP", 1)
    asks = table.match.rulebook.ask
    table.say("checked").draw().repair().flip(jaws="SH PL")
    assert table.position.owners["Jaws"] == [""] * 4, "nobody else's it can be: nobody is asked"
    table = play(options={"lock_asks": "players"}).set_up().act().say("lock/JP", 1)
    table.say("lock/JG", 1).say("checked").draw().repair().flip(jaws="SH PL")
    table.say("owner/jaws", "JP").flip(jaws="MPL own")
    assert "Jaws Gunner's Move Plane Left" in table.texts()
    with pytest.raises(IllegalAnswer, match="is Repairing: go back to the lock") as refusal:
        asks.owner("Jaws", 1).judge("JG")
    assert refusal.value.code == "JP-E64"


def test_cannot_draw_where_the_record_can(at: Callable[..., Any]) -> None:
    """The record says the Deck suffices: recount before anything is decided."""
    notice = at("draw").report("cannot draw", player="JP")
    assert (notice.code, notice.level) == ("JP-E42", Level.BLOCK)


def test_every_word_answers_at_every_stage(at: Callable[..., Any]) -> None:
    """No report crashes the rules, whenever it comes: a notice, or a refusal with a reason."""
    sample = {
        "piece": "sun", "zone": "Paws.PC", "team": "Jaws", "smoke": True, "player": "JG",
        "pile": "deck", "cards": 3, "section": 2, "second": 3, "extra": "JP", "round": 1,
    }  # fmt: skip
    for stage in ROUND:
        for word, known in WORDS.items():
            table = at(stage)
            fields = {name: sample[name] for name in known.fields if name in sample}
            said = ""
            try:
                said = table.report(word, **fields).text
            except CompanionError as refusal:
                said = str(refusal)
            assert len(said) > 10
            assert faults(table.position) == []


@pytest.mark.parametrize("number", [1, 4])
def test_what_the_latest_section_did_is_known_until_the_next_phase(
    at: Callable[..., Any], play: Callable[..., Any], number: int
) -> None:
    """E68 and E69 of the round's last section too, and in a match resumed from its position."""
    cards = {"Jaws": {number: "JP"}, "Paws": {number: "PP"}}
    planes = {"Jaws": "Paws.PC", "Paws": "Jaws.PL"}
    table = at(f"section-{number}", cards=cards, planes=planes).flip("MPL own", "SH PR")
    again = play(position=table.match.position_file())
    for one in (table, again):
        assert one.report("damage taken", player="JP", cards=6).code == "JP-AGREES"
        wrong = one.report("damage taken", player="JG", cards=6)
        assert (wrong.code, wrong.text.endswith("ruled was: Jaws Pilot 6.")) == ("JP-E69", True)
        assert one.report("token", piece="jaws", zone="Paws.PL").code == "JP-E68"


def test_the_latest_section_is_forgotten_when_a_phase_starts(at: Callable[..., Any]) -> None:
    """What was dealt in the last round is no longer what a report is held against."""
    cards = {"Jaws": {4: "JP"}}
    table = at("section-4", cards=cards).flip("MPL own").say("ready/jaws").say("ready/paws")
    assert table.report("token", piece="jaws", zone="Paws.PL").code == "JP-E11"


def test_ruling_6_a_card_taken_back_after_the_buzzer(at: Callable[..., Any]) -> None:
    """Locked actions are not taken back: the card returns to where it lay."""
    notice = at("lock").report("card taken back", player="JP")
    assert (notice.code, str(notice.cite)) == ("JP-E20", "JP-5.7, RULING 6")
    assert notice.way_out == "Lay it back where it was."
    assert at("action").report("card taken back", player="JP").code == "JP-TAKEN-BACK"


def test_e70_says_what_the_record_has(at: Callable[..., Any]) -> None:
    """A Deck that is not short is not said to be."""
    notice = at("section-1").report("cannot scrap", player="PG")
    assert notice.text == "By the record Paws Gunner's Deck holds 16."


def test_e40_names_the_discards_and_the_hand(at: Callable[..., Any]) -> None:
    """The refusal names the thing and its limit."""
    refusal = at("draw").refused("discard/JP", 5)
    assert "Jaws Pilot: 5 discards, 4 in hand" in str(refusal)


def test_e11_of_the_sun_at_set_up_cites_its_placing(play: Callable[..., Any]) -> None:
    """The Sun stands where the toss winner placed it; planes start on the enemy's PC."""
    table = play().say("toss", "Jaws").say("set-up/sun", "Jaws.GC")
    notice = table.report("token", piece="sun", zone="Jaws.PL")
    assert (notice.code, str(notice.cite)) == ("JP-E11", "JP-3.5, RULING 35")
