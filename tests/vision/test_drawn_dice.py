"""Dice of every usual colour before drawn cameras, with seeds that nothing was tuned on."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from companion.core.board import Board
from tests.vision.throws import (
    PICTURES,
    PLAIN,
    Arranged,
    Chance,
    Shown,
    board_beside,
    dice_in,
    flat,
    leaning,
    nothing,
    otherwise_made,
    spread,
    stacked,
    tally,
    thrown,
    touching,
    whole,
    wrong_in,
)
from tests.vision.tray import DrawnTray
from vision.boards.lens import Lens
from vision.boards.place import BoardFound, recalled
from vision.dice.memory import DiceMemory
from vision.dice.slant import from_above
from vision.drawing.dice import DIE_MM, DrawnDie, Make
from vision.markers.reading import Crop

LEAST_RIGHT, LEAST_SLANTED, LEAST_TOUCHING, MOST_TOLD = 0.99, 0.8, 0.95, 0.15
"""Of dice that lie apart, of those before a slanted camera and of those that touch, so many are
told; of those in stacks no more."""


# -- the gate's few --------------------------------------------------------------------------------


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("lines", PICTURES)
def test_dice_of_any_usual_colour_are_read(lines: str) -> None:
    """Four to eight on wood, cloth or a tray: none wrong, all but one at most told."""
    counts = tally(range(67_000, 67_003), flat, Shown(lines))
    assert dice_in(counts) >= 12
    assert counts["right"] >= dice_in(counts) - 1
    assert not wrong_in(counts)


@pytest.mark.slow(gate=2)
@pytest.mark.parametrize("seed", [982_442, 1_200_251, 2_112_420, 2_500_666])
def test_what_is_printed_on_a_map_is_no_die(seed: int) -> None:
    """A dot that a map's lines and letters seem to enclose, and places between lines like a 6's."""
    assert not wrong_in(tally(range(seed, seed + 1), nothing, Shown("720p", ("print",))))


def test_a_one_on_a_printed_map_is_read() -> None:
    """Its sides are as bright as the map, but its edges are strong."""
    throw = thrown(1_320_026, flat, Shown("720p", ("print",)))
    assert 1 in [die.value for die in throw.found]
    assert set(throw.verdicts()) <= {"right", "doubt", "doubt where none is"}


def test_dice_are_read_from_a_slanted_camera() -> None:
    """By 20 to 35 degrees, one look: four of five at least."""
    counts = tally(range(67_060, 67_063), flat, Shown("720p", PLAIN, 1, (20.0, 35.0)))
    assert counts["right"] >= LEAST_SLANTED * dice_in(counts)
    assert not wrong_in(counts)


@pytest.mark.parametrize(
    ("seed", "tilt_deg"), [(51_185_119, (20.0, 35.0)), (51_184_119, (10.0, 20.0))]
)
def test_dice_nearer_than_the_board_are_read(seed: int, tilt_deg: tuple[float, float]) -> None:
    """Right below a slanted camera they are seen from above, and a fifth larger than beside it."""
    counts = tally(range(seed, seed + 1), flat, Shown("720p", PLAIN, 1, tilt_deg))
    assert counts["right"] == dice_in(counts) == 8


@pytest.mark.parametrize("seed", [51_185_042, 51_185_106])
def test_pips_of_a_face_and_of_a_side_of_its_die_raise_no_doubt(seed: int) -> None:
    """One light pip of a green 3, or a blue 5, and one of its side lie like those of a small 2."""
    counts = tally(range(seed, seed + 1), flat, Shown("720p", PLAIN, 1, (20.0, 35.0)))
    assert counts["right"] == dice_in(counts)


@pytest.mark.parametrize("seed", [51_185_048, 51_185_066])
def test_the_pip_of_a_1_and_one_of_its_side_are_no_2(seed: int) -> None:
    """They are as far apart as those of a 2, but less like its picture than the 1 is like a 1's."""
    counts = tally(range(seed, seed + 1), flat, Shown("720p", PLAIN, 1, (20.0, 35.0)))
    assert counts["right"] == dice_in(counts)


