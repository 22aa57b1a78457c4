"""The boxes by name, and what is refused when a box is made."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar

import pytest

from companion.core.board import FREE_MARKERS, BoardPlan, Look
from companion.core.errors import BadCall
from companion.core.ruling import Cite, Seat
from companion.games import RULEBOOKS, find_rulebook, rulebook_of
from companion.kit.box import SmallBox
from companion.match.house_rules import sight_switch
from companion.match.rulebook import Rulebook, Setup


def test_every_box_is_found_by_its_own_name(box: str) -> None:
    """And says so itself."""
    assert find_rulebook(box).box == box


@pytest.mark.parametrize("name", ["Jaws and Paws", "jaws_and_paws", " JAWS-AND-PAWS "])
def test_a_name_is_read_as_people_write_it(name: str) -> None:
    """Blanks, underlines and case do not matter."""
    assert find_rulebook(name) is find_rulebook("jaws-and-paws")


def test_an_unknown_box_is_refused_with_those_there_are() -> None:
    """The message names both."""
    with pytest.raises(BadCall, match="no box is called 'chess'; there are jaws-and-paws"):
        find_rulebook("chess")


def test_an_unknown_variant_is_refused_with_those_there_are() -> None:
    """Box, variant, and the names it has."""
    with pytest.raises(BadCall, match="Jaws & Paws has no variant 'fog'; there are day, night"):
        find_rulebook("jaws-and-paws").in_variants(["fog"])


def plans(box: str) -> list[BoardPlan]:
    """The boards and tokens of each game of a box."""
    setups = [Setup(box, (mode,)) for mode in find_rulebook(box).variants]
    return [rulebook_of(setup)(setup).plan for setup in setups]


@pytest.mark.parametrize("name", RULEBOOKS)
def test_markers_that_are_called_free_are_on_nothing(name: str) -> None:
    """A box of one's own may take any of them, whichever other boxes its table has."""
    borne = {
        marker
        for plan in plans(name)
        for marker in (
            *(token.marker for token in plan.tokens),
            *(token.other_side.marker for token in plan.tokens if token.other_side),
            *(counter.marker for counter in plan.counters),
            *(corner for board in plan.boards for corner in board.corners or ()),
        )
    }
    assert borne
    taken = sorted(borne & {*FREE_MARKERS})
    assert not taken, f"give {name} markers of its own, as games/README.md says: not {taken}"


def test_two_things_with_one_marker_are_refused_by_name() -> None:
    """A camera could not tell them apart."""
    (plan,) = plans("talespin-dogfight")
    first, second, *others = plan.tokens
    with pytest.raises(
        ValueError, match=r"marker 100 is on piece 'plane-a' and on piece 'plane-b'"
    ):
        replace(plan, tokens=(first, replace(second, marker=first.marker), *others))
    with pytest.raises(ValueError, match=r"marker 104 is on the corner .* and on piece 'plane-a'"):
        replace(plan, tokens=(replace(first, marker=104), second, *others))


def test_the_back_of_a_token_may_be_a_piece_of_its_own() -> None:
    """Its marker is then told of twice, and is on one thing."""
    (plan,) = plans("dogfight-hex")
    assert replace(plan).tokens[0].other_side in plan.tokens


def test_a_sign_that_nobody_has_drawn_is_refused_with_those_there_are() -> None:
    """A typing error would be a disc without a heading on every screen."""
    with pytest.raises(ValueError, match="no sign is called 'plain'; there are albatros, camel"):
        Look(0, "plain", "A")


class Whole(Rulebook[Any]):
    """A box that says all it must of itself; its procedures are still to be written."""

    box, title, variants = "whole", "Whole", ("base",)
    seats = MappingProxyType({Seat("A"): "Player A", Seat("B"): "Player B"})
    sides = tuple(seats)
    switches: ClassVar[Any] = {"sight": sight_switch(Cite.of("WH-1"))}
    corrections = Cite.of("RULING 1")


MADE_AMISS: dict[str, tuple[dict[str, Any], str]] = {
    "a side is forgotten": ({"sides": (Seat("A"),)}, "Seat 'B' is of side 'B', which is none"),
    "no variant": ({"variants": ()}, "no variant"),
    "a button of nobody": ({"buttons": (Seat("C"),)}, "`buttons` names 'C'"),
    "a hand of nobody": ({"held_by": {Seat("B"): Seat("C")}}, "`held_by` names 'C'"),
    "a switch of another name": ({"switches": {"eye": Whole.switches["sight"]}}, "stands as 'eye'"),
}


@pytest.mark.parametrize("what", MADE_AMISS)
def test_what_a_box_says_amiss_is_told_when_its_class_is_made(what: str) -> None:
    """And not at the first `!close` of a match."""
    body, told = MADE_AMISS[what]
    with pytest.raises(TypeError, match=f"^Amiss is no box yet.*{told}"):
        type("Amiss", (Whole,), body)


def test_all_that_a_box_forgets_is_told_at_once() -> None:
    """Each in a sentence that says what it is."""
    body = {"box": "new", "title": "New", "variants": ("base",), "seats": Whole.seats}
    with pytest.raises(TypeError) as refused:
        type("New", (Rulebook,), body)
    told = str(refused.value)
    assert told.startswith("New is no box yet. It lacks `sides`: who can win")
    assert "It lacks `corrections`: the paragraph or ruling under which an arbiter" in told


@pytest.mark.parametrize("base", [Rulebook, SmallBox])
@pytest.mark.parametrize("said", ["title", "seats", "corrections"])
def test_a_box_without_its_name_is_refused_when_its_class_is_made(
    said: str, base: type[Rulebook[Any]]
) -> None:
    """Whatever else it says of itself, and not at the first use of its name."""
    with pytest.raises(TypeError, match=r"^New is no box yet\. It lacks `box`: its name on"):
        type("New", (base,), {said: getattr(Whole, said)})


def test_a_base_of_several_boxes_says_neither_its_name_nor_who_plays() -> None:
    """It is no box yet, and need not be one."""
    type("Base", (SmallBox,), {"variants": ("one", "two"), "switches": {}})
