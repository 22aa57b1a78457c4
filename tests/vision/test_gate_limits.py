"""The cheap first look at its limits, on pictures of 320 x 180 that are compared pixel by pixel."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.offers import PictureState
from vision.camera.frame import GreyImage
from vision.markers.reading import Crop
from vision.tracking.gate import Gate, Glance

STILL, MOVING = PictureState.STILL, PictureState.MOVING
HAND, LIGHT = PictureState.HAND, PictureState.LIGHT

WIDE, HIGH = 320, 180


def patterned(seed: int, low: int = 60, high: int = 160, cell: int = 3) -> GreyImage:
    """A picture full of small squares of any grey: no part of it is plain, no two are alike."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(low, high, (HIGH // cell, WIDE // cell + 1), dtype=np.uint8)
    return np.kron(cells, np.ones((cell, cell), np.uint8))[:HIGH, :WIDE].copy()


TABLE = patterned(1)
FOREIGN = patterned(2)


def with_part(x: int, y: int, width: int, height: int, on: GreyImage = TABLE) -> GreyImage:
    """The table with something of another pattern lying there."""
    picture = on.copy()
    picture[y : y + height, x : x + width] = FOREIGN[y : y + height, x : x + width]
    return picture


def papered(x: int, y: int, width: int, height: int, on: GreyImage = TABLE) -> GreyImage:
    """The table with white paper there: every pixel of it is another."""
    picture = on.copy()
    picture[y : y + height, x : x + width] = 255
    return picture


def lit(factor: float, x: int = 100, y: int = 60, width: int = 60, height: int = 60) -> GreyImage:
    """The table with a part of it in another light."""
    picture = TABLE.copy()
    part = picture[y : y + height, x : x + width]
    picture[y : y + height, x : x + width] = cv2.convertScaleAbs(part, alpha=factor)
    return picture


def learned(*pictures: GreyImage) -> Gate:
    """A gate to which the last of these pictures is the settled table."""
    gate = Gate()
    for picture in pictures or (TABLE, TABLE):
        gate.look(picture)
    gate.learn()
    return gate


def lying(gate: Gate, picture: GreyImage, frames: int = 2) -> Glance:
    """What the gate makes of a picture that has come to rest."""
    glances = [gate.look(picture) for _ in range(frames)]
    return glances[-1]


@pytest.mark.parametrize(
    ("pixels", "levels", "state"),
    [(20, 13, MOVING), (19, 13, STILL), (20, 12, STILL), (20, -13, MOVING), (500, -12, STILL)],
)
def test_motion_is_twenty_pixels_changed_by_thirteen_levels(
    pixels: int, levels: int, state: PictureState
) -> None:
    """Of 57,600; fewer pixels or fewer levels are noise."""
    gate = Gate()
    gate.look(TABLE)
    changed = TABLE.astype(np.int16)
    changed[90, :320].flat[:pixels] += levels
    changed[91:, :].flat[: max(0, pixels - 320)] += levels
    glance = gate.look(changed.astype(np.uint8))
    assert (glance.state, glance.moved) == (state, state is MOVING)


@pytest.mark.parametrize(("pixels", "moved"), [(7, False), (8, True)])
def test_in_a_tiny_picture_eight_pixels_are_motion(pixels: int, moved: bool) -> None:  # noqa: FBT001
    gate, plain = Gate(), np.full((20, 20), 120, np.uint8)
    gate.look(plain)
    changed = plain.copy()
    changed.flat[:pixels] = 200
    assert gate.look(changed).moved is moved


def test_the_frames_at_rest_are_counted_from_the_last_motion() -> None:
    gate = Gate()
    pictures = [TABLE, TABLE, TABLE, FOREIGN, FOREIGN, FOREIGN]
    assert [gate.look(picture).rest for picture in pictures] == [0, 1, 2, 0, 1, 2]
    gate.learn()
    assert [gate.look(picture).rest for picture in (FOREIGN, TABLE, TABLE)] == [3, 0, 1]


