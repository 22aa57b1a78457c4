"""What the table saw and no question asked: judged, said, and where needed held up.

A report is {"what": WORD, ...}. One that is malformed is a BadCall and changes nothing; one that
agrees with the record is a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.errors import BadCall
from companion.games.dogfight_hex.layout import (
    CARD,
    DECLARE,
    HAND,
    HULL_POINTS,
    SET_UP,
)
from companion.games.dogfight_hex.naming import seat_named
from companion.games.dogfight_hex.position_file import ALL_CARDS
from companion.games.dogfight_hex.refusals import thing_named
from companion.games.dogfight_hex.seats import LABELS
from companion.ruling import Cite, Level, Notice
from companion.spelling import one_of
from companion.wording import counted

if TYPE_CHECKING:
    from companion.games.dogfight_hex.rules import DogfightHex
    from companion.games.dogfight_hex.ship import Ship
    from companion.offers import Json

Fields = Mapping[str, "Json"]

WORDS: Mapping[str, Sequence[str]] = {
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

AGREES = "HX-AGREES"
"""The code of a note that what was reported is as recorded."""

HULL = "hull"
CORRECT = "Say which is right: count again, or let the arbiter correct the record."

_DEAD = Cite.of("HX-DMG-03, HX-WIN-02")
_NO_CARD = Cite.of("RULING 8")
_FORCED = Cite.of("HX-DEC-04")
_ONE_CARD = Cite.of("HX-DEC-01")
_DECLARED = Cite.of("HX-DEC-01, HX-DEC-03")
_RETIRED = Cite.of("RULING 22")
_CARDS = Cite.of("HX-MAT-01, RULING 2")
_HULL = Cite.of("HX-SET-04, HX-DMG-01")
_DRAW = Cite.of("HX-END-02")
_MAP = Cite.of("HX-DMG-02")


def judge_report(game: DogfightHex, fact: Fields) -> Notice:
    """What a report means for the position; BadCall where it is none, MatchOver where it ends."""
    what = fact.get("what")
    judge = _JUDGES.get(what) if isinstance(what, str) else None
    if judge is None or not isinstance(what, str):
        raise BadCall(f"nobody reports {what!r}; the words are {', '.join(WORDS)}")
    _refuse_fields(what, fact)
    return judge(game, fact)


def _refuse_fields(what: str, fact: Fields) -> None:
    """Fields that the word has not, or that it lacks; BadCall names the first."""
    fields = WORDS[what]
    unknown = sorted(fact.keys() - {"what", *(name.removesuffix("?") for name in fields)})
    if unknown:
        raise BadCall(f"{unknown[0]!r} is no field of {what!r}; there are {', '.join(fields)}")
    lacking = [name for name in fields if not name.endswith("?") and name not in fact]
    if lacking:
        raise BadCall(f"the report {what!r} lacks {lacking[0]!r}")


# -- fields --------------------------------------------------------------------------------


def _ship(game: DogfightHex, fact: Fields) -> Ship:
    """Whom a report is about, by the letter of the seat."""
    try:
        seat = seat_named(fact["player"])
    except ValueError as wrong:
        raise BadCall(f"player: {wrong}") from wrong
    if seat not in game.position.ships:
        raise BadCall(f"player: nobody sits at {seat}; there are {', '.join(game.position.ships)}")
    return game.ship(seat)


def _number(fact: Fields, name: str, most: int) -> int:
    """A whole number from none to so many."""
    raw = fact[name]
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from 0 to {most}")
    return raw


# -- cards ---------------------------------------------------------------------------------


def _card_down(game: DogfightHex, fact: Fields) -> Notice:
    """A card that lies face down before somebody who may not lay one, or not another.  (DEC)"""
    ship = _ship(game, fact)
    who = game.who(ship.seat)
    if not ship.lives:
        text = f"{who}'s ship is destroyed; no card is laid any more."
        return Notice("HX-E-DEAD", text, _DEAD, Level.WARN, "Take the card away.")
    if game.position.stage != DECLARE:
        return _laid_late(game, ship, who)
    if ship.bound or ship.card:
        text = f"{who} must use the captured card; no other one is chosen."
        return Notice("HX-E-FORCED", text, _FORCED, Level.WARN, "Take the other card back.")
    if not game.position.deck.count(ship.seat, HAND):
        text = f"{who} has no card in hand by the record, and passes."
        return Notice("HX-E-NOCARD", text, _NO_CARD, Level.BLOCK, CORRECT)
    text = f"{who} has a card down; the question waits for the word."
    return Notice(AGREES, text, _DECLARED, Level.NOTE, "Say that it is down.")


def _laid_late(game: DogfightHex, ship: Ship, who: str) -> Notice:
    """A second card, or one laid when none is."""
    if ship.card or game.position.deck.count(ship.seat, CARD):
        text = f"{who} has declared a card already; one a turn."
        return Notice("HX-E-DUP", text, _ONE_CARD, Level.WARN, "Take the second card back.")
    text = f"{who} declared nothing this turn; it is too late for a card."
    return Notice("HX-E-NOCARD", text, _NO_CARD, Level.WARN, "Take the card back.")


def _recount(game: DogfightHex, fact: Fields) -> Notice:
    """A player's hand or hull points that were counted, against the record."""
    ship, pile = _ship(game, fact), _pile(fact)
    who = game.who(ship.seat)
    if pile == HULL:
        seen = _number(fact, "count", HULL_POINTS)
        return _compared(f"{who} has {counted(seen, 'hull point')}", seen, ship.hull, _HULL)
    seen, recorded = _number(fact, "count", ALL_CARDS), game.position.deck.count(ship.seat, HAND)
    return _compared(f"{who} has {counted(seen, 'card')} in hand", seen, recorded, _CARDS)


