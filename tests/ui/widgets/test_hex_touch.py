"""The hex board under a finger: spaces are touched where they lie, and little is drawn again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.core.board import Pose
from companion.core.question import Option
from ui.samples.field import BASIC, FIGURES, FOKKER, HEX, flying
from ui.samples.match import SAMPLES
from ui.scene.map import MapArrow
from ui.scene.theme import Hand, Light, Theme
from ui.touch.actions import Answer, Panel, Show

Make = Callable[[Theme], Any]


def shown(make_sheet: Make, state: Any, theme: Theme) -> Any:
    """The sheet with the state's parts on it."""
    from ui.screens.registry import parts_of, screen_of

    sheet = make_sheet(theme)
    sheet.show(screen_of(state), parts_of(state, theme))
    return sheet


@pytest.mark.parametrize("hand", Hand)
@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_a_finger_in_a_spaces_middle_means_that_space(
    make_sheet: Make, hand: Hand, size: tuple[int, int]
) -> None:
    """Every lit space is found at its middle, and a quarter of it around."""
    theme = Theme(hand=hand, size_px=size)
    sheet = shown(make_sheet, HEX["hex-fly"], theme)
    ends = {n: p for n, p in sheet.parts.items() if n.startswith("map/end/")}
    assert len(ends) == len({option.name.split(" ")[0] for option in BASIC})
    for name, part in ends.items():
        x, y = part.box.centre
        for dx, dy in ((0, 0), (20, 0), (-20, 0), (0, 20), (0, -20)):
            assert sheet.at(x + dx, y + dy) == name
        assert part.action == Show(Panel.PAD, name.removeprefix("map/end/"))


def test_the_spaces_of_the_large_map_are_hexes_still(make_sheet: Make) -> None:
    """What is touched lies inside what is drawn, and neighbours' drawings meet at their edges."""
    sheet = shown(make_sheet, HEX["hex-fly"], Theme())
    for name, part in sheet.parts.items():
        if name.startswith("map/end/"):
            xs, ys = [x for x, _ in part.outline], [y for _, y in part.outline]
            wide, high = max(xs) - min(xs), max(ys) - min(ys)
            assert wide / high == pytest.approx(2 / 3**0.5, rel=0.01)
            assert part.box.wide == pytest.approx(wide * 0.75, rel=0.02)


def test_headings_lie_as_they_point(make_sheet: Make) -> None:
    """North-west is left of north, north of north-east; all above what points south."""
    sheet = shown(make_sheet, flying(BASIC, chosen="-1,1"), Theme())
    boxes = {
        part.heading.key.label: part.box
        for name, part in sheet.parts.items()
        if name.startswith("heading/")
    }
    assert set(boxes) == {"N", "NW", "SW"}
    assert boxes["NW"].x < boxes["N"].x
    assert boxes["SW"].y > boxes["NW"].y
    assert boxes["SW"].x == boxes["NW"].x


def test_a_screen_that_faces_the_far_side_is_touched_where_it_is_seen(make_sheet: Make) -> None:
    """Turned as a whole: each key has its place on the other side of the window's middle."""
    near = shown(make_sheet, HEX["hex-evasion"], Theme())
    keys = {n: p for n, p in near.parts.items() if p.action is not None}
    far = shown(make_sheet, HEX["hex-evasion-turned"], Theme())
    for name, part in keys.items():
        turned = far.parts[f"turned/{name}"]
        assert turned.action == part.action
        assert turned.box.x == pytest.approx(800 - part.box.right)
        assert turned.box.y == pytest.approx(480 - part.box.bottom)


def test_choosing_a_space_leaves_the_board_as_it_is_drawn(make_sheet: Make) -> None:
    """The board's 61 spaces are one part: a touch draws the space, the headings and words anew."""
    from ui.screens.registry import parts_of, screen_of

    sheet = shown(make_sheet, HEX["hex-fly"], Theme())
    before = sheet.drawn
    later = HEX["hex-fly-heading"]
    sheet.show(screen_of(later), parts_of(later, sheet.theme))
    assert sheet.drawn - before <= 6


def test_an_answer_is_given_by_its_space_where_it_has_one_heading(make_sheet: Make) -> None:
    """Momentum: three spaces, each entered in its own direction: one touch."""
    sheet = shown(make_sheet, HEX["hex-momentum"], Theme(Light.NIGHT))
    actions = [p.action for n, p in sheet.parts.items() if n.startswith("map/end/")]
    assert len(actions) == 3
    assert all(isinstance(action, Answer) for action in actions)


