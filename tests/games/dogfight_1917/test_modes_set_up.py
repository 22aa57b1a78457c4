"""Set-up in the six modes: who flies what, from where, with what.  (DF-19.4, DF-20 to DF-24)"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.ruling import Carry, Seat
from companion.games.dogfight_1917.rules import Dogfight1917

MakeTable = Callable[..., Any]

CORNERS = ["0,-4 S", "4,-4 SW", "4,0 NW", "0,4 N", "-4,4 NE", "-4,0 SE"]
PAIRS = {
    "fokker": "richthofen", "camel": "maclaren", "albatros": "loewenhardt", "spad": "fonck",
}  # fmt: skip


def mode(*names: str) -> type[Dogfight1917]:
    """The rules with these chapters in force."""
    return Dogfight1917.in_variants(names)


def flown(table: Any) -> dict[str, tuple[str, str]]:
    """Fighter and pilot of each seat."""
    return {seat: (p.fighter, p.pilot) for seat, p in table.position.players.items()}


def answer_all(table: Any, answers: Sequence[str]) -> list[str]:
    """Give these answers to whatever is asked; the keys that were asked, without "set-up/"."""
    keys: list[str] = []
    for answer in answers:
        (key,) = table.asked
        keys.append(key.removeprefix("set-up/"))
        table.say(key, answer)
    return keys


# -- which modes go together (DF-19.4) -----------------------------------------------------


@pytest.mark.parametrize("names", [("draft",), ("draft", "base"), ("base", "draft")])
def test_df_19_4_draft_alone_is_the_base_game_drafted(names: tuple[str, ...]) -> None:
    """Draft Mode is played by two where no other mode is named."""
    rules = mode(*names)
    assert tuple(rules.seats) == ("A", "B")
    assert rules is mode("draft")


@pytest.mark.parametrize("other", ["battle-royale", "team-battle"])
def test_df_19_4_draft_goes_with_modes_that_prescribe_no_pairs(
    new_table: MakeTable, other: str
) -> None:
    """Pilots go round from A to D, Fighters back from D to A, then the other mode's set-up."""
    pilots, fighters = ["fonck", "loewenhardt", "maclaren", "richthofen"], [*PAIRS]
    for names in (("draft", other), (other, "draft")):
        table = new_table(*names)
        keys = answer_all(table, [*pilots[:3], *fighters[:3]])  # the last is left, not asked for
        assert keys == [f"pilot/{seat}" for seat in "ABC"] + [f"fighter/{s}" for s in "DCB"]
        assert flown(table) == {
            seat: (fighter, pilot)
            for seat, fighter, pilot in zip("ABCD", reversed(fighters), pilots, strict=True)
        }
        asked = table.asked == ["set-up/corner/A"]
        assert asked is (other == "battle-royale")
        assert mode(*names).sides == mode(other).sides


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("draft", "daring-escape"), r"daring-escape prescribes who flies what: no draft \[DF-19"),
        (("entente-vs-central-powers", "draft"), r"entente.* prescribes who flies what"),
        (("battle-royale", "team-battle"), "battle-royale and team-battle do not go together"),
        (("base", "daring-escape"), "base and daring-escape do not go together"),
        (("draft", "team-battle", "battle-royale"), "do not go together; only draft goes with"),
        (("night",), "has no variant 'night'; there are base, draft, daring-escape"),
    ],
)
def test_df_19_4_other_mixes_are_refused(names: tuple[str, ...], words: str) -> None:
    """The message names the modes, and what there is instead."""
    with pytest.raises(BadCall, match=words):
        mode(*names)


def test_df_19_4_a_mode_named_twice_is_that_mode() -> None:
    """Said twice is not two modes."""
    with pytest.raises(BadCall, match="team-battle and team-battle do not go together"):
        mode("team-battle", "team-battle")


@pytest.mark.parametrize("name", ["battle-royale", "team-battle"])
def test_df_19_4_pairs_of_the_chart_hold_in_other_modes(new_table: MakeTable, name: str) -> None:
    """Without a draft each Fighter brings its pilot; each is used once."""
    table = new_table(name)
    answer_all(table, ["spad", "camel", "fokker"])
    assert dict(flown(table).values()) == PAIRS


