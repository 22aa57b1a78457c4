"""JP-1.4 to JP-1.6 and Q: faces, decks, and a table's own card file."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadFile, CompanionError
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.boards import ALL_PLAYERS, JG, JP, PLAYERS
from companion.games.jaws_and_paws.cards import Family, printed_cards, read_cards


def pilot(*lines: dict[str, Any]) -> dict[str, Any]:
    """A card file whose Pilot deck has these lines and is filled up to 30."""
    rest = 30 - sum(line["count"] for line in lines)
    return {"decks": {"pilot": [*lines, {"kind": "MPV", "count": rest}]}}


def test_jp_1_4_four_decks_of_thirty() -> None:
    """The assumed table adds up for every player; further boxes have the same."""
    decks = printed_cards().decks
    assert [sum(decks[player].values()) for player in PLAYERS] == [30] * 4
    assert all(decks[player] in (decks[JP], decks[JG]) for player in ALL_PLAYERS)


def test_jp_1_5_the_pilot_moves_and_the_gunner_shoots() -> None:
    """The Pilot deck is stronger at planes, the Gunner deck at shooting and the Sun."""
    decks = printed_cards().decks

    def share(player: Seat, start: str) -> int:
        return sum(n for card, n in decks[player].items() if card.startswith(start))

    assert share(JP, "MP") > share(JG, "MP")
    assert share(JP, "SH") < share(JG, "SH")
    assert share(JP, "MS") < share(JG, "MS")


def test_jp_1_6_three_families_and_no_sun_corner() -> None:
    """Every name that a revealed card may be given by."""
    names = {n for n, f in printed_cards().faces.items() if not f.unclear and not f.half_missing}
    planes = {f"MP{way} {target}" for way in "LRCV" for target in ("own", "enemy")}
    suns = {f"MS{way}" for way in "LRVT"}
    shots = {f"SH {board}{column}" for board in "PG" for column in "LCR"}
    assert names == planes | suns | shots | {"none"}
    assert "MSC" not in printed_cards().faces


def test_an_assumed_list_is_not_confirmed() -> None:
    """Warnings about composition need a table that counted its own cards."""
    assert not printed_cards().confirmed
    assert read_cards({"composition_confirmed": True}).confirmed


def test_every_card_kind_is_accepted_from_either_role(section: Callable[..., Any]) -> None:
    """A Pilot's Shoot at a Gunner zone is carried out (JP-E66 only notes it)."""
    table = section(jaws="JP SH GC", planes={"Jaws": "Paws.PC", "Paws": "Jaws.GC"}, sun="Jaws.PL")
    assert table.position.piles["PP"].counts["scrap"] == 6


def test_a_card_may_have_a_damage_of_its_own(play: Callable[..., Any], file_of: Any) -> None:
    """Only some shots of a zone: they have a name of their own."""
    own = pilot({"kind": "SH PC", "count": 1, "damage": 9}, {"kind": "SH PC", "count": 1})
    table = read_cards(own)
    assert table.faces["SH PC 9"].damage == 9
    assert table.faces["SH PC"].damage is None
    file = file_of("section-1", cards={"Jaws": {1: "JP"}}, sun="Jaws.GR")
    played = play(cards=own, position=file).flip(jaws="SH PC 9")
    assert played.position.piles["PP"].counts["scrap"] == 9


def test_a_zone_whose_shots_are_all_alike_keeps_its_name() -> None:
    """Damage given for all of them is that of the plain name."""
    table = read_cards(pilot({"kind": "SH PC", "count": 2, "damage": 4}))
    assert table.faces["SH PC"].damage == 4
    assert not [name for name in table.faces if name.startswith("SH PC ")]


def test_the_halves_of_a_card_may_differ(play: Callable[..., Any], file_of: Any) -> None:
    """Named by the plane each half moves, whatever the movement."""
    own = pilot({"kind": "MPL", "count": 5, "top": "MPL own", "bottom": "MPC enemy"})
    file = file_of(
        "section-1", cards={"Jaws": {1: "JP"}}, planes={"Jaws": "Paws.PC", "Paws": "Jaws.PL"}
    )
    table = play(cards=own, position=file).flip(jaws="MPL enemy")
    assert table.position.zones["paws"] == "Jaws.PR"


