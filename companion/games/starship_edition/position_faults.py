"""Why a position cannot be: every fault with its place in the file and its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.games.starship_edition.figures import BASE_STATS
from companion.games.starship_edition.layout import (
    END_OF_TURN,
    FACE_DOWN,
    PREPARATION,
    PRINTED_TIERS,
    SET,
    SET_UP,
    STAGES,
    TIERS,
)
from companion.games.starship_edition.player import card_of
from companion.games.starship_edition.seats import FEWEST
from companion.games.starship_edition.star_map import name_of
from companion.ruling import Cite, Fault
from companion.wording import counted

if TYPE_CHECKING:
    from companion.games.starship_edition.player import Player, Tier
    from companion.games.starship_edition.position import StarshipPosition

_PLAYERS = Cite.of("SE-R01, RULING 1")
_SPACE = Cite.of("SE-R03, RULING 3")
_SIZE = Cite.of("SE-SET-01, SE-R24, RULING 24")
_TIER = Cite.of("SE-PRE-02, SE-PRE-03")
_ORDER = Cite.of("SE-PRE-01")
_TIMELINE = Cite.of("SE-ACT-03, SE-TLN-01")
_TOKENS = Cite.of("SE-R23, RULING 23")
_DOUBLE = Cite.of("SE-DBL-02, SE-DBL-03")
_HULL = Cite.of("SE-R19, RULING 19")
_PRIORITY = Cite.of("SE-PRI-02, SE-R18, RULING 18")
_LOCK = Cite.of("SE-LCK-02, SE-R05, RULING 5")
_ABILITY = Cite.of("SE-ABL-01, SE-R04, RULING 4")
_WINNER = Cite.of("SE-R22, RULING 22")
_TWICE = Cite.of("SE-R12, RULING 12")
_CARD = Cite.of("SE-ACT-04")
_GONE = Cite.of("SE-R21, RULING 21")


def faults(position: StarshipPosition) -> list[Fault]:
    """Every fault, in the order of the file."""
    found = [*_of_table(position)]
    for player in position.players.values():
        found += _of_player(position, player)
    return [*found, *_of_preparation(position), *_of_spaces(position)]


def _of_table(position: StarshipPosition) -> Iterator[Fault]:
    seats = list(position.players)
    if len(seats) < FEWEST:
        text = f"SE-E-PLAYERS: {counted(len(seats), 'player')}; at least {FEWEST} play"
        yield Fault("players", text, _PLAYERS)
    for name, seat in (("priority", position.priority), ("active", position.active)):
        if seat not in seats:
            text = f"seat {seat} does not play; there are {', '.join(seats)}"
            yield Fault(name, text, _PRIORITY)
    for title in position.kept:
        if title not in position.taught:
            text = f"{title!r} is kept, and not among the cards taught"
            yield Fault("kept", text, _CARD)
    alive = position.alive()
    if position.stage != SET_UP and len(alive) < 2 and not position.attacks_waiting:
        text = f"{counted(len(alive), 'vessel')} left: the match would be over"
        yield Fault("players", text, _WINNER)


def _of_player(position: StarshipPosition, player: Player) -> Iterator[Fault]:
    here = f"players.{player.seat}"
    if player.vessel not in position.table.vessels:
        known = ", ".join(position.table.vessels)
        yield Fault(f"{here}.vessel", f"no vessel {player.vessel!r}; there are {known}", _SPACE)
        return
    yield from _of_cards(position, player, here)
    yield from _of_abilities(position, player, here)
    yield from _of_tokens(position, player, here)
    if player.out:
        yield from _of_destroyed(player, here)
        return
    zero = position.house.get("destroyed_at") == "zero"
    if player.hull < 0 or (zero and player.hull == 0):
        text = f"hull {player.hull}, and not destroyed; say destroyed = true"
        yield Fault(f"{here}.hull", text, _HULL)
    yield from _of_tiers(position, player, here)


def _of_destroyed(player: Player, here: str) -> Iterator[Fault]:
    left = player.deck + player.hand + len(player.discard) + len(player.gear) + player.set_cards
    if left:
        text = f"destroyed, with {counted(left, 'card')} in play; all are removed"
        yield Fault(f"{here}.destroyed", text, _GONE)
    if player.space is not None:
        yield Fault(f"{here}.place", "destroyed, and on the map; leave the place out", _GONE)


def _of_cards(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    size = position.table.decks.get(player.deck_name)
    if size is None:
        known = ", ".join(position.table.decks)
        yield Fault(f"{here}.deck_name", f"no deck {player.deck_name!r}; there are {known}", _SIZE)
        return
    due = sum(size.values())
    if player.total != due:
        text = f"{counted(player.total, 'card')} in all places; the deck has {due}"
        yield Fault(here, text, _SIZE)
    known_cards = {*position.table.cards, *position.taught}
    yield from _of_twice(position, player, here)
    for card in player.gear:
        if card_of(card, known_cards) not in {*known_cards, FACE_DOWN}:
            text = f"{card!r} is not in the catalogue; use its id, or {FACE_DOWN!r}"
            yield Fault(f"{here}.gear", text, _CARD)


def _of_twice(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    """A title of which one lies on a vessel at most.  (SE-R12)"""
    cards = {**position.table.cards}
    named = Counter(card_of(copy, cards) for copy in player.gear)
    for card, number in named.items():
        if number > 1 and card in cards and cards[card].unique_on_vessel:
            yield Fault(f"{here}.gear", f"{card} is equipped twice; one a vessel", _TWICE)


def _of_abilities(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    own = position.table.vessels[player.vessel].abilities
    known = ", ".join(own) or "none"
    for key, names in (("used", player.used), ("declared", player.declared)):
        for name in names:
            if name not in own:
                yield Fault(f"{here}.{key}", f"no ability {name!r}; there are {known}", _ABILITY)
    for name in player.declared:
        if name in own and name not in player.used:
            text = f"{name} is to come, and not among those used this turn"
            yield Fault(f"{here}.declared", text, _ABILITY)


def _of_tiers(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    if len(player.tiers) > player.granted:
        text = f"{len(player.tiers)} tiers are prepared, {player.granted} granted"
        yield Fault(f"{here}.tiers", text, _TIER)
    for number, tier in enumerate(player.tiers):
        yield from _of_tier(tier, f"{here}.tiers.{number}")
        yield from _of_moment(position, number + 1, tier, f"{here}.tiers.{number}")
    past = STAGES.index(position.stage) > STAGES.index(PREPARATION)
    if past and not player.prepared:
        yield Fault(f"{here}.prepared", f"not prepared in the {position.stage}", _TIER)
    short = len(player.tiers) < PRINTED_TIERS
    if player.prepared and short and position.stage != END_OF_TURN:
        text = f"prepared, with {len(player.tiers)} of {PRINTED_TIERS} tiers"
        yield Fault(f"{here}.tiers", text, _TIER)
    if player.locked and not player.set_cards:
        yield Fault(f"{here}.locked", "locked, and no card is set", _LOCK)


def _of_moment(position: StarshipPosition, number: int, tier: Tier, here: str) -> Iterator[Fault]:
    """No tier is resolved before its moment, none is left out.  (SE-TLN-01)"""
    due = position.tier if position.stage == TIERS else 0
    before = STAGES.index(position.stage) <= STAGES.index(TIERS)
    if before and tier.resolved and number > due:
        text = f"tier {number} is resolved, in the {position.stage}"
        yield Fault(here, f"{text} of tier {due}" if due else text, _TIMELINE)
    if not tier.resolved and number < due and number <= PRINTED_TIERS:
        yield Fault(here, f"tier {number} is not resolved; tier {due} is", _TIMELINE)


def _of_tokens(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    """Counters and changed quantities are of kinds that the table's file has."""
    kinds = position.table.file.counters
    for name in player.counters:
        if name.rpartition(": ")[2] not in kinds:
            text = f"no counters {name!r}; there are {', '.join(kinds) or 'none'}"
            yield Fault(f"{here}.counters", text, _TOKENS)
    stats = dict.fromkeys((*BASE_STATS, *position.table.file.stats))
    for number, one in enumerate(player.modifiers):
        if one.stat not in stats:
            text = f"{one.stat!r} is no stat; there are {', '.join(stats)}"
            yield Fault(f"{here}.modifiers.{number}.stat", text, _TOKENS)


