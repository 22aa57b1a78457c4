"""The record's past matches in the app: a line for each, and the link that logs its result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from companion.core.errors import CompanionError
from companion.core.ruling import TABLE, Seat
from companion.games import find_rulebook
from companion.match.match import Match
from companion.record.match import MatchLine, MatchState
from ui.scene.scene import PastMatch
from ui.scene.values import Line
from ui.scene.words import Names
from ui.screens.match.round import first_quantity

if TYPE_CHECKING:
    from companion.record.record import Record


LISTED = 100
LOOKED_INTO = 5
"""So many of the newest matches tell who may be the arbiter."""
ARBITERS = 3
CORRECTIONS = ("undo", "amend", "adjust", "report", "restart", "close")
"""Lines of a log whose author is the arbiter."""


def past_matches(record: Record) -> tuple[PastMatch, ...]:
    """The newest matches, damaged ones named as such; none where the record cannot be read."""
    try:
        lines = record.matches()[:LISTED]
        listed = [_shown(line, newest=at == 0) for at, line in enumerate(lines)]
    except CompanionError:
        return ()
    for at, match in enumerate(listed):
        if match.offered:
            listed[at] = _looked_into(record, match)
            break
    return tuple(listed)


def latest_arbiters(record: Record) -> tuple[str, ...]:
    """Who corrected the newest matches, the latest first; nobody where it cannot be read."""
    try:
        newest = [record.load(line.match_id) for line in record.matches()[:LOOKED_INTO]]
    except CompanionError:
        return ()
    authors = (
        entry.author
        for match in newest
        for entry in reversed(match.entries)
        if entry.kind in CORRECTIONS
    )
    return tuple(name for name in dict.fromkeys(authors) if name not in ("", TABLE))[:ARBITERS]


def _shown(line: MatchLine, *, newest: bool) -> PastMatch:
    players, title = tuple(line.seats.values()), line.box.replace("-", " ").title()
    labels: Mapping[Seat, str] = {}
    try:
        rulebook = find_rulebook(line.box).in_variants(line.variants).seated(line.options)
    except CompanionError:
        pass  # a box or variant of a newer program: its name and its players can still be told
    else:
        names = Names.of(rulebook, line.seats)
        title, labels = rulebook.title, rulebook.seats
        players = tuple(
            ", ".join(names.player(seat) for seat in names.crew(team)) for team in names.sides
        )
    ended = line.state is not MatchState.OPEN
    return PastMatch(
        match_id=line.match_id,
        title=title,
        subtitle=" · ".join((*line.variants, f"{line.entries} lines")),
        players=players,
        summary=_summary(line, title, labels),
        at=line.last,
        ended=ended,
        trouble=line.damage,
        saved=line.saved,
        begun=newest or line.entries > 1,
        demonstration=line.demonstration,
    )


def _summary(line: MatchLine, title: str, labels: Mapping[Seat, str]) -> str:
    """Which game, who won and why; or that it is open."""
    game = "Demonstration" if line.demonstration else title
    if line.state is MatchState.OPEN:
        return f"{game} · open after {line.entries} lines"
    winners = " and ".join(labels.get(Seat(winner), winner) for winner in line.winners)
    won = f"{winners} won" if winners else "draw"
    return " · ".join((game, won, line.outcome.partition(". ")[0].rstrip(".")))


def _looked_into(record: Record, shown: PastMatch) -> PastMatch:
    """The open match that home offers: where it stands, and what is asked next."""
    try:
        match = Match[Any].replay(record.load(shown.match_id).entries)
    except CompanionError as drift:
        return replace(shown, trouble=str(drift))
    names = Names.of(match.rulebook, match.setup.seats)
    place = ", ".join(part.replace("-", " ") for part in match.position.where())
    waiting = [q for key, q in match.open.items() if key not in match.answered]
    asked = next((q.headline or q.prompt for q in waiting), "nothing")
    return replace(
        shown,
        subtitle=" · ".join((*match.setup.variants, place)),
        summary=f"Asked next: {asked}",
        teams=tuple(_team(match, names, team) for team in names.sides),
        pieces=tuple(
            look
            for token in match.rulebook.plan.tokens
            if (look := names.looks.get(token.piece)) is not None and look.colour is not None
        ),
    )


def _team(match: Match[Any], names: Names, team: Seat) -> Line:
    """A team's players, and the first quantity of each."""
    first = [first_quantity(match.position, seat) for seat in names.crew(team)]
    found = [fact for fact in first if fact is not None]
    label = f"{found[0].label.lower()}s " if found else ""
    counts = " · ".join(str(fact.value) for fact in found)
    players = ", ".join(names.player(seat) for seat in names.crew(team))
    return Line(players, right=f"{label}{counts}", side=names.side(team))


# The link that enters a result into a player's own logbook (BG Stats), for a QR code.

CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "dogfight-companion"


LONGEST = 2953
"""Bytes of a link that a QR code holds."""


def logbook_link(match: Match[Any], match_id: str) -> str:
    """The link that enters this play; empty while the match has no outcome.

    Of many players, more than a code holds, who lost is left out, and at last nobody is named.
    """
    if match.outcome is None:
        return ""
    first, last = match.entries[0], match.entries[-1]
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": match_id,
        "playDate": _utc(first.at_utc),
        "durationMin": round(last.match_s / 60),
        "location": "",
        "board": ", ".join(match.setup.variants),
        "game": {
            "name": match.rulebook.title,
            "sourceGameId": match.setup.box,
            "highestWins": True,
            "noPoints": True,
        },
    }
    seats = [seat for seat in match.rulebook.seats if seat not in match.rulebook.held_by]
    players = [_player(match, seat) for seat in seats]
    whole, won = _link(play, players), [player for player in players if player["winner"]]
    if len(whole) <= LONGEST:
        return whole
    short = _link(play, won)
    return short if len(short) <= LONGEST else _link(play, [])


def _link(play: Mapping[str, object], players: Sequence[Mapping[str, object]]) -> str:
    written = json.dumps({**play, "players": players}, ensure_ascii=False, separators=(",", ":"))
    return CREATE_PLAY + quote(written)


def _player(match: Match[Any], seat: Seat) -> dict[str, object]:
    names = Names.of(match.rulebook, match.setup.seats)
    winners = match.outcome.winners if match.outcome is not None else ()
    won = names.side_of.get(seat, seat) in winners
    return {
        "name": names.player(seat),
        "sourcePlayerId": names.player(seat),
        "startPlayer": False,
        "winner": won,
        "score": "",
        "rank": 1 if won else 2,
        "role": names.label(seat),
    }


def _utc(at_utc: str) -> str:
    """A log line's time as BG Stats writes it."""
    at = datetime.fromisoformat(at_utc).astimezone(UTC)
    return at.strftime("%Y-%m-%d %H:%M:%S")
