"""Why a player may not act while another is asked.  (SE-PRE-01, SE-TLN-01, SE-PPR-01, SE-R14)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.question import Order, Refusal
from companion.core.ruling import TABLE, Cite
from companion.games.starship_edition import refusals
from companion.games.starship_edition.layout import SET_UP

if TYPE_CHECKING:
    from companion.core.question import Question
    from companion.core.ruling import Json, Seat
    from companion.games.starship_edition.game import Game

_PLACING = Cite.of("SE-SET-05")
_TURN_ORDER = Cite.of("SE-PRE-01, SE-TLN-01")
_ONCE = Cite.of("SE-R14, RULING 14")


def judge(game: Game, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
    """SE-E-PHASE, SE-E-PREROGATIVE, SE-E-FINAL or SE-E-ORDER; None where the table is asked."""
    if seat not in game.position.players or asked.by == TABLE:
        return None
    who, whose = game.who(seat), game.who(asked.by)
    late = refusals.over(raw) if game.player(seat).prepared else None
    if late is not None:
        return late
    if isinstance(asked, Order):
        text = f"{who} does not put this in order; {whose} does."
        return Refusal("SE-E-PREROGATIVE", text, asked.cite)
    if _has_had_a_chance(game, seat, asked):
        text = f"{who} had a chance at this attack, and one is all. {whose} is asked now."
        return Refusal("SE-E-FINAL", text, _ONCE)
    text = f"{who} is not asked now: it is {whose}'s moment. Wait for your own."
    cite = _PLACING if game.position.stage == SET_UP else _TURN_ORDER
    return Refusal("SE-E-ORDER", text, cite)


def _has_had_a_chance(game: Game, seat: Seat, asked: Question[Any]) -> bool:
    """Whether this player's own window of the attack under way is closed already."""
    attack = game.under_way
    if attack is None or asked.by == attack.attacker:
        return False
    others = [s for s in game.position.turn_order() if s not in (attack.attacker, attack.target)]
    chances = [attack.attacker, attack.target, *others]
    return asked.by in chances and seat in chances[: chances.index(asked.by)]
