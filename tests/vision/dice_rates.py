"""How often dice are read, in doubt, missed and wrong: the table of all rows, in one run.

    python -m tests.vision.dice_rates --seed 81000 --throws 60 --jobs 2

Drawn dice on seeds that the call names, and the photographs beside the project where they are. What
was set on some seeds is measured on others.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.vision.throws import (
    PLAIN,
    Arranged,
    Shown,
    flat,
    leaning,
    nothing,
    otherwise_made,
    spread,
    stacked,
    thrown,
    touching,
)
from vision.camera.frame import Frame
from vision.dice.dice import DieSeen, read_dice
from vision.dice.slant import SQUEEZED
from vision.dice.stance import FlatDie
from vision.see import dice_of_width

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"
SLANT = (10.0, 35.0)
DRAWN: Mapping[str, tuple[Arranged, Shown]] = {
    "from above, one look, 720": (flat, Shown("720p", frames=1)),
    "from above, one look, 1080": (flat, Shown("1080p", frames=1)),
    "white ground, one look": (flat, Shown("720p", ("white",), 1)),
    "over-exposed, one look": (flat, Shown("720p", ("white",), 1, light=1.5)),
    "camera 10 to 20 degrees, one look": (flat, Shown("720p", PLAIN, 1, (10.0, 20.0))),
    "camera 20 to 35 degrees, one look": (flat, Shown("720p", PLAIN, 1, (20.0, 35.0))),
    "touching": (touching, Shown("720p")),
    "stacks": (stacked, Shown("720p")),
    "cocked 5 to 15": (leaning(5.0, 15.0), Shown("720p")),
    "cocked 15 to 30": (leaning(15.0, 30.0), Shown("720p")),
    "cocked 30 to 45": (leaning(30.0, 45.0), Shown("720p")),
    "printed map": (flat, Shown("720p", ("print",))),
    "printed map, no dice": (nothing, Shown("720p", ("print",))),
    "slanted and cocked 10 to 35": (leaning(10.0, 35.0), Shown("720p", PLAIN, 3, (15.0, 35.0))),
    "slanted stacks": (stacked, Shown("720p", PLAIN, 3, (15.0, 35.0))),
    "pips close together": (spread(0.7, 0.9), Shown("720p", frames=1)),
    "pips near the edges": (spread(1.1, 1.25), Shown("720p", frames=1)),
    "pips anywhere, slanted": (spread(0.7, 1.25), Shown("720p", PLAIN, 1, (15.0, 35.0))),
    "other makes, one look": (otherwise_made(), Shown("720p", frames=1)),
    "other makes, camera 10 to 35": (
        otherwise_made(),
        Shown("720p", PLAIN, 1, (10.0, 35.0)),
    ),
    "other makes, cocked 5 to 45": (otherwise_made(leaning(5.0, 45.0)), Shown("720p")),
    "other makes, slanted and cocked": (
        otherwise_made(leaning(5.0, 35.0)),
        Shown("720p", PLAIN, 3, (10.0, 35.0)),
    ),
    "other makes, stacks": (otherwise_made(stacked), Shown("720p")),
    "other makes, slanted stacks": (
        otherwise_made(stacked),
        Shown("720p", PLAIN, 3, (10.0, 35.0)),
    ),
    "other makes, touching": (otherwise_made(touching), Shown("720p")),
    "pips anywhere, cocked 15 to 45": (
        spread(0.7, 1.25, leaning(15.0, 45.0)),
        Shown("720p", frames=1),
    ),
    "no board, tilt of 10 to 35 told": (flat, Shown("720p", PLAIN, 1, SLANT, told_off_deg=0.0)),
    "no board, tilt told 5 too little": (flat, Shown("720p", PLAIN, 1, SLANT, told_off_deg=-5.0)),
    "no board, tilt told 5 too much": (flat, Shown("720p", PLAIN, 1, SLANT, told_off_deg=5.0)),
    "no board, tilt told, cocked 5 to 35": (
        leaning(5.0, 35.0),
        Shown("720p", PLAIN, 1, SLANT, told_off_deg=0.0),
    ),
    "no board, tilt told, stacks": (stacked, Shown("720p", PLAIN, 1, SLANT, told_off_deg=0.0)),
    "no board, tilt told 5 too much, cocked 5 to 35": (
        leaning(5.0, 35.0),
        Shown("720p", PLAIN, 1, SLANT, told_off_deg=5.0),
    ),
    "no board, tilt told 5 too little, cocked 5 to 35": (
        leaning(5.0, 35.0),
        Shown("720p", PLAIN, 1, SLANT, told_off_deg=-5.0),
    ),
    "no board, tilt told 5 too much, stacks": (
        stacked,
        Shown("720p", PLAIN, 1, SLANT, told_off_deg=5.0),
    ),
    "no board, nothing told, from above": (flat, Shown("720p", PLAIN, 1, untold=True)),
    "no board, nothing told, tilt of 10 to 35": (
        flat,
        Shown("720p", PLAIN, 1, SLANT, untold=True),
    ),
    "no board, nothing told, other makes": (
        otherwise_made(),
        Shown("720p", PLAIN, 1, SLANT, untold=True),
    ),
    "no board, nothing told, cocked 5 to 45": (
        leaning(5.0, 45.0),
        Shown("720p", PLAIN, 1, untold=True),
    ),
    "no board, nothing told, slanted and cocked": (
        leaning(5.0, 35.0),
        Shown("720p", PLAIN, 1, SLANT, untold=True),
    ),
    "no board, nothing told, stacks": (
        stacked,
        Shown("720p", PLAIN, 1, SLANT, untold=True),
    ),
    "no board, nothing told, printed map, no dice": (
        nothing,
        Shown("720p", ("print",), 1, SLANT, untold=True),
    ),
}
"""Each row of drawn dice: how they lie, and before which camera."""
WIDE = {
    "cork_1": 165, "cork_3": 155, "sets_ss01": 205, "sets_ss02": 275, "sets_ss04": 190,
    "towel_1_2": 82, "towel_1_3": 108, "towel_1_5": 127, "towel_2_2": 108, "towel_2_3": 110,
    "towel_2_5": 93, "white_bg_2": 250, "white_bg_3": 222, "white_bg_5": 217, "with_bg_2": 44,
    "wood_1_1": 140, "wood_1_2": 205, "wood_1_4": 132, "wood_2_1": 127, "wood_2_2": 160,
    "wood_2_4": 147, "one_eyes": 205,
}  # fmt: skip
"""About how wide a die's upper face is on each photograph of few dice (or a group of them), px."""
STOOD = ("cork_3", "wood_1_1", "wood_1_4", "wood_2_1", "wood_2_4", "with")
UNTOLD = (*STOOD, "towel_1_2", "towel_2_2", "towel_2_3")
"""All that are slanted by 35 degrees at the most, three by eye alone."""
GROUPS = {
    "photographs at 12 to 35 degrees, nothing told": UNTOLD,
    "photographs from above": ("many",),
    "photographs on white": ("white", "sets"),
    "photographs through glass, of one": ("one",),
    "photographs at a slant": ("cork", "towel", "wood", "with"),
    "photographs from above, beside a board": ("many_IMG_0181",),
    "photographs from above, beside a board, in grey": ("many_IMG_0181",),
    "photographs at 12 to 33 degrees, beside a board": STOOD,
    "photographs at 12 to 33 degrees, tilt told": STOOD,
}  # fmt: skip
STANDS = {
    "many_IMG_0181": (0.0, 1.0, 0.038), "cork_3": (12.0, 0.94, 0.0), "wood_1_1": (33.0, 0.87, 0.0),
    "wood_1_4": (18.0, 0.88, 0.0), "wood_2_1": (25.0, 0.88, 0.0), "wood_2_4": (26.0, 0.88, 0.0),
    "with_bg_2": (26.0, 0.92, 0.0),
}  # fmt: skip
"""How the camera stands, as a board would tell it: its tilt in degrees, how wide a face is in parts
of `WIDE`, and how much nearer to the picture's middle a die's foot is seen. By eye, from the sides
that are seen, with a cube drawn over them. (On the other photographs dice lie on a towel, or are
seen at 45 degrees and more.)"""
WIDTHS_PX = (20.0, 24.0, 30.0)
NEAR = 0.6
"""A die is told of within so much of its width."""


