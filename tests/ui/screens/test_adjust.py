"""Adjust for boxes with headings: the arbiter can set what the box lets be set."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from time import thread_time
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.ruling import Seat
from companion.games import RULEBOOKS
from companion.games.dogfight_1917.rules import Dogfight1917
from companion.match.history import History
from companion.match.rulebook import Setup
from tests.ui.screens.conftest import DUEL, DUELLISTS, PLAYERS, Person, look
from ui.scene.scene import Scene
from ui.scene.theme import Light, Theme
from ui.scene.values import KeyLook
from ui.screens.arbiter import adjust, log, owned
from ui.screens.arbiter.adjust import AdjustState, ValueState
from ui.screens.registry import parts_of
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOON_S = 0.04  # of the thread's own time
"""Far more than such a look takes, for machines that are busy; a deep copy of all is more."""


def begin(person: Any, mode: str) -> None:
    """A match of Dogfight: 1917 past its table check."""
    person.table.new_match(Setup("dogfight-1917", (mode,)))
    person.view = act(a.Checked(), person.table, View())


@pytest.mark.parametrize("mode", Dogfight1917.variants)
def test_adjust_opens_in_every_mode(person: Any, mode: str) -> None:
    """Whoever plays, and whether or not there are teams."""
    begin(person, mode)
    state = person.touch(a.Show(a.Panel.ADJUST))
    assert person.is_at(AdjustState)
    state = person.touch(state.rows[0].owner.action)
    assert "Tokens" in [key.second for row in state.rows for key in row.keys]


def owners(person: Any) -> list[Any]:
    """The keys of all owners, page after page."""
    state = person.touch(a.Show(a.Panel.ADJUST))
    keys = [row.owner for row in state.rows]
    for _ in range(state.page, state.pages):
        keys += [row.owner for row in person.touch(a.TurnPage(1)).rows]
    return keys


def quantities(person: Any, owner: Any) -> list[Any]:
    """The keys of everything that may be set of an owner."""
    state = person.touch(owner.action)
    keys = [key for row in state.rows for key in row.keys]
    for _ in range(state.page, state.pages):
        keys += [key for row in person.touch(a.TurnPage(1)).rows for key in row.keys]
    return keys


def play_to_turn_1(person: Any) -> None:
    """Camel against Fokker, placed."""
    begin(person, "base")
    for key, raw in (("fighter/A", "camel"), ("fighter/B", "fokker"), ("placed", "placed")):
        question = person.match.open[f"set-up/{key}"]
        person.touch(a.Answer(question.key, question.opened, raw))


def test_each_value_offered_can_be_written(person: Any) -> None:
    """Words, seats, numbers and spaces alike: nothing is offered that the box does not take."""
    play_to_turn_1(person)
    offered: dict[str, list[Any]] = {}
    for owner in owners(person):
        for quantity in quantities(person, owner):
            state: ValueState = person.touch(quantity.action)
            actions = [one.key.action for group in state.groups for one in group.keys]
            spaces = state.spaces.spaces if state.spaces is not None else ()
            for set_to in (*actions, *(space.action for space in spaces)):
                if not isinstance(set_to, a.SetAdjust):
                    assert set_to is None
                    continue
                offered.setdefault(set_to.name, []).append(set_to.value)
                deepcopy(person.match.position).adjust({set_to.name: set_to.value})
    assert "stage" not in offered, "play is where the rules ask on"
    assert offered["active"] == ["A", "B"]
    assert offered["A.fighter"] == ["fokker", "camel", "albatros", "spad"]
    assert offered["A.pilot_side"] == ["A", "B"]


def test_a_count_is_typed_and_what_is_typed_can_be_erased(person: Any) -> None:
    """Figure by figure, never stepped to; what leads beyond the most begins anew."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    state = person.touch(a.ChooseQuantity("Player A", "A.deck"))

    def figure(label: str) -> Any:
        return next(one.key for one in state.groups[0].keys if one.key.label == label)

    state = person.touch(figure("1").action)
    state = person.touch(figure("7").action)
    assert (state.now, dict(person.view.adjusting)) == ("17", {"A.deck": 17})
    state = person.touch(figure("5").action)
    assert state.now == "5", "no deck has 175 cards"
    state = person.touch(figure("").action)
    assert (state.now, person.view.adjusting) == ("", ())
    assert figure("").action is None
    assert state.frame.bottom.next.second == "nothing is set yet"


