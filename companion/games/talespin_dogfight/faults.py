"""Why a position of a TaleSpin dogfight cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.core.ruling import Cite, Fault, Seat
from companion.core.text import counted
from companion.games.talespin_dogfight import maneuvers, seats
from companion.games.talespin_dogfight.steps import OVER, SET_UP, STEPS, is_before

if TYPE_CHECKING:
    from companion.games.talespin_dogfight.position import Played, TalespinPosition

_PLAYERS = Cite.of("TS-WIN-03, RULING 2")
_ON_TURN = Cite.of("TS-101, RULING 3")
_OPPONENT = Cite.of("TS-102, RULING 2")
_RING = Cite.of("TS-102, RULING 2")
_START = Cite.of("TS-101")
_FIRST = Cite.of("TS-201, TS-225")
_EXCHANGE = Cite.of("TS-205, TS-209")
_MEETS = Cite.of("TS-221, TS-223")
_DEFENDS = Cite.of("TS-105")
_WON = Cite.of("TS-212, TS-328")
_OPEN = Cite.of("TS-105, TS-212")
_DAMAGE = Cite.of("TS-304, TS-305")
_OTHERS = Cite.of("TS-309, TS-326")
_CARDS = Cite.of("TS-310, TS-327")
_VALUE = Cite.of("TS-221, RULING 6")
_LEFT = Cite.of("RULING 19")
_STANDING = Cite.of("TS-204, RULING 8")
_DAMAGE_DEALT = (
    "damage", "draw-won", "end-attacker", "end-defender", "end-others", "clean-up", OVER,
)  # fmt: skip
_FOUGHT_STEPS = {
    seats.ATTACKER: ("won-attacker", "lost-defender", "reward", "damage", "draw-won"),
    seats.DEFENDER: ("lost-attacker", "won-defender", "bounty"),
}


def faults(position: TalespinPosition) -> list[Fault]:
    """Every reason why it cannot be, with the place in its file."""
    found = [*_seat_faults(position), *_turn_faults(position)]
    if found:
        return found
    return [
        *_start_faults(position),
        *_opponent_faults(position),
        *_winner_faults(position),
        *(fault for one in position.played for fault in _maneuver_faults(position, one)),
        *_exchange_faults(position),
        *_damage_faults(position),
        *_count_faults(position),
    ]


def _who(position: TalespinPosition, seat: Seat) -> str:
    """A seat in a sentence; a file may name one at which nobody sits."""
    return position.names.get(seat, str(seat))


def faults_at_start(position: TalespinPosition) -> list[Fault]:
    """What no match begins with: nothing is left to play."""
    if position.step != OVER:
        return []
    return [Fault("step", "the turn's dogfights are over: nothing is left", _ON_TURN)]


# -- who plays, and whose turn it is -------------------------------------------------------


def _seat_faults(position: TalespinPosition) -> Iterator[Fault]:
    taken = tuple(position.players)
    for seat in seats.SEATS[: len(taken)]:
        if seat not in position.players:
            text = f"{seat} is empty; {len(taken)} players take the first seats of A to D"
            yield Fault(f"players.{seat}", text, _PLAYERS)
    there = ", ".join(taken)
    named = {"turn_of": position.on_turn, "defender": position.rival}
    listed = [("spoken", seat) for seat in position.spoken]
    listed += [("left", seat) for seat in position.left]
    for path, who in (*named.items(), *listed):
        if who is not None and who not in position.players:
            yield Fault(path, f"nobody sits at {who}; there are {there}", _PLAYERS)


def _turn_faults(position: TalespinPosition) -> Iterator[Fault]:
    step, limit = position.step, position.house.get("max_dogfights_per_turn", position.number)
    if position.on_turn is None and step != SET_UP:
        yield Fault("turn_of", f"{step}: someone is on turn, and starts the dogfight", _ON_TURN)
    if position.number > int(str(limit)) and step != OVER:
        text = f"dogfight {position.number}; a turn has {limit} at most"
        yield Fault("dogfight", text, _ON_TURN)
    if position.rival is not None and position.rival == position.on_turn:
        yield Fault(
            "defender",
            f"{_who(position, position.rival)} cannot fight itself; name another",
            _OPPONENT,
        )
    if position.rival is None and step not in (SET_UP, "announce", "opponent", OVER):
        yield Fault("defender", f"{step} needs a defender", _OPPONENT)


# -- how it was started --------------------------------------------------------------------


def _start_faults(position: TalespinPosition) -> Iterator[Fault]:
    begun = position.step not in (SET_UP, "announce", OVER)
    first = next((one for one in position.played if one.source != maneuvers.FROM_HAND), None)
    if begun and not position.start:
        yield Fault("start", f"{position.step}: started by pilot or by range?", _START)
    if not begun and (position.start or position.played):
        yield Fault("start", f"{position.step}: no dogfight is announced yet", _START)
    if begun and first is None:
        yield Fault("played", "the card that started it has its maneuver in exchange 1", _FIRST)
    source = {
        maneuvers.BY_PILOT: maneuvers.FROM_PILOT,
        maneuvers.BY_RANGE: maneuvers.FROM_PLAYER,
    }.get(position.start)
    if first is not None and begun and first.source != source:
        text = f"exchange 1 comes from a {first.source} card; it was started by {position.start}"
        yield Fault("played", text, _FIRST)


def _opponent_faults(position: TalespinPosition) -> Iterator[Fault]:
    for seat, player in position.players.items():
        if player.place is not None and not 1 <= player.place <= position.table.locations:
            name, most = position.labels[seats.TOKENS[seat]], position.table.locations
            text = f"{name}: the ring has locations 1 to {most}"
            yield Fault(f"players.{seat}.place", text, _RING)
    if position.start != maneuvers.BY_RANGE or position.rival is None or position.on_turn is None:
        return
    way, reach = (
        position.distance(position.on_turn, position.rival),
        position.players[position.on_turn].range,
    )
    if way is not None and way > reach and position.step in ("opponent", "start-attacker"):
        there, here = _who(position, position.rival), _who(position, position.on_turn)
        text = f"{there} is {counted(way, 'location')} away; {here} has RANGE {reach}"
        yield Fault("defender", text, _OPPONENT)


# -- who has won ---------------------------------------------------------------------------


def _winner_faults(position: TalespinPosition) -> Iterator[Fault]:
    step, winner = position.step, position.winner
    for side, steps in _FOUGHT_STEPS.items():
        if step in steps and winner != side:
            yield Fault("winner", f"{step} comes where the {side} has won", _WON)
    fought = step in ("end-attacker", "end-defender", "end-others", "clean-up")
    if fought and not winner:
        text = f"{step} needs a winner: {seats.ATTACKER}, {seats.DEFENDER} or {seats.NOBODY}"
        yield Fault("winner", text, _WON)
    if winner and is_before(step, "won-attacker"):
        yield Fault("winner", f"{step}: nobody has won yet", _OPEN)
    if position.defended and not is_before("defend", step) and step != OVER:
        yield Fault("defended", f"{step}: the defender has not decided yet", _DEFENDS)


# -- maneuvers -----------------------------------------------------------------------------


def _maneuver_faults(position: TalespinPosition, one: Played) -> Iterator[Fault]:
    path = f"played.{one.name}"
    if one.seat not in (position.on_turn, position.rival):
        yield Fault(path, f"{_who(position, one.seat)} is neither attacker nor defender", _EXCHANGE)
    if (one.source == maneuvers.FROM_HAND) == (one.exchange == 1 and one.seat == position.on_turn):
        text = "the attacker's first maneuver, and no other, is on the card that started it"
        yield Fault(path, text, _FIRST)
    if not maneuvers.LOWEST <= one.maneuver.value <= maneuvers.HIGHEST:
        text = f"value {one.maneuver.value} is not from {maneuvers.LOWEST} to {maneuvers.HIGHEST}"
        yield Fault(path, text, _VALUE)
    ended = position.winner == seats.NOBODY or position.left
    late = position.defended and is_before("attack-1", position.step) and not ended
    if not one.shown and (one.source == maneuvers.FROM_HAND or late):
        yield Fault(path, "it was played: it is shown", _FIRST)
    if sum(other.name == one.name for other in position.played) > 1:
        text = f"{_who(position, one.seat)} has two maneuvers in exchange {one.exchange}"
        yield Fault(path, text, _EXCHANGE)


def _exchange_faults(position: TalespinPosition) -> Iterator[Fault]:
    now = STEPS[position.step]
    for one in position.played:
        if now.exchange and (one.exchange > now.exchange):
            text = f"exchange {one.exchange} comes after {position.step}"
            yield Fault(f"played.{one.name}", text, _EXCHANGE)
        if one.seat == position.rival and not position.defended:
            yield Fault(
                "defended", f"{_who(position, one.seat)} has answered and does not defend", _DEFENDS
            )
    if now.name.startswith("answer") and not position.attack_value():
        text = f"{now.name}: exchange {now.exchange} has no attacking maneuver"
        yield Fault("played", text, _EXCHANGE)
    if position.standing and not now.exchange:
        yield Fault("standing", f"{now.name}: nothing stands to be met here", _STANDING)
    for answer in (one for one in position.played if one.seat == position.rival):
        attack = position.attack_of(answer.exchange)
        if attack is not None and _is_lower(position, answer, attack):
            text = f"{answer.maneuver} does not meet {attack.maneuver}"
            yield Fault(f"played.{answer.name}", text, _MEETS)


def _is_lower(position: TalespinPosition, answer: Played, attack: Played) -> bool:
    """Whether an answer could never have met: what effects changed meanwhile excuses it."""
    changed = any(player.value_bonus for player in position.players.values())
    stood = position.standing and answer.exchange == position.now.exchange
    if answer.maneuver.any_answer or changed or stood:
        return False
    return answer.maneuver.value < attack.maneuver.value


# -- counts --------------------------------------------------------------------------------


def _damage_faults(position: TalespinPosition) -> Iterator[Fault]:
    total = position.damage_total() + position.owes_extra()
    if position.damage_done > total and position.step == "damage":
        text = f"{position.damage_done} dealt with; the maneuvers have {total} in all"
        yield Fault("damage_done", text, _DAMAGE)
    if position.damage_done and position.step not in _DAMAGE_DEALT:
        text = f"{position.step}: no Damage is dealt before the attacker has won"
        yield Fault("damage_done", text, _DAMAGE)


def _count_faults(position: TalespinPosition) -> Iterator[Fault]:
    if position.spoken and position.step != "end-others":
        yield Fault("spoken", f"{position.step} is not the window of the others", _OTHERS)
    for seat in position.spoken:
        if position.role_of(seat):
            yield Fault(
                "spoken", f"{_who(position, seat)} fights, and is none of the others", _OTHERS
            )
    won, before = sum(player.wins for player in position.players.values()), position.number - 1
    fought = position.number if position.step in ("clean-up", OVER) else before
    if won > fought:
        text = f"{won} dogfights are won of {fought} fought in this turn"
        yield Fault("wins", text, _ON_TURN)
    for seat in position.left:
        if any(position.count(seat, pile) for pile in (seats.HAND, seats.PACKED, seats.OPEN)):
            text = f"{_who(position, seat)} has left: hand and cargo are discarded"
            yield Fault(f"players.{seat}.hand", text, _LEFT)
    for seat in position.players:
        lying = sum(one.seat == seat for one in position.on_table())
        if position.count(seat, seats.MANEUVERS) != lying:
            text = (
                f"{counted(lying, 'maneuver')} of {_who(position, seat)} lie there by the record, "
            )
            text += f"not {position.count(seat, seats.MANEUVERS)}"
            yield Fault(f"players.{seat}", text, _CARDS)