# -- Draft Mode (DF-20) --------------------------------------------------------------------


def test_df_20_1_pilots_clockwise_fighters_back(new_table: MakeTable) -> None:
    """A picks the first Pilot, B the second and the first Fighter, A the last."""
    table = new_table("draft")
    assert table.names() == [*PAIRS.values()]
    keys = answer_all(table, ["fonck", "maclaren", "spad", "fokker"])
    assert keys == ["pilot/A", "pilot/B", "fighter/B", "fighter/A"]
    assert flown(table) == {"A": ("fokker", "fonck"), "B": ("spad", "maclaren")}
    assert str(table.said("pilot is René Fonck").cite) == "DF-20.1"
    assert table.place("A") == "0,-1 N"


def test_df_20_1_what_is_taken_is_not_offered_again(new_table: MakeTable) -> None:
    """Each Pilot Card and each Fighter exists once; the refusal says so."""
    table = new_table("draft").say("pilot/A", "fonck")
    assert "fonck" not in table.names()
    refusal = table.refused("pilot/B", "Fonck")
    assert (refusal.code, str(refusal.cite)) == ("DF-TAKEN", "DF-20.1")
    table.say("pilot/B", "maclaren").say("fighter/B", "camel")
    assert table.names() == ["fokker", "albatros", "spad"]
    assert table.refused("fighter/A", "camel").code == "DF-TAKEN"


def test_df_20_1_no_mentor_is_drafted(new_table: MakeTable) -> None:
    """Pilot Mentors are for first games: they are not among the cards picked."""
    table = new_table("draft")
    assert "mentor" not in table.names()
    table.refused("pilot/A", "mentor")
    with pytest.raises(BadCall, match=r"'first_game_deck' is unknown to this mode: .* base; leave"):
        new_table("draft", options={"first_game_deck": True})


def test_df_20_1_three_may_draft(new_table: MakeTable) -> None:
    """With three the third picks the first Fighter; one card of each kind is left over."""
    table = new_table("battle-royale", "draft", options={"players": 3})
    keys = answer_all(table, ["fonck", "maclaren", "richthofen", "spad", "camel", "fokker"])
    assert keys == [f"pilot/{seat}" for seat in "ABC"] + [f"fighter/{seat}" for seat in "CBA"]
    assert flown(table)["C"] == ("spad", "richthofen")


def test_df_20_1_seats_may_say_it_beforehand(new_table: MakeTable) -> None:
    """Any mix, and what one seat has named is offered to nobody else."""
    table = new_table("draft", seats={"B": "Bo/camel/fonck"})
    assert "fonck" not in table.names()
    table.say("pilot/A", "maclaren")
    assert table.names() == ["fokker", "albatros", "spad"]
    table.say("fighter/A", "spad")
    assert flown(table) == {"A": ("spad", "maclaren"), "B": ("camel", "fonck")}


# -- Daring Escape (DF-21) -----------------------------------------------------------------


def test_df_21_1_the_rookie_chooses_for_both(new_table: MakeTable) -> None:
    """Both pairs are the Rookie's choice; the Ace is the Starting Player."""
    table = new_table("daring-escape", options={"basic_combination_enforced": False})
    whom: list[str] = []
    for answer in ("camel", "maclaren", "spad", "richthofen"):
        (key,) = table.asked
        whom.append(table.question(key).by)
        table.say(key, answer)
    assert whom == ["B"] * 4
    assert flown(table) == {"A": ("spad", "richthofen"), "B": ("camel", "maclaren")}
    assert str(table.said("Ace flies the SPAD").cite) == "DF-21.1"
    assert table.position.active == "A"


@pytest.mark.parametrize(("removed", "deck"), [(2, 13), (4, 11)])
def test_df_21_2_ruling_42_the_ace_removes_cards_unseen(
    new_table: MakeTable, removed: int, deck: int
) -> None:
    """Two off the top of the shuffled Deck, four for a greater challenge, before drawing.

    The option `ace_removes` decides; the Rookie keeps all.  (RULING 42)
    """
    table = new_table("daring-escape", options={"ace_removes": removed})
    table.say("fighter/B", "camel").say("fighter/A", "fokker")
    assert table.piles("A") == {"deck": deck, "hand": 5, "box": removed}
    assert table.piles("B") == {"deck": 15, "hand": 5}
    assert not table.player("A").piles.known
    ruling = table.said("removes the top")
    assert str(ruling.cite) == "DF-21.2, RULING 42"
    assert ruling.deeds[-1] == Carry(Seat("A"), removed, "deck", "box")
    drawn = table.said("Ace shuffles and draws 5")
    assert table.rulings.index(ruling) < table.rulings.index(drawn)