def test_the_pip_of_a_leaning_1_and_one_of_its_side_are_no_2() -> None:
    """A black 1 before a slanted camera: the pip of its side is fainter, and none strays."""
    shown = Shown("720p", PLAIN, 1, (15.0, 35.0))
    assert not wrong_in(tally(range(54_700_049, 54_700_050), leaning(10.0, 35.0), shown))


def test_a_1_and_a_pip_of_the_4_below_it_are_no_2() -> None:
    """Both black on dark cloth: no straight edges enclose what would be the 2."""
    shown = Shown("720p", PLAIN, 1, (15.0, 35.0))
    assert not wrong_in(tally(range(59_000_011, 59_000_012), stacked, shown))


def test_what_is_seen_of_two_dice_at_one_place_is_the_upper_one() -> None:
    """A black 2 right above a yellow 1, before a camera that hangs straight: a 2 is right."""
    throw = thrown(73_100_017, stacked, Shown("720p", frames=1))
    yellow, black = throw.dice[4], throw.dice[5]
    assert (yellow.value, black.value) == (1, 2)
    assert black.lift_mm > yellow.lift_mm
    assert throw.verdicts()[-2:] == ["missed", "right"]


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("off_deg", [-5.0, 0.0, 5.0])
def test_dice_are_read_with_no_board_where_the_tilt_is_told(off_deg: float) -> None:
    """It need not be exact; dice that are cocked or lie on others are in doubt."""
    shown = Shown("720p", PLAIN, 1, (10.0, 35.0), told_off_deg=off_deg)
    counts = tally(range(56_050_000, 56_050_003), flat, shown)
    assert counts["right"] >= LEAST_SLANTED * dice_in(counts)
    assert not wrong_in(counts)
    for arranged in (leaning(5.0, 35.0), stacked):
        assert not wrong_in(tally(range(56_060_000, 56_060_002), arranged, shown))


UNTOLD = Shown("720p", PLAIN, 1, (10.0, 35.0), untold=True)


@pytest.mark.slow(gate=1)
def test_slanted_dice_are_read_with_no_board_where_nothing_is_told() -> None:
    """Views as from cameras of several tilts agree; pips alone tell fewer."""
    counts = tally(range(71_000_000, 71_000_002), flat, UNTOLD)
    assert counts["right"] >= LEAST_SLANTED * dice_in(counts)
    assert not wrong_in(counts)


@pytest.mark.slow
@pytest.mark.parametrize("tilt_deg", [None, (10.0, 35.0)])
def test_dots_of_a_map_are_no_dice_where_nothing_is_told(
    tilt_deg: tuple[float, float] | None,
) -> None:
    """Of pips alone some eight are made up on a map."""
    shown = replace(UNTOLD, grounds=("print",), tilt_deg=tilt_deg)
    assert not wrong_in(tally(range(71_012_000, 71_012_002), nothing, shown))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "tilt_deg"),
    [
        (81_006_001, (10.0, 35.0)), (81_506_008, (10.0, 35.0)), (71_060_012, (10.0, 35.0)),
        (72_050_010, None),
    ],
)  # fmt: skip
def test_no_die_of_a_stack_is_told_wrongly_where_nothing_is_told(
    seed: int, tilt_deg: tuple[float, float] | None
) -> None:
    """Pips of two sides made a 2 where none lies, a corner a 1, one pip of a 2 a 1, half a 6 a 3.

    What pips alone tell counts if it ends as a die does, and no other may hide more of it.
    """
    shown = replace(UNTOLD, tilt_deg=tilt_deg)
    assert not wrong_in(tally(range(seed, seed + 1), stacked, shown))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "arranged"),
    [
        (91_040_016, leaning(5.0, 35.0)),
        (91_020_020, otherwise_made()),
    ],
)
def test_a_side_of_a_die_is_none_where_nothing_is_told(seed: int, arranged: Arranged) -> None:
    """Pips alone told a 1 of a leaning 3, and a 2 on a side of a 6: views saw those dice there."""
    assert not wrong_in(tally(range(seed, seed + 1), arranged, UNTOLD))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101_030_023, 102_030_010, 102_030_041])
