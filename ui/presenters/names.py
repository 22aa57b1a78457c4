"""What seats, teams and pieces are called, and in which colours they are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core.board import Look
from companion.core.ruling import TABLE, Seat
from ui.presenters.common import Side

if TYPE_CHECKING:
    from companion.match.rulebook import Rulebook


@dataclass(frozen=True)
class Names:
    """The names of one match: seats as the book calls them, players as they call themselves."""

    seats: Mapping[Seat, str]
    sides: tuple[Seat, ...]
    side_of: Mapping[Seat, Seat] = field(default_factory=dict[Seat, Seat])
    looks: Mapping[str, Look] = field(default_factory=dict[str, Look])
    players: Mapping[Seat, str] = field(default_factory=dict[Seat, str])

    @classmethod
    def of(cls, rulebook: Rulebook[Any] | type[Rulebook[Any]], seated: Mapping[Seat, str]) -> Names:
        """The names of a rulebook's seats, with who sits there as a set-up has it."""
        players = {seat: rulebook.person(text) for seat, text in seated.items()}
        for seat, first in rulebook.held_by.items():
            if first in players:
                players[seat] = players[first]
        sides = tuple(rulebook.sides)
        return cls(rulebook.seats, sides, rulebook.side_of, rulebook.looks, players)

    def side(self, seat: Seat) -> Side | None:
        """The team (or the seat itself where there are no teams) in its colours; None: the table.

        >>> paws, gunner = Seat("Paws"), Seat("PG")
        >>> names = Names({gunner: "Paws Gunner"}, (paws,), {gunner: paws}, {paws: Look(1, "paw")})
        >>> names.side(gunner), names.side(TABLE)
        (Side(name='Paws', tint=Look(colour=1, sign='paw', letter='')), None)
        """
        if seat == TABLE:
            return None
        side = self.side_of.get(seat, seat)
        look = self.looks.get(side) or Look(letter=str(side)[:1].upper())
        return Side(self.label(side), look)

    def label(self, seat: Seat) -> str:
        """What the book calls a seat: "Paws Gunner"; a team by its name."""
        return "Table" if seat == TABLE else self.seats.get(seat, str(seat))

    def player(self, seat: Seat) -> str:
        """Who sits there, else what the book calls the seat."""
        return self.players.get(seat) or self.label(seat)

    def called(self, seat: Seat) -> str:
        """By what the book has a seat do; by name where it only counts its players.

        >>> seats = {Seat("A"): "Player A", Seat("PG"): "Paws Gunner"}
        >>> names = Names(seats, (), players={Seat("A"): "Ana", Seat("PG"): "Dan"})
        >>> names.called(Seat("A")), names.called(Seat("PG"))
        ('Ana', 'Paws Gunner')
        """
        label = self.label(seat)
        return self.player(seat) if label == f"Player {seat}" else label

    def in_full(self, headline: str, seat: Seat) -> str:
        """A headline with the player's name for the seat's code before it.

        >>> Names({}, (), players={Seat("PG"): "Dan"}).in_full("PG: count the deck", Seat("PG"))
        'Dan: count the deck'
        """
        code = f"{seat}: "
        named = headline.startswith(code) and seat in {**self.seats, **self.players}
        return f"{self.player(seat)}: {headline.removeprefix(code)}" if named else headline

    def without(self, words: str, seat: Seat) -> str:
        """What is asked of somebody who is named beside it: "Dan: count the deck" less the name.

        >>> Names({}, (), players={Seat("PG"): "Dan"}).without("Dan: count the deck", Seat("PG"))
        'Count the deck'
        """
        for name in (str(seat), self.label(seat), self.player(seat)):
            words = words.removeprefix(f"{name}: ")
        return words[:1].upper() + words[1:]

    def victory(self, side: Seat) -> str:
        """Who won, in words: a player by name, a team by its own.

        >>> names = Names({Seat("A"): "Player A"}, (), players={Seat("A"): "Ana"})
        >>> names.victory(Seat("A")), names.victory(Seat("Paws"))
        ('Ana wins', 'Paws win')
        """
        return f"{self.player(side)} wins" if side in self.seats else f"{self.label(side)} win"

    def role(self, seat: Seat) -> str:
        """The seat without its team's name: "Gunner"."""
        side, label = self.side(seat), self.label(seat)
        return label.removeprefix(side.name).strip() if side is not None else label

    def crew(self, team: Seat) -> tuple[Seat, ...]:
        """The seats of a side, in the book's order."""
        return tuple(seat for seat in self.seats if self.side_of.get(seat, seat) == team)
