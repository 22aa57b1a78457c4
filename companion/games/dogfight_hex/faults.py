"""Why a position of Dogfight! hex ships cannot be.

What corrections may leave behind for a moment is no fault: a ship without a hull point while an
attack on it is being carried out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.core.ruling import Cite, Fault, Seat
from companion.core.text import counted
from companion.games.dogfight_hex import seats
from companion.games.dogfight_hex.cards import SHIELDS

if TYPE_CHECKING:
    from companion.games.dogfight_hex.position import DogfightHexPosition, Ship
    from companion.kit.hexes import Hex

_PLAYERS = Cite.of("HX-SET-07")
_TURN = Cite.of("HX-TRN-01")
_MAP = Cite.of("RULING 1, RULING 10")
_WRECKAGE = Cite.of("HX-SET-01, RULING 3")
_PLACED = Cite.of("HX-SET-05")
_ONE_A_SPACE = Cite.of("HX-MOV-05, HX-DMG-01")
_SHARED = Cite.of("HX-DEB-03, RULING 24")
_CARDS = Cite.of("HX-MAT-01, RULING 2")
_DEALT = Cite.of("HX-SET-06")
_DECLARED = Cite.of("HX-DEC-01")
_HULL = Cite.of("HX-SET-04, HX-DMG-01")
_DEAD = Cite.of("HX-DMG-03, RULING 21")
_OVER = Cite.of("HX-WIN-01")
_DRIFT = Cite.of("HX-DEB-02")
_BOUND = Cite.of("HX-SHD-06")
_CLAIM = Cite.of("HX-SHD-06, RULING 17")
_SHIELD = Cite.of("HX-SHD-03")


def faults(position: DogfightHexPosition) -> list[Fault]:
    """Every reason why it cannot be, with the place in its file."""
    return [
        *_seat_faults(position),
        *_turn_faults(position),
        *(fault for ship in position.ships.values() for fault in _ship_faults(position, ship)),
        *_card_faults(position),
        *_map_faults(position),
        *_wreckage_faults(position),
        *_over_faults(position),
    ]


def faults_at_start(position: DogfightHexPosition) -> Iterator[Fault]:
    """What an attack under way is yet to do, and nobody would where a match begins here."""
    for ship in position.ships.values():
        path, name = f"ships.{ship.seat}", position.names[ship.seat]
        if ship.owes:
            text = f"{name} has tokens to lay; lay them, and put them under wreckage"
            yield Fault(f"{path}.owes", text, _HULL)
        if ship.lives and not ship.hull:
            text = f"{name} has no hull point left: the ship is debris, with a number in fell"
            yield Fault(f"{path}.hull", text, _DEAD)
    if position.stage == seats.SET_UP and (position.wreckage or position.standing()):
        yield Fault("phase", "set-up lays out the map: it is empty before it", _PLACED)
    if position.stage == seats.SET_UP and position.deck.left != position.table.deck_size:
        text = f"set-up deals: all {position.table.deck_size} cards are in the deck before it"
        yield Fault("deck", text, _DEALT)


# -- who plays, and how far the turn has come ----------------------------------------------


def _seat_faults(position: DogfightHexPosition) -> Iterator[Fault]:
    taken = tuple(position.ships)
    for seat in seats.SEATS[: len(taken)]:
        if seat not in position.ships:
            text = f"{seat} is empty; {len(taken)} players take the first seats of A to F"
            yield Fault(f"ships.{seat}", text, _PLAYERS)


def _turn_faults(position: DogfightHexPosition) -> Iterator[Fault]:
    stage = position.stage
    if stage not in seats.STAGES:
        yield Fault("phase", f"{stage!r} is no phase; there are {', '.join(seats.STAGES)}", _TURN)
    if stage == seats.SET_UP and position.turn != 1:
        yield Fault("turn", f"set-up comes before turn 1, not before {position.turn}", _TURN)
    named = {"first": (position.first,), "done": position.done, "drifting": position.drifting or ()}
    for path, told in named.items():
        yield from _strangers(position, path, told)
    if position.done and stage not in (seats.MOVEMENT, seats.RESOLUTION, seats.DEBRIS):
        yield Fault("done", f"in {stage} all act at once; nobody has acted before", _TURN)
    drifts = (position.drifting is not None, position.steps, position.rammed)
    if any(drifts) and stage != seats.DEBRIS:
        yield Fault("drifting", f"nothing drifts in {stage}, only after all cards", _DRIFT)


def _strangers(
    position: DogfightHexPosition, path: str, named: tuple[Seat, ...]
) -> Iterator[Fault]:
    there = ", ".join(position.ships)
    for seat in named:
        if seat not in position.ships:
            yield Fault(path, f"nobody sits at {seat}; there are {there}", _TURN)
    twice = next((seat for seat in named if named.count(seat) > 1), None)
    if twice is not None:
        yield Fault(
            path, f"{position.names.get(twice, twice)} is named twice; name each once", _TURN
        )


# -- one ship ------------------------------------------------------------------------------


def _ship_faults(position: DogfightHexPosition, ship: Ship) -> Iterator[Fault]:
    yield from _hull_faults(position, ship)
    if ship.lives:
        yield from _living_faults(position, ship)
    else:
        yield from _dead_faults(position, ship)
    yield from _effect_faults(position, ship)


def _hull_faults(position: DogfightHexPosition, ship: Ship) -> Iterator[Fault]:
    laid = sum(hull in position.wreckage for hull in seats.HULLS[ship.seat])
    total = ship.hull + ship.owes + ship.aside + laid
    if total != seats.HULL_POINTS:
        text = (
            f"hull {ship.hull} + laid {laid} + aside {ship.aside} + to lay {ship.owes} = {total}; "
            f"{position.names[ship.seat]} has {seats.HULL_POINTS} hull point tokens"
        )
        yield Fault(f"ships.{ship.seat}.hull", text, _HULL)


def _living_faults(position: DogfightHexPosition, ship: Ship) -> Iterator[Fault]:
    path, name = f"ships.{ship.seat}", position.names[ship.seat]
    if ship.at is None and position.stage != seats.SET_UP:
        text = f"the ship of {name} stands nowhere; name its place, or where its debris lies"
        yield Fault(f"{path}.place", text, _PLACED)
    if ship.debris is not None:
        text = f"{name} has debris and is not destroyed; give its number in fell, or no debris"
        yield Fault(f"{path}.debris", text, _DEAD)
    if ship.retired:
        yield Fault(f"{path}.retired", f"{name} has left: the ship is destroyed", _DEAD)
    if not ship.hull and position.stage not in (seats.RESOLUTION, seats.DEBRIS):
        text = f"{name} has no hull point left: the ship is destroyed"
        yield Fault(f"{path}.hull", text, _DEAD)


def _dead_faults(position: DogfightHexPosition, ship: Ship) -> Iterator[Fault]:
    path, name, deck = f"ships.{ship.seat}", position.names[ship.seat], position.deck
    if position.stage == seats.SET_UP and not ship.retired:
        yield Fault(f"{path}.fell", f"{name} cannot be destroyed before turn 1", _TURN)
    if ship.at is not None:
        text = f"the ship of {name} is destroyed: its token lies as debris, name that space"
        yield Fault(f"{path}.place", text, _DEAD)
    if ship.debris is None and not ship.retired:
        yield Fault(f"{path}.debris", f"name the space where the debris of {name} lies", _DEAD)
    if ship.hull:
        yield Fault(f"{path}.hull", f"{name} is destroyed and has no hull point", _DEAD)
    if deck.count(ship.seat, seats.HAND) or deck.count(ship.seat, seats.CAPTURED):
        text = f"{name} is destroyed: hand and captured card are discarded"
        yield Fault(f"{path}.hand", text, _DEAD)
    if ship.bound or ship.anchored:
        yield Fault(f"{path}.bound", f"{name} is destroyed: nothing binds debris", _DEAD)


def _effect_faults(position: DogfightHexPosition, ship: Ship) -> Iterator[Fault]:
    path, name = f"ships.{ship.seat}", position.names[ship.seat]
    if ship.stopped and ship.card not in SHIELDS:
        yield Fault(f"{path}.stopped", f"{name} has no shield that could have stopped it", _SHIELD)
    claimed = position.ships.get(ship.claims) if ship.claims is not None else None
    if ship.claims is not None and (claimed is None or claimed is ship):
        whose = position.names.get(ship.claims, ship.claims)
        yield Fault(f"{path}.claims", f"{name} cannot take a card of {whose}", _CLAIM)
    if position.deck.count(ship.seat, seats.CAPTURED) and not ship.bound:
        text = f"{name} has captured a card: say in bound which attack it is"
        yield Fault(f"{path}.bound", text, _BOUND)


# -- cards ---------------------------------------------------------------------------------


def _card_faults(position: DogfightHexPosition) -> Iterator[Fault]:
    piles, size = position.deck.piles, position.table.deck_size
    if piles.total != size:
        counts = " + ".join(
            f"{_called(position, pile)} {count}" for pile, count in piles.counts.items() if count
        )
        text = f"{counts or 'none'} = {piles.total}; the deck has {size} cards"
        yield Fault("deck", text, _CARDS)
    for pile, cards in piles.known.items():
        if len(cards) > piles.counts.get(pile, 0):
            known, there = counted(len(cards), "card"), piles.counts.get(pile, 0)
            text = f"{known} known in {_called(position, pile)}; the record has {there} there"
            yield Fault("discarded", text, _CARDS)
    for kind, count in Counter(position.deck.seen()).items():
        if count > position.table.deck.get(kind, 0):
            text = f"{count} of {kind} are known; the deck has {position.table.deck[kind]}"
            yield Fault("discarded", text, _CARDS)
    for seat in position.ships:
        yield from _declared_faults(position, seat)


def _called(position: DogfightHexPosition, pile: str) -> str:
    """A pile, by its player's name where one has it: "Ana's hand"."""
    seat, own, name = pile.partition("'s ")
    return f"{position.names.get(Seat(seat), seat)}'s {name}" if own else pile


