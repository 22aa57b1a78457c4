"""Why an answer of the TaleSpin dogfight is refused, and how maneuvers are read and said.

A refusal is its code, the limit, the rule and the way out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.question import Option, Refusal
from companion.core.ruling import Cite, Seat
from companion.core.text import counted, listed, spelt_like
from companion.games.talespin_dogfight import maneuvers
from companion.games.talespin_dogfight.figures import MOST_EFFECT
from companion.games.talespin_dogfight.maneuvers import Maneuver, titled
from companion.games.talespin_dogfight.seats import ATTACKER, DISCARD, DRAW, HAND, OPEN, PACKED
from companion.games.talespin_dogfight.steps import INSTEAD, STEPS, WINDOWS

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.figures import Figures, WindowCard
    from companion.games.talespin_dogfight.position import TalespinPosition


# Maneuvers as people say them: by title, by value, or as value, Damage and Draw.

_NUMBERS = re.compile(r"-?\d{1,4}(?:[ ,/]+\d{1,4}){0,2}")
_KEYS_A_ROW = 7


@dataclass(frozen=True, slots=True)
class Said:
    """A maneuver as it was said; `is_bare` where Damage and Draw were left out."""

    maneuver: Maneuver
    is_bare: bool = False


def title_in(raw: Json, titles: Iterable[str]) -> str | None:
    """The title that was meant; None if it is none of them."""
    return spelt_like(raw, titles) if isinstance(raw, str) else None


def owner_in(raw: Json) -> tuple[str, str]:
    """Whose card is named, where that is said before it ("A: Homeward"), and the card.

    >>> owner_in("A: Homeward"), owner_in("Homeward")
    (('A', 'Homeward'), ('', 'Homeward'))
    """
    owner, colon, rest = str(raw).partition(":")
    return (owner.strip(), rest.strip()) if colon else ("", str(raw).strip())


def numbers_in(raw: Json) -> tuple[int, ...]:
    """One to three whole numbers; empty for anything else.

    >>> numbers_in("7 1 0"), numbers_in(7), numbers_in("Strafe"), numbers_in(True)
    ((7, 1, 0), (7,), (), ())
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        return (raw,)
    if not isinstance(raw, str) or _NUMBERS.fullmatch(raw.strip()) is None:
        return ()
    return tuple(int(number) for number in re.split(r"[ ,/]+", raw.strip()))


def said_as(raw: Json, table: Figures) -> Option[Said | None] | None:
    """The maneuver that was said, with the name that a log keeps; None if it is none.

    >>> from companion.games.talespin_dogfight.figures import assumed_figures
    >>> said_as("7,1,0", assumed_figures()).name
    '7 1 0'
    """
    title = title_in(raw, table.maneuvers)
    if title is not None:
        card = table.maneuvers[title]
        return Option(title, Said(card), titled(title, card.value))
    value, *effects = numbers_in(raw) or (0,)
    if not maneuvers.LOWEST <= value <= maneuvers.HIGHEST or len(effects) == 1:
        return None
    if any(number > MOST_EFFECT for number in effects):
        return None
    damage, draw = effects or (0, 0)
    maneuver = Maneuver("", value, damage, draw)
    name = " ".join(str(number) for number in (value, *effects))
    return Option(name, Said(maneuver, is_bare=not effects), name)


def listed_maneuvers(table: Figures) -> list[Option[Said | None]]:
    """Every value, and every title that the table knows, for a pad."""
    values: list[Option[Said | None]] = [
        Option(
            str(value), Said(Maneuver("", value), is_bare=True), str(value), group="By value",
            cell=divmod(value - maneuvers.LOWEST, _KEYS_A_ROW),
        )
        for value in range(maneuvers.LOWEST, maneuvers.HIGHEST + 1)
    ]  # fmt: skip
    titles: list[Option[Said | None]] = [
        Option(title, Said(card), titled(title, card.value), group="By name")
        for title, card in table.maneuvers.items()
    ]
    return [*values, *titles]


# Refusals.

_ANNOUNCED = Cite.of("TS-101")
_OPPONENT = Cite.of("TS-102")
_GONE = Cite.of("TS-102, RULING 19")
_RANGE = Cite.of("TS-102, RULING 2")
_WINDOW = Cite.of("TS-WIN-01")
_RESULT = Cite.of("TS-WIN-01, RULING 8")
_CLOSED = Cite.of("RULING 1")
_LOW = Cite.of("TS-221, TS-223")
_DAMAGE = Cite.of("TS-304, RULING 11")
_BOUNTY = Cite.of("TS-323, RULING 14")
_PLAYER_CARD = Cite.of("TS-323, TS-313")

DAMAGES = (PACKED, OPEN, HAND)
NO_CARD = "none"
_LUCKY = Cite.of("TS-221, RULING 9")


def _here(position: TalespinPosition, *rulings: str) -> Cite:
    """The step under way, and what we have ruled of it."""
    now = position.now
    step = STEPS[now.follows].rule if now.window and now.follows else now.rule
    return Cite.of(", ".join((step, *rulings)))


# -- the start -----------------------------------------------------------------------------


