"""Somebody at the app's own window, who touches keys with fingers from home to the result.

Run as a program by test_touched_matches.py, so that it can be killed: `sitter FOLDER BOX SEED`.
What a person keeps in mind (their cards, what they wanted to say) is kept beside the record.
"""

from __future__ import annotations

import ctypes
import gc
import json
import math
import pickle
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from companion.games import rulebook_of
from companion.match.rulebook import Rulebook
from companion.match.simulation import bots_of
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from tests.ui.screens.fingers import Fingers, Touch
from ui.demo.drawn import SteppedClock
from ui.screens.match.result import ResultState
from ui.screens.match.round import RoundState
from ui.screens.match.ruling import RulingState
from ui.table.settings import Settings
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.touch import actions as a
from ui.window.appliance import Service
from ui.window.operator import Operator

SIZE = (800, 480)
FRAMES = 200
"""So many frames a held key or a tick of the app may take."""


class Beats(Service):
    """Counts the app's ticks."""

    count = 0

    def beat(self, now: float) -> None:
        self.count += 1


class AtWindow:
    """The app in its window: Kivy's loop turns it, fingers come down on its keys."""

    def __init__(self, window: Any, folder: Path, now: float = 0.0) -> None:
        from ui.window.app import CompanionApp

        self.window, self.clock = window, SteppedClock(max(now, time.monotonic()) + 1.0)
        self.table = Table(
            Record.open(str(folder / "matches.sqlite")),
            SettingsFile(folder / "settings.toml", Settings(theme="night", pins="none")),
            signals=DeskPanel(clock=self.clock),
            clock=self.clock,
        )
        self.operator = Operator(self.table)
        self.beats = Beats({})
        self.app: Any = CompanionApp(self.operator, self.beats)
        window.size = SIZE
        self.sheet: Any = self.app.build()
        window.add_widget(self.sheet)
        self.sheet.clock = self.clock
        self.clock.wait(max(0.0, time.monotonic() - self.clock()))  # it was shown by the real one
        self.sent: list[Any] = []
        self._sends = self.sheet.on_action
        self.sheet.on_action = self._sent
        self.off_centre: Counter[str] = Counter()

    def close(self) -> None:
        """As closing the window does."""
        from kivy.clock import Clock

        Clock.unschedule(self.app.tick)
        self.window.remove_widget(self.sheet)
        self.app.on_stop()

    def _sent(self, action: Any) -> None:
        self.sent.append(action)
        self._sends(action)

    # -- what is read ----------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The screen now."""
        return self.operator.state()

    @property
    def view(self) -> Any:
        """What is opened above the match."""
        return self.operator.sitting.view

    @property
    def match(self) -> Any:
        """The match in front of us."""
        return self.table.refereed().match

    def meant(self) -> list[Any]:
        """What the parts of the sheet mean, from the first to the last."""
        return [part.action for part in self.sheet.parts.values() if part.action is not None]

    def key(self, *kinds: type) -> Any:
        """The first key that means something of the first of these kinds that has one."""
        keys = self.meant()
        return next((key for kind in kinds for key in keys if isinstance(key, kind)), None)

    # -- what is touched -------------------------------------------------------------------

    def frame(self) -> None:
        """One turn of Kivy's loop."""
        from kivy.base import EventLoop

        EventLoop.idle()

    def wait(self, seconds: float) -> None:
        """Time passes, a few seconds at a time; the app's own ticks notice it."""
        while seconds > 0.0:
            self.clock.wait(min(4.0, seconds))
            seconds -= 4.0
            self._ticked()

    def _ticked(self) -> None:
        """Until the app has looked at its clock."""
        wanted = self.beats.count + 1
        while self.beats.count < wanted:
            self.frame()

    def do(self, action: Any) -> None:
        """Tap the key that means this, or hold it, and let go."""
        self.clock.wait(0.3)
        self.sent.clear()
        (finger,) = self.down(action)
        held = self.sheet.parts[self.sheet.at(*self.place_of(action))].held
        if held:
            self.clock.wait(0.9)
            self._until(lambda: bool(self.sent))
        finger.touch_up()
        self.frame()
        assert self.sent == [action], (action, self.sent)

    def down(self, *actions: Any) -> list[Any]:
        """Fingers that come down together, each on the key that means this."""
        from kivy.tests.common import UnitTestTouch

        unit, high = self.sheet.theme.unit_px, self.window.height
        places = [self.place_of(action) for action in actions]
        fingers = [UnitTestTouch(x * unit, high - y * unit) for x, y in places]
        for finger in fingers:
            finger.touch_down()
        self.frame()
        return fingers

    def _until(self, holds: Callable[[], bool]) -> None:
        for _ in range(FRAMES):
            if holds():
                return
            self.frame()
        raise AssertionError("nothing came of a key that was held")

    def place_of(self, action: Any) -> tuple[float, float]:
        """Where a finger comes down for this: the middle of its key, or a point that means it."""
        parts = {name: part for name, part in self.sheet.parts.items() if part.action is not None}
        found = [name for name, part in parts.items() if part.action == action]
        assert found, (f"no key means {action} on {self.sheet.screen}", self.meant())
        for name in reversed(found):
            for at, point in enumerate(_points(parts[name].box)):
                if self.sheet.at(*point) == name and parts[name].action_at(*point) == action:
                    self.off_centre[f"{self.sheet.screen}: {name}"] += at > 0
                    return point
        raise AssertionError(f"{found} of {self.sheet.screen} cannot be touched")