def test_df_21_3_the_ace_is_chased(new_table: MakeTable) -> None:
    """Placed as in the base game: the Rookie behind, the Ace to move first."""
    table = new_table("daring-escape")
    table.say("fighter/B", "camel").say("fighter/A", "fokker").say("placed")
    assert (table.place("A"), table.place("B")) == ("0,-1 N", "0,0 N")
    assert table.asked == ["turn-1/1/action"]
    assert table.question().by == "A"


def test_df_21_3_the_first_crash_ends_it(table_at: MakeTable) -> None:
    """As in the base game."""
    table = table_at("engagement", "daring-escape", B={"deck": 0, "discard": 13})
    table.act("Basic Attack").say("fire", [5, 2]).say("evade", "pass")
    assert table.match.outcome.winners == ("A",)


# -- Battle Royale (DF-22) -----------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
def test_players_three_or_four(new_table: MakeTable, players: int) -> None:
    """DF-22.1: the option `players` says how many take part; each places a Fighter."""
    seats = "ABCD"[:players]
    table = new_table("battle-royale", options={"players": players})
    answer_all(table, [*PAIRS][: min(players, 3)])
    assert list(table.position.players) == [*seats]
    keys = answer_all(table, CORNERS[:players])
    assert keys == [f"corner/{seat}" for seat in seats]
    assert table.asked == ["set-up/placed"]


def test_players_three_have_no_seat_d(new_table: MakeTable) -> None:
    """Who names a fourth player is told which seats there are."""
    with pytest.raises(
        BadCall, match=r"seat 'D' is one too many: this mode has A, B, C \[DF-PLAYERS"
    ):
        new_table("battle-royale", options={"players": 3}, seats={"D": "Dan"})


def test_df_22_1_free_corners_facing_the_middle(new_table: MakeTable) -> None:
    """Six corner spaces, each facing the centre; an occupied one is not offered again."""
    table = new_table("battle-royale")
    answer_all(table, [*PAIRS][:3])
    assert table.names() == CORNERS
    for wrong in ("0,-4 N", "0,0 N", "2,-4 S"):
        refusal = table.refused("corner/A", wrong)
        assert (refusal.code, str(refusal.cite)) == ("DF-E01", "DF-22.1")
    table.say("corner/A", "4,0 NW")
    assert table.names() == [corner for corner in CORNERS if corner != "4,0 NW"]
    taken = table.refused("corner/B", "4,0 NW")
    assert (taken.code, str(taken.cite)) == ("DF-TAKEN", "DF-22.1")
    assert "The corner 4,0 is taken by " in taken.text
    (shown,) = {frozenset(option.shows) for option in table.question().options_now()}
    assert shown == {"camel"}


def test_df_22_1_corners_follow_the_board(new_table: MakeTable) -> None:
    """On a larger board the corners lie farther out; tokens lie where its file has them."""
    board = {"radius": 5, "one_token": [[0, -5]], "two_tokens": []}
    table = new_table("battle-royale", cards={"board": board})
    answer_all(table, [*PAIRS][:3])
    assert table.names()[0] == "0,-5 S"
    table.say("corner/A", "0,-5 S")
    assert table.player("A").tokens == 0, "being placed collects nothing (RULING 8)"


def test_df_22_2_ruling_35_tokens_by_seat(new_table: MakeTable) -> None:
    """0, 1, 2 and 3 tokens for the first to the fourth player, assumed until confirmed."""
    table = new_table("battle-royale")
    answer_all(table, [*[*PAIRS][:3], *CORNERS[:4]])
    assert [p.tokens for p in table.position.players.values()] == [0, 1, 2, 3]
    ruling = table.said("takes 3 tokens")
    assert str(ruling.cite) == "DF-22.2, RULING 35"
    assert "(assumed figure)" in ruling.text


