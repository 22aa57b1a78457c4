"""Why a position of Jaws & Paws cannot be.  (JP-21)

What corrections may leave behind is no fault: a hand below 4 after a card was taken back
(JP-E61), or a Scrap Pile that is no multiple of 3 after a miscount that stands (RULING 35).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.core.ruling import Cite, Fault, Seat
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws.boards import NAMES, owner_of

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

_SUM = Cite.of("JP-21.1")
_PLACES = Cite.of("JP-21.2")
_HAND = Cite.of("JP-21.4")
_REPAIRING = Cite.of("JP-21.7")
_TRACK = Cite.of("JP-5.5")
_CLEAR_TRACK = Cite.of("JP-10.1")
_SMOKE = Cite.of("JP-3.2, JP-10.2")
_SUN_FIRST = Cite.of("JP-5.2")
_ORDER = Cite.of("JP-5.1")
_FACE_UP = Cite.of("JP-18.3, RULING 26")
_OUT = Cite.of("JP-19.7, RULING 33")
_LINEUP = Cite.of("JP-4.3, JP-19.1")

_RESOLVING = boards.ROUND[boards.ROUND.index("draw") :]
"""Stages at which cards may lie on the tracks."""
_DRAWN = boards.ROUND[boards.ROUND.index("repair") :]
"""Stages after Discard and Draw."""


def faults(position: JawsAndPawsPosition) -> list[Fault]:
    """Every reason why it cannot be, with the place in its file."""
    return [
        *_token_faults(position),
        *_round_faults(position),
        *(
            fault
            for player in position.lineup.players
            for fault in _player_faults(position, player)
        ),
        *(fault for team in position.lineup.teams for fault in _track_faults(position, team)),
        *_lineup_faults(position),
    ]


def _token_faults(position: JawsAndPawsPosition) -> Iterator[Fault]:
    lineup, bright = position.lineup, boards.PIECE_NAMES[position.light]
    for piece, team in lineup.flown_by.items():
        zone, host = position.zones.get(piece), lineup.host_of[piece]
        path = f"planes.{team}" if len(lineup.teams) == 2 else f"planes.{team}.{host}"
        if team in position.out or host in position.out:
            if zone is not None:
                yield Fault(path, f"{team} or {host} left the game: no token there", _OUT)
        elif zone not in lineup.zones or owner_of(zone) != host:
            text = f"the {team} plane stands on {zone}; it belongs on a {host} View Board"
            yield Fault(path, text, _PLACES)
    zone, name = position.sun, str(position.light)
    if zone is None:
        if position.stage != "set-up":
            zones = len(lineup.zones)
            text = f"the {bright} stands nowhere; name one of the {zones} zones"
            yield Fault(name, text, _PLACES)
    elif zone not in lineup.zones:
        yield Fault(name, f"the {bright} stands on {zone}, which is no zone", _PLACES)
    elif owner_of(zone) in position.out:
        yield Fault(name, f"the {bright} stands on {zone}; those boards left the game", _OUT)


def _round_faults(position: JawsAndPawsPosition) -> Iterator[Fault]:
    stage = position.stage
    if stage not in ("set-up", "action") and position.sun_first is None:
        bright = boards.PIECE_NAMES[position.light]
        text = f"in stage {stage} it must be told which team had the {bright} as the round began"
        yield Fault(f"{position.light}_at_round_start", text, _SUN_FIRST)
    if stage == "set-up" and position.round_number != 1:
        yield Fault("round", f"set-up belongs to round 1, not {position.round_number}", _ORDER)
    for team in position.lineup.teams:
        if position.smoke[team] and position.round_number == 1:
            text = "no track shows smoke before the Cleanup of round 1"
            yield Fault(f"smoke.{team}", text, _SMOKE)


def _player_faults(position: JawsAndPawsPosition, player: Seat) -> Iterator[Fault]:
    piles, path = position.piles[player], f"players.{player}"
    if any(count < 0 for count in piles.counts.values()):
        yield Fault(path, f"{NAMES[player]} has a pile of fewer than no cards", _SUM)
    if piles.total != position.deck_size:
        counted = " + ".join(f"{name} {count}" for name, count in piles.counts.items())
        name = NAMES[player]
        text = f"{counted} = {piles.total}; all cards of {name} are {position.deck_size}"
        text = f"{text}: set another pile too"
        yield Fault(path, text, _SUM)
    most = position.hands[player]
    if position.stage in (*_DRAWN, "action") and piles["hand"] > most and not position.night:
        text = f"{piles['hand']} in hand; by day that player holds no more than {most}"
        yield Fault(f"{path}.hand", text, _HAND)
    if piles["track"] and not position.played[player] and position.stage in _RESOLVING:
        text = f"{piles['track']} on the track, but none played: who Repairs has none there"
        yield Fault(f"{path}.track", text, _REPAIRING)
    if position.played[player] and position.stage not in _RESOLVING:
        text = f"{position.played[player]} played before the lock is told; tell them at the lock"
        yield Fault(f"{path}.played", text, _CLEAR_TRACK)
    if position.played[player] > most and not position.night:
        text = f"{position.played[player]} played in one round; a hand holds no more than {most}"
        yield Fault(f"{path}.played", text, _HAND)
    for pile, cards in piles.known.items():
        if len(cards) > piles.counts.get(pile, 0):
            text = f"{len(cards)} cards turned over, but {piles.counts.get(pile, 0)} lie there"
            yield Fault(f"{path}.turned_over.{pile}", text, _SUM)


def _track_faults(position: JawsAndPawsPosition, team: Seat) -> Iterator[Fault]:
    owners, crew = position.owners[team], boards.CREW_OF[team]
    laid = sum(position.piles[player]["track"] for player in crew)
    path = f"tracks.{team}"
    if position.stage not in _RESOLVING:
        if laid or any(owners):
            text = f"cards lie on the {team} track before the lock is told; tell them at the lock"
            yield Fault(path, text, _CLEAR_TRACK)
        if any(of == team for of, _ in position.doubled):
            text = f"no section is doubled yet in stage {position.stage}"
            yield Fault("doubled", text, _CLEAR_TRACK)
        return
    if laid > len(boards.SECTIONS):
        yield Fault(path, f"{laid} cards on four sections: one a section", _TRACK)
    for owner in owners:
        if owner not in (boards.NOBODY, boards.UNTOLD, *crew):
            yield Fault(path, f"{owner} is not of {team}", _TRACK)
    for player in crew:
        known, track = owners.count(player), position.piles[player]["track"]
        if not known <= track <= known + owners.count(boards.UNTOLD):
            text = f"{known} sections hold a card of {player}, whose count on the track is {track}"
            yield Fault(path, text, _SUM)


def _lineup_faults(position: JawsAndPawsPosition) -> Iterator[Fault]:
    lineup = position.lineup
    told = position.house.get("crews")
    if told is not None and str(told) != str(lineup):
        text = f"crews {told}: this table was laid for {lineup}; nobody changes seats in a game"
        yield Fault("option.crews", text, _LINEUP)
    if position.out and len(position.teams) < 2:
        yield Fault("shot_down", "at least two teams still fly, or the game is over", _OUT)
    for team, number in position.face_up.items():
        if team not in lineup.solos or team in position.out:
            yield Fault(f"face_up.{team}", f"no solo player flies for {team}", _FACE_UP)
        elif number not in boards.SECTIONS:
            yield Fault(f"face_up.{team}", f"{number} is no section", _FACE_UP)
        elif position.stage in _RESOLVING and position.owners[team][number - 1] == boards.NOBODY:
            text = f"no card lies on section {number} of the {team} track"
            yield Fault(f"face_up.{team}", text, _FACE_UP)
