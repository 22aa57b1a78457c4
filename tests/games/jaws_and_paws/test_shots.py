"""JP-14 and JP-15: hits, receivers, the Sun."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from companion.core.ruling import Carry
from companion.games.jaws_and_paws.boards import LETTERS, PP

PLAYERS = ("JP", "JG", "PP", "PG")
FAR = "Jaws.GR"
"""A zone for the Sun on which no plane of these tests stands."""


def scraps(table: Any) -> dict[str, int]:
    """Cards that each player has scrapped, of those who have."""
    piles = table.position.piles
    return {p: piles[p].counts["scrap"] for p in PLAYERS if piles[p].counts["scrap"]}


def shot_of(table: Any) -> Any:
    return next(ruling for ruling in table.rulings if ruling.step == 5)


@pytest.mark.parametrize(("aimed", "stands"), [*product(LETTERS, LETTERS)])
def test_jp_14_1_a_shot_hits_the_zone_it_names(
    section: Callable[..., Any], aimed: str, stands: str
) -> None:
    """On the shooter's own boards, whoever of the team played it; any other zone is missed."""
    sun = "Paws.GR"
    planes = {"Jaws": "Paws.PC", "Paws": f"Jaws.{stands}"}
    for player in ("JP", "JG"):
        table = section(jaws=f"{player} SH {aimed}", planes=planes, sun=sun)
        assert scraps(table) == ({"PP": 6} if aimed == stands else {})


def test_jp_14_2_and_14_3_six_cards_from_deck_to_scrap(section: Callable[..., Any]) -> None:
    """The receiver moves the top six cards of the Deck to the Scrap Pile."""
    table = section(jaws="JG SH PC", sun=FAR)
    assert shot_of(table).deeds == (Carry(PP, 6, "deck", "scrap"),)
    assert table.position.piles["PP"].counts["deck"] == 10
    assert shot_of(table).struck == ("paws",)


@pytest.mark.parametrize(("aim", "receiver"), [(z, "PP" if z[0] == "P" else "PG") for z in LETTERS])
def test_jp_14_4_the_board_under_the_shooters_plane_receives(
    section: Callable[..., Any], aim: str, receiver: str
) -> None:
    """On P? the Pilot, on G? the Gunner of the damaged team."""
    planes = {"Jaws": f"Paws.{aim}", "Paws": "Jaws.PC"}
    table = section(jaws="JP SH PC", planes=planes, sun=FAR)
    assert scraps(table) == {receiver: 6}
    assert f"takes it: the Jaws plane stands on Paws.{aim}." in shot_of(table).text


@pytest.mark.parametrize("aim", ["PC", "GC"])
@pytest.mark.parametrize("repairing", ["PP", "PG"])
def test_jp_14_5_the_one_repairing_receives(
    section: Callable[..., Any], repairing: str, aim: str
) -> None:
    """Wherever the token stands."""
    planes = {"Jaws": f"Paws.{aim}", "Paws": "Jaws.PC"}
    table = section(jaws="JP SH PC", planes=planes, sun=FAR, repairing=[repairing])
    assert scraps(table) == {repairing: 6}
    assert "JP-14.5" in str(shot_of(table).cite)


def test_jp_14_5_both_repairing_receive_in_full(section: Callable[..., Any]) -> None:
    """Each the full amount (RULING 20)."""
    table = section(jaws="JP SH PC", sun=FAR, repairing=["PP", "PG"])
    assert scraps(table) == {"PP": 6, "PG": 6}
    assert str(shot_of(table).cite) == "JP-14.1, JP-14.2, JP-14.3, JP-14.5, RULING 19, RULING 20"
    assert "are both Repairing and each take it in full." in shot_of(table).text


def test_ruling_20_both_repairing_may_share(section: Callable[..., Any]) -> None:
    """The switch both_repair_damage: half each, and the ruling says so."""
    house = {"both_repair_damage": "split"}
    table = section(jaws="JP SH PC", sun=FAR, repairing=["PP", "PG"], options=house)
    assert scraps(table) == {"PP": 3, "PG": 3}
    assert "are both Repairing and share it." in shot_of(table).text


