"""What a machine may lack in the middle of an evening: a card that takes nothing, a sound card."""

from __future__ import annotations

import numpy as np
from PIL import Image

from tests.rig.hands import colours
from tests.rig.machine import State
from tests.rig.rig import COMPANION, SETTINGS, Rig, restarts

STICK = "/media/COMPANION"
SOUND_DRIVER = "/sys/bus/pci/drivers/snd_hda_intel"


def test_a_card_that_becomes_read_only_is_said(rig: Rig, at_ready: State) -> None:
    """As the kernel makes a worn card in the middle of a match, after an error of its file system.

    Nothing is confirmed from then on, the app that is started on it is there too, and with the
    next start of the machine the match goes on.
    """
    machine = rig.at(at_ready)
    screen = rig.screen(machine)
    before = screen.picture("before")
    machine.run("sync; mount -o remount,errors=remount-ro /")
    machine.run("echo worn >/sys/fs/ext4/vda/trigger_fs_error; ! touch /home/pi/x")
    rig.pins(machine).press("button_ready_1")
    screen.wait_for_change("read-only", before)
    assert "worn" in machine.run("dmesg")
    assert "Jaws: ready" not in rig.log(machine)
    assert restarts(machine) == "0"
    machine.run("systemctl restart companion; sleep 5")
    assert colours(screen.picture("started-on-it")) > 100
    rig.saw("nothing confirmed; started on it the app is on the screen")
    power = rig.power(machine)
    power.cut()
    machine = power.back()
    machine.wait_for("systemctl is-active companion")
    machine.run("sleep 5")
    rig.screen(machine).picture("started-again")
    assert "placed" in rig.log(machine).lower()
    rig.saw("started again: home, the record sound")


def test_a_round_goes_without_a_sound_card(rig: Rig, at_ready: State) -> None:
    """Muted, then gone: lamps and buzzer know nothing of it; doctor says both."""
    machine = rig.at(at_ready)
    machine.run("amixer -q sset Master mute")
    muted = machine.try_to(f"{COMPANION} doctor", user="pi").out
    assert "muted: Master" in muted
    gone = f"for card in {SOUND_DRIVER}/0000:*; do basename $card >{SOUND_DRIVER}/unbind; done"
    machine.run(gone)
    without = machine.try_to(f"{COMPANION} doctor", user="pi").out
    rig.keep("doctor.txt", f"{muted}\n{without}")
    assert "finds no sound card" in without
    pins = rig.pins(machine)
    pins.watch()
    pins.press("button_ready_1", "button_ready_2")
    machine.wait_for("grep -q '\"zero\"' /run/user/1000/companion/signals.jsonl")
    machine.run("sleep 3")
    assert [change for change in pins.changes() if change.part == "buzzer"]
    assert restarts(machine) == "0"
    rig.screen(machine).picture("locked")
    rig.saw("doctor says muted and gone; the round's buzzer sounds all the same")


def test_a_screen_that_is_mounted_upright_is_turned(rig: Rig, at_home: State) -> None:
    """`install --rotate 90`: the picture is turned, and a finger finds what it sees."""
    machine = rig.at(at_home)
    machine.run(f"{COMPANION} install --user pi --on lite --rotate 90")
    rig.keep("settings.toml", machine.run(f"cat {SETTINGS}"))
    machine.run("systemctl restart companion; sleep 5")
    screen = rig.screen(machine)
    turned = screen.picture("turned")
    assert colours(turned) > 100
    with Image.open(turned) as shown:
        for degrees in (90, 270):
            upright = shown.rotate(degrees, expand=True)
            upright.save(turned.with_name(f"turned-back-{degrees}.png"))
        bars = np.asarray(shown.convert("L")).std(axis=0)
    assert bars.std() > 0
    rig.saw("turned by 90 degrees")


def test_a_stick_gets_the_record_by_itself(rig: Rig, at_ready: State) -> None:
    """Mounted while the walled service runs: it sees the stick, and may write on it."""
    machine = rig.at(at_ready)
    machine.run(
        "dd if=/dev/zero of=/stick bs=1M count=32 status=none; mkfs.ext4 -q /stick; "
        f"mkdir -p {STICK}; mount -o loop /stick {STICK}; chown pi {STICK}"
    )
    machine.wait_for(f"ls {STICK}/companion-backup/*", timeout_s=300)
    rig.keep("stick.txt", machine.run(f"find {STICK} -type f -ls"))
    machine.run("sleep 6")
    rig.screen(machine).picture("backed-up")
    rig.saw("the record on the stick, written by the walled service")