def drawn_row(name: str, seeds: range) -> Counter[str]:
    """The verdicts on a row's throws, a throw for each seed."""
    arranged, shown = DRAWN[name]
    counts = Counter[str]()
    for seed in seeds:
        counts.update(thrown(seed, arranged, shown).verdicts())
    return counts


def photo_row(name: str) -> Counter[str]:
    """The verdicts on the dice of a group of photographs, each as large as a table's dice are."""
    files = json.loads((PHOTOS / "truth.json").read_text("utf-8"))["files"]
    counts = Counter[str]()
    for file, entry in files.items():
        stem = Path(file).stem
        if entry["kind"] != "dice" or not stem.startswith(GROUPS[name]):
            continue
        many = stem.startswith("many")
        own_px = 170 if many else next(wide for key, wide in WIDE.items() if stem.startswith(key))
        for wide_px in (20.4, 31.5) if many else WIDTHS_PX:
            share = wide_px / own_px
            if "beside a board" in name:
                in_colour = not name.endswith("in grey")
                found = beside_a_board(PHOTOS / file, wide_px, share, in_colour=in_colour)
            elif "tilt told" in name:
                found = told_the_tilt(PHOTOS / file, wide_px, share)
            else:
                found = told_nothing(PHOTOS / file, wide_px, share)
            counts.update(photo_verdicts(entry["dice"], found, share))
    return counts


