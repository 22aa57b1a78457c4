"""Positions: files, faults (JP-21), what an arbiter may set, what panels show."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import companion.games.jaws_and_paws as box
from companion.core.errors import BadCall, BadFile, BadPosition, CompanionError
from companion.games import rulebook_of
from companion.games.jaws_and_paws.faults import faults
from companion.games.jaws_and_paws.game import Game
from companion.games.jaws_and_paws.position import JawsAndPawsPosition
from companion.games.jaws_and_paws.rules import JawsAndPaws
from companion.match.rulebook import Setup

HERE = Path(box.__file__).parent
EXAMPLES = sorted((HERE / "positions").glob("*.toml"))
GOOD: dict[str, Any] = tomllib.loads((HERE / "positions" / "section-2.toml").read_text("utf-8"))


# -- files ----------------------------------------------------------------------------------------


def refuse(file: dict[str, Any]) -> None:
    """Refuse a file of a position that cannot be."""
    Game.refuse_faults(JawsAndPawsPosition.from_file(file), "position")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_read_and_written_back(path: Path) -> None:
    """Each example is a position that can be, and survives being written."""
    position = JawsAndPawsPosition.from_file(tomllib.loads(path.read_text("utf-8")), path.name)
    again = JawsAndPawsPosition.from_file(position.to_file())
    assert again.digest() == position.digest()
    assert again.to_file() == position.to_file()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_match_starts_from_each_example(
    play: Callable[..., Any], example: Callable[..., Any], path: Path
) -> None:
    """With the question that its first line names, in the mode that the next ones name."""
    table = play(**example(path))
    wanted = path.read_text("utf-8").splitlines()[0].removeprefix("# Asks first: ")
    assert table.asked[0] == wanted


def test_there_are_examples(example: Callable[..., Any]) -> None:
    """Of every stage but those that nobody begins with, of every mode, and of each lineup."""
    setups = [Setup("jaws-and-paws", **example(path)) for path in EXAMPLES]
    modes = {name for setup in setups for name in setup.variants}
    assert modes == {*JawsAndPaws.variants} - {"day"}
    lineups = {str(rulebook_of(setup).lineup) for setup in setups}  # type: ignore[attr-defined]
    assert lineups >= {"2 2", "1 1", "2 1", "1 2", "2 2 1", "2 2 2 2", "1 1 1 1 1"}
    stages = {str((setup.position or {})["stage"]) for setup in setups}
    assert {"set-up", "action", "lock", "draw", "repair", "section-1"} <= stages


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        ({"stage": "lunch"}, "stage", "'lunch' is no stage; there are 'set-up', 'action'"),
        ({"sun": "Jaws.XX"}, "sun", "'Jaws.XX' is no zone"),
        ({"suns": 2}, "suns", "there is no such key; there are box, game, round"),
        ({"round": 0}, "round", "greater than or equal to 1"),
        ({"round": "two"}, "round", "a whole number is expected"),
        ({"box": "monopoly"}, "box", "'jaws-and-paws'"),
        ({"planes": {"Jaws": "here"}}, "planes.Jaws", "'here' is no zone"),
        ({"tracks": {"Jaws": ["JP"]}}, "tracks.Jaws", "at least 4 items"),
        ({"tracks": {"Jaws": ["XX", "", "", ""]}}, "tracks.Jaws.0", "'XX' is no player"),
        ({"JP": {"deck": -1}}, "players.JP.deck", "greater than or equal to 0"),
        ({"JP": {"deck": 1.5}}, "players.JP.deck", "a whole number is expected"),
        ({"players": {}}, "players.JP", "Field required"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_name_and_place(
    file_of: Callable[..., Any], change: dict[str, Any], place: str, message: str
) -> None:
    """Source, place in the file, and what is allowed."""
    with pytest.raises(BadFile) as refusal:
        JawsAndPawsPosition.from_file(file_of("section-1", **change), "mine.toml")
    assert refusal.value.source == "mine.toml"
    assert refusal.value.place == place
    assert message in str(refusal.value)


KEYS = (
    "stage", "round", "sun", "moon", "night", "solo", "planes", "Jaws", "Paws", "shot_down",
    "tracks", "face_up", "players", "JP", "deck", "hand", "latest", "damage", "x",
)  # fmt: skip


@given(
    raw=st.recursive(
        st.none() | st.booleans() | st.integers(-9, 99) | st.sampled_from(["Jaws.PC", "JP", ""]),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
        ),
        max_leaves=15,
    ),
    key=st.sampled_from(KEYS),
)
def test_whatever_stands_in_a_file_is_read_or_refused(raw: Any, key: str) -> None:
    """Never a crash, whichever part of a good file it takes the place of."""
    with suppress(CompanionError):
        JawsAndPawsPosition.from_file(raw if isinstance(raw, dict) else {"stage": raw})
    with suppress(CompanionError):
        JawsAndPawsPosition.from_file({**GOOD, key: raw})
    with suppress(CompanionError):
        JawsAndPawsPosition.from_file({**GOOD, "players": {**GOOD["players"], "JP": raw}})


@pytest.mark.parametrize(
    ("change", "path", "cite"),
    [
        ({"JP": {"deck": 17}}, "players.JP", "JP-21.1"),
        ({"planes": {"Jaws": "Jaws.PC", "Paws": "Jaws.PC"}}, "planes.Jaws", "JP-21.2"),
        ({"sun": None}, "sun", "JP-21.2"),
        ({"sun_at_round_start": None}, "sun_at_round_start", "JP-5.2"),
        ({"round": 1, "smoke": {"Paws": True}}, "smoke.Paws", "JP-3.2, JP-10.2"),
        ({"JP": {"hand": 5, "deck": 15}}, "players.JP.hand", "JP-21.4"),
        ({"JP": {"track": 1, "discard": 9}}, "tracks.Jaws", "JP-21.1"),
        ({"cards": {"Jaws": {1: "JP"}}, "JP": {"played": 0}}, "players.JP.track", "JP-21.7"),
        ({"tracks": {"Jaws": ["PP", "", "", ""]}}, "tracks.Jaws", "JP-5.5"),
        ({"JP": {"turned_over": {"discard": ["MPL"] * 11}}}, "players.JP.turned_over.discard",
         "JP-21.1"),
    ],
)  # fmt: skip
def test_jp_21_every_impossibility_is_named(
    file_of: Callable[..., Any], change: dict[str, Any], path: str, cite: str
) -> None:
    """Place, words and rule."""
    with pytest.raises(BadPosition) as refusal:
        Game.refuse_faults(
            JawsAndPawsPosition.from_file(file_of("section-1", **change)), "position"
        )
    assert (path, cite) in [(fault.path, str(fault.cite)) for fault in refusal.value.faults]


def test_jp_21_all_faults_are_found_at_once(file_of: Callable[..., Any]) -> None:
    """Not only the first."""
    wrong = file_of("section-1", JP={"deck": 20}, PG={"deck": 1}, sun=None)
    with pytest.raises(BadPosition, match="and 2 more") as refusal:
        refuse(wrong)
    assert len(refusal.value.faults) == 3


@pytest.mark.parametrize("stage", ["action", "lock"])
def test_jp_10_1_no_card_lies_on_a_track_before_the_lock(
    file_of: Callable[..., Any], stage: str
) -> None:
    """Cleanup took them all."""
    with pytest.raises(BadPosition, match=r"\[JP-10\.1\]"):
        Game.refuse_faults(
            JawsAndPawsPosition.from_file(file_of(stage, cards={"Jaws": {1: "JP"}})), "position"
        )


def test_jp_5_5_five_cards_do_not_fit(file_of: Callable[..., Any]) -> None:
    """At most one card a section."""
    file = file_of("section-1", cards={"Jaws": {1: "JP", 2: "JP", 3: "JP", 4: "JG"}})
    file["players"]["JG"] |= {"track": 2, "discard": 8}
    with pytest.raises(BadPosition, match="5 cards on four sections"):
        refuse(file)


def test_a_table_with_other_deck_sizes_adds_up_to_its_own(file_of: Callable[..., Any]) -> None:
    """deck_size of the table's own card file is what all cards must be."""
    line = [{"kind": "MPL", "count": 20}]
    cards: dict[str, Any] = {"deck_size": 20, "decks": {"pilot": line, "gunner": line}}
    lines = {p: {"deck": 6} for p in ("JP", "JG", "PP", "PG")}
    rules = JawsAndPaws(Setup("jaws-and-paws", cards=cards, position=file_of("draw", **lines)))
    assert faults(rules.position) == []
    with pytest.raises(BadPosition):
        JawsAndPaws(Setup("jaws-and-paws", cards=cards, position=file_of("draw")))


