"""Reads the fields of a report; what is missing, unknown or wrong is named with what is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.crew import CREW_OF, NAMES, TEAM_OF
from companion.games.jaws_and_paws.lineup import FOUR, Lineup
from companion.kit.reports import refuse_fields

if TYPE_CHECKING:
    from companion.core.ruling import Json


class FactReader:
    """One report and the fields its word has; "?" marks those that may be left out.

    >>> fact = FactReader({"what": "wants to repair", "player": "jg"}, ("player",))
    >>> fact.what, fact.player()
    ('wants to repair', 'JG')
    """

    def __init__(
        self, fact: Mapping[str, Json], fields: Sequence[str], lineup: Lineup = FOUR
    ) -> None:
        self._fact = fact
        self._lineup = lineup
        self.what = str(fact.get("what"))
        refuse_fields(self.what, fields, fact)

    def words(self) -> dict[str, str]:
        """The player, team and section of the report, as sentences name them."""
        words: dict[str, str] = {}
        if self.has("player"):
            player = self.player()
            pilot, gunner = (NAMES[mate] for mate in CREW_OF[TEAM_OF[player]])
            words |= {"player": NAMES[player], "pilot": pilot, "gunner": gunner}
        if self.has("team"):
            words["team"] = self.team()
        if self.has("section"):
            words["section"] = str(self.section())
        return words

    def has(self, name: str) -> bool:
        """Whether an optional field was given."""
        return self._fact.get(name) is not None

    def one_of(self, name: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of several words, whatever its case."""
        if default is not None and not self.has(name):
            return default
        value = self._fact.get(name)
        for known in allowed:
            if str(value).lower() == known.lower():
                return known
        raise BadCall(f"{name}: {value!r} is none of {', '.join(allowed)}")

    def team(self) -> Seat:
        """The field "team", by its name or by who is of it."""
        told = str(self._fact.get("team")).upper()
        player = next((p for p in self._lineup.players if p.upper() == told), None)
        if player is not None:
            return TEAM_OF[player]
        return Seat(self.one_of("team", self._lineup.teams))

    def player(self, name: str = "player") -> Seat:
        """A player's code."""
        return Seat(self.one_of(name, self._lineup.players))

    def section(self, name: str = "section") -> int:
        """A section's number, 1 to 4."""
        return self.number(name, 4, least=1)

    def number(self, name: str, most: int, least: int = 0) -> int:
        """A whole number from `least` to `most`."""
        value = self._fact.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise BadCall(f"{name}: {value!r} is not a whole number from {least} to {most}")
        return value

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._fact.get(name)
        if not isinstance(value, bool):
            raise BadCall(f"{name}: {value!r} is neither true nor false")
        return value
