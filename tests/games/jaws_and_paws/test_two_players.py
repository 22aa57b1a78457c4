"""JP-17: two players, each with two hands of three.  (RULING 25)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall, BadPosition
from companion.games.jaws_and_paws.faults import faults
from companion.games.jaws_and_paws.game import Game
from companion.games.jaws_and_paws.position import JawsAndPawsPosition
from companion.games.jaws_and_paws.rules import JawsAndPaws

At = Callable[..., Any]
Section = Callable[..., Any]
TWO = "two-players"


@pytest.fixture
def two(section: Section) -> Section:
    """One section resolved between two players."""
    return lambda *cards, **changes: section(*cards, variants=TWO, **changes)


def test_jp_17_1_each_has_the_whole_material_of_a_team(play: Callable[..., Any]) -> None:
    """Two people, both decks of a team each; the person is named once."""
    rules = JawsAndPaws.in_variants([TWO])
    assert rules.held_by == {"JG": "JP", "PG": "PP"}
    table = play(variants=(TWO,), seats={"JP": "Ana", "PP": "Bo"})
    assert table.match.rulebook.seats_taken() == ("JP", "PP")
    assert len(table.match.rulebook.plan.boards) == 6
    with pytest.raises(
        BadCall, match="seat 'JG' is the other hand of who sits at JP; there are JP, PP"
    ):
        play(variants=(TWO,), seats={"JG": "Ana"})


def test_jp_17_2_three_and_three(play: Callable[..., Any]) -> None:
    """From the Pilot Deck and from the Gunner Deck: 27 are left in each."""
    table = play(variants=(TWO,)).set_up()
    counts = [piles.counts for piles in table.position.piles.values()]
    assert [(c["deck"], c["hand"]) for c in counts] == [(27, 3)] * 4
    hands = table.rulings[1]
    assert "JP-17.2" in hands.cite.rules
    placed = play(variants=(TWO,)).say("toss", "Jaws").say("set-up/sun", "Jaws.PC")
    prompt = placed.question("placed").prompt
    assert prompt.endswith("without smoke, 3 white and 3 black cards with each solo player?")
    assert hands.headline == "All: draw 3 + 3"


def test_jp_17_3_each_hand_is_refilled_to_three_from_its_own_deck(at: At) -> None:
    """Discarded from and drawn by colour."""
    table = at("draw", variants=TWO, JP={"hand": 1, "deck": 19})
    assert "draw up to 3" in table.question("discard/JP").prompt
    table.draw(JG=2)
    assert [table.position.piles[p].counts["hand"] for p in ("JP", "JG", "PP", "PG")] == [3] * 4
    draws = [r for r in table.rulings if "draws" in r.text]
    assert [r.text.split(":")[0] for r in draws] == [
        "Jaws Pilot discards 0, draws 2", "Jaws Gunner discards 2, draws 2",
    ]  # fmt: skip
    assert all("JP-17.3" in r.cite.rules for r in draws)


def test_jp_17_3_a_shortage_in_either_deck_loses(at: At) -> None:
    """However full the other."""
    table = at("draw", variants=TWO, JG={"hand": 1, "deck": 1, "discard": 28}).draw()
    table.say("deck/JG", 1).say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ("Paws",)


def test_jp_17_4_a_hand_that_laid_nothing_repairs_by_itself(at: At) -> None:
    """Judged by border, as RULING 25 has it."""
    table = at("repair", variants=TWO, JP={"played": 0})
    assert table.asked == ["round-2/shuffled/JP"]
    repairs = table.rulings[0]
    assert {"JP-8.1", "JP-17.4"} <= set(repairs.cite.rules)
    assert 25 in repairs.cite.rulings


def test_jp_17_4_smoke_damage_hits_the_other_hands_deck(at: At) -> None:
    """Three cards of the same person's other Deck."""
    table = at("repair", variants=TWO, JP={"played": 0}, smoke={"Jaws": True}).repair()
    assert table.position.piles["JG"].counts["scrap"] == 3


def test_jp_17_4_damage_goes_by_the_board_the_shooter_stands_on(two: Section) -> None:
    """On the Gunner View it is the Gunner Deck that bleeds."""
    table = two(jaws="JP SH PC", planes={"Jaws": "Paws.GL", "Paws": "Jaws.PC"})
    assert table.position.piles["PG"].counts["scrap"] == 6
    assert {"JP-14.4", "JP-17.4"} <= set(table.rulings[0].cite.rules)