def _points(box: Any) -> Iterator[tuple[float, float]]:
    """The middle of a key, then points all over it."""
    yield box.centre
    for row in range(1, 8):
        for column in range(1, 8):
            yield box.x + box.wide * column / 8, box.y + box.high * row / 8


# The person.

_LEADS = (
    a.FillForm,
    a.Fill,
    a.Show,
    a.TurnPage,
    a.Enlarge,
    a.AddWords,
    a.Checked,
    a.Back,
    a.ToPhase,
)


@dataclass
class Sitter(Fingers):
    """Bots' wishes, a person's fingers: they play, take back, amend and dispute on the way.

    `kinds` counts touches by what they were for; `places` are the rounds or turns so far;
    `planned` is what is still to be done besides playing, and after how many answers.
    """

    kinds: Counter[str] = field(default_factory=Counter[str])
    places: set[str] = field(default_factory=set[str])
    planned: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    answered: int = 0
    paired: int = 0
    doing: str = ""
    _latest: dict[str, Any] = field(default_factory=dict[str, Any])
    _again: set[str] = field(default_factory=set[str])

    # -- playing ---------------------------------------------------------------------------

    def one_more(self) -> None:
        """The next touch, or what is planned for now; READY of two teams by two fingers."""
        state = self.person.state
        if not isinstance(state, RoundState | RulingState | ResultState):
            if self.planned and self.answered >= self.planned[0][0]:
                self.doing = self.planned.pop(0)[1]
                getattr(self, self.doing)()
                self.doing = ""
                return
            if self._by_two_fingers():
                return
        self._play_on()

    def _play_on(self) -> None:
        touch = self.step()
        if touch is not None:
            self.answered += touch.answers

    def _note(self, state: Any, action: Any, place: str, lines: int) -> Touch:
        touch = super()._note(state, action, place, lines)
        self.made.clear()
        self.kinds[self.doing or _kind(touch)] += 1
        self.places.add(self.person.match.rulebook.split_key(place)[0])
        return touch

    def _wants(self, question: Any) -> Any:
        """What was wanted before, where it was taken back and is asked once more."""
        at = (question.key, question.opened)
        if at not in self._wanted and question.key in self._again:
            self._wanted[at] = self._latest[question.key]
            self._again.discard(question.key)
        self._latest[question.key] = super()._wants(question)
        return self._latest[question.key]

    def _leading(self, state: Any, shown: list[Any]) -> Any:
        """What leads there; where that is on another page of the screen, what turns it."""
        leading = super()._leading(state, shown)
        if leading in shown:
            return leading
        return self._enlarged(state, shown, leading) or self.person.key(a.TurnPage)

    def _enlarged(self, state: Any, shown: list[Any], wanted: Any) -> Any:
        """Where spaces are too small for a finger: what enlarges the board around the wanted one.

        Of a part where it does not lie the way leads back to the whole board.
        """
        ways = [action for action in shown if isinstance(action, a.Enlarge)]
        spaces = state.poses.spaces if getattr(state, "poses", None) is not None else ()
        space = next((one.space for one in spaces if one.action == wanted), None)
        if not ways or space is None:
            return None
        board = self.person.match.rulebook.plan.board_of[space]
        middles = {one.name: one.centre_mm for one in board.spaces}
        there = middles[space]
        return min(ways, key=lambda way: math.dist(middles.get(way.space, there), there))

    def _by_two_fingers(self) -> bool:
        """Two sides' own keys at once, where both stand on the screen; whether they were there."""
        self._follow()
        wanted = [
            key
            for key in self.person.meant()
            if isinstance(key, a.Answer) and self._right(key) == 1
        ]
        match = self.person.match
        if not wanted:
            return False
        first, asked = wanted[0], match.open
        other = next((k for k in wanted if asked[k.key].by != asked[first.key].by), None)
        if other is None:
            return False
        lines, place = len(match.entries), next(iter(match.open), "")
        self._together(first, other)
        assert self.person.sent == [first, other]
        self.kinds["answers"] += 1
        self.kinds["two_fingers"] -= 1
        self.paired += 1
        self.answered += 2
        self.places.add(match.rulebook.split_key(place)[0])
        assert len(match.entries) >= lines + 2
        return True

    # -- besides ---------------------------------------------------------------------------

    def _tap(self, action: Any, kind: str = "") -> None:
        assert action is not None, (self.doing, self.person.sheet.screen, self.person.meant())
        self.person.do(action)
        self.kinds[kind or self.doing or "leads there"] += 1

    def _back_to_the_match(self) -> None:
        for _ in range(20):
            if not self.person.view.panels or isinstance(self.person.state, RoundState):
                return  # LOCKED lies above all that is open
            back = self.person.key(a.ToPhase, a.Back, a.CloseBook)
            self._tap(back or self._means(a.ChooseQuantity("")))
        raise AssertionError(f"no way back from {self.person.view.panels}")

    def _read(self) -> None:
        """What a correction tells hands to do is done."""
        while isinstance(self.person.state, RulingState):
            key = self.person.state.frame.bottom.next
            self._tap(key.action if key is not None else None)

    def undo(self) -> None:
        """The last answer is taken back: first it is told, then done; it is asked once more."""
        lines = len(self.person.match.entries)
        answered = [e.key for e in self.person.match.entries[-12:] if e.kind == "answer"]
        self._take_back()
        assert len(self.person.match.entries) > lines, (self.person.view, self.person.sheet.screen)
        self._read()
        self._ask_again(answered)

    def _take_back(self) -> None:
        """The second touch does it; who corrects is asked once an evening."""
        self._tap(self.person.key(a.AskUndo))
        self._tap(self.person.key(a.Undo))
        if self.person.view.panel is a.Panel.WHO:
            self._tap(self.person.key(a.NameArbiter))

    def two_fingers(self) -> None:
        """One on an answer and one on Log, down together: each does its own."""
        action, log = self._best(self.person.state), self._shows(a.Panel.LOG)
        if log is None or not isinstance(action, a.Answer) or action not in self.person.meant():
            self.planned.insert(0, (self.answered, "two_fingers"))
            self._play_on()
            return
        lines = len(self.person.match.entries)
        self._together(action, log)
        assert len(self.person.match.entries) > lines
        self.answered += 1
        self._back_to_the_match()

    def _together(self, *actions: Any) -> None:
        """Fingers that come down together and are lifted one after another, each heard."""
        self.person.clock.wait(0.3)
        self.person.sent.clear()
        for finger in self.person.down(*actions):
            finger.touch_up()
        self.person.frame()
        assert self.person.sent in ([*actions], [actions[0]]), self.person.sent
        self.kinds["answers"] += 1
        self.kinds["two_fingers"] += len(self.person.sent) - 1

    def _ask_again(self, keys: list[str]) -> None:
        """What was answered and stands open now is answered as before."""
        self._again = {key for key in keys if key in self._latest} - {*self.person.match.answered}

    def amend(self) -> None:
        """An old answer is changed in the log, with a reason, and the change is undone."""
        log = self._shows(a.Panel.LOG)
        if log is None:  # answers fill its row: after the next one
            self.planned.insert(0, (self.answered, "amend"))
            self._play_on()
            return
        before = self.person.match.position.digest()
        self._tap(log)
        self._choose_another_answer()
        for _ in range(12):
            action = self._amending()
            if action is None:
                break
            self._tap(action)
        assert any(e.kind == "amend" for e in self.person.match.entries), self.person.meant()
        self._back_to_the_match()
        self._read()
        self._take_back()
        self._read()
        assert self.person.match.position.digest() == before
        self._ask_again([*self._latest])

    def _shows(self, panel: a.Panel) -> Any:
        keys = self.person.meant()
        return next((k for k in keys if isinstance(k, a.Show) and k.panel is panel), None)

    def _choose_another_answer(self) -> None:
        """A line of the log for which another answer stands on the screen, and that answer."""
        tried = set[Any]()
        for _ in range(40):
            keys = self.person.meant()
            amends = self._shows(a.Panel.AMEND)
            opens = amends if amends not in tried else None
            members = (k for k in keys if isinstance(k, a.Show) and k.panel is a.Panel.LOG)
            lines = (k for k in reversed(keys) if isinstance(k, a.SelectLine))
            into = opens or next((k for k in (*members, *lines) if k not in tried), None)
            self._tap(into or self.person.key(a.TurnPage))
            tried.add(into)
            if into is not None and into is opens:
                if self._other_answer() is not None:
                    return
                self._tap(self.person.key(a.Back))
        raise AssertionError("no line of the log has another answer")

    def _other_answer(self) -> Any:
        keys = (key for key in self.person.meant() if isinstance(key, a.AmendTo))
        entries = self.person.match.entries
        return next((key for key in keys if key.raw != entries[key.seq].answer), None)

    def _amending(self) -> Any:
        """The next key of an amendment; None when it is done."""
        if any(e.kind == "amend" for e in self.person.match.entries):
            return None
        if (given := self.person.key(a.NameArbiter)) is not None:
            return given
        if (ready := self.person.key(a.Amend)) is not None:
            return ready
        if self.person.view.amend_to is None:
            return self._other_answer()
        return self.person.key(a.SetReason)

    def challenge(self) -> None:
        """Somebody disputes; it is asked who; the record stands, which is held."""
        if self.person.key(a.OpenChallenge) is None:
            self._tap(self._shows(a.Panel.ARBITER))
        self._tap(self.person.key(a.OpenChallenge))
        for _ in range(8):
            if self.person.table.refereed().presses.challenge is None:
                break
            if self.person.view.verdict and self.person.key(a.DecideChallenge):
                chosen = self.person.view.verdict
                self._tap(self._means(a.DecideChallenge(chosen)))
            else:
                stands = self._means(a.ChooseVerdict("stands"))
                self._tap(stands or self.person.key(a.NameArbiter, a.NameChallenger))
        self._back_to_the_match()

    def _means(self, action: Any) -> Any:
        return action if action in self.person.meant() else None


