"""Why a position of Starship Edition cannot be: every fault with its place and its rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.core.ruling import Cite, Fault
from companion.core.text import counted
from companion.games.starship_edition import seats
from companion.games.starship_edition.boards import name_of
from companion.games.starship_edition.figures import BASE_STATS
from companion.games.starship_edition.player import card_of

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
    found += [*_of_preparation(position), *_of_spaces(position)]
    return [Fault(one.path, f"{one.text}.", one.cite) for one in found]


def _of_table(position: StarshipPosition) -> Iterator[Fault]:
    playing = list(position.players)
    if len(playing) < seats.FEWEST:
        text = f"SE-E-PLAYERS: {counted(len(playing), 'player')}; at least {seats.FEWEST} play"
        yield Fault("players", text, _PLAYERS)
    for name, seat in (("priority", position.priority), ("active", position.active)):
        if seat not in playing:
            text = f"Seat {seat} does not play. Name one of {', '.join(playing)}"
            yield Fault(name, text, _PRIORITY)
    for title in position.kept_titles:
        if title not in position.taught:
            text = f"{title!r} is kept, and not among the cards taught. Leave it out"
            yield Fault("kept", text, _CARD)
    alive = position.alive()
    if position.stage != seats.SET_UP and len(alive) < 2 and not position.attacks_waiting:
        left = counted(len(alive), "vessel")
        text = f"With {left} left the match is over. Close it, or undo what ended it"
        yield Fault("players", text, _WINNER)


def _of_player(position: StarshipPosition, player: Player) -> Iterator[Fault]:
    here, who = f"players.{player.seat}", position.named[player.seat]
    if player.vessel not in position.table.vessels:
        known = ", ".join(position.table.vessels)
        text = f"{who} has no vessel {player.vessel!r}; there are {known}"
        yield Fault(f"{here}.vessel", text, _SPACE)
        return
    yield from _of_cards(position, player, here)
    yield from _of_abilities(position, player, here)
    yield from _of_tokens(position, player, here)
    if player.out:
        yield from _of_destroyed(position, player, here)
        return
    zero = position.house.get("destroyed_at") == "zero"
    if player.hull < 0 or (zero and player.hull == 0):
        text = (f"{position.vessel_of(player.seat)} cannot fly with hull {player.hull}. "
                f"Set the hull to {int(zero)} or more, or say that it is destroyed")  # fmt: skip
        yield Fault(f"{here}.hull", text, _HULL)
    yield from _of_tiers(position, player, here)


def _of_destroyed(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    left = player.deck + player.hand + len(player.discard) + len(player.gear) + player.set_cards
    vessel = position.vessel_of(player.seat)
    if left:
        text = (f"{vessel} is destroyed, with {counted(left, 'card')} in play. "
                "Count all of them as removed")  # fmt: skip
        yield Fault(f"{here}.destroyed", text, _GONE)
    if player.space is not None:
        text = f"{vessel} is destroyed, and on the map. Leave its place out"
        yield Fault(f"{here}.place", text, _GONE)


def _of_cards(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    who = position.named[player.seat]
    size = position.table.decks.get(player.deck_name)
    if size is None:
        known = ", ".join(position.table.decks)
        text = f"{who} has no deck {player.deck_name!r}; there are {known}"
        yield Fault(f"{here}.deck_name", text, _SIZE)
        return
    due = sum(size.values())
    if player.total != due:
        yield Fault(here, f"{who} would have {_sum(player)}; the deck has {due}. "
                    "Change another pile with this one", _SIZE)  # fmt: skip
    known_cards = {*position.table.cards, *position.taught}
    yield from _of_twice(position, player, here)
    for card in player.gear:
        if card_of(card, known_cards) not in {*known_cards, seats.FACE_DOWN}:
            text = f"{who} has {card!r} equipped, which is not in the catalogue. Use a card's id, "
            yield Fault(f"{here}.gear", f"{text}or {seats.FACE_DOWN!r}", _CARD)


def _sum(player: Player) -> str:
    """All cards of a player, and where they lie: "41 cards (deck 35, hand 6)"."""
    piles = ((pile.replace("-", " "), count) for pile, count in player.pile_counts().items())
    lying = ", ".join(f"{pile} {count}" for pile, count in piles if count)
    return f"{counted(player.total, 'card')} ({lying})"


def _of_twice(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    """A title of which one lies on a vessel at most.  (SE-R12)"""
    cards, who = {**position.table.cards}, position.named[player.seat]
    named = Counter(card_of(copy, cards) for copy in player.gear)
    for card, number in named.items():
        if number > 1 and card in cards and cards[card].unique_on_vessel:
            text = f"{who} has {card} equipped twice; a vessel carries one. Take one away"
            yield Fault(f"{here}.gear", text, _TWICE)


def _of_abilities(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    own = position.table.vessels[player.vessel].abilities
    known, who = ", ".join(own) or "none", position.named[player.seat]
    for key, names in (("used", player.used), ("declared", player.declared)):
        for name in names:
            if name not in own:
                text = f"{who} has no ability {name!r}; there are {known}"
                yield Fault(f"{here}.{key}", text, _ABILITY)
    for name in player.declared:
        if name in own and name not in player.used:
            text = f"{who} has declared {name}, and it is not among those used. Name it there, too"
            yield Fault(f"{here}.declared", text, _ABILITY)


def _of_tiers(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    who, prepared = position.named[player.seat], counted(len(player.tiers), "tier")
    if len(player.tiers) > player.granted:
        text = f"{who} has prepared {prepared} of {player.granted}. Raise granted, or take one away"
        yield Fault(f"{here}.tiers", text, _TIER)
    for number, tier in enumerate(player.tiers, 1):
        place, whose = f"{here}.tiers.{number - 1}", f"Tier {number} of {who}"
        yield from _of_tier(tier, whose, place)
        yield from _of_moment(position, number, tier, whose, place)
    past = seats.STAGES.index(position.stage) > seats.STAGES.index(seats.PREPARATION)
    if past and not player.prepared:
        text = f"{who} has not prepared, and the phase is {_phase(position)}. Say prepared"
        yield Fault(f"{here}.prepared", text, _TIER)
    short = len(player.tiers) < seats.PRINTED_TIERS
    if player.prepared and short and position.stage != seats.END_OF_TURN:
        of = seats.PRINTED_TIERS
        text = f"{who} has prepared {prepared} of {of}. Name the rest, or not prepared"
        yield Fault(f"{here}.tiers", text, _TIER)
    if player.locked and not player.set_cards:
        text = f"The tiers of {who} are locked, and no card is set. Say that they are not locked"
        yield Fault(f"{here}.locked", text, _LOCK)


def _phase(position: StarshipPosition) -> str:
    return position.stage.replace("-", " ")


def _of_moment(
    position: StarshipPosition, number: int, tier: Tier, whose: str, here: str
) -> Iterator[Fault]:
    """No tier is resolved before its moment, none is left out.  (SE-TLN-01)"""
    due = position.tier if position.stage == seats.TIERS else 0
    before = seats.STAGES.index(position.stage) <= seats.STAGES.index(seats.TIERS)
    if before and tier.resolved and number > due:
        text = f"{whose} is resolved already, and the phase is {_phase(position)}"
        yield Fault(here, f"{text}, tier {due}" if due else text, _TIMELINE)
    if not tier.resolved and number < due and number <= seats.PRINTED_TIERS:
        text = f"{whose} is not resolved yet. Tier {due} comes after it"
        yield Fault(here, text, _TIMELINE)


def _of_tokens(position: StarshipPosition, player: Player, here: str) -> Iterator[Fault]:
    """Counters and changed quantities are of kinds that the table's file has."""
    kinds, who = position.table.file.counters, position.named[player.seat]
    for name in player.counters:
        if name.rpartition(": ")[2] not in kinds:
            text = f"{who} has no counters {name!r}; there are {', '.join(kinds) or 'none'}"
            yield Fault(f"{here}.counters", text, _TOKENS)
    stats = dict.fromkeys((*BASE_STATS, *position.table.file.stats))
    for number, one in enumerate(player.modifiers):
        if one.stat not in stats:
            text = f"{who} has no stat {one.stat!r}; there are {', '.join(stats)}"
            yield Fault(f"{here}.modifiers.{number}.stat", text, _TOKENS)