def test_before_a_table_has_settled_all_of_the_picture_is_to_be_read() -> None:
    gate = Gate()
    first, second = gate.look(TABLE), gate.look(TABLE)
    assert (first.state, first.moved, first.everywhere, first.fresh) == (MOVING, True, True, True)
    assert (second.state, second.everywhere, second.fresh) == (STILL, True, True)
    gate.learn()
    third = gate.look(TABLE)
    assert (third.state, third.everywhere, third.fresh, third.areas) == (STILL, False, False, ())
    gate.forget()
    assert gate.look(TABLE).fresh


def test_what_was_put_down_is_an_area_of_the_whole_picture() -> None:
    """A card in the middle: motion, then still, and the box about it."""
    gate = learned()
    card = with_part(150, 80, 24, 30)
    assert gate.look(card).state is MOVING
    glance = gate.look(card)
    assert (glance.state, glance.everywhere) == (STILL, False)
    (area,) = glance.areas
    assert area == Crop(150, 80, 24, 30)


@pytest.mark.parametrize("times", [2, 3, 6])
def test_areas_of_a_larger_picture_are_in_its_own_pixels(times: int) -> None:
    """The camera's picture is looked at in small, so many times as narrow, and read in full."""

    def large(picture: GreyImage) -> GreyImage:
        return np.kron(picture, np.ones((times, times), np.uint8))

    def area(left: int, top: int, width: int, height: int) -> Crop:
        return Crop(times * left, times * top, times * width, times * height)

    gate = learned(large(TABLE))
    glance = lying(gate, large(with_part(150, 80, 24, 30)))
    assert glance.areas == (area(150, 80, 24, 30),)
    assert gate.looks_as_before(area(5, 5, 30, 30))
    assert not gate.looks_as_before(area(150, 80, 24, 30))


def test_specks_are_no_area() -> None:
    """Ten pixels together are one; nine are not."""
    card = with_part(150, 80, 24, 30)
    for height, width, areas in ((3, 3, 1), (2, 5, 2)):
        speck = card.copy()
        speck[40 : 40 + height, 40 : 40 + width] = 255
        assert len(lying(learned(), speck).areas) == areas


def test_parts_up_to_four_pixels_apart_are_one_area() -> None:
    """Of a thing that has the table's grey in places, the pieces belong together."""
    for gap, areas in ((4, 1), (5, 2)):
        for right, down in ((20 + gap, 0), (0, 20 + gap)):
            picture = TABLE.copy()
            picture[60:80, 100:120] = 255
            picture[60 + down : 80 + down, 100 + right : 120 + right] = 255
            assert len(lying(learned(), picture).areas) == areas


def test_a_thread_is_no_hand() -> None:
    """Two pixels wide it is nothing foreign; three are."""
    for wide, state in ((2, STILL), (3, HAND)):
        for rows, columns in ((slice(60, 60 + wide), slice(0, 90)),
                              (slice(0, 90), slice(100, 100 + wide))):  # fmt: skip
            picture = TABLE.copy()
            picture[rows, columns] = 255
            assert lying(learned(), picture).state is state


@pytest.mark.parametrize(("rows", "everywhere"), [(120, False), (121, True)])
def test_areas_of_more_than_half_of_the_picture_are_of_no_use(
    rows: int,
    everywhere: bool,  # noqa: FBT001
) -> None:
    gate = learned()
    glance = lying(gate, papered(40, 30, 240, rows))
    assert glance.areas == (Crop(40, 30, 240, rows),)
    assert (240 * rows > WIDE * HIGH / 2) is everywhere
    assert glance.everywhere is everywhere


