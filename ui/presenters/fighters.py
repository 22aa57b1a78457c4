"""Fighter panels: who flies what, and how their cards and tokens stand; one a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.look import PLAIN, Look
from ui.presenters.common import Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.ruling import Seat
    from ui.presenters.scene import Scene

PILES: Mapping[str, str] = {
    "deck": "Deck",
    "hand": "Hand",
    "discard": "Disc.",
    "damage": "Dmg",
}
"""The piles a panel counts, the one that decides first, and how narrow panels call them."""


@dataclass(frozen=True, slots=True)
class FighterPanel:
    """One seat: `side` is the player in the seat's colours, `drawn` the model's silhouette.

    `counts` are piles by name, the Deck first; `tokens` None where the box has none. `down` says
    why the model is not on the board ("" while it flies); `active` marks whose turn it is.
    """

    side: Side
    drawn: Look = PLAIN
    fighter: str = ""
    pilot: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    tokens: int | None = None
    down: str = ""
    active: bool = False


def present_fighters(scene: Scene) -> tuple[FighterPanel, ...]:
    """A panel for each seat that has cards, in the book's order of seats."""
    return tuple(_panel(scene, seat) for seat in scene.names.seats if _plays(scene, seat))


def seat_side(scene: Scene, seat: Seat) -> Side | None:
    """A player in the seat's own colours, where its side has those of several; None: the table."""
    look = scene.match.rulebook.looks.get(seat)
    return Side(scene.names.player(seat), look) if look else scene.side(seat)


def _plays(scene: Scene, seat: Seat) -> bool:
    return any(fact.seat == seat for fact in scene.facts)


def _panel(scene: Scene, seat: Seat) -> FighterPanel:
    told = {fact.name.rpartition(".")[2]: fact.value for fact in scene.facts if fact.seat == seat}
    piece = str(told.get("fighter") or "")
    return FighterPanel(
        side=seat_side(scene, seat) or Side(scene.names.player(seat)),
        drawn=scene.match.rulebook.looks.get(piece, PLAIN),
        fighter=_fighter(scene, piece),
        pilot=_pilot(told),
        counts=tuple(_counts(told)),
        tokens=_whole(told.get("tokens")),
        down=_down(told, piece),
        active=scene.values.get("active") == seat,
    )


def _fighter(scene: Scene, piece: str) -> str:
    token = next((t for t in scene.map.plan.tokens if t.piece == piece), None)
    return token.label if token is not None else piece


def _pilot(told: Mapping[str, Any]) -> str:
    """The pilot and the side of the card that lies up: "Fonck, side A"."""
    pilot = str(told.get("pilot") or "")
    side = str(told.get("pilot_side") or "")
    return f"{pilot.capitalize()}, side {side}" if pilot and side else pilot.capitalize()


def _counts(told: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for pile in PILES:
        count = _whole(told.get(pile))
        if count is not None:
            yield pile, count


def _down(told: Mapping[str, Any], piece: str) -> str:
    if not piece or told.get("flying") is not False:
        return ""
    return "Crashed" if told.get("out") is True else "Off the board"


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
