"""Tokens known by their looks as lines: taught or not, on the table or not, how surely read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.offers import SeenState
from ui.presenters.common import Line, Mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.board import BoardPlan, Piece, Token
    from companion.core.offers import Seen
    from ui.table.lesson import LooksState
    from vision.looks.look import TaughtLook
    from vision.looks.taught import LookReading

BY, BY_LOOK = "by look", "By look: weaker than markers"


def look_summary(looks: LooksState, pieces: Mapping[Piece, Seen]) -> list[Line]:
    """One line of all taught tokens: how many are read and how like at the least, asked, away."""
    if not looks.taught:
        return []
    if looks.lacks_colour:
        return [Line(BY_LOOK, "no colours here: teach them anew", Mark.WARN)]
    read = {piece: one for piece, one in looks.by_look.items() if is_sure(pieces.get(piece))}
    asked = sum(piece not in read for piece in looks.by_look)
    away = sum(
        piece not in looks.by_look and (piece not in pieces or is_lost(pieces[piece]))
        for piece in looks.taught
    )
    worst = min((one.likeness for one in read.values()), default=0.0)
    told = [f"{len(read)} read, {percent(worst)}+ alike"] if read else ["none is read"]
    told += [f"{asked} asked"] if asked else []
    told += [f"{away} away"] if away else []
    return [Line(BY_LOOK, " · ".join(told), Mark.WARN if asked else Mark.ASK)]


def is_sure(seen: Seen | None) -> bool:
    """Whether a place was read without a doubt."""
    return seen is not None and seen.state is SeenState.SEEN


def is_lost(seen: Seen) -> bool:
    """Whether it was not found at all."""
    return seen.state is SeenState.LOST


def percent(share: float) -> str:
    """A share as people read it.

    >>> percent(0.914), percent(1.0)
    ('91 %', '100 %')
    """
    return f"{100 * share:.0f} %"


def alike(reading: LookReading) -> str:
    """How like its look a token was: likeness, and no chance of being right."""
    return f"{percent(reading.likeness)} alike"


def measured(reading: LookReading) -> str:
    """How like its look a token was, and how like the next one."""
    return f"{alike(reading)}, next {percent(reading.next_like)}"


def heading_error(seen: Seen | None) -> str:
    """How far its heading may be off, 19 times of 20; empty where its board asks for none."""
    if seen is None or not seen.facings or seen.heading_sd_deg is None:
        return ""
    return f"±{max(1, round(2 * seen.heading_sd_deg))}°"


def token_line(token: Token, plan: BoardPlan, looks: LooksState, seen: Seen | None) -> Line:
    """What is known of one token's look, and what came of looking for it."""
    look, reading = looks.taught.get(token.piece), looks.by_look.get(token.piece)
    right = heading_error(seen)
    if look is None:
        marked = seen is not None and not is_lost(seen)
        told = "has a marker, needs no look" if marked else "not taught yet"
        return Line(token.label, told, Mark.OK if marked else Mark.NONE)
    if not look.is_clear and (reading is None or not is_sure(seen)):
        return Line(token.label, f"too like the {_likest(look, plan)}: asked", Mark.WARN, right)
    if reading is None or (seen is not None and is_lost(seen)):
        marked = seen is not None and not is_lost(seen)
        told = "taught, read by its marker" if marked else "taught, not seen now"
        return Line(token.label, told, Mark.OK)
    if is_sure(seen):
        return Line(token.label, f"taught: {measured(reading)}", Mark.OK, right)
    return Line(token.label, f"asked: {measured(reading)}", Mark.WARN, right)


def _likest(look: TaughtLook, plan: BoardPlan) -> str:
    other = plan.token_of.get(look.likest) if look.likest is not None else None
    return other.label if other is not None else "others"
