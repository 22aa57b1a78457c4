"""JP-2, JP-12, JP-13: where tokens go, exhaustively, and where order matters (JP-20.3)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from companion.games.jaws_and_paws.boards import ZONES
from companion.games.jaws_and_paws.moves import plane_steps, sun_steps

TEAMS = ("Jaws", "Paws")
RIVAL = {"Jaws": "Paws", "Paws": "Jaws"}

# JP-12.6, the whole table: from, "L enemy / R own", "R enemy / L own", Corner, View.
TABLE_12_6 = {
    "PL": ("PL", "PC", "PR", "GR"),
    "PC": ("PL", "PR", "PC", "GC"),
    "PR": ("PC", "PR", "PL", "GL"),
    "GL": ("GL", "GC", "GR", "PR"),
    "GC": ("GL", "GR", "GC", "PC"),
    "GR": ("GC", "GR", "GL", "PL"),
}
COLUMN = {("L", "enemy"): 0, ("R", "own"): 0, ("R", "enemy"): 1, ("L", "own"): 1,
          ("C", "own"): 2, ("C", "enemy"): 2, ("V", "own"): 3, ("V", "enemy"): 3}  # fmt: skip


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("target", ["own", "enemy"])
@pytest.mark.parametrize("way", ["L", "R", "C", "V"])
@pytest.mark.parametrize("letters", TABLE_12_6)
def test_jp_12_6_the_complete_table(
    section: Callable[..., Any], team: str, target: str, way: str, letters: str
) -> None:
    """Every Move Plane card of either team from every zone, played at the table."""
    rival = RIVAL[team]
    stands_on = rival if target == "own" else team
    mover = team if target == "own" else rival
    planes = {"Jaws": "Paws.PC", "Paws": "Jaws.PC", mover: f"{stands_on}.{letters}"}
    card = f"{'JP' if team == 'Jaws' else 'PP'} MP{way} {target}"
    table = section(**{team.lower(): card}, planes=planes, sun=f"{mover}.GC")
    end = f"{stands_on}.{TABLE_12_6[letters][COLUMN[way, target]]}"
    assert table.position.zones[mover.lower()] == end
    assert table.position.zones[rival.lower() if mover == team else team.lower()] != end


@pytest.mark.parametrize("piece_on", TEAMS)
@pytest.mark.parametrize("way", ["L", "R"])
def test_jp_2_6_and_ruling_1_left_is_that_of_the_player(piece_on: str, way: str) -> None:
    """On own boards towards the printed letter, on the opposing team's boards the other way."""
    for team, column in product(TEAMS, "PG"):
        end = sun_steps(team, way, "seat")[f"{piece_on}.{column}C"]
        printed = way if piece_on == team else {"L": "R", "R": "L"}[way]
        assert end == f"{piece_on}.{column}{printed}"


@pytest.mark.parametrize(
    ("zone", "end"),
    [("PL", "GR"), ("PC", "GC"), ("PR", "GL"), ("GL", "PR"), ("GC", "PC"), ("GR", "PL")],
)
@pytest.mark.parametrize("board", TEAMS)
def test_jp_13_3_and_2_7_view_mirrors_the_sun_on_the_same_team(
    section: Callable[..., Any], board: str, zone: str, end: str
) -> None:
    """The board letter changes, C stays C, L and R swap (JP-2.7)."""
    table = section(jaws="JG MSV", sun=f"{board}.{zone}")
    assert table.position.sun == f"{board}.{end}"


@pytest.mark.parametrize("zone", ZONES)
def test_jp_13_4_and_2_8_team_keeps_both_letters(section: Callable[..., Any], zone: str) -> None:
    """The same zone on the other team's View set (JP-2.8)."""
    table = section(paws="PG MST", sun=zone)
    assert table.position.sun == f"{RIVAL[zone[:4]]}{zone[4:]}"


@pytest.mark.parametrize(("way", "zone"), [*product("LR", ZONES)])
def test_jp_13_2_and_13_1_the_sun_moves_on_either_teams_boards(
    section: Callable[..., Any], way: str, zone: str
) -> None:
    """One zone from the seat of the player, blocked at the edge, never round the corner."""
    printed = way if zone[:4] == "Jaws" else {"L": "R", "R": "L"}[way]
    column = min(2, max(0, "LCR".index(zone[-1]) + (1 if printed == "R" else -1)))
    table = section(jaws="JG MS" + way, sun=zone)
    assert table.position.sun == zone[:-1] + "LCR"[column]


def test_jp_2_4_moving_one_token_never_changes_the_other(section: Callable[..., Any]) -> None:
    """The manual's example: Jaws get behind the Paws, who stay in front of them."""
    table = section(jaws="JP MPV own")
    assert table.position.zones["jaws"] == "Paws.GC"
    assert table.position.zones["paws"] == "Jaws.PC"


