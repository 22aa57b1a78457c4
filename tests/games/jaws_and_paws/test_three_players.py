"""JP-18: a team of two against a solo player, who lays a card face up.  (RULING 26)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall, BadPosition
from companion.core.ruling import Flip
from companion.games.jaws_and_paws.faults import faults
from companion.games.jaws_and_paws.rules import JawsAndPaws

At = Callable[..., Any]
THREE = "three-players"


def test_jp_18_1_one_team_as_four_the_solo_player_as_two(play: Callable[..., Any]) -> None:
    """Hands of four and of three and three; which team is alone is a house rule."""
    table = play(variants=(THREE,)).set_up()
    hands = {str(p): piles.counts["hand"] for p, piles in table.position.piles.items()}
    assert hands == {"JP": 4, "JG": 4, "PP": 3, "PG": 3}
    assert "JP-18.1" in table.rulings[1].cite.rules
    other = play(variants=(THREE,), options={"crews": "1 2"}).set_up()
    assert other.position.piles["JP"].counts["hand"] == 3
    assert other.match.rulebook.seats_taken() == ("JP", "PP", "PG")


def test_jp_18_2_normal_rules_and_those_of_two(at: At) -> None:
    """Draws to four, and to three by colour."""
    table = at("draw", variants=THREE, JP={"hand": 1, "deck": 19}, PG={"hand": 1, "deck": 19})
    assert table.question("drawn").prompt.endswith("drawn up to 4 or 3?")
    table.draw()
    hands = {str(p): piles.counts["hand"] for p, piles in table.position.piles.items()}
    assert hands == {"JP": 4, "JG": 4, "PP": 3, "PG": 3}
    cites = [r.cite.rules for r in table.rulings if "draws" in r.text]
    assert ["JP-17.3" in rules for rules in cites] == [False, True]


def test_jp_18_3_which_card_lies_face_up_is_asked(at: At) -> None:
    """Of the sections on which a card of the solo player lies."""
    table = at("lock", variants=THREE).lock(jaws={1: "1 0"}, paws={1: "1 0", 3: "0 1"})
    question = table.question("lock/face-up/paws")
    assert [option.name for option in question.options_now()] == ["1", "3"]
    assert table.refused("face-up/paws", "2").code == "Q-NAME"
    table.say("face-up/paws", "3")
    assert table.position.face_up == {"Paws": 3}
    facts = {fact.name: fact.value for fact in table.position.facts()}
    assert facts["Paws.face_up"] == 3


def test_jp_18_3_the_card_is_told_when_its_section_comes(at: At) -> None:
    """Its place is asked at the lock; what it is, in its turn, as of all others."""
    table = at("lock", variants=THREE).lock(paws={1: "1 0", 3: "0 1"}).say("face-up/paws", "3")
    table.draw()
    table.repair()
    assert "flip the card" in table.question("section-1/reveal/paws").prompt
    table.flip(paws="MPL own")
    assert "lies face up" in table.question("section-3/reveal/paws").prompt


def test_ruling_26_with_no_card_one_from_hand_is_laid(at: At) -> None:
    """Face up on an empty section; it was played."""
    table = at("lock", variants=THREE).lock(jaws={1: "1 0"})
    assert {o.name for o in table.question("face-up/paws").options_now()} == {
        f"{n} {border}" for n in (1, 2, 3, 4) for border in ("pilot", "gunner")
    }  # fmt: skip
    table.say("face-up/paws", "2 gunner")
    position = table.position
    assert position.owners["Paws"] == ["", "PG", "", ""]
    assert (position.piles["PG"].counts["track"], position.played["PG"]) == (1, 1)
    assert (position.piles["PG"].counts["hand"], position.face_up) == (2, {"Paws": 2})
    assert str(table.rulings[0].cite) == "JP-18.3, RULING 26"
    assert table.rulings[0].headline == "PG: lay face up on 2", "what hands do, and where"
    assert table.rulings[0].deeds == (Flip("Paws card on section 2", "face"),)


def test_ruling_26_only_a_hand_that_has_cards_is_offered(at: At) -> None:
    """An empty one cannot lay."""
    table = at("lock", variants=THREE, PP={"hand": 0, "deck": 20}).lock()
    names = {option.name for option in table.question("face-up/paws").options_now()}
    assert names == {f"{n} gunner" for n in (1, 2, 3, 4)}


def test_ruling_26_without_any_card_there_is_no_duty(at: At) -> None:
    """Nothing can be laid."""
    empty = {"hand": 0, "deck": 20}
    table = at("lock", variants=THREE, PP=empty, PG=empty).lock()
    assert table.position.stage == "draw"


def test_ruling_26_in_a_doubled_section_it_is_discarded_with_it(at: At) -> None:
    """And the duty is fulfilled."""
    table = at("lock", variants=THREE).lock(paws={2: "1 1"})
    assert "on section 2 alone" in table.rulings[0].text, "there is no choice: nobody is asked"
    doubled = next(r for r in table.rulings if "JP-6.1" in r.cite.rules)
    assert "as they lie" in doubled.text
    assert table.position.owners["Paws"] == ["", "", "", ""]
    assert table.position.stage == "draw"


def test_jp_18_3_the_team_of_two_has_no_such_duty(at: At) -> None:
    """Its cards stay face down."""
    table = at("lock", variants=THREE).lock(jaws={1: "1 0"}, paws={1: "1 0", 2: "1 0"})
    assert table.asked == ["round-2/lock/face-up/paws"]


@pytest.mark.parametrize(
    ("rule", "asked"),
    [("one", ["round-2/lock/face-up/paws"]), ("none", []), ("all", [])],
)
def test_ruling_26_solo_face_up(at: At, rule: str, asked: list[str]) -> None:
    """One of them is named; none and all need no naming."""
    options = {"solo_face_up": rule}
    table = at("lock", variants=THREE, options=options).lock(paws={1: "1 0", 3: "0 1"})
    assert [key for key in table.asked if "face-up" in key] == asked


@pytest.mark.parametrize(("rule", "asked"), [("all", True), ("none", False)])
def test_ruling_26_solo_face_up_and_no_card(at: At, rule: str, *, asked: bool) -> None:
    """Whoever lays all face up must lay one; without the duty nobody must."""
    table = at("lock", variants=THREE, options={"solo_face_up": rule}).lock()
    assert any("face-up" in key for key in table.asked) is asked


def test_it_is_asked_of_players_counts_too(at: At) -> None:
    """Where the lock asked no sections, any may hold the card; it is there when its turn comes."""
    table = at("lock", variants=THREE, options={"lock_asks": "players"})
    table.say("lock/PP", 1).say("checked")
    assert [o.name for o in table.question("face-up/paws").options_now()] == ["1", "2", "3", "4"]
    table.say("face-up/paws", "3").draw()
    table.repair()
    assert table.asked == ["round-2/section-3/reveal/paws"], "the only card lies on section 3"
    assert table.refused("section-3/reveal/paws", "none").code == "JP-E60"
    assert "Paws Pilot's Shoot" in table.flip(paws="SH PL").texts()


def test_of_players_counts_a_doubled_section_may_hold_it_alone(at: At) -> None:
    """Where no card lies by itself; and with one that does, any section may."""
    told = {"lock_asks": "players"}
    table = at("lock", variants=THREE, options=told).say("lock/PP", 1).say("lock/PG", 1)
    table.say("lock/paws/3", "1 1").say("checked")
    assert "a card there lies face up" in table.texts(), "nobody is asked"
    ruled = next(ruling for ruling in table.rulings if "face up" in ruling.text)
    assert ruled.headline == "Paws: turn up card 3"
    assert ruled.deeds == (Flip("Paws card on section 3", "face"),)
    more = at("lock", variants=THREE, options=told).say("lock/PP", 2).say("lock/PG", 1)
    more.say("lock/paws/3", "1 1").say("checked")
    assert [o.name for o in more.question("face-up/paws").options_now()] == ["1", "2", "3", "4"]


def test_a_card_kept_for_later_lies_on_no_earlier_section(at: At) -> None:
    """Two laid, one of them face up on section 4: at most one lies before."""
    table = at("lock", variants=THREE, options={"lock_asks": "players"})
    table.say("lock/PP", 2).say("checked").say("face-up/paws", "4").draw()
    table.repair()
    table.say("section-1/reveal/paws", "SH PL")
    assert table.asked == ["round-2/section-4/reveal/paws"]


def test_with_players_counts_none_laid_is_laid_too(at: At) -> None:
    """The card from hand counts as that player's."""
    table = at("lock", variants=THREE, options={"lock_asks": "players"}).lock()
    table.say("face-up/paws", "2 pilot")
    assert table.position.piles["PP"].counts["track"] == 1
    assert table.position.face_up == {"Paws": 2}
    assert faults(table.position) == []