def _of_preparation(position: StarshipPosition) -> Iterator[Fault]:
    """Nobody prepares before the one ahead is done.  (SE-PRE-01)"""
    if position.stage != seats.PREPARATION or position.priority not in position.players:
        return
    waiting = ""
    for seat in position.turn_order():
        player, who = position.players[seat], position.named[seat]
        if waiting and (player.tiers or player.prepared):
            text = f"{who} has begun, and {waiting} has not prepared yet. {waiting} comes first"
            yield Fault(f"players.{seat}.tiers", text, _ORDER)
        if not player.prepared:
            waiting = waiting or who


def _of_tier(tier: Tier, whose: str, here: str) -> Iterator[Fault]:
    if tier.secondary and not tier.primary and not tier.resolved:
        yield Fault(here, f"{whose} has a second card and no first. Name the first", _DOUBLE)
    if tier.action == seats.SET and not tier.cards and not tier.resolved:
        text = f"{whose} was set, and no card lies there. Name one, or {seats.FACE_DOWN!r}"
        yield Fault(here, text, _TIER)
    if tier.void and not tier.secondary:
        yield Fault(here, f"{whose} has a void card, and there is no second card", _DOUBLE)


def _of_spaces(position: StarshipPosition) -> Iterator[Fault]:
    star_map = position.map
    if star_map is None:
        return
    taken: dict[tuple[int, int], str] = {}
    for player in position.alive():
        here, spot = f"players.{player.seat}.place", player.space
        vessel = position.vessel_of(player.seat)
        if spot is None:
            if position.stage != seats.SET_UP:
                text = f"{vessel} has no place; every vessel stands on the map. Name a space"
                yield Fault(here, text, _SPACE)
            continue
        if spot not in star_map.spaces or spot in star_map.blocked:
            what = "an obstruction" if spot in star_map.blocked else "off the map"
            text = f"{vessel} cannot stand on {name_of(spot)}, which is {what}. Name a free space"
            yield Fault(here, text, _SPACE)
        if spot in taken and position.house.get("share_space") != "yes":
            text = f"{taken[spot]} and {vessel} cannot both stand on {name_of(spot)}. Move one"
            yield Fault(here, text, _SPACE)
        taken[spot] = vessel
        if player.heading >= len(star_map.headings):
            named = ", ".join(f"{n} {name}" for n, name in enumerate(star_map.headings))
            text = f"{vessel} cannot have heading {player.heading}; there are {named}"
            yield Fault(f"players.{player.seat}.heading", text, _SPACE)
