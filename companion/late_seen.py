"""Cards that the camera saw come to a track after the buzzer, until somebody rules on them.

The camera names the section and shows the pictures; whether the card was late, and whose it is,
people say. For any box whose reports know `late card`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.errors import BadCall
from companion.ruling import Seat
from companion.tracks import LATE

if TYPE_CHECKING:
    from companion.offers import Json, LateCard
    from companion.referee import Referee
    from companion.ruling import Notice
    from companion.sight import LateKey


class LateSeen:
    """The late cards of one match that a camera saw. Owned by the referee's thread."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee

    @property
    def waiting(self) -> tuple[LateCard, ...]:
        """Those that nobody has ruled on yet, by section; none where the box knows no such word."""
        sight = self._referee.sight
        if sight.sighting is None or LATE not in self._referee.match.rulebook.report_words():
            return ()
        late = (one for one in sight.sighting.late if _key(one) not in sight.ruled_late)
        return tuple(sorted(late, key=_key))

    def whose(self, late: LateCard) -> tuple[Seat, ...]:
        """Who may have laid it: whoever's back was read on it, else its team's seats."""
        rulebook = self._referee.match.rulebook
        seats = rulebook.seats_taken()
        if late.owner in seats:
            return (Seat(late.owner),)
        team = team_of(late)
        return tuple(seat for seat in seats if rulebook.side_of.get(seat, seat) == team)

    def rule(self, late: LateCard, player: Seat, now: float, by: str = "") -> Notice | None:
        """It was late, and it is `player`'s: reported, with what the camera saw as the reason.

        Error: BadCall where it waits no longer, or nobody of that name may have laid it.
        """
        self._check(late)
        if player not in self.whose(late):
            raise BadCall(f"{player} laid no card on {late.section}: {', '.join(self.whose(late))}")
        fact: dict[str, Json] = {"what": LATE, "player": str(player), "section": number_of(late)}
        if late.moved_from:
            fact["moved_from"] = int(late.moved_from.rpartition(".")[2])
        reason = f"camera: came to {late.section} after the buzzer"
        return self._referee.report(fact, now, reason=reason, by=by)

    def let_lie(self, late: LateCard, now: float) -> None:
        """It lay there at the buzzer, people say: it counts as whatever else lies there.

        Error: BadCall where it waits no longer.
        """
        self._check(late)
        self._referee.sight.let_lie(self._keys(late), now)

    def reported(self, fact: Mapping[str, Json]) -> None:
        """Somebody reported a late card, by whichever way: the one seen there waits no longer."""
        if fact.get("what") != LATE:
            return
        named = str(fact.get("player")).lower()
        for late in self.waiting:
            laid = next((str(seat) for seat in self.whose(late) if str(seat).lower() == named), "")
            if laid and fact.get("section") == number_of(late):
                self._referee.sight.ruled_late |= {_key(late), (late.section, laid)}

    def _keys(self, late: LateCard) -> set[LateKey]:
        """The card by all the owners it may turn out to have, once its back is read."""
        owners = () if late.owner else self.whose(late)
        return {_key(late), *((late.section, str(seat)) for seat in owners)}

    def _check(self, late: LateCard) -> None:
        if late not in self.waiting:
            raise BadCall(f"{late.section}: no late card waits to be ruled on")


def _key(late: LateCard) -> LateKey:
    return late.section, late.owner


def team_of(late: LateCard) -> Seat:
    """The team on whose track the section is.

    >>> from companion.offers import LateCard
    >>> team_of(LateCard("Jaws.4")), number_of(LateCard("Jaws.4"))
    ('Jaws', 4)
    """
    return Seat(late.section.rpartition(".")[0])


def number_of(late: LateCard) -> int:
    """The section's number on its track."""
    return int(late.section.rpartition(".")[2])
