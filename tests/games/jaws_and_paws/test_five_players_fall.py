"""Five and more: teams that fall, and the night with several of them.  (JP-19.7, RULING 33)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.ruling import Carry, Move, Seat
from companion.games.jaws_and_paws.faults import faults

At = Callable[..., Any]
Section = Callable[..., Any]
FIVE = "five-players"
SIX = {"variants": FIVE, "crews": "2 2 2"}


@pytest.fixture
def three(section: Section) -> Section:
    """One section resolved between three teams of two."""
    return lambda *cards, **changes: section(*cards, **SIX, **changes)


def planes(**told: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Where tokens stand: the Jaws plane on Paws.GL is `Jaws={"Paws": "GL"}`."""
    return {t: {host: f"{host}.{at}" for host, at in on.items()} for t, on in told.items()}


def scrapped(table: Any) -> dict[str, int]:
    """Who has lost how many cards."""
    piles = table.position.piles.items()
    return {str(p): own.counts["scrap"] for p, own in piles if own.counts["scrap"]}


# -- elimination (JP-19.7, RULING 33) -------------------------------------------------------------


def fallen(three: Section, **changes: Any) -> Any:
    """Paws are shot down by Jaws in section 1; Jaws2 fly on."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    short = {"deck": 2, "discard": 24}
    return three(jaws="JG SH GL", planes=stands, PP=short, **changes).say("deck/PP", 2)


def test_ruling_33_the_ruling_says_where_the_cards_on_the_track_go(at: At, three: Section) -> None:
    """A falling team's cards, not resolved: to their owners' Discard Piles, and how many lie there.

    The hands' deeds say the same; without a card on the track nothing is said of any.
    """
    cards = {"Jaws": {1: "JG"}, "Paws": {2: "PP", 4: "PG"}}
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    short = {"deck": 2, "discard": 24}
    table = at("section-1", **SIX, cards=cards, planes=stands, PP=short).flip(jaws="SH GL")
    table.say("deck/PP", 2).say("down/paws")
    leaves = next(r for r in table.rulings if r.headline == "Paws: off the boards")
    assert (
        "Its cards on the track, not resolved, go to their owners' Discard Piles: "
        "Paws Pilot 1 (Discard 24), Paws Gunner 1 (Discard 10)." in leaves.text
    )
    assert [deed for deed in leaves.deeds if isinstance(deed, Carry)] == [
        Carry(Seat("PP"), 1, "track", "discard"),
        Carry(Seat("PG"), 1, "track", "discard"),
    ]
    assert "cards on the track" not in fallen(three).say("down/paws").texts()


def test_ruling_33_tokens_and_boards_leave(three: Section) -> None:
    """Once the team has agreed; the others fly on."""
    table = fallen(three)
    assert table.asked == ["round-2/section-1/down/paws"]
    assert table.rulings[-1].headline == "Paws are shot down"
    table.say("down/paws")
    position = table.position
    assert (position.out, position.teams) == (["Paws"], ["Jaws", "Jaws2"])
    assert set(position.zones) == {"jaws-on-jaws2", "jaws2-on-jaws", "sun"}
    leaves = next(r for r in table.rulings if r.headline == "Paws: off the boards")
    assert {deed.piece for deed in leaves.deeds if isinstance(deed, Move) and deed.now is None} == {
        "paws-on-jaws", "paws-on-jaws2", "jaws-on-paws", "jaws2-on-paws",
    }  # fmt: skip
    assert faults(position) == []


def test_ruling_33_its_shots_of_that_step_still_count(three: Section) -> None:
    """They fall together with it."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"}, Jaws2={"Paws": "PL"})
    short = {"deck": 2, "discard": 24}
    table = three(jaws="JG SH GL", paws="PP SH PL", planes=stands, PP=short).say("deck/PP", 2)
    assert scrapped(table) == {"PP": 2, "JP2": 6}


def test_ruling_33_its_later_cards_are_not_resolved(three: Section) -> None:
    """They go to the Discard Piles unseen."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    file = {"PP": {"deck": 2, "discard": 23, "track": 1}, "PG": {"discard": 9, "track": 1}}
    tracks = {"Paws": ["", "PP", "PG", ""], "Jaws": ["JG", "", "", ""]}
    table = three(planes=stands, tracks=tracks, JG={"track": 1, "discard": 9}, **file)
    table.flip(jaws="SH GL").say("deck/PP", 2).say("down/paws")
    assert table.position.piles["PP"].counts["track"] == 0
    assert table.position.owners["Paws"] == [""] * 4
    assert table.position.round_number == 3, "no section was asked of them"


def test_ruling_33_the_sun_goes_to_the_next_team_clockwise(three: Section) -> None:
    """The same zone there."""
    table = fallen(three, sun="Paws.GR").say("down/paws")
    assert table.position.sun == "Jaws2.GR"
    assert "goes from Paws.GR to Jaws2.GR" in table.texts()


def test_ruling_33_a_fallen_team_is_asked_nothing_more(three: Section) -> None:
    """Neither ready nor cards."""
    table = fallen(three).say("down/paws")
    assert table.asked == ["round-3/ready/jaws", "round-3/ready/jaws2"]
    table.act()
    assert not [key for key in table.match.open if "paws" in key]
    table.lock().say("drawn")
    assert not [key for key in table.match.open if key.endswith(("/PP", "/PG"))]


def test_ruling_33_a_loss_may_be_taken_back_before_they_agree(three: Section) -> None:
    """The arbiter's word; nobody leaves."""
    table = fallen(three)
    table.match.adjust({"Paws.down": False, "PP.deck": 2, "PP.scrap": 0, "PP.discard": 24},
                       "miscounted", stamp=table.stamp)  # fmt: skip
    table.say("down/paws")
    assert table.position.out == []
    assert table.position.round_number == 3