def test_a_sun_card_may_have_two_halves(play: Callable[..., Any], file_of: Any) -> None:
    """RULING 18 lets a data file define halves; then the half must be named."""
    own = pilot({"kind": "MSL", "count": 1, "top": "MSL", "bottom": "MSR"})
    file = file_of("section-1", cards={"Jaws": {1: "JP"}}, sun="Jaws.PC")
    table = play(cards=own, position=file)
    assert table.refused("reveal/jaws", "MSL").code == "JP-E63"
    assert table.flip(jaws="MSL bottom").position.sun == "Jaws.PR"


def test_a_card_of_the_tables_own_name() -> None:
    """Any name will do that has two halves."""
    table = read_cards(pilot({"kind": "Loop", "count": 1, "top": "SH PL", "bottom": "MST"}))
    assert table.halves["Loop"] == ("Loop top", "Loop bottom")
    assert table.faces["Loop top"].family is Family.SHOOT
    assert table.faces["Loop unclear"].unclear


def test_one_player_may_have_a_deck_of_their_own() -> None:
    """Whether Jaws and Paws decks are alike is not printed."""
    table = read_cards({"decks": {"PG": [{"kind": "SH GC", "count": 30}]}})
    decks = {str(player): deck for player, deck in table.decks.items()}
    assert decks["PG"] == {"SH GC": 30}
    assert decks["JG"] == {
        str(k): v for k, v in printed_cards().decks[list(table.decks)[1]].items()
    }


LOOP = {"kind": "Loop", "count": 1, "top": "SH PL", "bottom": "MST"}


def test_a_table_may_draw_other_hands(play: Callable[..., Any], file_of: Any) -> None:
    """Five at the start, and up to five again."""
    told = {"hand_size": 5}
    table = play(cards=told).set_up()
    assert {piles.counts["hand"] for piles in table.position.piles.values()} == {5}
    table = play(cards=told, position=file_of("draw")).draw()
    assert {piles.counts["hand"] for piles in table.position.piles.values()} == {5}


@pytest.mark.parametrize(
    ("raw", "place", "message"),
    [
        ({"decks": {"pilot": [{"kind": "MPL", "count": 29}]}}, "decks.pilot",
         "holds 29 cards; a deck has 30 [JP-1.4]"),
        ({"decks": {"PG": []}}, "decks.PG", "holds 0 cards; a deck has 30"),
        ({"deck_size": 20}, "decks.pilot", "holds 30 cards; a deck has 20"),
        ({"decks": {"pilot": [{"kind": "MPX", "count": 30}]}}, "decks.pilot.0.kind",
         "'MPX' is none of MPL"),
        ({"decks": {"gunner": [{"kind": "", "count": 30}]}}, "decks.gunner.0.kind",
         "at least 1 character"),
        ({"decks": {"pilot": [{"kind": 7, "count": 30}]}}, "decks.pilot.0.kind", "a text in quot"),
        ({"decks": {"pilot": [{"count": 30}]}}, "decks.pilot.0.kind", "is required"),
        ({"decks": {"pilot": [{"kind": "MPL"}]}}, "decks.pilot.0.count", "is required"),
        ({"decks": {"pilot": [{"kind": "MPL", "count": 0}]}}, "decks.pilot.0.count",
         "greater than or equal to 1 is expected, not 0"),
        ({"decks": {"pilot": [{"kind": "MPL", "count": 101}]}}, "decks.pilot.0.count",
         "less than or equal to 100 is expected, not 101"),
        ({"decks": {"pilot": [{"kind": "MPL", "count": "5"}]}}, "decks.pilot.0.count",
         "a whole number is expected, not '5'"),
        ({"decks": {"pilot": [{"kind": "MPL", "many": 5}]}}, "decks.pilot.0.count", "is required"),
        ({"decks": {"pilot": [{"kind": "MPL", "count": 5, "many": 5}]}}, "decks.pilot.0.many",
         "there is no such key; there are kind, count, damage, top, bottom"),
        ({"decks": {"pilot": "MPL"}}, "decks.pilot", "not 'MPL'"),
        ({"decks": {"pilot": ["MPL"]}}, "decks.pilot.0", "not 'MPL'"),
        ({"decks": {"navigator": []}}, "decks.navigator",
         "'navigator' is no deck; there are pilot, gunner, JP"),
        ({"decks": []}, "decks", "a table of names and values is expected"),
        ({"deck_size": 1000}, "deck_size", "less than or equal to 100 is expected, not 1000"),
        ({"hand_size": 0}, "hand_size", "greater than or equal to 1 is expected, not 0"),
        ({"hand_size": 31}, "hand_size", "31 are drawn at the start; a deck has 30 [JP-3.6]"),
        ({"solo_hand_size": 31}, "solo_hand_size", "31 are drawn at the start; a deck has 30"),
        ({"moon_look": 0}, "moon_look", "greater than or equal to 1 is expected, not 0"),
        ({"composition_confirmed": "yes"}, "composition_confirmed", "true or false is"),
        ({"desk_size": 30}, "desk_size", "there is no such key; there are composition_confirmed"),
        (pilot({"kind": "MPL", "count": 1, "damage": 6}), "decks.pilot.0.damage",
         "'MPL' has none; only Shoot cards have a damage"),
        (pilot({"kind": "SH PL", "count": 1, "damage": -1}), "decks.pilot.0.damage",
         "greater than or equal to 0 is expected, not -1"),
        (pilot({"kind": "Loop", "count": 1, "top": "SH PL"}), "decks.pilot.0.bottom",
         "is required; there are MPL own"),
        (pilot({**LOOP, "top": "SH XX"}), "decks.pilot.0.top",
         "'SH XX' is no half; there are MPL own"),
        (pilot(LOOP, {**LOOP, "top": "MST", "bottom": "SH PL"}), "decks.pilot.1",
         "'Loop' has two different pairs of halves"),
    ],
)  # fmt: skip
def test_a_card_file_that_is_wrong_is_refused_by_place(
    raw: dict[str, Any], place: str, message: str
) -> None:
    """Twenty-nine kinds of damage: file, place, and what is allowed there."""
    with pytest.raises(BadFile) as refused:
        read_cards(raw, "ours.toml")
    assert refused.value.source == "ours.toml"
    assert (refused.value.place, message in refused.value.text) == (place, True), refused.value


