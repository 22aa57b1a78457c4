"""JP-16: the Moon replaces the Sun; it lets draw, and lets look.  (RULINGS 22 to 24)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.ruling import Carry, Seat, Shuffle
from companion.games.jaws_and_paws.boards import MOON, SUN
from companion.games.jaws_and_paws.faults import faults

At = Callable[..., Any]
Section = Callable[..., Any]

FAVOURED = {"moon": "Paws.PL", "planes": {"Jaws": "Paws.GC", "Paws": "Jaws.PC"}}
"""The Moon on the Paws Pilot View, the Jaws plane on the other board: Jaws may draw more."""
MOONLIT = {"moon": "Jaws.PL", "planes": {"Jaws": "Paws.PC", "Paws": "Jaws.PC"}}
"""The Paws plane on the Moon's own board: a hit on it lets Jaws look."""


@pytest.fixture
def night(section: Section) -> Section:
    """One section resolved by night."""
    return lambda *cards, **changes: section(*cards, variants="night", **changes)


# -- the token and what it is not -----------------------------------------------------------------


def test_jp_16_1_the_moon_is_placed_as_the_sun_is(play: Callable[..., Any]) -> None:
    """The same eleven zones, by the winner of the toss; everything calls it the Moon."""
    table = play(variants=("night",)).say("toss", "Paws")
    assert "Moon" in table.question("set-up/sun").prompt
    refusal = table.refused("set-up/sun", "Jaws.PC")
    assert (refusal.code, "place the Moon" in refusal.text) == ("JP-E01", True)
    table.say("set-up/sun", "Paws.PC")
    assert "night side" in table.question("placed").prompt
    table.say("placed")
    assert table.position.zones[MOON] == "Paws.PC"
    assert SUN not in table.position.zones
    assert "place the Moon on Paws.PC" in table.texts()
    assert "Sun" not in table.texts()


def test_jp_16_1_move_sun_cards_move_the_moon(night: Section) -> None:
    """Under their printed names."""
    table = night(jaws="JP MSV", moon="Jaws.PL")
    assert table.position.sun == "Jaws.GR"
    moved = table.rulings[0]
    assert "Move Sun View: Moon Jaws.PL to Jaws.GR" in moved.text
    assert {"JP-13.3", "JP-16.1"} <= set(moved.cite.rules)
    assert 22 in moved.cite.rulings


def test_jp_16_1_who_has_the_moon_goes_first(night: Section) -> None:
    """JP-9.3 and JP-9.4 with Moon for Sun."""
    cards = {"jaws": "JP MST", "paws": "PP MSL"}
    first = night(**cards, moon="Jaws.PC", moon_at_round_start="Jaws")
    second = night(**cards, moon="Jaws.PC", moon_at_round_start="Paws")
    assert [ruling.step for ruling in first.rulings[:2]] == [1, 2]
    assert first.position.sun == "Paws.PL"
    assert second.position.sun == "Paws.PR"


def test_jp_16_2_a_victim_in_the_moon_is_not_halved(night: Section) -> None:
    """Six, where by day it were three."""
    table = night(jaws="JP SH PC", moon="Jaws.PC", planes=MOONLIT["planes"])
    table.say("look/PP", "top cards")
    assert table.position.piles["PP"].counts["scrap"] == 6
    assert "JP-16.2" in table.rulings[0].cite.rules


def test_ruling_22_a_shooter_in_the_moon_shoots_no_wider(night: Section) -> None:
    """The named zone alone."""
    table = night(jaws="JP SH PL", moon="Paws.PC", planes=MOONLIT["planes"])
    assert "misses" in table.rulings[0].text
    assert not any("JP-15" in rule for rule in table.rulings[0].cite.rules)


def test_half_rounding_is_no_rule_of_the_night(play: Callable[..., Any]) -> None:
    """Nothing is halved, so there is nothing to round."""
    with pytest.raises(BadCall, match="option 'half_rounding' is unknown"):
        play(variants=("night",), options={"half_rounding": "up"})


# -- the Moon draw (JP-16.3, RULING 23) -----------------------------------------------------------


