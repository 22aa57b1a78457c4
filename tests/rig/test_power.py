"""The plug is pulled: whatever the companion has confirmed is there when the power comes back."""

from __future__ import annotations

import json
import os
import random
import shlex
import time

from tests.rig.hands import ScriptedMatch, colours, script
from tests.rig.machine import Machine, State
from tests.rig.rig import COMPANION, RECORD, RESUME, Rig

CUTS = int(os.environ.get("RIG_CUTS", "30"))


def test_nothing_confirmed_is_lost_at_random_cuts(rig: Rig, at_home: State) -> None:
    """Cut while answers are written as fast as they can be; the disk is read by another machine."""
    seed = int(os.environ.get("RIG_SEED", str(random.SystemRandom().randrange(10**6))))
    chance = random.Random(seed)
    lines, told = script(), [f"seed {seed}"]
    lost, torn = 0, 0
    reader = rig.at(at_home)
    reader.run("systemctl stop companion")
    for number in range(CUTS):
        machine = rig.at(at_home)
        machine.run("systemctl stop companion")
        match = ScriptedMatch(machine, "dogfight-1917", "--variant base --seats A=Ana,B=Bo", lines)
        match.wait_until_confirmed(chance.randrange(len(lines) - 5))
        time.sleep(chance.uniform(0.0, 0.5))
        confirmed = match.confirmed
        machine.cut_power()
        confirmed = max(confirmed, match.confirmed)
        found = read_back(reader, machine, f"cut{number}")
        told.append(f"cut {number}: {confirmed} answers confirmed, {found} in the record")
        rig.keep("cuts.txt", "\n".join(told))
        lost += found < confirmed
        torn += found < 0
    assert (lost, torn) == (0, 0), "\n".join(told)
    rig.saw(f"{CUTS} cuts, every record sound, no confirmed answer lost (seed {seed})")


def read_back(reader: Machine, cut: Machine, name: str) -> int:
    """How many answers another machine finds on a disk that lost its power; it also plays on there.

    -1 where the record cannot be opened, is damaged, or is ruled otherwise.
    """
    reader.plug_in_disk(cut.disk, name)
    try:
        reader.wait_for("test -b /dev/vdb")
        reader.run("mkdir -p /mnt/cut && mount /dev/vdb /mnt/cut")
        place = shlex.quote(f"/mnt/cut{RECORD}")
        matches = reader.run(f"{COMPANION} matches --json --record {place}", user="pi")
        if not matches:
            return 0
        sound = reader.try_to(
            f"{COMPANION} check --record {place} && {COMPANION} replay last --record {place}",
            user="pi",
        )
        return json.loads(matches)["entries"] - 1 if sound.status == 0 else -1
    finally:
        reader.try_to("umount /mnt/cut")
        reader.pull_disk(name)


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
    log = machine.run(f"{COMPANION} show last", user="pi")
    rig.keep("log.txt", log)
    assert "ready" in log
    screen.touch(*RESUME)
    screen.wait_for_change("resumed", home)
    rig.saw("booted by itself, Resume leads back into the round")
