"""Position files, what cannot be, what an arbiter may set, reports and the camera's table."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.games.starship_edition as box
from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, BadFile, BadPosition
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.games.starship_edition.player import PLAYER, TIER
from companion.games.starship_edition.position import TURN, StarshipPosition
from companion.games.starship_edition.rules import StarshipEdition
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, play_one

MakeTable = Callable[..., Any]
HERE = Path(box.__file__).parent
EXAMPLES = sorted((HERE / "positions").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_each_example_begins_a_match_that_ends(path: Path) -> None:
    """Read, written back to the same, and played to its end; its head says what it asks first."""
    text = path.read_text("utf-8")
    (asks,) = (line for line in text.splitlines() if line.startswith("# Asks first: "))
    setup = Setup("starship-edition", ("base",), position=tomllib.loads(text))
    match = Match[Any].start(setup, STAMP)
    assert next(iter(match.open)) == asks.removeprefix("# Asks first: ")
    position = match.rulebook.position
    again = StarshipPosition.from_file(position.to_file())
    assert again.to_file() == position.to_file()
    assert play_one(setup, Random(3)).finished


def test_there_is_an_example_for_each_number_of_players() -> None:
    """Two to six."""
    files = [tomllib.loads(path.read_text("utf-8")) for path in EXAMPLES]
    assert {len(file["players"]) for file in files} == {2, 3, 4, 5, 6}


def test_the_page_has_the_rows_of_the_ledger() -> None:
    """What may stand in a file, and what an arbiter may set, is told as it is declared."""
    page = (HERE / "positions" / "README.md").read_text("utf-8")
    for rows in (TURN.rows(), PLAYER.rows("A."), TIER.rows()):
        assert "\n".join(rows) in page


FAULTS: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"A": {"hand": 6, "deck": 35}}, "players.A", "41 cards (deck 35, hand 6); the deck has 40"),
    ({"A": {"hull": -1}}, "players.A.hull", "cannot fly with hull -1"),
    ({"A": {"place": "3,1"}}, "players.B.place", "Vessel A and Vessel B cannot both stand on 3,1"),
    ({"A": {"place": "99,1"}}, "players.A.place", "on 99,1, which is off the map"),
    ({"A": {"place": "3,3"}}, "players.A.place", "on 3,3, which is an obstruction"),
    ({"A": {"vessel": "ark"}}, "players.A.vessel", "no vessel 'ark'; there are standard"),
    ({"A": {"deck_name": "none"}}, "players.A.deck_name", "no deck 'none'"),
    ({"A": {"gear": ["G-NONE"]}}, "players.A.gear", "'G-NONE' equipped, which is not in the"),
    ({"A": {"used": ["AB-FLY"]}}, "players.A.used", "no ability 'AB-FLY'"),
    ({"A": {"declared": ["AB-FLY"]}}, "players.A.declared", "no ability 'AB-FLY'; there are AB-F"),
    ({"A": {"declared": ["AB-FIX"]}}, "players.A.declared", "not among those used"),
    ({"A": {"locked": True}}, "players.A.locked", "no card is set"),
    ({"A": {"tiers": [{"action": "set"}]}}, "players.A.tiers.0", "no card lies there"),
    ({"A": {"tiers": [{"action": "pass", "secondary": "?"}]}}, "players.A.tiers.0", "and no first"),
    ({"A": {"tiers": [{"action": "pass", "void": True}]}}, "players.A.tiers.0", "no second card"),
    ({"A": {"tiers": [{"action": "pass"}] * 4}}, "players.A.tiers", "4 tiers of 3"),
    ({"A": {"destroyed": True, "hull": -1}}, "players.A.destroyed", "cards in play"),
    ({"A": {"counters": {"rust": 2}}}, "players.A.counters", "no counters 'rust'; there are over"),
    ({"A": {"modifiers": [{"stat": "luck", "amount": 1, "until": "turn"}]}},
     "players.A.modifiers.0.stat", "no stat 'luck'; there are attack"),
    ({"B": {"tiers": [{"action": "pass"}]}}, "players.B.tiers", "A has not prepared yet"),
    ({"A": {"tiers": [{"action": "draw", "resolved": True}]}}, "players.A.tiers.0",
     "Tier 1 of Player A is resolved already, and the phase is preparation"),
    ({"phase": "tier-sequence", "tier": 2}, "players.A.tiers.0", "Tier 1 of Player A is not"),
    ({"kept": ["Bolt"]}, "kept", "not among the cards taught"),
    ({"priority": "D"}, "priority", "Seat D does not play"),
    ({"phase": "tier-sequence", "A": {"prepared": False}}, "players.A.prepared", "has not prep"),
)  # fmt: skip


@pytest.mark.parametrize(("changes", "place", "said"), FAULTS, ids=[said for _, _, said in FAULTS])
def test_impossible_positions_are_refused_by_place(
    table_at: MakeTable, changes: dict[str, Any], place: str, said: str
) -> None:
    """The place in the file, what is wrong, and the rule."""
    phase = changes.pop("phase", "preparation") if "phase" in changes else "preparation"
    with pytest.raises(BadPosition) as wrong:
        table_at(phase, **changes)
    found = [fault for fault in wrong.value.faults if fault.path == place]
    assert any(said in fault.text for fault in found), wrong.value.faults
    assert all(fault.cite.rules for fault in found)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"tier": 11}, "tier"), ({"turn": 0}, "turn"), ({"weather": 1}, "weather"),
        ({"A": {"hand": -1}}, "players.A.hand"), ({"A": {"place": "home"}}, "players.A.place"),
        ({"A": {"tiers": [{"action": "fly"}]}}, "players.A.tiers.0.action"),
        ({"priority": "Z"}, "priority"),
    ],
)  # fmt: skip
def test_malformed_positions_are_refused_by_place(
    table_at: MakeTable, changes: dict[str, Any], place: str
) -> None:
    """BadFile names the place and what is allowed there."""
    with pytest.raises(BadFile) as wrong:
        table_at(**changes)
    assert wrong.value.place == place


def test_an_arbiter_sets_quantities_and_places(table_at: MakeTable) -> None:
    """Several at once; the sum of cards must hold."""
    table = table_at().adjust(A__hull=4, A__hand=4, A__deck=36, A__place="2,2", A__energy=1)
    player = table.player("A")
    assert (player.hull, player.hand, player.deck, player.space) == (4, 4, 36, (2, 2))
    table.adjust(**{"A.tier-1": "set, ?", "A.hand": 3})
    assert table.player("A").tiers[0].primary == "?"
    table.adjust(**{"vessel-b": "5,5", "B.counters": {"over heat": 2}, "B.discard": [],
                    "B.prepared": False})  # fmt: skip
    assert table.player("B").space == (5, 5)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"A__hull": "much"}, "is not a whole number"), ({"A__locked": 1}, "neither true"),
        ({"A__place": "home"}, "names no space"), ({"moon": 1}, "nothing is called 'moon'"),
        ({"A__tier-3": "set, ?"}, "tier 1 is not prepared"),
        ({"phase": "preparation"}, "phase: where play is cannot be set"),
        ({"A__discard": "x"}, "is no list of cards"), ({"A__counters": 3}, "no table of counters"),
    ],
)  # fmt: skip
def test_adjustments_that_cannot_be(
    table_at: MakeTable, changes: dict[str, Any], said: str
) -> None:
    """BadCall names the quantity and what is allowed; nothing is changed."""
    table = table_at()
    before = table.position.digest()
    with pytest.raises(BadCall, match=said):
        table.adjust(**changes)
    assert table.position.digest() == before


def test_a_sum_that_breaks_is_no_adjustment(table_at: MakeTable) -> None:
    """A card more in hand and none less elsewhere."""
    with pytest.raises(BadPosition, match="41 cards"):
        table_at().adjust(A__hand=6)


def test_counters_that_are_all_gone_are_none(table_at: MakeTable) -> None:
    """What a file leaves out makes no other position of it."""
    table = table_at().adjust(**{"A.counters": {"over heat": 0}})
    assert table.position.digest() == table_at().position.digest()


# -- reports -------------------------------------------------------------------------------


def test_reports_that_agree_are_notes(table_at: MakeTable) -> None:
    """What is as recorded is a note; a count that differs holds the match."""
    table = table_at()
    for what, fields in (("acted", {"player": "A"}), ("rearranged", {"player": "A"}),
                         ("drew", {"player": "A", "count": 0}),
                         ("recount", {"player": "A", "pile": "hand", "count": 5})):  # fmt: skip
        assert table.report(what, **fields).code == "SE-AGREES"
    assert table.report("recount", player="A", pile="hull", count=9).code == "SE-E-COUNT"
    assert table.report("decision", text="we play on").code == "SE-DECISION"


@pytest.mark.parametrize(
    ("what", "fields", "said"),
    [
        ("sang", {}, "nobody reports 'sang'"), ("acted", {}, "lacks player"),
        ("acted", {"player": "Q"}, "none of A, B"), ("drew", {"player": "A", "count": -1}, "whole"),
        ("acted", {"player": "A", "why": 1}, "no field why"), ("decision", {"text": " "}, "no dec"),
        ("recount", {"player": "A", "pile": "moon", "count": 1}, "is no pile"),
    ],
)  # fmt: skip
def test_malformed_reports_are_refused(
    table_at: MakeTable, what: str, fields: dict[str, Any], said: str
) -> None:
    """The message names what is wrong, and changes nothing."""
    assert said in str(table_at().refused_report(what, **fields))


# -- the camera's table --------------------------------------------------------------------


def sighting(**spaces: str) -> Sighting:
    """A settled picture of vessels on spaces."""
    pieces = {Piece(f"vessel-{seat.lower()}"): Seen(SeenState.SEEN, Pose(space), (space,))
              for seat, space in spaces.items()}  # fmt: skip
    return Sighting(0.0, 1, PictureState.SETTLED, pieces)


@pytest.mark.parametrize(
    ("spaces", "where"),
    [
        (("1,1", "2,1"), "between 1,1 and 2,1"),
        (("1,1", "1,2", "2,1", "2,2"), "between 1,1, 1,2, 2,1 and 2,2"),
        ((), "on no space of the map"),
    ],
)
def test_a_vessel_that_is_unsure_stands_between_all_that_meet_there(
    table_at: MakeTable, spaces: tuple[str, ...], where: str
) -> None:
    """Two at an edge, four at a corner."""
    seen = {Piece("vessel-a"): Seen(SeenState.UNSURE, spaces=spaces)}
    (told,) = table_at().match.rulebook.compare(Sighting(0.0, 1, PictureState.SETTLED, seen))
    assert f"stands {where}; the record has it on" in told.text


@pytest.mark.parametrize(
    ("spaces", "codes"),
    [
        ({"A": "1,1", "B": "3,1"}, []), ({"A": "2,2", "B": "3,1"}, ["SE-E-MOVE"]),
        ({"A": "1,1", "B": "4,4"}, ["SE-E-ORDER"]), ({"A": "3,1", "B": "3,1"},
                                                     ["SE-E-SPACE", "SE-E-MOVE"]),
    ],
)  # fmt: skip
def test_what_the_camera_sees_otherwise(
    table_at: MakeTable, spaces: dict[str, str], codes: list[str]
) -> None:
    """Elsewhere than recorded, by whose moment it is; two on one space."""
    rules = table_at().match.rulebook
    assert [notice.code for notice in rules.compare(sighting(**spaces))] == codes
    assert rules.compare(sighting(**spaces), [Piece("vessel-a"), Piece("vessel-b")]) == []


# -- texts ---------------------------------------------------------------------------------


def test_every_rule_and_ruling_has_a_paragraph() -> None:
    """What the code cites is there to be read; switches cite rulings that name them."""
    known = StarshipEdition.paragraphs()
    cited: set[str] = set()
    for path in HERE.glob("*.py"):
        for part in path.read_text("utf-8").split('Cite.of("')[1:]:
            cited |= {one.strip() for one in part.split('"')[0].split(",")}
    assert cited <= set(known)
    assert {f"RULING {number}" for number in range(1, 28)} <= set(known)
    for switch in StarshipEdition.switches.values():
        assert set(str(switch.cite).split(", ")) <= set(known)
    for paragraph in known.values():
        assert paragraph.heading
        assert paragraph.text.endswith(".")


def test_nobodys_cards_are_in_the_record(table_at: MakeTable) -> None:
    """A set card is "?" until it is turned over; hands and decks are counts."""
    table = table_at().say("set")
    values = {fact.name: fact.value for fact in table.position.facts()}
    assert (values["A.tier-1"], values["A.hand"], values["A.deck"]) == ("set, ?", 4, 35)


def test_a_heading_is_told_as_the_map_calls_it(table_at: MakeTable) -> None:
    """Its number stays what is adjusted; people read where the vessel points."""
    position = table_at().adjust(A__heading=3).position
    (heading,) = (fact for fact in position.facts() if fact.name == "A.heading")
    assert (heading.label, heading.value, heading.words) == ("Heading", 3, "SE")
