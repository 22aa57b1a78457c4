"""Where the camera's table of Jaws & Paws differs from the record, and what its cards say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from companion.core.board import Piece
from companion.core.offers import PictureState, SectionState, SeenState
from companion.core.question import Count, Declare, Reveal
from companion.core.ruling import Cite, Level, Notice, Seat
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws.boards import NAMES, owner_of
from companion.kit.comparing import RESTORE

if TYPE_CHECKING:
    from companion.core.offers import LateCard, Seen, Sighting
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition


_START = Cite.of("JP-3.3")
_SUN_PLACED = Cite.of("JP-3.5, RULING 35")
_OWN_BOARD = Cite.of("JP-2.3")
_COMPUTED = Cite.of("JP-21.2, RULING 35")
_ONE_SUN = Cite.of("JP-2.10")
_LEFT = Cite.of("JP-2.6, RULING 1")
_SEEN = Cite.of("JP-2.2")
_OTHER_BOARD = Cite.of("JP-19.1")
_FALLEN = Cite.of("JP-19.7, RULING 33")


def compare(
    position: JawsAndPawsPosition, sighting: Sighting, lagging: Collection[Piece] = ()
) -> list[Notice]:
    """What a settled picture says against the record; nothing of pieces that still lag."""
    if sighting.state is not PictureState.SETTLED:
        return []
    notices = [_seen_twice(piece) for piece in sighting.conflicts]
    for piece in (*position.lineup.tokens, position.light):
        seen = sighting.pieces.get(piece)
        if piece in lagging or piece in sighting.conflicts or seen is None:
            continue
        notice = judge_seen(position, piece, seen)
        if notice is not None:
            notices.append(notice)
    return notices


def _seen_twice(piece: Piece) -> Notice:
    if piece in (boards.SUN, boards.MOON):
        text = f"More than one {boards.PIECE_NAMES[piece]} is on the boards."
        return Notice("JP-E06", text, _ONE_SUN, Level.BLOCK, "Leave one of them there.")
    text = (
        f"Two tokens are the {boards.PIECE_NAMES[piece]}: each team has one on the enemy's boards."
    )
    return Notice("JP-E14", text, _OWN_BOARD, Level.BLOCK, "Take one of them off.")


def judge_seen(position: JawsAndPawsPosition, piece: Piece, seen: Seen) -> Notice | None:
    """What one piece, as it was seen, says against the record."""
    name, zone = boards.PIECE_NAMES[piece], position.zones.get(piece)
    if seen.state is SeenState.SEEN and seen.pose is not None:
        return _judge_zone(position, piece, seen.pose.space)
    if seen.state is SeenState.UNSURE:
        spaces = f" ({' or '.join(seen.spaces)})" if seen.spaces else ""
        text = f"The {name} is not clearly on one zone{spaces}."
        return Notice("JP-E12", text, _SEEN, Level.NOTE, "Put it on the middle of its zone.")
    at_start = position.stage == "set-up"
    if piece == position.light and seen.state is SeenState.LOST and at_start and zone:
        text = f"No {name} is seen; it was placed on {zone}."
        return Notice("JP-E06", text, _ONE_SUN, Level.BLOCK, f"Put it on {zone}.")
    if zone is None:
        return None
    text = f"The {name} is not seen; the record keeps it on {zone}."
    return Notice("JP-E13", text, _SEEN, Level.NOTE)


def _judge_zone(position: JawsAndPawsPosition, piece: Piece, seen: str) -> Notice | None:
    name, zone = boards.PIECE_NAMES[piece], position.zones.get(piece)
    if seen == zone or seen not in position.lineup.zones:
        return None
    if zone is None:
        return _fallen(position, piece, seen)
    host = position.lineup.host_of.get(piece)
    if host not in (None, owner_of(seen)):
        return _wrong_board(position, piece, seen, zone)
    if position.stage == "set-up":
        if piece == position.light:
            text = f"The {name} stands on {seen}; it was placed on {zone}."
            return Notice("JP-E11", text, _SUN_PLACED, Level.BLOCK, f"Put it on {zone}.")
        text = f"The {name} stands on {seen}; it starts on {zone}."
        return Notice("JP-E02", text, _START, Level.BLOCK, f"Put it on {zone}.")
    if position.other_left.get(piece) == seen:
        text = (
            f"The {name} stands on {seen}: Left and Right are those of whoever played the card, "
            f"from the seat; it belongs on {zone}."
        )
        return Notice("JP-E68", text, _LEFT, Level.BLOCK, RESTORE)
    code = "JP-E11" if position.stage == "action" else "JP-E67"
    text = f"The {name} stands on {seen}, the record has {zone}."
    return Notice(code, text, _COMPUTED, Level.BLOCK, RESTORE)


def _wrong_board(position: JawsAndPawsPosition, piece: Piece, seen: str, zone: str) -> Notice:
    """A plane on a View set that is not the one its token belongs to.  (JP-2.3, JP-19.1)"""
    name, owner = boards.PIECE_NAMES[piece], owner_of(seen)
    if owner == position.lineup.flown_by[piece]:
        text = f"The {name} stands on {seen}, a board of its own team; it belongs on {zone}."
        return Notice("JP-E10", text, _OWN_BOARD, Level.BLOCK, RESTORE)
    text = f"The {name} stands on {seen}, boards of {owner}; that token belongs on {zone}."
    return Notice("JP-E10", text, _OTHER_BOARD, Level.BLOCK, RESTORE)


def _fallen(position: JawsAndPawsPosition, piece: Piece, seen: str) -> Notice | None:
    """A token that left the game with its team; the Sun before it is placed is no news."""
    if piece == position.light:
        return None
    name = boards.PIECE_NAMES[piece]
    text = f"The {name} still stands on {seen}; its team, or those boards, are out."
    return Notice("JP-E10", text, _FALLEN, Level.BLOCK, "Take it off the boards.")


# Cards seen on the tracks: at the lock, at a reveal, after the buzzer.

_LATE = Cite.of("JP-5.7, RULING 6")


def seen_answer(question: Question[Any], sighting: Sighting, *, by_section: bool) -> Json | None:
    """What the tracks answer to a question of the lock or of a section; None where in doubt.

    Unless the lock asks `by_section`, it asks of sections only whether they are doubled.
    """
    parts, section = question.key.split("/"), seen_section(question)
    match question:
        case Declare() if section:
            owners = _owners(section, sighting)
            return None if owners is None else _borders(question, owners, by_section=by_section)
        case Count() if parts[1:2] == ["lock"] and len(parts) == 3:
            return _laid(Seat(parts[2]), sighting)
        case Reveal() if section:
            return _face(question, section, sighting)
        case _:
            return None


def seen_section(question: Question[Any]) -> str:
    """The space of the track that a question is about, as "Paws.3"; empty for any other question.

    A lock asks of each section, a Resolution of the card that is turned over on it.
    """
    parts = question.key.split("/")
    match question:
        case Declare() if parts[1:2] == ["lock"] and len(parts) == 4:
            return f"{boards.TEAM_IN_SMALL[parts[2]]}.{parts[3]}"
        case Reveal() if parts[2:3] == ["reveal"]:
            return f"{boards.TEAM_IN_SMALL[parts[3]]}.{parts[1].removeprefix('section-')}"
        case _:
            return ""


def _owners(section: str, sighting: Sighting) -> Counter[str] | None:
    """How many cards of whom lie on a section; None in doubt.

    So is one where another team's card lies, or to or from which a card came late.
    """
    seen = sighting.cards.get(section)
    if seen is None or seen.state is SectionState.DOUBT:
        return None
    if any(section in (late.section, late.moved_from) for late in sighting.late):
        return None
    owners = Counter(card.owner for card in seen.cards)
    return owners if owners.keys() <= set(boards.CREW_OF[_team_of(section)]) else None


def _team_of(section: str) -> Seat:
    return Seat(section.rpartition(".")[0])


def _borders(question: Declare, owners: Counter[str], *, by_section: bool) -> dict[str, Json]:
    """Cards on a section by border; where only doubled ones are asked for, a single is none."""
    if not by_section and owners.total() < 2:
        return dict.fromkeys(question.parts, 0)
    counts = Counter({boards.BORDER_NAME_OF[Seat(owner)]: count for owner, count in owners.items()})
    return {part: counts[part] for part in question.parts}


def _laid(player: Seat, sighting: Sighting) -> int | None:
    """A player's cards on the whole track, if all of it is sure."""
    team = next((team for team, crew in boards.CREW_OF.items() if player in crew), None)
    if team is None:
        return None
    owners = [_owners(f"{team}.{number}", sighting) for number in boards.SECTIONS]
    if any(one is None for one in owners):
        return None
    return sum(one[player] for one in owners if one is not None)