def test_a_side_of_a_die_that_leans_far_is_none_where_nothing_is_told(seed: int) -> None:
    """Pips alone told faces too narrow for a die; and views a 1 and, on its side, a 3."""
    shown = Shown("720p", PLAIN, 1, untold=True)
    assert not wrong_in(tally(range(seed, seed + 1), leaning(5.0, 45.0), shown))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "tilt_deg", "most_deg"),
    [
        (101_030_123, None, 45.0), (101_040_114, (10.0, 35.0), 35.0),
        (101_040_133, (10.0, 35.0), 35.0), (101_040_142, (10.0, 35.0), 35.0),
        (103_230_011, None, 45.0),
    ],
)  # fmt: skip
def test_a_side_whose_foot_is_that_of_no_flat_die_is_none_where_nothing_is_told(
    seed: int, tilt_deg: tuple[float, float] | None, most_deg: float
) -> None:
    """Pips alone told the sides that five dice showed most, which leant by 29 to 43 degrees.

    Of the last the side has the ground's colour: only the outline of its upper face is seen.
    """
    shown = replace(UNTOLD, tilt_deg=tilt_deg)
    assert not wrong_in(tally(range(seed, seed + 1), leaning(5.0, most_deg), shown))


@pytest.mark.slow
def test_the_narrow_pips_of_an_upper_5_are_none_of_a_1_below_it() -> None:
    """Seen at 67 degrees they are fainter than the pip of that side, which views told, but deep."""
    seeds = range(103_510_081, 103_510_082)
    assert not wrong_in(tally(seeds, leaning(5.0, 35.0), UNTOLD))


@pytest.mark.parametrize("least", [0.7, 1.1])
def test_dice_are_read_whose_pips_lie_otherwise(least: float) -> None:
    """Close together or near the edges, as on many real dice: then their edges tell their size."""
    counts = tally(range(67_090, 67_092), spread(least, least + 0.15), Shown("720p", frames=1))
    assert counts["right"] >= 0.8 * dice_in(counts)
    assert not wrong_in(counts)


@pytest.mark.parametrize(
    ("value", "make"),
    [(1, Make(one=1.9)), (2, Make(0.8, along=True)), (3, Make(1.1, along=True)), (3, Make(0.75))],
    ids=["wide 1", "2 along its edges", "3 along its edges", "close 3"],
)
def test_dice_of_other_makes_are_read(value: int, make: Make) -> None:
    """Each lies alone, so that no other die tells how it is made: its edges do."""

    def alone(tray: DrawnTray, chance: Chance) -> list[DrawnDie]:
        return [DrawnDie(value, "white", *tray.middle_mm, float(chance.uniform(0, 90)), make=make)]

    assert tally(range(67_120, 67_124), alone, Shown("720p", frames=1)) == {"right": 4}


def test_dice_of_other_makes_that_lean_are_in_doubt() -> None:
    """Two pips of two faces of one that leans lie like those of a 2."""
    seeds = range(28_170_050, 28_170_051)
    assert not wrong_in(
        tally(seeds, spread(0.7, 1.25, leaning(15.0, 45.0)), Shown("720p", frames=1))
    )
    cocked = otherwise_made(leaning(5.0, 35.0))
    assert not wrong_in(tally(range(67_130, 67_133), cocked, Shown("720p", PLAIN, 1, (10.0, 35.0))))


def test_a_3_along_its_edges_and_a_side_are_no_6() -> None:
    """The two pips of a side, and what is between them, lie like the other row of a wide 6."""
    shown = Shown("720p", ("print",))
    assert not wrong_in(tally(range(28_500_023, 28_500_024), otherwise_made(), shown))