def _kind(touch: Touch) -> str:
    """What a touch was for."""
    if touch.answers:
        return "answers"
    if touch.deeds or isinstance(touch.action, a.HandsOff):
        return "hands have done it"
    if isinstance(touch.action, a.Resume):
        return "clock"
    if isinstance(touch.action, _LEADS):
        return "leads there"
    if isinstance(touch.action, a.Answer):
        return "cautioned"
    return f"empty: {touch.kind}"


# The program: one sitting, which may be killed at any time and begun again.

PLANNED = [(3, "two_fingers"), (6, "undo"), (10, "amend"), (14, "challenge")]


class Memory:
    """What people remember when the machine is cut off: their cards, and what they meant to do."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "memory.pickle"
        self.kept: dict[str, Any] = {}
        if self._file.exists():
            with self._file.open("rb") as file:
                setup = pickle.load(file)  # noqa: S301 - written by ourselves
                self.kept = _Unpickler(file, rulebook_of(setup)).load()

    def keep(self, sitter: Sitter, person: AtWindow) -> None:
        """All at once, or what was kept before."""
        self.kept = {name: part for name, part in vars(sitter).items() if name != "person"}
        self.kept["now"] = person.clock()
        half = self._file.with_suffix(".half")
        with half.open("wb") as file:
            pickle.dump(person.match.setup, file)
            _Pickler(file).dump(self.kept)
        half.replace(self._file)


class _Pickler(pickle.Pickler):
    """Leaves the book out: of a mode it is put together anew."""

    def persistent_id(self, kept: Any) -> str | None:
        return "book" if isinstance(kept, type) and issubclass(kept, Rulebook) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: Any, book: Any) -> None:
        super().__init__(file)
        self._book = book

    def persistent_load(self, _name: str) -> Any:
        return self._book


def sit_down(person: AtWindow, memory: Memory, box: str, seed: int) -> Sitter:
    """From home into the match: a new one, or the one that was cut off."""
    sitter = Sitter(person, None)
    if memory.kept:
        vars(sitter).update({name: part for name, part in memory.kept.items() if name != "now"})
        sitter.doing = "leads there"
        sitter._tap(person.key(a.ResumeMatch))
        sitter.doing = ""
        return sitter
    sitter.doing, sitter.planned = "leads there", [*PLANNED]
    sitter._tap(sitter._shows(a.Panel.NEW_MATCH))
    begin(sitter, person, box)
    sitter.doing = ""
    sitter.bots = bots_of(person.match.setup, Random(seed))
    return sitter


def begin(sitter: Sitter, person: AtWindow, box: str) -> None:
    """The box is touched, then whatever the next tap is until the match begins."""
    sitter._tap(sitter._means(a.SetupChoice("box", box)))
    for _ in range(60):
        if person.table.referee is not None:
            return
        key = person.state.frame.bottom.next
        sitter._tap(key.action if key is not None else None)
    raise AssertionError(f"no match begins: {person.sheet.screen}")


def tell(**told: Any) -> None:
    """A line to whoever started the program."""
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def play(window: Any, folder: Path, box: str, seed: int) -> Sitter:
    """On to the result; after each touch it is told how far the match is on disk."""
    memory = Memory(folder)
    person = AtWindow(window, folder, memory.kept.get("now", 0.0))
    try:
        sitter = sit_down(person, memory, box, seed)
        while not isinstance(person.state, ResultState):
            memory.keep(sitter, person)
            told = person.table.refereed().confirmed
            made = sum(sitter.kinds.values())
            tell(lines=told, made=made, screen=person.sheet.screen, left=len(sitter.planned))
            sitter.one_more()
        return sitter
    finally:
        person.close()


# A long evening: match after match in one process, with side screens opened in every round.

BESIDE = (
    (a.Panel.LOG,),
    (a.Panel.ARBITER, a.Panel.ADJUST),
    (a.Panel.ARBITER, a.Panel.REPORT),
    (a.Panel.MENU, a.Panel.SETTINGS),
    (a.Panel.MENU, a.Panel.BOOKS),
    (a.Panel.RULES,),
    (a.Panel.DEVICES,),
)
LOOKS = (a.SelectLine, a.ChooseQuantity, a.SetField, a.TurnPage, a.Show)
CHALLENGED_EVERY = 5


class Quick(AtWindow):
    """Fingers that are not waited for: a picture is drawn when a key is held, and at home."""

    drawing = False

    def frame(self) -> None:
        if self.drawing:
            super().frame()

    def _ticked(self) -> None:
        self.app.tick(0.0)

    def _until(self, holds: Callable[[], bool]) -> None:
        self.drawing = True
        super()._until(holds)
        self.drawing = False


@dataclass
class Wanderer(Sitter):
    """Looks around in every round, and disputes now and then."""

    seen: int = 0

    def one_more(self) -> None:
        if not isinstance(self.person.state, RoundState | RulingState | ResultState):
            rounds = len(self.places)
            if rounds > self.seen:
                self.seen = rounds
                self._look_around(BESIDE[rounds % len(BESIDE)])
                self._look_around(BESIDE[(rounds * 3 + 1) % len(BESIDE)])
                if rounds % CHALLENGED_EVERY == 0:
                    self.challenge()
        super().one_more()

    def _look_around(self, way: tuple[a.Panel, ...]) -> None:
        """Open what lies beside the match, touch two things in it, and go back."""
        for panel in way:
            if (key := self._shows(panel)) is None:
                break
            self._tap(key)
        else:
            for kind in LOOKS:
                if (key := self.person.key(kind)) is not None and self.person.view.panels:
                    self._tap(key)
        self._back_to_the_match()


def resident_mb() -> float:
    """What this process has in memory once everything that is free has been given back."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * resource.getpagesize() / 1e6


