"""Dice thrown before drawn cameras, and what is read of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.board import Board, PointMm
from tests.vision.tray import DrawnTray, Window
from vision.boards.lens import Lens
from vision.boards.place import BoardFound, BoardPlace, recalled
from vision.camera.frame import Frame
from vision.dice.dice import DieSeen
from vision.dice.memory import DiceMemory
from vision.drawing.dice import COLOURS, DIE_MM, DrawnDie, Make
from vision.drawing.optics import Optics
from vision.markers.reading import Crop
from vision.see import dice_of_width

PICTURES: dict[str, tuple[tuple[int, int], tuple[PointMm, ...]]] = {
    "720p": ((1280, 720), ((520.0, 540.0), (480.0, 500.0))),
    "1080p": ((1920, 1080), ((560.0, 600.0), (800.0, 860.0))),
}
"""A camera's lines, and tables that it sees at 1.2 px/mm or more: a die is 19 px wide at least."""
FRAMES = 3
UPPER_FAR_DEG = 180.0
PLAIN = ("wood", "felt", "tray")
SLANTED = 0.8
"""A slanted camera hangs so much nearer that a die is as large in the picture."""
BUNCH_MM = 62.0
CLEAR_MM = 1.0
MAKES = ((0.75, 1.0), (0.65, 1.0), (1.2, 2.0))
"""How far apart the pips of other makes lie, the rows of a 6, and how wide the pip of a 1 is."""
SEEN_MM = 72.0
"""So near to the middle of a throw a die is in the part of the picture that is read."""
HIDDEN = 0.1
"""A die whose upper face is seen so near to that of a die above it, in sides, is hidden by it."""

Chance = np.random.Generator
Arranged = Callable[[DrawnTray, Chance], list[DrawnDie]]


# -- how dice lie --------------------------------------------------------------------------------


def strewn(tray: DrawnTray, chance: Chance, count: int, room_mm: float) -> list[DrawnDie]:
    """So many dice that lie anywhere near the middle, this far apart."""
    colours, dice = [str(colour) for colour in chance.permutation(list(COLOURS))], list[DrawnDie]()
    while len(dice) < count:
        off, way = BUNCH_MM * math.sqrt(chance.uniform()), float(chance.uniform(0, 2 * math.pi))
        x, y = tray.middle_mm[0] + off * math.cos(way), tray.middle_mm[1] + off * math.sin(way)
        if all(math.dist((x, y), (die.x_mm, die.y_mm)) >= room_mm for die in dice):
            colour, turn_deg = colours[len(dice) % len(colours)], float(chance.uniform(0, 90))
            dice.append(DrawnDie(int(chance.integers(1, 7)), colour, x, y, turn_deg))
    return dice


def flat(tray: DrawnTray, chance: Chance) -> list[DrawnDie]:
    """Four to eight that do not touch."""
    return strewn(tray, chance, int(chance.integers(4, 9)), DIE_MM * math.sqrt(2) + CLEAR_MM)


def leaning(least_deg: float, most_deg: float) -> Arranged:
    """Cocked by so much, towards anywhere."""

    def lean(tray: DrawnTray, chance: Chance) -> list[DrawnDie]:
        return [
            replace(
                die,
                lean_deg=float(chance.uniform(least_deg, most_deg)),
                lean_way_deg=float(chance.uniform(0, 360)),
            )
            for die in flat(tray, chance)
        ]

    return lean


def spread(least: float, most: float, arranged: Arranged = flat) -> Arranged:
    """The same with dice whose pips lie so many times as far apart as is usual."""

    def otherwise(tray: DrawnTray, chance: Chance) -> list[DrawnDie]:
        dice = arranged(tray, chance)
        return [replace(die, make=Make(float(chance.uniform(least, most)))) for die in dice]

    return otherwise


def otherwise_made(arranged: Arranged = flat) -> Arranged:
    """The same with dice of one other make: close pips, a wide 1, a 2 and a 3 along the edges."""

    def other_make(tray: DrawnTray, chance: Chance) -> list[DrawnDie]:
        dice = arranged(tray, chance)
        spread_, rows, one = (float(chance.uniform(*ends)) for ends in MAKES)
        make = Make(spread_, rows, bool(chance.integers(2)), one)
        return [replace(die, make=make) for die in dice]

    return other_make


def stacked(tray: DrawnTray, chance: Chance) -> list[DrawnDie]:
    """Three dice; on each lies another that leaves little or much of it in sight."""
    dice = list[DrawnDie]()
    for die in strewn(tray, chance, 3, 34.0):
        way, off = float(chance.uniform(0, 2 * math.pi)), float(chance.uniform(1.0, 9.0))
        x, y = die.x_mm + off * math.cos(way), die.y_mm + off * math.sin(way)
        dice += [die, replace(other(die, x, y, chance), lift_mm=DIE_MM)]
    return dice


