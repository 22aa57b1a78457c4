"""JP-1 to JP-4: what the box holds, where things stand, and what nobody is asked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from companion.core.errors import BadPosition
from companion.core.ruling import Flip, Level
from companion.games.jaws_and_paws.boards import CREW_OF, PILES, SECTIONS, TEAM_OF

At = Callable[..., Any]
TEAMS = ("Jaws", "Paws")
ROLES = ("Pilot", "Gunner")


def test_jp_1_1_three_boards_a_team(play: At) -> None:
    """An Action Track, a Pilot View and a Gunner View each; six in all."""
    boards = [board.name for board in play().match.rulebook.plan.boards]
    views = [f"{team} {role} View" for team, role in product(TEAMS, ROLES)]
    assert sorted(boards) == sorted([*views, *(f"{team} Action Track" for team in TEAMS)])


def test_jp_1_2_tracks_and_view_boards_have_two_sides(at: At) -> None:
    """Tracks without smoke and with; View Boards by day and by night: both are told apart."""
    table = at("cleanup", JG={"played": 0})
    assert Flip("Jaws Action Track", "smoke") in [d for r in table.rulings for d in r.deeds]
    assert table.report("track side", team="Jaws", smoke=True).level is Level.NOTE
    assert table.report("board side", team="Jaws", side="day").code == "JP-AGREES"
    assert table.report("board side", team="Jaws", side="night").code == "JP-E05"


def test_jp_1_3_a_plane_each_and_one_sun_or_moon(play: At) -> None:
    """Three tokens; at night the Moon is one of them, and no Sun."""
    for variants, bright in (((), "sun"), (("night",), "moon")):
        tokens = [token.piece for token in play(variants=variants).match.rulebook.plan.tokens]
        assert tokens == ["jaws", "paws", bright]


def test_jp_1_7_four_places_of_ones_own_and_the_track_shared(at: At) -> None:
    """Deck, hand, Discard Pile and Scrap Pile are a player's; the track holds both players'."""
    assert set(PILES) == {"deck", "hand", "discard", "scrap", "track"}
    table = at("section-1", cards={"Jaws": {1: "JP", 2: "JG"}})
    assert {str(player): set(piles.counts) for player, piles in table.position.piles.items()} == {
        player: set(PILES) for player in ("JP", "JG", "PP", "PG")
    }
    assert table.position.owners["Jaws"][:2] == ["JP", "JG"]


def test_jp_1_8_coin_and_timer_are_the_companions(play: At) -> None:
    """Neither is in the box: the companion tosses, and keeps the time."""
    table = play()
    assert "lot" in [option.name for option in table.question("toss").options_now()]
    table.say("toss", "lot").say("number", 5).say("set-up/sun", "Jaws.GC").say("placed")
    assert table.say("ready/jaws").say("ready/paws").question("locked").seconds == 20


def test_jp_2_2_three_zones_a_view_board(play: At) -> None:
    """Left, Center and Right, as its owner reads them, P for the Pilot's and G for the Gunner's."""
    for board in play().match.rulebook.plan.boards:
        if board.holds_pieces:
            letter = "P" if "Pilot" in board.name else "G"
            labels = [space.label for space in sorted(board.spaces, key=lambda s: s.centre_mm)]
            assert labels == [f"{letter}L", f"{letter}C", f"{letter}R"]


@pytest.mark.parametrize(("plane", "own"), [("Jaws", "Jaws"), ("Paws", "Paws")])
def test_jp_2_3_a_plane_stands_on_the_other_teams_boards(at: At, plane: str, own: str) -> None:
    """On one zone of them, never on its own team's."""
    planes = {"Jaws": "Paws.GL", "Paws": "Jaws.PR"}
    assert at("action", planes=planes).position.zones["jaws"] == "Paws.GL"
    with pytest.raises(BadPosition, match=r"it belongs on a .* View Board \[JP-21\.2\]"):
        at("action", planes={**planes, plane: f"{own}.PC"})


