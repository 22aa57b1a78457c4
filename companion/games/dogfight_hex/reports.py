"""Reports of Dogfight! hex ships: what the table saw and no question asked, and the reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall
from companion.core.question import Refusal
from companion.core.ruling import TABLE, Cite, Level, Notice
from companion.core.text import counted, one_of, spelt_like
from companion.games.dogfight_hex import seats
from companion.games.dogfight_hex.cards import seat_named
from companion.games.dogfight_hex.position import ALL_CARDS
from companion.games.dogfight_hex.seats import thing_named
from companion.kit.reports import (
    CORRECT,
    Fields,
    Judges,
    Words,
    agrees,
    decision,
    judged,
    left_after_the_end,
    named_in,
    number_in,
    seat_in,
)
from companion.match.rulebook import Phrase, Reporting

if TYPE_CHECKING:
    from companion.core.question import Question
    from companion.core.ruling import Json, Seat
    from companion.games.dogfight_hex.position import Ship
    from companion.games.dogfight_hex.turn import Turn

WORDS: Words = {
    "card down": ("player",),
    "retired": ("player",),
    "recount": ("player", "pile", "count"),
    "deck": ("count",),
    "discard pile": ("count",),
    "drew": ("player", "count"),
    "missing": ("piece",),
    "decision": ("text?",),
}
"""Each word with its fields; "?" after one that may be left out."""

REPORTING = Reporting(
    {
        "declare": ("card down", "drew", "recount"),
        "": ("missing", "recount", "drew"),
    },
    {"missing": Phrase("A ship or its wreckage is gone")},
)
"""What is reported most in each phase, and how people put it."""

AGREES = "HX-AGREES"
"""The code of a note that what was reported is as recorded."""

HULL = "hull"

_CARD_WORDS = ("down", "laid", "card down", "card laid")
_SHOWN = Cite.of("HX-RES-01")
_OWNER_LAYS = Cite.of("HX-DMG-01, RULING 14")
_ORDERS: Mapping[str, Cite] = {
    seats.SET_UP: Cite.of("HX-SET-05"),
    seats.MOVEMENT: Cite.of("HX-MOV-01, HX-TRN-01"),
    seats.RESOLUTION: Cite.of("HX-RES-02, HX-TRN-01"),
    seats.DEBRIS: Cite.of("HX-DEB-02, RULING 25"),
}
"""Whose turn it is, by the part of the game."""
_DEAD = Cite.of("HX-DMG-03, HX-WIN-02")
_NO_CARD = Cite.of("RULING 8")
_FORCED = Cite.of("HX-DEC-04")
_ONE_CARD = Cite.of("HX-DEC-01")
_DECLARED = Cite.of("HX-DEC-01, HX-DEC-03")
_DEALT = Cite.of("HX-SET-06")
_RETIRED = Cite.of("RULING 22")
_CARDS = Cite.of("HX-MAT-01, RULING 2")
_HULL = Cite.of("HX-SET-04, HX-DMG-01")
_DRAW = Cite.of("HX-END-02")
_MAP = Cite.of("HX-DMG-02")


def judge_report(game: Turn, fact: Fields) -> Notice:
    """What a report means for the position; BadCall where it is none, MatchOver where it ends."""
    return judged(game, fact, WORDS, _JUDGES)


def not_asked(game: Turn, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
    """Why a player may not act while another is asked.  (HX-DEC, HX-TRN-01)"""
    position = game.position
    if seat not in position.ships or asked.by == TABLE:
        return None
    ship, who = game.ship(seat), game.who(seat)
    if ship.retired:
        return Refusal("HX-E-DEAD", f"{who} has left the table, and is not asked.", _RETIRED)
    if not ship.lives and position.stage != seats.DEBRIS:
        text = f"{who}'s ship is destroyed: only its debris still drifts, after all cards."
        return Refusal("HX-E-DEAD", text, _DEAD)
    if position.stage == seats.DECLARE or spelt_like(raw, _CARD_WORDS):
        notice = _card_down(game, {"player": seat})
        return Refusal(notice.code, f"{notice.text} {notice.way_out}", notice.cite)
    if position.stage == seats.REVEAL:
        text = f"{who}'s card lies open already. Wait for {game.who(asked.by)}'s."
        return Refusal("HX-E-DUP", text, _SHOWN)
    text = f"{who} is not asked now: {_whose_turn(game, asked)} Wait for it."
    return Refusal("HX-E-ORDER", text, _order_of(game, asked))


def _whose_turn(game: Turn, asked: Question[Any]) -> str:
    """Who is asked, and for what."""
    who = game.who(asked.by)
    if _is_wreckage(asked):
        return f"{who} lays wreckage."
    doing = {
        seats.SET_UP: "places a ship",
        seats.MOVEMENT: "moves",
        seats.RESOLUTION: "carries out a card",
    }
    return f"{who} {doing.get(game.position.stage, 'moves debris')}."


def _order_of(game: Turn, asked: Question[Any]) -> Cite:
    """The rule of whose turn it is."""
    return _OWNER_LAYS if _is_wreckage(asked) else _ORDERS[game.position.stage]


def _is_wreckage(asked: Question[Any]) -> bool:
    return "/wreckage/" in asked.key


def _ship(game: Turn, fact: Fields) -> Ship:
    """Whom a report is about, by the letter of the seat or by the ship."""
    return game.ship(seat_in(fact, seat_named, tuple(game.position.ships)))


# -- cards ---------------------------------------------------------------------------------


def _card_down(game: Turn, fact: Fields) -> Notice:
    """A card that lies face down before somebody who may not lay one, or not another.  (DEC)"""
    ship = _ship(game, fact)
    who = game.who(ship.seat)
    if not ship.lives:
        text = f"{who}'s ship is destroyed; no card is laid any more."
        return Notice("HX-E-DEAD", text, _DEAD, Level.WARN, "Take the card away.")
    if game.position.stage != seats.DECLARE:
        return _laid_late(game, ship, who)
    if game.ask.key("declare", ship.seat) in game.answered:
        return _second_card(who)
    if ship.bound or ship.card:
        text = f"{who} must use the captured card; no other one is chosen."
        return Notice("HX-E-FORCED", text, _FORCED, Level.WARN, "Take the other card back.")
    if not game.position.deck.count(ship.seat, seats.HAND):
        text = f"{who} has no card in hand by the record, and passes."
        return Notice("HX-E-NOCARD", text, _NO_CARD, Level.BLOCK, CORRECT)
    text = f"{who} has a card down; the question waits for the word."
    return Notice(AGREES, text, _DECLARED, Level.NOTE, "Say laid.")


def _second_card(who: str) -> Notice:
    text = f"{who} has declared a card already; one a turn."
    return Notice("HX-E-DUP", text, _ONE_CARD, Level.WARN, "Take the second card back.")


def _laid_late(game: Turn, ship: Ship, who: str) -> Notice:
    """A second card, or one laid when none is."""
    if game.position.stage == seats.SET_UP:
        text = f"{who} has a card down before the first turn; hands are drawn when all ships stand."
        return Notice("HX-E-NOCARD", text, _DEALT, Level.WARN, "Take the card back.")
    if ship.card or game.position.deck.count(ship.seat, seats.CARD):
        return _second_card(who)
    text = f"{who} declared nothing this turn; it is too late for a card."
    return Notice("HX-E-NOCARD", text, _NO_CARD, Level.WARN, "Take the card back.")


def _recount(game: Turn, fact: Fields) -> Notice:
    """A player's hand or hull points that were counted, against the record."""
    ship, pile = _ship(game, fact), named_in(fact, "pile", _pile_named)
    who = game.who(ship.seat)
    if pile == HULL:
        seen = number_in(fact, "count", seats.HULL_POINTS)
        return _compared(f"{who} has {counted(seen, 'hull point')}", seen, ship.hull, _HULL)
    seen, recorded = (
        number_in(fact, "count", ALL_CARDS),
        game.position.deck.count(ship.seat, seats.HAND),
    )
    return _compared(f"{who} has {counted(seen, 'card')} in hand", seen, recorded, _CARDS)


