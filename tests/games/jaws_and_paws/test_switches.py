"""Every house rule of P.2 changes an outcome; the first value is the book's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.ruling import Level, Move
from companion.games.jaws_and_paws.switches import SWITCHES

FAR = "Jaws.GR"
TESTED = {
    "timer_s": "test_action_phase",
    "early_end": "test_action_phase",
    "lock_asks": "test_lock",
    "sight": "the referee's",
}
"""Switches whose tests stand elsewhere."""


def scraps(table: Any) -> dict[str, int]:
    """Cards that each player has scrapped, of those who have."""
    piles = table.position.piles
    return {p: own.counts["scrap"] for p, own in piles.items() if own.counts["scrap"]}


def test_every_switch_is_tested() -> None:
    """A switch without a test of its own would be a promise."""
    here = [name for name in globals() if name.startswith("test_")]
    named = {switch for switch in SWITCHES if any(name.endswith(f"_{switch}") for name in here)}
    assert set(SWITCHES) - TESTED.keys() <= named


def test_an_unknown_option_is_named(play: Callable[..., Any]) -> None:
    """With the names there are."""
    with pytest.raises(BadCall, match=r"option 'sunshine' is unknown; there are .*sun_order"):
        play(options={"sunshine": True})


@pytest.mark.parametrize("name", sorted(SWITCHES))
def test_a_value_that_nobody_knows_is_refused(play: Callable[..., Any], name: str) -> None:
    """The message names option, value, those allowed, and the ruling."""
    with pytest.raises(BadCall, match=rf"option {name}: 'nonsense' is none of .*\[.*(JP|RULING)"):
        play(options={name: "nonsense"})


def test_ruling_1_lr_frame(section: Callable[..., Any]) -> None:
    """RULING 1: from the seat Left of the far boards runs to the printed Right."""
    assert section(jaws="JP MPL own").position.zones["jaws"] == "Paws.PR"
    by_board = section(jaws="JP MPL own", options={"lr_frame": "board"})
    assert by_board.position.zones["jaws"] == "Paws.PL"


def test_ruling_2_plane_view_mirror(section: Callable[..., Any]) -> None:
    """RULING 2: mirrored as the Sun is, or with the same letter; the Sun always mirrors."""
    planes = {"Jaws": "Paws.PL", "Paws": "Jaws.PC"}
    assert section(jaws="JP MPV own", planes=planes).position.zones["jaws"] == "Paws.GR"
    same = {"plane_view_mirror": "same_letter"}
    table = section(jaws="JP MPV own", planes=planes, options=same)
    assert table.position.zones["jaws"] == "Paws.GL"
    assert section(jaws="JG MSV", sun="Paws.PL", options=same).position.sun == "Paws.GR"


def test_ruling_4_public_counts(at: Callable[..., Any]) -> None:
    """RULING 4: counts of piles are public, or shown to their owner alone."""
    for value in (True, False):
        facts = at("action", options={"public_counts": value}).position.facts()
        public = {f.name: f.public for f in facts if f.name.startswith("JP.")}
        assert {public[f"JP.{pile}"] for pile in ("deck", "hand", "scrap")} == {value}
        assert public["JP.repairing"]


def test_jp_5_6_and_ruling_5_take_back(at: Callable[..., Any]) -> None:
    """RULING 5: a card taken back was not played; or what is laid stays laid."""
    free = at("action").report("card taken back", player="JP")
    assert (free.level, "not played" in free.text) == (Level.NOTE, True)
    bound = at("action", options={"take_back": False}).report("card taken back", player="JP")
    assert (bound.level, bound.way_out) == (Level.BLOCK, "Lay it where it was.")


@pytest.mark.parametrize(
    ("value", "hand", "discard", "track", "played"),
    [("return_to_hand", 4, 10, 0, 0), ("discard", 3, 11, 0, 0), ("accept", 3, 10, 1, 1)],
)
def test_ruling_6_late_card(
    at: Callable[..., Any], value: str, hand: int, discard: int, track: int, played: int
) -> None:
    """RULING 6: back to the hand, discarded, or accepted; unplayed but for the last."""
    table = at("lock", options={"late_card": value}).lock(jaws={3: "0 1"})
    table.report("late card", player="JG", section=3)
    counts = table.position.piles["JG"].counts
    assert (counts["hand"], counts["discard"], counts["track"]) == (hand, discard, track)
    assert table.position.played["JG"] == played


def test_ruling_6_late_card_before_the_lock(at: Callable[..., Any]) -> None:
    """Reported in time it is simply not counted; only `discard` takes it from the hand."""
    table = at("lock")
    table.report("late card", player="JG", section=3)
    assert table.position.piles["JG"].counts["hand"] == 4
    table = at("lock", options={"late_card": "discard"})
    table.report("late card", player="JG", section=3)
    assert table.position.piles["JG"].counts["hand"] == 3


def test_ruling_6_late_card_moved(at: Callable[..., Any]) -> None:
    """A card moved later goes back to where it was, and stays played."""
    table = at("lock").lock(jaws={3: "0 1"})
    notice = table.report("late card", player="JG", section=3, moved_from=2)
    assert notice.way_out == "Put it back on section 2."
    assert table.position.piles["JG"].counts["track"] == 1


def test_ruling_6_late_card_after_the_draw(at: Callable[..., Any]) -> None:
    """Then the lock itself must be corrected: nothing changes, and the match waits."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    before = table.position.digest()
    assert table.report("late card", player="JP", section=1).level is Level.BLOCK
    assert table.position.digest() == before