def _declared_faults(position: DogfightHexPosition, seat: Seat) -> Iterator[Fault]:
    path, declared = f"ships.{seat}.declared", position.deck.count(seat, seats.CARD)
    ship, by_proxy = position.ships[seat], position.house.get("double_capture") == "proxy"
    name = position.names[seat]
    if ship.lives and ship.card and not declared and not by_proxy:
        text = f"{name} shows {ship.card} and has no card down; no card shows nothing"
        yield Fault(f"ships.{seat}.card", text, _DECLARED)
    if declared > 1:
        yield Fault(path, f"{declared} cards; {name} declares one a turn", _DECLARED)
    if (
        declared
        and position.stage in (seats.SET_UP, seats.DECLARE)
        and not position.ships[seat].card
    ):
        text = f"nothing is declared in {position.stage} yet: the card is in the hand"
        yield Fault(path, text, _DECLARED)


# -- the map -------------------------------------------------------------------------------


def _map_faults(position: DogfightHexPosition) -> Iterator[Fault]:
    taken: dict[Hex, str] = {}
    for piece, space in position.wreckage.items():
        yield from _taken(position, taken, f"wreckage.{piece}", space, position.labels[piece])
    ships: dict[Hex, str] = {}
    for seat, ship in position.ships.items():
        if ship.at is not None:
            path, label = f"ships.{seat}.place", position.labels[ship.piece]
            yield from _taken(position, taken, path, ship.at.hex, label)
            ships[ship.at.hex] = label
    for seat, ship in position.ships.items():
        if ship.debris is not None:
            path, label = f"ships.{seat}.debris", position.labels[ship.debris_piece]
            where = {} if _may_share(position) else ships
            yield from _taken(position, where, path, ship.debris, label, _SHARED)