def test_ruling_33_afterwards_only_undo_brings_it_back(three: Section) -> None:
    """Its tokens have left."""
    table = fallen(three).say("down/paws")
    with pytest.raises(BadCall, match="Paws left the game earlier; undo to bring it back"):
        table.match.adjust({"Paws.down": False}, "no", stamp=table.stamp)
    table.match.undo(stamp=table.stamp)
    assert table.position.out == []


def test_ruling_33_smoke_and_draws_eliminate_too(at: At) -> None:
    """At the check point of each."""
    table = at("draw", **SIX, PP={"hand": 1, "deck": 0, "discard": 29})
    table.draw().say("deck/PP", 0).say("down/paws")
    assert table.position.out == ["Paws"]
    smoked = at("repair", **SIX, PP={"played": 0}, PG={"deck": 1, "discard": 25},
                smoke={"Paws": True}).repair()  # fmt: skip
    smoked.say("deck/PG", 1).say("down/paws")
    assert smoked.position.out == ["Paws"]


def test_jp_19_7_the_last_team_flying_wins(three: Section) -> None:
    """Of those left; the result is agreed by them."""
    table = fallen(three, shot_down=["Jaws2"], smoke={})
    table.say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ("Jaws",)
    assert "JP-19.7" in table.match.outcome.ruling.cite.rules


def test_ruling_33_all_that_are_left_fall_together(three: Section) -> None:
    """A draw among them; nobody wins."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    short = {"deck": 2, "discard": 24}
    table = three(
        jaws="JG SH GL", paws="PG SH PC", planes=stands, shot_down=["Jaws2"], PP=short, JG=short,
    )  # fmt: skip
    for key in ("deck/PP", "deck/JG"):
        table.say(key, 2)
    assert "The last 2 planes are shot down" in table.last.text
    assert table.last.headline == "Draw: all down"
    table.say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ()
    assert 33 in table.match.outcome.ruling.cite.rulings


def test_ruling_12_most_cards_of_several(three: Section) -> None:
    """More than any other that fell with it."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    table = three(
        jaws="JG SH GL", paws="PG SH PC", planes=stands, shot_down=["Jaws2"],
        PP={"deck": 2, "discard": 24}, JG={"deck": 2, "discard": 18, "scrap": 6},
        options={"double_ko": "most_cards"},
    )  # fmt: skip
    for key in ("deck/PP", "deck/JG"):
        table.say(key, 2)
    table.say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ("Paws",)


def test_two_fall_and_two_fly_on(section: Section) -> None:
    """Both agree, both leave, in one check point."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws2={"Jaws": "GL"}, Jaws={"Paws": "PC", "Jaws2": "PC"})
    short = {"deck": 2, "discard": 24}
    table = section(
        jaws="JG SH GL", variants=FIVE, crews="2 2 2 2", planes=stands, PP=short, JP2=short
    )
    table.say("deck/PP", 2).say("deck/JP2", 2)
    assert table.asked == ["round-2/section-1/down/paws", "round-2/section-1/down/jaws2"]
    table.say("down/paws").say("down/jaws2")
    assert table.position.teams == ["Jaws", "Paws2"]


# -- by night -------------------------------------------------------------------------------------


def test_ruling_24_a_plain_hit_on_the_same_deck_comes_after_the_look(section: Section) -> None:
    """The Moon is on the Jaws boards: Jaws look, Jaws2 do not."""
    stands = planes(Paws={"Jaws": "PL", "Jaws2": "GL"}, Jaws2={"Jaws": "GC"}, Jaws={"Jaws2": "GC"})
    table = section(
        jaws2="JG2 SH GL", jaws="JP SH PL", variants=f"night {FIVE}", crews="2 2 2",
        moon="Jaws.PR", planes=stands,
    )  # fmt: skip
    assert table.asked == ["round-2/section-1/look/PP"]
    table.say("look/PP", "look")
    shots = [ruling for ruling in table.rulings if ruling.step == 5]
    assert [ruling.by for ruling in shots] == ["PP", "PP"]
    assert [len(ruling.deeds) for ruling in shots] == [2, 1]
    assert scrapped(table) == {"PP": 12}


def test_jp_16_3_several_teams_may_be_favoured(at: At) -> None:
    """Each whose plane is on the Moon's partner board."""
    stands = planes(Jaws={"Paws": "GC"}, Jaws2={"Paws": "GL"})
    table = at("draw", variants=f"night {FIVE}", crews="2 2 2", moon="Paws.PC", planes=stands)
    table.draw()
    asked = {key.rpartition("/")[2] for key in table.asked}
    assert asked == {"JP", "JG", "JP2", "JG2", "drawn"}


def test_a_fallen_teams_token_is_taken_off(three: Section) -> None:
    """Where hands forgot it."""
    table = fallen(three).say("down/paws")
    notice = table.report("token", piece="paws-on-jaws", zone="Jaws.GL")
    assert (notice.code, "Take it off" in notice.way_out) == ("JP-E10", True)
