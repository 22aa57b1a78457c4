"""What the rulings of Jaws & Paws say, with the rules they rest on.  (S.3)

Each message tells section and step, card and player, token and zones before and after, hit or miss
and why, the receiver and why, cards moved, and the counts that stand afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.board import Piece, Pose
from companion.games.jaws_and_paws import shots
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN
from companion.games.jaws_and_paws.cards import Face, Family
from companion.games.jaws_and_paws.crew import (
    CREW_OF,
    NAMES,
    PIECE_NAMES,
    PLANE_OF,
    PLAYERS,
    RIVAL_OF,
    TEAM_OF,
    TEAMS,
)
from companion.games.jaws_and_paws.moves import ZONES, Zone
from companion.ruling import Carry, Cite, Deed, Flip, Move, Seat, Shuffle

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.games.jaws_and_paws.shots import Shot
    from companion.piles import CountedPiles

SUN_PLACED = Cite.of("JP-3.5")
HANDS = Cite.of("JP-3.6")
DOUBLED = Cite.of("JP-6.1, JP-6.2, JP-6.3, RULING 8")
DRAW = Cite.of("JP-7.1, JP-7.2")
DRAW_SHORT = Cite.of("JP-7.2, JP-7.3, JP-11.1, JP-11.4, RULING 10")
SHORT = Cite.of("JP-11.1, JP-11.4, RULING 10")
REPAIRS = Cite.of("JP-8.1, JP-8.2, RULING 13")
SMOKED = Cite.of("JP-8.3, JP-8.4, JP-8.5, RULING 14")
SIDEWAYS = Cite.of("JP-12.1, RULING 17")
SMOKE = Cite.of("JP-10.2, RULING 36")
CLEANUP = Cite.of("JP-10.1")
DOWN = Cite.of("JP-11.1, JP-11.5, RULING 11")
BOTH_DOWN = Cite.of("JP-11.5, JP-11.6, RULING 12")

MUST_DRAW, MUST_SCRAP = "draw", "scrap"
REPLAYED = "Both planes are down: no result. All cards go back into the Decks; play a new game."

_MOVE_RULES: Mapping[str, str] = {
    "L": "JP-12.3, JP-2.6, RULING 1",
    "R": "JP-12.3, JP-2.6, RULING 1",
    "C": "JP-12.4, JP-2.9",
    "V": "JP-12.5, JP-2.7, RULING 2",
}
_SUN_RULES: Mapping[str, str] = {
    "L": "JP-13.2, JP-2.6, RULING 1",
    "R": "JP-13.2, JP-2.6, RULING 1",
    "V": "JP-13.3, JP-2.7",
    "T": "JP-13.4, JP-2.8",
}
PLANE_CITES: Mapping[tuple[str, str], Cite] = {
    (target, way): Cite.of(f"{step}, {rules}")
    for target, step in (("own", "JP-9.5"), ("enemy", "JP-9.6"))
    for way, rules in _MOVE_RULES.items()
}
SUN_CITES: Mapping[tuple[int, str], Cite] = {
    (step, way): Cite.of(f"{rule}, {rules}, RULING 15")
    for step, rule in ((1, "JP-9.3"), (2, "JP-9.4"))
    for way, rules in _SUN_RULES.items()
}

_POSES: Mapping[Zone, Pose] = {zone: Pose(zone) for zone in ZONES}
_SHORT_NAMES: Mapping[Piece, str] = {JAWS_PLANE: "Jaws", PAWS_PLANE: "Paws", SUN: "Sun"}


def pose(zone: Zone) -> Pose:
    """The pose of a token on a zone; planes and Sun have no facing."""
    return _POSES[zone]


# -- headlines: at most 22 characters ------------------------------------------------------------


def short_name(piece: Piece) -> str:
    """A token's name on a headline."""
    return _SHORT_NAMES[piece]