# -- the arbiter ----------------------------------------------------------------------------------


def test_adjust_sets_quantities_and_places_together(at: Callable[..., Any]) -> None:
    """One alone would break a sum; together they stand."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    changes = {
        "JP.deck": 10, "jp.scrap": 6, "Jaws plane": "paws.gl", "sun": "Paws.PR",
        "Paws.smoke": True, "sun_first": "Paws",
    }  # fmt: skip
    table.match.adjust(changes, "recounted", stamp=table.stamp)
    position = table.position
    assert position.piles["JP"].counts["scrap"] == 6
    assert position.zones == {"jaws": "Paws.GL", "paws": "Jaws.PC", "sun": "Paws.PR"}
    assert (position.smoke["Paws"], position.sun_first) == (True, "Paws")


def test_adjust_judges_all_of_them_afterwards(at: Callable[..., Any]) -> None:
    """A sum that no longer holds is refused, and nothing was set."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    before = table.position.digest()
    with pytest.raises(BadPosition, match=r"\[JP-21\.1\]"):
        table.adjust(JP__deck=10)
    assert table.position.digest() == before


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("moon", "Jaws.PC", "nothing is called 'moon'; there are sun, jaws"),
        ("timer", 10, "option.timer_s"),
        ("sun", "Jaws.XX", "sun: Jaws.XX is off the board"),
        ("JP.deck", 31, "JP.deck: 31 is not a whole number from 0 to 30"),
        ("JP.deck", "many", "JP.deck: 'many' is not a whole number"),
        ("JP.deck", True, "JP.deck: True is not a whole number"),
        ("Jaws.smoke", "yes", "Jaws.smoke: 'yes' is neither true nor false"),
        ("Jaws.down", 1, "Jaws.down: 1 is neither true nor false"),
        ("Jaws.2", "PP", "Jaws.2: 'PP' is no owner there; say JP or JG, ?"),
        ("sun_first", "both", "sun_first: 'both' is none of"),
        ("JP.played", -1, "JP.played: -1 is not a whole number"),
    ],
)
def test_adjust_refuses_by_name(
    at: Callable[..., Any], name: str, value: object, message: str
) -> None:
    """The quantity, what was given, and what is allowed."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    with pytest.raises(BadCall) as refusal:
        table.match.adjust({name: value}, "test", stamp=table.stamp)
    assert message in str(refusal.value)


def test_adjust_moves_a_card_to_another_section(at: Callable[..., Any]) -> None:
    """The open questions follow the position, not what it was."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    table.match.adjust({"Jaws.1": "", "Jaws.3": "JP"}, "misread", stamp=table.stamp)
    assert table.refused("reveal/jaws", "SH PL").code == "JP-E60"
    assert table.flip(jaws="none").asked == ["round-2/section-3/reveal/jaws"]


