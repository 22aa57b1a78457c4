"""JP-8: Repairing, and damage under smoke."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadPosition
from companion.core.ruling import Carry, Shuffle
from companion.games.jaws_and_paws.boards import JG, JP

REST: dict[str, Any] = {"played": 0}
SMOKE = {"Jaws": True, "Paws": False}


def test_jp_8_1_who_played_no_card_is_repairing(at: Callable[..., Any]) -> None:
    """A state, not a choice: asked only for the shuffle's confirmation (RULING 13)."""
    table = at("repair", JG=REST)
    assert table.asked == ["round-2/shuffled/JG"]
    assert table.position.repairing() == ["JG"]


def test_jp_8_1_nobody_is_repairing_when_all_played(at: Callable[..., Any]) -> None:
    """No question, no ruling: on to the sections."""
    table = at("repair")
    assert table.asked == ["round-3/ready/jaws", "round-3/ready/paws"]


def test_jp_8_2_the_discard_pile_is_shuffled_in(at: Callable[..., Any]) -> None:
    """All of it, cards discarded in this round's step included."""
    table = at("draw", JG=REST).draw(JG=2)
    assert table.last.deeds == (Shuffle(JG, 12, "discard", "deck"),)
    assert table.position.piles["JG"].counts["deck"] == 26


def test_jp_8_2_and_ruling_13_an_empty_discard_pile_changes_nothing(at: Callable[..., Any]) -> None:
    """With nothing to shuffle the player is Repairing all the same, and is asked for nothing."""
    table = at("draw", cards={"Paws": {1: "PP"}}, JG={"played": 0, "deck": 26, "discard": 0}).draw()
    assert table.position.is_repairing("JG")
    assert table.asked == ["round-2/section-1/reveal/paws"]
    assert (table.last.deeds, "nothing is shuffled" in table.last.text) == ((), True)


def test_jp_8_3_under_smoke_the_teammate_takes_three(at: Callable[..., Any]) -> None:
    """Smoke from an earlier round: 3 damage to the other player of the team."""
    table = at("repair", JG=REST, smoke=SMOKE).repair()
    assert table.position.piles["JP"].counts["scrap"] == 3
    assert table.position.piles["JG"].counts["scrap"] == 0
    said = next(ruling for ruling in table.rulings if ruling.headline == "Jaws Pilot: scrap 3")
    assert said.deeds == (Carry(JP, 3, "deck", "scrap"),)
    assert str(said.cite) == "JP-8.3, JP-8.4, JP-8.5, RULING 14"


def test_jp_8_3_without_smoke_nobody_takes_damage(at: Callable[..., Any]) -> None:
    """The first Repair of a team costs nothing."""
    table = at("repair", JG=REST).repair()
    assert table.position.piles["JP"].counts["scrap"] == 0


def test_jp_8_4_and_ruling_14_all_shuffles_before_any_damage(at: Callable[..., Any]) -> None:
    """Both Repairing under smoke: each takes 3 from the freshly shuffled Deck (RULING 14)."""
    empty = {"deck": 0, "discard": 26, "played": 0}
    table = at("repair", JP=empty, JG=empty, smoke=SMOKE).repair()
    assert table.match.outcome is None
    assert [table.position.piles[p].counts["scrap"] for p in ("JP", "JG")] == [3, 3]
    assert table.position.piles["JP"].counts["deck"] == 23


@pytest.mark.parametrize("sun", ["Jaws.PC", "Paws.PC"])
def test_jp_8_5_and_ruling_14_smoke_damage_is_not_redirected_and_not_halved(
    at: Callable[..., Any], sun: str
) -> None:
    """The Sun under a plane and a Repairing receiver change nothing."""
    table = at("repair", JG=REST, smoke=SMOKE, sun=sun).repair()
    assert table.position.piles["JP"].counts["scrap"] == 3


def test_jp_8_6_two_first_repairs_in_one_round_cost_nothing(at: Callable[..., Any]) -> None:
    """Smoke is turned only at Cleanup."""
    table = at("repair", JP=REST, JG=REST).repair()
    assert [table.position.piles[p].counts["scrap"] for p in ("JP", "JG")] == [0, 0]
    assert table.position.smoke["Jaws"]


def test_jp_8_7_repairing_lasts_to_the_end_of_the_round(at: Callable[..., Any]) -> None:
    """Until Cleanup; the next round nobody is Repairing before its own lock."""
    table = at("repair", JG=REST, cards={"Paws": {4: "PP"}}).repair()
    assert table.position.is_repairing("JG")
    table.flip(paws="SH PL")
    assert table.asked == ["round-3/ready/jaws", "round-3/ready/paws"]
    assert not table.position.is_repairing("JG")


def test_jp_8_8_a_repairing_player_has_no_card_on_the_track(at: Callable[..., Any]) -> None:
    """A file that says so is refused with the rule."""
    with pytest.raises(BadPosition, match=r"players.JP.track: 1 on the track, but none played"):
        at("section-1", cards={"Jaws": {1: "JP"}}, JP=REST)
