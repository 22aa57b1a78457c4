"""The six kinds of action cards.  (cards.toml; HX-ATK-01, HX-SHD-01)"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.core.ruling import Cite

SHORT, MEDIUM, LONG = "short", "medium", "long"
NO_DRAW, REUSE, ANCHOR = "shield no draw", "shield reuse", "shield anchor"
KINDS = (SHORT, MEDIUM, LONG, NO_DRAW, REUSE, ANCHOR)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of card: what it is called, whether it attacks or shields, and where that stands."""

    name: str
    label: str
    attacks: bool
    cite: Cite

    @property
    def attack(self) -> str:
        """What an attack of this kind is called in a sentence: "medium-range attack"."""
        return f"{self.label.lower().replace(' ', '-')} attack"


def _read() -> Mapping[str, Kind]:
    rows = tomllib.loads(Path(__file__).with_name("cards.toml").read_text("utf-8"))
    return {
        name: Kind(name, row["label"], row["does"] == "attack", Cite.of(row["cite"]))
        for name, row in rows.items()
    }


CARDS: Mapping[str, Kind] = _read()
"""Every kind by its name, in the order of the book."""
ATTACKS = tuple(name for name, kind in CARDS.items() if kind.attacks)
SHIELDS = tuple(name for name, kind in CARDS.items() if not kind.attacks)