def test_a_plane_is_put_where_the_table_has_it(person: Any) -> None:
    """Space on the map, heading, a reason, then held: hands are told to move it."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    state = person.touch(a.ChooseQuantity("Player A", "A.place"))
    assert state.label == "Player A: place"
    assert state.effect == "Touch the space where it lies. Lit: where the record has it."
    assert len(state.spaces.spaces) == len(person.match.rulebook.plan.spaces)
    state = person.touch(next(one for one in state.spaces.spaces if one.space == "2,1").action)
    assert person.view.adjusting == (("A.place", "2,1 N"),)
    assert [one.space for one in state.spaces.spaces if one.chosen] == ["2,1"]
    turned = next(k.key for group in state.groups for k in group.keys if k.key.label == "SE")
    state = person.touch(turned.action)
    assert state.frame.bottom.next.second == "choose a reason first"
    assert "told to put it there" in state.effect
    state = person.touch(a.SetReason("recount"))
    assert "nobody moves anything" in state.effect
    person.touch(a.SetReason("knocked over"))
    person.go_on()
    assert person.match.position.players["A"].plane.name() == "2,1 SE"


def test_two_planes_on_one_space_are_refused_before_they_are_held(person: Any) -> None:
    """It says whose space it is; nothing is changed."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    person.touch(a.ChooseQuantity("Player A", "A.place"))
    person.touch(a.SetAdjust("A.place", "0,0 S"))
    state = person.touch(a.SetReason("arbiter"))
    assert "one Fighter a space" in state.fault.name
    assert state.frame.bottom.next.action is None