def test_a_menu_pages_only_where_it_must(make_sheet: Make) -> None:
    """Two players' actions fit one page; more come on further pages, none twice, none lost."""
    one = shown(make_sheet, HEX["hex-menu"], Theme())
    assert not any(name.startswith("page/") for name in one.parts)
    state: Any = HEX["hex-menu-four"]
    wanted = [pad.key.label + pad.key.second for group in state.menu for pad in group.keys]
    found: list[str] = []
    for page in range(4):
        sheet = shown(make_sheet, replace(state, page=page), Theme())
        labels = [
            part.key.label + part.key.second
            for name, part in sheet.parts.items()
            if name.startswith("menu/") and hasattr(part, "key")
        ]
        if labels == found[-len(labels) :]:
            break
        found += labels
    assert found == wanted


def test_dice_show_their_pips(make_sheet: Make) -> None:
    """Each face has as many dots as it says; a face beyond six is written."""
    from ui.widgets.dice import PIPS

    assert {face: len(dots) for face, dots in PIPS.items()} == {n: n for n in range(1, 7)}
    sheet = shown(make_sheet, HEX["hex-roll-told"], Theme())
    dice = [part.die for name, part in sheet.parts.items() if name in ("dice/0", "dice/1")]
    assert [(die.face, die.meets) for die in dice] == [(5, True), (3, False)]


def test_every_space_where_it_may_not_end_says_why_when_touched(make_sheet: Make) -> None:
    """Also where headings are asked, or the whole board is shown: nothing is touched in vain."""
    heading: Any = HEX["hex-fly-heading"]
    turned = replace(heading, turned=True)
    for state in (HEX["hex-fly"], HEX["hex-fly-heading"], HEX["hex-momentum"], turned):
        sheet = shown(make_sheet, state, Theme())
        closed = {n: p for n, p in sheet.parts.items() if "map/closed/" in n}
        assert len(closed) > 10
        for name, part in closed.items():
            x, y = part.box.centre
            at = sheet.at(x, y)
            assert at is not None, name
            if at == name:
                assert part.action_at(x, y).raw.startswith(name.rpartition("/")[2])
            else:
                assert "map/end/" in at  # a neighbour that a finger was meant for
        name, part = next(iter(closed.items()))
        assert part.action_at(part.box.x + 0.5, part.box.y + 0.5) is None, "a neighbour's corner"


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_north_is_never_under_a_piece_or_an_arrow(make_sheet: Make, size: tuple[int, int]) -> None:
    """The sign of the first heading moves to a free corner."""
    state: Any = HEX["hex-placed"]
    board = state.map.boards[0]
    corner = max(board.cells, key=lambda cell: cell.centre_mm[0] - cell.centre_mm[1])
    left, top, wide, high = state.map.bounds_mm
    arrow = MapArrow((left, top + high / 2), (left + wide, top))
    piece = replace(state.map.pieces[0], space=corner.space, centre_mm=corner.centre_mm)
    crowded = replace(state.map, arrows=(arrow,), pieces=(piece,))
    sheet = shown(make_sheet, replace(state, map=crowded), Theme(size_px=size))
    compass = sheet.parts["map/compass"]
    for name, part in sheet.parts.items():
        if name.startswith(("map/piece/", "map/arrow/")):
            assert not part.box.meets(compass.box), name


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_ends_that_lie_far_apart_are_touched_on_the_whole_board(
    make_sheet: Make, size: tuple[int, int]
) -> None:
    """Corners need no page and no enlarging: every space is there, each corner under a finger."""
    corners = [Option(str(at), at, str(at), {FOKKER: Pose(str(at), 0)})
               for at in FIGURES.board.corners]  # fmt: skip
    state = flying(corners)
    assert state.poses is not None
    assert len(state.poses.spaces) + len(state.poses.closed) == len(FIGURES.board.spaces)
    sheet = shown(make_sheet, state, Theme(size_px=size))
    for at in FIGURES.board.corners:
        part = sheet.parts[f"map/end/{at}"]
        assert sheet.at(*part.box.centre) == f"map/end/{at}"
        assert part.action == Answer("turn-7/2/fly", 12, str(at))


def test_the_rule_of_a_running_round_is_one_touch_away(make_sheet: Make) -> None:
    """Its key stands in the top bar and opens the paragraph; the count goes on under it."""
    state: Any = SAMPLES["round-running"]
    cited = replace(state, frame=replace(state.frame, top=replace(state.frame.top, cite="JP-5.2")))
    sheet = shown(make_sheet, cited, Theme())
    part = sheet.parts["top/cite"]
    assert sheet.at(*part.box.centre) == "top/cite"
    assert part.action == Show(Panel.RULES, "JP-5.2")
    assert "count" in {name.partition("/")[0] for name in sheet.parts}
