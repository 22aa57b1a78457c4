"""Names as people type them: whatever the case, with blanks, dashes or underlines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from reprlib import repr as brief

_DASH = re.compile(r"_|(?<=\w)-|-(?!\d)")
"""Dashes that stand for a blank: every one that is no minus sign before a number."""


def spelt_like(raw: object, names: Iterable[str]) -> str | None:
    """The name that was meant; one that is written just so goes before one that is only like it.

    >>> spelt_like("high speed_maneuver", ["Basic Maneuver", "High-speed Maneuver"])
    'High-speed Maneuver'
    >>> spelt_like("-1,0 nw", ["1,0 NW", "-1,0 NW"])
    '-1,0 NW'
    """
    known = tuple(names)
    if isinstance(raw, str) and raw in known:
        return raw
    wanted = _plain(str(raw))
    return next((name for name in known if _plain(name) == wanted), None)


def one_of(raw: object, allowed: Iterable[str], what: str) -> str:
    """The name that was meant; ValueError lists those there are.

    >>> one_of("Hand ", ["deck", "hand"], "pile")
    'hand'
    """
    known = tuple(allowed)
    meant = spelt_like(raw, known) if isinstance(raw, str) else None
    if meant is None:
        raise ValueError(f"{brief(raw)} is no {what}; there are {', '.join(known)}")
    return meant


def _plain(name: str) -> str:
    return " ".join(_DASH.sub(" ", name.lower()).split())


def whole_number(raw: object) -> int | None:
    """A whole number as people or JSON give it; None for anything else.

    >>> whole_number(" 3 "), whole_number(3), whole_number(True), whole_number("3.5")
    (3, 3, None, None)
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    if isinstance(raw, str):
        try:
            return int(raw.strip())
        except ValueError:
            return None
    return None


def with_commas(names: Iterable[object]) -> str:
    """Names one after the other, as a refusal lists what there is.

    >>> with_commas(["Jaws", "Paws"])
    'Jaws, Paws'
    """
    return ", ".join(str(name) for name in names)