SIDES_AS_FACES = {
    420_007: stacked, 430_002: stacked, 480_012: stacked, 440_001: leaning(10.0, 35.0),
    520_004: leaning(10.0, 35.0),
}  # fmt: skip


@pytest.mark.parametrize("seed", SIDES_AS_FACES)
def test_what_is_seen_of_a_die_is_no_face(seed: int) -> None:
    """Of a 4 beneath a 6 two pips, of a 3 beneath a 1 one and one of a side; a side of a 1.

    And a side that is seen more flatly than by 45 degrees.
    """
    shown = Shown("720p", PLAIN, 1, (15.0, 35.0))
    assert not wrong_in(tally(range(seed, seed + 1), SIDES_AS_FACES[seed], shown))


def test_what_is_seen_of_a_6_beneath_a_5_is_no_2() -> None:
    """It seems to lie beside the 5, and to touch it."""
    assert not wrong_in(
        tally(range(520_013, 520_014), stacked, Shown("720p", PLAIN, 3, (15.0, 35.0)))
    )


@pytest.mark.parametrize("seed", [540_005, 560_029])
def test_a_side_below_a_die_that_hides_its_upper_face_is_no_die(seed: int) -> None:
    """It is nearly square, and has four pips; or five, and another die lies where it ends."""
    assert not wrong_in(
        tally(range(seed, seed + 1), stacked, Shown("720p", PLAIN, 3, (15.0, 35.0)))
    )


def test_the_corner_of_a_die_is_no_pip_of_another() -> None:
    """It is as bright as white pips are, and of another colour; or no spot at all."""
    shown = Shown("720p", PLAIN, 3, (15.0, 35.0))
    assert not wrong_in(tally(range(800_018, 800_019), stacked, shown))


def test_a_pip_in_the_corner_of_a_2_beneath_another_die_is_no_1() -> None:
    """Its edges seem to enclose it, but round it there is more than its own face."""
    assert not wrong_in(tally(range(5_200_071, 5_200_072), stacked, Shown("720p")))


def test_a_pip_of_a_4_that_one_of_the_die_above_touches_is_no_1() -> None:
    """Both dice are red: no colour parts them, and edges seem to enclose what is seen of the 4."""
    assert not wrong_in(tally(range(8_230_018, 8_230_019), stacked, Shown("720p")))


def test_the_pip_of_a_1_and_a_patch_of_the_die_below_are_no_2() -> None:
    """A corner of a white 3 is cut by its pip and the green 1 upon it, and as bright as a pip."""
    shown = Shown("720p", PLAIN, 3, (15.0, 35.0))
    assert not wrong_in(tally(range(5_140_000, 5_140_001), stacked, shown))


def test_the_pip_of_a_1_and_a_dot_of_a_map_are_no_2() -> None:
    """They are as far apart, and the map is about as bright as the die."""
    counts = tally(range(5_320_027, 5_320_028), flat, Shown("720p", ("print",)))
    assert not wrong_in(counts)
    assert counts["right"] == dice_in(counts) - 1


def test_the_gaps_between_five_light_pips_are_no_4() -> None:
    """A blue 5 whose pips lie close together, not sharp: dark shows between them."""
    close = spread(0.7, 1.25)
    assert not wrong_in(
        tally(range(570_004, 570_005), close, Shown("720p", PLAIN, 1, (15.0, 35.0)))
    )


def test_pips_of_three_sides_are_no_2() -> None:
    """A black 1 on its corner: the third pip is as strong as the two, so on no side of a flat 2."""
    cocked = spread(0.7, 1.25, leaning(15.0, 45.0))
    assert not wrong_in(tally(range(700_002, 700_003), cocked, Shown("720p", frames=1)))