def test_jp_2_5_four_numbered_sections_a_track(at: At) -> None:
    """Asked for one by one at the lock, and as the camera has them."""
    table = at("lock")
    places = [key.split("/lock/")[1] for key in table.asked if key[-1].isdigit()]
    assert places == [f"{team.lower()}/{n}" for team in TEAMS for n in (1, 2, 3, 4)]
    assert SECTIONS == (1, 2, 3, 4)
    tracks = [b for b in table.match.rulebook.plan.boards if not b.holds_pieces]
    assert [[space.label for space in track.spaces] for track in tracks] == [list("1234")] * 2


def test_jp_2_10_the_sun_may_share_a_zone_and_change_sides(section: At) -> None:
    """One of twelve zones, a plane on it or not, on either team's boards."""
    table = section(jaws="JG MST", sun="Jaws.PC")
    assert table.position.sun == "Paws.PC"
    assert table.position.zones["jaws"] == "Paws.PC"
    with pytest.raises(BadPosition, match="the Sun stands nowhere; name one of the 12 zones"):
        section(jaws="JG MST", sun=None)


@pytest.mark.parametrize("zone", ["Paws.PC", "Paws.GR", "Jaws.PC", "Jaws.GL"])
def test_jp_2_11_whose_boards_it_stands_on_has_the_sun(at: At, zone: str) -> None:
    """With a plane in it or without."""
    table = at("action", sun=zone).say("ready/jaws").say("ready/paws")
    assert table.position.sun_first == zone[:4]


def test_jp_3_1_a_pilot_and_a_gunner_each_with_a_deck(play: At) -> None:
    """Two teams of two; four Decks, that of a Pilot for the Pilot."""
    table = play(seats={"JP": "Ana", "JG": "Bo", "PP": "Cleo", "PG": "Dan"})
    assert {team: CREW_OF[team] for team in CREW_OF if team in TEAMS} == {
        "Jaws": ("JP", "JG"), "Paws": ("PP", "PG"),
    }  # fmt: skip
    assert [piles.counts["deck"] for piles in table.position.piles.values()] == [30] * 4
    decks = table.match.rulebook.cards.decks
    assert decks["JP"] == decks["PP"]
    assert decks["JP"] != decks["JG"]


def test_jp_3_7_nobody_draws_a_starting_hand_anew(play: At) -> None:
    """Between the hands and the first round no player is asked anything."""
    table = play().say("toss", "Jaws").say("set-up/sun", "Jaws.GC")
    assert [(key, table.match.open[key].by) for key in table.asked] == [("set-up/placed", "table")]
    table.say("placed")
    assert {TEAM_OF.get(q.by, q.by) for q in table.match.open.values()} == set(TEAMS)
    assert [piles.counts["hand"] for piles in table.position.piles.values()] == [4] * 4


@pytest.mark.parametrize("laid", [{}, {1: "1 0"}, {2: "1 0", 4: "1 0"}, {1: "4 0"},
                                  {1: "2 0", 2: "1 1", 3: "0 1"}])  # fmt: skip
def test_jp_5_4_as_many_or_as_few_cards_as_they_like(at: At, laid: dict[int, str]) -> None:
    """On any section, by either player of the team, from none to all of both hands."""
    table = at("lock").lock(jaws=laid)
    told = [tuple(map(int, borders.split())) for borders in laid.values()]
    assert table.position.played["JP"] == sum(white for white, _ in told)
    assert table.position.played["JG"] == sum(black for _, black in told)


# -- cards --------------------------------------------------------------------------------


