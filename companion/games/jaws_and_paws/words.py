"""What the rulings of Jaws & Paws say, with the rules they rest on.

Each message tells section and step, card and player, token and zones before and after, hit or miss
and why, the receiver and why, cards moved, and the counts that stand afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.board import Piece, Pose
from companion.core.ruling import Carry, Cite, Deed, Flip, Move, Seat, Shuffle
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws import moves as shots
from companion.games.jaws_and_paws.boards import NAMES, Zone
from companion.games.jaws_and_paws.cards import ENEMY, CardFace, Family
from companion.games.jaws_and_paws.moves import OTHER_WAY, is_turned

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.cards import CardTable
    from companion.games.jaws_and_paws.moves import Shot
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.kit.piles import CountedPiles

LOT_DRAWN = Cite.of("JP-3.4, RULING 3")
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
GAVE_UP = Cite.of("JP-11.1, RULING 39")
DOWN = Cite.of("JP-11.1, JP-11.5, RULING 11")
BOTH_DOWN = Cite.of("JP-11.5, JP-11.6, RULING 12")

MUST_DRAW, MUST_SCRAP = "draw", "scrap"
REPLAYED = "All planes are down: no result. All cards go back into the Decks; play a new game."

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

_SHORT_NAMES = {piece: name.partition(" ")[0] for piece, name in boards.PIECE_NAMES.items()}

Way = tuple[Piece, Zone, Zone]
"""A token, and where it stood and stands."""


def pose(zone: Zone) -> Pose:
    """The pose of a token on a zone; planes and Sun have no facing."""
    return boards.POSES[zone]


# -- headlines: at most 22 characters ------------------------------------------------------------


def short_name(piece: Piece) -> str:
    """A token's name on a headline.

    >>> short_name(Piece("jaws")), short_name(Piece("jaws-on-paws2")), short_name(Piece("moon"))
    ('Jaws', 'Jaws', 'Moon')
    """
    return _SHORT_NAMES[piece]


def way(piece: Piece, was: Zone, now: Zone) -> str:
    """From where to where, as hands are told; of several planes on whose boards.

    >>> way(Piece("sun"), "Jaws.PL", "Paws.PL"), way(Piece("jaws"), "Paws.PL", "Paws.PC")
    ('Sun: to Paws.PL', 'Jaws: PL to PC')
    >>> way(Piece("jaws3-on-paws2"), "Paws2.PL", "Paws2.PC")
    'Jaws3: Paws2.PL to PC'
    """
    if was[:-3] != now[:-3]:
        return f"{_SHORT_NAMES[piece]}: to {now}"
    start = was if "-on-" in piece else was[-2:]
    return f"{_SHORT_NAMES[piece]}: {start} to {now[-2:]}"


def moved_headline(face: CardFace, ways: Sequence[Way]) -> str:
    """What hands do for a movement card: one token's way, or how many of which team's planes."""
    if len(ways) == 1:
        ((piece, was, now),) = ways
        return f"{_SHORT_NAMES[piece]} stays" if was == now else way(piece, was, now)
    moves = [one for one in ways if one[1] != one[2]]
    if not moves:
        return "No plane moves"
    if len(moves) == 1:
        return way(*moves[0])
    whose = "enemy" if face.target == ENEMY else short_name(moves[0][0])
    return f"Move {len(moves)} {whose} planes"


def scrap(who: Seat, count: int) -> str:
    """Whose cards go to the Scrap Pile, and how many."""
    return f"{NAMES.get(who, who)}: scrap {count}"


# -- set-up --------------------------------------------------------------------------------------


def sun_placed(team: Seat, zone: Zone, bright: str) -> tuple[str, Cite]:
    """The Sun's first zone."""
    return f"{team} place the {bright} on {zone}.", SUN_PLACED


def drawn_by_lot(team: Seat, number: int) -> tuple[str, Cite]:
    """Who places the Sun where the companion has tossed."""
    return f"The companion draws a lot from the number {number}: {team} win the toss.", LOT_DRAWN


def starting_hands(position: JawsAndPawsPosition, cards: CardTable) -> str:
    """Everybody's first draw."""
    hand, solo, size = cards.hand_size, cards.solo_hand_size, cards.deck_size
    solos = position.lineup.solos
    told = f"Every player draws {hand} cards: Deck {size - hand}, hand {hand}."
    if not solos:
        return told
    alone = f"draws {solo} Pilot and {solo} Gunner cards: {size - solo} are left in each Deck."
    if len(solos) == len(position.lineup.teams):
        return f"Every player {alone}"
    return f"Every player of a team of two draws {hand} cards, every solo player {alone}"


def hands_headline(position: JawsAndPawsPosition, cards: CardTable) -> str:
    """How many cards everybody draws at the start."""
    lineup, solo = position.lineup, cards.solo_hand_size
    if not lineup.solos:
        return f"All: draw {cards.hand_size}"
    alone = f"{solo} + {solo}"
    if len(lineup.solos) == len(lineup.teams):
        return f"All: draw {alone}"
    return f"Draw {cards.hand_size}, solo {alone}"


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
    lies = "as they lie" if position.face_up.get(team) == number else "face down"
    how = f"turned over ({shown})" if shown else lies
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