def test_pips_of_two_colours_are_no_2() -> None:
    """A black 1 upon a red 4, one pip of which shows as far away as that of a 2 would be.

    And one upon a green 6, in less light and before a slanted camera.
    """
    assert not wrong_in(tally(range(520_027, 520_028), stacked, Shown("720p", frames=1)))
    slanted = Shown("720p", PLAIN, 1, (15.0, 35.0))
    assert not wrong_in(tally(range(760_016, 760_017), stacked, slanted))


def test_the_middle_of_four_light_pips_is_no_1() -> None:
    """A red 4 that leans: the smaller of two 1s that its face may show, in doubt as the 4."""
    cocked = spread(0.7, 1.25, leaning(15.0, 45.0))
    assert not wrong_in(tally(range(480_016, 480_017), cocked, Shown("720p", frames=1)))


def test_dice_are_read_on_white_paper() -> None:
    """One look."""
    counts = tally(range(67_070, 67_071), flat, Shown("720p", ("white",), 1))
    assert counts["right"] >= dice_in(counts) - 1
    assert not wrong_in(counts)


def test_paper_between_two_dark_dice_is_no_die() -> None:
    """Light shows in the two gaps beside where their corners meet, like the pips of a 2."""
    assert not wrong_in(tally(range(83_005, 83_006), flat, Shown("720p", ("white",), 1)))


@pytest.mark.parametrize("seed", [95_090, 95_107])
def test_a_side_as_large_as_a_face_is_no_die(seed: int) -> None:
    """Before a camera that looks down at 45 degrees: a 4 beside a 6, and a 1 beside a 5.

    From there on the dice themselves are in doubt, too: which of two faces is the upper one?
    """
    counts = tally(range(seed, seed + 1), flat, Shown("720p", PLAIN, 1, (20.0, 35.0)))
    assert not wrong_in(counts)
    assert counts["right"] + counts["doubt"] >= dice_in(counts) - 1
    assert not counts["doubt where none is"]


def test_a_1_and_a_pip_on_its_side_are_no_2() -> None:
    """On over-exposed paper no edge shows between them: its likeness to a 1 makes a doubt."""
    counts = tally(range(92_092, 92_093), flat, Shown("720p", ("white",), 1, light=1.5))
    assert counts["doubt"] == 1
    assert counts["right"] == dice_in(counts) - 1
    assert not wrong_in(counts)


@pytest.mark.parametrize(("tilt_deg", "is_too_flat"), [(30, False), (50, False), (70, True)])
def test_no_part_is_stretched_without_end(*, tilt_deg: float, is_too_flat: bool) -> None:
    """Where the camera looks along the table, or over its horizon, nothing is read."""
    lens = Lens((1280, 720), (900.0, 900.0), (639.5, 359.5), (0.0, 0.0, 0.0, 0.0, 0.0))
    tilt = math.radians(tilt_deg)
    way = np.array([(1, 0, 0), (0, math.cos(tilt), math.sin(tilt))])
    corners_mm = np.array([(-150, -100), (150, -100), (150, 100), (-150, 100)], np.float64)
    solid = corners_mm @ way + (0.0, 80.0, 700.0)
    a, b, c, d = map(tuple, (900 * solid[:, :2] / solid[:, 2:] + (639.5, 359.5)).tolist())
    board = Board("Tilted", "", (300.0, 200.0), (), (0.0, 0.0))
    place = recalled(board, lens, BoardFound((a, b, c, d), 4, 0.1))
    assert place is not None
    far = from_above(place, (100, 400, 500, 700), 16.0)
    assert far is not None
    assert far.is_too_flat == is_too_flat


def test_a_die_that_leans_vouches_for_no_neighbour() -> None:
    """A narrow side of a leaning 6 lay just where a pip told that the 1 beside it leans, too."""
    counts = tally(range(130_013, 130_014), leaning(30.0, 45.0), Shown("720p", frames=1))
    assert counts["doubt"] == dice_in(counts) == 7
    assert not wrong_in(counts)