@pytest.mark.parametrize(
    ("part", "state"),
    [
        ((0, 60, 60, 30), HAND),
        ((260, 60, 60, 30), HAND),
        ((100, 0, 40, 60), HAND),
        ((100, 120, 40, 60), HAND),
        ((100, 0, 40, 14), HAND),
        ((100, 0, 40, 10), STILL),
        ((100, 170, 40, 10), STILL),
        ((0, 60, 10, 40), STILL),
        ((310, 60, 10, 40), STILL),
        ((100, 1, 40, 60), HAND),
        ((100, 3, 40, 60), STILL),
        ((100, 4, 40, 60), STILL),
        ((100, 116, 40, 60), STILL),
        ((4, 60, 60, 30), STILL),
        ((256, 60, 60, 30), STILL),
    ],
)
def test_a_hand_is_foreign_and_reaches_in_from_the_edge(
    part: tuple[int, int, int, int], state: PictureState
) -> None:
    """By more than eleven pixels of 180, and from the outermost two."""
    gate = learned()
    assert lying(gate, with_part(*part)).state is state


def test_a_sleeve_as_bright_as_the_table_leads_a_hand_to_the_edge() -> None:
    """Seven levels beside the table are no change by themselves; joined to a hand they are it."""
    gate = learned()
    hand = with_part(100, 40, 40, 60)
    assert lying(gate, hand).state is STILL
    for levels, state in ((6, STILL), (7, HAND)):
        sleeve = hand.copy()
        sleeve[0:40, 100:140] += np.uint8(levels)
        assert lying(learned(), sleeve).state is state
    for row, state in ((1, HAND), (2, STILL)):
        sleeve = hand.copy()
        sleeve[row:40, 100:140] += np.uint8(7)
        assert lying(learned(), sleeve).state is state, "the outermost two are the edge"


def hand_then(part: tuple[int, int, int, int]) -> PictureState:
    """What is seen where a hand of 40 x 60 px was there and then only this of it."""
    gate = learned()
    assert lying(gate, with_part(100, 0, 40, 60)).state is HAND
    return lying(gate, with_part(*part)).state


def test_a_hand_that_lifts_its_sleeve_from_the_edge_stays_one() -> None:
    """Up to a tenth of the height, and while it is more than 0.6 of what it was."""
    assert hand_then((100, 18, 40, 60)) is HAND
    assert hand_then((100, 19, 40, 60)) is STILL
    assert hand_then((100, 10, 40, 38)) is HAND
    assert hand_then((100, 10, 40, 37)) is STILL


@pytest.mark.parametrize(
    ("there", "lifted"),
    [
        ((100, 0, 40, 60), (100, 18, 40, 60)),
        ((100, 120, 40, 60), (100, 102, 40, 60)),
        ((0, 60, 60, 40), (18, 60, 60, 40)),
        ((260, 60, 60, 40), (242, 60, 60, 40)),
    ],
)
def test_a_hand_stays_one_at_each_edge(
    there: tuple[int, int, int, int], lifted: tuple[int, int, int, int]
) -> None:
    gate = learned()
    assert lying(gate, papered(*there)).areas == (Crop(*there),)
    assert lying(gate, papered(*lifted)).state is HAND


def test_more_than_six_tenths_of_a_hand_are_still_the_hand() -> None:
    for rows, state in ((37, HAND), (36, STILL)):
        gate = learned()
        assert lying(gate, papered(100, 0, 40, 60)).state is HAND
        assert lying(gate, papered(100, 10, 40, rows)).state is state


def test_a_hand_from_before_the_camera_was_moved_is_forgotten() -> None:
    """What lies near the edge of the new picture is no part of it."""
    gate = learned()
    lying(gate, papered(100, 0, 40, 60))
    gate.forget()
    gate.look(TABLE)
    gate.learn()
    assert gate.look(papered(100, 10, 40, 60)).state is MOVING
    assert learned().look(papered(100, 10, 40, 60)).state is MOVING


def test_the_largest_a_hand_was_counts_until_it_has_left() -> None:
    gate = learned()
    lying(gate, with_part(100, 0, 40, 90))
    lying(gate, with_part(100, 0, 40, 50))
    assert lying(gate, with_part(100, 10, 40, 50)).state is STILL
    lying(gate, with_part(100, 0, 40, 90))
    lying(gate, TABLE)
    assert lying(gate, with_part(100, 10, 40, 90)).state is STILL


