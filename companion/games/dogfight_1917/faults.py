"""Why a position of Dogfight: 1917 cannot be, whatever the mode.

The mode says in the position which seats are a team, and who comes back after a crash. What else
one mode alone forbids, as a pair of Fighter and pilot that the chart does not have, is for its
rules. What corrections may leave behind is no fault: a Deck that ran empty, or any number of tokens
while the supply has no end (DF-15.1).

Each fault is told in sentences, with the people's names and what can be done about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from companion.core.ruling import Cite, Fault, Seat
from companion.core.text import counted, listed
from companion.games.dogfight_1917 import cards
from companion.games.dogfight_1917.cards import dice_words
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex

if TYPE_CHECKING:
    from companion.games.dogfight_1917.position import Dogfight1917Position, Player

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

_PILE_WORDS: Mapping[str, str] = {
    "deck": "Deck", "hand": "Hand", "discard": "Discard Pile", "damage": "Damage Pile",
    "box": "box", "played": "cards under way",
}  # fmt: skip


def faults(position: Dogfight1917Position) -> list[Fault]:
    """Every reason why it cannot be, with the place in its file."""
    return [
        *_seat_faults(position),
        *_turn_faults(position),
        *(f for player in position.players.values() for f in _player_faults(position, player)),
        *_choice_faults(position),
        *_board_faults(position),
        *_flying_faults(position),
        *_supply_faults(position),
    ]


def faults_at_start(position: Dogfight1917Position) -> Iterator[Fault]:
    """What set-up is yet to do, and so cannot be done where a match begins with it."""
    if position.stage != cards.SET_UP:
        return
    for player in position.players.values():
        path, name = f"players.{player.seat}", position.names[player.seat]
        if player.piles[cards.DECK] != cards.DECK_SIZE:
            text = f"Set-up deals {name}'s cards. Before it all {cards.DECK_SIZE} lie in the Deck."
            yield Fault(f"{path}.{cards.DECK}", text, _DEALT)
        if player.tokens:
            text = f"Set-up gives {name} the tokens of the start. Set 0 before it."
            yield Fault(f"{path}.tokens", text, _FIRST_TOKENS)
        if player.plane is not None:
            text = f"Set-up places {_plane(position, player.seat)}. Leave its place out before it."
            yield Fault(f"{path}.place", text, _START)


def _plane(position: Dogfight1917Position, seat: Seat) -> str:
    """Whose Fighter it is, and which: "Ana's Sopwith Camel"."""
    fighter = cards.FIGHTER_NAMES.get(position.players[seat].fighter, "Fighter")
    return f"{position.names[seat]}'s {fighter}"


def _phase(stage: str) -> str:
    """A phase as a sentence has it."""
    return cards.SET_UP if stage == cards.SET_UP else f"the {stage.capitalize()} Phase"


# -- who plays, and what of the turn is done -----------------------------------------------


def _seat_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    taken = tuple(position.players)
    for seat in cards.SEATS[: max(2, len(taken))]:
        if seat not in position.players:
            text = f"Nobody sits at seat {seat}. Two to four players take the seats from A on."
            yield Fault(f"players.{seat}", text, _TURN)
    said = position.house.get("players", len(taken))
    if said != len(taken):
        text = f"{len(taken)} people play here. The house rule players cannot make them {said} now."
        yield Fault("players", text, _TAKE_PART)


def _turn_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    stage, phase = position.stage, _phase(position.stage)
    if stage not in cards.STAGES:
        text = f"{stage!r} is no phase. Choose one of {', '.join(cards.STAGES)}."
        yield Fault("phase", text, _TURN)
    if stage == cards.SET_UP and position.turn != 1:
        text = f"Set-up comes before turn 1, and not before turn {position.turn}. Set “Turn” to 1."
        yield Fault("turn", text, _TURN)
    if position.maneuvered and stage != cards.ENGAGEMENT:
        text = (
            f"Nobody can have maneuvered in {phase}: a Maneuver belongs to the Engagement Phase. "
        )
        yield Fault("maneuvered", f"{text}Set “Maneuver done” to No, too.", _MANEUVERED)
    if position.improvised and stage not in (cards.ASSESSMENT, cards.ENGAGEMENT):
        text = f"Nobody can have improvised in {phase}: that belongs to the Assessment Phase. "
        yield Fault("improvised", f"{text}Set “Improvised” to No, too.", _IMPROVISED)
    if position.gunsight and stage != cards.ENGAGEMENT:
        text = f"{dice_words(position.gunsight)} cannot lie on the Gunsight in {phase}: it holds "
        yield Fault("gunsight", f"{text}dice only during an attack. Set it to 0.", _GUNSIGHT)
    yield from _active_faults(position)


def _active_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    yield from _turn_of("active", position.active, position)
    mover = position.players.get(position.active)
    if (
        mover is not None
        and _waits(position, mover)
        and position.stage in (cards.ASSESSMENT, cards.ENGAGEMENT)
    ):
        text = (f"{_plane(position, mover.seat)} is off the board in {_phase(position.stage)}: a "
                "Wingman that crashed comes back before that. Name its place.")  # fmt: skip
        yield Fault("active", text, _WAITING)
    following = position.next_turn
    if following is None:
        return
    yield from _turn_of("next_turn", following, position)
    if following in cards.WINGMEN or len(position.players) < len(cards.SEATS):
        text = "Only a Leader whose Wingman crashed plays out of turn. Leave next_turn empty."
        yield Fault("next_turn", text, _OUT_OF_TURN)


def _turn_of(path: str, seat: Seat, position: Dogfight1917Position) -> Iterator[Fault]:
    """Why this seat cannot have a turn."""
    player = position.players.get(seat)
    if player is None:
        there = ", ".join(position.players)
        yield Fault(path, f"Nobody sits at seat {seat}. Choose one of {there}.", _TURN)
    elif player.out:
        text = f"{position.names[seat]} has crashed and takes no turns. Choose somebody who flies."
        yield Fault(path, text, _CRASHED)


# -- one player ----------------------------------------------------------------------------


def _player_faults(position: Dogfight1917Position, player: Player) -> Iterator[Fault]:
    path, name = f"players.{player.seat}", position.names[player.seat]
    if player.fighter not in ("", *cards.FIGHTERS):
        known = ", ".join(cards.FIGHTER_NAMES.values())
        text = f"{player.fighter!r} is no Fighter. Choose one of {known}."
        yield Fault(f"{path}.fighter", text, _CHOICE)
    if player.pilot not in ("", *cards.PILOTS):
        known = ", ".join(cards.PILOT_NAMES.values())
        text = f"{player.pilot!r} is no pilot. Choose one of {known}."
        yield Fault(f"{path}.pilot", text, _CHOICE)
    if player.tokens < 0:
        text = f"{name} cannot have {player.tokens} tokens. Set 0 or more."
        yield Fault(f"{path}.tokens", text, _SUPPLY)
    if player.out and player.tokens:
        text = f"{name} has crashed: all tokens went back to the supply. Set “Tokens” to 0."
        yield Fault(f"{path}.tokens", text, _CRASHED)
    yield from _pile_faults(player, name)
    yield from _known_faults(player, name)


def _pile_faults(player: Player, name: str) -> Iterator[Fault]:
    path, piles = f"players.{player.seat}", player.piles
    for pile in cards.PILES:
        if not 0 <= piles[pile] <= cards.DECK_SIZE:
            text = (
                f"{name} cannot have {piles[pile]} cards there. A pile has 0 to {cards.DECK_SIZE}."
            )
            yield Fault(f"{path}.{pile}", text, _SUM)
    if piles.total != cards.DECK_SIZE:
        lying = ", ".join(
            f"{_PILE_WORDS[pile]} {piles[pile]}" for pile in cards.PILES if piles[pile]
        )
        text = (f"{name} has {cards.DECK_SIZE} cards with those in the box, and not {piles.total} "
                f"({lying or 'no pile has any'}). Set another pile with it, or count again."
                )  # fmt: skip
        yield Fault(path, text, _SUM)
    if piles[cards.PLAYED] > 1:
        text = (
            f"{piles[cards.PLAYED]} cards of {name} cannot be carried out at once. Leave one there."
        )
        yield Fault(f"{path}.{cards.PLAYED}", text, _PLAYED)


def _known_faults(player: Player, name: str) -> Iterator[Fault]:
    path, piles = f"players.{player.seat}.known", player.piles
    for pile, named in piles.known.items():
        there = piles.counts.get(pile, 0)
        if len(named) > there:
            place = f"{name}'s {_PILE_WORDS.get(pile, pile)}"
            text = f"{counted(len(named), 'card')} of {place} cannot be known: {there} lie there. "
            yield Fault(f"{path}.{pile}", f"{text}Name no more than those.", _SUM)
    everywhere = Counter(card for named in piles.known.values() for card in named)
    for card, count in everywhere.items():
        copies = cards.COPIES.get(card, 0)
        if count > copies:
            text = f"{count} of {card} cannot be known of {name}: a Fighter owns {copies}. "
            yield Fault(path, f"{text}Set known anew.", _COPIES)


# -- Fighters and pilots -------------------------------------------------------------------


def _choice_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    for player in position.players.values():
        if position.stage != cards.SET_UP:
            yield from _unchosen(position, player)
        else:
            yield from _set_up_faults(position, player)
    fighters = [(player.seat, player.fighter) for player in position.players.values()]
    yield from _taken_twice(position, "fighter", fighters, cards.FIGHTER_NAMES)
    pilots = [(player.seat, player.pilot) for player in position.players.values()]
    others = [own for own in pilots if own[1] != cards.MENTOR]
    yield from _taken_twice(position, "pilot", others, cards.PILOT_NAMES)
    mentored = [seat for seat, pilot in pilots if pilot == cards.MENTOR]
    for seat in mentored[cards.MENTOR_CARDS :]:
        text = (
            f"There are {cards.MENTOR_CARDS} Pilot Mentor Cards, and {len(mentored)} players have "
            f"one. Choose another pilot for {position.names[seat]}."
        )
        yield Fault(f"players.{seat}.pilot", text, _COMPONENTS)


def _unchosen(position: Dogfight1917Position, player: Player) -> Iterator[Fault]:
    for key, kind, chosen in (
        ("fighter", "Fighter", player.fighter), ("pilot", "pilot", player.pilot)
    ):  # fmt: skip
        if not chosen:
            text = f"{position.names[player.seat]} has chosen no {kind} at set-up. Choose one."
            yield Fault(f"players.{player.seat}.{key}", text, _CHOICE)


def _set_up_faults(position: Dogfight1917Position, player: Player) -> Iterator[Fault]:
    path, name = f"players.{player.seat}", position.names[player.seat]
    if player.pilot_side != "A":
        text = f"{name}'s Pilot Card lies on side A at set-up. Turn it to side A."
        yield Fault(f"{path}.side", text, _SIDE_A)
    if player.plane is not None and not player.fighter:
        text = f"{name} has a model on {player.plane.hex}, but no Fighter. Choose one first."
        yield Fault(f"{path}.fighter", text, _CHOICE)
    if player.out:
        text = f"{name} cannot have crashed before turn 1. Set “Crashed” to No."
        yield Fault(f"{path}.crashed", text, _TURN)


def _taken_twice(
    position: Dogfight1917Position,
    key: str,
    chosen: Iterable[tuple[Seat, str]],
    names: Mapping[str, str],
) -> Iterator[Fault]:
    """Fighters, or pilots, that a second player has too."""
    first: dict[str, Seat] = {}
    for seat, code in chosen:
        if code and first.setdefault(code, seat) != seat:
            both = f"{position.names[first[code]]} and {position.names[seat]}"
            the = "the " if key == "fighter" else ""
            text = f"{both} cannot both have {the}{names.get(code, code)}: there is one. "
            yield Fault(f"players.{seat}.{key}", f"{text}Choose another for one of them.", _CHOICE)


# -- the board -----------------------------------------------------------------------------


def _board_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    places = [(player.seat, player.plane) for player in position.players.values()]
    starts = [(player.seat, player.start) for player in position.players.values()]
    for key, verb, stood in (("place", "stand", places), ("start", "start", starts)):
        first: dict[Hex, Seat] = {}
        for seat, place in stood:
            if place is None:
                continue
            path = f"players.{seat}.{key}"
            yield from _place_faults(position, path, place, seat)
            other = first.setdefault(place.hex, seat)
            if other != seat:
                both = f"{_plane(position, other)} and {_plane(position, seat)}"
                text = f"{both} cannot both {verb} on {place.hex}: one Fighter a space. "
                yield Fault(path, f"{text}Put one of them elsewhere.", _ONE_A_SPACE)


def _place_faults(
    position: Dogfight1917Position, path: str, place: Heading, seat: Seat
) -> Iterator[Fault]:
    plane = _plane(position, seat)
    if place.hex not in position.table.board:
        board = f"the board of {len(position.table.board.spaces)} spaces ({position.table.name})"
        text = f"{plane} cannot be on {place.hex}: that is off {board}. Choose a space of it."
        yield Fault(path, text, _BOARD)
    if not 0 <= place.facing < len(FLAT_TOP_NAMES):
        text = f"{plane} must look one of {', '.join(FLAT_TOP_NAMES)}. Turn it to one of them."
        yield Fault(path, text, _HEADING)


def _flying_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    for player in position.players.values():
        if player.out and player.plane is not None:
            text = (f"{position.names[player.seat]} has crashed, and the model is off the board. "
                    f"Clear the place, or set “Crashed” to No.")  # fmt: skip
            yield Fault(f"players.{player.seat}.place", text, _CRASHED)
    if position.stage == cards.SET_UP:
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
        who = f"Only {listed([position.names[s] for s in left])}" if left else "Nobody"
        text = f"{who} would fly on, and the game would be over. Close the match instead."
        yield Fault("players", text, _OVER)
    if not position.returning:
        return
    for seat, player in position.players.items():
        name = position.names[seat]
        if player.out and seat in position.returning:
            text = f"{name} flies a Wingman, who comes back and is never out. Set “Crashed” to No."
            yield Fault(f"players.{seat}.crashed", text, _NEVER_OUT)
        elif player.out:
            text = (f"{name} is a Leader, whose crash ends the game. Set “Crashed” to No, or "
                    "close the match.")  # fmt: skip
            yield Fault(f"players.{seat}.crashed", text, _LEADER_LOST)


def _absence_faults(position: Dogfight1917Position, player: Player) -> Iterator[Fault]:
    """Why this player cannot be off the board."""
    if player.plane is not None:
        return
    path, plane = f"players.{player.seat}", _plane(position, player.seat)
    if player.out:
        if len(position.players) == 2:
            text = (f"{position.names[player.seat]} has crashed, and of two players nobody flies "
                    f"on after that. Set “Crashed” to No, or close the match.")  # fmt: skip
            yield Fault(f"{path}.crashed", text, _FIRST_CRASH)
    elif not _waits(position, player):
        text = f"{plane} stands nowhere. Name its place, or say that it has crashed."
        yield Fault(f"{path}.place", text, _START)
    elif player.start is None:
        text = f"{plane} is off the board. Name the start space to which the Wingman comes back."
        yield Fault(f"{path}.start", text, _WAITING)


def _waits(position: Dogfight1917Position, player: Player) -> bool:
    """Whether this may be a Wingman that crashed and comes back.  (DF-24.3, DF-24.5)"""
    off = player.plane is None and not player.out
    returning = cards.WINGMEN if position.returning is None else position.returning
    return off and player.seat in returning and len(position.players) == len(cards.SEATS)


def _supply_faults(position: Dogfight1917Position) -> Iterator[Fault]:
    taken = sum(player.tokens for player in position.players.values())
    if position.house.get("token_supply_limited") is True and taken > cards.TOKENS_IN_BOX:
        text = (
            f"{taken} tokens cannot be taken: the box has {cards.TOKENS_IN_BOX}, and the house "
            "rule token_supply_limited holds. Set fewer."
        )
        yield Fault("players", text, _SUPPLY)
