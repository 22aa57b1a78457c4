"""Why a position of Dogfight: 1917 cannot be, whatever the mode.

The mode says in the position which seats are a team, and who comes back after a crash. What else
one mode alone forbids, as a pair of Fighter and pilot that the chart does not have, is for its
rules. What corrections may leave behind is no fault: a Deck that ran empty, or any number of tokens
while the supply has no end (DF-15.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from companion.games.dogfight_1917.cards import (
    COPIES,
    DECK_SIZE,
    FIGHTER_NAMES,
    FIGHTERS,
    MENTOR,
    MENTOR_CARDS,
    PILOTS,
    TOKENS_IN_BOX,
)
from companion.games.dogfight_1917.layout import (
    ASSESSMENT,
    DECK,
    ENGAGEMENT,
    PILES,
    PLAYED,
    SET_UP,
    STAGES,
)
from companion.games.dogfight_1917.naming import PILOT_NAMES
from companion.games.dogfight_1917.seats import NAMES, SEATS, WINGMEN
from companion.hexes import FLAT_TOP_NAMES, Heading, Hex
from companion.ruling import Cite, Fault, Seat

if TYPE_CHECKING:
    from companion.games.dogfight_1917.player import Player
    from companion.games.dogfight_1917.position import Dogfight1917Position

_COMPONENTS = Cite.of("DF-1.1")
_COPIES = Cite.of("DF-1.2")
_BOARD = Cite.of("DF-2.2, DF-9.4, RULING 1")
_HEADING = Cite.of("DF-2.3")
_ONE_A_SPACE = Cite.of("DF-2.6")
_GUNSIGHT = Cite.of("DF-2.7")
_CHOICE = Cite.of("DF-3.2")
_SIDE_A = Cite.of("DF-3.4")
_START = Cite.of("DF-3.6")
_DEALT = Cite.of("DF-3.5")
_FIRST_TOKENS = Cite.of("DF-3.7")
_SUM = Cite.of("DF-4.2")
_PLAYED = Cite.of("DF-4.5, DF-8.3, RULING 28")
_TURN = Cite.of("DF-5.1")
_IMPROVISED = Cite.of("DF-7.1")
_MANEUVERED = Cite.of("DF-8.2")
_SUPPLY = Cite.of("DF-15.1")
_FIRST_CRASH = Cite.of("DF-16.4")
_CRASHED = Cite.of("DF-19.2, DF-23.4, RULING 33, RULING 44")
_TAKE_PART = Cite.of("DF-22.1")
_OVER = Cite.of("DF-22.5, DF-23.5")
_NEVER_OUT = Cite.of("DF-24.3")
_LEADER_LOST = Cite.of("DF-24.7")
_OUT_OF_TURN = Cite.of("DF-24.4")
_WAITING = Cite.of("DF-24.5")


def faults(position: Dogfight1917Position) -> list[Fault]:
    """Every reason why it cannot be, with the place in its file."""
    return [
        *_seat_faults(position),
        *_turn_faults(position),
        *(fault for player in position.players.values() for fault in _player_faults(player)),
        *_choice_faults(position),
        *_board_faults(position),
        *_flying_faults(position),
        *_supply_faults(position),
    ]


def faults_at_start(position: Dogfight1917Position) -> Iterator[Fault]:
    """What set-up is yet to do, and so cannot be done where a match begins with it."""
    if position.stage != SET_UP:
        return
    for player in position.players.values():
        path, name = f"players.{player.seat}", NAMES[player.seat]
        if player.piles[DECK] != DECK_SIZE:
            text = f"set-up deals the cards of {name}: all {DECK_SIZE} are in the Deck before it"
            yield Fault(f"{path}.{DECK}", text, _DEALT)
        if player.tokens:
            text = f"set-up gives {name} the tokens of the start: there are none before it"
            yield Fault(f"{path}.tokens", text, _FIRST_TOKENS)
        if player.plane is not None:
            text = f"set-up places the model of {name}: it is off the board before it"
            yield Fault(f"{path}.place", text, _START)


# -- who plays, and what of the turn is done -----------------------------------------------


def _seat_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    taken = tuple(position.players)
    for seat in SEATS[: max(2, len(taken))]:
        if seat not in position.players:
            text = f"{seat} is empty; {len(taken)} players take the first seats of A to D"
            yield Fault(f"players.{seat}", text, _TURN)
    said = position.house.get("players", len(taken))
    if said != len(taken):
        text = f"{len(taken)} play; the house rule players cannot make them {said} any more"
        yield Fault("players", text, _TAKE_PART)


def _turn_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    stage = position.stage
    if stage not in STAGES:
        yield Fault("phase", f"{stage!r} is no phase; there are {', '.join(STAGES)}", _TURN)
    if stage == SET_UP and position.turn != 1:
        yield Fault("turn", f"set-up comes before turn 1, not before {position.turn}", _TURN)
    if position.maneuvered and stage != ENGAGEMENT:
        text = f"nobody has maneuvered in {stage}: the Maneuver belongs to the Engagement Phase"
        yield Fault("maneuvered", text, _MANEUVERED)
    if position.improvised and stage not in (ASSESSMENT, ENGAGEMENT):
        text = f"nobody has improvised in {stage}: it belongs to the Assessment Phase"
        yield Fault("improvised", text, _IMPROVISED)
    if position.gunsight and stage != ENGAGEMENT:
        text = f"{position.gunsight} dice on the Gunsight in {stage}: it holds some only in attacks"
        yield Fault("gunsight", text, _GUNSIGHT)
    yield from _active_faults(position)


def _active_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    yield from _turn_of("active", position.active, position)
    mover = position.players.get(position.active)
    if mover is not None and _waits(position, mover) and position.stage in (ASSESSMENT, ENGAGEMENT):
        text = f"{NAMES[mover.seat]} is off the board in {position.stage}: a Wingman that crashed "
        yield Fault("active", text + "comes back before the Assessment Phase", _WAITING)
    following = position.next_turn
    if following is None:
        return
    yield from _turn_of("next_turn", following, position)
    if following in WINGMEN or len(position.players) < len(SEATS):
        text = "only a Leader (A or B of four players) whose Wingman crashed plays out of turn"
        yield Fault("next_turn", text, _OUT_OF_TURN)


def _turn_of(path: str, seat: Seat, position: Dogfight1917Position) -> Iterator[Fault]:
    """Why this seat cannot have a turn."""
    player = position.players.get(seat)
    if player is None:
        there = ", ".join(position.players)
        yield Fault(path, f"nobody sits at {seat}; there are {there}", _TURN)
    elif player.out:
        yield Fault(path, f"{NAMES[seat]} has crashed and takes no turns", _CRASHED)


# -- one player ----------------------------------------------------------------------------


def _player_faults(player: Player) -> Iterator[Fault]:
    path, name = f"players.{player.seat}", NAMES[player.seat]
    if player.fighter not in ("", *FIGHTERS):
        known = ", ".join(FIGHTER_NAMES.values())
        yield Fault(f"{path}.fighter", f"{player.fighter!r} is no Fighter; {known} are", _CHOICE)
    if player.pilot not in ("", *PILOTS):
        known = ", ".join(PILOT_NAMES.values())
        yield Fault(f"{path}.pilot", f"{player.pilot!r} is no pilot; {known} are", _CHOICE)
    if player.tokens < 0:
        yield Fault(f"{path}.tokens", f"{name} has {player.tokens} tokens; none is the least",
                    _SUPPLY)  # fmt: skip
    if player.out and player.tokens:
        text = f"{name} has crashed: the {player.tokens} tokens are back in the supply"
        yield Fault(f"{path}.tokens", text, _CRASHED)
    yield from _pile_faults(player)
    yield from _known_faults(player)


def _pile_faults(player: Player) -> Iterator[Fault]:
    path, piles = f"players.{player.seat}", player.piles
    for pile in PILES:
        if not 0 <= piles[pile] <= DECK_SIZE:
            text = f"{piles[pile]} cards; a pile has 0 to {DECK_SIZE}"
            yield Fault(f"{path}.{pile}", text, _SUM)
    if piles.total != DECK_SIZE:
        counted = " + ".join(f"{pile} {piles[pile]}" for pile in PILES if piles[pile])
        text = f"{counted or 'none'} = {piles.total}; all cards of {NAMES[player.seat]}, those in "
        yield Fault(path, f"{text}the box included, are {DECK_SIZE}", _SUM)
    if piles[PLAYED] > 1:
        text = f"{piles[PLAYED]} cards are being carried out; one action ends before the next"
        yield Fault(f"{path}.{PLAYED}", text, _PLAYED)


def _known_faults(player: Player) -> Iterator[Fault]:
    path, piles = f"players.{player.seat}.known", player.piles
    for pile, cards in piles.known.items():
        if len(cards) > piles.counts.get(pile, 0):
            text = f"{len(cards)} cards are known, but {piles.counts.get(pile, 0)} lie there"
            yield Fault(f"{path}.{pile}", text, _SUM)
    everywhere = Counter(card for cards in piles.known.values() for card in cards)
    for card, count in everywhere.items():
        copies = COPIES.get(card, 0)
        if count > copies:
            text = f"{count} of {card} are known; a Fighter owns {copies} (set `known` anew)"
            yield Fault(path, text, _COPIES)


# -- Fighters and pilots -------------------------------------------------------------------


def _choice_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    for player in position.players.values():
        if position.stage != SET_UP:
            yield from _unchosen(player)
        else:
            yield from _set_up_faults(player)
    fighters = [(player.seat, player.fighter) for player in position.players.values()]
    yield from _taken_twice("fighter", fighters, FIGHTER_NAMES)
    pilots = [(player.seat, player.pilot) for player in position.players.values()]
    yield from _taken_twice("pilot", [own for own in pilots if own[1] != MENTOR], PILOT_NAMES)
    mentored = [seat for seat, pilot in pilots if pilot == MENTOR]
    for seat in mentored[MENTOR_CARDS:]:
        text = f"there are {MENTOR_CARDS} Pilot Mentor Cards, not {len(mentored)}"
        yield Fault(f"players.{seat}.pilot", text, _COMPONENTS)


def _unchosen(player: Player) -> Iterator[Fault]:
    for name, chosen in (("fighter", player.fighter), ("pilot", player.pilot)):
        if not chosen:
            text = f"{NAMES[player.seat]} has chosen no {name}; every player does at set-up"
            yield Fault(f"players.{player.seat}.{name}", text, _CHOICE)


def _set_up_faults(player: Player) -> Iterator[Fault]:
    path = f"players.{player.seat}"
    if player.pilot_side != "A":
        yield Fault(f"{path}.side", "a Pilot Card lies on side A at set-up", _SIDE_A)
    if player.plane is not None and not player.fighter:
        text = f"a model stands on {player.plane.hex}, but {NAMES[player.seat]} chose no Fighter"
        yield Fault(f"{path}.fighter", text, _CHOICE)
    if player.out:
        text = f"{NAMES[player.seat]} cannot have crashed before turn 1"
        yield Fault(f"{path}.crashed", text, _TURN)


def _taken_twice(
    key: str, chosen: Iterable[tuple[Seat, str]], names: Mapping[str, str]
) -> Iterator[Fault]:
    """Fighters, or pilots, that a second player has too."""
    first: dict[str, Seat] = {}
    for seat, code in chosen:
        if code and first.setdefault(code, seat) != seat:
            owner = NAMES[first[code]]
            text = f"{names.get(code, code)} belongs to {owner} already; there is one"
            yield Fault(f"players.{seat}.{key}", text, _CHOICE)


# -- the board -----------------------------------------------------------------------------


def _board_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    places = [(player.seat, player.plane) for player in position.players.values()]
    starts = [(player.seat, player.start) for player in position.players.values()]
    for key, stood in (("place", places), ("start", starts)):
        first: dict[Hex, Seat] = {}
        for seat, place in stood:
            if place is None:
                continue
            path = f"players.{seat}.{key}"
            yield from _place_faults(position, path, place)
            other = first.setdefault(place.hex, seat)
            if other != seat:
                text = f"{place.hex} is the {key} of {NAMES[other]}; one Fighter a space"
                yield Fault(path, text, _ONE_A_SPACE)


def _place_faults(position: Dogfight1917Position, path: str, place: Heading) -> Iterator[Fault]:
    if place.hex not in position.table.board:
        spaces = len(position.table.board.spaces)
        text = f"{place.hex} is off the board of {spaces} spaces ({position.table.name})"
        yield Fault(path, text, _BOARD)
    if not 0 <= place.facing < len(FLAT_TOP_NAMES):
        headings = ", ".join(FLAT_TOP_NAMES)
        yield Fault(path, f"a Fighter looks {headings}, nowhere else", _HEADING)


def _flying_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    for player in position.players.values():
        if player.out and player.plane is not None:
            text = f"{NAMES[player.seat]} has crashed: the model is off the board"
            yield Fault(f"players.{player.seat}.place", text, _CRASHED)
    if position.stage == SET_UP:
        return
    for player in position.players.values():
        yield from _absence_faults(position, player)
    yield from _over_faults(position)


def _over_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    """Why the game would have ended before it came to this, with more than two players."""
    if len(position.players) == 2:
        return
    left = [player.seat for player in position.players.values() if not player.out]
    sides = {position.side_of.get(seat, seat) for seat in left}
    if len(sides) < 2:
        who = " and ".join(left) or "nobody"
        yield Fault("players", f"only {who} would fly on: the game is over", _OVER)
    if not position.returning:
        return
    for seat, player in position.players.items():
        if player.out and seat in position.returning:
            text = f"{NAMES[seat]}, a Wingman, comes back: off the board, but never out"
            yield Fault(f"players.{seat}.crashed", text, _NEVER_OUT)
        elif player.out:
            text = f"{NAMES[seat]}, a Leader, has crashed: the game is over"
            yield Fault(f"players.{seat}.crashed", text, _LEADER_LOST)


def _absence_faults(position: Dogfight1917Position, player: Player) -> Iterator[Fault]:
    """Why this player cannot be off the board."""
    if player.plane is not None:
        return
    path, name = f"players.{player.seat}", NAMES[player.seat]
    if player.out:
        if len(position.players) == 2:
            text = f"{name} has crashed; of two players nobody flies on after a crash"
            yield Fault(f"{path}.crashed", text, _FIRST_CRASH)
    elif not _waits(position, player):
        text = f"the Fighter of {name} stands nowhere; name its space, or say that it crashed"
        yield Fault(f"{path}.place", text, _START)
    elif player.start is None:
        text = f"{name} is off the board; name the start space to which the Wingman comes back"
        yield Fault(f"{path}.start", text, _WAITING)


def _waits(position: Dogfight1917Position, player: Player) -> bool:
    """Whether this may be a Wingman that crashed and comes back.  (DF-24.3, DF-24.5)"""
    off = player.plane is None and not player.out
    returning = WINGMEN if position.returning is None else position.returning
    return off and player.seat in returning and len(position.players) == len(SEATS)


def _supply_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    taken = sum(player.tokens for player in position.players.values())
    if position.house.get("token_supply_limited") is True and taken > TOKENS_IN_BOX:
        text = f"{taken} tokens were taken; the box has {TOKENS_IN_BOX} (token_supply_limited)"
        yield Fault("players", text, _SUPPLY)
