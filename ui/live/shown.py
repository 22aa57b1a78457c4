"""What of a match is shown live: the board, the clock, the score and the last rulings.

Everything in it is public already: it is read off the table, and of quantities only those whose
`Fact.public` is set. Hands, draws and what a form has not closed on are never in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.match.history import place_in_words
from companion.referee.protocol import quantities_in_words
from ui.scene.words import Names
from ui.sharing.course import DrawnBoards, board_of, board_room
from ui.sharing.page_pen import symbol
from ui.table.protocol import result_in_words

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.ruling import Json
    from companion.match.match import Match

LAST_RULINGS = 4
NOTHING: Mapping[str, Json] = {"match": "", "title": "No match is under way"}
"""What is shown between matches."""


@dataclass(frozen=True, slots=True)
class LiveClock:
    """A phase's clock: seconds left, whether it runs, how long the phase is."""

    rest_s: float
    running: bool
    total_s: float

    def to_json(self) -> dict[str, Json]:
        """As the page's script and the topics have it."""
        return {
            "rest_s": round(self.rest_s, 2), "running": self.running, "total_s": self.total_s,
        }  # fmt: skip


@dataclass
class LiveBoard:
    """The board as SVG; drawn anew when a piece has moved, each part of it once."""

    _drawn: DrawnBoards | None = None
    _of: object = None
    _placed: Mapping[Piece, Pose] = field(default_factory=dict["Piece", "Pose"])
    _moved: Mapping[Piece, Pose] = field(default_factory=dict["Piece", "Pose"])

    def draw(self, match: Match[Any]) -> str:
        """What lies in an `svg` of its own: symbols and parts."""
        now = match.position.placement()
        if self._of is not match:
            self._of, self._placed, self._moved = match, now, {}
            self._drawn = DrawnBoards(board_room(board_of(match, {})))
        if now != self._placed:
            was = self._placed
            self._moved = {piece: pose for piece, pose in was.items() if now.get(piece) != pose}
            self._placed = now
        drawn = self._drawn
        assert drawn is not None
        number = drawn.add(board_of(match, {p: s for p, s in self._moved.items() if p in now}))
        parts = "".join(drawn.parts[n] for n in drawn.boards[number])
        signs = "".join(symbol(name) for name in sorted(drawn.signs))
        return (
            f'<svg class="board" role="img" aria-label="Board" viewBox="{drawn.view_box}">'
            f"<defs>{signs}</defs>{parts}</svg>"
        )


def _sides(match: Match[Any], names: Names) -> list[Json]:
    """Each side with its colour and its players."""
    return [
        {"name": side.name, "colour": side.tint.colour,
         "players": ", ".join(names.player(seat) for seat in names.crew(team))}
        for team in match.rulebook.sides_taken()
        if (side := names.side(team)) is not None
    ]  # fmt: skip


class LiveView:
    """Follows one table and writes what is shown of it, as JSON text."""

    def __init__(self) -> None:
        self._board = LiveBoard()

    def of(self, match: Match[Any] | None, match_id: str, clock: LiveClock | None) -> str:
        """All of it, or that there is no match."""
        return json.dumps(self._said(match, match_id, clock), separators=(",", ":"))

    def _said(
        self, match: Match[Any] | None, match_id: str, clock: LiveClock | None
    ) -> Mapping[str, Json]:
        if match is None:
            return NOTHING
        names = Names.of(match.rulebook, match.setup.seats)
        place = place_in_words(match.rulebook.split_key("/".join(match.position.where()))[0])
        outcome, waiting = match.outcome, _waiting(match, names)
        won = (
            [match.rulebook.named.get(seat, str(seat)) for seat in outcome.winners]
            if outcome is not None
            else []
        )
        rulings: list[Json] = [
            {"text": ruling.text, "cite": str(ruling.cite)}
            for ruling in list(match.rulings)[-LAST_RULINGS:]
        ]
        return {
            "match": match_id,
            "title": match.rulebook.title,
            "place": place,
            "sides": _sides(match, names),
            "score": [*quantities_in_words(match)],
            "rulings": rulings,
            "asked": "" if waiting is None else waiting,
            "outcome": "" if outcome is None else f"{result_in_words(won)}. {outcome.ruling.text}",
            "clock": None if clock is None else clock.to_json(),
            "board": self._board.draw(match),
        }


def _waiting(match: Match[Any], names: Names) -> str | None:
    """What is asked now, in the words of the screen; nothing while several are asked at once."""
    asked = [question for key, question in match.open.items() if key not in match.answered]
    if len(asked) != 1:
        return None
    return names.in_full(asked[0].headline or asked[0].prompt, asked[0].by)