def drawn_by_moon(player: Seat, piles: CountedPiles, taken: int) -> str:
    """One player's cards by favour of the Moon."""
    return f"{NAMES[player]} draws {taken} more, as the Moon allows: {counts(piles)}."


def short(player: Seat, must: str, count: int, deck: int) -> str:
    """A Deck that cannot supply what must be taken."""
    return (
        f"{NAMES[player]} must {must} {count}, the Deck holds {deck}: "
        "count it before a card is taken."
    )


def repairs(player: Seat, piles: CountedPiles, shuffled: int) -> str:
    """A player who laid no card."""
    does = f"shuffle {shuffled} from the Discard Pile into the Deck"
    if not shuffled:
        does = "the Discard Pile is empty, nothing is shuffled"
    return f"{NAMES[player]} played no card and is Repairing: {does}. {counts(piles)}."


def smoked(player: Seat, piles: CountedPiles, damage: int, taken: int) -> str:
    """Damage because the teammate Repairs under smoke."""
    mate = next(p for p in boards.CREW_OF[boards.TEAM_OF[player]] if p != player)
    return (
        f"{NAMES[mate]} is Repairing under smoke: {NAMES[player]} takes {damage} damage, "
        f"not redirected, not halved, and scraps {taken}. {counts(piles)}."
    )


def smoke(team: Seat) -> str:
    """The track turns to its smoke side."""
    return f"{team} Repaired this round: turn the Action Track to the side with smoke, for good."


def cleaned(position: JawsAndPawsPosition, carries: Sequence[Carry]) -> str:
    """Cards from the tracks to the Discard Piles of their owners."""
    return f"Cards leave the tracks for {_to_piles(position, carries)}."


def _to_piles(position: JawsAndPawsPosition, carries: Sequence[Carry]) -> str:
    """Where cards go that leave a track, and how many lie there then."""
    whose = ", ".join(
        f"{NAMES[c.owner]} {c.count} (Discard {position.piles[c.owner]['discard']})"
        for c in carries
    )
    return f"their owners' Discard Piles: {whose}"


# -- sections ------------------------------------------------------------------------------------


def moved(
    section: int, step: int, owner: Seat, face: CardFace, ways: Sequence[Way], frame: str
) -> str:
    """A movement card: who, what, from where to where, or why not; `frame` as in `seat_step`."""
    several = "planes" if len(ways) > 1 and face.target == ENEMY else "plane"
    on = "" if face.family is Family.SUN else f" on the {face.target} {several}"
    told = "; ".join(_way_told(face, one) for one in ways)
    whose = _as_seated(face, ways, boards.TEAM_OF[owner], frame)
    return f"Section {section}, step {step}: {NAMES[owner]}'s {face.title}{on}{whose}: {told}."


def _way_told(face: CardFace, one: Way) -> str:
    piece, was, now = one
    team = boards.TEAM_OF_PLANE.get(piece)  # which of its planes, the zones tell
    name = f"{team} plane" if team is not None else boards.PIECE_NAMES[piece]
    if was != now:
        return f"{name} {was} to {now}"
    why = "a corner card moves nothing in the centre" if face.move == "C" else "the edge blocks it"
    return f"{name} stays on {was}, {why}"


def _as_seated(face: CardFace, ways: Sequence[Way], team: Seat, frame: str) -> str:
    """Whose left it is, where a board's own left is the other way.  (JP-2.6, RULING 1)"""
    turned = any(is_turned(team, was, frame) for _, was, _ in ways)
    if face.move not in OTHER_WAY or not turned:
        return ""
    return f", {'left' if face.move == 'L' else 'right'} as {team} sit"


def sideways(section: int, owner: Seat, face: CardFace) -> str:
    """A card of two halves of which the table cannot say which is on top."""
    return f"Section {section}: {NAMES[owner]}'s {face.card} lies sideways and does nothing."


def shot(
    position: JawsAndPawsPosition,
    judged: Shot,
    carries: Sequence[Carry],
    looked: Collection[Seat] = (),
) -> str:
    """A Shoot card: hit or miss and why, receiver and why, cards and counts."""
    card = f"Section {position.section}, step 5: {NAMES[judged.shooter]}'s {judged.face.title}"
    text = f"{card}{shots.told(judged, position)}"
    for carry in carries:
        due, piles = judged.due[carry.owner], position.piles[carry.owner]
        missing = f", {due - carry.count} short" if carry.count < due else ""
        name = NAMES[carry.owner]
        if carry.owner in looked:
            text += (
                f" {NAMES[judged.shooter]} looks at the {carry.source} of {name}'s Deck, picks "
                f"{carry.count} for its Scrap Pile and puts the rest back, to be shuffled; {name} "
                f"may see what was scrapped, nobody else: {counts(piles)}."
            )
        else:
            text += f" {name} scraps {carry.count}{missing}: {counts(piles)}."
    return text


# -- other modes ---------------------------------------------------------------------------------