def way(piece: Piece, was: Zone, now: Zone) -> str:
    """From where to where, as hands are told.

    >>> way(SUN, "Jaws.PL", "Paws.PL"), way(JAWS_PLANE, "Paws.PL", "Paws.PC")
    ('Sun: to Paws.PL', 'Jaws: PL to PC')
    """
    if was[:4] != now[:4]:
        return f"{_SHORT_NAMES[piece]}: to {now}"
    return f"{_SHORT_NAMES[piece]}: {was[5:]} to {now[5:]}"


def scrap(who: Seat, count: int) -> str:
    """Whose cards go to the Scrap Pile, and how many."""
    return f"{NAMES.get(who, who)}: scrap {count}"


# -- set-up --------------------------------------------------------------------------------------


def sun_placed(team: Seat, zone: Zone) -> tuple[str, Cite]:
    """The Sun's first zone."""
    return f"{team} place the Sun on {zone}.", SUN_PLACED


def starting_hands(hand: int, deck_size: int) -> tuple[str, Cite]:
    """Everybody's first draw."""
    return f"Every player draws {hand} cards: Deck {deck_size - hand}, hand {hand}.", HANDS


# -- lock, draw, repair, cleanup -----------------------------------------------------------------


def counts(piles: CountedPiles) -> str:
    """The counts of one player, as they stand."""
    here = piles.counts
    return (
        f"Deck {here['deck']}, hand {here['hand']}, "
        f"Discard {here['discard']}, Scrap {here['scrap']}"
    )


def doubled(
    position: JawsAndPawsPosition,
    team: Seat,
    number: int,
    carries: Sequence[Carry],
    shown: str,
    *,
    played: bool,
) -> str:
    """Cards of a doubled section leave it."""
    whose = ", ".join(f"{NAMES[c.owner]} {c.count}" for c in carries)
    how = f"turned over ({shown})" if shown else "face down"
    owners = "have played" if played else "have not played by these"
    after = "; ".join(
        f"{NAMES[c.owner]}: Discard {position.piles[c.owner]['discard']}" for c in carries
    )
    return (
        f"{team} section {number} holds more than one card ({whose}): all are discarded {how} "
        f"and not resolved; their owners {owners}. {after}."
    )


def drawn(player: Seat, piles: CountedPiles, discards: int, taken: int, missing: int) -> str:
    """One player's Discard and Draw."""
    short = f", {missing} short" if missing else ""
    return f"{NAMES[player]} discards {discards}, draws {taken}{short}: {counts(piles)}."


def short(player: Seat, must: str, count: int, deck: int) -> str:
    """A Deck that cannot supply what must be taken."""
    return (
        f"{NAMES[player]} must {must} {count}, the Deck holds {deck}: "
        "count it before a card is taken."
    )


def repairs(player: Seat, piles: CountedPiles, shuffled: int) -> str:
    """A player who laid no card."""
    return (
        f"{NAMES[player]} played no card and is Repairing: "
        f"shuffle {shuffled} from the Discard Pile into the Deck. {counts(piles)}."
    )


def smoked(player: Seat, piles: CountedPiles, damage: int, taken: int) -> str:
    """Damage because the teammate Repairs under smoke."""
    mate = next(p for p in CREW_OF[TEAM_OF[player]] if p != player)
    return (
        f"{NAMES[mate]} is Repairing under smoke: {NAMES[player]} takes {damage} damage, "
        f"not redirected, not halved, and scraps {taken}. {counts(piles)}."
    )


def smoke(team: Seat) -> str:
    """The track turns to its smoke side."""
    return f"{team} Repaired this round: turn the Action Track to the side with smoke, for good."


def cleaned(position: JawsAndPawsPosition, carries: Sequence[Carry]) -> str:
    """Cards from the tracks to the Discard Piles of their owners."""
    whose = ", ".join(
        f"{NAMES[c.owner]} {c.count} (Discard {position.piles[c.owner]['discard']})"
        for c in carries
    )
    return f"Cards leave the tracks for their owners' Discard Piles: {whose}."