def test_a_plane_off_the_board_can_be_put_back(person: Any) -> None:
    """No heading is asked of one that stands nowhere; a touch on the map puts it there."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    person.touch(a.ChooseQuantity("Player A", "A.place"))
    state = person.touch(a.SetAdjust("A.place", ""))
    assert [k.key.label for group in state.groups for k in group.keys] == ["Off board"]
    assert state.was == "The record has it off the board."
    space = next(space for space in state.spaces.spaces if space.space == "0,-2")
    person.touch(space.action)
    assert dict(person.view.adjusting)["A.place"] == "0,-2 N"


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("box", RULEBOOKS)
def test_a_standing_adjust_costs_nothing_to_look_at(person: Any, box: str) -> None:
    """A screen asks ten times a second: what was tried once is not tried again."""
    person.table.new_match(Setup(box))
    person.view = act(a.Checked(), person.table, View())
    person.touch(a.Show(a.Panel.ADJUST))
    quantity = person.state.rows[0].keys[0].action
    for action in (None, quantity):
        if action is not None:
            person.touch(action)
        person.state  # noqa: B018 - looked at once
        tried = len(person.table.situation().history._found)
        started = thread_time()
        for _ in range(20):
            person.state  # noqa: B018
        assert (thread_time() - started) / 20 < SOON_S
        assert len(person.table.situation().history._found) == tried


def test_what_is_nowhere_is_not_called_nothing(person: Any) -> None:
    """In set-up a place is "Not on the board", what names a person "Nobody", a word "None"."""
    person.table.new_match(Setup("dogfight-hex"))
    person.view = act(a.Checked(), person.table, View())
    said = {key.label for owner in owners(person) for key in quantities(person, owner)}
    assert {"Not on the board", "Nobody"} <= said
    assert not said & {"Nothing", "map", ""}


# What stands on the screens, of matches that stand still: each is begun once for all looks at it.


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Person]]:
    """A duel in turn 7; Jaws & Paws of two and of three teams, hex ships, vessels, in set-up."""
    setups = {
        "duel": Setup("dogfight-1917", ("base",), DUELLISTS, position=DUEL),
        "jaws": Setup("jaws-and-paws", ("day",), PLAYERS),
        "teams": Setup("jaws-and-paws", ("five-players",)),
        "hex": Setup("dogfight-hex"),
        "stars": Setup("starship-edition"),
    }
    people = {name: Person(tmp_path_factory.mktemp(name)) for name in setups}
    for name, person in people.items():
        person.table.new_match(setups[name])
        act(a.Checked(), person.table, View())
    yield people
    for person in people.values():
        person.table.close()


def rows_of(state: Any) -> list[tuple[str, str, str]]:
    """Of each row: whose it is, what more there is, and what its keys say."""
    return [
        (
            row.owner.label if row.owner is not None else "",
            row.owner.second if row.owner is not None else "",
            ", ".join(f"{key.second} {key.label}" for key in row.keys),
        )
        for row in state.rows
    ]


def chosen(keys: Any) -> list[str]:
    """The keys that are lit."""
    return [key.label for key in keys if key.look is KeyLook.CHOSEN]


def test_each_owner_has_its_counts_first_and_how_much_more_there_is(
    standing: Mapping[str, Person],
) -> None:
    """Five of a player's, four of the table's; of whoever has no counts the first things."""
    assert rows_of(look(standing["duel"])) == [
        ("Ana", "6 more", "Deck 9, Hand 5, Disc. 4, Dmg 2, Tokens 3"),
        ("Ben", "6 more", "Deck 9, Hand 5, Disc. 4, Dmg 2, Tokens 3"),
        ("Table", "1 more", "Turn 7, Turn of Ana, Maneuver done No, Improvised No"),
    ]
    jaws = look(standing["jaws"])
    assert (jaws.page, jaws.pages) == (1, 2)
    assert rows_of(jaws)[-1] == ("Table", "", "Jaws plane Paws PC, Paws plane Jaws PC")
    assert [row.side.name if row.side is not None else "" for row in jaws.rows] == [
        "Jaws", "Jaws", "Paws", "Paws", "",
    ]  # fmt: skip
    last = standing["jaws"].touch(a.TurnPage(1))
    assert (last.page, last.pages) == (2, 2)
    assert rows_of(last) == [
        (team, "2 more", "Smoke No, Shot down No, Section 1 Nobody, Section 2 Nobody")
        for team in ("Jaws", "Paws")
    ]


def test_what_an_owner_has_comes_in_rows_of_four(standing: Mapping[str, Person]) -> None:
    """All of it, without the owner's name before each row; Back leads to everybody."""
    state = look(standing["duel"], owner="Table")
    assert state.lead == "Table: what is different?"
    assert rows_of(state) == [
        ("", "", "Turn 7, Turn of Ana, Maneuver done No, Improvised No"),
        ("", "", "Gunsight 0"),
    ]
    back = state.frame.bottom.keys[0]
    assert (back.label, back.action) == ("Back", a.ChooseQuantity(""))


def test_what_is_written_is_lit_told_and_one_touch_away(standing: Mapping[str, Person]) -> None:
    """On everybody's screen: values, names, and the way back to the last of them."""
    bottom = look(standing["duel"]).frame.bottom
    assert (bottom.message.first, bottom.message.second) == ("Touch what is to be set.", "")
    assert bottom.next is None
    state = look(standing["duel"], A_deck=5, A_hand=7)
    assert rows_of(state)[0][2] == "Deck 5, Hand 7, Disc. 4, Dmg 2, Tokens 3"
    assert [chosen(row.keys) for row in state.rows] == [["5", "7"], [], []]
    bottom = state.frame.bottom
    assert bottom.message.first == "Ana: deck 5, Ana: hand 7"
    assert bottom.message.second == "to be set"
    assert bottom.next.action == a.ChooseQuantity("Ana", "A.hand")
    others = look(standing["duel"], A_deck=5, B_hand=7)
    assert others.frame.bottom.next.action == a.ChooseQuantity("Ben", "B.hand")


def test_a_word_is_lit_as_it_stands_and_then_as_it_is_written(
    standing: Mapping[str, Person],
) -> None:
    """One key of few; no other is lit, and a reason must be chosen for it."""

    def seen(**written: Any) -> tuple[str, str, list[str], str]:
        state = look(standing["duel"], "active", "Table", **written)
        keys = [one.key for one in state.groups[0].keys]
        assert [key.label for key in keys] == ["Ana", "Ben"]
        assert [(one.row, one.column) for one in state.groups[0].keys] == [(0, 0), (0, 1)]
        assert chosen(state.reasons) == []
        assert state.offers == ()
        return state.was, state.now, chosen(keys), state.frame.bottom.next.second

    assert seen() == ("Ana", "", ["Ana"], "nothing is set yet")
    assert seen(active="B") == ("Ana", "Ben", ["Ben"], "choose a reason first")


