"""How a box wants its sides, seats and pieces drawn; screens keep the palettes and the drawings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """Colours and drawing of one side, seat or piece.

    `colour` is a place among a theme's colours of sides, 0 to 5 (None: no side's own); `sign` the
    name of a drawing ("jaw", "paws-plane"), `letter` what is written where no drawing is known.
    """

    colour: int | None = None
    sign: str = ""
    letter: str = ""

    def __bool__(self) -> bool:
        """Whether there is anything to draw."""
        return self.colour is not None or bool(self.sign or self.letter)


PLAIN = Look()
"""Of something that no box has a look for."""
