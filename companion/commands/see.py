"""`companion see`: vision alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.commands.plans import plans
from companion.commands.voice import say
from companion.errors import BadCall
from vision import see as vision_see
from vision.dictionaries import load_dictionary
from vision.table_file import load_table

DIE_MM = 16.0
"""The side of most dice."""
LEAST_DIE_MM, MOST_DIE_MM = 5.0, 50.0
LEAST_DIE_PX = 12.0
"""Pips of smaller ones run into each other."""
UNKNOWN_SIZE = "no board tells how large the dice are: say so with --px-per-mm (and --die-mm)"


@dataclass(frozen=True, slots=True)
class DiceSize:
    """How large dice are: their side, and how many px a mm of the picture has (0: a board tells).

    Raises `BadCall` for what no picture can be read with.
    """

    die_mm: float = DIE_MM
    px_per_mm: float = 0.0

    def __post_init__(self) -> None:
        if not LEAST_DIE_MM <= self.die_mm <= MOST_DIE_MM:
            limits = f"{LEAST_DIE_MM:g} to {MOST_DIE_MM:g} mm"
            raise BadCall(f"--die-mm {self.die_mm:g}: a die's side is {limits}")
        if self.px_per_mm and not LEAST_DIE_PX <= self.die_px < math.inf:
            told = f"a die of {self.die_mm:g} mm is {self.die_px:g} px wide then"
            raise BadCall(f"--px-per-mm {self.px_per_mm:g}: {told}; it takes {LEAST_DIE_PX:g}")

    @property
    def die_px(self) -> float:
        """How wide a die is in the picture, px."""
        return self.die_mm * self.px_per_mm


def see(
    source: str,
    table: Path | None,
    dictionaries: Sequence[str],
    figures: Path | None = None,
    *,
    json: bool,
    dice: DiceSize | None = None,
) -> int:
    """Tell what is in each picture or frame; 1 if one of them could not be read, 0 otherwise.

    `figures` is the table's own file of the box that the table's file names. Dice of a size that
    is told are looked for beside a board or, where their px are told, without one.
    """
    if figures is not None and table is None:
        raise BadCall(f"--data {figures}: of which box? Name the table's file too, with --table")
    boxes = plans(figures)
    setup = load_table(table, boxes) if table is not None else None
    known = [plan() for plan in boxes.values()] if setup is None else []
    if dice is not None:
        known = [replace(plan, dice_mm=dice.die_mm) for plan in known]
        setup = setup and replace(setup, plan=replace(setup.plan, dice_mm=dice.die_mm))
    wanted = {load_dictionary(name).name for name in dictionaries}
    guesses = [plan for plan in known if not wanted or plan.dictionary in wanted]
    troubled = False
    die_px = 0.0 if dice is None else dice.die_px
    found = vision_see.see(
        source, table=setup, guesses=guesses, dictionaries=dictionaries, die_px=die_px
    )
    for seen in found:
        picture = seen
        if dice is not None and not die_px and seen.pieces is None and not seen.trouble:
            picture = replace(seen, trouble=UNKNOWN_SIZE)
        troubled |= bool(picture.trouble)
        if json:
            say(picture.to_json())
        else:
            print(picture, flush=True)  # noqa: T201 - this is the terminal
    return 1 if troubled else 0