def test_jp_16_3_both_players_may_draw_two_more(at: At) -> None:
    """With Moon and plane on two boards of the enemy's; each for itself, nought to two."""
    table = at("draw", variants="night", **FAVOURED).draw()
    assert set(table.asked) == {"round-2/moon/JP", "round-2/moon/JG", "round-2/moon/drawn"}
    table.say("moon/JP", 2).say("moon/JG", 1).say("moon/drawn")
    hands = {str(player): piles.counts["hand"] for player, piles in table.position.piles.items()}
    assert hands == {"JP": 6, "JG": 5, "PP": 4, "PG": 4}
    assert table.last.cite.rulings == (23,)
    late = table.report("moon draw", player="JG", cards=1)
    assert late.code == "JP-E43", "the step is over, and with it the favour"
    assert faults(table.position) == []


@pytest.mark.parametrize("column", "LCR")
def test_jp_16_3_the_columns_do_not_matter(at: At, column: str) -> None:
    """Only the boards."""
    planes = {"Jaws": f"Paws.P{column}", "Paws": "Jaws.PC"}
    table = at("draw", variants="night", moon="Paws.GL", planes=planes).draw()
    assert "round-2/moon/JP" in table.asked


@pytest.mark.parametrize(
    "stands",
    [
        {"moon": "Paws.GL", "planes": {"Jaws": "Paws.GC", "Paws": "Jaws.PC"}},
        {"moon": "Jaws.PL", "planes": {"Jaws": "Paws.GC", "Paws": "Jaws.PC"}},
    ],
    ids=["the same board", "the own boards"],
)
def test_jp_16_3_else_nobody_draws_more(at: At, stands: Mapping[str, Any]) -> None:
    """Moon and plane on one board; or the Moon with the team itself, and the enemy beneath it."""
    table = at("draw", variants="night", **stands).draw()
    assert not [key for key in table.asked if "/moon/" in key]


def test_jp_16_3_it_is_settled_as_the_step_is_reached(at: At) -> None:
    """Whatever the arbiter moves meanwhile."""
    table = at("draw", variants="night", **FAVOURED)
    table.adjust(moon="Jaws.PC")
    assert "round-2/moon/JP" in table.draw().asked


def test_jp_16_3_silence_draws_none(at: At) -> None:
    """It is a right, no duty."""
    table = at("draw", variants="night", **FAVOURED).draw().say("moon/drawn")
    assert {piles.counts["hand"] for piles in table.position.piles.values()} == {4}


def test_jp_e43_three_are_refused(at: At) -> None:
    """With the limit and the rule."""
    table = at("draw", variants="night", **FAVOURED).draw()
    refusal = table.refused("moon/JP", 3)
    assert (refusal.code, str(refusal.cite)) == ("JP-E43", "JP-16.3, RULING 23")
    assert "up to 2 more, not 3" in refusal.text


def test_ruling_23_it_ends_with_the_deck(at: At) -> None:
    """As many as are there, without a loss; an empty Deck is not asked."""
    short = {"deck": 1, "discard": 25}
    table = at("draw", variants="night", **FAVOURED, JP=short, JG={"deck": 0, "discard": 26})
    table.draw()
    assert [key for key in table.asked if "/moon/" in key] == [
        "round-2/moon/JP",
        "round-2/moon/drawn",
    ]
    assert "holds 1" in table.refused("moon/JP", 2).text
    table.say("moon/JP", 1).say("moon/drawn")
    assert table.position.piles["JP"].counts["deck"] == 0
    assert table.match.outcome is None


def test_jp_11_7_a_team_that_must_draw_and_cannot_falls_first(at: At) -> None:
    """The compulsory draw is judged before anybody draws by favour of the Moon."""
    table = at("draw", variants="night", **FAVOURED, PP={"deck": 0, "hand": 3, "discard": 27})
    table.say("drawn").say("deck/PP", 0)
    assert not [key for key in table.asked if "/moon/" in key]
    table.say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ("Jaws",)


def test_ruling_9_a_hand_above_four_is_not_cut(at: At) -> None:
    """Nor drawn to; the favoured may draw again."""
    table = at("draw", variants="night", **FAVOURED, JP={"hand": 6, "deck": 14}).draw()
    table.say("moon/JP", 2).say("moon/drawn")
    assert table.position.piles["JP"].counts["hand"] == 8


# -- the Moon look (JP-16.4, JP-16.5, RULING 24) --------------------------------------------------


