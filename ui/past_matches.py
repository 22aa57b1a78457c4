"""The record's matches as home and the list of past matches show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.games import find_rulebook
from companion.record_match import MatchLine, MatchState
from ui.presenters.names import Names
from ui.presenters.situation import PastMatch

if TYPE_CHECKING:
    from companion.record import Record

LISTED = 100


def past_matches(record: Record) -> tuple[PastMatch, ...]:
    """The newest matches, damaged ones named as such; none where the record cannot be read."""
    try:
        return tuple(_shown(line) for line in record.matches()[:LISTED])
    except CompanionError:
        return ()


def _shown(line: MatchLine) -> PastMatch:
    players, title = tuple(line.seats.values()), line.box.replace("-", " ").title()
    try:
        rulebook = find_rulebook(line.box)
    except CompanionError:
        pass  # a box of a newer program: its name and its players can still be told
    else:
        names = Names.of(rulebook, line.seats)
        title = rulebook.title
        players = tuple(
            ", ".join(names.player(seat) for seat in names.crew(team)) for team in names.sides
        )
    return PastMatch(
        match_id=line.match_id,
        title=title,
        subtitle=" · ".join((*line.variants, f"{line.entries} lines")),
        players=players,
        summary=line.outcome or ("can be resumed" if line.state is MatchState.OPEN else ""),
        at=line.last,
        ended=line.state is not MatchState.OPEN,
        trouble=line.damage,
    )