def _of_preparation(position: StarshipPosition) -> Iterator[Fault]:
    """Nobody prepares before the one ahead is done.  (SE-PRE-01)"""
    if position.stage != PREPARATION or position.priority not in position.players:
        return
    waiting = ""
    for seat in position.turn_order():
        player = position.players[seat]
        if waiting and (player.tiers or player.prepared):
            text = f"{seat} has begun, and {waiting} has not prepared yet"
            yield Fault(f"players.{seat}.tiers", text, _ORDER)
        if not player.prepared:
            waiting = waiting or seat


def _of_tier(tier: Tier, here: str) -> Iterator[Fault]:
    if tier.secondary and not tier.primary and not tier.resolved:
        yield Fault(here, "a second card and no first; name the first", _DOUBLE)
    if tier.action == SET and not tier.cards and not tier.resolved:
        yield Fault(here, "set, and no card lies there", _TIER)
    if tier.void and not tier.secondary:
        yield Fault(here, "void, and there is no second card", _DOUBLE)


def _of_spaces(position: StarshipPosition) -> Iterator[Fault]:
    star_map = position.map
    if star_map is None:
        return
    taken: dict[tuple[int, int], str] = {}
    for player in position.alive():
        here, spot = f"players.{player.seat}.place", player.space
        if spot is None:
            if position.stage != SET_UP:
                yield Fault(here, "no place; every vessel stands on the map", _SPACE)
            continue
        if spot not in star_map.spaces or spot in star_map.blocked:
            what = "an obstruction" if spot in star_map.blocked else "off the map"
            yield Fault(here, f"{name_of(spot)} is {what}", _SPACE)
        if spot in taken and position.house.get("share_space") != "yes":
            text = f"{name_of(spot)} is where {taken[spot]} stands; one vessel a space"
            yield Fault(here, text, _SPACE)
        taken[spot] = player.seat
        if player.heading >= len(star_map.headings):
            text = f"heading {player.heading}; there are 0 to {len(star_map.headings) - 1}"
            yield Fault(f"players.{player.seat}.heading", text, _SPACE)