def _pile_named(raw: object) -> str:
    return one_of(raw, (HULL, seats.HAND), "quantity of a player")


def _deck(game: Turn, fact: Fields) -> Notice:
    """The deck that was counted."""
    seen = number_in(fact, "count", ALL_CARDS)
    what = f"The deck has {counted(seen, 'card')}"
    return _compared(what, seen, game.position.deck.left, _CARDS)


def _discard_pile(game: Turn, fact: Fields) -> Notice:
    """The discard pile that was counted."""
    seen = number_in(fact, "count", ALL_CARDS)
    what = f"The discard pile has {counted(seen, 'card')}"
    return _compared(what, seen, game.position.deck.discarded, _CARDS)


def _compared(what: str, seen: int, recorded: int, cite: Cite) -> Notice:
    if seen == recorded:
        return agrees(AGREES, what, cite)
    text = f"{what}; the record has {recorded}."
    return Notice("HX-COUNT", text, cite, Level.BLOCK, CORRECT)


def _drew(game: Turn, fact: Fields) -> Notice:
    """Cards drawn beyond those that were ruled, as after a shield that forbids it."""
    who, count = game.who(_ship(game, fact).seat), number_in(fact, "count", ALL_CARDS)
    if not count:
        return agrees(AGREES, f"{who} drew what was ruled", _DRAW)
    text = f"{who} drew {counted(count, 'card')} beyond what was ruled."
    way_out = f"Put {count} back on top of the deck, or let the arbiter correct the counts."
    return Notice("HX-E-DRAW", text, _DRAW, Level.WARN, way_out)


