"""The link that enters a result into a player's own logbook (BG Stats), for a QR code."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ui.scene.words import Names

if TYPE_CHECKING:
    from companion.core.ruling import Seat
    from companion.match.match import Match

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
    return CREATE_PLAY + quote(written, errors="replace")


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
    """A log line's time as BG Stats writes it; as it stands where it is none."""
    try:
        at = datetime.fromisoformat(at_utc).astimezone(UTC)
    except ValueError:
        return at_utc
    return at.strftime("%Y-%m-%d %H:%M:%S")
