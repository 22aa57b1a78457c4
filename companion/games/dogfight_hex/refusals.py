"""Why an answer of Dogfight! hex ships is refused: a code, the limit, the rule and the way out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.board import Piece
from companion.core.question import Refusal
from companion.core.ruling import Cite, Seat
from companion.core.text import counted, listed, spelt_like
from companion.games.dogfight_hex import seats
from companion.games.dogfight_hex.moves import rams
from companion.games.dogfight_hex.seats import Thing, thing_named
from companion.kit.hexes import Heading, Hex

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_hex.position import DogfightHexPosition

NEAREST = 4
"""So many legal poses or spaces are named beside one that is not."""

_WHO = Cite.of("HX-SET-02, RULING 5")
_SETUP = Cite.of("HX-SET-01, RULING 3")
_ORDER = Cite.of("HX-SET-05")
_START = Cite.of("HX-SET-05, RULING 1")
_OCCUPIED = Cite.of("HX-SET-05, RULING 4")
_EDGE = Cite.of("RULING 10")
_ADJACENT = Cite.of("HX-DMG-01")
_UNOCCUPIED = Cite.of("HX-DMG-01, RULING 18")
_RANGE = Cite.of("HX-ATK-03, RULING 11")
_NO_TARGET = Cite.of("HX-ATK-07")
_MUST = Cite.of("HX-ATK-06")
_MUST_BEAM = Cite.of("HX-ATK-06, RULING 13")
_BEAM = Cite.of("HX-ATK-04, RULING 12")
_DRIFT = Cite.of("HX-DEB-01")
_RAM_ONCE = Cite.of("HX-DEB-04, RULING 23")
_DEBRIS_BLOCKS = Cite.of("HX-MOV-05, RULING 24")


_RAM = re.compile(r"(?:(\S+) )?ram (.+)", re.IGNORECASE)


def thing_before(raw: Json) -> tuple[Thing | None, str]:
    """The token that is named before a place, as in "B: 0,-5 SE" or "Ship B 0,-5 SE"; the rest.

    >>> thing_before("ship-b 0,-5 SE")[1], thing_before("0,-5 SE")
    ('0,-5 SE', (None, '0,-5 SE'))
    """
    said = " ".join(str(raw).split())
    first, colon, rest = said.partition(":")
    if colon and (thing := thing_named(first)) is not None:
        return thing, rest.strip()
    words = said.split(" ")
    for count in (1, 2) if said.lower().startswith(("ship", "debris")) else ():
        thing = thing_named(" ".join(words[:count]))
        if thing is not None:
            return thing, " ".join(words[count:])
    return None, said


def without_own(raw: Json, seat: Seat) -> str:
    """What was said, without the name of a seat's own token before it."""
    thing, rest = thing_before(raw)
    return rest if thing is None or thing.seat == seat else str(raw)


def ram_in(raw: Json) -> tuple[str, str] | None:
    """From where what is rammed, as it was said; None where no ram is.

    >>> ram_in("0,-1 ram Ship B"), ram_in("ram b"), ram_in("0,-1")
    (('0,-1', 'Ship B'), ('', 'b'), None)
    """
    found = _RAM.fullmatch(" ".join(str(raw).split()))
    return None if found is None else (found[1] or "", found[2])


def free_wreckage(position: DogfightHexPosition) -> list[Piece]:
    """The tokens of the set-up that lie nowhere yet."""
    return [wreck for wreck in seats.WRECKS if wreck not in position.wreckage]


# -- set-up --------------------------------------------------------------------------------


def who(raw: Json, position: DogfightHexPosition) -> Refusal:
    """Nobody of that name sits here."""
    there = listed([position.names[seat] for seat in position.order()])
    text = f"{brief(raw)} is no player here; there are {there}. Or say lot, and a lot is drawn."
    return Refusal("HX-E-WHO", text, _WHO)


def scattered(raw: Json, position: DogfightHexPosition, legal: Sequence[Hex]) -> Refusal | None:
    """A space on which wreckage cannot lie at set-up."""
    space = _space(raw)
    if space is None:
        return _unreadable(raw, _SETUP)
    if space not in position.table.board:
        text = f"{space} is not on the map."
    elif space in position.unoccupied():
        text = f"{space} is a start space, and this table keeps those free."
    else:
        text = f"Something lies on {space} already; each of the four has its own space."
    return Refusal("HX-E-WRECK-SETUP", f"{text} {_near(space, legal)}", _SETUP)