@pytest.mark.parametrize(
    ("factor", "state"),
    [(0.6, LIGHT), (0.3, LIGHT), (0.2, MOVING), (1.4, LIGHT), (1.65, MOVING)],
)
def test_a_part_in_another_light_is_no_motion_within_what_lamps_and_shadows_do(
    factor: float, state: PictureState
) -> None:
    """Half as much again, or down to a quarter; what is beyond is something else."""
    gate = learned()
    assert gate.look(lit(factor)).state is state
    assert gate.look(lit(factor)).state is STILL


def test_the_light_of_the_whole_is_fitted_before_a_part_is_judged() -> None:
    """A lamp goes on and a shadow stays: still light, and no area where only the lamp is."""
    gate = learned()
    brighter = np.asarray(cv2.convertScaleAbs(TABLE, alpha=1.3), np.uint8)
    assert gate.look(brighter).state is LIGHT
    assert lying(gate, brighter).areas == ()
    shaded = np.asarray(cv2.convertScaleAbs(lit(0.6), alpha=1.3), np.uint8)
    assert gate.look(shaded).state is LIGHT
    assert lying(gate, shaded).areas == (Crop(100, 60, 60, 60),)


@pytest.mark.parametrize(
    ("lamp", "part", "state"), [(1.3, 1.4, LIGHT), (0.7, 0.3, LIGHT), (1.0, 1.6, MOVING)]
)
def test_a_part_is_judged_by_the_light_that_all_of_it_is_in(
    lamp: float, part: float, state: PictureState
) -> None:
    """Under a brighter lamp a reflection is brighter, and a shadow darker under a darker one."""
    table = patterned(3, 40, 100)
    gate = learned(table, table)
    now = np.asarray(cv2.convertScaleAbs(table, alpha=lamp), np.uint8)
    now[40:140, 100:200] = np.asarray(cv2.convertScaleAbs(now, alpha=part))[40:140, 100:200]
    assert gate.look(now).state is state


@pytest.mark.parametrize(("before", "now", "state"), [(24, 37, LIGHT), (21, 34, MOVING)])
def test_in_the_dark_a_part_half_as_bright_again_is_light(
    before: int, now: int, state: PictureState
) -> None:
    """Of so few levels nobody can tell the ratio: four are added on both sides."""
    dark = np.full((HIGH, WIDE), before, np.uint8)
    gate = learned(dark, dark)
    dark[40:140, 100:200] = now
    assert gate.look(dark).state is state


def test_a_lamp_that_is_turned_up_little_by_little_is_no_motion() -> None:
    gate = learned()
    assert not gate.look(np.asarray(cv2.convertScaleAbs(TABLE, alpha=1.05), np.uint8)).moved


@pytest.mark.parametrize(("wide", "state"), [(4, MOVING), (3, LIGHT)])
def test_twelve_foreign_pixels_beside_a_shadow_are_motion(wide: int, state: PictureState) -> None:
    """One thing that is no light is enough; fewer pixels are a speck."""
    plain = np.full((HIGH, WIDE), 60, np.uint8)
    gate = learned(plain, plain)
    plain[40:140, 100:200] = 36
    plain[20 : 20 + wide, 20:23] = 255
    assert gate.look(plain).state is state


def test_a_shadow_from_the_edge_is_no_hand_and_one_with_a_hand_in_it_is() -> None:
    gate = learned()
    shadow = lit(0.6, 100, 0, 60, 100)
    assert gate.look(shadow).state is LIGHT
    assert gate.look(shadow).state is STILL
    assert lying(gate, with_part(100, 0, 60, 40, on=shadow)).state is HAND


