"""Dice of every usual colour on drawn tables, with seeds that nothing was tuned on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.errors import BadCall
from companion.games.dogfight_1917.boards import board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from vision.calibration import TableView
from vision.dice import DieSeen
from vision.dice_memory import DiceMemory
from vision.drawing.dice import COLOURS, DIE_MM, Die
from vision.drawing.optics import Optics
from vision.markers import MarkerReader
from vision.observation import observe
from vision.simulated_table import Look, SimulatedTable

PLAN = replace(board_plan(assumed_figures()), dice_mm=DIE_MM)
SIZES = [(1280, 720), (1920, 1080)]
FRAMES = 3

Arranged = Callable[[Sequence[Die], np.random.Generator], list[Die]]


def as_thrown(dice: Sequence[Die], chance: np.random.Generator) -> list[Die]:
    return list(dice)


def side_by_side(dice: Sequence[Die], chance: np.random.Generator) -> list[Die]:
    """Four in a square, less than a millimetre between them."""
    first, turn = dice[0], math.radians(dice[0].turn_deg)
    across, down = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
    laid = list[Die]()
    for at, die in enumerate(dice[:4]):
        apart = DIE_MM + float(chance.uniform(0.0, 0.8))
        right, low = apart * (at % 2), apart * (at // 2)
        x = first.x_mm + right * across[0] + low * down[0]
        y = first.y_mm + right * across[1] + low * down[1]
        laid.append(replace(die, x_mm=x, y_mm=y, turn_deg=first.turn_deg))
    return laid


def leaning(least_deg: float, most_deg: float) -> Arranged:
    """Cocked by so much, towards anywhere."""

    def lean(dice: Sequence[Die], chance: np.random.Generator) -> list[Die]:
        ways = chance.uniform(0.0, 360.0, len(dice)).tolist()
        leans = chance.uniform(least_deg, most_deg, len(dice)).tolist()
        return [
            replace(die, lean_deg=by, lean_way_deg=way)
            for die, by, way in zip(dice, leans, ways, strict=True)
        ]

    return lean


def table_of(seed: int, size_px: tuple[int, int], chance: np.random.Generator) -> SimulatedTable:
    """A table of some light, sharpness and noise."""
    look = Look(
        blur_px=float(chance.uniform(0.4, 1.0)),
        noise=float(chance.uniform(1.0, 4.0)),
        falloff=float(chance.uniform(0.1, 0.5)),
        jpeg_quality=(None, 90, 80)[seed % 3],
    )
    return SimulatedTable(PLAN, seed, size_px, look=look)


def rolled(table: SimulatedTable, arranged: Arranged, chance: np.random.Generator) -> bool:
    """Four to eight dice come to lie there; false where there is no room for them."""
    count = int(chance.integers(4, 9))
    colours = [str(colour) for colour in chance.permutation(list(COLOURS))]
    try:
        table.roll(chance.integers(1, 7, count).tolist(), colours)
    except BadCall:
        return False
    table._lying.throw(arranged(table.dice, chance))
    return True


def tally(
    seeds: range, size_px: tuple[int, int], arranged: Arranged = as_thrown, throws: int = 2
) -> Counter[str]:
    """Dice that are right, wrong, in doubt or missed once three frames were read."""
    counts = Counter[str]()
    for seed in seeds:
        chance = np.random.default_rng(seed)
        table = table_of(seed, size_px, chance)
        reader, view = MarkerReader(PLAN.dictionary), TableView(PLAN, table.lens)
        for _ in range(throws):
            if rolled(table, arranged, chance):
                counts.update(judged(table.dice, read(table, reader, view), table.optics))
    return counts


def read(table: SimulatedTable, reader: MarkerReader, view: TableView) -> tuple[DieSeen, ...]:
    memory = DiceMemory(DIE_MM)
    for _ in range(FRAMES):
        frame = table.read()
        markers = reader.read(frame.grey)
        observe(frame, markers, view)
        memory.read(frame, view.places.values(), markers, None)
    return memory.dice


def judged(dice: Sequence[Die], found: Sequence[DieSeen], optics: Optics) -> list[str]:
    """A verdict for each die, and one for each that was found where none lies."""
    places = [
        optics.to_px([(die.x_mm, die.y_mm)], DIE_MM + die.lift_mm)[0].tolist() for die in dice
    ]
    told: dict[int, set[int | None]] = {at: set() for at in range(len(dice))}
    verdicts = list[str]()
    for one in found:
        near = min(range(len(dice)), key=lambda at: math.dist(one.centre_px, places[at]))
        if math.dist(one.centre_px, places[near]) < 0.75 * one.side_px:
            told[near].add(one.value)
        else:
            verdicts.append("made up" if one.value else "doubt where none is")
    for at, values in told.items():
        sure = values - {None}
        right = "right" if sure == {dice[at].value} else "wrong"
        verdicts.append(right if sure else "doubt" if values else "missed")
    return verdicts


def told(name: str, counts: Counter[str]) -> None:
    print(f"\n{name}: {dict(counts)}")  # noqa: T201


@pytest.mark.parametrize("size_px", SIZES, ids=["720p", "1080p"])
def test_dice_of_any_usual_colour_are_read(size_px: tuple[int, int]) -> None:
    """Four to eight on the table beside a board: none wrong."""
    counts = tally(range(67_000, 67_002), size_px)
    told(str(size_px), counts)
    assert counts["right"] >= 10
    assert set(counts) == {"right"}


@pytest.mark.soak
@pytest.mark.parametrize("size_px", SIZES, ids=["720p", "1080p"])
def test_two_thousand_dice_are_read(size_px: tuple[int, int]) -> None:
    """At least 99.5 of 100 right, at most one of a thousand silently wrong."""
    counts = tally(range(68_000, 68_200), size_px)
    told(str(size_px), counts)
    dice = sum(counts[name] for name in ("right", "wrong", "doubt", "missed"))
    assert dice >= 1_500
    assert counts["right"] >= 0.995 * dice
    assert counts["wrong"] + counts["made up"] <= 0.001 * dice


@pytest.mark.parametrize("size_px", SIZES, ids=["720p", "1080p"])
def test_dice_that_touch_are_right_or_in_doubt(size_px: tuple[int, int]) -> None:
    """No pip is given to the wrong die."""
    counts = tally(range(67_010, 67_013), size_px, side_by_side, throws=1)
    told(str(size_px), counts)
    assert not counts["wrong"]
    assert not counts["made up"]


@pytest.mark.parametrize("size_px", SIZES, ids=["720p", "1080p"])
def test_a_die_that_leans_a_little_shows_its_upper_face_or_none(size_px: tuple[int, int]) -> None:
    """Up to fifteen degrees: its value, or doubt."""
    counts = tally(range(67_020, 67_022), size_px, leaning(5.0, 15.0), throws=1)
    told(str(size_px), counts)
    assert not counts["wrong"]
    assert not counts["made up"]


def stacked(dice: Sequence[Die], chance: np.random.Generator) -> list[Die]:
    """Each lies on another, that shows beside it."""
    laid = list[Die]()
    for at, die in enumerate(dice):
        way, off_mm = float(chance.uniform(0.0, 2 * math.pi)), float(chance.uniform(5.0, 9.0))
        spot = (die.x_mm + off_mm * math.cos(way), die.y_mm + off_mm * math.sin(way))
        turn_deg = float(chance.uniform(0.0, 90.0))
        upper = replace(die, x_mm=spot[0], y_mm=spot[1], turn_deg=turn_deg, lift_mm=DIE_MM)
        laid += [replace(dice[at - 1], x_mm=die.x_mm, y_mm=die.y_mm), upper]
    return laid


@pytest.mark.parametrize("size_px", SIZES, ids=["720p", "1080p"])
def test_a_cocked_die_is_not_read_by_the_face_it_turns_to_the_camera(
    size_px: tuple[int, int],
) -> None:
    """From 15 to 45 degrees: its value, or doubt."""
    for least_deg in (15.0, 30.0):
        arranged = leaning(least_deg, least_deg + 15.0)
        counts = tally(range(67_030, 67_031), size_px, arranged, throws=1)
        told(f"{size_px} from {least_deg}", counts)
        assert counts["doubt"]
        assert not counts["wrong"]


@pytest.mark.soak
@pytest.mark.parametrize("size_px", SIZES, ids=["720p", "1080p"])
@pytest.mark.parametrize("least_deg", [5.0, 15.0, 30.0])
def test_hundreds_of_cocked_dice_are_right_or_in_doubt(
    size_px: tuple[int, int], least_deg: float
) -> None:
    """At most one of three hundred is silently wrong, at any lean."""
    counts = tally(range(69_000, 69_040), size_px, leaning(least_deg, least_deg + 15.0))
    told(f"{size_px} from {least_deg}", counts)
    dice = sum(counts[name] for name in ("right", "wrong", "doubt", "missed"))
    assert counts["wrong"] + counts["made up"] <= dice / 300


@pytest.mark.parametrize("size_px", SIZES, ids=["720p", "1080p"])
def test_a_die_on_another_raises_a_doubt(size_px: tuple[int, int]) -> None:
    """Where the lower one shows plainly: a stack under which little shows is read by the upper."""
    counts = tally(range(67_040, 67_043), size_px, stacked, throws=1)
    told(str(size_px), counts)
    assert counts["doubt"] + counts["doubt where none is"]
