"""Where the camera's table of hex ships differs from the record: what to say, what to hold up."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from companion.core.offers import PictureState, SeenState
from companion.core.ruling import Cite, Level, Notice
from companion.games.dogfight_hex import move_refusals, refusals, seats
from companion.games.dogfight_hex.ends import DriftEnds
from companion.kit.comparing import RESTORE, unclear
from companion.kit.hexes import Hex, heading_of

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.offers import Seen, Sighting
    from companion.games.dogfight_hex.position import DogfightHexPosition, Ship

_WAIT = Cite.of("HX-DEC-03")
_ORDER = Cite.of("HX-MOV-01, HX-TRN-01")
_DRIFT_ORDER = Cite.of("HX-DEB-02, RULING 25")
_STANDS = Cite.of("HX-MOV-01")
_FLIPPED = Cite.of("HX-DMG-03")
_STAYS = Cite.of("HX-DMG-02")
_ONE = Cite.of("HX-MOV-05")
_HEADING = Cite.of("HX-MAT-02")


def compare(
    position: DogfightHexPosition, sighting: Sighting, lagging: Collection[Piece] = ()
) -> list[Notice]:
    """What a settled picture says against the record; nothing of tokens on their way."""
    if sighting.state is not PictureState.SETTLED:
        return []
    notices: list[Notice] = []
    for piece, seen in sighting.pieces.items():
        if piece not in lagging:
            notices += _judged(position, piece, seen)
        else:
            notices += _astray(position, piece, seen)
    return notices


def _astray(position: DogfightHexPosition, piece: Piece, seen: Seen) -> Iterator[Notice]:
    """Debris that hands may be moving already, seen where it cannot drift to."""
    due = position.due() if position.stage == seats.DEBRIS else None
    if due is None or seen.state is not SeenState.SEEN or seen.pose is None:
        return
    ship = position.ships[due]
    if piece != ship.debris_piece or seen.pose == position.placement().get(piece):
        return
    notice = _debris_elsewhere(position, ship, seen.pose)
    if notice.level is Level.BLOCK:
        yield notice


def _judged(position: DogfightHexPosition, piece: Piece, seen: Seen) -> Iterator[Notice]:
    """One token: unsure, not seen, or seen elsewhere than recorded."""
    recorded = position.placement().get(piece)
    if seen.state is SeenState.UNSURE and recorded is not None:
        yield _unsure(position, position.labels[piece], seen)
    if seen.state is SeenState.LOST and recorded is not None and piece not in position.covered():
        text = f"{position.labels[piece]} is not seen; the record has it on {recorded.space}."
        yield Notice("HX-SEEN", text, _STAYS, Level.NOTE, RESTORE)
    if seen.state is not SeenState.SEEN or seen.pose is None or seen.pose == recorded:
        return
    for ship in position.ships.values():
        if piece == ship.piece:
            yield _ship_elsewhere(position, ship, seen.pose)
        elif piece == ship.debris_piece:
            yield _debris_elsewhere(position, ship, seen.pose)
    if piece in seats.WRECKAGE:
        yield from _wreckage_elsewhere(position, piece, seen.pose)


def _unsure(position: DogfightHexPosition, name: str, seen: Seen) -> Notice:
    """Between two spaces or two headings, or on none."""
    text, way_out = unclear(name, seen, position.table.facings, "map")
    cite = _HEADING if len(seen.facings) == 2 else _ONE if len(seen.spaces) > 1 else _STANDS
    return Notice("HX-SEEN", text, cite, Level.WARN, way_out)


# -- ships ---------------------------------------------------------------------------------


def _ship_elsewhere(position: DogfightHexPosition, ship: Ship, seen: Pose) -> Notice:
    name = position.labels[ship.piece]
    if not ship.lives:
        text = f"{name} is destroyed and still lies ship side up on {seen.space}."
        return Notice("HX-SEEN", text, _FLIPPED, Level.WARN, "Turn the token over.")
    if ship.at is None:
        text = f"{name} stands on {seen.space} and is not placed yet."
        return Notice("HX-SEEN", text, _STANDS, Level.WARN, "Take it off until it is placed.")
    there = position.named(heading_of(seen))
    text = f"{name} stands on {there}, the record has {position.named(ship.at)}."
    if position.stage == seats.DECLARE:
        text += " Nobody moves before all cards lie face down."
        return Notice("HX-E-WAIT", text, _WAIT, Level.BLOCK, RESTORE)
    if position.stage != seats.MOVEMENT:
        return Notice("HX-SEEN", f"{text} Ships do not move now.", _STANDS, Level.BLOCK, RESTORE)
    due = position.due()
    if due is not None and ship.seat != due:
        text += f" It is the turn of {position.called(seats.SHIPS[due])} to move."
        return Notice("HX-E-ORDER", text, _ORDER, Level.BLOCK, RESTORE)
    refusal = move_refusals.pose(position, ship.seat, heading_of(seen))
    if refusal is None:
        return Notice("HX-SEEN", text, _STANDS, Level.NOTE, "Say so, or put it back.")
    return Notice(refusal.code, f"{name}: {refusal.text}", refusal.cite, Level.BLOCK, RESTORE)


# -- debris and wreckage -------------------------------------------------------------------


def _debris_elsewhere(position: DogfightHexPosition, ship: Ship, seen: Pose) -> Notice:
    name = position.labels[ship.debris_piece]
    if ship.debris is None:
        text = f"{name} lies on {seen.space}, but that ship is not destroyed."
        return Notice("HX-SEEN", text, _FLIPPED, Level.BLOCK, "Turn the token back.")
    text = f"{name} lies on {seen.space}, the record has {ship.debris}."
    due = position.due() if position.stage == seats.DEBRIS else None
    if ship.seat != due:
        whose = f" {position.labels[seats.DEBRIS_OF[due]]} drifts now." if due is not None else \
            " No debris drifts now."  # fmt: skip
        return Notice("HX-E-ORDER", text + whose, _DRIFT_ORDER, Level.BLOCK, RESTORE)
    ends = DriftEnds(position, ship.seat).spaces()
    if Hex.read(seen.space) in ends:
        return Notice("HX-SEEN", text, _STANDS, Level.NOTE, "Say so, and whether it rammed a ship.")
    refusal = refusals.drift(seen.space, position, ship.seat, ends)
    return Notice(refusal.code, f"{name}: {refusal.text}", refusal.cite, Level.BLOCK, RESTORE)


def _wreckage_elsewhere(
    position: DogfightHexPosition, piece: Piece, seen: Pose
) -> Iterator[Notice]:
    name, recorded = position.labels[piece], position.wreckage.get(piece)
    if recorded is not None:
        text = f"{name} lies on {seen.space}, the record has {recorded}. Wreckage never moves."
        yield Notice("HX-SEEN", text, _STAYS, Level.BLOCK, RESTORE)
    elif position.stage != seats.SET_UP:
        text = f"{name} lies on {seen.space}, and nobody has lost it."
        way_out = "Take it off, or lay the token that was named in its place."
        yield Notice("HX-SEEN", text, _STAYS, Level.WARN, way_out)
