"""JP-9 and JP-10: sections, the five steps, and Cleanup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.ruling import Carry, Flip
from companion.games.jaws_and_paws.boards import JG, JP, PP


def steps(table: Any) -> list[tuple[int, str]]:
    """Step and player of each ruling that has a step."""
    return [(ruling.step, ruling.by) for ruling in table.rulings if ruling.step is not None]


def test_jp_9_1_sections_in_order_and_both_cards_together(at: Callable[..., Any]) -> None:
    """One form a section with a card of each team that has one there."""
    table = at("section-1", cards={"Jaws": {1: "JP", 3: "JG"}, "Paws": {1: "PP"}})
    assert table.asked == ["round-2/section-1/reveal/jaws", "round-2/section-1/reveal/paws"]
    table.flip(jaws="SH PL", paws="SH PL")
    assert table.asked == ["round-2/section-3/reveal/jaws"]


def test_jp_9_2_later_sections_stay_face_down(at: Callable[..., Any]) -> None:
    """Nothing is asked of a section before its turn."""
    table = at("section-1", cards={"Jaws": {1: "JP", 2: "JG"}})
    assert table.asked == ["round-2/section-1/reveal/jaws"]


def test_jp_9_2_a_section_without_cards_is_not_begun(at: Callable[..., Any]) -> None:
    """No match starts there, and no digest is taken: the next stage begins at once."""
    table = at("section-1", cards={"Jaws": {1: "JP"}, "Paws": {3: "PP"}})
    begun: list[str] = []
    table.match.rulebook.at_begin = lambda: begun.append(table.position.stage)
    table.flip(jaws="SH PL").flip(paws="SH PL")
    assert begun == ["section-3", "cleanup", "action"]


@pytest.mark.parametrize(("sun_first", "end"), [("Jaws", "Jaws.PC"), ("Paws", "Jaws.PL")])
def test_jp_9_3_sun_order_uses_the_start_of_the_round(
    section: Callable[..., Any], sun_first: str, end: str
) -> None:
    """Whose Sun card is first was noted at the start of the round, wherever the Sun is now."""
    table = section(jaws="JG MSL", paws="PG MSL", sun="Jaws.PL", sun_at_round_start=sun_first)
    assert table.position.sun == end
    first = "JG" if sun_first == "Jaws" else "PG"
    assert steps(table)[0] == (1, first)


def test_jp_9_3_and_ruling_15_the_note_holds_after_the_sun_changed_sides(
    at: Callable[..., Any],
) -> None:
    """In section 2 the team that had it at the start is still first (RULING 15)."""
    cards = {"Jaws": {1: "JG", 2: "JG"}, "Paws": {2: "PG"}}
    table = at("section-1", cards=cards, sun="Jaws.PL")
    table.flip(jaws="MST").flip(jaws="MSV", paws="MSV")
    assert table.position.sun == "Paws.PL"
    assert steps(table)[1:] == [(1, "JG"), (2, "PG")]


def test_jp_9_3_to_9_7_the_five_steps(section: Callable[..., Any]) -> None:
    """Sun first, then own plane, enemy plane, and shots last."""
    assert steps(section(jaws="JP SH GR", paws="PG MSL")) == [(2, "PG"), (5, "JP")]
    assert steps(section(jaws="JP MPL enemy", paws="PP MPL own")) == [(3, "PP"), (4, "JP")]
    assert steps(section(jaws="JP SH GR", paws="PP MPL own")) == [(3, "PP"), (5, "JP")]
    assert steps(section(jaws="JP MPV own", paws="PG MSL")) == [(2, "PG"), (3, "JP")]


def test_jp_9_8_both_own_moves_are_one_step(section: Callable[..., Any]) -> None:
    """Different tokens: one step, no order between the teams."""
    assert steps(section(jaws="JP MPV own", paws="PP MPV own")) == [(3, "JP"), (3, "PP")]


def test_jp_9_9_and_ruling_16_a_revealed_card_is_used_up(section: Callable[..., Any]) -> None:
    """A shot at an empty zone is a legal result; the card goes to the Discard Pile."""
    table = section(jaws="JP SH GR")
    assert table.rulings[0].headline == "Shoot GR misses"
    assert table.position.piles["JP"].counts["discard"] == 10


def test_jp_10_1_all_cards_go_to_their_owners(at: Callable[..., Any]) -> None:
    """By border: each owner's own Discard Pile."""
    cards = {"Jaws": {1: "JP", 2: "JG", 3: "JG"}, "Paws": {4: "PP"}}
    table = at("cleanup", cards=cards)
    assert table.last.deeds == (
        Carry(JP, 1, "track", "discard"),
        Carry(JG, 2, "track", "discard"),
        Carry(PP, 1, "track", "discard"),
    )
    assert table.position.piles["JG"].counts == {
        "deck": 16, "hand": 4, "discard": 10, "scrap": 0, "track": 0}  # fmt: skip


def test_jp_10_2_a_team_that_repaired_turns_to_smoke(at: Callable[..., Any]) -> None:
    """One Repairing player is enough; the other team's track stays as it is (RULING 36)."""
    table = at("cleanup", JG={"played": 0})
    assert table.position.smoke == {"Jaws": True, "Paws": False}
    assert table.rulings[0].deeds == (Flip("Jaws Action Track", "smoke"),)


def test_jp_10_2_and_ruling_36_smoke_is_turned_once(at: Callable[..., Any]) -> None:
    """A track that shows smoke already is not turned again, and never back."""
    smoke = {"Jaws": True, "Paws": False}
    assert at("cleanup", JP={"played": 0}, smoke=smoke).rulings == []
    assert at("cleanup", smoke=smoke).position.smoke["Jaws"]


def test_jp_10_3_then_the_next_round_starts(at: Callable[..., Any]) -> None:
    """The count of rounds goes on, and what only this round decided is forgotten."""
    table = at("cleanup", JP={"played": 0}, cards={"Paws": {1: "PP"}})
    assert table.asked == ["round-3/ready/jaws", "round-3/ready/paws"]
    assert table.position.sun_first is None
    assert table.position.owners["Paws"] == ["", "", "", ""]
    assert set(table.position.played.values()) == {0}


def test_a_ruling_says_who_what_from_where_to_where(section: Callable[..., Any]) -> None:
    """Section and step, card and player, token and zones before and after, with the rules."""
    table = section(jaws="JG MPL enemy", number=2)
    said = table.rulings[0]
    assert said.text == (
        "Section 2, step 4: Jaws Gunner's Move Plane Left on the enemy plane: "
        "Paws plane Jaws.PC to Jaws.PL."
    )
    assert str(said.cite) == "JP-9.6, JP-12.3, JP-2.6, RULING 1"
    assert (said.headline, said.by) == ("Paws: PC to PL", "JG")