def touching(tray: DrawnTray, chance: Chance) -> list[DrawnDie]:
    """Two to four side by side, less than a millimetre between them."""
    group = strewn(tray, chance, 1, DIE_MM)
    first, quarter = group[0], float(chance.integers(4)) * math.pi / 2
    for at in range(int(chance.integers(1, 4))):
        last, gap = group[-1], DIE_MM + float(chance.uniform(0.0, 0.8))
        way = math.radians(first.turn_deg) + quarter + (math.pi / 2 if at % 2 else 0.0)
        slid = float(chance.uniform(-6.0, 6.0)) if not at else float(chance.uniform(-1.0, 1.0))
        x = last.x_mm + gap * math.cos(way) - slid * math.sin(way)
        y = last.y_mm + gap * math.sin(way) + slid * math.cos(way)
        apart = all(math.dist((x, y), (die.x_mm, die.y_mm)) >= DIE_MM for die in group)
        if apart and math.dist((x, y), tray.middle_mm) < SEEN_MM:
            group.append(replace(other(first, x, y, chance), turn_deg=first.turn_deg))
    return group


def other(die: DrawnDie, x_mm: float, y_mm: float, chance: Chance) -> DrawnDie:
    """A die of any value and colour elsewhere."""
    value, colour = int(chance.integers(1, 7)), str(chance.choice(list(COLOURS)))
    turn_deg = float(chance.uniform(0, 90))
    return replace(die, value=value, colour=colour, x_mm=x_mm, y_mm=y_mm, turn_deg=turn_deg)


def nothing(tray: DrawnTray, chance: Chance) -> list[DrawnDie]:
    return []


# -- what is read of them ------------------------------------------------------------------------


@dataclass(frozen=True)
class Thrown:
    """Dice on a ground, and what three frames of them told; places in the whole picture."""

    tray: DrawnTray
    dice: Sequence[DrawnDie]
    found: Sequence[DieSeen]

    def verdicts(self) -> list[str]:
        """A verdict for each die, and one for each that was found where none lies."""
        told: dict[int, set[int | None]] = {at: set() for at in range(len(self.dice))}
        strange = list[str]()
        for one in self.found:
            near = [at for at in told if self.apart_px(one, at) < 0.6 * one.side_px]
            if near:
                told[self._of(one, near)].add(one.value)
            else:
                strange.append("made up" if one.value else "doubt where none is")
        return [*strange, *(verdict(self.dice[at].value, told[at]) for at in told)]

    def _of(self, one: DieSeen, near: Sequence[int]) -> int:
        """Which of some dice was seen: the nearest, or the one right above it that hides it."""
        least = min(self.apart_px(one, at) for at in near) + HIDDEN * one.side_px
        there = [at for at in near if self.apart_px(one, at) <= least]
        return max(there, key=lambda at: (self.dice[at].lift_mm, -self.apart_px(one, at)))

    def apart_px(self, one: DieSeen, at: int) -> float:
        die = self.dice[at]
        spot = self.tray.optics.to_px([(die.x_mm, die.y_mm)], DIE_MM + die.lift_mm)[0]
        return math.dist(one.centre_px, spot)


def verdict(value: int, told: set[int | None]) -> str:
    sure = told - {None}
    if sure:
        return "right" if sure == {value} else "wrong"
    return "doubt" if told else "missed"


@dataclass(frozen=True)
class Shown:
    """Before which camera dice lie, on which grounds, in how much light, and how often it looks.

    It is tilted by `tilt_deg`, or else as people hang one straight; in more `light` than 1 what is
    white is over-exposed. With `told_off_deg` no board is in sight: the picture's upper edge is the
    far one, and by how much the camera is tilted is told, so far from the truth; or it is `untold`.
    """

    lines: str = "720p"
    grounds: Sequence[str] = PLAIN
    frames: int = FRAMES
    tilt_deg: tuple[float, float] | None = None
    light: float = 1.0
    told_off_deg: float | None = None
    untold: bool = False

    @property
    def has_board(self) -> bool:
        """Whether a board in sight tells how the camera stands."""
        return self.told_off_deg is None and not self.untold

    def tray(self, seed: int, chance: Chance) -> DrawnTray:
        size_px, tables = PICTURES[self.lines]
        ground = self.grounds[seed % len(self.grounds)]
        table_mm = tables[int(chance.integers(len(tables)))]
        if self.tilt_deg is None:
            return DrawnTray(table_mm, size_px, ground, chance, light=self.light)
        tilt_deg = float(chance.uniform(*self.tilt_deg))
        near_mm = (SLANTED * table_mm[0], SLANTED * table_mm[1])
        towards_deg = None if self.has_board else UPPER_FAR_DEG
        return DrawnTray(
            near_mm, size_px, ground, chance,
            tilt_deg=tilt_deg, towards_deg=towards_deg, light=self.light,
        )  # fmt: skip


