"""What hands must move after a correction, so that the table agrees with the record again.

An undo, an amend, an adjustment, a restart or a report changes the record at once; the table
follows only by hand. Nothing here is stored: it is told from the match before and after.

Not every correction is the table's to follow. Where the record goes back on what was done (an undo,
a restart, rulings that an amend changes) or somebody says where a thing belongs (an adjusted place,
side or word), hands move. Where somebody says what was counted (a number that is adjusted, anything
that is adjusted because of a recount, an amended answer that tells of cards which no ruling moved)
the record catches up with the table, and hands move nothing. The undo of such a count moves nothing
either: nobody had moved anything for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

from companion.core.ruling import TABLE, Carry, Deed, Flip, Move, Ruling, Seat, SetTo, Shuffle
from companion.core.text import counted

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.ruling import Fact, Json
    from companion.match.entry import Step
    from companion.match.match import Match
    from companion.match.rulebook import Position, Rulebook

RECOUNT = "recount"
"""The reason of an adjustment that only says what lies on the table, wherever that is."""

Pile = tuple[Seat, str]
"""Whose a pile is, and what it is called; the table's are everybody's."""
Way = tuple[Pile, Pile]
"""From which pile cards go, and to which."""


@dataclass(slots=True)
class LyingTable:
    """What lies on the table as far as hands put it there: pieces, piles, sides, counters."""

    places: dict[Piece, Pose]
    piles: dict[Pile, int]
    sides: dict[str, str]
    counters: dict[str, Fact]

    @classmethod
    def of(cls, position: Position) -> LyingTable:
        """The table as the record has it."""
        return cls(
            dict(position.placement()),
            dict(position.pile_counts()),
            dict(position.sides()),
            {fact.name: fact for fact in position.counters()},
        )

    def take_off(self, deeds: Sequence[Deed], position: Position) -> None:
        """Take off deeds that hands have not done; a thing they turn has no known side then."""
        for deed in reversed(deeds):
            match deed:
                case Move(piece, None, _):
                    self.places.pop(piece, None)
                case Move(piece, was, _) if was is not None:
                    self.places[piece] = was
                case Flip(thing):
                    self.sides.pop(thing, None)
                case SetTo(_, name, _, was) if name in self.counters:
                    self.counters[name] = replace(self.counters[name], value=was)
                case _:
                    self._carry_back(deed, position)

    def put_on(self, deeds: Iterable[Deed], position: Position) -> None:
        """Put on cards that hands have carried, where the record has them still where they lay."""
        for (source, target), count in _ways(deeds, position):
            self.piles[source] = self.piles.get(source, 0) - count
            self.piles[target] = self.piles.get(target, 0) + count

    def tell(self, told: Telling) -> None:
        """Take over what a step told: it lay so before, and the record says so only now."""
        for pile, more in told.piles.items():
            self.piles[pile] = self.piles.get(pile, 0) + more
        self.counters.update((name, now) for name, (_, now) in told.counters.items())
        for piece, (_, place) in told.places.items():
            self._put(piece, place)
        self.sides.update((thing, side) for thing, (_, side) in told.sides.items())

    def take_back(self, told: Telling) -> None:
        """Take back what a step told: the record no longer says so, and nothing has moved."""
        for pile, more in told.piles.items():
            self.piles[pile] = self.piles.get(pile, 0) - more
        self.counters.update((name, was) for name, (was, _) in told.counters.items())
        for piece, (place, _) in told.places.items():
            self._put(piece, place)
        self.sides.update((thing, side) for thing, (side, _) in told.sides.items())

    def _put(self, piece: Piece, place: Pose | None) -> None:
        if place is None:
            self.places.pop(piece, None)
        else:
            self.places[piece] = place

    def _carry_back(self, deed: Deed, position: Position) -> None:
        for (source, target), count in _ways([deed], position):
            self.piles[source] = self.piles.get(source, 0) + count
            self.piles[target] = self.piles.get(target, 0) - count


@dataclass(frozen=True, slots=True)
class Telling:
    """What one step told of the table: piles by how many more they are, counters before and after.

    `is_count`: an adjustment that names numbers or is a recount; otherwise an answer. `places` and
    `sides` before and after are told by a recount alone. `lie`: all piles after it.
    """

    piles: Mapping[Pile, int]
    counters: Mapping[str, tuple[Fact, Fact]]
    is_count: bool
    lie: Mapping[Pile, int] = field(default_factory=dict[Pile, int], compare=False)
    places: Mapping[Piece, tuple[Pose | None, Pose | None]] = field(
        default_factory=dict["Piece", "tuple[Pose | None, Pose | None]"]
    )
    sides: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, "tuple[str, str]"])

    @property
    def is_from_nowhere(self) -> bool:
        """Whether all these cards were only counted, and had lain in no other pile before."""
        return all(more > 0 for more in self.piles.values())

    def apart_from(self, other: Telling) -> Telling:
        """Without what another telling of the same count says too: it lay so, and lies so still."""
        piles = {
            pile: more
            for pile, more in self.piles.items()
            if self.lie.get(pile, 0) != other.lie.get(pile, 0)
        }
        counters = {
            name: (was, now)
            for name, (was, now) in self.counters.items()
            if name not in other.counters or other.counters[name][1].value != now.value
        }
        return replace(self, piles=piles, counters=counters)


Tellings = Mapping[int, Telling]
"""What each step in effect told, by its log number."""


@dataclass(frozen=True, slots=True)
class RecordBefore:
    """The record before a correction; of its rulings hands have followed the first `done`.

    `in_form` is what they have done besides, with the answers of a form that was still open;
    `over`: the match had ended.
    """

    rulings: tuple[Ruling, ...]
    done: int
    lying: LyingTable
    tellings: Tellings
    in_form: Sequence[Deed]
    over: bool = False

    def told(self, match: Match[Any], seq: int) -> None:
        """What the answer of log line `seq` told of the table lay there before it was given."""
        telling = tellings(match).get(seq)
        if telling is not None:
            self.lying.tell(telling)


@dataclass(frozen=True, slots=True)
class Correction:
    """`tasks` still wait for hands, of `total`; `struck` rulings went, `brought` ones came.

    `lost` says what no hand can put back, such as the order of cards that were shuffled. With
    `reopens` the match had ended, and goes on.
    """

    tasks: tuple[Deed, ...]
    total: int
    struck: tuple[Ruling, ...] = ()
    brought: tuple[Ruling, ...] = ()
    lost: tuple[str, ...] = ()
    reopens: bool = False

    @property
    def at(self) -> int:
        """The number of the task that hands do next, from 1."""
        return self.total - len(self.tasks) + 1

    def after_done(self, done: int = 1) -> Correction | None:
        """The correction after the next tasks are done; None when they were the last."""
        return replace(self, tasks=self.tasks[done:]) if len(self.tasks) > done else None

    def as_ruling(self, rulebook: Rulebook[Any]) -> Ruling:
        """What hands do, as a ruling is told; it is no part of the match's own rulings."""
        told = [in_words(deed, rulebook) for deed in self.tasks]
        text = f"Put the table right: {'; '.join(told)}." if told else "The table stays as it is."
        words = " ".join((text, *self.lost))
        return Ruling(words, rulebook.corrections, self.tasks, headline="Put the table right")

    def by_person(self, rulebook: Rulebook[Any]) -> Sequence[str]:
        """Several tasks in words, each person's together; what a shuffle waits for is before it."""
        order = [*rulebook.seats, *rulebook.sides]
        told: list[tuple[int, int, str]] = []
        shuffled = 0
        for deed in self.tasks:
            shuffled += isinstance(deed, Shuffle)
            words = in_words(deed, rulebook)
            seat = _whose(deed, words, rulebook)
            told.append((shuffled, order.index(seat) if seat in order else len(order), words))
            shuffled += isinstance(deed, Shuffle)
        lines = [words for _, _, words in sorted(told, key=lambda one: one[:2])]
        return [*lines, *self.lost] if len(lines) > 1 else []