def test_jp_e23_none_or_several_face_up(at: At) -> None:
    """One is turned up, the others down; one is as it should be."""
    table = at("action", variants=THREE)
    none = table.report("cards face up", team="Paws", cards=0)
    assert (none.code, str(none.level), str(none.cite)) == (
        "JP-E23", "note", "JP-18.3, RULING 26",
    )  # fmt: skip
    assert "Turn one of them up" in none.way_out
    assert "face down" in table.report("cards face up", team="Paws", cards=2).way_out
    assert table.report("cards face up", team="Paws", cards=1).code == "JP-AGREES"
    with pytest.raises(BadCall, match="Jaws has no solo player"):
        table.match.report({"what": "cards face up", "team": "Jaws", "cards": 1}, table.stamp)


@pytest.mark.parametrize(
    ("rule", "cards", "code"),
    [("all", 3, "JP-AGREES"), ("none", 0, "JP-AGREES"), ("all", 0, "JP-E23")],
)
def test_jp_e23_follows_the_house_rule(at: At, rule: str, cards: int, code: str) -> None:
    """What is right is what the table has agreed."""
    table = at("action", variants=THREE, options={"solo_face_up": rule})
    assert table.report("cards face up", team="Paws", cards=cards).code == code


def test_nobody_reports_face_up_cards_of_four(at: At) -> None:
    """There is no solo player."""
    with pytest.raises(BadCall, match="nobody reports 'cards face up'"):
        at("action").match.report(
            {"what": "cards face up", "team": "Paws", "cards": 1}, at("action").stamp
        )