def test_jp_16_4_the_shooter_may_look(night: Section) -> None:
    """Nine off the top, six of them to the Scrap Pile, three back, and the Deck is shuffled."""
    table = night(jaws="JG SH PC", **MOONLIT)
    question = table.question("section-1/look/PP")
    assert question.by == "JG"
    assert "top 9" in question.prompt
    table.say("look/PP", "look")
    ruling = table.last
    assert ruling.deeds == (
        Carry(Seat("PP"), 6, "top 9", "scrap"),
        Shuffle(Seat("PP"), 10, "deck", "deck"),
    )
    assert {"JP-16.4", "JP-16.5"} <= set(ruling.cite.rules)
    assert 24 in ruling.cite.rulings
    assert table.asked == ["round-2/section-1/looked/PP"]


def test_jp_16_5_the_counts_are_the_same_either_way(night: Section) -> None:
    """With a look or without."""
    looked = night(jaws="JG SH PC", **MOONLIT).say("look/PP", "look").say("looked/PP")
    plain = night(jaws="JG SH PC", **MOONLIT).say("look/PP", "top cards")
    assert looked.position.piles["PP"].counts == plain.position.piles["PP"].counts
    assert looked.position.digest() == plain.position.digest()


def test_ruling_24_declined_it_is_the_top_cards_and_no_shuffle(night: Section) -> None:
    """As by day."""
    table = night(jaws="JG SH PC", **MOONLIT).say("look/PP", "top cards")
    assert table.rulings[0].deeds == (Carry(Seat("PP"), 6, "deck", "scrap"),)
    assert "JP-16.4" not in table.rulings[0].cite.rules


@pytest.mark.parametrize(
    ("moon", "plane", "asked"),
    [("Jaws.PR", "Jaws.PC", True), ("Jaws.GC", "Jaws.PC", False), ("Paws.PC", "Jaws.PC", False)],
)
def test_jp_16_4_only_on_the_moons_own_board(
    night: Section, moon: str, plane: str, *, asked: bool
) -> None:
    """Any column of it; not on the partner board, nor while the Moon is elsewhere."""
    table = night(jaws="JP SH PC", moon=moon, planes={"Jaws": "Paws.PC", "Paws": plane})
    assert bool([key for key in table.asked if "/look/" in key]) is asked


def test_jp_16_4_a_miss_shows_nothing(night: Section) -> None:
    """No damage, no look."""
    table = night(jaws="JP SH PL", **MOONLIT)
    assert not [key for key in table.asked if "/look/" in key]


@pytest.mark.parametrize(("deck", "seen"), [(8, 8), (6, 6), (16, 9)])
def test_ruling_24_a_shorter_deck_is_seen_whole(night: Section, deck: int, seen: int) -> None:
    """All of it, as long as it has the damage."""
    table = night(jaws="JP SH PC", **MOONLIT, PP={"deck": deck, "discard": 26 - deck})
    assert f"top {seen} " in table.question("look/PP").prompt


def test_ruling_24_a_deck_short_of_the_damage_is_not_looked_at(night: Section) -> None:
    """All are scrapped and the team is down."""
    table = night(jaws="JP SH PC", **MOONLIT, PP={"deck": 5, "discard": 21})
    assert table.asked == ["round-2/section-1/deck/PP"]
    table.say("deck/PP", 5)
    assert table.position.down == ["Paws"]
    assert table.asked == ["round-2/result/jaws", "round-2/result/paws"]


def test_ruling_24_two_receivers_two_looks(night: Section) -> None:
    """A separate one at each Deck."""
    table = night(jaws="JP SH PC", **MOONLIT, repairing=["PP", "PG"])
    assert set(table.asked) == {"round-2/section-1/look/PP", "round-2/section-1/look/PG"}
    table.say("look/PP", "look").say("look/PG", "top cards")
    assert table.last.deeds == (
        Carry(Seat("PP"), 6, "top 9", "scrap"), Shuffle(Seat("PP"), 10, "deck", "deck"),
        Carry(Seat("PG"), 6, "deck", "scrap"),
    )  # fmt: skip
    assert table.asked == ["round-2/section-1/looked/PP"]


def test_ruling_24_smoke_damage_is_no_shot(at: At) -> None:
    """Nobody looks because of it."""
    table = at("repair", variants="night", **MOONLIT, PP={"played": 0}, smoke={"Paws": True})
    table.repair()
    assert not [key for key in table.match.open if "/look/" in key]
    assert table.position.piles["PG"].counts["scrap"] == 3