@pytest.mark.parametrize(
    ("deck", "offered"),
    [
        (8, [("hand", 6, 5), ("discard", 5, 4), ("damage", 3, 2)]),
        (11, [("hand", 3, 5), ("discard", 2, 4), ("damage", 0, 2)]),
        (12, [("hand", 2, 5), ("discard", 1, 4)]),
        (9, []),
    ],
)
def test_other_piles_are_offered_with_which_the_sum_holds_again(
    standing: Mapping[str, Person], deck: int, offered: list[tuple[str, int, int]]
) -> None:
    """Held, both are set; none of them below 0, and none where nothing is wrong."""
    state = look(standing["duel"], "A.deck", "Ana", A_deck=deck)
    assert (state.was, state.now) == ("9", str(deck))
    assert [(key.label, key.second, key.action, key.look) for key in state.offers] == [
        (
            f"Ana: {pile} {now}",
            f"was {was}",
            a.Adjust((("A.deck", deck), (f"A.{pile}", now)), "recount"),
            KeyLook.HOLD,
        )
        for pile, now, was in offered
    ]
    assert chosen(state.reasons) == ["recount"]
    refused = state.frame.bottom.next.second == "that cannot be"
    assert refused is bool(offered) is (state.fault is not None)
    assert "nobody moves anything" in state.effect


def test_what_is_written_with_it_is_told_and_not_offered(standing: Mapping[str, Person]) -> None:
    """The other pile that is written already stands in the message, and is no way out."""
    state = look(standing["duel"], "A.deck", "Ana", A_deck=8, A_hand=5)
    assert not state.frame.bottom.message.first
    hand = state.frame.bottom.keys[1]
    assert (hand.label, hand.second, hand.look) == ("Hand", "5", KeyLook.CHOSEN)
    assert [key.label for key in state.offers] == ["Ana: discard 5", "Ana: damage 3", "Ana: box 1"]
    for shown in ("A.deck", "A.hand"):
        both = look(standing["duel"], shown, "Ana", A_deck=7, A_hand=6)
        labels = [key.label for key in both.offers]
        assert labels == ["Ana: discard 5", "Ana: damage 3", "Ana: box 1"], "two and one are one"
    turn = look(standing["duel"], "active", "Table", A_deck=7)
    assert turn.frame.bottom.message.first == "With it: Ana: deck"
    alone = look(standing["duel"], "active", "Table")
    assert alone.frame.bottom.message.first == "What lies there?"


def test_another_count_of_somebody_else_has_a_key_once_it_is_written(
    standing: Mapping[str, Person],
) -> None:
    """Before that only the owner's own, and what others call the same."""
    written = look(standing["duel"], "A.deck", "Ana", B_damage=3)
    first = written.frame.bottom.keys[1]
    assert (first.label, first.second, first.look) == ("Ben", "3", KeyLook.CHOSEN)
    assert not written.frame.bottom.message.first, "its key says it"
    alone = look(standing["duel"], "A.deck", "Ana")
    assert "Ben" not in [key.label for key in alone.frame.bottom.keys]


def test_counts_come_before_places_and_those_before_the_rest(
    standing: Mapping[str, Person],
) -> None:
    """What the table alone has is no count for that; a pile may be empty, a turn is at least 1."""
    kinds: dict[str, int] = {}
    least: dict[str, Any] = {}
    for person in standing.values():
        scene = Scene(person.table.situation(), View())
        for one in owned.owned(scene):
            kinds[one.fact.name] = owned.kind_of(scene, one.fact)
            least[one.fact.name] = owned.values_of(scene, one.fact)[0]
    told = {name: kinds[name] for name in ("A.deck", "A.place", "jaws", "A.fighter", "turn")}
    assert told == {
        "A.deck": owned.COUNT,
        "A.place": owned.PLACE,
        "jaws": owned.PLACE,
        "A.fighter": owned.OTHER,
        "turn": owned.OTHER,
    }
    assert (least["A.deck"], least["turn"]) == (0, 1)