def announced(raw: Json, position: TalespinPosition) -> Refusal | None:
    """A card that is neither a Pilot card nor the Player card."""
    table = position.table
    title = title_in(raw, (*table.maneuvers, *table.windows, *table.passengers))
    if title is None:
        return None
    text = (
        f"{title} starts no dogfight: play a Pilot card, or use your Player card's RANGE. "
        "Say pilot or range."
    )
    return Refusal("TS-E-CARD", text, _ANNOUNCED)


def by_range(position: TalespinPosition) -> Refusal | None:
    """Nobody is near enough."""
    seat = position.attacker
    if position.in_range(seat):
        return None
    reach = position.players[seat].range
    text = f"RANGE {reach} reaches no opponent from location {position.players[seat].place}."
    return Refusal("TS-E-RANGE", f"{text} Play a Pilot card, or fight none.", _RANGE)


def opponent(raw: Json, position: TalespinPosition) -> Refusal | None:
    """Oneself, nobody of that name, or one who is out of RANGE."""
    if (card := wrong_moment(raw, position)) is not None:
        return card
    seat = title_in(raw, position.players)
    near = position.in_range(position.attacker)
    legal = near if position.start == maneuvers.BY_RANGE else position.opponents()
    others = [position.names[other] for other in legal]
    if seat is not None and seat in position.left:
        text = f"{position.names[Seat(seat)]} has left the table; choose one of "
        return Refusal("TS-E-OPP", f"{text}{', '.join(others)}.", _GONE)
    if seat is None or seat == position.on_turn:
        who = "Nobody fights against oneself" if seat else f"{brief(raw)} is no player here"
        return Refusal("TS-E-OPP", f"{who}; choose one of {', '.join(others)}.", _OPPONENT)
    if position.start == maneuvers.BY_RANGE:
        way, reach = (
            position.distance(position.attacker, Seat(seat)),
            position.players[position.attacker].range,
        )
        here = ", ".join(others) or "nobody"
        away = counted(way or 0, "location")
        text = f"{position.names[Seat(seat)]} is {away} away, RANGE is {reach}. In RANGE: {here}."
        return Refusal("TS-E-RANGE", text, _RANGE)
    return None


# -- windows -------------------------------------------------------------------------------


def in_window(raw: Json, position: TalespinPosition, seat: Seat) -> Refusal | None:
    """Another player's card, or one whose text is about another moment."""
    owner, rest = owner_in(raw)
    other = title_in(owner, position.players)
    if other is not None and other != seat:
        whose, not_whose = position.names[seat], position.names[Seat(other)]
        text = f"This window is {whose}'s, not {not_whose}'s. {whose} plays a card or passes first."
        return Refusal("TS-E-WHO", text, _WINDOW)
    table, now = position.table, WINDOWS[position.now.window]
    title = title_in(rest, table.windows)
    if title is not None:
        moments = listed([WINDOWS[window] for window in table.windows[title].windows])
        text = f"{title} is played {moments}; this window is for cards {now}. Say pass."
        return Refusal("TS-E-WINDOW", text, _WINDOW)
    title = title_in(rest, (*table.maneuvers, *table.pilots, *table.passengers))
    if title is None:
        return None
    text = f"{title} is no card of a window; this one is for cards {now}. Say pass."
    return Refusal("TS-E-WINDOW", text, _WINDOW)


def window_card(card: WindowCard, position: TalespinPosition) -> Refusal | None:
    """A card played instead of a maneuver by the wrong side, or whose value is too low."""
    if position.now.window != INSTEAD:
        return None
    by_attacker = position.now.role == ATTACKER
    if card.result in (maneuvers.NOT_OF_ATTACKER if by_attacker else maneuvers.NOT_OF_DEFENDER):
        side = "defender" if by_attacker else "attacker"
        text = f"{card.title} is a card for the {side}. Say pass, or play another."
        return Refusal("TS-E-WINDOW", text, _RESULT)
    if card.result == maneuvers.VALUE and not by_attacker:
        return too_low(card.value, position, f"{card.title}, worth {card.value},")
    return None


def _first_capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def too_low(value: int, position: TalespinPosition, what: str) -> Refusal | None:
    """An answer that does not meet the attack of its exchange."""
    needed = position.attack_value()
    if value >= needed:
        return None
    text = f"{what} is too low; {needed} or more is needed. Play another, or concede."
    return Refusal("TS-E-LOW", text, _LOW)


def wrong_moment(raw: Json, position: TalespinPosition) -> Refusal | None:
    """A card of a window where no window is open, or no longer; None if it is no such card."""
    title = title_in(raw, position.table.windows)
    if title is None:
        return None
    card, now = position.table.windows[title], position.now
    if now.exchange and INSTEAD in card.windows:
        text = f"{title} is played before the maneuver is asked for; that window is closed."
        return Refusal("TS-E-CLOSED", text, _CLOSED)
    moments = listed([WINDOWS[window] for window in card.windows])
    text = f"{title} is played {moments}, and now is no moment for a card."
    return Refusal("TS-E-WINDOW", text, _WINDOW)


# -- maneuvers -----------------------------------------------------------------------------


