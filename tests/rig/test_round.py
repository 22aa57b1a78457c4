"""A round on real pins: buttons pulled from outside, lamps and buzzer read from outside."""

from __future__ import annotations

from itertools import groupby

import pytest

from hardware.panel.panel import TONES_HZ, Sound
from tests.rig.hands import LAMPS, TITLE_AT, Change, beeps, first_lit, says_locked, wrong_signs
from tests.rig.machine import Machine, State
from tests.rig.rig import RESUME, Rig

BOTH_READY = ("button_ready_1", "button_ready_2")


def wait_for_zero(machine: Machine) -> None:
    """Until the signal process has told zero in its journal."""
    machine.wait_for("grep -q '\"zero\"' /run/user/1000/companion/signals.jsonl")


def test_a_round_goes_by_its_pins(rig: Rig, at_ready: State) -> None:
    """Both ready buttons start it; lamps at 10, 5, 3 and 0; the buzzer at its signs and at zero."""
    machine = rig.at(at_ready)
    pins, screen = rig.pins(machine), rig.screen(machine)
    pins.watch()
    screen.picture("before")
    pins.press(*BOTH_READY)
    screen.picture("running")
    wait_for_zero(machine)
    machine.run("sleep 3")
    assert says_locked(screen.picture("locked"))
    changes = kept_changes(rig, machine)
    assert not wrong_signs(changes)
    sounded, (*lit, zero) = beeps(changes), first_lit(changes).values()
    assert not pins.is_high("buzzer")
    assert all(pins.is_high(lamp) for lamp in LAMPS), "lit until the next round"
    assert rig.jaws_are_ready(machine)
    rig.saw(
        f"lamps {', '.join(f'{zero - at:.1f}' for at in lit)} s before zero, "
        f"{len(sounded)} beeps, the last {sounded[-1][1] - sounded[-1][0]:.2f} s"
    )


def sound_of(hz: float) -> Sound:
    """The sound whose tone is nearest."""
    return min((abs(tone - hz), sound) for sound, tone in TONES_HZ.items())[1]


def main_process(machine: Machine) -> str:
    """The app's own process, as systemd knows it."""
    return machine.run("systemctl show -p MainPID --value companion").strip()


def signal_processes(machine: Machine) -> set[str]:
    """The numbers of all that belong to it."""
    named = "grep -alE 'hardware[.]signals[.]process' /proc/[0-9]*/cmdline 2>/dev/null"
    return {line.split("/")[2] for line in machine.run(f"{named}; true").splitlines()}


def began_a_round(rig: Rig, machine: Machine) -> None:
    """Both teams are ready, four seconds ago."""
    pins = rig.pins(machine)
    pins.watch()
    pins.press(*BOTH_READY)
    machine.run("sleep 4")


def sounded_to_the_end(rig: Rig, machine: Machine) -> list[tuple[float, float]]:
    """Wait for zero; every lamp and every sign came at its second, the long one last."""
    wait_for_zero(machine)
    machine.run("sleep 3")
    changes = kept_changes(rig, machine)
    assert not wrong_signs(changes)
    return beeps(changes)


def kept_changes(rig: Rig, machine: Machine) -> list[Change]:
    """What the pins have done, which is kept with the scenario."""
    changes = rig.pins(machine).changes()
    rig.keep("pins.txt", "\n".join(f"{it.at_s:.3f} {it.part} {it.high:d}" for it in changes))
    return changes


@pytest.mark.parametrize("how", ["KILL", "STOP"])
def test_a_round_sounds_while_the_app_is_dead(rig: Rig, at_ready: State, how: str) -> None:
    """Killed or hung in a round: the buzzer sounds, systemd starts the app anew, it goes on."""
    machine = rig.at(at_ready)
    began_a_round(rig, machine)
    first = main_process(machine)
    machine.run(f"kill -{how} {first}")
    sounded_to_the_end(rig, machine)
    machine.wait_for(f"systemctl is-active companion && ! test -d /proc/{first}")
    assert main_process(machine) != first
    screen = rig.screen(machine)
    machine.run("sleep 5")
    home = screen.picture("started-anew")
    screen.touch(*RESUME)
    screen.wait_for_change("resumed", home, at=TITLE_AT)
    log = rig.log(machine)
    assert log.count("Jaws: ready") == 1
    assert "(round-1/lock/checked)" in log, "the cards of this round are not asked for"
    rig.saw("the long sign came, another process serves, Resume leads back")


