"""`companion see`: vision alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.cli_options import DONE, WRONG
from companion.commands.plans import plans
from companion.commands.voice import say
from companion.core.errors import BadCall
from companion.core.offers import PictureState
from vision import see as vision_see
from vision.markers.dictionaries import load_dictionary
from vision.see import PictureSeen
from vision.table_file.reading import load_table

DIE_MM = 16.0
"""The side of most dice."""
LEAST_DIE_MM, MOST_DIE_MM = 5.0, 50.0
LEAST_DIE_PX = 12.0
"""Pips of smaller ones run into each other."""
UNKNOWN_SIZE = (
    "no board tells how large the dice are: measure one's side in the picture in px, in any viewer "
    "of pictures, divide that by its mm (48 px of 16 mm: 3), and say --px-per-mm 3"
)
NO_DIE = "no die is found that is about {px:.0f} px wide: measure one's side in the picture again"
NEVER_SETTLED = (
    "A folder's pictures are read as a film of one table, and these never rest; separate ones are "
    "read one by one, a call each."
)


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
    """Tell what is in each picture or frame; 1 where something is wrong with one, else 0.

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
    die_px = 0.0 if dice is None else dice.die_px
    found = vision_see.see(
        source, table=setup, guesses=guesses, dictionaries=dictionaries, die_px=die_px
    )
    telling = _Telling(json=json)
    try:
        for seen in found:
            telling.tell(seen if dice is None else _with_dice(seen, die_px))
    finally:
        telling.end()
    return WRONG if telling.troubled else DONE


def _with_dice(seen: PictureSeen, die_px: float) -> PictureSeen:
    """The same picture, with what is wrong where dice are looked for and cannot be found."""
    if seen.pieces is not None or seen.trouble or seen.dice:
        return seen
    return replace(seen, trouble=NO_DIE.format(px=die_px) if die_px else UNKNOWN_SIZE)


class _Telling:
    """Each picture in a line; of a film only where something else is seen than before."""

    def __init__(self, *, json: bool) -> None:
        self.troubled = False
        self._json = json
        self._last: PictureSeen | None = None
        self._untold = 0
        self._files = 0
        self._states: set[PictureState] = set()
        self._size_told = False

    def tell(self, seen: PictureSeen) -> None:
        """One picture; how dice are measured is told once."""
        self.troubled |= bool(seen.trouble)
        if self._json:
            say(seen.to_json())
            return
        before, self._last = self._last, seen
        self._files += before is None or before.source != seen.source
        self._states.add(seen.state)
        if before is not None and (before.source, before.told) == (seen.source, seen.told):
            self._untold += 1
            return
        self._untold = 0
        again = self._size_told and seen.trouble == UNKNOWN_SIZE
        self._size_told |= seen.trouble == UNKNOWN_SIZE
        _print(replace(seen, trouble="no board, as before") if again else seen)

    def end(self) -> None:
        """How long the last of it lasted, and what becomes of separate pictures in a folder."""
        if self._last is not None and self._untold:
            _print(f"{self._last.source} [{self._last.frame}] the same to the end")
        if self._files > 1 and PictureState.SETTLED not in self._states:
            _print(NEVER_SETTLED)


def _print(told: object) -> None:
    print(told, flush=True)  # noqa: T201 - this is the terminal