# -- ships, tokens and decisions -----------------------------------------------------------


def _missing(game: Turn, fact: Fields) -> Notice:
    """A token that is gone from the map."""
    raw = fact["piece"]
    thing = thing_named(raw)
    if thing is None:
        raise BadCall(f"piece: {raw!r} is no token; there are {', '.join(seats.LABELS)}")
    recorded = game.position.placement().get(thing.piece)
    name = game.position.labels[thing.piece]
    if recorded is None:
        return agrees(AGREES, f"{name} is off the map", _MAP)
    text = f"{name} is not on the map; the record has it on {recorded.space}."
    way_out = f"Put it back on {recorded.space}, or let the arbiter correct it."
    return Notice("HX-SEEN", text, _MAP, Level.BLOCK, way_out)


def _retired(game: Turn, fact: Fields) -> Notice:
    """A player leaves: the ship is destroyed where it is, and its debris never moves.  (R22)"""
    ship = _ship(game, fact)
    who = game.who(ship.seat)
    if game.is_over and not ship.retired:
        return left_after_the_end("HX-RETIRED", who, _RETIRED)
    if not ship.lives and not ship.retired:
        ship.retired = True
        text = f"{who} has left; the debris stays on {ship.debris}."
        return Notice("HX-RETIRED", text, _RETIRED, Level.NOTE)
    if ship.retired:
        return agrees(AGREES, f"{who} has left the table", _RETIRED)
    game.retire(ship.seat)
    return Notice("HX-RETIRED", f"Nothing more is asked of {who}.", _RETIRED, Level.NOTE)


def _decision(game: Turn, fact: Fields) -> Notice:
    """What the table decides against the book."""
    return decision("HX-TABLE", fact, game.corrections)


_JUDGES: Judges[Turn] = {
    "card down": _card_down,
    "retired": _retired,
    "recount": _recount,
    "deck": _deck,
    "discard pile": _discard_pile,
    "drew": _drew,
    "missing": _missing,
    "decision": _decision,
}