def _may_share(position: DogfightHexPosition) -> bool:
    """Whether debris may lie on the space of a ship, or of other debris.  (RULING 23)"""
    return position.house.get("debris_ram") == "enter"


def _taken(
    position: DogfightHexPosition,
    taken: dict[Hex, str],
    path: str,
    space: Hex,
    label: str,
    cite: Cite = _ONE_A_SPACE,
) -> Iterator[Fault]:
    """Off the map, or where something lies that cannot share its space."""
    if space not in position.table.board:
        spaces = len(position.table.board.spaces)
        text = f"{space} is off the map of {spaces} spaces ({position.table.name})"
        yield Fault(path, text, _MAP)
    other = taken.setdefault(space, label)
    if other != label:
        yield Fault(path, f"{other} is on {space} already; {label} cannot be there too", cite)


def _wreckage_faults(position: DogfightHexPosition) -> Iterator[Fault]:
    if position.stage == seats.SET_UP:
        return
    for wreck in seats.WRECKS:
        if wreck not in position.wreckage:
            text = f"{seats.LABELS[wreck]} lies nowhere; all {len(seats.WRECKS)} lie on the map"
            yield Fault(f"wreckage.{wreck}", text, _WRECKAGE)


def _over_faults(position: DogfightHexPosition) -> Iterator[Fault]:
    if sum(ship.lives for ship in position.ships.values()) < min(2, len(position.ships)):
        yield Fault("ships", "fewer than two ships are left: the game is over", _OVER)
