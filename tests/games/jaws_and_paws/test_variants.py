"""Which chapters go together, what they replace, and how a call names them.  (DESIGN, law 6)"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import companion.games.jaws_and_paws as box
from companion.core.errors import BadCall, BadFile
from companion.games import rulebook_of
from companion.games.jaws_and_paws.rules import JawsAndPaws, Night, ThreePlayers
from companion.games.jaws_and_paws.switches import SWITCHES
from companion.match.rulebook import Setup
from ui.terminal.setting_up import WantedMatch, set_up

SIZES = ("two-players", "three-players", "five-players")


def switches_of(*names: str) -> set[str]:
    return set(JawsAndPaws.in_variants(names).switches)


def test_without_a_variant_it_is_the_manuals_own_game() -> None:
    """Four players by day, by the rules themselves."""
    assert JawsAndPaws.in_variants([]) is JawsAndPaws
    assert JawsAndPaws.in_variants(["day"]) is JawsAndPaws
    assert JawsAndPaws.usual([]) == ("day",)


@pytest.mark.parametrize("size", SIZES)
def test_night_goes_with_any_number_of_players(size: str) -> None:
    """In whatever order they are named it is one class, and Night has the first word."""
    one, other = (JawsAndPaws.in_variants(names) for names in (["night", size], [size, "night"]))
    assert one is other
    assert issubclass(one, Night)
    assert one.mro().index(Night) < one.mro().index(JawsAndPaws)


def test_the_order_is_declared() -> None:
    """Night before the chapters on players, whoever is named first."""
    rules = JawsAndPaws.in_variants(["three-players", "night"])
    order = [cls for cls in rules.mro() if cls in (Night, ThreePlayers, JawsAndPaws)]
    assert order == [Night, ThreePlayers, JawsAndPaws]


@pytest.mark.parametrize("pair", [("day", "night"), *itertools.combinations(SIZES, 2)])
def test_what_excludes_each_other_is_refused(pair: tuple[str, str]) -> None:
    """With both names and the way out."""
    with pytest.raises(BadCall, match=f"{pair[0]} and {pair[1]} exclude each other: name one"):
        JawsAndPaws.in_variants(pair)


def test_a_chapter_replaces_paragraphs_and_nothing_else() -> None:
    """Each method that a chapter has is one of the manual's own, or asked for by one of its own.

    So a newcomer finds in each chapter what it changes.
    """
    own = {
        name
        for chapter in (Night, ThreePlayers, *JawsAndPaws.in_variants(["five-players"]).mro())
        if issubclass(chapter, JawsAndPaws) and chapter is not JawsAndPaws
        for name, value in vars(chapter).items()
        if callable(value) and hasattr(JawsAndPaws, name) and not name.startswith("__")
    }
    assert own == {
        "words", "sun_with_effects", "discard_and_draw", "resolve_shots", "cite_of", "suffer",
        "toss", "sun_order", "resolve_sun", "check_point", "given_up",
    }  # fmt: skip


def test_each_mode_has_the_house_rules_that_mean_something_there() -> None:
    """Nothing is halved by night; only solo players Repair by colour; only some tables differ."""
    day = set(SWITCHES)
    assert switches_of("day") == day
    assert switches_of("night") == day - {"half_rounding"}
    assert switches_of("two-players") == day | {"solo_repair"}
    assert switches_of("three-players") == day | {"solo_repair", "solo_face_up", "crews"}
    assert switches_of("five-players") == day | {"solo_repair", "solo_face_up_5plus", "crews"}
    assert switches_of("night", "two-players") == (day | {"solo_repair"}) - {"half_rounding"}


def test_the_same_sizes_are_the_same_rules() -> None:
    """Made once, so that whoever asks holds the same class."""
    setup = Setup("jaws-and-paws", ("five-players",), options={"crews": "2,2,2"})
    assert rulebook_of(setup) is rulebook_of(setup)
    usual = Setup("jaws-and-paws", ("five-players",))
    assert rulebook_of(usual) is JawsAndPaws.in_variants(["five-players"])


def test_rules_of_another_table_are_no_rules_of_this_one() -> None:
    """A set-up is played by the rules that `seated` gives."""
    rules = JawsAndPaws.in_variants(["five-players"])
    with pytest.raises(BadCall, match="crews 2 2 2: the rules of that table"):
        rules(Setup("jaws-and-paws", ("five-players",), options={"crews": "2 2 2"}))


def test_a_call_seats_whom_it_names() -> None:
    """By the codes of this table; a solo player's second code is none."""
    asked = WantedMatch("jaws-and-paws", ("night", "three-players"), "JP=Ana,pp=Cleo,PG=Dan",
                  ("crews=1,2", "timer_s=10"))  # fmt: skip
    setup = set_up(asked)
    assert dict(setup.seats) == {"JP": "Ana", "PP": "Cleo", "PG": "Dan"}
    assert dict(setup.options) == {"crews": "1 2", "timer_s": 10}
    with pytest.raises(BadCall, match=r"seat 'JG' is unknown; there are JP \(Jaws Pilot\), PP"):
        set_up(WantedMatch("jaws-and-paws", ("three-players",), "JG=Bo", ("crews=1,2",)))