@pytest.mark.parametrize("seed", [210_053, 210_034])
def test_a_fainter_die_beside_a_white_one_is_no_side_of_it(seed: int) -> None:
    """A yellow 2 and a green 1 have less contrast, and lie as far away as a die does."""
    counts = tally(range(seed, seed + 1), touching, Shown("720p", frames=1))
    assert counts["right"] == dice_in(counts)


@pytest.mark.parametrize("seed", [5_100_020, 5_100_062])
def test_a_pip_of_a_2_takes_no_neighbours_place(seed: int) -> None:
    """Taken for a 1, it had the fainter die beside it for a side of its own."""
    counts = tally(range(seed, seed + 1), touching, Shown("720p", frames=1))
    assert counts["right"] == dice_in(counts)


@pytest.mark.parametrize("seed", [5_100_007, 5_100_044])
def test_a_square_face_beside_others_is_no_low_side_of_a_die(seed: int) -> None:
    """A neighbour hides its own sides, or the ground has their colour; but edges enclose it."""
    counts = tally(range(seed, seed + 1), touching, Shown("720p", frames=1))
    assert counts["right"] == dice_in(counts)


@pytest.mark.parametrize("seed", [87_009, 87_026])
def test_a_dot_of_a_map_is_no_die(seed: int) -> None:
    """Letters and borders lie beside it, but no straight edges of one kind enclose it."""
    assert not wrong_in(tally(range(seed, seed + 1), nothing, Shown("720p", ("print",), 1)))


def test_two_dice_beside_a_dot_of_a_map_make_no_die_of_it() -> None:
    """They may cover the upper face of a die; but nothing shows where its sides would be."""
    assert not wrong_in(tally(range(286_016, 286_017), flat, Shown("720p", ("print",), 1)))


def test_dice_that_touch_are_read_or_in_doubt() -> None:
    """No pip is given to the wrong die, and many are told."""
    counts = tally(range(67_010, 67_016), touching, Shown("720p"))
    assert counts["right"] > dice_in(counts) / 2
    assert not wrong_in(counts)


@pytest.mark.slow(gate=1)
def test_spots_on_a_neighbour_that_was_read_are_its_own() -> None:
    """The gaps between the light pips of a 6 are like dark ones beside a yellow 5 and 6."""
    counts = tally(range(96_015, 96_016), touching, Shown("720p"))
    assert counts["right"] == dice_in(counts) == 4
    assert not wrong_in(counts)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("least_deg", [15.0, 30.0])
def test_a_cocked_die_is_not_read_by_the_face_it_turns_to_the_camera(least_deg: float) -> None:
    """From 15 to 45 degrees: its value or doubt, and doubt for more than half."""
    counts = tally(range(67_030, 67_033), leaning(least_deg, least_deg + 15.0), Shown("720p"))
    assert counts["doubt"] > dice_in(counts) / 2
    assert not wrong_in(counts)


def test_dice_on_dice_raise_doubts() -> None:
    """Stacks: nothing wrong is told, and most upper dice are doubted, not told."""
    counts = tally(range(67_040, 67_046), stacked, Shown("720p"))
    assert counts["doubt"] > counts["right"]
    assert not wrong_in(counts)


@pytest.mark.parametrize("seed", [98_007_020, 98_007_040, 98_007_051])
def test_what_is_seen_beyond_a_die_of_the_one_beneath_raises_a_doubt(seed: int) -> None:
    """It begins further off than a side, and shows on no print; each upper die was told before."""
    counts = tally(range(seed, seed + 1), stacked, Shown("720p", frames=1))
    assert not counts["right"]
    assert counts["doubt"] >= 3
    assert not wrong_in(counts)