def _pile(fact: Fields) -> str:
    try:
        return one_of(fact["pile"], (HULL, HAND), "quantity of a player")
    except ValueError as wrong:
        raise BadCall(f"pile: {wrong}") from wrong


def _deck(game: DogfightHex, fact: Fields) -> Notice:
    """The deck that was counted."""
    seen = _number(fact, "count", ALL_CARDS)
    what = f"The deck has {counted(seen, 'card')}"
    return _compared(what, seen, game.position.deck.left, _CARDS)


def _discard_pile(game: DogfightHex, fact: Fields) -> Notice:
    """The discard pile that was counted."""
    seen = _number(fact, "count", ALL_CARDS)
    what = f"The discard pile has {counted(seen, 'card')}"
    return _compared(what, seen, game.position.deck.discarded, _CARDS)


def _compared(what: str, seen: int, recorded: int, cite: Cite) -> Notice:
    if seen == recorded:
        return _agrees(what, cite)
    text = f"{what}; the record has {recorded}."
    return Notice("HX-COUNT", text, cite, Level.BLOCK, CORRECT)


def _agrees(what: str, cite: Cite) -> Notice:
    return Notice(AGREES, f"As recorded: {what}.", cite, Level.NOTE)


def _drew(game: DogfightHex, fact: Fields) -> Notice:
    """Cards drawn beyond those that were ruled, as after a shield that forbids it."""
    who, count = game.who(_ship(game, fact).seat), _number(fact, "count", ALL_CARDS)
    if not count:
        return _agrees(f"{who} drew what was ruled", _DRAW)
    text = f"{who} drew {counted(count, 'card')} beyond what was ruled."
    way_out = f"Put {count} back on top of the deck, or let the arbiter correct the counts."
    return Notice("HX-E-DRAW", text, _DRAW, Level.WARN, way_out)


# -- ships, tokens and decisions -----------------------------------------------------------


def _missing(game: DogfightHex, fact: Fields) -> Notice:
    """A token that is gone from the map."""
    raw = fact["piece"]
    thing = thing_named(raw)
    if thing is None:
        raise BadCall(f"piece: {raw!r} is no token; there are {', '.join(LABELS)}")
    recorded = game.position.placement().get(thing.piece)
    name = LABELS[thing.piece]
    if recorded is None:
        return _agrees(f"{name} is off the map", _MAP)
    text = f"{name} is not on the map; the record has it on {recorded.space}."
    way_out = f"Put it back on {recorded.space}, or let the arbiter correct it."
    return Notice("HX-SEEN", text, _MAP, Level.BLOCK, way_out)


def _retired(game: DogfightHex, fact: Fields) -> Notice:
    """A player leaves: the ship is destroyed where it is, and its debris never moves.  (R22)"""
    ship = _ship(game, fact)
    who = game.who(ship.seat)
    if not ship.lives and not ship.retired:
        ship.retired = True
        text = f"{who} has left; the debris stays on {ship.debris}."
        return Notice("HX-RETIRED", text, _RETIRED, Level.NOTE)
    if ship.retired:
        return _agrees(f"{who} has left the table", _RETIRED)
    if game.position.stage == SET_UP:
        raise BadCall(f"{who} cannot leave during set-up [RULING 22]: begin anew with fewer")
    game.retire(ship.seat)
    text = f"{who} has left; the ship is debris and does not move."
    return Notice("HX-RETIRED", text, _RETIRED, Level.NOTE)


def _decision(game: DogfightHex, fact: Fields) -> Notice:
    """What the table decides against the book, told openly."""
    raw = fact.get("text", "the book is overruled")
    if not isinstance(raw, str) or not raw.strip():
        raise BadCall(f'text: {raw!r} is no decision; say it in words, as in "we place it anew"')
    text = f"Table decision: {raw.strip().rstrip('.')}."
    return Notice("HX-TABLE", text, game.corrections, Level.NOTE,
                  "Correct the record with an adjustment, so that it shows.")  # fmt: skip


_JUDGES: Mapping[str, Callable[[DogfightHex, Fields], Notice]] = {
    "card down": _card_down,
    "retired": _retired,
    "recount": _recount,
    "deck": _deck,
    "discard pile": _discard_pile,
    "drew": _drew,
    "missing": _missing,
    "decision": _decision,
}