def test_df_22_2_a_table_gives_its_own_tokens(new_table: MakeTable) -> None:
    """A confirmed figure is no longer called assumed."""
    cards = {"battle_royale": {"tokens": [1, 1, 4, 0]}, "confirmed": ["battle_royale.tokens"]}
    table = new_table("battle-royale", cards=cards)
    answer_all(table, [*[*PAIRS][:3], *CORNERS[:4]])
    assert [p.tokens for p in table.position.players.values()] == [1, 1, 4, 0]
    assert "assumed" not in table.said("takes 4 tokens").text


# -- Team Battle (DF-23) -------------------------------------------------------------------


def test_df_23_1_ruling_37_who_picks_when(new_table: MakeTable) -> None:
    """A first, then both of the other team, B before D, and last C."""
    table = new_table("team-battle")
    keys = answer_all(table, ["spad", "camel", "fokker"])
    assert keys == [f"fighter/{seat}" for seat in "ABD"], "what is left is not asked for"
    assert flown(table)["D"] == ("fokker", "richthofen")
    assert flown(table)["C"] == ("albatros", "loewenhardt")
    assert str(table.said("Player C flies").cite) == "DF-23.1, RULING 37"


def test_df_23_1_two_teams_of_two() -> None:
    """A and C against B and D."""
    rules = mode("team-battle")
    assert rules.sides == ("A+C", "B+D")
    assert rules.side_of == {"A": "A+C", "B": "B+D", "C": "A+C", "D": "B+D"}


def test_df_23_2_ruling_36_the_team_map(new_table: MakeTable) -> None:
    """A and C beside the north corner, B and D beside the south, all facing the centre."""
    table = new_table("team-battle")
    answer_all(table, [*PAIRS][:3])
    places = {seat: table.place(seat) for seat in "ABCD"}
    assert places == {"A": "-4,0 SE", "B": "4,0 NW", "C": "4,-4 SW", "D": "-4,4 NE"}
    ruling = table.said("Player A starts on")
    assert str(ruling.cite) == "DF-23.2, RULING 36"
    assert "(assumed figure)" in ruling.text
    assert table.asked == ["set-up/placed"]


def test_ruling_36_a_table_has_its_own_map(new_table: MakeTable) -> None:
    """Corners are named by their direction from the middle."""
    cards = {"team_map": {"A": "N", "B": "S", "C": "NE", "D": "SW"}, "confirmed": True}
    table = new_table("team-battle", cards=cards)
    answer_all(table, [*PAIRS][:3])
    assert (table.place("A"), table.place("B")) == ("0,-4 S", "0,4 N")
    assert "assumed" not in table.said("Player A starts on").text


# -- Entente vs Central Powers (DF-24) -----------------------------------------------------


def test_df_24_1_fixed_roles(new_table: MakeTable) -> None:
    """Leaders A and B, Wingmen C and D, each with the Fighter and Pilot of the table."""
    table = new_table("entente-vs-central-powers")
    assert table.asked == ["set-up/placed"]
    assert flown(table) == {
        "A": ("fokker", "richthofen"),
        "B": ("spad", "fonck"),
        "C": ("albatros", "loewenhardt"),
        "D": ("camel", "maclaren"),
    }
    assert table.match.rulebook.seats["A"] == "Central Leader"
    assert table.match.rulebook.seats["D"] == "Entente Wingman"
    assert str(table.said("Central Leader flies the Fokker").cite) == "DF-24.1"
    assert {seat: table.place(seat) for seat in "ABCD"} == {
        "A": "-4,0 SE", "B": "4,0 NW", "C": "4,-4 SW", "D": "-4,4 NE",
    }  # fmt: skip


@pytest.mark.parametrize("said", ["Ana/camel", "Ana//fonck", "Ana/fokker/fonck"])
def test_df_24_1_another_role_is_refused(new_table: MakeTable, said: str) -> None:
    """The message names seat, role and way out."""
    with pytest.raises(BadCall, match=r"seat A: .* flies fokker with richthofen .*DF-24.1.*none"):
        new_table("entente-vs-central-powers", seats={"A": said})
    table = new_table("entente-vs-central-powers", seats={"A": "Ana/fokker/richthofen"})
    assert "Ana flies the Fokker" in table.said("Ana flies").text