def test_a_damage_of_ten_shows_ten(night: Section) -> None:
    """A house rule above nine must still be picked out of what is seen."""
    table = night(jaws="JP SH PC", **MOONLIT, options={"shot_damage": 10})
    assert "top 10 " in table.question("look/PP").prompt


def test_a_table_may_have_other_figures(at: At, night: Section) -> None:
    """Three more by the Moon, seven to look at, as its own card file has it."""
    cards = {"moon_draw": 3, "moon_look": 7}
    file = at("draw", variants="night", **FAVOURED).match.position_file()
    table = type(at("draw"))(variants=("night",), cards=cards, position=file).draw()
    assert table.say("moon/JP", 3).refused("moon/JG", 4).code == "JP-E43"


def test_the_record_knows_no_card_that_was_picked(night: Section) -> None:
    """Nor that was seen: counts alone."""
    table = night(jaws="JP SH PC", **MOONLIT, options={"card_memory": "on"})
    table.say("look/PP", "look").say("looked/PP")
    seen = {f.name: f.value for f in table.position.facts() if f.name.endswith(".seen")}
    assert seen == {"JP.seen": {"SH PC": 1}, "JG.seen": {}, "PP.seen": {}, "PG.seen": {}}


# -- what the table reports -----------------------------------------------------------------------


def test_jp_e05_boards_on_the_wrong_side(at: At) -> None:
    """A warning in either mode; as recorded otherwise."""
    by_night = at("action", variants="night").report("board side", team="Jaws", side="day")
    by_day = at("action").report("board side", team="Jaws", side="night")
    for notice, wanted in ((by_night, "night"), (by_day, "day")):
        assert (notice.code, str(notice.level)) == ("JP-E05", "warn")
        assert f"played by {wanted}" in notice.text
    assert at("action").report("board side", team="Paws", side="day").code == "JP-AGREES"


def test_jp_e43_a_draw_that_the_moon_does_not_grant(at: At) -> None:
    """Blocks until the cards are back; so do three."""
    table = at("draw", variants="night", **FAVOURED)
    claimed = table.report("moon draw", player="PP", cards=1)
    assert (claimed.code, str(claimed.level), str(claimed.cite)) == ("JP-E43", "block", "JP-16.3")
    assert table.report("moon draw", player="JP", cards=3).code == "JP-E43"
    assert table.report("moon draw", player="JP", cards=2).code == "JP-AGREES"


def test_words_of_the_night_are_none_by_day(at: At) -> None:
    """Nobody draws by the Sun."""
    with pytest.raises(BadCall, match="nobody reports 'moon draw'"):
        at("draw").match.report({"what": "moon draw", "player": "JP", "cards": 1}, at("draw").stamp)


def test_the_moon_is_seen_as_the_moon(at: At) -> None:
    """By its own name; there is no Sun to be seen."""
    table = at("action", variants="night")
    assert table.report("token", piece="moon", zone="Jaws.GC").code == "JP-AGREES"
    notice = table.report("token", piece="moon", zone="Jaws.PL")
    assert (notice.code, "The Moon stands on Jaws.PL" in notice.text) == ("JP-E11", True)
    with pytest.raises(BadCall, match="none of jaws, paws, moon"):
        table.match.report({"what": "token", "piece": "sun", "zone": "Jaws.GC"}, table.stamp)


def test_a_hand_that_the_moon_filled_is_not_misdrawn(at: At) -> None:
    """What the record has by favour of the Moon is right."""
    table = at("draw", variants="night", **FAVOURED).draw().say("moon/JP", 2).say("moon/drawn")
    assert table.report("misdrawn", player="JP", cards=6).code == "JP-AGREES"
    assert table.report("misdrawn", player="PP", cards=6).code == "JP-MISDRAWN"


def test_a_look_goes_back_with_undo(night: Section) -> None:
    """To the choice, with all cards where they were."""
    table = night(jaws="JG SH PC", **MOONLIT)
    before = table.position.digest()
    table.say("look/PP", "look")
    table.match.undo(stamp=table.stamp)
    assert table.position.digest() == before
    assert table.asked == ["round-2/section-1/look/PP"]