def start(raw: Json, position: DogfightHexPosition, seat: Seat) -> Refusal | None:
    """A place at which a ship cannot start."""
    other = another_ship(raw, seat)
    if other is not None:
        due = position.called(seats.SHIPS[seat])
        text = f"{position.labels[seats.SHIPS[other]]} is not placed now: it is the turn of {due}. "
        text += "Place that one."
        return Refusal("HX-E-ORDER", text, _ORDER)
    wanted = _pose(without_own(raw, seat), position)
    if wanted is None:
        return no_heading(raw, position, _START) or _unreadable(raw, _START, "0,-5 SE")
    starts = position.table.start_spaces
    if wanted.hex not in position.table.board:
        free = _near(wanted.hex, starts & position.unoccupied())
        return Refusal("HX-E-OFFMAP", f"{wanted.hex} is not on the map. {free}", _EDGE)
    if wanted.hex not in starts:
        free = _near(wanted.hex, starts & position.unoccupied())
        text = f"{wanted.hex} is no start space: ships start on the highlighted lines."
        return Refusal("HX-E-START", f"{text} {free}", _START)
    free = _near(wanted.hex, starts & position.unoccupied())
    text = f"{what_lies(position, wanted.hex)} is on {wanted.hex} already. {free}"
    return Refusal("HX-E-OCCUPIED", text, _OCCUPIED)


def another_ship(raw: Json, seat: Seat) -> Seat | None:
    """The seat whose ship is named before a place, as "B: 0,-5 SE", if it is not this one's."""
    thing, _ = thing_before(raw)
    other = thing.seat if thing is not None and thing.piece in seats.SHIPS.values() else None
    return other if other != seat else None


def no_heading(raw: Json, position: DogfightHexPosition, cite: Cite) -> Refusal | None:
    """A place that names a space but not which way the ship looks; None where no space is named."""
    words = thing_before(raw)[1].split(" ")
    space = _space(words[0])
    if space is None:
        return None
    if space not in position.table.board:
        return Refusal("HX-E-OFFMAP", f"{space} is not on the map.", _EDGE)
    facings = position.table.facings
    text = f"The heading is missing: which way does the ship look on {space}? "
    if len(words) > 1:
        text = f"{' '.join(words[1:])} is no heading. "
    text += f"Say {space} with one of {', '.join(facings)}."
    return Refusal("HX-E-READ", text, cite)


# -- damage --------------------------------------------------------------------------------


def laid(raw: Json, position: DogfightHexPosition, ship: Hex, legal: Sequence[Hex]) -> Refusal:
    """A space on which a hull point token cannot be laid; all on which it can are named."""
    space, there = _space(raw), f"Free are: {'; '.join(map(str, legal))}."
    if space is None:
        text = f"{brief(raw)} names no space here. {there}"
        return Refusal("HX-E-READ", text, _ADJACENT)
    if space not in position.table.board:
        return Refusal("HX-E-OFFMAP", f"{space} is not on the map. {there}", _EDGE)
    if space not in position.unoccupied():
        text = f"{what_lies(position, space)} is on {space}. {there}"
        return Refusal("HX-E-OCCUPIED", text, _UNOCCUPIED)
    text = f"{space} is not beside the ship on {ship}. {there}"
    return Refusal("HX-E-ADJ", text, _ADJACENT)


# -- attacks -------------------------------------------------------------------------------


def target(raw: Json, position: DogfightHexPosition, seat: Seat, legal: Sequence[Seat]) -> Refusal:
    """Something that a medium-range attack cannot be aimed at."""
    thing = thing_named(raw)
    there = f"Name one of {', '.join(position.names[one] for one in legal)}."
    if thing is None:
        text = f"{brief(raw)}: there is a ship in range, so one must be hit. {there}"
        return Refusal("HX-E-MUST", text, _MUST)
    other = position.ships.get(thing.seat) if thing.seat is not None else None
    if other is None or thing.piece != seats.SHIPS[other.seat] or not other.lives:
        text = f"{position.labels[thing.piece]} is no ship that lives: "
        text += "wreckage and debris are no targets."
        return Refusal("HX-E-TARGET", f"{text} {there}", _NO_TARGET)
    if other.seat == seat:
        return Refusal("HX-E-TARGET", f"That is the attacker's own ship. {there}", _NO_TARGET)
    ship, own = position.labels[seats.SHIPS[other.seat]], position.called(seats.SHIPS[seat])
    text = f"{ship} is not within {seats.MEDIUM_RANGE} spaces in front of {own}."
    return Refusal("HX-E-RANGE", f"{text} {there}", _RANGE)


def beam(raw: Json, names: Iterable[str], legal: Sequence[str]) -> Refusal:
    """A beam that hits nobody while another would, or that no ship has."""
    there = f"Choose {' or '.join(legal)}."
    if spelt_like(raw, (*names, "none", "pass")) is None:
        text = f"{brief(raw)} is no beam: there are {', '.join(names)}. {there}"
        return Refusal("HX-E-BEAM", text, _BEAM)
    text = f"No ship is hit that way, but another beam has one. {there}"
    return Refusal("HX-E-MUST", text, _MUST_BEAM)


# -- debris --------------------------------------------------------------------------------


