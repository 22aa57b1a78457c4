"""Reports of Starship Edition: what people or the camera saw and no question asked, and the reply.

A report is {"what": WORD, ...}. One that is malformed is a BadCall and changes nothing; one that
agrees with the record is a note. In this order: reports, answers of those who are not asked, the
camera's map against the record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from companion.core.offers import PictureState, SeenState
from companion.core.question import Order, Refusal
from companion.core.ruling import TABLE, Cite, Level, Notice
from companion.core.text import counted, listed, one_of
from companion.games.starship_edition import refusals
from companion.games.starship_edition.boards import name_of
from companion.games.starship_edition.seats import MOST_CARDS, PREPARATION, SET_UP
from companion.kit.comparing import RESTORE
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
    from companion.core.board import Piece
    from companion.core.offers import Seen, Sighting
    from companion.core.question import Question
    from companion.core.ruling import Json, Seat
    from companion.games.starship_edition.game import Game
    from companion.games.starship_edition.player import Player
    from companion.games.starship_edition.position import StarshipPosition


WORDS: Words = {
    "acted": ("player",),
    "ordered": ("player",),
    "rearranged": ("player",),
    "drew": ("player", "count"),
    "late card": ("player",),
    "leaves": ("player",),
    "recount": ("player", "pile", "count"),
    "decision": ("text?",),
}
"""Each word with its fields; "?" after one that may be left out."""

PILES = ("deck", "hand", "discard", "hull", "energy")

REPORTING = Reporting(
    {
        "preparation": ("rearranged", "late card", "drew"),
        "tier-sequence": ("acted", "ordered", "recount"),
        "": ("recount", "drew", "acted"),
    },
    {"late card": Phrase("A card was set too late")},
    {"pile": PILES},
)
"""What is reported most in each phase, and how people put it."""

AGREES = "SE-AGREES"
"""The code of a note that what was reported is as recorded."""

_TURN_ORDER = Cite.of("SE-PRE-01, SE-TLN-01")
_PREROGATIVE = Cite.of("SE-PPR-01, SE-PPR-03, SE-R13, RULING 13")
_OVER = Cite.of("SE-LCK-01, SE-R05, RULING 5")
_LOCKED = Cite.of("SE-LCK-02, SE-R05, RULING 5")
_DRAW = Cite.of("SE-EOT-02, SE-R18, RULING 18")
_ONCE = Cite.of("SE-R14, RULING 14")
_LEFT = Cite.of("SE-R21, RULING 21, RULING 29")
_SUM = Cite.of("SE-R24, RULING 24")


def judge_report(game: Game, fact: Fields) -> Notice:
    """What a report means for the position; BadCall where it is none."""
    return judged(game, fact, WORDS, _JUDGES)


def _player(game: Game, fact: Fields) -> Player:
    return game.player(lettered_seat_in(fact, tuple(game.position.players)))


def _acted(game: Game, fact: Fields) -> Notice:
    """Somebody acted whose moment it is not.  (SE-E-ORDER)"""
    player, active = _player(game, fact), game.position.active
    if player.seat == active:
        return agrees(AGREES, f"{game.who(active)} acts now", _TURN_ORDER)
    text = f"{game.who(player.seat)} acted; it is {game.who(active)}'s moment."
    return Notice("SE-E-ORDER", text, _TURN_ORDER, Level.WARN, "Take it back and wait.")


def _ordered(game: Game, fact: Fields) -> Notice:
    """Somebody put events in order who may not.  (SE-E-PREROGATIVE)"""
    player, chooser = _player(game, fact), game.chooser()
    if player.seat == chooser:
        return agrees(AGREES, f"{game.who(chooser)} orders what coincides", _PREROGATIVE)
    text = f"{game.who(player.seat)} may not order what coincides on different vessels."
    way_out = f"{game.who(chooser)} orders it; on one vessel its own player does."
    return Notice("SE-E-PREROGATIVE", text, _PREROGATIVE, Level.WARN, way_out)


def _rearranged(game: Game, fact: Fields) -> Notice:
    """Set cards were moved although it is too late.  (SE-E-PHASE, SE-E-LOCKED)"""
    player = _player(game, fact)
    own = game.position.stage == PREPARATION and game.position.active == player.seat
    who = game.who(player.seat)
    if not own or player.prepared:
        text = f"{who} rearranged outside the own Preparation."
        return Notice("SE-E-PHASE", text, _OVER, Level.WARN, "Put the cards back as they lay.")
    if player.locked:
        text = f"{who} rearranged locked tiers."
        return Notice("SE-E-LOCKED", text, _LOCKED, Level.WARN, "Put the cards back as they lay.")
    return agrees(AGREES, f"{who} may rearrange", _OVER)


def _drew(game: Game, fact: Fields) -> Notice:
    """Cards drawn beyond those that were ruled.  (SE-E-ORDER)"""
    who, count = game.who(_player(game, fact).seat), number_in(fact, "count", MOST_CARDS)
    if not count:
        return agrees(AGREES, f"{who} drew what was ruled", _DRAW)
    text = f"{who} drew {counted(count, 'card')} beyond what was ruled."
    way_out = f"Put {count} back on the deck, or let the arbiter correct the counts."
    return Notice("SE-E-ORDER", text, _DRAW, Level.WARN, way_out)


def _late_card(game: Game, fact: Fields) -> Notice:
    """A card added after its player had said there were no more.  (SE-E-FINAL)"""
    text = f"{game.who(_player(game, fact).seat)} had finished; one chance is all."
    return Notice("SE-E-FINAL", text, _ONCE, Level.WARN, "Take the card back to the hand.")


def _recount(game: Game, fact: Fields) -> Notice:
    """A pile, hull or energy that was counted, against the record."""
    player, seen = _player(game, fact), number_in(fact, "count", MOST_CARDS)
    pile = named_in(fact, "pile", lambda raw: one_of(raw, PILES, "pile"))
    recorded = len(player.discard) if pile == "discard" else int(getattr(player, pile))
    who = game.who(player.seat)
    if seen == recorded:
        return agrees(AGREES, f"{who} has {pile} {seen}", _SUM)
    text = f"{who} has {pile} {seen}; the record has {recorded}."
    return Notice("SE-E-COUNT", text, _SUM, Level.BLOCK, CORRECT)


def _leaves(game: Game, fact: Fields) -> Notice:
    """A player leaves the table: vessel and cards are lost.  (RULING 29)"""
    player = _player(game, fact)
    who = game.who(player.seat)
    if player.out:
        return agrees(AGREES, f"nothing is asked of {who} any more", _LEFT)
    if game.is_over:
        return left_after_the_end("SE-LEFT", who, _LEFT)
    game.destroy(player.seat, "has left the table", _LEFT)
    if not game.position.attacks_waiting:
        game.end_if_decided()
    text = f"{who} has left: vessel and cards leave the game, and nothing is asked of {who}."
    return Notice("SE-LEFT", text, _LEFT, Level.NOTE)


def _decision(game: Game, fact: Fields) -> Notice:
    """What the table decides against the book."""
    return decision("SE-DECISION", fact, game.corrections)


_JUDGES: Judges[Game] = {
    "acted": _acted, "ordered": _ordered, "rearranged": _rearranged, "drew": _drew,
    "late card": _late_card, "leaves": _leaves, "recount": _recount, "decision": _decision,
}  # fmt: skip


# Why a player may not act while another is asked.  (SE-PRE-01, SE-TLN-01, SE-PPR-01, SE-R14)

_PLACING = Cite.of("SE-SET-05")


def not_asked(game: Game, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
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


# Where the table as the camera sees it differs from the record.

_SPACE = Cite.of("SE-R03, RULING 3")
_GONE = Cite.of("SE-R21, RULING 21")


def compare(
    position: StarshipPosition, sighting: Sighting, lagging: Collection[Piece] = ()
) -> list[Notice]:
    """What a settled picture says against the record; nothing of vessels on their way."""
    if sighting.state is not PictureState.SETTLED or position.map is None:
        return []
    notices = [*_sharing(position, sighting, lagging)]
    for player in position.players.values():
        seen = sighting.pieces.get(player.piece)
        if seen is not None and player.piece not in lagging:
            notices += _judge_seen(position, player, seen)
    return notices


def _sharing(
    position: StarshipPosition, sighting: Sighting, lagging: Collection[Piece]
) -> Iterator[Notice]:
    """Two vessels on one space.  (SE-E-SPACE)"""
    called = {player.piece: position.vessel_of(player.seat) for player in position.players.values()}
    on: dict[str, list[str]] = {}
    for piece, seen in sighting.pieces.items():
        if seen.state is SeenState.SEEN and seen.pose is not None and piece not in lagging:
            on.setdefault(seen.pose.space, []).append(called.get(piece, str(piece)))
    if position.house.get("share_space") == "yes":
        return
    for space, vessels in on.items():
        if len(vessels) > 1:
            text = f"{' and '.join(vessels)} stand on one space, {space}."
            way_out = "One vessel a space: move the one that moved last."
            yield Notice("SE-E-SPACE", text, _SPACE, Level.BLOCK, way_out)


def _judge_seen(position: StarshipPosition, player: Player, seen: Seen) -> Iterator[Notice]:
    name = position.vessel_of(player.seat)
    if player.space is None:
        if seen.pose is not None and position.stage != SET_UP:
            text = f"{name} is destroyed and still stands on {seen.pose.space}."
            yield Notice("SE-E-SPACE", text, _GONE, Level.WARN, "Take it off the map.")
        return
    recorded = name_of(player.space)
    if seen.state is SeenState.UNSURE:
        many = len(seen.spaces) > 1
        where = f"between {listed(seen.spaces)}" if many else "on no space of the map"
        text = f"{name} stands {where}; the record has it on {recorded}."
        yield Notice("SE-E-SPACE", text, _SPACE, Level.WARN, "Put it on the middle of its space.")
    elif seen.state is SeenState.LOST:
        text = f"{name} is not seen; the record has it on {recorded}."
        yield Notice("SE-E-SPACE", text, _SPACE, Level.NOTE, RESTORE)
    elif seen.state is SeenState.SEEN and seen.pose is not None and seen.pose.space != recorded:
        code = "SE-E-MOVE" if player.seat == position.active else "SE-E-ORDER"
        text = f"{name} stands on {seen.pose.space}, the record has {recorded}."
        yield Notice(code, text, _SPACE, Level.BLOCK, RESTORE)