def test_jp_12_3_a_blocked_move_is_said_and_used_up(section: Callable[..., Any]) -> None:
    """At the edge the token stays; the ruling says why, and no hand moves anything (JP-9.9)."""
    table = section(jaws="JP MPR own", planes={"Jaws": "Paws.PL", "Paws": "Jaws.PC"})
    said = next(ruling for ruling in table.rulings if ruling.step == 3)
    assert said.text.endswith("Jaws plane stays on Paws.PL, the edge blocks it.")
    assert said.deeds == ()
    assert table.position.piles["JP"].counts["discard"] == 10


def test_jp_12_4_and_2_9_a_corner_card_moves_nothing_in_the_centre(
    section: Callable[..., Any],
) -> None:
    """JP-2.9: a token on -C does not move."""
    table = section(jaws="JP MPC enemy")
    said = next(ruling for ruling in table.rulings if ruling.step == 4)
    assert "stays on Jaws.PC, a corner card moves nothing in the centre" in said.text


# -- JP-20.3: pairs on the same token, one card of each team ---------------------------------------


def differs(first: Any, second: Any, zone: str) -> bool:
    """Whether two movements end elsewhere in the other order."""
    return bool(second[first[zone]] != first[second[zone]])


def plane(team: str, way: str) -> Any:
    return plane_steps(team, way, "seat", "swap")


def sun(team: str, way: str) -> Any:
    return sun_steps(team, way, "seat")


@pytest.mark.parametrize("kind", [plane, sun])
@pytest.mark.parametrize("zone", ZONES)
def test_jp_20_3_same_words_matter_only_at_the_edge(kind: Any, zone: str) -> None:
    """Left and Left of two teams are opposite directions: order matters on -L and -R alone."""
    for way in "LR":
        assert differs(kind("Jaws", way), kind("Paws", way), zone) == (zone[-1] in "LR")


@pytest.mark.parametrize("kind", [plane, sun])
@pytest.mark.parametrize("zone", ZONES)
def test_jp_20_3_left_with_right_of_the_other_never_matters(kind: Any, zone: str) -> None:
    """They are the same direction."""
    assert not differs(kind("Jaws", "L"), kind("Paws", "R"), zone)
    assert not differs(kind("Jaws", "R"), kind("Paws", "L"), zone)


@pytest.mark.parametrize(("kind", "other"), [(plane, "V"), (sun, "V"), (sun, "T"), (plane, "C")])
def test_jp_20_3_sideways_with_view_team_or_corner_always_matters(kind: Any, other: str) -> None:
    """On each zone of either team, for both ways and both teams."""
    for zone, way, team in product(ZONES, "LR", TEAMS):
        assert differs(kind(team, way), kind(RIVAL[team], other), zone), (zone, way, team)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [(plane, "V", "C"), (plane, "V", "V"), (plane, "C", "C"), (sun, "V", "T"), (sun, "T", "T")],
)
def test_jp_20_3_view_team_and_corner_never_matter(kind: Any, one: str, other: str) -> None:
    """Among themselves they commute."""
    assert not any(differs(kind("Jaws", one), kind("Paws", other), zone) for zone in ZONES)


@pytest.mark.parametrize(
    ("card", "sun", "told"),
    [
        (
            "JP MPL own",
            "Jaws.GC",
            "on the own plane, left as Jaws sit: Jaws plane Paws.PC to Paws.PR",
        ),
        ("JP MPR own", "Jaws.GC", "on the own plane, right as Jaws sit: Jaws plane Paws.PC to"),
        ("JP MSL", "Paws.GC", "Move Sun Left, left as Jaws sit: Sun Paws.GC to Paws.GR"),
        ("JP MPL enemy", "Jaws.GC", "on the enemy plane: Paws plane Jaws.PC to Jaws.PL"),
        ("JP MSL", "Jaws.GC", "Move Sun Left: Sun Jaws.GC to Jaws.GL"),
        ("JP MPC own", "Jaws.GC", "on the own plane: Jaws plane stays"),
    ],
)
def test_jp_2_6_the_ruling_says_whose_left_it_is_where_left_is_turned(
    section: Callable[..., Any], card: str, sun: str, told: str
) -> None:
    """On the far team's boards the player's Left runs to the printed R, and it is said so."""
    assert told in section(jaws=card, sun=sun).texts()


def test_ruling_1_by_the_board_nothing_is_turned(section: Callable[..., Any]) -> None:
    """lr_frame board: Left is the printed L everywhere, and no seat is spoken of."""
    table = section(jaws="JP MPL own", options={"lr_frame": "board"})
    assert "Paws.PC to Paws.PL" in table.texts()
    assert " sit" not in table.texts()