def beside_a_board(path: Path, wide_px: float, share: float, *, in_colour: bool) -> list[DieSeen]:
    """What is read of a photograph where a board tells how the camera stands."""
    tilt_deg, part, nearer = STANDS[path.stem]
    tilt, side_px = math.radians(tilt_deg), part * wide_px
    high = 1.0 if math.cos(tilt) >= SQUEEZED else 1.0 / math.cos(tilt)
    own = photographed(path, share, flags=cv2.IMREAD_COLOR)
    colour = cv2.resize(own, None, fx=1.0, fy=high, interpolation=cv2.INTER_CUBIC)
    middle = (colour.shape[1] / 2, colour.shape[0] / 2)

    def flat_at(point: tuple[float, float]) -> FlatDie:
        x, y = (nearer * (there - here) for there, here in zip(middle, point, strict=True))
        return FlatDie(side_px, (x, y + side_px * math.sin(tilt) * high))

    grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    shown = np.asarray(colour, np.uint8) if in_colour else None
    found = read_dice(grey, side_px, flat_at=flat_at, colour=lambda: shown)
    return [replace(one, centre_px=(one.centre_px[0], one.centre_px[1] / high)) for one in found]


def told_nothing(path: Path, wide_px: float, share: float) -> list[DieSeen]:
    """What is read of a photograph without a board, of who tells a die's width alone."""
    colour = photographed(path, share, flags=cv2.IMREAD_COLOR)
    grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    return list(dice_of_width(Frame(grey, 0.0, 0, colour), wide_px))


def told_the_tilt(path: Path, wide_px: float, share: float, off_deg: float = 0.0) -> list[DieSeen]:
    """What is read of a photograph without a board, of who tells its tilt and a die's width."""
    tilt_deg, part, _ = STANDS[path.stem]
    colour = photographed(path, share, flags=cv2.IMREAD_COLOR)
    grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    return list(dice_of_width(Frame(grey, 0.0, 0, colour), part * wide_px, tilt_deg + off_deg))


def photographed(
    path: Path,
    share: float,
    noise: float = 2.5,
    seed: int = 1,
    flags: int = cv2.IMREAD_GRAYSCALE,
) -> NDArray[np.uint8]:
    """A photograph as a camera over a table would have it, so many times as large."""
    picture = cv2.imread(str(path), flags)
    assert picture is not None
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.6)
    rough = soft + np.random.default_rng(seed).normal(0, noise, soft.shape)
    return np.asarray(np.clip(rough, 0, 255), np.uint8)


def photo_verdicts(
    dice: Sequence[Mapping[str, Any]], found: Sequence[DieSeen], share: float
) -> list[str]:
    """A verdict for each die of a photograph, and one for each value that none has."""
    told, strange = [list[int | None]() for _ in dice], list[str]()
    for one in found:
        at = min(range(len(dice)), key=lambda n: _apart_px(dice[n], one, share), default=None)
        if at is not None and _apart_px(dice[at], one, share) < NEAR * one.side_px:
            told[at].append(one.value)
        else:
            strange.append("made up" if one.value else "doubt where none is")
    return [
        *strange,
        *(_verdict(die["value"], set(all_)) for die, all_ in zip(dice, told, strict=True)),
    ]


def _apart_px(die: Mapping[str, Any], one: DieSeen, share: float) -> float:
    """How far from a die another was read; no way at all where its place is not known."""
    spot = die.get("top_face_centre") or die.get("centre")
    return math.dist([share * n for n in spot], one.centre_px) if spot else 0.0


def _verdict(value: int, told: set[int | None]) -> str:
    sure = told - {None}
    if sure:
        return "right" if sure == {value} else "wrong"
    return "doubt" if told else "missed"


NAMES = ("right", "doubt", "missed", "wrong", "made up", "doubt where none is")


def told(name: str, counts: Counter[str]) -> str:
    """A row of the table."""
    dice = sum(counts[each] for each in NAMES[:4])
    share = f"{100 * counts['right'] / dice:5.1f}" if dice else "  -  "
    return f"| {name} | {dice} | {share} | " + " | ".join(str(counts[n]) for n in NAMES) + " |"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--throws", type=int, default=40)
    asked.add_argument("--jobs", type=int, default=1)
    asked.add_argument("--only", default="", help="rows whose name has this in it")
    call = asked.parse_args()
    print("| row | dice | right % | " + " | ".join(NAMES) + " |\n" + "|---" * 9 + "|")  # noqa: T201
    with ProcessPoolExecutor(call.jobs, initializer=partial(cv2.setNumThreads, 1)) as jobs:
        rows = {name: [jobs.submit(photo_row, name)] for name in GROUPS if PHOTOS.is_dir()}
        for at, name in enumerate(DRAWN):
            first = call.seed + 1000 * at
            parts = [
                range(first + n, min(first + n + 10, first + call.throws))
                for n in range(0, call.throws, 10)
            ]
            rows[name] = [jobs.submit(drawn_row, name, part) for part in parts if call.only in name]
        for name, asked_for in rows.items():
            if call.only in name:
                counts = (part.result() for part in asked_for)
                print(told(name, sum(counts, Counter())), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
