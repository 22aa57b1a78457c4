"""JP-20: what is simultaneous, and where order matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FAR = "Jaws.GR"


def scrapped(table: Any, player: str) -> int:
    return int(table.position.piles[player].counts["scrap"])


def test_jp_20_1_own_before_enemy_on_the_same_token(section: Callable[..., Any]) -> None:
    """A's own plane is B's enemy: own first. Left then View ends elsewhere than View then Left."""
    table = section(jaws="JP MPL own", paws="PP MPV enemy", sun=FAR)
    assert table.position.zones["jaws"] == "Paws.GL"


def test_jp_20_1_sun_and_plane_do_not_read_each_other(section: Callable[..., Any]) -> None:
    """Both move, whatever the order."""
    table = section(jaws="JP MPV own", paws="PG MST", sun="Paws.PC")
    assert (table.position.zones["jaws"], table.position.sun) == ("Paws.GC", "Jaws.PC")


def test_jp_20_1_shots_are_judged_from_the_same_positions(section: Callable[..., Any]) -> None:
    """Both hit, both bleed, in one step."""
    table = section(jaws="JP SH PC", paws="PP SH PC", sun=FAR)
    assert (scrapped(table, "PP"), scrapped(table, "JP")) == (6, 6)


def test_jp_20_2_a_move_in_the_section_of_the_shot_dodges_it(section: Callable[..., Any]) -> None:
    """Plane first."""
    assert scrapped(section(jaws="JP SH PC", paws="PP MPL own", sun=FAR), "PP") == 0


def test_jp_20_2_a_blocked_or_corner_move_dodges_nothing(section: Callable[..., Any]) -> None:
    """The token stays and is hit."""
    assert scrapped(section(jaws="JP SH PC", paws="PP MPC own", sun=FAR), "PP") == 6
    edge = {"Jaws": "Paws.PC", "Paws": "Jaws.PL"}
    blocked = section(jaws="JP SH PL", paws="PP MPR own", planes=edge, sun=FAR)
    assert scrapped(blocked, "PP") == 6


def test_jp_20_2_a_plane_may_fly_into_a_shot(section: Callable[..., Any]) -> None:
    """Out of the Paws' seat Left runs towards the printed Right of Jaws' board."""
    assert scrapped(section(jaws="JP SH PR", paws="PP MPL own", sun=FAR), "PP") == 6


def test_jp_20_2_the_enemy_may_widen_my_shot(section: Callable[..., Any]) -> None:
    """By moving the Sun under my plane in that section."""
    table = section(jaws="JP SH PL", paws="PG MSL", sun="Paws.PR", sun_at_round_start="Paws")
    assert scrapped(table, "PP") == 6


def test_jp_20_2_moving_their_token_changes_who_of_us_receives(
    section: Callable[..., Any],
) -> None:
    """Paws shoot; Jaws move the Paws token to their other board: it is missed, or the Gunner's."""
    table = section(jaws="JP MPV enemy", paws="PP SH PC", sun=FAR)
    assert (scrapped(table, "JP"), scrapped(table, "JG")) == (0, 6)


def test_jp_20_5_a_fallen_team_resolves_no_later_section(at: Callable[..., Any]) -> None:
    """Shot down in section 1, its section 2 is never turned over."""
    cards = {"Jaws": {1: "JP"}, "Paws": {2: "PP"}}
    line = {"deck": 5, "discard": 21}
    table = at("section-1", cards=cards, sun=FAR, PP=line)
    table.flip(jaws="SH PC").say("deck/PP", 5)
    assert table.asked == ["round-2/result/jaws", "round-2/result/paws"]
    table.say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ("Jaws",)
    assert table.position.piles["PP"].counts["track"] == 1