def test_a_roll_is_told_after_two_looks_that_agree() -> None:
    """At 720 lines a little is read with each frame: of six dice in three seconds."""
    chance, shown = np.random.default_rng(67_009), Shown("720p")
    tray = shown.tray(67_009, chance)
    dice, memory, size_px = flat(tray, chance), DiceMemory(DIE_MM), PICTURES["720p"][0]
    still, place = tray.still(dice), board_beside(tray, chance)
    rows, columns = still.colour.shape[:2]
    changed = Crop(still.left + 60, still.top + 60, columns - 120, rows - 120)
    for number in range(60):
        frame = whole(tray.taken(still), size_px, number)
        if not number:
            memory.look_for(frame, [place], [changed], since=0.0)
        memory.work(frame, [place], [])
        if not memory.busy:
            break
    assert not memory.busy
    assert sorted(value or 0 for value in memory.values) == sorted(die.value for die in dice)


def test_a_bare_ground_shows_no_dice() -> None:
    assert not wrong_in(tally(range(67_050, 67_056), nothing, Shown("720p", (*PLAIN, "print"))))


# -- the long ones ---------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("lines", PICTURES)
def test_two_thousand_dice_are_read(lines: str) -> None:
    """Nearly all right (see vision/README.md), at most one of a thousand silently wrong."""
    counts = tally(range(68_000, 68_350), flat, Shown(lines))
    assert dice_in(counts) >= 1_500
    assert counts["right"] >= LEAST_RIGHT * dice_in(counts)
    assert wrong_in(counts) <= 0.001 * dice_in(counts)


@pytest.mark.soak
@pytest.mark.parametrize("arranged", [flat, leaning(10.0, 35.0), stacked, touching])
def test_hundreds_of_dice_before_slanted_cameras(arranged: Arranged) -> None:
    """None is silently wrong; of those that lie flat and apart most are told."""
    counts = tally(range(74_000, 74_150), arranged, Shown("720p", PLAIN, 3, (15.0, 35.0)))
    assert wrong_in(counts) <= 0.002 * dice_in(counts)
    if arranged is flat:
        assert counts["right"] >= LEAST_SLANTED * dice_in(counts)


@pytest.mark.soak
@pytest.mark.parametrize("lines", PICTURES)
@pytest.mark.parametrize("least_deg", [5.0, 15.0, 30.0])
def test_a_thousand_cocked_dice_are_right_or_in_doubt(lines: str, least_deg: float) -> None:
    """At most one of a thousand is silently wrong, at any lean."""
    counts = tally(range(69_000, 69_180), leaning(least_deg, least_deg + 15.0), Shown(lines))
    assert dice_in(counts) >= 1_000
    assert wrong_in(counts) <= 0.001 * dice_in(counts)


@pytest.mark.soak
@pytest.mark.parametrize("lines", PICTURES)
def test_hundreds_of_touching_dice_are_right_or_in_doubt(lines: str) -> None:
    counts = tally(range(70_000, 70_170), touching, Shown(lines))
    assert dice_in(counts) >= 400
    assert counts["right"] >= LEAST_TOUCHING * dice_in(counts)
    assert wrong_in(counts) <= 0.002 * dice_in(counts)


@pytest.mark.soak
@pytest.mark.parametrize("lines", PICTURES)
def test_hundreds_of_stacks_are_doubted(lines: str) -> None:
    """Where the lower die hardly shows the upper is read, and rightly: a die is then missing."""
    counts = tally(range(71_000, 71_100), stacked, Shown(lines))
    assert counts["right"] <= MOST_TOLD * dice_in(counts)
    assert wrong_in(counts) <= 0.002 * dice_in(counts)


@pytest.mark.soak
@pytest.mark.parametrize("lines", PICTURES)
def test_five_hundred_bare_grounds_show_no_dice(lines: str) -> None:
    assert not wrong_in(tally(range(72_000, 72_500), nothing, Shown(lines)))


@pytest.mark.soak
@pytest.mark.parametrize("lines", PICTURES)
def test_dice_on_a_printed_map_are_right_or_in_doubt(lines: str) -> None:
    """A map that is no board of the plan, with dots like pips."""
    counts = tally(range(73_000, 73_100), flat, Shown(lines, ("print",)))
    assert wrong_in(counts) <= 0.002 * dice_in(counts)
