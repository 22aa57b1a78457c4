"""What screens are put together of: numbers near the one told, dice, lines of a ruling, keys."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.question import ChooseSome, Count, Declare, Option, Order, Roll
from companion.core.ruling import TABLE, Cite
from ui.scene.values import Key, KeyLook
from ui.screens.match import cards, choose, counts, dice, menu, numbers, ruled
from ui.touch.actions import Answer, Fill, Panel, Show, TypeNumber

CITE = Cite.of("T-1")


def options(*names: str, group: str = "") -> tuple[Option[Any], ...]:
    return tuple(Option(name, at, name.title(), group=group) for at, name in enumerate(names))


# -- numbers -----------------------------------------------------------------------------------


def pad_keys(so_far: int | None, allowed: range, recorded: int | None = None) -> dict[str, Any]:
    """What each key of a pad types, by what stands on it; None where it types nothing."""
    (group,) = numbers.number_pad(so_far, allowed, TypeNumber, TypeNumber, recorded)
    return {
        one.key.label: one.key.action and one.key.action.number  # type: ignore[union-attr]
        for one in group.keys
    }


def test_few_numbers_have_a_key_each_and_more_are_typed() -> None:
    """Ten at the most; a figure makes what stands there longer, or begins anew."""
    assert pad_keys(None, range(10)) == {str(n): n for n in range(10)}
    assert [*pad_keys(None, range(11))] == [*"123456789", "", "0"]
    assert pad_keys(2, range(100))["5"] == 25
    assert pad_keys(25, range(100))["5"] == 5
    assert pad_keys(25, range(100))[""] == 2
    assert pad_keys(5, range(100))[""] is None


def test_a_figure_with_which_no_number_begins_is_an_outline() -> None:
    """Of 10 to 24: nothing begins with 0 or with 3 to 9."""
    keys = pad_keys(None, range(10, 25))
    assert {label for label, number in keys.items() if number is None} == {*"03456789", ""}


def test_beside_a_recorded_number_stand_those_next_to_it() -> None:
    """Most mistakes are one or two; none beyond what is taken."""
    keys = pad_keys(None, range(31), recorded=29)
    assert [*keys][-3:] == ["27", "28", "30"]


@pytest.mark.parametrize(
    ("told", "faces"),
    [(None, [0, 0, 0]), ([4], [4, 0, 0]), ([1, None, 6], [1, 0, 6]), ([1, 2, 3, 4], [1, 2, 3])],
)
def test_a_die_that_was_not_told_has_no_face(told: Any, faces: list[int]) -> None:
    roll = Roll(key="r", by=TABLE, cite=CITE, prompt="?", dice=3)
    assert counts.faces_told(told, 3) == faces
    assert dice._whole_faces(told, roll) == faces
    assert dice.all_told(faces) is (0 not in faces)


def test_a_number_is_answered_by_its_own_key() -> None:
    count = Count(key="c", by=TABLE, cite=CITE, prompt="?", low=1, high=3)
    (group,) = menu.numbers(count)
    assert [(one.row, one.column, one.key.action) for one in group.keys] == [
        (0, at, Answer("c", count.opened, at + 1)) for at in range(3)
    ]


def test_a_number_of_many_is_typed_and_given_by_the_next_tap_alone() -> None:
    """Figures that no such number begins with are outlines, and say which numbers there are."""
    count = Count(key="c", by=TABLE, cite=CITE, prompt="?", low=5, high=30)
    for so_far in (None, 1, 4):
        key = menu.number_key(count, so_far)
        assert key is not None
        assert (key.action, key.look) == (None, KeyLook.IMPOSSIBLE)
        assert "5 to 30" in key.second
    taken = menu.number_key(count, 17)
    assert taken is not None
    assert taken.action == Answer("c", count.opened, 17)
    (group,) = menu.numbers(count, 1)
    touches = {one.key.label: one.key.action for one in group.keys}
    assert touches["7"] == Fill(Answer("c", count.opened, 17))
    assert touches[""] == Fill(Answer("c", count.opened, None))
    (fresh,) = menu.numbers(count)
    dead = {one.key.label: one.key.second for one in fresh.keys if one.key.action is None}
    assert dead == {"4": "5 to 30", "0": "5 to 30", "": ""}


def test_a_part_is_counted_up_and_begins_again_after_the_most() -> None:
    asked = Declare(key="d", by=TABLE, cite=CITE, prompt="?", parts=("a", "b"), most=2)
    keys = [one.key for one in menu.parts_of(asked, {"a": 0, "b": 2})[0].keys]
    assert [(key.label, key.second, key.look) for key in keys] == [
        ("a", "none", KeyLook.PLAIN),
        ("b", "2", KeyLook.CHOSEN),
    ]
    assert [key.action for key in keys] == [
        Fill(Answer("d", asked.opened, {"a": 1, "b": 2})),
        Fill(Answer("d", asked.opened, {"a": 0, "b": 0})),
    ]


# -- dice --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passes", "told", "note"),
    [
        (1, [0, 3], "Touch the face that lies up."),
        (4, [0, 3], "4 or more succeeds"),
        (1, [5, 3], "Touch a die to change it."),
        (4, [3, 3], "0 of 2 succeed. Touch a die to change it."),
        (4, [4, 3], "1 of 2 succeeds. Touch a die to change it."),
        (4, [4, 6], "2 of 2 succeed. Touch a die to change it."),
    ],
)
def test_a_roll_says_what_to_touch_and_how_it_stands(
    passes: int, told: list[int], note: str
) -> None:
    roll = Roll(key="r", by=TABLE, cite=CITE, prompt="?", dice=2, passes=passes)
    assert dice._note(roll, told) == note
    meets = [dice._meets(roll, face) for face in (0, 3, 4)]
    assert meets == ([None, False, True] if passes > 1 else [None] * 3)


@pytest.mark.parametrize(
    ("thrown", "against", "lead"),
    [(1, "", "1 die"), (3, "", "3 dice"), (2, "Difficulty 5", "2 dice, Difficulty 5")],
)
def test_a_roll_says_how_many_dice_against_what(thrown: int, against: str, lead: str) -> None:
    roll = Roll(key="r", by=TABLE, cite=CITE, prompt="?", dice=thrown, against=against)
    assert dice._lead(roll) == lead


# -- lines of a ruling -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headlines", "most", "told"),
    [
        (["Bo: hit", "Bo: hit", "Ann: hit"], 99, "Bo: hit; Ann: hit"),
        (["Draw", "Draw 2"], 99, "Draw; Draw 2"),
        (["Bo: hit", "Bo: out"], 12, "Bo: hit, out"),
        (["Bo: hit", "Bo: out"], 11, "Bo: hit"),
        (["Bo: hit"], 6, ""),
        ([], 99, ""),
    ],
)
def test_headlines_are_told_shortly_each_name_once(
    headlines: list[str], most: int, told: str
) -> None:
    assert ruled.in_short(headlines, most) == told


# -- keys --------------------------------------------------------------------------------------


def some(fewest: int, most: int) -> ChooseSome[Any]:
    offered = options("a", "b", "c")
    return ChooseSome(
        key="s", by=TABLE, cite=CITE, prompt="?", offered=offered, fewest=fewest, most=most
    )


def test_a_touch_chooses_one_more_or_one_less_and_the_first_makes_room() -> None:
    asked = some(0, 2)

    def touched(chosen: list[str], name: str) -> Any:
        fill = menu.toggling(asked, chosen, name)
        assert (fill.answer.key, fill.answer.opened) == ("s", asked.opened)
        return fill.answer.raw

    assert touched([], "a") == ["a"]
    assert touched(["a"], "b") == ["a", "b"]
    assert touched(["a", "b"], "c") == ["b", "c"]
    assert touched(["a", "b"], "a") == ["b"]


def test_an_order_has_all_options_and_some_of_them_no_more_than_there_are() -> None:
    order = Order(key="o", by=TABLE, cite=CITE, prompt="?", offered=options("a", "b"))
    assert menu.limits_of(order) == (2, 2)
    assert menu.limits_of(some(1, 2)) == (1, 2)
    assert menu.limits_of(some(1, 9)) == (1, 3)
    assert choose.takes_several(order)
    assert choose.takes_several(some(0, 1))
    assert not choose.takes_several(Count(key="c", by=TABLE, cite=CITE, prompt="?", high=1))


def test_what_is_chosen_is_given_once_it_is_whole() -> None:
    asked = some(1, 2)
    assert choose.give_key(asked, []) is None
    key = choose.give_key(asked, ["a", "c"])
    assert key is not None
    assert (key.label, key.second, key.look) == ("Done", "A, C", KeyLook.GO)
    assert key.action == Answer("s", asked.opened, ["a", "c"])
    assert choose.answer_words(asked, []) == "none"
    none = choose.give_key(some(0, 2), [])
    assert none is not None
    assert (none.label, none.second) == ("Done", "none")


def test_keys_stand_in_groups_in_the_order_of_the_first_of_each() -> None:
    offered = [*options("a", group="one"), *options("b", group="two"), *options("c", group="one")]
    groups = menu.grouped(offered, lambda option: Key(option.label, None))
    assert [
        (group.title, [(one.key.label, one.column) for one in group.keys]) for group in groups
    ] == [
        ("one", [("A", 0), ("C", 1)]),
        ("two", [("B", 0)]),
    ]


def test_the_option_that_was_chosen_is_lit_alone() -> None:
    """As on the pad of an amend, where each key does something else than answer."""
    (group,) = cards.choosing_pad(
        options("a", "b"), lambda option: Show(Panel.AMEND, option.name), {}, "b"
    )
    told = [(one.key.label, one.key.look, one.key.action) for one in group.keys]
    assert told == [
        ("A", KeyLook.PLAIN, Show(Panel.AMEND, "a")),
        ("B", KeyLook.CHOSEN, Show(Panel.AMEND, "b")),
    ]


def placed(*offered: Option[Any]) -> list[tuple[str, int, int]]:
    keys = cards._placed(list(offered), lambda option: Key(option.label, None))
    return [(one.key.label, one.row, one.column) for one in keys]


def test_keys_stand_in_their_options_cells_from_the_groups_own_corner() -> None:
    a, b = (Option(name, 0, name, cell=cell) for name, cell in (("a", (3, 5)), ("b", (4, 4))))
    assert placed(a, b) == [("a", 0, 1), ("b", 1, 0)]
    assert placed(a, Option("c", 0, "c")) == [("a", 0, 0), ("c", 0, 1)]


def test_keys_without_cells_stand_in_rows_twice_as_long_where_words_are_short() -> None:
    short = [Option(str(n), n, "x" * cards.SHORT) for n in range(cards.WIDEST + 1)]
    assert [(row, column) for _, row, column in placed(*short)][-2:] == [
        (0, cards.WIDEST - 1),
        (1, 0),
    ]
    long = [*short[:-1], Option("long", 0, "x" * (cards.SHORT + 1))]
    assert placed(*long)[cards.WIDEST // 2][1:] == (1, 0)


def test_options_that_share_a_cell_open_from_one_key() -> None:
    twins = [Option(name, 0, f"Left: {name}", cell=(2, 5)) for name in ("a", "b")]
    (one,) = cards._placed(twins, lambda option: Key(option.label, None))
    assert (one.key.label, one.key.second) == ("A", "which card?")
    assert one.key.action == Show(Panel.PAD, "2,5")
    assert cards.cell_name(Option("c", 0, "c")) == ""