# -- facts and digests ----------------------------------------------------------------------------


def test_where_names_the_books_place(at: Callable[..., Any], play: Callable[..., Any]) -> None:
    """Outermost first."""
    assert at("section-2", cards={"Jaws": {2: "JP"}}).position.where() == ("round-2", "section-2")
    assert play().position.where() == ("set-up",)


def test_facts_have_names_of_their_own(at: Callable[..., Any]) -> None:
    """No two facts share a name."""
    names = [fact.name for fact in at("action").position.facts()]
    assert len(names) == len(set(names))


CHANGES: dict[str, Any] = {
    "game": lambda p: setattr(p, "game", 2),
    "round": lambda p: setattr(p, "round_number", 9),
    "stage": lambda p: setattr(p, "stage", "repair"),
    "sun": lambda p: p.zones.update(sun="Paws.GL"),
    "sun_team": lambda p: p.zones.update(sun="Paws.GL"),
    "sun_first": lambda p: setattr(p, "sun_first", "Paws"),
    "jaws": lambda p: p.zones.update(jaws="Paws.GL"),
    "paws": lambda p: p.zones.update(paws="Jaws.GL"),
    "Jaws.smoke": lambda p: p.smoke.update(Jaws=True),
    "Jaws.down": lambda p: p.down.append("Jaws"),
    "Jaws.1": lambda p: p.owners["Jaws"].__setitem__(0, "JG"),
    "JP.deck": lambda p: p.piles["JP"].__setitem__("deck", 1),
    "JP.hand": lambda p: p.piles["JP"].__setitem__("hand", 1),
    "JP.discard": lambda p: p.piles["JP"].__setitem__("discard", 1),
    "JP.scrap": lambda p: p.piles["JP"].__setitem__("scrap", 1),
    "JP.track": lambda p: p.piles["JP"].__setitem__("track", 2),
    "JP.played": lambda p: p.played.update(JP=7),
    "JP.repairing": lambda p: p.played.update(JP=0),
    "JP.seen": lambda p: p.piles["JP"].learn("discard", "MPL"),
}


def test_figures_cover_every_fact(at: Callable[..., Any]) -> None:
    """What changes a fact changes the digest: no fact is left out of it."""

    def fresh() -> Any:
        return at("section-1", cards={"Jaws": {2: "JP"}}, options={"card_memory": "on"}).position

    kinds = {fact.name.replace("JG.", "JP.").replace("PP.", "JP.").replace("PG.", "JP.")
             .replace("Paws.", "Jaws.") for fact in fresh().facts()}  # fmt: skip
    kinds -= {"Jaws.2", "Jaws.3", "Jaws.4"}
    assert kinds == set(CHANGES)
    for name, change in CHANGES.items():
        before, position = fresh(), fresh()
        change(position)
        values = [{f.name: f.value for f in p.facts()} for p in (before, position)]
        assert values[0][name] != values[1][name], name
        assert before.digest() != position.digest(), name


def test_equal_positions_share_a_digest(at: Callable[..., Any]) -> None:
    """And different ones do not."""
    assert at("action").position.digest() == at("action").position.digest()
    assert at("action").position.digest() != at("lock").position.digest()