def laid_face_up(player: Seat, number: int) -> str:
    """A solo player who had laid nothing puts a card on the track."""
    team, border = boards.TEAM_OF[player], boards.BORDER_OF[player]
    return (
        f"{team} laid no card: a {border} one from hand goes face up on section {number}, and was "
        "played."
    )


def face_up(team: Seat, number: int) -> Flip:
    """A solo player's card on a section is turned up, where it does not lie so."""
    return Flip(f"{team} card on section {number}", "face")


def must_lie_face_up(team: Seat, number: int) -> str:
    """All cards of a solo player lie on one section, so it is there that one lies face up."""
    where = f"{team} laid cards on section {number} alone"
    return f"{where}: a card there lies face up, or is turned up now."


def fallen(position: JawsAndPawsPosition, team: Seat, place: str) -> str:
    """One of several teams is shot down, and the others fly on."""
    finals = "; ".join(f"{NAMES[p]}: {counts(position.piles[p])}" for p in boards.CREW_OF[team])
    why = "a card had to be taken and was not there"
    if team in position.abandoned():
        why = "everybody of that team has left the table"
    told = f"{team} are shot down at the end of {place}: {why}."
    return f"{told} The others fly on. {finals}."


def left(
    position: JawsAndPawsPosition, team: Seat, carries: Sequence[Carry], sun: Way | None
) -> str:
    """What a team that fell takes along, and where its cards on the track and the Sun go."""
    told = (
        f"The planes of {team} leave every board; its own boards leave the game, with all on them."
    )
    if carries:
        told += f" Its cards on the track, not resolved, go to {_to_piles(position, carries)}."
    if sun is None:
        return told
    piece, was, now = sun
    return (
        f"{told} The {boards.PIECE_NAMES[piece]} goes from {was} to {now}, the next team clockwise."
    )


# -- how it ends ---------------------------------------------------------------------------------


def gave_up(position: JawsAndPawsPosition, team: Seat, winner: Seat) -> str:
    """Everybody of one of two teams has left the table."""
    return f"Everybody of {team} has left the table: {winner} win.{_unresolved(position)}"


def gave_up_cards(position: JawsAndPawsPosition, carries: Sequence[Carry]) -> str:
    """Where the cards go that a team has on the track as it leaves."""
    if position.stage == "lock":
        return "Its cards on the track return to its hands: none is counted at the lock."
    if not carries:
        return ""
    return f"Its cards on the track, not resolved, go to {_to_piles(position, carries)}."


def cards_left(position: JawsAndPawsPosition, team: Seat) -> int:
    """Cards of a team outside its Scrap Piles.  (double_ko most_cards, RULING 12)"""
    piles = [position.piles[player] for player in boards.CREW_OF[team]]
    return sum(own.total - own["scrap"] for own in piles)


def result(
    position: JawsAndPawsPosition, place: str, winners: Sequence[Seat], double_ko: str
) -> str:
    """Who is down at which check point, who wins, and the final counts."""
    teams, down = position.teams, position.down
    finals = "; ".join(f"{NAMES[p]}: {counts(position.piles[p])}" for p in position.players)
    if len(down) < len(teams):
        told = f"{_all_of(down)} are shot down at the end of {place}: a card had to be taken and"
        return f"{told} was not there. {winners[0]} win. {finals}.{_unresolved(position)}"
    planes = "Both planes" if len(position.lineup.teams) == 2 else f"The last {len(down)} planes"
    told = f"{planes} are shot down at the end of {place}"
    if double_ko == "most_cards":
        left = ", ".join(f"{team} {cards_left(position, team)}" for team in teams)
        told += f"; cards outside the Scrap Piles: {left}"
    verdict = f"{winners[0]} win" if winners else "nobody wins"
    if double_ko == "replay":
        verdict = "no result, the game is played again"
    return f"{told}: {verdict}. {finals}.{_unresolved(position)}"


def _unresolved(position: JawsAndPawsPosition) -> str:
    """What becomes of cards on the tracks as the game stops.  (RULING 11)"""
    if not any(position.piles[player]["track"] for player in position.players):
        return ""
    return " Cards on the tracks stay there; those not yet turned over are not resolved."


def _all_of(teams: Sequence[Seat]) -> str:
    return teams[0] if len(teams) == 1 else f"{', '.join(teams[:-1])} and {teams[-1]}"


def back_to_start(position: JawsAndPawsPosition) -> list[Deed]:
    """What hands do for a new game: cards, tracks, planes and Sun as at the start."""
    deeds: list[Deed] = []
    for player, piles in position.piles.items():
        deeds += [
            Carry(player, count, pile, "deck")
            for pile, count in piles.counts.items()
            if count and pile != "deck"
        ]
        deeds.append(Shuffle(player, position.deck_size, "deck", "deck"))
    for team in position.lineup.teams:
        if position.smoke[team]:
            deeds.append(Flip(f"{team} Action Track", "clear"))
    for piece, centre in position.lineup.start.items():
        stands = position.zones.get(piece)
        if stands != centre:
            deeds.append(Move(piece, pose(stands) if stands else None, pose(centre)))
    if position.sun is not None:
        deeds.append(Move(position.light, pose(position.sun), None))
    return deeds
