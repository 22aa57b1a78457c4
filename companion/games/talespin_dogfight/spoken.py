"""How maneuvers are said: by title, by value, or as value, Damage and Draw."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.question import Option
from companion.core.text import spelt_like
from companion.games.talespin_dogfight.figures import MOST_EFFECT
from companion.games.talespin_dogfight.layout import HIGHEST, LOWEST
from companion.games.talespin_dogfight.maneuver import Maneuver, titled

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.figures import Figures

_NUMBERS = re.compile(r"-?\d{1,4}(?:[ ,/]+\d{1,4}){0,2}")
_KEYS_A_ROW = 7


@dataclass(frozen=True, slots=True)
class Said:
    """A maneuver as it was said; `is_bare` where Damage and Draw were left out."""

    maneuver: Maneuver
    is_bare: bool = False


def title_in(raw: Json, titles: Iterable[str]) -> str | None:
    """The title that was meant; None if it is none of them."""
    return spelt_like(raw, titles) if isinstance(raw, str) else None


def owner_in(raw: Json) -> tuple[str, str]:
    """Whose card is named, where that is said before it ("A: Homeward"), and the card.

    >>> owner_in("A: Homeward"), owner_in("Homeward")
    (('A', 'Homeward'), ('', 'Homeward'))
    """
    owner, colon, rest = str(raw).partition(":")
    return (owner.strip(), rest.strip()) if colon else ("", str(raw).strip())


def numbers_in(raw: Json) -> tuple[int, ...]:
    """One to three whole numbers; empty for anything else.

    >>> numbers_in("7 1 0"), numbers_in(7), numbers_in("Strafe"), numbers_in(True)
    ((7, 1, 0), (7,), (), ())
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        return (raw,)
    if not isinstance(raw, str) or _NUMBERS.fullmatch(raw.strip()) is None:
        return ()
    return tuple(int(number) for number in re.split(r"[ ,/]+", raw.strip()))


def said_as(raw: Json, table: Figures) -> Option[Said | None] | None:
    """The maneuver that was said, with the name that a log keeps; None if it is none.

    >>> from companion.games.talespin_dogfight.figures import assumed_figures
    >>> said_as("7,1,0", assumed_figures()).name
    '7 1 0'
    """
    title = title_in(raw, table.maneuvers)
    if title is not None:
        card = table.maneuvers[title]
        return Option(title, Said(card), titled(title, card.value))
    value, *effects = numbers_in(raw) or (0,)
    if not LOWEST <= value <= HIGHEST or len(effects) == 1:
        return None
    if any(number > MOST_EFFECT for number in effects):
        return None
    damage, draw = effects or (0, 0)
    maneuver = Maneuver("", value, damage, draw)
    name = " ".join(str(number) for number in (value, *effects))
    return Option(name, Said(maneuver, is_bare=not effects), name)


def listed_maneuvers(table: Figures) -> list[Option[Said | None]]:
    """Every value, and every title that the table knows, for a pad."""
    values: list[Option[Said | None]] = [
        Option(
            str(value), Said(Maneuver("", value), is_bare=True), str(value), group="By value",
            cell=divmod(value - LOWEST, _KEYS_A_ROW),
        )
        for value in range(LOWEST, HIGHEST + 1)
    ]  # fmt: skip
    titles: list[Option[Said | None]] = [
        Option(title, Said(card), titled(title, card.value), group="By name")
        for title, card in table.maneuvers.items()
    ]
    return [*values, *titles]
