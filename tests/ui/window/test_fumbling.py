"""Fingers that know no rules: two at once, in the wrong order, held, slid away, beside every key.

Nothing may fail, and no answer that was confirmed may be lost. A long run is a program of its own:
`python -m tests.ui.window.test_fumbling FOLDER BOX SEED SECONDS [WIDExHIGH]`.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from companion.games import RULEBOOKS
from companion.match.match import Match
from tests.ui.window import sitter
from ui.touch import actions as a
from ui.touch.view import SetupDraft

NEVER = (
    a.Quit, a.Restart, a.ShowDemo, a.LearnLook, a.ForgetLook, a.Calibrate, a.KeepPictures, a.Retry,
    a.ExportMatch, a.SetFigure,
)  # fmt: skip
"""What would end the program, or wants devices and folders that a test does not have."""
ON = (
    a.Answer, a.Answers, a.FillForm, a.Fill, a.Anyway, a.Done, a.NextDeed, a.HandsOff, a.Corrected,
    a.Checked, a.StartMatch, a.Resume, a.Enlarge, a.ResumeMatch, a.NameArbiter, a.NameChallenger,
    a.DecideChallenge, a.AcceptTable,
)  # fmt: skip
"""What brings a match on: touched so much more often that it comes far."""
BACK = (a.Back, a.CloseBook, a.ToPhase, a.LeaveName, a.TakeName)
SELDOM = (a.Leave, a.SetSetting, a.TypeLetter, a.Close, a.OpenChallenge)
EVERYWHERE = {a.Panel.MENU, a.Panel.DEVICES, a.Panel.RULES}
MAY_BE_SET = {"sound", "theme", "palette", "hand", "face_to_face", "reversal_s", "challenges"}
WAITS_S = (0.0, 0.0, 0.05, 0.3, 0.3, 0.3, 1.0, 4.0)
LOOKED_AT = 100
"""Between two looks at the record lie so many touches."""


def _weight(action: Any) -> float:
    """How often a key is touched beside others."""
    if isinstance(action, SELDOM) or getattr(action, "panel", None) in EVERYWHERE:
        return 0.15
    return 12.0 if isinstance(action, ON) else 5.0 if isinstance(action, BACK) else 1.0


def _said(entry: Any) -> tuple[Any, ...]:
    """What a line says; a time that was kept may be rounded."""
    answer = entry.answer.get("event") if entry.kind == "clock" else entry.answer
    return entry.seq, entry.kind, entry.key, answer


@dataclass
class Fumbler:
    """Somebody who touches whatever there is, with one finger or two."""

    person: sitter.AtWindow
    box: str
    random: Random
    touches: Counter[str] = field(default_factory=Counter[str])
    screens: Counter[str] = field(default_factory=Counter[str])
    latest: deque[str] = field(default_factory=lambda: deque[str](maxlen=40))
    matches: int = 0
    _known: dict[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])

    def fumble(self) -> None:
        """One gesture, some time, and a look at whether all is well."""
        person, gesture = (
            self.person,
            self.random.choices(
                (self.tap, self.two, self.hold, self.slide, self.beside), (52, 14, 26, 4, 4)
            )[0],
        )
        if person.table.referee is None and self.random.random() < 0.3:
            self.begin()
        self.screens[person.sheet.screen] += 1
        self.touches[gesture.__name__] += 1
        gesture()
        person.clock.wait(self.random.choice(WAITS_S))
        person.app.tick(0.0)
        self._look()

    # -- gestures --------------------------------------------------------------------------

    def tap(self) -> None:
        """Down and up at once."""
        for finger in self._down(1):
            finger.touch_up()

    def two(self) -> None:
        """Two keys, both down before either is let go, in either order."""
        fingers = self._down(2)
        self.random.shuffle(fingers)
        for finger in fingers:
            self.person.clock.wait(self.random.choice((0.0, 0.0, 0.3)))
            finger.touch_up()

    def hold(self) -> None:
        """Down for as long as a held key wants, sometimes not quite."""
        fingers = self._down(1)
        self.person.clock.wait(self.random.choice((0.5, 0.9, 0.9, 0.9)))
        for _ in range(3):
            sitter.AtWindow.frame(self.person)
        for finger in fingers:
            finger.touch_up()

    def slide(self) -> None:
        """Down on a key, and let go elsewhere."""
        wide, high = self.person.window.size
        for finger in self._down(1):
            finger.touch_move(self.random.uniform(0, wide), self.random.uniform(0, high))
            finger.touch_up()

    def beside(self) -> None:
        """Anywhere at all."""
        wide, high = self.person.sheet.theme.wide_u, self.person.sheet.theme.high_u
        point = self.random.uniform(0, wide), self.random.uniform(0, high)
        name = self.person.sheet.at(*point)
        if name is None or self._may_touch(self.person.sheet.parts[name].action_at(*point)):
            for finger in self._at([point]):
                finger.touch_up()

    def _down(self, many: int) -> list[Any]:
        """Fingers on keys that are picked, each somewhere on its key."""
        sheet = self.person.sheet
        points = list[tuple[float, float]]()
        for _ in range(many):
            names = [name for name, part in sheet.parts.items() if self._may_touch(part.action)]
            if not names:
                break
            weights = [_weight(sheet.parts[name].action) for name in names]
            box = sheet.parts[self.random.choices(names, weights)[0]].box
            across, down = self.random.uniform(0.1, 0.9), self.random.uniform(0.1, 0.9)
            point = box.x + box.wide * across, box.y + box.high * down
            name = sheet.at(*point)
            action = sheet.parts[name].action_at(*point) if name is not None else None
            if action is None or self._may_touch(action):
                points.append(point)
                self.latest.append(f"{sheet.screen}: {action}")
        return self._at(points)

    def _at(self, points: Sequence[tuple[float, float]]) -> list[Any]:
        from kivy.tests.common import UnitTestTouch

        unit, high = self.person.sheet.theme.unit_px, self.person.window.height
        fingers = [UnitTestTouch(x * unit, high - y * unit) for x, y in points]
        for finger in fingers:
            finger.touch_down()
        return fingers

    @property
    def lines(self) -> int:
        """How many lines all logs have."""
        return sum(map(len, self._known.values()))

    def _may_touch(self, action: Any) -> bool:
        if action is None or isinstance(action, NEVER):
            return False
        return not isinstance(action, a.SetSetting) or action.name in MAY_BE_SET

    def begin(self) -> None:
        """Back to home, and into a match of the box; as far as the screens lead there."""
        wanted = a.SetupChoice("box", self.box)
        for _ in range(40):
            if self.person.table.referee is not None:
                self.matches += 1
                return
            keys = self.person.meant()
            shows = (one for one in keys if isinstance(one, a.Show))
            new = next((one for one in shows if one.panel is a.Panel.NEW_MATCH), None)
            frame = getattr(self.person.state, "frame", None)
            following = frame.bottom.next.action if frame and frame.bottom.next else None
            if wanted in keys and self.person.view.setup != SetupDraft(self.box):
                self.person.do(wanted)
            elif following is not None and self.person.view.panels:
                self.person.do(following)
            elif (leads := new or self.person.key(a.Back, a.CloseBook, a.LeaveName)) is not None:
                self.person.do(leads)
            else:
                return

    # -- what must hold --------------------------------------------------------------------

    def _look(self) -> None:
        """No trouble on the screen; of the log nothing is gone, and it is on disk."""
        table, told = self.person.table, "\n".join(self.latest)
        assert self.person.app.trouble is None, f"{self.person.app.trouble}\n{told}"
        if table.referee is None or table.match is None:
            return
        entries, before = table.match.entries, self._known.get(table.match_id, ())
        assert len(entries) >= len(before), told
        assert not before or _said(entries[len(before) - 1]) == _said(before[-1]), told
        self._known[table.match_id] = entries[:]
        if sum(self.touches.values()) % LOOKED_AT == 0:
            self.look_at_record()

    def look_at_record(self) -> None:
        """What is on disk is what was told, and it leads to the same position."""
        table, told = self.person.table, "\n".join(self.latest)
        if table.referee is None or table.match is None:
            return
        kept = table.record.load(table.match_id)
        assert not kept.damage
        assert [*map(_said, kept.entries)] == [*map(_said, table.match.entries)], told
        assert table.referee.confirmed == len(kept.entries), told
        seqs = [entry.seq for entry in kept.entries]
        assert all(later == one + 1 for one, later in pairwise(seqs)), told
        again = Match[Any].replay(kept.entries)
        assert again.position.digest() == table.match.position.digest(), told


def fumbled(window: Any, folder: Path, box: str, seed: int, most: int) -> Fumbler:
    """So many gestures in a match of this box."""
    person = sitter.Quick(window, folder)
    try:
        fumbler = Fumbler(person, box, Random(seed))
        fumbler.begin()
        for _ in range(most):
            fumbler.fumble()
        fumbler.look_at_record()
        return fumbler
    finally:
        person.close()


@pytest.mark.parametrize("box", RULEBOOKS)
def test_fingers_that_know_no_rules_break_nothing(window: Any, tmp_path: Path, box: str) -> None:
    """A few gestures in each box."""
    fumbler = fumbled(window, tmp_path, box, 2, 40)
    assert len(fumbler.screens) > 1
    assert fumbler.lines > 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("box", RULEBOOKS)
def test_many_gestures_break_nothing(window: Any, tmp_path: Path, box: str, seed: int) -> None:
    """Half a minute of them, over side screens, corrections and disputes."""
    fumbler = fumbled(window, tmp_path, box, seed, 1500)
    assert len(fumbler.screens) > 8
    assert {*fumbler.touches} == {"tap", "two", "hold", "slide", "beside"}


def main(folder: str, box: str, seed: str, seconds: str, size: str = "800x480") -> None:
    """So many seconds."""
    from ui.window.opening import configure

    wide, _, high = size.partition("x")
    sitter.SIZE = int(wide), int(high)
    configure(sitter.SIZE)
    from kivy.base import EventLoop
    from kivy.core.window import Window

    EventLoop.ensure_window()
    person = sitter.Quick(Window, Path(folder))
    fumbler, until = Fumbler(person, box, Random(int(seed))), monotonic() + float(seconds)
    fumbler.begin()
    try:
        while monotonic() < until:
            fumbler.fumble()
        fumbler.look_at_record()
    finally:
        counts = {"touches": fumbler.touches, "screens": fumbler.screens}
        sitter.tell(box=box, seed=seed, matches=fumbler.matches, lines=fumbler.lines, **counts)
        person.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