def test_jp_14_6_a_wide_shot_hurts_once(section: Callable[..., Any]) -> None:
    """Covering three zones it still hurts the plane once."""
    table = section(jaws="JP SH PL", sun="Paws.PC")
    assert scraps(table) == {"PP": 6}


def test_jp_14_7_a_move_of_the_same_section_changes_both(section: Callable[..., Any]) -> None:
    """The enemy's card moves my plane to their other board: the other of them is hit."""
    table = section(jaws="JP SH PC", paws="PP MPV enemy", sun=FAR)
    assert scraps(table) == {"PG": 6}


def test_jp_15_1_a_victim_in_the_sun_takes_half(section: Callable[..., Any]) -> None:
    """6 becomes 3: the Sun on the shooter's boards, under the victim's token."""
    table = section(jaws="JP SH PC", sun="Jaws.PC")
    assert scraps(table) == {"PP": 3}
    assert "6 damage, halved to 3 (in the Sun)" in shot_of(table).text
    assert "JP-15.1" in str(shot_of(table).cite)


@pytest.mark.parametrize(("card", "stands"), [*product(["SH PL", "SH GL"], LETTERS)])
def test_jp_15_2_a_shooter_in_the_sun_covers_the_named_board(
    section: Callable[..., Any], card: str, stands: str
) -> None:
    """The column letter is ignored; the other board is still not covered; full damage."""
    planes = {"Jaws": "Paws.GL", "Paws": f"Jaws.{stands}"}
    table = section(jaws=f"JP {card}", planes=planes, sun="Paws.GL")
    assert scraps(table) == ({"PG": 6} if card[3] == stands[0] else {})


def test_jp_15_3_one_shot_is_never_widened_and_halved(section: Callable[..., Any]) -> None:
    """There is only one Sun: on every zone, at most one of both."""
    for zone in [f"{team}.{letters}" for team in ("Jaws", "Paws") for letters in LETTERS]:
        text = shot_of(section(jaws="JP SH PC", sun=zone)).text
        assert not ("whole board" in text and "halved" in text)


@pytest.mark.parametrize("sun", ["Jaws.PL", "Jaws.GC", "Paws.PL", "Paws.GC"])
def test_jp_15_5_the_sun_elsewhere_has_no_effect(section: Callable[..., Any], sun: str) -> None:
    """Another zone or another board: full damage, narrow shot."""
    assert scraps(section(jaws="JP SH PC", sun=sun)) == {"PP": 6}
    assert scraps(section(jaws="JP SH PL", sun=sun)) == {}


def test_jp_15_the_sun_is_looked_at_in_step_5(section: Callable[..., Any]) -> None:
    """A Move Sun card of the same section brings it in time."""
    table = section(jaws="JP SH PC", paws="PG MSR", sun="Jaws.PR", sun_at_round_start="Paws")
    assert scraps(table) == {"PP": 3}


def test_the_ruling_of_a_shot_gives_all_its_reasons(section: Callable[..., Any]) -> None:
    """Hit and why, widened, receiver and why, cards scrapped, counts after, rules."""
    table = section(jaws="JG SH PL", sun="Paws.PC", number=3)
    assert shot_of(table).text == (
        "Section 3, step 5: Jaws Gunner's Shoot PL covers the whole board (own plane in the Sun) "
        "and hits: the Paws plane stands on Jaws.PC; 6 damage. Paws Pilot takes it: the Jaws "
        "plane stands on Paws.PC. Paws Pilot scraps 6: Deck 10, hand 4, Discard 10, Scrap 6."
    )
    assert str(shot_of(table).cite) == "JP-14.1, JP-14.2, JP-14.3, JP-15.2, JP-14.4, RULING 19"
    assert shot_of(table).headline == "Paws Pilot: scrap 6"


def test_a_miss_says_where_the_plane_stood(section: Callable[..., Any]) -> None:
    """Also a wide one."""
    narrow = section(jaws="JG SH GR", sun=FAR)
    assert shot_of(narrow).text.endswith("Shoot GR misses: the Paws plane stands on Jaws.PC.")
    wide = section(jaws="JG SH GR", sun="Paws.PC")
    assert "covers the whole board (own plane in the Sun) and misses" in shot_of(wide).text