@dataclass(slots=True)
class Hands:
    """How far hands have followed the rulings, and what the latest correction leaves to them.

    `done` rulings were said to be done at a screen where people say so; None: nobody is asked, and
    hands are taken to follow at once.
    """

    done: int | None = None
    correction: Correction | None = None
    _told: tuple[Sequence[Step], Tellings] = field(default=((), {}), compare=False, repr=False)
    """The steps that were last played again to see what they told, and what that was."""

    def standing(self, match: Match[Any]) -> RecordBefore:
        """The record as it stands before a correction, and the table as hands have left it."""
        rulings = tuple(match.rulings)
        done = len(rulings) if self.done is None else min(self.done, len(rulings))
        lying = LyingTable.of(match.position)
        lying.take_off(_deeds(rulings[done:]), match.position)
        if self.done is not None and self.correction is not None:
            lying.take_off(self.correction.tasks, match.position)
        lying.put_on(match.done_in_form, match.position)
        over = match.outcome is not None
        return RecordBefore(rulings, done, lying, self._tellings(match), match.done_in_form, over)

    def correct(
        self,
        before: RecordBefore,
        match: Match[Any],
        seen: Mapping[Piece, Pose] | None = None,
        *,
        whole: bool = False,
    ) -> None:
        """Tell what is left to do after a correction; pieces `seen` in their place are done.

        `whole`: new rulings are told with it, also where none that hands had followed is gone.
        """
        waiting = self.correction if self.done is not None else None
        _catch_up(before.lying, before.tellings, self._tellings(match))
        work = _Work(
            before, tuple(match.rulings), match.position, waiting, match.done_in_form, whole
        )
        told = work.told(match.rulebook, seen or {})
        reopens = before.over and match.outcome is None
        self.correction = replace(told, reopens=True) if told is not None and reopens else told
        if self.done is not None:
            self.done = work.read

    def _tellings(self, match: Match[Any]) -> Tellings:
        steps = tuple(match.steps)
        if steps != self._told[0]:
            self._told = (steps, tellings(match))
        return self._told[1]

    def follow(self, left: int, done: int = 1) -> bool:
        """Hands have done so many tasks, after which `left` wait; false if they are not at hand."""
        waiting = self.correction
        if waiting is None or max(1, len(waiting.tasks)) != left + done:
            return False
        self.correction = waiting.after_done(done)
        return True


