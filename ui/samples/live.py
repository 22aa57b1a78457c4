"""States as they live: matches of bots, and whatever their screens offer to be touched on the way.

Samples are drawn by hand; these come of demonstrations at the simulated table, with its pictures,
and of matches at a table without a camera. At each new moment every kind of key is touched at a
copy of the table, and so are the keys of what that shows: log, amend, adjust, report, challenge,
rules, settings. Of states that are built alike the one with most text in it is kept.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, cast

from companion.core.question import Locked
from companion.games import RULEBOOKS, rulebook_of
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from ui.demo.demo import DemoCall, Demonstration
from ui.demo.drawn import SteppedClock
from ui.demo.driver import actions_on
from ui.scene.values import Device, Picture
from ui.screens.beside.table_check import TableCheckState
from ui.screens.match.field_poses import PosePad
from ui.screens.match.result import ResultState
from ui.screens.match.round import Phase, RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import ScreenState, present
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
from ui.window.operator import Operator

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from ui.touch.actions import Action

PEOPLE = ("Annabel", "Bo", "Cleopatra", "Dan", "Eve", "Finnegan")
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - folders of our own are made in it


# How a state is built: what of it decides where things lie.

_MANY = (0, 1, 2, 4, 8, 16)
"""Lists count as alike from one of these lengths to the next."""


def built(value: object) -> object:
    """The build of a state: kinds of its parts, which of them say anything, how many there are.

    >>> built(("Ana", "")) == built(("Bartholomew", "")) != built(("Ana", "Bo"))
    True
    """
    if isinstance(value, str):
        return bool(value)
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        many = max(n for n in _MANY if n <= len(items))
        return many, frozenset(built(item) for item in items[:_ENOUGH])
    if isinstance(value, Device):
        return value.name, value.state, bool(value.alarm)
    kind: type[Any] = type(value)
    if isinstance(value, Picture) or kind in _ACTIONS:
        return kind
    return kind, tuple(built(getattr(value, name)) for name in _parts(kind))


def letters(value: object) -> int:
    """How many letters a state holds, those of its actions left out."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, tuple):
        return sum(letters(item) for item in cast("tuple[object, ...]", value)[:_ENOUGH])
    kind: type[Any] = type(value)
    return sum(map(letters, (getattr(value, name) for name in _parts(kind))))


_ENOUGH = 24
"""Of a longer list, which is a map's spaces, so many are looked at."""


_PARTS: dict[type[Any], Sequence[str]] = {}


def _parts(kind: type[Any]) -> Sequence[str]:
    """The fields of a part of a state that say or show something; none of an action's."""
    if kind not in _PARTS:
        _PARTS[kind] = _fields(kind)
    return _PARTS[kind]


def _fields(kind: type[Any]) -> Sequence[str]:
    if not is_dataclass(kind) or kind in _ACTIONS:
        return ()
    return [named.name for named in fields(kind)]


_ACTIONS = {kind for kind in vars(a).values() if isinstance(kind, type) and is_dataclass(kind)}


@dataclass(frozen=True, slots=True)
class Lived:
    """A state that somebody came by: how they came there, and what stood on the screen."""

    way: str
    state: object

    @property
    def screen(self) -> str:
        return type(self.state).__name__.removesuffix("State")


class Gathered:
    """States that differ in their build, of each build the one with most letters."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[int, Lived]] = {}

    def add(self, way: str, state: object) -> bool:
        """Keep a state, unless one built alike says more; whether its build is new."""
        build, said = built(state), letters(state)
        before = self._kept.get(build)
        if before is None or said > before[0]:
            self._kept[build] = (said, Lived(way, state))
        return before is None

    @property
    def states(self) -> Sequence[Lived]:
        return [lived for _, lived in self._kept.values()]


# What is touched on the way.

LOOKS_ONLY = (
    a.Show, a.Back, a.CloseBook, a.TurnPage, a.Enlarge, a.AskUndo, a.SelectLine, a.AmendTo,
    a.AmendFill, a.SetReason, a.SetAdjust, a.ChooseQuantity, a.SetField, a.Fill, a.AskWhy,
    a.EditName, a.Search, a.AddWords, a.TypeArbiter, a.TypeLetter, a.SwitchLetters, a.EraseLetter,
    a.SetupChoice, a.NextDeed,
)  # fmt: skip
"""Whatever changes nothing but the view."""

NEVER = (
    a.Quit, a.Restart, a.ShowDemo, a.LearnLook, a.ForgetLook, a.Calibrate, a.KeepPictures, a.Retry,
)  # fmt: skip
"""What would end the program, or wants devices that a copy does not have."""

PLAYED = (a.Answer, a.Answers, a.FillForm, a.Anyway, a.Done, a.HandsOff, a.TakeName)
"""What the bots do in any case."""


def kinds_of_touch(state: object, each: int = 2) -> Iterator[Action]:
    """Of every kind of key on a screen the first, and the last ones: `each` in all."""
    groups: dict[object, list[Action]] = {}
    for action in {repr(action): action for action in _actions(state)}.values():
        if isinstance(action, (*NEVER, *PLAYED)):
            continue
        group = (type(action), getattr(action, "panel", None), getattr(action, "name", None))
        groups.setdefault(group, []).append(action)
    for alike in groups.values():
        yield from alike[:1] + alike[1:][-(each - 1) :]


def _actions(state: object) -> Iterator[Action]:
    """What its keys do; a board whose spaces are too small is enlarged by a touch beside them."""
    yield from actions_on(state)
    for pad in (getattr(state, name, None) for name in ("poses", "spaces")):
        if isinstance(pad, PosePad) and not pad.near:
            yield a.Enlarge(pad.spaces[0].space)


@dataclass(frozen=True, slots=True)
class Standing:
    """A table with what its operator has opened, and the way there."""

    operator: Operator
    view: View
    naming: Any
    way: tuple[str, ...]

    def after(self, action: Action, operator: Operator) -> tuple[Standing, object]:
        """Where a touch leads, at this operator's table, and the state that is shown there."""
        operator.home.view, operator.naming = self.view, self.naming
        operator.touched(action)
        way = (*self.way, _called(action))
        return Standing(operator, operator.home.view, operator.naming, way), operator.state()