def test_a_killed_signal_process_is_replaced_in_the_round(rig: Rig, at_ready: State) -> None:
    """The app starts another one, which sounds zero."""
    machine = rig.at(at_ready)
    began_a_round(rig, machine)
    first = signal_processes(machine)
    assert first
    machine.run(f"kill -KILL {' '.join(first)}")
    sounded_to_the_end(rig, machine)
    after = signal_processes(machine)
    assert after
    assert not first & after
    assert says_locked(rig.screen(machine).picture("locked"))
    rig.saw("another signal process sounded zero")


def test_cues_are_heard_from_the_loudspeaker(rig: Rig, at_ready: State) -> None:
    """Ready, start, the last seconds, the lock: in this order in what the sound card played."""
    machine = rig.at(at_ready)
    began_a_round(rig, machine)
    sounded_to_the_end(rig, machine)
    tones = rig.loudspeaker(machine).tones()
    rows = (f"{tone.start_s:.2f} {tone.length_s:.2f} {tone.hz:.0f}" for tone in tones)
    rig.keep("tones.txt", "\n".join(rows))
    heard = [sound_of(tone.hz) for tone in tones]
    order = [sound for sound, _ in groupby(heard)]
    assert order == [Sound.READY, Sound.START, Sound.CUE, Sound.LOCK], heard
    rig.saw(", ".join(str(sound) for sound in heard))


def test_a_leaping_clock_moves_no_round(rig: Rig, at_ready: State) -> None:
    """The machine thinks it is 2000 until the network tells the time in the middle of a round."""
    machine = rig.at(at_ready)
    now = machine.run("date +%s").strip()
    machine.run("date -s '2000-01-01 00:00:00'")
    began_a_round(rig, machine)
    machine.run(f"date -s @{now}")
    sounded = sounded_to_the_end(rig, machine)
    assert rig.jaws_are_ready(machine)
    rig.saw(f"{len(sounded)} signs, the record is sound")


def fill(machine: Machine) -> None:
    """Take every block of the machine's card."""
    machine.try_to("fallocate -l $(df --output=avail -B1 / | tail -1) /full")
    machine.try_to("cat /dev/zero >~/rest; sync", user="pi")  # to the last block


def test_an_app_that_starts_on_a_full_card_writes_once_there_is_room(
    rig: Rig, at_ready: State
) -> None:
    """It says so, leads back into the match, and confirms nothing until somebody makes room."""
    machine = rig.at(at_ready)
    pins, screen = rig.pins(machine), rig.screen(machine)
    machine.run("systemctl stop companion")
    fill(machine)
    rig.keep("df.txt", machine.run("df /"))
    machine.run("systemctl start companion; sleep 10")
    home = screen.picture("home-full")
    screen.touch(*RESUME)
    ready = screen.wait_for_change("ready-full", home, at=TITLE_AT)
    pins.press("button_ready_1")
    screen.wait_for_change("not-confirmed", ready)
    assert machine.run("systemctl show -p NRestarts --value companion").strip() == "0"
    machine.run("rm /full /home/pi/rest; sleep 5")
    screen.picture("with-room")
    pins.press(*BOTH_READY)
    wait_for_zero(machine)
    assert rig.jaws_are_ready(machine)
    rig.saw("started full: said, Resume leads back; with room the round was played and is on disk")


def test_a_full_card_is_said_and_loses_nothing(rig: Rig, at_ready: State) -> None:
    """With no room left nothing is confirmed; with room again the match goes on."""
    machine = rig.at(at_ready)
    pins, screen = rig.pins(machine), rig.screen(machine)
    before = screen.picture("before")
    fill(machine)
    rig.keep("df.txt", machine.run("df /"))
    pins.press("button_ready_1")
    machine.run("sleep 3")
    screen.wait_for_change("full", before)
    assert machine.run("systemctl show -p NRestarts --value companion").strip() == "0"
    machine.run("rm /full /home/pi/rest")
    pins.press("button_ready_1", "button_ready_2")
    wait_for_zero(machine)
    assert rig.jaws_are_ready(machine)
    rig.saw("said on the screen, the app went on, the round was played with room again")