def tellings(match: Match[Any]) -> Tellings:
    """What the answers and counts in effect told of the table and no ruling has hands do."""
    told: dict[int, Telling] = {}
    lay: LyingTable | None = None
    for step, position, rulings in match.step_by_step():
        lies = LyingTable.of(position)
        if step is not None and lay is not None:
            adjusts = step.kind == "adjust"
            recounts = adjusts and match.entries[step.seq].reason == RECOUNT
            is_count = recounts or (adjusts and _names_numbers(step.value))
            if is_count or step.answers:
                before = LyingTable.of(position)
                before.take_off(_deeds(rulings), position)
                telling = _telling(lay, before, is_count=is_count)
                told[step.seq] = _with_places(telling, lay, before) if recounts else telling
        lay = lies
    return told


def _names_numbers(changes: Json) -> bool:
    """Whether an adjustment names what somebody has counted, or cards that lie there."""
    values = changes.values() if isinstance(changes, dict) else ()
    return any(isinstance(one, int | list) and not isinstance(one, bool) for one in values)


def _telling(was: LyingTable, now: LyingTable, *, is_count: bool) -> Telling:
    """What is different; what counters show follows from answers, and is told by a count alone."""
    piles = {
        pile: more
        for pile in {**was.piles, **now.piles}
        if (more := now.piles.get(pile, 0) - was.piles.get(pile, 0))
    }
    counters = {
        name: (was.counters[name], fact)
        for name, fact in now.counters.items()
        if is_count and name in was.counters and was.counters[name].value != fact.value
    }
    return Telling(piles, counters, is_count, dict(now.piles))


def _with_places(telling: Telling, was: LyingTable, now: LyingTable) -> Telling:
    """With the pieces that were found elsewhere, and the things that lay on another side."""
    places = {
        piece: (was.places.get(piece), now.places.get(piece))
        for piece in {**was.places, **now.places}
        if was.places.get(piece) != now.places.get(piece)
    }
    sides = {
        thing: (was.sides[thing], side)
        for thing, side in now.sides.items()
        if thing in was.sides and was.sides[thing] != side
    }
    return replace(telling, places=places, sides=sides)


def _catch_up(lying: LyingTable, was: Tellings, now: Tellings) -> None:
    """Counts that came or went, and answers that tell something else, were true of the table.

    An answer that is gone altogether is another matter: what was done with it is done no more. Not
    so where it has only counted what lay there: that lies there still, and orders nobody.
    """
    for seq in sorted({*was, *now}):
        old, new = was.get(seq), now.get(seq)
        is_count = any(told is not None and told.is_count for told in (old, new))
        counts = is_count or (old is not None and old.is_from_nowhere)
        if old == new or not (counts or (old is not None and new is not None)):
            continue
        if is_count and old is not None and new is not None:
            old, new = old.apart_from(new), new.apart_from(old)
        if old is not None:
            lying.take_back(old)
        if new is not None:
            lying.tell(new)