def test_a_position_of_another_mode_is_refused_by_its_file(tmp_path: Path) -> None:
    """What is wrong, and what the match is played by."""
    night = Path(box.__file__).parent / "positions" / "night-before-the-draw.toml"
    with pytest.raises(BadCall, match="it has a Moon; this match is played with the Sun"):
        set_up(WantedMatch("jaws-and-paws", position=night))
    assert set_up(WantedMatch("jaws-and-paws", ("night",), position=night)).position is not None
    odd = tmp_path / "odd.toml"
    odd.write_text(night.read_text("utf-8").replace('moon = "Paws.PL"', 'sun = "Paws.PL"'), "utf-8")
    with pytest.raises(BadFile, match=r"odd\.toml: .*sun: by night there is a moon in its place"):
        set_up(WantedMatch("jaws-and-paws", ("night",), position=odd))


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        ({"solo": ["Jaws2"]}, "solo", "Jaws2 has no players here; there are Jaws, Paws"),
        ({"solo": ["Pigs"]}, "solo.0", "'Pigs' is no team"),
        ({"face_up": {"Paws": 5}}, "face_up.Paws", "less than or equal to 4"),
        ({"face_up": {"Jaws2": 1}}, "face_up.Jaws2", "Jaws2 has no players here"),
        ({"planes": {"Jaws": {"Paws": "Paws.XX"}}}, "planes.Jaws", "'Paws.XX' is no zone"),
        ({"tracks": {"Pigs": ["", "", "", ""]}}, "tracks.Pigs", "'Pigs' is no team"),
        ({"shot_down": ["Nobody"]}, "shot_down.0", "'Nobody' is no team"),
        ({"latest": {"other_left": {"Moon": "Paws.PL"}}}, "latest.other_left.Moon",
         "no such token; there are Jaws, Paws, Sun"),
        ({"moon": "Paws.PL"}, "sun", "by night there is a moon in its place"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_refused_by_place(
    file_of: Any, change: dict[str, Any], place: str, message: str
) -> None:
    """As files of the four-player game are."""
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

    with pytest.raises(BadFile) as refusal:
        JawsAndPawsPosition.from_file(file_of("section-1", **change), "mine.toml")
    assert (refusal.value.place, message in str(refusal.value)) == (place, True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shot_down": ["Paws"], "sun": "Paws.PC"}, "those boards left the game"),
        ({"shot_down": ["Paws", "Jaws2"]}, "at least two teams still fly"),
        ({"face_up": {"Jaws": 1}}, "no solo player flies for Jaws"),
        ({"planes": {"Jaws": {"Paws": "Jaws2.PC"}}}, "it belongs on a Paws View Board"),
        ({"sun": None}, "the Sun stands nowhere; name one of the 18 zones"),
    ],
)
def test_a_position_of_several_that_cannot_be_is_refused(
    at: Any, changes: dict[str, Any], message: str
) -> None:
    """By place, words and rule."""
    with pytest.raises(Exception, match=message):
        at("section-1", variants="five-players", crews="2 2 2", **changes)