@pytest.mark.parametrize("way", "LRCV")
def test_jp_12_1_only_the_half_on_top_counts(section: At, way: str) -> None:
    """One half for the own plane, one for the enemy's, with the same movement."""
    planes = {"Jaws": "Paws.PL", "Paws": "Jaws.PL"}
    own = section(jaws=f"JP MP{way} own", planes=planes).position.zones
    enemy = section(jaws=f"JP MP{way} enemy", planes=planes).position.zones
    assert (own["paws"], enemy["jaws"]) == ("Jaws.PL", "Paws.PL")
    moved = {"L": ("PC", "PL"), "R": ("PL", "PC"), "C": ("PR", "PR"), "V": ("GR", "GR")}[way]
    assert (own["jaws"], enemy["paws"]) == (f"Paws.{moved[0]}", f"Jaws.{moved[1]}")
    table = section(jaws=f"JP MP{way} own", planes=planes)
    assert [ruling.step for ruling in table.rulings if ruling.step] == [3]


@pytest.mark.parametrize(("player", "letters"), [*product(("JP", "JG"), ("PL", "GL"))])
def test_jp_12_2_either_teammate_moves_tokens_on_either_board(
    section: At, player: str, letters: str
) -> None:
    """The own plane is on the enemy's boards and stays there, the enemy plane on the own."""
    planes = {"Jaws": f"Paws.{letters}", "Paws": f"Jaws.{letters}"}
    own = section(jaws=f"{player} MPC own", planes=planes).position.zones
    assert (own["jaws"], own["paws"]) == (f"Paws.{letters[0]}R", f"Jaws.{letters}")
    enemy = section(jaws=f"{player} MPC enemy", planes=planes).position.zones
    assert (enemy["jaws"], enemy["paws"]) == (f"Paws.{letters}", f"Jaws.{letters[0]}R")


def test_jp_12_5_view_goes_to_the_partner_board_of_the_same_team(section: At) -> None:
    """Mirrored, and back again by a second card."""
    planes = {"Jaws": "Paws.PR", "Paws": "Jaws.PC"}
    there = section(jaws="JP MPV own", planes=planes).position.zones["jaws"]
    assert there == "Paws.GL"
    back = section(jaws="JG MPV own", planes={**planes, "Jaws": there})
    assert back.position.zones["jaws"] == "Paws.PR"


@pytest.mark.parametrize("card", ["MSL", "MSR", "MSV", "MST", "SH PL", "SH GC"])
def test_jp_13_5_and_ruling_18_the_way_up_of_sun_and_shoot_cards_is_all_one(
    at: At, card: str
) -> None:
    """They have one name to be told by, no half and no unclear one."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    names = [option.name for option in table.question("reveal/jaws").options_now()]
    assert [name for name in names if name.startswith(card)] == [card]
    for half in ("own", "enemy", "unclear"):
        assert table.refused("reveal/jaws", f"{card} {half}").code == "Q-NAME"


@pytest.mark.parametrize(("sun", "scrapped"), [("Jaws.PC", 3), ("Paws.PC", 6), ("Paws.PL", 0)])
def test_jp_15_4_whichever_plane_is_in_the_sun_has_the_good_of_it(
    section: At, sun: str, scrapped: int
) -> None:
    """Hits on it are halved and its own shots are wide, whoever's board it is on."""
    planes = {"Jaws": "Paws.PC", "Paws": "Jaws.PC"}
    card = "SH PC" if sun == "Jaws.PC" else "SH PL"
    table = section(jaws=f"JG {card}", sun=sun, planes=planes)
    assert table.position.piles["PP"].counts["scrap"] == scrapped


def test_jp_20_4_draws_do_not_depend_on_each_other(at: At) -> None:
    """Each draws from the own Deck; only losses meet, and then both are down."""
    empty = {"deck": 0, "hand": 1, "discard": 29}
    one = at("draw", JP=empty).draw().say("deck/JP", 0)
    assert one.position.down == ["Jaws"]
    for first, second in (("JP", "PG"), ("PG", "JP")):
        both = at("draw", JP=empty, PG=empty).draw()
        both.say(f"deck/{first}", 0).say(f"deck/{second}", 0)
        assert sorted(both.position.down) == ["Jaws", "Paws"]
        both.say("result/jaws").say("result/paws")
        assert both.match.outcome.winners == ()