def test_a_hole_left_by_a_hand_is_known_after_sixteen_frames_at_rest() -> None:
    """A hand was taken for part of the table: where it was is asked again, and is no hand."""
    soft = np.asarray(cv2.GaussianBlur(TABLE, (0, 0), 6), np.uint8)
    hand = soft.copy()
    hand[0:80, 100:160] = FOREIGN[0:80, 100:160]
    gate = learned(hand)
    assert gate.look(soft).state is HAND
    states = [gate.look(soft).state for _ in range(20)]
    assert states == [HAND] * 15 + [STILL] * 5
    there = learned(soft)
    assert {there.look(hand).state for _ in range(20)} == {HAND}


def test_a_hand_on_print_as_busy_as_itself_or_busier_is_no_hole() -> None:
    """Print is steep, too, but along an outline as much as across it."""
    plain = TABLE.copy()
    plain[0:60, 100:140] = 110
    for hand in (with_part(100, 0, 40, 60), plain):
        gate = learned()
        assert {gate.look(hand).state for _ in range(20)} == {HAND}


def test_a_white_sheet_over_a_white_boards_edge_is_no_hole() -> None:
    """What differs ends where the board does, and that edge stood out in the background."""
    bare = np.full((HIGH, WIDE), 70, np.uint8)
    bare[30:150, 60:240] = 210
    sheet = bare.copy()
    sheet[90:180, 120:260] = 200
    gate = learned(bare)
    assert {gate.look(sheet).state for _ in range(20)} == {HAND}


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_hole_left_by_a_slanting_arm_is_known(mirrored: bool) -> None:  # noqa: FBT001
    """However it lay: an outline is steep across, whatever its direction."""
    soft = np.full((HIGH, WIDE), 120, np.uint8)
    arm = soft.copy()
    cv2.line(arm, (-20, 140), (140, -20), 145, 20)
    hand, bare = (np.ascontiguousarray(one[:, ::-1] if mirrored else one) for one in (arm, soft))
    gate = learned(hand)
    states = [gate.look(bare).state for _ in range(18)]
    assert (states[0], states[-1]) == (HAND, STILL)
    gate = learned(bare)
    assert {gate.look(hand).state for _ in range(18)} == {HAND}


def test_a_hole_that_is_small_and_faint_is_known() -> None:
    """A fingertip was taken for part of the table: nothing but its outline is asked."""
    bare = np.full((HIGH, WIDE), 120, np.uint8)
    hand = bare.copy()
    hand[0:30, 100:120] = 145
    gate = learned(hand)
    states = [gate.look(bare).state for _ in range(20)]
    assert (states[0], states[-1]) == (HAND, STILL)


def test_what_lies_motionless_is_judged_again_every_eighth_frame() -> None:
    """Slow enough to be no motion, a sleeve is seen to come at the eighth."""
    gate = learned()
    hand = with_part(100, 40, 40, 60)
    lying(gate, hand)
    sleeve = hand.copy()
    sleeve[0:40, 100:140] += np.uint8(7)
    states = [gate.look(sleeve).state for _ in range(8)]
    assert states == [STILL] * 6 + [HAND] * 2


def test_a_part_looks_as_before_as_long_as_it_has_the_settled_tables_pattern() -> None:
    gate = Gate()
    area = Crop(100, 60, 40, 40)
    assert not gate.looks_as_before(area)
    gate.look(TABLE)
    assert not gate.looks_as_before(area)
    gate.learn()
    assert gate.looks_as_before(area)
    gate.look(lit(0.6))
    assert gate.looks_as_before(area), "in the shade it has its pattern"
    gate.look(with_part(100, 60, 40, 40))
    assert not gate.looks_as_before(area)
    assert gate.looks_as_before(Crop(0, 0, 40, 40))


def test_plain_paper_looks_as_before_while_it_stays_plain() -> None:
    """Two patches without a pattern have the same one, whatever their grey."""
    plain = np.full((HIGH, WIDE), 120, np.uint8)
    gate = learned(plain)
    gate.look(np.full((HIGH, WIDE), 90, np.uint8))
    assert gate.looks_as_before(Crop(-20, -20, 60, 60))
    gate.look(TABLE)
    assert not gate.looks_as_before(Crop(-20, -20, 60, 60))