def test_ruling_6_buzzer_grace_ms(at: Callable[..., Any]) -> None:
    """RULING 6: within the grace a late card counts."""
    for grace_ms, track in ((0, 0), (500, 1)):
        table = at("lock", options={"buzzer_grace_ms": grace_ms}).lock(jaws={3: "0 1"})
        table.report("late card", player="JG", section=3, late_ms=300)
        assert table.position.piles["JG"].counts["track"] == track


def test_ruling_8_doubled_reveal(at: Callable[..., Any]) -> None:
    """RULING 8: doubled cards stay face down, or are turned over before they go."""
    assert "round-2/drawn" in at("lock").lock(jaws={2: "1 1"}).asked
    table = at("lock", options={"doubled_reveal": True}).lock(jaws={2: "1 1"})
    assert table.asked == ["round-2/doubled/jaws/2/JP-1", "round-2/doubled/jaws/2/JG-1"]
    table.say("JP-1", "MPL own").say("JG-1", "SH GC")
    assert "turned over (MPL, SH GC)" in table.last.text
    assert "round-2/drawn" in table.asked


def test_ruling_8_doubled_counts_as_played(at: Callable[..., Any]) -> None:
    """RULING 8: who laid only doubled cards has played, or is Repairing."""
    kept = at("lock").lock(jaws={2: "1 1"}, paws={1: "1 0", 2: "0 1"}).draw()
    assert [key for key in kept.asked if "shuffled" in key] == []
    house = {"doubled_counts_as_played": False}
    table = at("lock", options=house).lock(jaws={2: "1 1"}, paws={1: "1 0", 2: "0 1"}).draw()
    assert table.asked == ["round-2/shuffled/JP", "round-2/shuffled/JG"]


def both_down(section: Callable[..., Any], value: str, **lines: Any) -> Any:
    house, empty = {"double_ko": value}, {"deck": 0, "discard": 26}
    lines |= {"JP": empty, "PP": empty}
    table = section(jaws="JP SH PC", paws="PP SH PC", sun=FAR, options=house, **lines)
    table.say("deck/JP", 0).say("deck/PP", 0)
    return table.say("result/jaws").say("result/paws")


def test_ruling_12_double_ko(section: Callable[..., Any]) -> None:
    """RULING 12: a draw; or more cards outside the Scrap Piles win, equal is a draw."""
    scrapped = {"deck": 10, "scrap": 6, "discard": 10}
    assert both_down(section, "draw", PG=scrapped).match.outcome.winners == ()
    most = both_down(section, "most_cards", PG=scrapped)
    assert most.match.outcome.winners == ("Jaws",)
    assert "cards outside the Scrap Piles: Jaws 60, Paws 54" in most.match.outcome.ruling.text
    assert both_down(section, "most_cards").match.outcome.winners == ()


def test_ruling_12_double_ko_replay(section: Callable[..., Any]) -> None:
    """RULING 12: no result; a new game starts at set-up, under keys of its own."""
    table = both_down(section, "replay")
    assert table.match.outcome is None
    assert table.asked == ["game-2/set-up/toss"]
    assert table.position.piles["PP"].counts["deck"] == 30
    assert table.position.zones == {"jaws": "Paws.PC", "paws": "Jaws.PC"}
    assert any(isinstance(deed, Move) and deed.now is None for deed in table.last.deeds)
    table.say("toss", "Jaws").say("set-up/sun", "Jaws.GC").say("placed")
    assert table.asked == ["game-2/round-1/ready/jaws", "game-2/round-1/ready/paws"]


@pytest.mark.parametrize(("damage", "scrapped"), [(3, {"JP": 3}), (5, {"JP": 5}), (0, {})])
def test_ruling_14_smoke_damage(
    at: Callable[..., Any], damage: int, scrapped: dict[str, int]
) -> None:
    """RULING 14: three by the book; another number, or none at all."""
    smoke = {"Jaws": True, "Paws": False}
    options = {"smoke_damage": damage}
    table = at("repair", JG={"played": 0}, smoke=smoke, options=options).repair()
    assert scraps(table) == scrapped


