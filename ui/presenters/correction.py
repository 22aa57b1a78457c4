"""What a correction leaves for hands to do: from what they did to what the record says now.

An undo, an amend or an adjustment changes the record at once; the table follows only by hand. What
hands did are the deeds of the rulings that were put away with Done; what is left for them is the
way from there to the rulings that stand, and to what an adjustment set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.ruling import Carry, Deed, Fact, Flip, Move, Ruling, Seat, Shuffle

if TYPE_CHECKING:
    from companion.board import Piece, Pose
    from companion.match import Match
    from companion.offers import Json

Way = tuple[Seat, str, str]
"""Cards of one owner from one pile to another."""


@dataclass(frozen=True, slots=True)
class TurnBack:
    """A hand turns a thing back from the side that it should not show."""

    thing: str
    side: str


@dataclass(frozen=True, slots=True)
class SetTo:
    """A quantity that an arbiter set, and that no cards of the same owner balance."""

    fact: Fact
    was: Json


Task = Deed | TurnBack | SetTo


@dataclass(frozen=True, slots=True)
class Standing:
    """The record before a correction: rulings, how many of them hands have done, facts, places.

    `set_by_hand` are the adjustments in effect, by log number.
    """

    rulings: tuple[Ruling, ...]
    done: int
    facts: Mapping[str, Fact]
    placement: Mapping[Piece, Pose]
    set_by_hand: Mapping[int, frozenset[str]]

    @classmethod
    def of(cls, match: Match[Any], read: int = 0, deed: int = 0) -> Standing:
        """`read` rulings were put away, and `deed` of those that wait with something to do."""
        rulings = tuple(match.rulings)
        telling = [at for at, ruling in enumerate(rulings) if at >= read and ruling.deeds]
        return cls(
            rulings,
            telling[deed - 1] + 1 if 0 < deed <= len(telling) else min(read, len(rulings)),
            {fact.name: fact for fact in match.position.facts() if fact.public},
            dict(match.position.placement()),
            {step.seq: _names(step.value) for step in match.steps if step.kind == "adjust"},
        )


@dataclass(frozen=True, slots=True)
class Correction:
    """`tasks` still wait for hands, of `total`; `struck` rulings went, `brought` ones came."""

    tasks: tuple[Task, ...]
    total: int
    struck: tuple[Ruling, ...] = ()
    brought: tuple[Ruling, ...] = ()

    @property
    def at(self) -> int:
        """Which task is at hand, from 1."""
        return self.total - len(self.tasks) + 1

    def after_done(self) -> Correction | None:
        """Without the task at hand; None when it was the last."""
        return replace(self, tasks=self.tasks[1:]) if len(self.tasks) > 1 else None


def correct(
    before: Standing, match: Match[Any], waiting: Correction | None = None
) -> tuple[Correction | None, int]:
    """What hands are to do now (None: nothing), and how many rulings are put away.

    `waiting` is an earlier correction that hands have not finished: what is left of it counts too.
    """
    now = Standing.of(match)
    same = _in_common(before.rulings, now.rulings)
    begun = waiting.tasks if waiting is not None else ()
    if before.done > same:
        struck, brought = before.rulings[same : before.done], now.rulings[same:]
        tasks = _way(_deeds(struck), [*begun, *_deeds(brought)], now.placement)
        return _told(tasks, struck, brought), len(now.rulings)
    tasks = _way([], [*begun, *_adjusted(before, now)], now.placement)
    struck, brought = (waiting.struck, waiting.brought) if waiting is not None else ((), ())
    return (_told(tasks, struck, brought) if tasks else None), before.done


def _told(
    tasks: tuple[Task, ...], struck: tuple[Ruling, ...], brought: tuple[Ruling, ...]
) -> Correction | None:
    """Rulings that came are told even where hands have nothing to do."""
    if not tasks and not brought:
        return None
    gone = tuple(ruling for ruling in struck if ruling not in brought)
    new = tuple(ruling for ruling in brought if ruling not in struck)
    return Correction(tasks, len(tasks), gone, new)


def _in_common(old: Sequence[Ruling], new: Sequence[Ruling]) -> int:
    """How many rulings from the first on are the same."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (was, now) in pairs if was != now), min(len(old), len(new)))


def _deeds(rulings: Sequence[Ruling]) -> list[Task]:
    return [deed for ruling in rulings for deed in ruling.deeds]