@dataclass(slots=True)
class _Work:
    """One correction: the rulings in common, those struck and brought, and the way between."""

    before: RecordBefore
    rulings: tuple[Ruling, ...]
    position: Position
    waiting: Correction | None
    in_form: Sequence[Deed]
    whole: bool = False
    struck: Sequence[Ruling] = field(init=False)
    brought: Sequence[Ruling] = field(init=False)
    read: int = field(init=False)
    """So many of the rulings that stand now are told with it; the others wait for their turn."""

    def __post_init__(self) -> None:
        old, done = self.before.rulings, self.before.done
        same = _in_common(old, self.rulings)
        self.struck = old[same:done]
        self.read = len(self.rulings) if self.whole or done > same else done
        self.brought = self.rulings[same : self.read]

    def told(self, rulebook: Rulebook[Any], seen: Mapping[Piece, Pose]) -> Correction | None:
        """What hands do; None where they do nothing and no ruling changed that they had done."""
        goal = LyingTable.of(self.position)
        to_come = self.rulings[self.read :]
        goal.take_off(_deeds(to_come), self.position)
        goal.put_on(self.in_form, self.position)
        tasks = tuple(
            deed
            for deed in self._deeds_to(goal, told_elsewhere=self._is_told(to_come))
            if not (isinstance(deed, Move) and deed.now and seen.get(deed.piece) == deed.now)
        )
        struck, brought = self.struck, self.brought
        if self.waiting is not None and not struck and not brought:
            struck, brought = self.waiting.struck, self.waiting.brought
        if not tasks and (not brought or not self.struck):
            return None
        gone = tuple(ruling for ruling in struck if ruling not in brought)
        new = tuple(ruling for ruling in brought if ruling not in struck)
        return Correction(tasks, len(tasks), gone, new, tuple(self._lost(rulebook)))

    def _is_told(self, to_come: Sequence[Ruling]) -> bool:
        """Whether new rulings, which tell what counters show, are still to be read."""
        return any(ruling not in self.before.rulings for ruling in to_come)

    def _deeds_to(self, goal: LyingTable, *, told_elsewhere: bool) -> Iterator[Deed]:
        start = self.before.lying
        yield from _moves(start.places, goal.places)
        yield from _with_shuffles(self._carries(start, goal), _deeds(self.brought))
        yield from _turns(start.sides, goal.sides, _deeds(self.brought))
        yield from _recounts(start.piles, goal.piles, self._flows(start, goal))
        if not told_elsewhere:
            yield from _settings(start.counters, goal.counters)

    def _carries(self, start: LyingTable, goal: LyingTable) -> list[Carry]:
        """In an order in which every pile has the cards that are taken from it.

        Where each pile waits for another (cards went round by way of a deck that was shuffled), the
        most that lie ready go first, and the rest of them later.
        """
        have, waiting = Counter(start.piles), self._flows(start, goal)
        ordered: list[Carry] = []
        while waiting:
            lie = {way: min(have[way[0]], count) for way, count in waiting.items()}
            whole = (way for way, count in waiting.items() if lie[way] == count)
            way = next(whole, max(lie, key=lie.__getitem__))
            count = lie[way] if lie[way] > 0 else waiting[way]
            waiting = dict(Counter(waiting) - Counter({way: count}))
            have.update({way[0]: -count, way[1]: count})
            ordered.append(_carry(*way, count))
        return ordered

    def _flows(self, start: LyingTable, goal: LyingTable) -> dict[Way, int]:
        """So many cards each way: back as they came, and the rest by what the piles lack."""
        back = _ways([*_deeds(self.struck), *self.before.in_form], self.position)
        waiting = self.waiting.tasks if self.waiting is not None else ()
        on = [*waiting, *_deeds(self.brought), *self.in_form]
        net = _netted([
            *(((target, source), count) for (source, target), count in reversed(back)),
            *_ways(on, self.position),
        ])  # fmt: skip
        expected = Counter(start.piles)
        for (source, target), count in net.items():
            expected[source] -= count
            expected[target] += count
        lacks = {pile: goal.piles.get(pile, 0) - expected[pile]
                 for pile in {**start.piles, **goal.piles}}  # fmt: skip
        flows = _netted([*net.items(), *_balanced(lacks)])
        stops = {
            pile for _, pile in flows if not start.piles.get(pile) and not goal.piles.get(pile)
        }
        return _past(stops, flows)

    def _lost(self, rulebook: Rulebook[Any]) -> Iterator[str]:
        """The order of a pile that was shuffled, and is not to be shuffled again."""
        again = {(deed.owner, deed.target) for deed in _shuffles(self.brought)}
        gone = dict.fromkeys((deed.owner, deed.target) for deed in _shuffles(self.struck))
        for owner, pile in gone:
            if (owner, pile) not in again:
                whose = self.position.pile_at(owner, pile) or (owner, pile)
                called = _named(whose, rulebook)
                yield (
                    f"{called[:1].upper()}{called[1:]} was shuffled meanwhile: the number of "
                    "cards can be put right, their old order cannot."
                )


