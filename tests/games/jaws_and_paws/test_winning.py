"""JP-11: how a team is shot down, check points, and both at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

FAR = "Jaws.GR"


def thin(deck: int, **more: int) -> dict[str, int]:
    """A player's line with so many cards in the Deck; the rest is discarded."""
    return {"deck": deck, "discard": 26 - deck, **more}


def agree(table: Any) -> Any:
    return table.say("result/jaws").say("result/paws")


def test_jp_11_1_a_draw_that_fails_loses(at: Callable[..., Any]) -> None:
    """A player must draw and no card is there: the team is shot down."""
    table = at("draw", JG={"deck": 1, "hand": 2, "discard": 27}).draw()
    assert table.asked == ["round-2/draw/deck/JG"]
    table.say("deck/JG", 1)
    assert "Jaws are shot down at the end of Discard and Draw" in table.last.text
    assert agree(table).match.outcome.winners == ("Paws",)


def test_jp_11_1_damage_that_fails_loses(section: Callable[..., Any]) -> None:
    """A card must move from Deck to Scrap and none is there."""
    table = section(jaws="JP SH PC", sun=FAR, PP=thin(5)).say("deck/PP", 5)
    assert "Paws are shot down at the end of step 5 of section 1" in table.last.text
    assert table.last.struck == ("paws",)


def test_jp_11_2_taking_exactly_the_last_cards_is_survived(
    section: Callable[..., Any], at: Callable[..., Any]
) -> None:
    """An empty Deck alone is no loss."""
    assert section(jaws="JP SH PC", sun=FAR, PP=thin(6)).match.outcome is None
    table = at("draw", JG={"deck": 2, "hand": 2, "discard": 26}).draw()
    assert table.match.outcome is None
    assert table.position.piles["JG"].counts["deck"] == 0


def test_jp_11_3_the_teammates_deck_does_not_help(section: Callable[..., Any]) -> None:
    """Either player's Deck is enough."""
    table = section(jaws="JP SH PC", sun=FAR, PP=thin(0), PG=thin(26)).say("deck/PP", 0)
    assert agree(table).match.outcome.winners == ("Jaws",)


def test_jp_11_4_and_ruling_10_what_is_there_is_taken_first(section: Callable[..., Any]) -> None:
    """Four of six are scrapped, then the team is shot down (RULING 10)."""
    table = section(jaws="JP SH PC", sun=FAR, PP=thin(4)).say("deck/PP", 4)
    counts = table.position.piles["PP"].counts
    assert (counts["deck"], counts["scrap"]) == (0, 4)
    assert "Paws Pilot scraps 4, 2 short" in table.texts()


def test_jp_11_4_the_deck_is_counted_before_a_card_is_taken(
    section: Callable[..., Any],
) -> None:
    """A wrong count is refused; the arbiter adjusts the record, and the match goes on."""
    table = section(jaws="JP SH PC", sun=FAR, PP=thin(4))
    refusal = table.refused("deck/PP", 7)
    assert (refusal.code, str(refusal.cite)) == ("JP-E42", "JP-7.2, JP-11.1")
    table.adjust(PP__deck=7, PP__discard=19).say("deck/PP", 7)
    assert table.match.outcome is None
    assert table.position.piles["PP"].counts["deck"] == 1


def test_jp_11_5_and_ruling_11_check_point_at_the_end_of_repairing(at: Callable[..., Any]) -> None:
    """Smoke damage that fails; no section is turned over afterwards (RULING 11)."""
    table = at("repair", JP=thin(2), JG={"played": 0}, cards={"Paws": {1: "PP"}},
               smoke={"Jaws": True, "Paws": False}).repair()  # fmt: skip
    table.say("deck/JP", 2)
    assert "at the end of Repairing" in table.last.text
    assert agree(table).match.outcome.winners == ("Paws",)


def test_jp_11_5_and_ruling_36_no_cleanup_and_no_smoke_after_the_end(
    section: Callable[..., Any],
) -> None:
    """Cards stay on the track and no track is turned (RULING 36)."""
    table = section(jaws="JP SH PC", sun=FAR, PP=thin(0), repairing=["JG"]).say("deck/PP", 0)
    agree(table)
    assert table.position.piles["JP"].counts["track"] == 1
    assert table.position.smoke["Jaws"] is False


def test_jp_11_6_both_down_at_one_check_point_is_a_draw(section: Callable[..., Any]) -> None:
    """Nobody is left flying (RULING 12)."""
    table = section(jaws="JP SH PC", paws="PP SH PC", sun=FAR, JP=thin(0), PP=thin(1))
    table.say("deck/JP", 0).say("deck/PP", 1)
    outcome = agree(table).match.outcome
    assert outcome.winners == ()
    assert str(outcome.ruling.cite) == "JP-11.5, JP-11.6, RULING 12"
    assert outcome.ruling.headline == "Draw: both down"


def test_jp_11_6_and_ruling_11_the_first_check_point_decides(at: Callable[..., Any]) -> None:
    """Jaws fall in section 1; that Paws would fall in section 2 no longer matters."""
    cards = {"Jaws": {2: "JP"}, "Paws": {1: "PP"}}
    table = at("section-1", cards=cards, sun=FAR, JP={"deck": 0, "discard": 26},
               PP={"deck": 0, "discard": 26})  # fmt: skip
    table.flip(paws="SH PC").say("deck/JP", 0)
    assert agree(table).match.outcome.winners == ("Paws",)


def test_end_of_game_states_check_point_and_final_counts(section: Callable[..., Any]) -> None:
    """Check point, team, winner, and every player's counts; both teams agree before it closes."""
    table = section(jaws="JP SH PC", sun=FAR, PP=thin(5)).say("deck/PP", 5)
    assert table.match.outcome is None
    for name in ("Jaws Pilot", "Jaws Gunner", "Paws Pilot", "Paws Gunner"):
        assert f"{name}: Deck " in table.last.text
    assert agree(table).match.outcome.ruling is table.last


def test_end_of_game_can_still_be_undone(section: Callable[..., Any]) -> None:
    """Undo reaches back past the result, to the reveal and further."""
    table = section(jaws="JP SH PC", sun=FAR, PP=thin(5)).say("deck/PP", 5)
    agree(table)
    reveal = next(s.seq for s in table.match.steps if s.key.endswith("reveal/jaws"))
    table.match.undo(reveal, "wrong card", stamp=table.stamp)
    assert table.match.outcome is None
    assert table.flip(jaws="SH PL").match.outcome is None


def test_end_of_game_an_arbiter_may_find_nobody_down(section: Callable[..., Any]) -> None:
    """Before both have agreed the arbiter may clear the loss; the round goes on."""
    table = section(jaws="JP SH PC", sun=FAR, PP=thin(5)).say("deck/PP", 5)
    table.adjust(Paws__down=False)
    agree(table)
    assert table.match.outcome is None
    assert table.asked == ["round-3/ready/jaws", "round-3/ready/paws"]


@pytest.mark.parametrize("seed", range(3))
def test_every_match_ends(bots: Callable[..., Any], seed: int) -> None:
    """Bots that aim a little come to an end, and the outcome names its ruling."""
    table, _ = bots(seed)
    assert table.match.outcome.ruling.cite.rules[0].startswith("JP-11")