def test_piles_of_the_table_are_counts_and_come_first(standing: Mapping[str, Person]) -> None:
    """They lie there to be counted, as a player's do; a turn does not."""
    assert rows_of(look(standing["hex"], owner="Table")) == [
        ("", "", "Deck 54, Discard pile 0, Turn 1, Starting player Player A")
    ]


def test_people_come_first_then_the_table_then_its_teams(standing: Mapping[str, Person]) -> None:
    scene = Scene(standing["jaws"].table.situation(), View())
    listed = list(dict.fromkeys(one.owner for one in owned.owned(scene)))
    assert listed == [*PLAYERS.values(), "Table", "Jaws", "Paws"]


def test_who_plays_with_both_hands_has_a_row_for_each(person: Any) -> None:
    """By the role of each; of the others the name is enough."""
    players = {**PLAYERS, Seat("JG"): "Ana"}
    person.table.new_match(Setup("jaws-and-paws", ("day",), players))
    person.view = act(a.Checked(), person.table, View())
    names = [key.label for key in owners(person)]
    assert names[:4] == ["Ana Pilot", "Ana Gunner", "Cleo", "Dan"]


def test_a_number_without_a_most_is_offered_far_beyond_what_it_is(
    standing: Mapping[str, Person],
) -> None:
    """Thirty of them, from the one there is; and all below it that the box takes."""
    scene = Scene(standing["duel"].table.situation(), View())
    (turn,) = (one.fact for one in owned.owned(scene) if one.fact.name == "turn")
    assert owned.values_of(scene, turn) == [*range(1, 7), *range(7, 7 + 30)]


