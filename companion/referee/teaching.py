"""What would have done it: for beginners, after a refusal or a miss. The box's own judge says it.

Nothing is computed beside the rules. After a refusal the open question lists what is legal now;
after a miss each answer that led to it is tried with every other one that was legal, and the match
is ruled with it, as `amend` would. Nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError
from companion.core.question import Count, Roll
from companion.core.ruling import TABLE, AttackMade
from companion.core.text import counted

if TYPE_CHECKING:
    from companion.core.question import Option, Question
    from companion.core.ruling import Json, Ruling, Seat
    from companion.match.entry import Step
    from companion.match.match import Match

MOST_TOLD = 6
"""The most legal answers that are told; of more only the number is."""
MOST_TRIED = 40
"""The most answers that are tried, the latest first: for each the match is ruled once more."""
MOST_OTHERS = 2
"""The most answers that would have hit, beside the first, that are told."""


def legal_instead(question: Question[Any], refused: Json) -> str:
    """What is legal now, in a sentence, the nearest to what was refused first; empty if not listed.

    >>> from companion.core.question import Count
    >>> from companion.core.ruling import Cite, Seat
    >>> dice = Count(key="k", by=Seat("A"), cite=Cite.of("X-1"), prompt="How many?", low=1, high=3)
    >>> legal_instead(dice, 7)
    'Legal now: a number from 1 to 3.'
    """
    if isinstance(question, Count):
        return f"Legal now: a number from {question.low} to {question.most}."
    options = list(question.options_now())
    if not options:
        return ""
    options.sort(key=lambda option: -_alike(option, refused))
    told = [question.in_words(option.name) for option in options[:MOST_TOLD]]
    more = len(options) - len(told)
    rest = f", and {counted(more, 'other')}" if more else ""
    return f"Legal now: {'; '.join(dict.fromkeys(told))}{rest}."


def _alike(option: Option[Any], refused: Json) -> float:
    said = str(refused).casefold()
    names = (option.name, option.told)
    return max(SequenceMatcher(None, said, name.casefold()).ratio() for name in names)


@dataclass(frozen=True, slots=True)
class Instead:
    """An answer that would have hit: the line, what it asked, the answer, and what would be ruled.

    All in words.
    """

    line: int
    asked: str
    answer: str
    ruled: str

    def __str__(self) -> str:
        return f"Line {self.line}, “{self.answer}” instead: {self.ruled}"


def attacks_in(match: Match[Any], ruling: Ruling) -> Sequence[AttackMade]:
    """The attacks that a ruling decides, as its box tells them."""
    happened = match.rulebook.happened_in(ruling)
    return [one for one in happened if isinstance(one, AttackMade)]


def is_miss(match: Match[Any], ruling: Ruling) -> bool:
    """Whether it decides attacks, and none of them hits."""
    attacks = attacks_in(match, ruling)
    return bool(attacks) and not any(one.hit for one in attacks)


def last_miss(match: Match[Any]) -> tuple[int, Ruling] | None:
    """The latest ruling that is a miss and its line, of what the last answers brought."""
    for seq, _, rulings in reversed(match.ruled_by()[-1:]):
        for ruling in reversed(rulings):
            if is_miss(match, ruling):
                return seq, ruling
    return None


GoesOn = Callable[[int], bool]
"""Is told how many answers were tried, and says whether to go on."""


def _to_the_end(_tried: int) -> bool:
    return True


def would_have_hit(
    match: Match[Any], seq: int, miss: Ruling, goes_on: GoesOn = _to_the_end
) -> Sequence[Instead]:
    """Which other answers to that line, or to one before it in its round, would have hit.

    One answer alone is another; all else stays as it was said. The latest line is tried first,
    and as many answers of one line as hit are told; of earlier lines none is sought then. Neither
    dice nor what another side said is a choice of whoever fired.
    """
    tried = 0
    sides = {_side(match, one.by) for one in attacks_in(match, miss)}
    for step in _before(match, seq):
        question = match.asked_at(step.seq)
        if question is None or isinstance(question, Roll):
            continue
        if question.by != TABLE and _side(match, question.by) not in sides:
            continue
        found: list[Instead] = []
        for option in question.options_now():
            if option.name == step.value:
                continue
            if tried >= MOST_TRIED or not goes_on(tried):
                return found[:MOST_TOLD]
            tried += 1
            hit = _hit_by(match, step, option, miss)
            if hit is not None:
                answer = question.in_words(option.name)
                found.append(Instead(step.seq, question.prompt, answer, hit.text))
        if found:
            return found[:MOST_TOLD]
    return ()


def _before(match: Match[Any], seq: int) -> Iterator[Step]:
    """The answers of that line's round up to it, the latest first."""
    steps = [step for step in match.steps if step.answers and step.seq <= seq]
    place = match.rulebook.split_key(steps[-1].key)[0] if steps else ""
    for step in reversed(steps):
        if match.rulebook.split_key(step.key)[0] != place:
            return
        yield step


def _hit_by(match: Match[Any], step: Step, option: Option[Any], miss: Ruling) -> Ruling | None:
    """What would be ruled in the place of the miss: a hit; None where that answer brings none."""
    try:
        flips = match.amend(step.seq, option.name).flips
    except CompanionError:
        return None
    missed = {one.by for one in attacks_in(match, miss)}
    gone = any(flip.old == miss for flip in flips)
    for ruling in [flip.new for flip in flips if gone and flip.new is not None]:
        hits = (one for one in attacks_in(match, ruling) if one.hit)
        if any(one.by in missed for one in hits):
            return ruling
    return None


def _side(match: Match[Any], seat: Seat) -> str:
    return str(match.rulebook.side_of.get(seat, seat))


def taught(
    match: Match[Any], refused: tuple[str, Json] | None, goes_on: GoesOn = _to_the_end
) -> str:
    """In words: after a refusal (its question's key and what was said), else after a miss."""
    if refused is not None:
        question = match.open.get(refused[0])
        return "" if question is None else legal_instead(question, refused[1])
    missed = last_miss(match)
    if missed is None:
        return ""
    found = would_have_hit(match, *missed, goes_on)
    if not found:
        return "No other single answer of this round would have hit."
    first, *others = found
    too = "".join(f", or “{one.answer}”" for one in others[:MOST_OTHERS])
    return f"“{first.answer}” would have hit. At line {first.line}{too}: {first.ruled}"