def test_the_arbiter_may_say_which_card_lies_face_up(at: At) -> None:
    """Nought takes the mark away."""
    table = at("section-1", variants=THREE, cards={"Paws": {1: "PP", 2: "PG"}})
    table.match.adjust({"Paws.face_up": 2}, "misread", stamp=table.stamp)
    assert table.position.face_up == {"Paws": 2}
    table.match.adjust({"Paws.face_up": 0}, "misread", stamp=table.stamp)
    assert table.position.face_up == {}
    with pytest.raises(BadCall, match=r"Jaws\.face_up"):
        table.match.adjust({"Jaws.face_up": 2}, "no", stamp=table.stamp)


def test_no_card_lies_face_up_on_an_empty_section(at: At) -> None:
    """JP-18.3: said to, it is refused; taken off its section, it is forgotten."""
    cards = {"Paws": {2: "PP"}}
    table = at("section-1", variants=THREE, cards=cards, face_up={"Paws": 2})
    with pytest.raises(BadPosition, match=r"face_up\.Paws: no card lies on section 3"):
        table.adjust(Paws__face_up=3)
    table.report("two cards", team="Paws", section=2, extra="PG")
    assert (table.position.face_up, faults(table.position)) == ({}, [])


def test_it_is_forgotten_at_cleanup(at: At) -> None:
    """Each round has its own card."""
    table = at("section-4", variants=THREE, cards={"Paws": {4: "PP"}}, face_up={"Paws": 4})
    table.flip(paws="SH PL")
    assert (table.position.round_number, table.position.face_up) == (3, {})


def test_jp_4_3_seats_change_only_before_a_match(at: At) -> None:
    """The house rule on sizes is the table's for the whole game.  (JP-4.3)"""
    table = at("action", variants=THREE)
    with pytest.raises(Exception, match="nobody changes seats in a game"):
        table.match.adjust({"option.crews": "1 2"}, "no", stamp=table.stamp)


@pytest.mark.parametrize("typed", ["1 2", "1,2", "12", "1+2"])
def test_sizes_are_read_as_people_write_them(typed: str) -> None:
    """With blanks, commas or none."""
    rules = JawsAndPaws.in_variants([THREE]).seated({"crews": typed})
    assert str(rules.lineup) == "1 2"


@pytest.mark.parametrize("typed", ["2 2", "1 1", "3", "2 1 1", "two one", "", 7])
def test_other_sizes_are_refused_with_what_is_allowed(typed: Any) -> None:
    """Three people, in two teams."""
    with pytest.raises(BadCall, match="is none of 2 1, 1 2, nor 2 teams of 1 or 2 people"):
        JawsAndPaws.in_variants([THREE]).seated({"crews": typed})