def long_evening(window: Any, folder: Path, box: str, rounds: int) -> Iterator[tuple[int, float]]:
    """Rounds so far and what is in memory then, after each match, back at home."""
    person, played = Quick(window, folder), 0
    try:
        while played < rounds:
            sitter = Wanderer(person, None)
            sitter._tap(sitter._shows(a.Panel.NEW_MATCH))
            begin(sitter, person, box)
            sitter.bots = bots_of(person.match.setup, Random(played))
            while not isinstance(person.state, ResultState):
                sitter.one_more()
            played += len(sitter.places)
            go_home(sitter)
            yield played, resident_mb()
    finally:
        person.close()


def go_home(sitter: Sitter) -> None:
    """From the result home, and once through the past matches."""
    person = sitter.person
    if person.key(a.Leave) is None:
        sitter._tap(sitter._shows(a.Panel.MENU))
    sitter._tap(person.key(a.Leave))
    person.drawing = True
    person.frame()
    sitter._tap(sitter._shows(a.Panel.PAST))
    if (past := person.key(a.LookInto, a.Show)) is not None:
        sitter._tap(past)
    for _ in range(6):
        if not person.view.panels and person.table.referee is None:
            break
        sitter._tap(person.key(a.Leave, a.Back) or sitter._shows(a.Panel.PAST))
    person.drawing = False


def main(folder: str, box: str, seed: str, rounds: str = "0") -> None:
    """One sitting in a window of its own; with `rounds` a long evening of so many."""
    from ui.window.opening import configure

    configure(SIZE)
    from kivy.base import EventLoop
    from kivy.core.window import Window

    EventLoop.ensure_window()
    if int(rounds):
        for played, mb in long_evening(Window, Path(folder), box, int(rounds)):
            tell(rounds=played, mb=round(mb, 2))
        return
    sitter = play(Window, Path(folder), box, int(seed))
    off = {place: many for place, many in sitter.person.off_centre.items() if many}
    tell(kinds=sitter.kinds, rounds=len(sitter.places), paired=sitter.paired, off=off)


if __name__ == "__main__":
    main(*sys.argv[1:])
