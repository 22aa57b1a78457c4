"""What a table sounds of each happening, and that no sound is for ears alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.offers import Button
from companion.core.ruling import TABLE
from companion.match.rulebook import Setup
from companion.record.record import Record
from companion.referee.challenge import Challenge
from companion.referee.desk import Happening
from hardware.panel.desk import DeskPanel
from hardware.panel.panel import FLASHES, PATTERNS, TONES_HZ, Sound
from hardware.panel.speaker import tone_wav
from ui.demo.drawn import SteppedClock
from ui.table.settings_file import SettingsFile
from ui.table.signals import SHAPES, SoundMoment, sound_of
from ui.table.table import Table

STILL = SoundMoment(0, running=False, over=False, challenge=None)
RUNNING = SoundMoment(0, running=True, over=False, challenge=None)
OVER = SoundMoment(0, running=False, over=True, challenge=None)
DISPUTED = SoundMoment(0, running=False, over=False, challenge=Challenge(TABLE, stopped_clock=True))
ONE_SAID = SoundMoment(1, running=False, over=False, challenge=None)


@pytest.mark.parametrize(
    ("before", "now", "sound"),
    [
        (STILL, ONE_SAID, Sound.READY),
        (ONE_SAID, RUNNING, Sound.START),
        (STILL, RUNNING, Sound.START),
        (RUNNING, DISPUTED, Sound.CHALLENGE),
        (DISPUTED, RUNNING, Sound.START),
        (RUNNING, OVER, Sound.END),
        (STILL, STILL, None),
        (ONE_SAID, STILL, None),
        (RUNNING, STILL, None),
        (RUNNING, RUNNING, None),
        (DISPUTED, DISPUTED, None),
        (OVER, OVER, None),
    ],
)
def test_a_change_sounds_once(before: SoundMoment, now: SoundMoment, sound: Sound | None) -> None:
    """Cues and zero are not among them: they sound by themselves, at their deadlines."""
    assert sound_of(before, now, Happening.ASKED) == sound


def test_a_refusal_sounds_whatever_else_is() -> None:
    assert sound_of(STILL, STILL, Happening.REFUSED) is Sound.ERROR


@pytest.mark.parametrize("sound", Sound)
def test_every_sign_is_there_for_ears_and_for_eyes(sound: Sound) -> None:
    """Buzzer, lamps, loudspeaker and screen: each sign has all four."""
    assert PATTERNS[sound]
    assert FLASHES[sound]
    assert TONES_HZ[sound] > 0
    assert len(tone_wav(sound, 80)) > 1000
    assert SHAPES[sound]


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock(500.0)


@pytest.fixture
def desk(clock: SteppedClock) -> DeskPanel:
    return DeskPanel(clock=clock)


def open_table(folder: Path, clock: SteppedClock, desk: DeskPanel) -> Table:
    settings = SettingsFile.load(folder / "settings.toml")
    return Table(Record.open(folder / "record.sqlite"), settings, clock=clock, signals=desk)


def to_ready(table: Table) -> None:
    """A match of Jaws & Paws up to the moment at which both teams say ready."""
    table.new_match(Setup("jaws-and-paws"))
    for part, raw in (("toss", "Jaws"), ("sun", "Jaws.GL"), ("placed", "placed")):
        (key,) = [key for key in table.refereed().match.open if key.endswith(part)]
        assert table.offer(key, -1, raw, "touch")


def press(table: Table, desk: DeskPanel, button: Button) -> None:
    desk.push(button)
    table.tick()


def heard(desk: DeskPanel) -> list[Sound]:
    return [sound for _, sound in desk.heard]


def test_a_round_by_buttons_alone_is_heard_from_ready_to_challenge(
    tmp_path: Path, clock: SteppedClock, desk: DeskPanel
) -> None:
    """Two ready buttons, a challenge, the referee's word: no touch, and each sounds its own."""
    table = open_table(tmp_path, clock, desk)
    to_ready(table)
    for button in (Button.READY_FIRST, Button.READY_SECOND, Button.CHALLENGE_SECOND):
        press(table, desk, button)
        clock.wait(1.0)
    assert heard(desk) == [Sound.READY, Sound.START, Sound.CHALLENGE]
    standing = table.refereed().clock
    assert standing is not None
    assert not standing.running
    press(table, desk, Button.REFEREE)
    assert heard(desk)[3:] == [Sound.START]
    table.close()


def test_a_restart_in_the_middle_of_a_round_sounds_nothing_anew(
    tmp_path: Path, clock: SteppedClock, desk: DeskPanel
) -> None:
    """The table has heard its start; an app that comes back adopts the round in silence."""
    table = open_table(tmp_path, clock, desk)
    to_ready(table)
    press(table, desk, Button.READY_FIRST)
    press(table, desk, Button.READY_SECOND)
    match_id, before = table.match_id, heard(desk)
    table.close()
    again = open_table(tmp_path, clock, desk)
    again.resume(match_id)
    adopted = again.refereed().clock
    assert adopted is not None
    assert adopted.running
    assert heard(desk) == before == [Sound.READY, Sound.START]
    again.close()
