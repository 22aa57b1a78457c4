"""What the table saw and no question asked: judged, said, and where needed held up.  (29.5)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.errors import BadCall
from companion.ruling import Cite, Level, Notice, Seat

if TYPE_CHECKING:
    from companion.games.dogfight_1917.game import Game
    from companion.offers import Json

WORDS: Mapping[str, Sequence[str]] = {
    "gunsight": ("dice",),
    "condition rolled": ("seat",),
    "recount": ("seat", "pile", "count"),
    "tokens": ("seat", "count"),
    "drew": ("seat", "count"),
    "missing": ("seat",),
    "decision": ("text",),
}
"""Each word with its fields."""

CORRECT = "Say which is right: count again, or let the arbiter correct the record."


def judge_report(game: Game, fact: Mapping[str, Json]) -> Notice:
    """What a report means for the position; BadCall where it is none."""
    what = str(fact.get("what", ""))
    judge = _JUDGES.get(what)
    if judge is None:
        raise BadCall(f"nobody can report {what!r}; reports are {', '.join(WORDS)}")
    missing = [name for name in WORDS[what] if name not in fact]
    if missing:
        raise BadCall(f"the report {what!r} lacks {missing[0]!r}")
    return judge(game, fact)


def _seat(game: Game, fact: Mapping[str, Json]) -> Seat:
    seat = Seat(str(fact["seat"]).strip().upper())
    if seat not in game.position.players:
        raise BadCall(f"seat {seat!r} is unknown; there are {', '.join(game.position.players)}")
    return seat


def _count(fact: Mapping[str, Json], name: str) -> int:
    raw = fact[name]
    if isinstance(raw, bool) or not str(raw).strip().isdigit():
        raise BadCall(f"{name}: {raw!r} is not a whole number")
    return int(str(raw))


def _gunsight(game: Game, fact: Mapping[str, Json]) -> Notice:
    """More dice than succeeded (DF-E10), or dice left after the attack (DF-E11)."""
    seen, due = _count(fact, "dice"), game.position.gunsight
    cite = Cite.of("DF-11.3, DF-11.5")
    if seen == due:
        return Notice("DF-NOTED", f"{seen} dice on the Gunsight, as recorded.", cite, Level.NOTE)
    if not due:
        text = f"{seen} dice lie on a Gunsight, but no attack is under way."
        return Notice("DF-E11", text, cite, Level.WARN, "Clear the Gunsight.")
    text = f"{seen} dice lie on the Gunsight; {due} succeeded."
    return Notice("DF-E10", text, cite, Level.WARN, f"Leave {due} there.")


def _condition(game: Game, fact: Mapping[str, Json]) -> Notice:
    """A conditional die that is not due counts for nothing.  (DF-E12)"""
    text = f"{game.who(_seat(game, fact))} rolled for a Conditional Effect that was not due."
    cite = Cite.of("DF-9.7")
    return Notice("DF-E12", text, cite, Level.NOTE, "It counts for nothing; roll when asked to.")


def _recount(game: Game, fact: Mapping[str, Json]) -> Notice:
    """A pile that was counted, against the record.  (DF-E16)"""
    seat, pile = _seat(game, fact), str(fact["pile"]).lower()
    piles = game.player(seat).piles
    if pile not in piles.counts:
        raise BadCall(f"no pile is called {pile!r}; there are {', '.join(piles.counts)}")
    return _compared(game.who(seat), f"{pile} cards", _count(fact, "count"), piles[pile], "DF-4.2")


def _tokens(game: Game, fact: Mapping[str, Json]) -> Notice:
    """Tokens that were counted, against the record.  (DF-E16)"""
    seat = _seat(game, fact)
    recorded = game.player(seat).tokens
    return _compared(game.who(seat), "tokens", _count(fact, "count"), recorded, "DF-15.1")


def _compared(who: str, what: str, seen: int, recorded: int, rule: str) -> Notice:
    cite = Cite.of(rule)
    if seen == recorded:
        return Notice("DF-NOTED", f"{who}: {seen} {what}, as recorded.", cite, Level.NOTE)
    text = f"{who} has {seen} {what}; the record has {recorded}."
    return Notice("DF-E16", text, cite, Level.BLOCK, CORRECT)


def _drew(game: Game, fact: Mapping[str, Json]) -> Notice:
    """Cards drawn beyond those that were ruled.  (DF-E14)"""
    who, count = game.who(_seat(game, fact)), _count(fact, "count")
    text = f"{who} drew {count} cards beyond what was ruled."
    way_out = f"Put {count} back on top of the Deck, or let the arbiter correct the counts."
    return Notice("DF-E14", text, Cite.of("DF-6.1, DF-6.2"), Level.WARN, way_out)


def _missing(game: Game, fact: Mapping[str, Json]) -> Notice:
    """A model that is gone without a crash.  (DF-E04)"""
    player = game.player(_seat(game, fact))
    if player.plane is None:
        text = f"{game.who(player.seat)}'s Fighter is off the board, as recorded."
        return Notice("DF-NOTED", text, Cite.of("DF-19.2"), Level.NOTE)
    text = f"{game.who(player.seat)}'s Fighter is not on the board; it has not crashed."
    way_out = f"Put it back on {player.plane.name()}, or let the arbiter correct it."
    return Notice("DF-E04", text, Cite.of("DF-9.4"), Level.BLOCK, way_out)


def _decision(game: Game, fact: Mapping[str, Json]) -> Notice:
    """What the table decides against the book, told openly.  (DF-E18)"""
    text = str(fact["text"]).strip()
    if not text:
        raise BadCall('a decision of the table needs its words, as in text = "we roll again"')
    return Notice("DF-E18", f"Table decision: {text}", game.corrections, Level.NOTE,
                  "Correct the record with an adjustment, so that it shows.")  # fmt: skip


_JUDGES: Mapping[str, Callable[[Game, Mapping[str, Json]], Notice]] = {
    "gunsight": _gunsight,
    "condition rolled": _condition,
    "recount": _recount,
    "tokens": _tokens,
    "drew": _drew,
    "missing": _missing,
    "decision": _decision,
}
