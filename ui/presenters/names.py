"""What seats, teams and pieces are called, and in which colours they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.ruling import TABLE, Seat
from ui.presenters.common import Side

if TYPE_CHECKING:
    from companion.rulebook import Rulebook


@dataclass(frozen=True)
class Names:
    """The names of one match: seats as the book calls them, players as they call themselves."""

    seats: Mapping[Seat, str]
    sides: tuple[Seat, ...]
    players: Mapping[Seat, str] = field(default_factory=dict[Seat, str])

    @classmethod
    def of(
        cls, rulebook: Rulebook[Any] | type[Rulebook[Any]], players: Mapping[Seat, str]
    ) -> Names:
        """The names of a rulebook's seats, with who sits there."""
        return cls(rulebook.seats, tuple(rulebook.sides), players)

    def side(self, seat: Seat) -> Side | None:
        """The team (or the seat itself where there are no teams) in its colours; None: the table.

        >>> names = Names({Seat("PG"): "Paws Gunner"}, (Seat("Paws"),))
        >>> names.side(Seat("PG")), names.side(TABLE)
        (Side(name='Paws', tint='paws', letter=''), None)
        """
        if seat == TABLE:
            return None
        if seat in self.sides:
            return Side(seat, seat.lower())
        label = self.seats.get(seat, str(seat))
        for side in self.sides:
            if label.startswith(side):
                return Side(side, side.lower())
        return Side(label, str(seat).lower(), str(seat)[:1].upper())

    def label(self, seat: Seat) -> str:
        """What the book calls a seat: "Paws Gunner"; a team by its name."""
        return "Table" if seat == TABLE else self.seats.get(seat, str(seat))

    def player(self, seat: Seat) -> str:
        """Who sits there, else what the book calls the seat."""
        return self.players.get(seat) or self.label(seat)

    def role(self, seat: Seat) -> str:
        """The seat without its team's name: "Gunner"."""
        side, label = self.side(seat), self.label(seat)
        return label.removeprefix(side.name).strip() if side is not None else label

    def crew(self, team: Seat) -> tuple[Seat, ...]:
        """The seats of a team, in the book's order."""
        return tuple(seat for seat, label in self.seats.items() if label.startswith(team))