def in_words(deed: Deed, rulebook: Rulebook[Any]) -> str:
    """A deed as a sentence says it: "6 cards from Dan's scrap pile to the deck"."""
    match deed:
        case Move(piece, _, now):
            token = rulebook.plan.token_of.get(piece)
            name = token.label if token is not None else str(piece)
            return f"{name} to {rulebook.plan.said_of(now)}" if now else f"{name} off the board"
        case Carry(_, count, source, target):
            start, end = _pile(deed, source, rulebook), _pile(deed, target, rulebook)
            goal = _called(end, rulebook) if start[0] == end[0] else _named(end, rulebook)
            return f"{counted(count, 'card')} from {_named(start, rulebook)} to {goal}"
        case Shuffle(_, _, _, target):
            return f"shuffle {_named(_pile(deed, target, rulebook), rulebook)}"
        case Flip(thing, side):
            return f"turn over {thing}: {side} side up"
        case SetTo(owner, name, thing, was, now):
            is_pile = (owner, name) in rulebook.position.pile_counts()
            what = _named((owner, name), rulebook) if is_pile else _owned(owner, thing, rulebook)
            return f"{what} {_shown(now, rulebook)}, was {_shown(was, rulebook)}"


def _whose(deed: Deed, words: str, rulebook: Rulebook[Any]) -> Seat:
    """Whose things a deed is about: its owner's, or of whoever a piece is called after."""
    if isinstance(deed, Move | Flip):
        theirs = (seat for seat in rulebook.seats if words.startswith(f"{rulebook.who(seat)}'s "))
        return next(theirs, TABLE)
    return deed.owner


def _pile(deed: Carry | Shuffle, place: str, rulebook: Rulebook[Any]) -> Pile:
    return rulebook.position.pile_at(deed.owner, place) or (deed.owner, place)


def _owned(owner: Seat, thing: str, rulebook: Rulebook[Any]) -> str:
    return thing if owner == TABLE else f"{rulebook.who(owner)}'s {thing}"


def _shown(value: object, rulebook: Rulebook[Any]) -> str:
    named = isinstance(value, str) and Seat(value) in rulebook.named
    return rulebook.who(Seat(str(value))) if named else str(value)


def _named(pile: Pile, rulebook: Rulebook[Any]) -> str:
    """A pile and whose it is; a common one is nobody's."""
    called = _called(pile, rulebook)
    return called if pile[0] == TABLE else _owned(pile[0], called.removeprefix("the "), rulebook)


def _called(pile: Pile, rulebook: Rulebook[Any]) -> str:
    """A pile as the box calls it: "the discard pile"; a numbered one by its number: "tier 1"."""
    name = rulebook.position.pile_names.get(pile[1], pile[1].replace("-", " "))
    return name if name[-1:].isdigit() else f"the {name}"


def _in_common(old: Sequence[Ruling], new: Sequence[Ruling]) -> int:
    """How many rulings, from the first on, two lists have in common."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (was, now) in pairs if was != now), min(len(old), len(new)))


def _deeds(rulings: Iterable[Ruling]) -> list[Deed]:
    return [deed for ruling in rulings for deed in ruling.deeds]


def _shuffles(rulings: Iterable[Ruling]) -> list[Shuffle]:
    return [deed for deed in _deeds(rulings) if isinstance(deed, Shuffle)]


# -- cards from pile to pile ---------------------------------------------------------------


def _ways(deeds: Iterable[Deed], position: Position) -> list[tuple[Way, int]]:
    """How deeds carry cards between piles that the record counts."""
    ways: list[tuple[Way, int]] = []
    for deed in deeds:
        if isinstance(deed, Carry | Shuffle) and deed.source != deed.target:
            source = position.pile_at(deed.owner, deed.source)
            target = position.pile_at(deed.owner, deed.target)
            if source is not None and target is not None:
                ways.append(((source, target), deed.count))
    return ways


def _netted(ways: Iterable[tuple[Way, int]]) -> dict[Way, int]:
    """Cards that would go there and back stay; ways in the order in which they are first gone."""
    net: Counter[Way] = Counter()
    for (source, target), count in ways:
        net[source, target] += count
        net[target, source] -= count
    return {way: count for way, count in net.items() if count > 0}


def _balanced(lacks: Mapping[Pile, int]) -> Iterator[tuple[Way, int]]:
    """What one pile has too many another lacks: first of one owner, then the table's, then any."""
    rest = {pile: count for pile, count in lacks.items() if count}
    for goes_with in (_same_owner, _with_table, _any):
        for source, target in permutations(rest, 2):
            count = min(-rest[source], rest[target])
            if count > 0 and goes_with(source, target):
                rest[source] += count
                rest[target] -= count
                yield (source, target), count