def _called(action: Action) -> str:
    """A touch in a word or two."""
    panel = getattr(action, "panel", None)
    named = [getattr(action, name, None) for name in ("name", "by", "player", "reason", "code")]
    word = next((str(one) for one in named if isinstance(one, str) and one), "")
    return f"{type(action).__name__} {panel or word}".strip()


class Copies:
    """Copies of tables as a power cut leaves them: the record read again at a table of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: list[Table] = []

    def of(self, table: Table) -> Table:
        """A copy that may be changed; RecordError while nothing of the match is on disk."""
        number = len(self._made)
        folder = self._folder / str(number)
        folder.mkdir()
        copy = Table(
            Record.open(folder / "r.sqlite"),
            SettingsFile.load(folder / "s.toml"),
            signals=DeskPanel(clock=(clock := SteppedClock(table.clock()))),
            clock=clock,
        )
        self._made.append(copy)
        if table.match is not None:
            file = folder / "m.jsonl"
            file.write_text(table.record.export(table.match_id), "utf-8")
            copy.resume(copy.record.import_file(file).match_id)
            copy.checked = table.checked
            copy.arbiter = table.arbiter
        return copy

    def close(self) -> None:
        for table in self._made:
            table.close()
        self._made.clear()


_FIRST = 3
"""So many of the first moments, and home, are looked around from so many times as long."""


class Explorer:
    """Touches every kind of key of a moment, and of what that shows, breadth first."""

    def __init__(self, gathered: Gathered, folder: Path, most: int = 60) -> None:
        self.gathered = gathered
        self.most = most
        self._folder = folder
        self._moments: set[str] = set()

    def come_by(self, table: Table, view: View, state: object, how: str) -> None:
        """A state of a match that goes on: kept, and looked around from at each new moment."""
        moment = f"{how}: {_moment(table, state)}"
        self.gathered.add(moment, state)
        if moment not in self._moments:
            self._moments.add(moment)
            first = len(self._moments) <= _FIRST or table.match is None
            self.look_around(table, view, moment, self.most * (_FIRST if first else 1))

    def look_around(self, table: Table, view: View, way: str, most: int) -> None:
        """From this moment on, `most` touches, without changing anything at this table."""
        folder = self._folder / f"copies-{len(list(self._folder.iterdir()))}"
        folder.mkdir()
        copies = Copies(folder)
        operator = Operator(table)
        here = Standing(operator, view, None, (way,))
        queue = deque[tuple[Standing, object]]([(here, present(table.situation(), view))])
        left = most
        try:
            while queue and left > 0:
                standing, state = queue.popleft()
                for action in kinds_of_touch(state):
                    left -= 1
                    after = self._touched(standing, action, copies)
                    if after is not None and self.gathered.add(" > ".join(after[0].way), after[1]):
                        queue.append(after)
        finally:
            copies.close()

    def _touched(
        self, standing: Standing, action: Action, copies: Copies
    ) -> tuple[Standing, object] | None:
        if isinstance(action, LOOKS_ONLY):
            return standing.after(action, standing.operator)
        return standing.after(action, Operator(copies.of(standing.operator.table)))


# The matches.


@dataclass(frozen=True, slots=True)
class Evening:
    """What is played: a box, its mode and house rules, how many rounds before a camera, if any."""

    box: str
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, Json], ...] = ()
    seed: int = 1
    rounds: int = 1
    answers: int = 60


EVENINGS: Mapping[str, Evening] = {
    **{box: Evening(box) for box in RULEBOOKS},
    "dogfight-hex": Evening("dogfight-hex", seed=6),  # its match comes to an end
}


def live_states(evening: Evening, *, most: int = 24) -> Sequence[Lived]:
    """All states of one evening that are not built alike: with a camera, then without."""
    gathered = Gathered()
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        folder = Path(name)
        explorer = Explorer(gathered, folder, most)
        if evening.rounds:
            _demonstrated(evening, explorer, folder)
        _by_touch(evening, explorer, folder)
    return gathered.states


def chosen(states: Sequence[Lived], each: int) -> Sequence[Lived]:
    """Screen by screen, `each` of them at most, from the one with most text to the barest; 0: all.

    >>> barest, middle, full = (Lived("", ("a" * many,)) for many in (1, 5, 9))
    >>> [letters(one.state) for one in chosen([middle, barest, full], 2)]
    [9, 1]
    """
    screens: dict[str, list[Lived]] = {}
    for one in states:
        screens.setdefault(one.screen, []).append(one)
    kept: list[Lived] = []
    for alike in screens.values():
        alike.sort(key=lambda one: -letters(one.state))
        many = len(alike) if each == 0 else min(each, len(alike))
        step = (len(alike) - 1) / max(1, many - 1)
        kept += [alike[round(at * step)] for at in range(many)]
    return kept


def _moment(table: Table, state: object) -> str:
    """Where we are: the screen, how something is asked, and which rule asks."""
    match = table.match
    screen = type(state).__name__.removesuffix("State")
    if match is None or not match.open:
        return screen
    asked = next(iter(match.open.values()))
    return f"{screen} {asked.kind} {asked.cite}"


def _demonstrated(evening: Evening, explorer: Explorer, folder: Path) -> None:
    """Rounds before the simulated camera."""
    call = DemoCall(
        evening.box,
        evening.variants,
        evening.seed,
        evening.rounds,
        pace=0.0,
        record=str(folder / "demo.sqlite"),
        pins="mock",
        options=dict(evening.options) or None,
    )

    last: list[object] = [None]

    def show(state: ScreenState, demo: Demonstration) -> None:
        if state == last[0]:
            return
        last[0] = state
        explorer.come_by(demo.table, demo.view, state, "camera")

    Demonstration(call).play(show)


def _by_touch(evening: Evening, explorer: Explorer, folder: Path) -> None:
    """A match without a camera, to its end or after so many answers; then home with its record."""
    playing = MatchByTouch(evening, folder)
    for state in playing.states():
        explorer.come_by(playing.table, playing.view, state, "touch")
    playing.table.leave()
    explorer.come_by(playing.table, View(), present(playing.table.situation(), View()), "home")
    playing.table.close()


class MatchByTouch:
    """A match at a table without a camera: bots answer whatever is asked."""

    def __init__(self, evening: Evening, folder: Path) -> None:
        options = dict(evening.options)
        rules = rulebook_of(Setup(evening.box, evening.variants, options=options))
        bare = Setup(evening.box, rules.usual(evening.variants), options=options)
        taken = rules(bare).seats_taken()
        setup = Setup(evening.box, bare.variants, dict(zip(taken, PEOPLE, strict=False)), options)
        self.most = evening.answers
        self.clock = SteppedClock(9.0)
        self.table = Table(
            Record.open(folder / "touched.sqlite"),
            SettingsFile.load(folder / "touched.toml"),
            signals=DeskPanel(clock=self.clock),
            clock=self.clock,
        )
        self.view = View()
        self.bots = bots_of(setup, Random(evening.seed))
        self._setup, self._ruled = setup, 0

    def states(self) -> Iterator[ScreenState]:
        """Each screen, before somebody touches it."""
        self.table.new_match(self._setup)
        for _ in range(self.most):
            state = present(self.table.situation(), self.view)
            yield state
            if isinstance(state, ResultState):
                return
            self._act(state)

    def _act(self, state: ScreenState) -> None:
        match = self.table.refereed().match
        for ruling in match.rulings[self._ruled :]:
            self.bots.perform(ruling.deeds)
        self._ruled = len(match.rulings)
        waiting = [question for key, question in match.open.items() if key not in match.answered]
        running = isinstance(state, RoundState) and state.phase is Phase.RUNNING
        if isinstance(state, RulingState | RoundState | TableCheckState) and not running:
            key = state.frame.bottom.next
            if key is not None and key.action is not None:
                self.view = act(key.action, self.table, self.view)
                return
        question = min(waiting, key=lambda asked: asked.kind == "ready")
        if isinstance(question, Locked) and question.seconds is not None:
            self.bots.act(question)
            self.clock.wait(7.0)
            self.table.tick()
            return
        answer = a.Answer(question.key, question.opened, self.bots.act(question))
        self.view = act(a.Anyway(answer), self.table, self.view)