def no_maneuver(raw: Json, position: TalespinPosition, way_out: str) -> Refusal | None:
    """A value that no maneuver has."""
    numbers = numbers_in(raw)
    if not numbers:
        return None
    worth = f"{maneuvers.LOWEST} to {maneuvers.HIGHEST}"
    text = f"Maneuvers are worth {worth}, not {numbers[0]}. {way_out}"
    return Refusal("TS-E-VALUE", text, _here(position, "RULING 6"))


def answer(maneuver: Maneuver | None, position: TalespinPosition) -> Refusal | None:
    """An empty hand, or a value below the attack."""
    if maneuver is None:
        return None
    seat = position.defender
    if not position.count(seat, HAND):
        text = f"{position.names[seat]} has no card in hand by the record. Concede, or count again."
        return Refusal("TS-E-HAND", text, _here(position))
    if maneuver.any_answer and position.house.get("lucky_shot_defence") != "value_1":
        return None
    worth = position.worth(seat, maneuver.value)
    changed = f", worth {worth} here," if worth != maneuver.value else ""
    refusal = too_low(worth, position, f"{_first_capital(str(maneuver))}{changed}")
    if refusal is not None and maneuver.any_answer:
        return refusal._replace(cite=_LUCKY)
    return refusal


def attack(maneuver: Maneuver | None, position: TalespinPosition) -> Refusal | None:
    """An empty hand, or stopping where the house forbids it."""
    seat = position.attacker
    cards = position.count(seat, HAND)
    if maneuver is not None and not cards:
        text = f"{position.names[seat]} has no card in hand by the record. Stop, or count again."
        return Refusal("TS-E-HAND", text, _here(position))
    if maneuver is None and cards and position.house.get("attacker_may_stop") == "only_if_unable":
        holds = f"{position.names[seat]} holds {counted(cards, 'card')}"
        text = f"{holds} and must attack on. Name the maneuver."
        return Refusal("TS-E-MUST", text, _here(position, "RULING 7"))
    return None


# -- drawing, Damage and the bounty --------------------------------------------------------


def may_draw(position: TalespinPosition, seat: Seat, wanted: int) -> int:
    """How many cards a player draws: no more than the hand and the piles allow.  (RULING 5)"""
    room = int(str(position.house.get("hand_max", 10))) - position.count(seat, HAND)
    there = position.piles[DRAW]
    if position.house.get("empty_pile") != "stop":
        there += position.piles[DISCARD]
    return max(0, min(wanted, room, there))


def damage(kind: str, position: TalespinPosition) -> Refusal | None:
    """Cargo or a card that the defender does not have; what there is is named."""
    if position.count(position.defender, kind):
        return None
    words = {PACKED: "packed cargo", OPEN: "open cargo", HAND: "card in hand"}
    lacks = f"{position.names[position.defender]} has no {words[kind]}."
    return Refusal("TS-E-DAMAGE", f"{lacks} {_may_be_taken(position)}", _DAMAGE)


def no_damage(raw: Json, position: TalespinPosition) -> Refusal:
    """Nothing that Damage can do."""
    text = f"{brief(raw)} is nothing that Damage does. {_may_be_taken(position)}"
    return Refusal("TS-E-DAMAGE", text, _DAMAGE)


def _may_be_taken(position: TalespinPosition) -> str:
    """What the defender has that Damage may take, as it is said."""
    there = {kind: position.count(position.defender, kind) for kind in DAMAGES}
    ways = [f"{kind} ({count} there)" for kind, count in there.items() if count]
    return f"Say {' or '.join(ways)}." if ways else "There is nothing to take."


def no_place(raw: Json, locations: int) -> Refusal:
    """No location of the ring."""
    text = f"{brief(raw)} is no location: the ring has 1 to {locations}. Name one."
    return Refusal("TS-E-PLACE", text, _RANGE)


def bounty(raw: Json, position: TalespinPosition) -> Refusal:
    """Two cards, the Player card, none at all, or no maneuver of this dogfight."""
    if (card := wrong_moment(raw, position)) is not None:
        return card
    there = [one.name for one in position.on_table()]
    ways = "; ".join(f"{position.called(one)}, {one.maneuver}" for one in position.on_table())
    names = raw if isinstance(raw, list) else str(raw).replace(",", " ").split()
    if len([name for name in names if title_in(name, there)]) > 1:
        return Refusal("TS-E-COUNT", f"One card alone is taken. Choose one of {ways}.", _BOUNTY)
    if title_in(raw, (NO_CARD,)):
        return Refusal("TS-E-MUST", f"One card has to be taken. Choose one of {ways}.", _BOUNTY)
    kept = next((one for one in position.played if one.source == maneuvers.FROM_PLAYER), None)
    if kept is not None and title_in(raw, (kept.name, kept.maneuver.title, "player card")):
        text = f"A Player card stays with its owner. Choose one of {ways}."
        return Refusal("TS-E-PLAYERCARD", text, _PLAYER_CARD)
    text = f"{brief(raw)} is no maneuver on this table. Choose one of {ways}."
    return Refusal("TS-E-CARD", text, _BOUNTY)