def thrown(seed: int, arranged: Arranged, shown: Shown) -> Thrown:
    """One throw before one camera, read as often as is said; the tracker reads three times."""
    chance = np.random.default_rng([seed, *shown.lines.encode()])
    size_px, _ = PICTURES[shown.lines]
    tray = shown.tray(seed, chance)
    dice, memory = arranged(tray, chance), DiceMemory(DIE_MM)
    still = tray.still(dice)
    if not shown.has_board:
        die_px, tilt_deg = how_it_hangs(tray.optics)
        frame = whole(tray.taken(still), size_px, 0)
        told_deg = None if shown.told_off_deg is None else tilt_deg + shown.told_off_deg
        return Thrown(tray, dice, dice_of_width(frame, die_px, told_deg))
    place = board_beside(tray, chance)
    for number in range(shown.frames):
        window = tray.taken(still)
        frame = whole(window, size_px, number)
        rows, columns = window.grey.shape
        inner = Crop(window.left + 40, window.top + 40, columns - 80, rows - 80)
        memory.read(frame, [place], [], [inner])
    return Thrown(tray, dice, memory.dice)


def how_it_hangs(optics: Optics) -> tuple[float, float]:
    """What people measure where no board is in sight: a die's width px, and the tilt, degrees."""
    middle_px = (np.array(optics.size_px) - 1.0) / 2
    (middle,) = optics.to_table_mm(middle_px[None], DIE_MM)
    ends = optics.to_px(middle + np.array([(-DIE_MM / 2, 0.0), (DIE_MM / 2, 0.0)]), DIE_MM)
    return math.dist(*ends), math.degrees(math.acos(optics.rotation[2, 2]))


def whole(window: Window, size_px: tuple[int, int], number: int) -> Frame:
    """A frame that is plain but for one part."""
    colour = np.full((size_px[1], size_px[0], 3), 100, np.uint8)
    rows, columns = window.grey.shape
    colour[window.top : window.top + rows, window.left : window.left + columns] = window.colour
    grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    return Frame(grey, number / 20.0, number, colour)


def board_beside(tray: DrawnTray, chance: Chance) -> BoardPlace:
    """A board beside the throw, its corners found to a tenth of a pixel: it tells the scale."""
    optics, (x, _) = tray.optics, tray.middle_mm
    width, height = optics.size_px
    rim = optics.to_table_mm(np.array([(0.0, height / 2), (width - 1.0, height / 2)]))[:, 0]
    ends = optics.to_table_mm(np.array([(width / 2, 0.0), (width / 2, height - 1.0)]))[:, 1]
    right = rim[1] - x > x - rim[0]
    left_mm, right_mm = (x + 125.0, rim[1] - 10.0) if right else (rim[0] + 10.0, x - 125.0)
    top_mm, low_mm = ends[0] + 20.0, ends[1] - 20.0
    corners = [(left_mm, top_mm), (right_mm, top_mm), (right_mm, low_mm), (left_mm, low_mm)]
    first, second, third, fourth = (
        (float(px), float(py)) for px, py in optics.to_px(corners) + chance.normal(0, 0.1, (4, 2))
    )
    (fx, _, cx), (_, fy, cy), _ = optics.matrix.tolist()
    lens = Lens(optics.size_px, (fx, fy), (cx, cy), (optics.k1, optics.k2, 0.0, 0.0, 0.0))
    size_mm = (float(right_mm - left_mm), float(low_mm - top_mm))
    board = Board("Beside", "", size_mm, (), (0.0, 0.0))
    place = recalled(board, lens, BoardFound((first, second, third, fourth), 4, 0.1))
    assert place is not None
    return place


def tally(seeds: range, arranged: Arranged, shown: Shown) -> Counter[str]:
    """The verdicts on all throws, printed as well."""
    counts = Counter[str]()
    for seed in seeds:
        counts.update(thrown(seed, arranged, shown).verdicts())
    print(f"\n{shown} {seeds}: {dict(counts)}")  # noqa: T201
    return counts


def dice_in(counts: Counter[str]) -> int:
    return sum(counts[name] for name in ("right", "wrong", "doubt", "missed"))


def wrong_in(counts: Counter[str]) -> int:
    return counts["wrong"] + counts["made up"]