def _past(stops: Iterable[Pile], flows: dict[Way, int]) -> dict[Way, int]:
    """Cards go straight past piles that are empty before and after, where one way leads there."""
    for stop in stops:
        into = [way for way in flows if way[1] == stop]
        out = [way for way in flows if way[0] == stop]
        if len(into) == 1 or len(out) == 1:
            straight = [((came[0], goes[1]), min(flows[came], flows[goes]))
                        for came in into for goes in out]  # fmt: skip
            rest = ((way, n) for way, n in flows.items() if stop not in way)
            flows = _netted([*rest, *straight])
    return {way: count for way, count in flows.items() if way[0] != way[1]}


def _same_owner(one: Pile, other: Pile) -> bool:
    return one[0] == other[0]


def _with_table(one: Pile, other: Pile) -> bool:
    return TABLE in (one[0], other[0])


def _any(_one: Pile, _other: Pile) -> bool:
    return True


def _carry(source: Pile, target: Pile, count: int) -> Carry:
    """As deeds are named: another player's pile in full."""
    owner = source[0] if target[0] == TABLE else target[0]
    named = source[1] if source[0] in (owner, TABLE) else f"{source[0]}'s {source[1]}"
    return Carry(owner, count, named, target[1])


def _with_shuffles(carries: Sequence[Carry], brought: Iterable[Deed]) -> Iterator[Deed]:
    """A pile that is to be shuffled by itself is so once all its cards lie there."""
    due = {(deed.owner, deed.target): deed for deed in brought
           if isinstance(deed, Shuffle) and deed.source == deed.target}  # fmt: skip
    for at, carry in enumerate(carries):
        yield carry
        pile = (carry.owner, carry.target)
        later = {(one.owner, one.target) for one in carries[at + 1 :]}
        if pile in due and pile not in later:
            yield due.pop(pile)
    yield from due.values()


def _recounts(
    start: Mapping[Pile, int], goal: Mapping[Pile, int], flows: Mapping[Way, int]
) -> Iterator[SetTo]:
    """Piles that no other balances are told as they must be counted."""
    have = Counter(start)
    for (source, target), count in flows.items():
        have[source] -= count
        have[target] += count
    for owner, name in {**start, **goal}:
        now = goal.get((owner, name), 0)
        if have[owner, name] != now:
            yield SetTo(owner, name, name, have[owner, name], now)


# -- pieces, sides, counters ---------------------------------------------------------------


def _moves(start: Mapping[Piece, Pose], goal: Mapping[Piece, Pose]) -> Iterator[Move]:
    for piece in {**start, **goal}:
        was, now = start.get(piece), goal.get(piece)
        if was != now:
            yield Move(piece, was, now)


def _turns(
    start: Mapping[str, str], goal: Mapping[str, str], brought: Iterable[Deed]
) -> Iterator[Flip]:
    """Things that lie on the wrong side; one that nobody is sure of where it was to be turned."""
    told = {deed.thing for deed in brought if isinstance(deed, Flip)}
    for thing, side in goal.items():
        if start.get(thing) != side and (thing in start or thing in told):
            yield Flip(thing, side)


def _settings(start: Mapping[str, Fact], goal: Mapping[str, Fact]) -> Iterator[SetTo]:
    """Counters that must show something else."""
    for name, fact in {**start, **goal}.items():
        was = start[name].value if name in start else 0
        now = goal[name].value if name in goal else 0
        if was != now:
            yield SetTo(fact.seat, name, fact.label, was, now)
