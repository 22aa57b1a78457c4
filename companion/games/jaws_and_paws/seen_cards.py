"""What cards that a camera sees on the tracks say: to the lock, at a reveal, after the buzzer.

Only after the buzzer: what lies there before is nobody's business (JP-4.1, JP-5.6), and no question
of an earlier moment is answered here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.core.offers import SectionState
from companion.core.question import Count, Declare, Reveal
from companion.core.ruling import Cite, Level, Notice, Seat
from companion.games.jaws_and_paws.crew import BORDER_NAME_OF, CREW_OF, NAMES, TEAM_IN_SMALL
from companion.games.jaws_and_paws.layout import SECTIONS

if TYPE_CHECKING:
    from companion.core.offers import LateCard, Sighting
    from companion.core.question import Question
    from companion.core.ruling import Json

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
            return f"{TEAM_IN_SMALL[parts[2]]}.{parts[3]}"
        case Reveal() if parts[2:3] == ["reveal"]:
            return f"{TEAM_IN_SMALL[parts[3]]}.{parts[1].removeprefix('section-')}"
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
    return owners if owners.keys() <= set(CREW_OF[_team_of(section)]) else None


def _team_of(section: str) -> Seat:
    return Seat(section.rpartition(".")[0])


def _borders(question: Declare, owners: Counter[str], *, by_section: bool) -> dict[str, Json]:
    """Cards on a section by border; where only doubled ones are asked for, a single is none."""
    if not by_section and owners.total() < 2:
        return dict.fromkeys(question.parts, 0)
    counts = Counter({BORDER_NAME_OF[Seat(owner)]: count for owner, count in owners.items()})
    return {part: counts[part] for part in question.parts}


def _laid(player: Seat, sighting: Sighting) -> int | None:
    """A player's cards on the whole track, if all of it is sure."""
    team = next((team for team, crew in CREW_OF.items() if player in crew), None)
    if team is None:
        return None
    owners = [_owners(f"{team}.{number}", sighting) for number in SECTIONS]
    if any(one is None for one in owners):
        return None
    return sum(one[player] for one in owners if one is not None)


def _face(question: Reveal[Any], section: str, sighting: Sighting) -> str | None:
    """The one card that lies face up on a section, by the half that is the upper one.  (JP-9.3)"""
    seen = sighting.cards.get(section)
    if seen is None or seen.state is not SectionState.READ or len(seen.cards) != 1:
        return None
    (card,) = seen.cards
    ours = card.owner in CREW_OF[_team_of(section)] and len(card.faces) == 1
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