def test_ruling_15_sun_order(section: Callable[..., Any]) -> None:
    """RULING 15: noted at the start of the round, or judged by the section."""
    cards = {"jaws": "JG MSL", "paws": "PG MSL", "sun": "Jaws.PL"}
    assert section(**cards, sun_at_round_start="Paws").position.sun == "Jaws.PL"
    house = {"sun_order": "current_section"}
    table = section(**cards, sun_at_round_start="Paws", options=house)
    assert table.position.sun == "Jaws.PC"


def test_ruling_17_unclear_half(section: Callable[..., Any]) -> None:
    """RULING 17: a card lying exactly sideways does nothing, or its owner chooses the half."""
    nothing = section(jaws="JP MPL unclear")
    assert nothing.position.zones == {"jaws": "Paws.PC", "paws": "Jaws.PC", "sun": "Jaws.GC"}
    assert str(nothing.rulings[0].cite) == "JP-12.1, RULING 17"
    beside = section(jaws="JP MPL unclear", paws="PP MPV own")
    assert beside.position.zones["paws"] == "Jaws.GC", "the other team's card is carried out"
    table = section(jaws="JP MPL unclear", options={"unclear_half": "owner_chooses"})
    assert table.question("half/jaws").by == "JP"
    table.say("half/jaws", "MPL enemy")
    assert table.position.zones["paws"] == "Jaws.PL"


def test_ruling_19_shot_damage(section: Callable[..., Any]) -> None:
    """RULING 19: six for every Shoot card, or another number."""
    assert scraps(section(jaws="JP SH PC", sun=FAR)) == {"PP": 6}
    assert scraps(section(jaws="JP SH PC", sun=FAR, options={"shot_damage": 4})) == {"PP": 4}


def test_ruling_20_both_repair_damage(section: Callable[..., Any]) -> None:
    """RULING 20: each in full, or half each, the odd card to the player with the token."""
    both = {"sun": FAR, "repairing": ["PP", "PG"]}
    assert scraps(section(jaws="JP SH PC", **both)) == {"PP": 6, "PG": 6}
    split = {"both_repair_damage": "split", "shot_damage": 7}
    assert scraps(section(jaws="JP SH PC", **both, options=split)) == {"PP": 4, "PG": 3}


def test_ruling_21_half_rounding(section: Callable[..., Any]) -> None:
    """RULING 21: half of an odd damage rounds up, so that a hit is never nothing; or down."""
    for rounding, damage in (("up", 3), ("down", 2)):
        house = {"shot_damage": 5, "half_rounding": rounding}
        table = section(jaws="JP SH PC", sun="Jaws.PC", options=house)
        assert scraps(table) == {"PP": damage}


def test_ruling_38_card_memory(section: Callable[..., Any]) -> None:
    """RULING 38: nothing is remembered for the players; or what was turned over is shown."""
    names = {fact.name for fact in section(jaws="JP SH GR").position.facts()}
    assert "JP.seen" not in names
    table = section(jaws="JP SH GR", options={"card_memory": "on"})
    facts = {fact.name: fact.value for fact in table.position.facts()}
    assert facts["JP.seen"] == {"SH GR": 1}
    assert facts["JG.seen"] == {}


def test_ruling_35_late_mistake(at: Callable[..., Any]) -> None:
    """RULING 35: found a round later it stands, or is amended."""
    stands = at("action").report("mistake found", round=1)
    assert (stands.level, "stands" in stands.text) == (Level.NOTE, True)
    amend = at("action", options={"late_mistake": "amend"}).report("mistake found", round=1)
    assert (amend.level, amend.way_out) == (Level.WARN, "Amend the answer in the log.")
    same_round = at("action").report("mistake found", round=2)
    assert "undo or amend" in same_round.text


def test_an_option_may_be_adjusted_in_the_middle(at: Callable[..., Any]) -> None:
    """Rules read the house when they need it, not when the match began."""
    table = at("section-1", cards={"Jaws": {1: "JP"}}, sun=FAR)
    table.adjust(**{"option.shot_damage": 2}).flip(jaws="SH PC")
    assert scraps(table) == {"PP": 2}


def test_a_ruling_names_the_house_rules_it_depends_on(section: Callable[..., Any]) -> None:
    """P.2: a switch is shown with every ruling that depends on it, and with no other."""
    table = section(jaws="JP MPL own", options={"lr_frame": "board", "smoke_damage": 5})
    assert table.rulings[0].text.endswith("Paws.PC to Paws.PL. (House rule: lr_frame board.)")
    assert "House rule" not in table.last.text
    table = section(jaws="JP MPL own")
    assert "House rule" not in table.texts()


def test_a_number_out_of_bounds_is_told_its_bounds(play: Callable[..., Any]) -> None:
    """The limit of a switch that takes any number stands in the refusal."""
    with pytest.raises(BadCall, match="nor a whole number from 1 to 3600"):
        play(options={"timer_s": 0})