@given(raw=st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.sampled_from(["MPL", "SH PL", "MSL", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["decks", "pilot", "PG", "kind", "count", "damage", "top", "bottom", "deck_size",
         "hand_size", "moon_look", "x"]), inner, max_size=5), max_leaves=15))  # fmt: skip
def test_whatever_stands_in_a_card_file_is_read_or_refused(raw: Any) -> None:
    """Never a crash."""
    with suppress(CompanionError):
        read_cards(raw if isinstance(raw, dict) else {"decks": {"pilot": raw}})


# -- the pad --------------------------------------------------------------------------------------


def test_the_pad_has_a_key_for_every_face(at: Callable[..., Any]) -> None:
    """Three rows of seven; faces that share a key are those of one unclear half."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    options = table.question("reveal/jaws").options_now()
    cells: dict[Any, list[str]] = {}
    for option in options:
        cells.setdefault(option.cell, []).append(option.name)
    rows = {row for row, _ in cells}
    assert rows == {0, 1, 2}
    assert [cells[0, column] for column in range(7)] == [
        ["MPL own"], ["MPC own"], ["MPV own"], ["MPR own"], ["SH PL"], ["SH PC"], ["SH PR"],
    ]  # fmt: skip
    assert [cells[2, column] for column in range(4)] == [["MSL"], ["MST"], ["MSV"], ["MSR"]]
    assert cells[2, 5] == [f"MP{way} unclear" for way in "LCVR"]
    groups = {option.name: option.group for option in options}
    assert [groups[name] for name in ("MPL own", "MPV enemy", "MST", "SH GC", "MPL unclear")] == [
        "own plane", "enemy plane", "Sun", "Shoot", "no effect",
    ]  # fmt: skip


def test_none_is_offered_only_where_it_is_legal(at: Callable[..., Any]) -> None:
    """A key that would be refused is not on the pad."""
    table = at("section-1", cards={"Jaws": {1: "JP"}})
    assert "none" not in {o.name for o in table.question("reveal/jaws").options_now()}


def test_options_show_where_they_leave_the_token(at: Callable[..., Any]) -> None:
    """Only the piece that moves; nothing for a shot, a blocked move or an unclear half."""
    table = at("section-1", cards={"Paws": {1: "PP"}}, sun="Jaws.GR")
    shows = {o.name: o.shows for o in table.question("reveal/paws").options_now()}
    assert {str(k): str(v) for k, v in shows["MPV own"].items()} == {"paws": "Jaws.GC"}
    assert {str(k): str(v) for k, v in shows["MSR"].items()} == {"sun": "Jaws.GC"}
    assert {str(k): str(v) for k, v in shows["MPL enemy"].items()} == {"jaws": "Paws.PL"}
    for name in ("MPC own", "MSL", "SH PC", "MPL unclear"):
        assert shows[name] is None, name