# -- sections ------------------------------------------------------------------------------------


def moved(
    section: int, step: int, owner: Seat, face: Face, piece: Piece, was: Zone, now: Zone
) -> str:
    """A movement card: who, what, from where to where, or why not."""
    on = "" if face.family is Family.SUN else f" on the {face.target} plane"
    card = f"Section {section}, step {step}: {NAMES[owner]}'s {face.title}{on}"
    if was != now:
        return f"{card}: {PIECE_NAMES[piece]} {was} to {now}."
    why = "a corner card moves nothing in the centre" if face.move == "C" else "the edge blocks it"
    return f"{card}: {PIECE_NAMES[piece]} stays on {was}, {why}."


def sideways(section: int, owner: Seat, face: Face) -> str:
    """A card of two halves of which the table cannot say which is on top."""
    return f"Section {section}: {NAMES[owner]}'s {face.card} lies sideways and does nothing."


def shot(position: JawsAndPawsPosition, judged: Shot, carries: Sequence[Carry]) -> str:
    """A Shoot card: hit or miss and why, receiver and why, cards and counts."""
    card = f"Section {position.section}, step 5: {NAMES[judged.shooter]}'s {judged.face.title}"
    text = f"{card}{shots.told(judged, position)}"
    for carry in carries:
        due, piles = judged.due[carry.owner], position.piles[carry.owner]
        missing = f", {due - carry.count} short" if carry.count < due else ""
        text += f" {NAMES[carry.owner]} scraps {carry.count}{missing}: {counts(piles)}."
    return text


# -- how it ends ---------------------------------------------------------------------------------


def cards_left(position: JawsAndPawsPosition, team: Seat) -> int:
    """Cards of a team outside its Scrap Piles.  (double_ko most_cards, RULING 12)"""
    piles = [position.piles[player] for player in CREW_OF[team]]
    return sum(own.total - own["scrap"] for own in piles)


def result(
    position: JawsAndPawsPosition, place: str, winners: Sequence[Seat], double_ko: str
) -> str:
    """Who is down at which check point, who wins, and the final counts."""
    finals = "; ".join(f"{NAMES[p]}: {counts(position.piles[p])}" for p in PLAYERS)
    if len(position.down) < len(TEAMS):
        team = position.down[0]
        told = f"{team} are shot down at the end of {place}: a card had to be taken and was not "
        return f"{told}there. {RIVAL_OF[team]} win. {finals}."
    told = f"Both planes are shot down at the end of {place}"
    if double_ko == "most_cards":
        left = ", ".join(f"{team} {cards_left(position, team)}" for team in TEAMS)
        told += f"; cards outside the Scrap Piles: {left}"
    verdict = f"{winners[0]} win" if winners else "nobody wins"
    if double_ko == "replay":
        verdict = "no result, the game is played again"
    return f"{told}: {verdict}. {finals}."


def back_to_start(position: JawsAndPawsPosition) -> list[Deed]:
    """What hands do for a new game: cards, tracks, planes and Sun as at the start."""
    deeds: list[Deed] = []
    for player in PLAYERS:
        counts_now = position.piles[player].counts
        deeds += [
            Carry(player, count, pile, "deck")
            for pile, count in counts_now.items()
            if count and pile != "deck"
        ]
        deeds.append(Shuffle(player, position.deck_size, "deck", "deck"))
    for team in TEAMS:
        if position.smoke[team]:
            deeds.append(Flip(f"{team} Action Track", "clear"))
        piece, centre = PLANE_OF[team], f"{RIVAL_OF[team]}.PC"
        if position.zones[piece] != centre:
            deeds.append(Move(piece, pose(position.zones[piece]), pose(centre)))
    if position.sun is not None:
        deeds.append(Move(SUN, pose(position.sun), None))
    return deeds