def test_what_lies_beside_a_part_does_not_change_its_look() -> None:
    """A part of 40 pixels and the one it ends in; a white line beyond is not of it."""
    area = Crop(100, 60, 40, 40)
    for beside, within in (
        ((141, 60, 1, 41), (140, 60, 1, 41)),
        ((99, 60, 1, 41), (100, 60, 1, 41)),
        ((100, 101, 41, 1), (100, 100, 41, 1)),
        ((100, 59, 41, 1), (100, 60, 41, 1)),
    ):
        gate = learned()
        gate.look(papered(*beside))
        assert gate.looks_as_before(area)
        gate.look(papered(*within))
        assert not gate.looks_as_before(area)


def test_a_part_at_the_pictures_corner_is_compared_up_to_the_edge() -> None:
    gate = learned()
    for x, y in ((0, 0), (WIDE - 40, HIGH - 40)):
        gate.look(papered(x, y, 40, 1, on=papered(x, y, 1, 40)))
        assert not gate.looks_as_before(Crop(x, y, 40, 40))


def test_what_is_outside_of_the_picture_has_not_changed() -> None:
    """A marker last seen half a hand's breadth beyond the edge; all of the picture is another."""
    gate = learned()
    gate.look(FOREIGN)
    for area in (Crop(-90, 60, 40, 40), Crop(100, -90, 40, 40), Crop(WIDE + 9, HIGH + 9, 40, 40)):
        assert gate.looks_as_before(area)


def larger(picture: GreyImage) -> GreyImage:
    """As a camera has it: four times as wide and high."""
    return np.asarray(cv2.resize(picture, None, fx=4, fy=4), np.uint8)


def grainy(sigma: float, grain_px: float, seed: int) -> Callable[[GreyImage], GreyImage]:
    """Noise of such a sigma whose grains are so wide, another with each picture."""
    rng = np.random.default_rng(seed)

    def add(picture: GreyImage) -> GreyImage:
        field = cv2.GaussianBlur(rng.normal(0, 1, picture.shape), (0, 0), grain_px)
        return np.asarray(np.clip(picture + field * (sigma / field.std()), 0, 255), np.uint8)

    return add


