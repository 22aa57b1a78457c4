"""Fighter panels: who flies what, and how their cards and tokens stand; one a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.board import NO_LOOK, Look
from companion.core.ruling import Shows
from ui.scene.values import Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.core.ruling import Fact, Seat
    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class PanelCount:
    """A number of a seat's; `open`: it lies open to all, and is left out first."""

    name: str
    count: int
    short: str = ""
    open: bool = False

    @property
    def narrow(self) -> str:
        """Its name where there is little room.

        >>> PanelCount("Hand", 4).narrow, PanelCount("Ammunition", 4).narrow
        ('Hand', 'Ammu.')
        """
        return self.short or (self.name if len(self.name) <= 5 else f"{self.name[:4]}.")


@dataclass(frozen=True, slots=True)
class FighterPanel:
    """One seat: `side` is the player in the seat's colours, `drawn` the model's silhouette.

    `counts` are the seat's numbers by name, the deciding one first; `tokens` None where the box has
    none. `down` says why the model is not on the board ("" while it flies); `active` marks whose
    turn it is.
    """

    side: Side
    drawn: Look = NO_LOOK
    fighter: str = ""
    pilot: str = ""
    counts: tuple[PanelCount, ...] = ()
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
    facts = [fact for fact in scene.facts if fact.seat == seat]
    told = {fact.name.rpartition(".")[2]: fact.value for fact in facts}
    piece = str(told.get("fighter") or told.get("ship") or "")
    return FighterPanel(
        side=seat_side(scene, seat) or Side(scene.names.player(seat)),
        drawn=scene.match.rulebook.looks.get(piece, NO_LOOK),
        fighter=_fighter(scene, piece),
        pilot=_pilot(facts, told),
        counts=tuple(_counts(facts)),
        tokens=_whole(told.get("tokens")),
        down=_down(told, piece),
        active=scene.values.get("active") == seat,
    )


def _fighter(scene: Scene, piece: str) -> str:
    token = next((t for t in scene.map.plan.tokens if t.piece == piece), None)
    return token.label if token is not None else piece


def _pilot(facts: Sequence[Fact], told: Mapping[str, Any]) -> str:
    """The pilot's last name, and the side of the card that lies up: "Fonck, side A".

    A box may have a pilot's value instead: that is told with what it is.
    """
    fact = next((fact for fact in facts if fact.name.endswith(".pilot")), None)
    if fact is None or not fact.value:
        return ""
    if _whole(fact.value) is not None:
        return f"{fact.label} {fact.value}"
    name = (fact.words or str(fact.value)).rpartition(" ")[2]
    side = told.get("pilot_side")
    return f"{name}, side {side}" if side else name


def _counts(facts: Sequence[Fact]) -> Iterator[PanelCount]:
    for fact in facts:
        count = _whole(fact.value)
        tokens = fact.name.endswith(".tokens")  # they have a drawing of their own
        if fact.shows.is_count and count is not None and not tokens:
            yield PanelCount(fact.label, count, fact.short, fact.shows is Shows.OPEN)


def _down(told: Mapping[str, Any], piece: str) -> str:
    if told.get("down"):
        return str(told["down"])
    if not piece or told.get("flying") is not False:
        return ""
    return "Crashed" if told.get("out") is True else "Off the board"


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