def _face(question: Reveal[Any], section: str, sighting: Sighting) -> str | None:
    """The one card that lies face up on a section, by the half that is the upper one.  (JP-9.3)"""
    seen = sighting.cards.get(section)
    if seen is None or seen.state is not SectionState.READ or len(seen.cards) != 1:
        return None
    (card,) = seen.cards
    ours = card.owner in boards.CREW_OF[_team_of(section)] and len(card.faces) == 1
    return card.faces[0] if ours and card.faces[0] in question.faces else None


def late_notices(sighting: Sighting) -> Iterator[Notice]:
    """A card that came after the buzzer: the camera says it, the table rules on it.  (JP-E20)"""
    for late in sighting.late:
        yield Notice("JP-E20", _told(late), _LATE, Level.WARN, _way_out(late))


def _told(late: LateCard) -> str:
    team, _, number = late.section.partition(".")
    whose = f"A {NAMES[Seat(late.owner)]}'s card" if late.owner in NAMES else "A card"
    if not late.sure:
        return f"{whose} lies on {team} {number}; at the buzzer a hand was over it."
    if late.moved_from:
        return f"{whose} came to {team} {number} from {late.moved_from} after the buzzer."
    return f"{whose} came to {team} {number} after the buzzer."


def _way_out(late: LateCard) -> str:
    if not late.sure:
        return "Look at the pictures of the buzzer."
    return "Look at the pictures, then report the late card."