@pytest.mark.parametrize("grain_px", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("seed", [9101, 9102])
def test_a_grainy_picture_comes_to_rest_and_still_shows_what_moves(
    grain_px: float, seed: int
) -> None:
    """The noise is measured: within a second it is no motion, and a card put down still is."""
    large, gate, noisy = larger(TABLE), Gate(), grainy(4.0, grain_px, seed)
    states = [gate.look(noisy(large)).state for _ in range(20)]
    assert set(states[10:]) == {STILL}
    assert not gate.is_too_noisy
    gate.learn()
    card = larger(with_part(150, 80, 24, 30))
    assert gate.look(noisy(card)).state is MOVING
    glance = lying(gate, noisy(card))
    assert len(glance.areas) == 1


def test_grain_that_hides_what_moves_is_told() -> None:
    """Coarse and strong: it is not taken for rest, and the gate says why."""
    large, gate, noisy = larger(TABLE), Gate(), grainy(25.0, 12.0, 5)
    states = [gate.look(noisy(large)).state for _ in range(12)]
    assert set(states) == {MOVING}
    assert gate.is_too_noisy


# --- what lies over the edge and was taken for a part of the table ---

SHEET = (100, 0, 40, 60)


def taken(*parts: tuple[int, int, int, int]) -> tuple[Gate, GreyImage]:
    """A gate that took white sheets for a part of the table, one after another; all it sees."""
    gate, picture = learned(), TABLE
    for part in parts:
        picture = papered(*part, on=picture)
        assert lying(gate, picture).state is HAND
        assert gate.take_for_table()
    return gate, picture


@pytest.mark.parametrize(
    ("part", "hidden"),
    [
        ((100, 0, 40, 60), (98, 0, 44, 62)),
        ((100, 120, 40, 60), (98, 118, 44, 62)),
        ((0, 60, 60, 40), (0, 58, 62, 44)),
        ((260, 60, 60, 40), (258, 58, 62, 44)),
    ],
)
def test_a_sheet_is_a_part_of_the_table_until_it_is_taken_away(
    part: tuple[int, int, int, int], hidden: tuple[int, int, int, int]
) -> None:
    """Then what was beneath is read anew, two pixels more each way, until the table settles."""
    gate, picture = taken(part)
    lies = lying(gate, picture)
    assert (lies.state, lies.areas) == (STILL, ())
    assert gate.over_edge
    assert gate.lies_over
    assert gate.look(TABLE).areas == ()
    away = gate.look(TABLE)
    assert (away.state, away.areas) == (STILL, (Crop(*hidden),))
    assert gate.over_edge
    assert not gate.lies_over
    assert lying(gate, picture).areas == (), "it may come back"
    lying(gate, TABLE)
    gate.learn()
    assert not gate.over_edge
    assert not gate.lies_over
    assert lying(gate, TABLE).areas == ()


def test_only_a_hand_that_was_seen_last_is_taken_for_table() -> None:
    assert not Gate().take_for_table()
    gate = learned()
    assert not gate.take_for_table()
    lying(gate, papered(150, 80, 24, 30))
    assert not gate.take_for_table()
    gate, _ = taken(SHEET)
    assert not gate.take_for_table(), "once is enough"
    assert gate.lies_over
    gate = learned()
    lying(gate, papered(*SHEET))
    lying(gate, TABLE)
    assert not gate.take_for_table(), "it has gone"
    lying(gate, papered(*SHEET))
    gate.forget()
    assert not gate.take_for_table(), "the camera was moved"


def test_what_hides_more_than_half_of_the_picture_is_no_part_of_the_table() -> None:
    """With two pixels about it, 240 of 320 by 120 of 180 are half."""
    for rows, takes in ((118, True), (119, False)):
        gate = learned()
        assert lying(gate, papered(42, 0, 236, rows)).state is HAND
        assert gate.take_for_table() is takes
        assert gate.over_edge is takes


def test_a_card_near_the_edge_beside_a_taken_sheet_is_no_hand() -> None:
    gate, picture = taken(SHEET)
    assert gate.look(papered(200, 10, 40, 60, on=picture)).state is MOVING


def test_a_blot_of_twenty_pixels_on_a_sheet_is_another_sheet() -> None:
    """Fewer are noise: it lies as it lay."""
    for rows in (4, 5):
        gate, picture = taken(SHEET)
        picture[20 : 20 + rows, 110:114] = 0
        gate.look(picture)
        assert gate.lies_over is (rows < 5)
    gate, picture = taken(SHEET)
    picture[20, 110:129] = 0
    gate.look(picture)
    assert gate.lies_over


def test_a_sheet_that_creeps_away_is_a_hand_at_once() -> None:
    """Too slow for motion from frame to frame, and though a card lies there that was judged."""
    gate, picture = taken(SHEET)
    picture = papered(200, 80, 24, 30, on=picture)
    assert lying(gate, picture, 3).state is STILL
    for level, state in ((248, STILL), (241, HAND)):
        picture[0:60, 100:140] = level
        glance = gate.look(picture)
        assert (glance.moved, glance.state) == (False, state)


def test_two_sheets_over_the_edge_are_known_both() -> None:
    """The second is taken for table beside the first; what both hid is read when they are away."""
    gate, picture = taken(SHEET, (0, 60, 60, 40))
    assert lying(gate, picture).areas == ()
    away = lying(gate, TABLE)
    assert (away.state, away.areas) == (STILL, (Crop(0, 0, 142, 102),))
    assert gate.looks_as_before(Crop(*SHEET))
    assert gate.looks_as_before(Crop(0, 60, 60, 40))


def test_a_sheet_laid_where_one_was_before_is_the_only_one() -> None:
    """The first was taken away without the table settling: what it hid is seen, so it is known."""
    gate, _ = taken(SHEET)
    lying(gate, TABLE)
    lying(gate, papered(0, 60, 60, 40))
    assert gate.take_for_table()
    assert lying(gate, TABLE).areas == (Crop(0, 58, 62, 44),)


@pytest.mark.parametrize("lamp", [0.8, 1.2])
def test_the_table_beneath_a_sheet_is_known_in_another_light(lamp: float) -> None:
    """The table settles in it with the sheet; without, nothing but what was hidden is an area."""
    sheet, gate = with_part(*SHEET), learned()
    lying(gate, sheet)
    assert gate.take_for_table()
    lying(gate, np.asarray(cv2.convertScaleAbs(sheet, alpha=lamp), np.uint8))
    assert gate.lies_over
    gate.learn()
    assert gate.lies_over
    away = lying(gate, np.asarray(cv2.convertScaleAbs(TABLE, alpha=lamp), np.uint8))
    assert (away.state, len(away.areas)) == (STILL, 1)
    assert gate.looks_as_before(Crop(*SHEET))


def test_a_sheet_cut_off_at_white_lies_there_in_less_light() -> None:
    """Still white, where all else is darker."""
    gate, picture = taken(SHEET)
    darker = np.asarray(cv2.convertScaleAbs(picture, alpha=0.8), np.uint8)
    lying(gate, papered(*SHEET, on=darker))
    assert gate.lies_over


def test_a_sheets_shadow_is_taken_with_it_and_a_far_one_is_not() -> None:
    for gap, areas in ((4, 0), (5, 1)):
        gate = learned()
        picture = papered(*SHEET, on=lit(0.6, 140 + gap, 60 + gap, 20, 20))
        assert len(lying(gate, picture).areas) == 2
        assert gate.take_for_table()
        assert len(lying(gate, picture).areas) == areas


def test_a_faint_sleeve_is_taken_with_the_hand_and_no_other_faint_part() -> None:
    """What leads a hand to the edge belongs to it; what touches the edge elsewhere does not."""
    picture = papered(100, 40, 40, 60)
    picture[0:40, 100:140] += np.uint8(7)
    picture[0:40, 200:240] += np.uint8(7)
    gate = learned()
    assert lying(gate, picture).state is HAND
    assert gate.take_for_table()
    assert lying(gate, TABLE).areas == (Crop(98, 0, 44, 102),)


def square(x: int, y: int) -> NDArray[np.float64]:
    """A marker's outline from there on, 10 pixels wide."""
    return np.array([(x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)], np.float64)


def test_a_marker_within_seven_pixels_of_a_sheet_may_be_held_by_it() -> None:
    """Or hidden; farther off it is not, nor one beyond the picture."""
    gate, picture = taken(SHEET)
    for x, y in ((110, 20), (146, 20), (83, 20), (110, 66)):
        assert gate.is_touched(square(x, y))
    for x, y in ((147, 20), (82, 20), (110, 67), (-5000, 20), (99_999, 20), (110, 10**12)):
        assert not gate.is_touched(square(x, y))
    gate.look(TABLE)
    assert not gate.is_touched(square(110, 20)), "it has gone"
    gate.look(picture)
    assert gate.is_touched(square(110, 20)), "it is back"


def test_nothing_is_touched_where_nothing_lies_over_the_edge() -> None:
    gate = learned()
    assert not gate.is_touched(square(110, 20))
    lying(gate, papered(*SHEET))
    assert not gate.is_touched(square(110, 20)), "a hand is no sheet"


def test_what_touches_is_told_in_the_pixels_of_the_whole_picture() -> None:
    gate, sheet = Gate(), np.kron(papered(*SHEET), np.ones((3, 3), np.uint8))
    gate.look(np.kron(TABLE, np.ones((3, 3), np.uint8)))
    gate.learn()
    lying(gate, sheet)
    assert gate.take_for_table()
    assert gate.is_touched(square(3 * 146, 60))
    assert not gate.is_touched(square(3 * 147, 60))