def drift(
    raw: Json, position: DogfightHexPosition, seat: Seat, legal: Mapping[Hex, int]
) -> Refusal:
    """A space to which debris cannot drift, or a ram that it cannot make.

    `legal` are the spaces it reaches, with the fewest steps to each.
    """
    ram = ram_in(thing_before(raw)[1])
    if ram is not None:
        return _ram(ram[1], position, seat, legal)
    space = _space(without_own(raw, seat))
    if space is None:
        return _unreadable(raw, _DRIFT, _drift_examples(position, legal))
    there = _near(space, legal)
    if space not in position.table.board:
        return Refusal("HX-E-OFFMAP", f"{space} is not on the map. {there}", _EDGE)
    if space in position.debris(besides=seat):
        text = f"Other debris lies on {space}, and debris does not share. {there}"
        return Refusal("HX-E-BLOCKED", text, _DEBRIS_BLOCKS)
    if space in position.standing():
        return _onto_ship(space, position, legal, there)
    return Refusal("HX-E-STEPS", f"{_too_far(space, position, seat)} {there}", _DRIFT)


def _too_far(space: Hex, position: DogfightHexPosition, seat: Seat) -> str:
    """Why the steps left do not lead there: it is too far, or ships and debris are in the way."""
    here, left = position.ships[seat].debris, counted(position.steps, "step")
    away = 0 if here is None else here.distance(space)
    if away <= position.steps:
        return f"{space} takes more than {left} from {here}: ships or other debris are in the way."
    return f"{space} is {away} steps away; this debris has {left} left."


def _drift_examples(position: DogfightHexPosition, legal: Mapping[Hex, int]) -> str:
    """Legal answers of the position: a space, and a ram where one can be made."""
    rams_left = [] if position.rammed else _legal_rams(position, legal, position.order())
    return " or ".join([*map(str, [*legal][1:2]), *rams_left[:1]]) or "stay"


def _legal_rams(
    position: DogfightHexPosition, legal: Mapping[Hex, int], targets: Iterable[Seat]
) -> list[str]:
    """How these ships can be rammed, said as an answer; those of the fewest steps first."""
    wanted = {*targets}
    found = rams(position.table.board, legal, position.standing(), position.steps)
    there = sorted((ram.steps, ram.space, ram.target) for ram in found if ram.target in wanted)
    return [f"{space} ram {position.names[target]}" for _, space, target in there]


def _ram(word: str, position: DogfightHexPosition, seat: Seat, legal: Mapping[Hex, int]) -> Refusal:
    if position.rammed:
        return _second_ram()
    thing = thing_named(word)
    other = position.ships.get(thing.seat) if thing is not None and thing.seat else None
    if other is None or not other.lives or thing is None or thing.piece != seats.SHIPS[other.seat]:
        what = word if thing is None else position.labels[thing.piece]
        text = f"{what} is no ship that lives; only such can be rammed. Name a space, or stay."
        return Refusal("HX-E-TARGET", text, _RAM_ONCE)
    debris, ship = position.labels[seats.DEBRIS_OF[seat]], position.called(seats.SHIPS[other.seat])
    text = f"{debris} does not reach {ship} in {counted(position.steps, 'step')} that way."
    ways = _legal_rams(position, legal, (other.seat,))[:NEAREST]
    way_out = f"Legal: {'; '.join(ways)}." if ways else "Name a space without a ship, or stay."
    return Refusal("HX-E-STEPS", f"{text} {way_out}", _DRIFT)


def _second_ram() -> Refusal:
    text = "This debris has rammed a ship this turn; it may not run into one again. "
    return Refusal("HX-E-RAM2", f"{text}Name a space without a ship, or stay.", _RAM_ONCE)


def _onto_ship(
    space: Hex, position: DogfightHexPosition, legal: Mapping[Hex, int], there: str
) -> Refusal:
    if position.rammed:
        return _second_ram()
    other = position.standing()[space]
    text = f"{position.labels[seats.SHIPS[other]]} is on {space}: "
    ways = _legal_rams(position, legal, (other,))
    text += f"say from which space it is rammed, as {ways[0]}." if ways else \
        f"{counted(position.steps, 'step')} do not suffice to ram it."  # fmt: skip
    return Refusal("HX-E-BLOCKED", f"{text} {there}", _RAM_ONCE)


# -- reading what was said -----------------------------------------------------------------


def _space(raw: Json) -> Hex | None:
    try:
        return Hex.read(str(raw).strip())
    except ValueError:
        return None


def _pose(raw: Json, position: DogfightHexPosition) -> Heading | None:
    try:
        return Heading.read(str(raw), position.table.facings)
    except ValueError:
        return None


def _unreadable(raw: Json, cite: Cite, example: str = "0,-1") -> Refusal:
    text = f"{brief(raw)} names no place here. Name one as {example}."
    return Refusal("HX-E-READ", text, cite)


def what_lies(position: DogfightHexPosition, space: Hex) -> str:
    """What is on a space, as a sentence begins with it."""
    standing, debris = position.standing(), position.debris()
    if space in standing:
        return position.labels[seats.SHIPS[standing[space]]]
    if space in debris:
        return position.labels[seats.DEBRIS_OF[debris[space]]]
    return "Wreckage" if space in position.wreckage.values() else "Nothing"


def _near(wanted: Hex, legal: Iterable[Hex]) -> str:
    """The legal spaces that are nearest to the one wanted."""
    nearest = sorted(legal, key=lambda space: (space.distance(wanted), space))[:NEAREST]
    return f"Legal nearby: {'; '.join(map(str, nearest))}." if nearest else ""
