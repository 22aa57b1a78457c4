"""What every question of Starship Edition is built on: names of players, and the places of keys.

A key tells where in the book something is asked: "turn-2/tier-1/B/primary/2/target".
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.core.question import Choose, Option, Refusal
from companion.core.text import headed
from companion.games.starship_edition import refusals
from companion.games.starship_edition.layout import PREPARATION, SET_UP

if TYPE_CHECKING:
    from companion.core.ruling import Cite, Json, Seat
    from companion.games.starship_edition.position import StarshipPosition

YES, NO = "yes", "no"


class Asking:
    """Knows the position, the house rules and the players' names; keeps the place in the turn."""

    def __init__(
        self,
        position: StarshipPosition,
        house: Mapping[str, Json],
        names: Mapping[Seat, str],
    ) -> None:
        self.position = position
        self.house = house
        self.names = names
        self.place: list[str] = []

    @contextmanager
    def at(self, *place: object) -> Generator[None, None, None]:
        """Everything asked meanwhile is asked at this place within the present one."""
        before = len(self.place)
        self.place += [str(part) for part in place]
        try:
            yield
        finally:
            del self.place[before:]

    def key(self, *place: object) -> str:
        """A key from the turn on."""
        turn = SET_UP if self.position.stage == SET_UP else f"turn-{self.position.turn}"
        return "/".join((turn, *self.place, *(str(part) for part in place)))

    def head(self, seat: Seat, words: str) -> str:
        """A headline that names its player."""
        return headed(self.names[seat], seat, words)

    def yes_no(
        self, key: str, by: Seat, cite: Cite, prompt: str, headline: str,
        words: Sequence[str] = ("Yes", "No"), lapse: str | None = None,
    ) -> Choose[bool]:  # fmt: skip
        """Whether something is done; `words` are what the two keys say."""
        options = [Option(YES, value=True, label=words[0]), Option(NO, value=False, label=words[1])]
        return Choose(key=self.key(key), by=by, cite=cite, prompt=prompt, lapse=lapse,
                      headline=self.head(by, headline), offered=options,
                      unlisted=self.over)  # fmt: skip

    def or_over(
        self, unlisted: Callable[[Json], Refusal | None] | None
    ) -> Callable[[Json], Refusal | None]:
        """What belongs to the Preparation is told so; anything else as `unlisted` has it."""
        return lambda raw: self.over(raw) or (unlisted(raw) if unlisted is not None else None)

    def over(self, raw: Json) -> Refusal | None:
        """What belongs to the Preparation, when that is over.  (SE-E-PHASE)"""
        early = self.position.stage in (SET_UP, PREPARATION)
        return refusals.before(raw) if early else refusals.over(raw)