def test_a_number_that_can_only_be_what_it_is_is_not_listed(
    standing: Mapping[str, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is nothing to set it to."""
    scene = Scene(standing["duel"].table.situation(), View())
    monkeypatch.setattr(History, "found", lambda _self, _what, find: find())
    monkeypatch.setattr(
        History,
        "can_adjust",
        lambda _self, name, value: (name, value) in {("turn", 7), ("A.deck", 9), ("A.deck", 10)},
    )
    listed = {one.fact.name for one in owned.owned(scene)}
    assert "A.deck" in listed
    assert "turn" not in listed


@pytest.mark.parametrize(("spaces", "few"), [(16, True), (17, False)])
def test_sixteen_spaces_have_keys_and_more_are_touched_on_a_map(
    standing: Mapping[str, Person], monkeypatch: pytest.MonkeyPatch, spaces: int, *, few: bool
) -> None:
    """Few are told by board and print; of many the place itself is the word."""
    duel = standing["duel"]
    plan = duel.match.rulebook.plan
    board = replace(
        plan.boards[0],
        owner="Map",
        facings=(),
        spaces=tuple(
            replace(space, name=f"s{n}", label=f"L{n}")
            for n, space in enumerate(plan.boards[0].spaces[:spaces])
        ),
    )
    names = {space.name for space in board.spaces}
    scene = Scene(duel.table.situation(), View())
    scene.__dict__["map"] = replace(scene.map, plan=replace(plan, boards=(board,)))
    monkeypatch.setattr(History, "found", lambda _self, _what, find: find())
    monkeypatch.setattr(History, "can_adjust", lambda _self, _name, value: value in names)
    monkeypatch.setattr(type(scene.match.position), "choices", lambda _self, _name: ())
    (place,) = (fact for fact in scene.facts if fact.name == "A.place")
    assert owned.has_more_values(scene, place, owned.FEW_SPACES) is not few
    monkeypatch.setattr(type(scene.match.position), "choices", lambda _self, _name: [*names])
    assert owned.has_more_values(scene, place, owned.FEW_SPACES) is not few
    assert (owned.value_in_words(scene, place.name, "s3") == "Map L3") is few


def test_names_are_short_beside_others_and_whole_alone(standing: Mapping[str, Person]) -> None:
    """Everybody's counts stand in one row each; an owner's own page has room for the name."""
    assert "Disc. 4" in rows_of(look(standing["duel"]))[0][2]
    assert "Discard 4" in rows_of(look(standing["duel"], owner="Ana"))[0][2]


def keys_of(state: Any) -> dict[str, list[tuple[str, int, int]]]:
    """The keys of a value, group by group: label, row and column."""
    groups: dict[str, list[tuple[str, int, int]]] = {}
    for group in state.groups:
        placed = [(one.key.label, one.row, one.column) for one in group.keys]
        groups.setdefault(group.title, []).extend(placed)
    return groups


def lit(state: Any) -> list[Any]:
    """What the keys that are lit would set."""
    keys = (one.key for group in state.groups for one in group.keys)
    return [key.action.value for key in keys if key.look is KeyLook.CHOSEN]


def test_few_spaces_are_keys_board_by_board(standing: Mapping[str, Person]) -> None:
    """As they are printed, three in a row; where it stands is lit, then where it is put."""
    state = look(standing["jaws"], "jaws", "Table")
    front, rear = (
        [(name, 0, n) for n, name in enumerate(zones)]
        for zones in (("PL", "PC", "PR"), ("GL", "GC", "GR"))
    )
    assert state.spaces is None
    assert keys_of(state) == {"Jaws": [*front, *rear], "Paws": [*front, *rear]}
    assert (state.was, lit(state)) == ("Paws PC", ["Paws.PC"])
    state = look(standing["jaws"], "jaws", "Table", jaws="Jaws.GL")
    assert (state.was, state.now, lit(state)) == ("Paws PC", "Jaws GL", ["Jaws.GL"])


def test_a_heading_is_lit_and_a_touch_on_a_space_keeps_it(standing: Mapping[str, Person]) -> None:
    """Four in a row, off the board behind them; only what faces somewhere has headings."""
    state = look(standing["duel"], "A.place", "Ana")
    headings = ["N", "NE", "SE", "S", "SW", "NW", "Off board"]
    assert keys_of(state) == {"": [(name, *divmod(n, 4)) for n, name in enumerate(headings)]}
    assert lit(state) == ["0,1 N"]
    state = look(standing["duel"], "A.place", "Ana", A_place="2,1 SE")
    assert lit(state) == ["2,1 SE"]
    touched = {one.space: one.action.value for one in state.spaces.spaces}
    assert (touched["0,1"], touched["2,1"]) == ("0,1 SE", "2,1 SE")
    assert lit(look(standing["duel"], "A.place", "Ana", A_place="")) == [""]


def test_what_faces_nowhere_is_set_by_its_space_alone(standing: Mapping[str, Person]) -> None:
    """Wreckage lies on a space; a ship begins in the first of the board's headings."""
    hexes = standing["hex"]
    names = set(hexes.match.rulebook.plan.spaces)
    for quantity, heading in (("A.debris", ""), ("A.place", " NW")):
        state = look(hexes, quantity, "Player A")
        touched = {one.space: one.action.value for one in state.spaces.spaces}
        assert touched == {name: f"{name}{heading}" for name in names}


def test_a_heading_that_is_kept_as_a_number_is_called_by_its_name(
    standing: Mapping[str, Person],
) -> None:
    """Nobody counts headings: no pad of figures, and none is one off."""
    state = look(standing["stars"], "A.heading", "Player A")
    labels = [one.key.label for group in state.groups for one in group.keys]
    assert labels == ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    assert (state.was, lit(state), state.near) == ("N", [0], ())
    assert look(standing["stars"], "A.heading", "Player A", A_heading=3).now == "SE"


def test_what_lies_on_a_space_without_a_heading_is_asked_for_none(
    standing: Mapping[str, Person],
) -> None:
    """Debris faces nowhere, though the board it lies on has headings."""
    state = look(standing["hex"], "A.debris", "Player A", A_debris="2,2")
    assert [key for keys in keys_of(state).values() for key in keys] == [("Off board", 0, 0)]


def test_a_ship_is_put_where_pieces_may_face_somewhere(standing: Mapping[str, Person]) -> None:
    """On no board of cards; and on one without headings only what faces nowhere lies."""
    scene = Scene(standing["hex"].table.situation(), View())
    (map_board,) = scene.map.plan.boards
    spare = map_board.spaces[0]
    bare = replace(map_board, corners=None)
    cards = replace(bare, name="Track", holds_pieces=False, spaces=(replace(spare, name="t"),))
    dock = replace(bare, name="Dock", facings=(), spaces=(replace(spare, name="d"),))
    told = {one.fact.name: one for one in owned.owned(scene)}
    plan = replace(scene.map.plan, boards=(map_board, cards, dock))
    scene.__dict__["map"] = replace(scene.map, plan=plan)
    spaces = {space.name for space in map_board.spaces}
    touched = {
        name: set(adjust._touches(scene, told[name], "")) for name in ("A.place", "A.debris")
    }
    assert touched == {"A.place": spaces, "A.debris": {*spaces, "d"}}


def test_what_is_so_or_not_has_two_keys(standing: Mapping[str, Person]) -> None:
    """Yes before No; as it stands is lit."""
    state = look(standing["duel"], "maneuvered", "Table")
    assert keys_of(state) == {"": [("Yes", 0, 0), ("No", 0, 1)]}
    keys = [one.key.action.value for one in state.groups[0].keys]
    assert (keys, lit(state)) == ([True, False], [False])


def test_the_pieces_of_many_teams_stand_with_their_team(standing: Mapping[str, Person]) -> None:
    """Of two teams they lie on the table's row; of three each team has its own."""
    at: dict[str, list[tuple[str, str]]] = {}
    for name in ("jaws", "teams"):
        scene = Scene(standing[name].table.situation(), View())
        listed = owned.owned(scene)
        places = [one for one in listed if owned.kind_of(scene, one.fact) == owned.PLACE]
        at[name] = [(one.owner, one.label) for one in places]
    assert at["jaws"] == [("Table", "Jaws plane"), ("Table", "Paws plane")]
    assert at["teams"][:2] == [("Jaws", "Plane at Paws"), ("Jaws", "Plane at Jaws2")]
    named = {owner for owner, _ in at["teams"]}
    assert named == {"Jaws", "Paws", "Jaws2"}


def test_counts_alone_are_a_recount_and_other_things_ask_why(
    standing: Mapping[str, Person],
) -> None:
    """What hands will have to do is told before anything is held."""
    duel = standing["duel"]
    effects: dict[str, tuple[dict[str, Any], list[str]]] = {
        "nobody moves anything": ({"A_deck": 10, "A_hand": 4}, ["recount"]),
        "told to put it there": ({"A_deck": 10, "A_hand": 4, "A_place": "2,1 N"}, []),
        "whatever hands must follow": ({"A_deck": 10, "A_hand": 4, "maneuvered": True}, []),
    }
    for words, (written, reasons) in effects.items():
        state = look(duel, "A.deck", "Ana", **written)
        assert words in state.effect
        assert chosen(state.reasons) == reasons
        asks = state.frame.bottom.next.second == "choose a reason first"
        assert asks is not bool(reasons)


def test_many_words_stand_three_in_a_row(standing: Mapping[str, Person]) -> None:
    """Fighters are four: the last stands below the first."""
    state = look(standing["duel"], "A.fighter", "Ana")
    assert [(one.row, one.column) for one in state.groups[0].keys] == [
        (0, 0), (0, 1), (0, 2), (1, 0),
    ]  # fmt: skip


def test_other_piles_are_set_for_the_reason_that_was_chosen(
    standing: Mapping[str, Person],
) -> None:
    """A recount where nobody says otherwise."""
    look(standing["duel"], "A.deck", "Ana", A_deck=8)
    duel = standing["duel"]
    assert {key.action.reason for key in duel.state.offers} == {"recount"}
    duel.do(a.SetReason("told wrongly"))
    assert {key.action.reason for key in duel.state.offers} == {"told wrongly"}


# Where it lies.


def boxes(state: Any, size: tuple[int, int]) -> Mapping[str, Any]:
    """The boxes of its parts, in units."""
    parts = parts_of(state, Theme(Light.DAY, size_px=size))
    return {name: part.box for name, part in parts.items()}


def around(places: Mapping[str, Any], *beginnings: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all parts whose names begin so."""
    found = [box for name, box in places.items() if name.startswith(beginnings)]
    return (
        min(box.x for box in found),
        min(box.y for box in found),
        max(box.right for box in found),
        max(box.bottom for box in found),
    )


@pytest.mark.usefixtures("window")
def test_a_pad_is_372_units_wide_with_words_and_reasons_beside_it(
    standing: Mapping[str, Person],
) -> None:
    """Upright they stand below it, in 296 units of the height."""
    state = look(standing["duel"], "A.deck", "Ana", A_deck=8)
    beside, below = (boxes(state, size) for size in ((800, 480), (480, 800)))
    pad = around(beside, "pad/")
    assert pad[2] - pad[0] == 372
    what = beside["what"]
    assert (what.x > pad[2], what.high) == (True, 76)
    assert {round(beside[f"reason/{n}"].high) for n in range(4)} == {54}
    assert beside["reason/0"].y - beside["offer/0"].bottom == 6, "as far apart as keys are"
    reasons = around(below, "reason/")
    assert reasons[3] - below["what"].y == 296
    assert around(below, "pad/")[3] <= below["what"].y - 8


@pytest.mark.usefixtures("window")
def test_a_map_takes_470_units_of_800_and_what_a_wider_window_has_more(
    standing: Mapping[str, Person],
) -> None:
    """Reasons beside it stand two in a row; in a wide window, or below the map, four."""
    state = look(standing["duel"], "A.place", "Ana", A_place="2,1 N")
    narrow, wide, upright = (boxes(state, size) for size in ((800, 480), (1280, 720), (480, 800)))
    assert narrow["what"].x - narrow["map/board"].x == 470 + 12
    assert wide["map/board"].wide - narrow["map/board"].wide == pytest.approx(
        1280 * 480 / 720 - 800
    )
    assert len({narrow[f"reason/{n}"].y for n in range(4)}) == 2
    assert len({upright[f"reason/{n}"].y for n in range(4)}) == 1
    assert upright["reason/0"].bottom - upright["what"].y == 150 + 2 * 57


@pytest.mark.usefixtures("window")
def test_owners_stand_before_their_rows(standing: Mapping[str, Person]) -> None:
    """160 units wide under a line that says what to do; upright 152, two rows of keys beside."""
    state = look(standing["duel"])
    flat, upright = (boxes(state, size) for size in ((800, 480), (480, 800)))
    assert {flat[f"owner/{n}"].wide for n in range(3)} == {160}
    assert flat["owner/0"].y - flat["lead"].y == 34
    assert flat["quantity/0/0"].x - flat["owner/0"].right == 6
    assert {upright[f"owner/{n}"].wide for n in range(3)} == {152}
    assert {upright[f"owner/{n}"].high for n in range(3)} == {148}, "few do not fill the window"
    assert len({upright[f"quantity/0/{n}"].y for n in range(5)}) == 2


MOST_TRIED = {"dogfight-hex": 500, "starship-edition": 240}
"""Values tried on copies until everything that may be set is listed: each takes a tenth of a ms."""


@pytest.mark.parametrize("box", MOST_TRIED)
def test_no_more_values_are_tried_than_the_first_page_needs(
    person: Any, box: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board's spaces are not all tried where it is enough to know that there are many."""
    tried: list[object] = []
    copy = History._copy

    def counted(history: History) -> Any:
        tried.append(history)
        return copy(history)

    monkeypatch.setattr(History, "_copy", counted)
    person.table.new_match(Setup(box))
    person.view = act(a.Checked(), person.table, View())
    person.touch(a.Show(a.Panel.ADJUST))
    assert person.is_at(AdjustState)
    assert 0 < len(tried) <= MOST_TRIED[box]


def test_answers_that_have_no_place_in_common_are_counted_alone(
    new_person: Any, tmp_path: Any
) -> None:
    """Told by one touch, of different parts of the book: no colon stands before their number."""
    person = new_person(tmp_path)
    play_to_turn_1(person)
    scene = Scene(person.table.situation(), View())
    told = [e.seq for e in person.match.entries if e.kind == "answer"]
    assert log._title(scene, told[:2]) == "Set-up · Fighter: 2 answers"
    person.answer("action", "Basic Maneuver")
    scene = Scene(person.table.situation(), View())
    assert log._title(scene, [told[0], person.match.entries[-1].seq]) == "2 answers"
