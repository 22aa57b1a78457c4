"""The plug is pulled: whatever the companion has confirmed is there when the power comes back."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import time
from datetime import datetime
from pathlib import Path

import pytest

from companion.record.record import Record
from tests.rig.hands import TITLE_AT, ScriptedMatch, colours, says_locked, script
from tests.rig.machine import Machine, State, as_raw_file, overlay
from tests.rig.rig import RECORD, RESUME, SETTINGS, Keeping, Rig, companion
from tests.rig.test_round import BOTH_READY, sounded_to_the_end

CUTS = int(os.environ.get("RIG_CUTS", "30"))


@pytest.fixture(scope="session")
def at_script(kernel: Path, at_home: State, kept: Keeping) -> State:
    """A match at the terminal that waits for its first line; the app on the screen is stopped."""

    def make(folder: Path) -> Machine:
        disk = overlay(at_home.disk, folder / "disk.qcow2")
        machine = Machine(kernel, disk, folder, going_on=at_home.memory).wait_until_booted()
        machine.run("systemctl stop companion")
        match = ScriptedMatch.begin(
            machine, "dogfight-1917", f"--variant base --seats A=Ana,B=Bo --record {RECORD}"
        )
        match.wait_for_questions(1)
        return machine

    return kept("script", make)


def test_nothing_confirmed_is_lost_at_random_cuts(rig: Rig, at_script: State) -> None:
    """Cut while answers are written as fast as they can be; every other time amid a write."""
    seed = int(os.environ.get("RIG_SEED", str(random.SystemRandom().randrange(10**6))))
    chance = random.Random(seed)
    lines, told = script(), [f"seed {seed}"]
    for number in range(CUTS):
        machine = rig.at(at_script)
        match = ScriptedMatch(machine)
        match.say(lines)
        match.wait_for_questions(chance.randrange(1, len(lines) - 5))
        if number % 2:
            machine.wait_for_write()
        else:
            time.sleep(chance.uniform(0.0, 0.5))
        machine.cut_power()
        confirmed = match.questions
        machine.close()
        found = answers_on(machine.disk, rig.folder / "card")
        machine.disk.unlink()
        when = "between write and flush" if number % 2 else "at any moment"
        told.append(f"cut {number} {when}: {confirmed} answers confirmed, {found} in the record")
        rig.keep("cuts.txt", "\n".join(told))
        assert found >= confirmed, told[-1]
    rig.saw(f"{CUTS} cuts, every record sound, no confirmed answer lost (seed {seed})")


def answers_on(disk: Path, folder: Path) -> int:
    """How many answers the record has on a disk that lost its power.

    The file system is put right from its journal, as the machine would at its next start; then the
    record is checked and its match ruled once more. A record that is not sound fails the test.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with as_raw_file(disk, folder / "card.img") as raw:
        fsck = subprocess.run(["e2fsck", "-fy", raw], capture_output=True, text=True, check=False)
        assert fsck.returncode in (0, 1), fsck.stdout
        dump = f"rdump /home/pi/.local/share/companion {folder}"
        subprocess.run(["debugfs", "-R", dump, raw], check=True, capture_output=True)
    place = str(folder / "companion" / Path(RECORD).name)
    for command in (("check",), ("replay", "last")):
        ran = companion(*command, "--record", place)
        assert ran.returncode == 0, f"{command}: {ran.stdout}{ran.stderr}"
    entries: int = json.loads(companion("matches", "--json", "--record", place).stdout)["entries"]
    return entries - 1


def test_after_a_cut_the_match_is_resumed_on_the_screen(rig: Rig, at_ready: State) -> None:
    """Pulled in a running round: the machine boots, the app is there, the match goes on."""
    machine = rig.at(at_ready)
    rig.pins(machine).press("button_ready_1", "button_ready_2")
    machine.run("sleep 3")
    rig.screen(machine).picture("before-the-cut")
    power = rig.power(machine)
    power.cut()
    machine = power.back()
    machine.wait_for("systemctl is-active companion")
    machine.run("sleep 5")
    screen = rig.screen(machine)
    home = screen.picture("after-the-cut")
    assert colours(home) > 100
    assert rig.jaws_are_ready(machine)
    screen.touch(*RESUME)
    screen.wait_for_change("resumed", home, at=TITLE_AT)
    rig.saw("booted by itself, Resume leads back into the round")


def test_a_table_that_begins_in_2000_keeps_its_order(rig: Rig, at_ready: State) -> None:
    """A Pi without a battery or a network, until one tells the time in the middle of a round.

    Signs come at their seconds; lines and pictures are in the order in which they came about.
    """
    machine = rig.at(at_ready)
    now = machine.run("date +%s").strip()
    camera = rig.camera(machine)
    machine.write(SETTINGS, f'pins = "lgpio"\ncamera = "{camera.NODE}"\n', user="pi")
    machine.run("sync")
    power = rig.power(machine)
    power.cut()
    machine = power.back(rtc="2000-01-01T00:00:00")
    rig.camera(machine).plug()
    machine.wait_for("systemctl is-active companion")
    machine.run("sleep 10")
    rig.keep("clock.txt", machine.run("date --iso-8601=s"))
    assert int(machine.run("date +%s")) < int(now) - 10**7
    screen, pins = rig.screen(machine), rig.pins(machine)
    home = screen.picture("home-in-another-year")
    screen.touch(*RESUME)
    screen.wait_for_change("ready", home, at=TITLE_AT)
    pins.watch()
    pins.press(*BOTH_READY)
    machine.run(f"sleep 4; date -s @{now}")
    sounded_to_the_end(rig, machine)
    assert says_locked(screen.picture("locked"))
    told = rig.log(machine)
    order = [told.index(f"round-1/{key})") for key in ("ready/jaws", "ready/paws", "locked")]
    assert order == sorted(order)
    with Record.open(rig.folder / "record" / Path(RECORD).name) as record:
        (match,) = record.matches()
        entries = record.load(match.match_id).entries
        kept = record.evidence_of(match.match_id)
    rig.keep("evidence.txt", "\n".join(one.name for one in kept))
    (zero,) = (
        entry for entry in entries if entry.key == "round-1/locked" and entry.answer == "zero"
    )
    assert {one.seq for one in kept} == {zero.seq}
    assert all(abs(seconds(one.at_utc) - seconds(zero.at_utc)) < 10 for one in kept)
    rig.saw(f"its signs, its lines and the names of {len(kept)} pictures are in order")


def seconds(at_utc: str) -> float:
    """A time of the log as a number."""
    return datetime.fromisoformat(at_utc).timestamp()