def test_jp_17_4_the_moon_draw_is_judged_by_hand(at: At) -> None:
    """Two more for each of the two hands."""
    stands = {"moon": "Paws.PL", "planes": {"Jaws": "Paws.GC", "Paws": "Jaws.PC"}}
    table = at("draw", variants=f"night {TWO}", **stands).draw()
    table.say("moon/JP", 2).say("moon/JG", 2).say("moon/drawn")
    assert [table.position.piles[p].counts["hand"] for p in ("JP", "JG")] == [5, 5]


def test_jp_17_5_one_card_a_section_whatever_its_colour(at: At) -> None:
    """A white and a black one on one section are doubled."""
    table = at("lock", variants=TWO).lock(jaws={1: "1 1", 2: "0 1"})
    assert table.position.piles["JP"].counts["discard"] == 11
    assert table.position.owners["Jaws"] == ["", "JG", "", ""]


@pytest.mark.parametrize(
    ("rule", "repairing"), [("per_role", ["JG"]), ("whole_player", [])], ids=["role", "whole"]
)
def test_ruling_25_solo_repair(at: At, rule: str, repairing: list[str]) -> None:
    """`whole_player`: a card of either colour keeps both hands from Repairing."""
    table = at("repair", variants=TWO, options={"solo_repair": rule}, JG={"played": 0})
    assert table.position.repairing() == repairing
    assert [key.rpartition("/")[2] for key in table.asked if "shuffled" in key] == repairing


def test_ruling_25_whole_player_with_no_card_repairs_with_both(at: At) -> None:
    """Then both Decks are Repairing, and under smoke each pays for the other."""
    idle = {"played": 0}
    table = at(
        "repair", variants=TWO, options={"solo_repair": "whole_player"}, JP=idle, JG=idle,
        smoke={"Jaws": True},
    ).repair()  # fmt: skip
    assert [table.position.piles[p].counts["scrap"] for p in ("JP", "JG")] == [3, 3]
    smoked = next(r for r in table.rulings if "JP-8.3" in r.cite.rules)
    assert smoked.text.endswith("(House rule: solo_repair whole_player.)")


def test_an_untimed_phase_ends_at_two_words(at: At) -> None:
    """A person says locked once, by the team's name.  (JP-5.8, RULING 7)"""
    table = at("action", variants=TWO, options={"timer_s": "none"})
    table.say("ready/jaws").say("ready/paws")
    assert table.asked == ["round-2/locked/Jaws", "round-2/locked/Paws"]
    table.say("locked/Jaws", "locked").say("locked/Paws", "locked")
    assert table.position.stage == "lock"


def test_two_words_may_end_a_timed_phase(at: At) -> None:
    """By house rule, as with four."""
    table = at("action", variants=TWO, options={"early_end": "all_locked"})
    table.say("ready/jaws").say("ready/paws").say("locked/Paws", "locked")
    table.say("locked/Jaws", "locked")
    assert table.position.stage == "lock"


@pytest.mark.parametrize("seconds", [10, 20, 45, 7])
def test_jp_5_8_other_timers(at: At, seconds: int) -> None:
    """In every mode the group chooses; the same for both teams."""
    table = at("action", variants=f"night {TWO}", options={"timer_s": seconds})
    table.say("ready/jaws").say("ready/paws")
    assert table.question("round-2/locked").seconds == seconds


def test_jp_e04_three_a_hand(play: Callable[..., Any]) -> None:
    """27 and 3 are right, others are recounted."""
    table = play(variants=(TWO,)).say("toss", "Jaws").say("set-up/sun", "Jaws.GC")
    assert table.report("pile counted", player="JP", pile="deck", cards=27).code == "JP-AGREES"
    assert table.report("pile counted", player="JP", pile="deck", cards=26).code == "JP-E04"


def test_jp_21_4_more_than_three_by_day_cannot_be(at: At) -> None:
    """For each hand of a solo player."""
    with pytest.raises(Exception, match="holds no more than 3"):
        at("section-1", variants=TWO, JP={"hand": 4, "deck": 16})
    file = at("section-1", variants=TWO).match.position_file()
    assert faults(JawsAndPawsPosition.from_file(file)) == []
    file["players"]["JP"] |= {"hand": 4, "deck": 16}
    with pytest.raises(BadPosition, match="holds no more than 3"):
        Game.refuse_faults(JawsAndPawsPosition.from_file(file), "position")


def test_a_position_of_four_is_none_of_two(at: At, play: Callable[..., Any]) -> None:
    """The message names both lineups."""
    four = at("draw").match.position_file()
    with pytest.raises(BadCall, match="crews 2 2; this match is played by 1 1"):
        play(variants=(TWO,), position=four)
    with pytest.raises(BadCall, match="it has a Moon; this match is played with the Sun"):
        play(position=at("draw", variants="night").match.position_file())
