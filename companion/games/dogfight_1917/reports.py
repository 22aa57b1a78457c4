"""Reports of Dogfight: 1917: what the table saw and no question asked, and the reply.

A report is {"what": WORD, ...}. One that is malformed is a BadCall and changes nothing; one that
agrees with the record is a note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.core.ruling import Cite, Level, Notice
from companion.core.text import counted
from companion.games.dogfight_1917.cards import DECK_SIZE, SET_UP, dice_words, pile_named
from companion.games.dogfight_1917.position import MOST_DICE, MOST_TOKENS, player_named
from companion.kit.reports import (
    CORRECT,
    Fields,
    Judges,
    Words,
    agrees,
    decision,
    judged,
    left_after_the_end,
    lettered_seat_in,
    named_in,
    number_in,
)
from companion.match.rulebook import Phrase, Reporting

if TYPE_CHECKING:
    from companion.games.dogfight_1917.game import Game
    from companion.games.dogfight_1917.position import Player

WORDS: Words = {
    "gunsight": ("dice",),
    "condition rolled": ("player",),
    "recount": ("player", "pile", "count"),
    "tokens": ("player", "count"),
    "drew": ("player", "count"),
    "missing": ("player",),
    "retired": ("player",),
    "decision": ("text?",),
}
"""Each word with its fields; "?" after one that may be left out."""

REPORTING = Reporting(
    {
        "engagement": ("gunsight", "condition rolled", "missing"),
        "assessment": ("drew", "recount", "tokens"),
        "": ("missing", "recount", "tokens"),
    },
    {"missing": Phrase("A Fighter is gone from the board")},
    {"pile": ("deck", "hand", "discard", "damage")},
)
"""What is reported most in each phase, and how people put it."""

AGREES = "DF-AGREES"
"""The code of a note that what was reported is as recorded."""

_GUNSIGHT = Cite.of("DF-11.3, DF-11.5")
_CONDITION = Cite.of("DF-9.7")
_SUM = Cite.of("DF-4.2")
_SUPPLY = Cite.of("DF-15.1")
_DRAW = Cite.of("DF-6.1, DF-6.2")
_ON_BOARD = Cite.of("DF-9.4")
_REMOVED = Cite.of("DF-19.2")
_RETIRED = Cite.of("RULING 46")


def judge_report(game: Game, fact: Fields) -> Notice:
    """What a report means for the position; BadCall where it is none."""
    return judged(game, fact, WORDS, _JUDGES)


def _player(game: Game, fact: Fields) -> Player:
    """Whom a report is about: by letter, or by the Fighter flown."""
    seat = player_named(game.position, fact["player"])
    if seat is None:
        seat = lettered_seat_in(fact, tuple(game.position.players))
    return game.player(seat)


# -- dice ----------------------------------------------------------------------------------


def _gunsight(game: Game, fact: Fields) -> Notice:
    """Other dice than succeeded (DF-E10), or dice left after the attack (DF-E11)."""
    seen, due = number_in(fact, "dice", MOST_DICE), game.position.gunsight
    if seen == due:
        return agrees(AGREES, f"{dice_words(seen)} on the Gunsight", _GUNSIGHT)
    if not due:
        text = f"{dice_words(seen)} on a Gunsight, and no die that succeeded was placed there."
        return Notice("DF-E11", text, _GUNSIGHT, Level.WARN, "Clear the Gunsight.")
    text = f"{dice_words(seen)} on the Gunsight; {due} succeeded."
    return Notice("DF-E10", text, _GUNSIGHT, Level.WARN, f"Have {dice_words(due)} there.")


def _condition(game: Game, fact: Fields) -> Notice:
    """A conditional die that is not due counts; one that is due is waited for.  (DF-E12)"""
    player, due = _player(game, fact), game.due
    who = game.who(player.seat)
    if due is not None and due.key == "condition" and due.by == player.seat:
        text = f"{who}'s die for {due.what} is due, and not yet entered."
        return Notice("DF-E12", text, due.cite, Level.NOTE, "Enter what it shows.")
    text = f"{who} rolled for a Conditional Effect that is not due."
    return Notice(
        "DF-E12", text, _CONDITION, Level.NOTE, "It counts for nothing; roll when asked to."
    )


# -- counts --------------------------------------------------------------------------------


def _recount(game: Game, fact: Fields) -> Notice:
    """A pile that was counted, or the tokens, against the record.  (DF-E16)"""
    if fact["pile"] == "tokens":
        return _tokens(game, fact)
    player, pile = _player(game, fact), named_in(fact, "pile", pile_named)
    seen, recorded = number_in(fact, "count", DECK_SIZE), player.piles[pile]
    what = counted(seen, f"card in the {pile}", f"cards in the {pile}")
    return _compared(game.who(player.seat), what, seen, recorded, _SUM)


def _tokens(game: Game, fact: Fields) -> Notice:
    """Tokens that were counted, against the record.  (DF-E16)"""
    player, seen = _player(game, fact), number_in(fact, "count", MOST_TOKENS)
    return _compared(game.who(player.seat), counted(seen, "token"), seen, player.tokens, _SUPPLY)


def _compared(who: str, what: str, seen: int, recorded: int, cite: Cite) -> Notice:
    if seen == recorded:
        return agrees(AGREES, f"{who} has {what}", cite)
    text = f"{who} has {what}; the record has {recorded}."
    return Notice("DF-E16", text, cite, Level.BLOCK, CORRECT)


def _drew(game: Game, fact: Fields) -> Notice:
    """Cards drawn beyond those that were ruled.  (DF-E14)"""
    who, count = game.who(_player(game, fact).seat), number_in(fact, "count", DECK_SIZE)
    if not count:
        return agrees(AGREES, f"{who} drew what was ruled", _DRAW)
    text = f"{who} drew {counted(count, 'card')} beyond what was ruled."
    way_out = f"Put {count} back on top of the Deck, or let the arbiter correct the counts."
    return Notice("DF-E14", text, _DRAW, Level.WARN, way_out)


# -- models and decisions ------------------------------------------------------------------


def _missing(game: Game, fact: Fields) -> Notice:
    """A model that is gone without a crash.  (DF-E04)"""
    player = _player(game, fact)
    who = game.who(player.seat)
    if player.plane is None:
        return agrees(AGREES, f"{who}'s Fighter is off the board", _REMOVED)
    text = f"{who}'s Fighter is not on the board; it has not crashed."
    way_out = f"Put it back on {player.plane.name()}, or let the arbiter correct it."
    return Notice("DF-E04", text, _ON_BOARD, Level.BLOCK, way_out)


def _retired(game: Game, fact: Fields) -> Notice:
    """A player leaves the table; nobody waits for them.  (RULING 46)"""
    player = _player(game, fact)
    who = game.who(player.seat)
    if game.position.stage == SET_UP:
        raise BadCall(f"{who} leaves before the first turn [RULING 46]: begin a match without")
    if player.out:
        return agrees(AGREES, f"{who} is out", _RETIRED)
    if game.is_over:
        return left_after_the_end("DF-RETIRED", who, _RETIRED)
    text = f"{who} has left the table; nothing more is asked of {who}."
    notice = Notice("DF-RETIRED", text, _RETIRED, Level.NOTE)
    game.retire(player.seat, notice)
    return notice


def _decision(game: Game, fact: Fields) -> Notice:
    """What the table decides against the book.  (DF-E18)"""
    return decision("DF-E18", fact, game.corrections)


_JUDGES: Judges[Game] = {
    "gunsight": _gunsight,
    "condition rolled": _condition,
    "recount": _recount,
    "tokens": _tokens,
    "drew": _drew,
    "missing": _missing,
    "retired": _retired,
    "decision": _decision,
}