def _names(changes: Json) -> frozenset[str]:
    names = changes if isinstance(changes, dict) else ()
    return frozenset(str(name).lower() for name in names)


# -- the way between two states ------------------------------------------------------------


def _way(
    done: Sequence[Task], wanted: Sequence[Task], placement: Mapping[Piece, Pose]
) -> tuple[Task, ...]:
    """The fewest tasks that lead from what was done to what is wanted."""
    return (
        *_moves(done, wanted, placement),
        *_carries(done, wanted),
        *(task for task in wanted if isinstance(task, Shuffle) and task.source == task.target),
        *_turns(done, wanted),
        *(task for task in wanted if isinstance(task, SetTo)),
    )


def _moves(
    done: Sequence[Task], wanted: Sequence[Task], placement: Mapping[Piece, Pose]
) -> Iterator[Move]:
    """From where hands put each piece to where it belongs now."""
    stands: dict[Piece, Pose | None] = {}
    for move in wanted:
        if isinstance(move, Move):
            stands.setdefault(move.piece, move.was)
    stands |= {move.piece: move.now for move in done if isinstance(move, Move)}
    for piece, was in stands.items():
        now = placement.get(piece)
        if now != was:
            yield Move(piece, was, now)


def _carries(done: Sequence[Task], wanted: Sequence[Task]) -> Iterator[Carry]:
    """Cards that went a way too often go back; those that did not go yet go."""
    ways: Counter[Way] = Counter()
    for tasks, sign in ((done, -1), (wanted, 1)):
        for task in tasks:
            if isinstance(task, Carry | Shuffle) and task.source != task.target:
                there = (task.owner, task.source, task.target)
                back = (task.owner, task.target, task.source)
                ways[there] += sign * task.count
                ways[back] -= sign * task.count
    for (owner, source, target), count in ways.items():
        if count > 0:
            yield Carry(owner, count, source, target)


def _turns(done: Sequence[Task], wanted: Sequence[Task]) -> Iterator[Flip | TurnBack]:
    """Things that lie on the wrong side."""
    shown = {flip.thing: flip.side for flip in done if isinstance(flip, Flip)}
    due = {turn.thing: turn for turn in wanted if isinstance(turn, Flip | TurnBack)}
    for thing, side in shown.items():
        if thing not in due:
            yield TurnBack(thing, side)
    for thing, turn in due.items():
        if not isinstance(turn, Flip) or shown.get(thing) != turn.side:
            yield turn


# -- what an arbiter set -------------------------------------------------------------------


def _adjusted(before: Standing, now: Standing) -> Iterator[Task]:
    """What an adjustment that came or went has changed."""
    seqs = before.set_by_hand.keys() ^ now.set_by_hand.keys()
    every = {**before.set_by_hand, **now.set_by_hand}
    names = {name for seq in seqs for name in every[seq]}
    if not names:
        return
    for piece in now.placement.keys() | before.placement.keys():
        was, stands = before.placement.get(piece), now.placement.get(piece)
        if piece.lower() in names and was != stands:
            yield Move(piece, was, stands)
    changed = [
        SetTo(fact, before.facts[name].value)
        for name, fact in now.facts.items()
        if name.lower() in names and name in before.facts and before.facts[name] != fact
    ]
    yield from _balanced([one for one in changed if one.fact.name not in now.placement])


def _balanced(changed: Sequence[SetTo]) -> Iterator[Task]:
    """One pile fewer and another of the same owner as many more: cards went from one to the other.

    Whatever no other pile balances is told as it was set.
    """
    rest = {one.fact.name: _gain(one) for one in changed}
    for loser in changed:
        for winner in changed:
            count = min(-rest[loser.fact.name], rest[winner.fact.name])
            if loser.fact.seat == winner.fact.seat and count > 0:
                rest[loser.fact.name] += count
                rest[winner.fact.name] -= count
                yield Carry(loser.fact.seat, count, _pile(loser), _pile(winner))
    yield from (one for one in changed if rest[one.fact.name] or not _gain(one))


def _gain(one: SetTo) -> int:
    """By how many a quantity grew; 0 where it is no number."""
    now, was = one.fact.value, one.was
    return now - was if type(now) is int and type(was) is int else 0


def _pile(one: SetTo) -> str:
    return one.fact.name.rpartition(".")[2]
