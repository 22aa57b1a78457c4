"""What a machine may lack in the middle of an evening: a card that takes nothing, a sound card."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.rig.hands import TITLE_AT, colours, same, says_locked
from tests.rig.machine import Machine, State
from tests.rig.rig import COMPANION, RECORD, RESUME, SETTINGS, Rig, companion, restarts
from tests.rig.test_round import sounded_to_the_end, wait_for_zero

STICK = "/media/COMPANION"
WAY_TO_THE_STICK = {
    "past-matches": (563, 222),
    "past-match": (400, 98),
    "export": (328, 434),
}
"""The screens from home to the sticks for a match, each with the place whose touch leads to it."""

FIRST_STICK = (200, 136)

SETTINGS_KEY_TURNED = (602, 120)
"""Where home has its key Settings on a screen that is turned by 90 degrees, in pixels of it."""

SOUND_DRIVER = "/sys/bus/pci/drivers/snd_hda_intel"


CARD, CARD_ERRORS = "/card.img", "/sys/fs/ext4/loop0/trigger_fs_error"
"""A card of its own for the record, and where its file system is told that it has an error."""


def put_record_on_a_card(machine: Machine) -> None:
    """The record's folder gets a file system of its own, which an error makes read-only.

    An error on the system's own card would end the machine: then no program starts any more.
    """
    folder = Path(RECORD).parent
    machine.run(
        f"systemctl stop companion; truncate -s 64M {CARD}; mkfs.ext4 -q {CARD}; "
        f"mount -o loop {CARD} /mnt; cp -a {folder}/. /mnt/; umount /mnt; "
        f"mount -o loop,errors=remount-ro {CARD} {folder}; test -e {CARD_ERRORS}; "
        "systemctl start companion; sleep 5"
    )


def test_a_card_that_becomes_read_only_is_said(rig: Rig, at_ready: State) -> None:
    """As the kernel makes a worn card in the middle of a match, after an error of its file system.

    Nothing is confirmed from then on, the app that is started on it says so on its first screen,
    and with a card that is whole again the match goes on.
    """
    machine = rig.at(at_ready)
    put_record_on_a_card(machine)
    screen, pins = rig.screen(machine), rig.pins(machine)
    home = screen.picture("home")
    screen.touch(*RESUME)
    before = screen.wait_for_change("before", home, at=TITLE_AT)
    machine.run(f"echo worn >{CARD_ERRORS}; ! touch {Path(RECORD).parent}/x")
    pins.press("button_ready_1")
    screen.wait_for_change("read-only", before)
    machine.run("sleep 5")
    screen.picture("read-only-later")
    assert restarts(machine) == "0"
    rig.saw("said on the screen, the app goes on")
    machine.run("systemctl restart companion; sleep 5")
    assert not same(screen.picture("started-on-it"), home)
    rig.keep("journal.txt", machine.run("journalctl -b --no-pager -u companion"))
    rig.saw("started on it, the first screen says so")
    folder = Path(RECORD).parent
    machine.run(
        f"systemctl stop companion; umount {folder}; e2fsck -fy {CARD}; test $? -le 1 && "
        f"mount -o loop {CARD} {folder} && systemctl start companion; sleep 5"
    )
    again = screen.picture("whole-again")
    assert not rig.jaws_are_ready(machine)
    screen.touch(*RESUME)
    screen.wait_for_change("resumed", again, at=TITLE_AT)
    pins.press("button_ready_1", "button_ready_2")
    wait_for_zero(machine)
    assert rig.jaws_are_ready(machine)
    rig.saw("whole again: nothing was confirmed, Resume leads back, the round is played")


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
    sounded_to_the_end(rig, machine)
    assert restarts(machine) == "0"
    assert says_locked(rig.screen(machine).picture("locked"))
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
    screen.touch(*SETTINGS_KEY_TURNED)
    machine.run("sleep 3")  # a key that is touched looks so first
    settings = screen.wait_for_change("settings", turned)
    for path in (turned, settings):
        with Image.open(path) as shown:
            shown.rotate(270, expand=True).save(path.with_stem(f"{path.stem}-upright"))
    assert not same(settings, turned)
    rig.saw("turned by 90 degrees; a finger on Settings leads there")


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
    screen = rig.screen(machine)
    screen.picture("backed-up")
    rig.saw("the record on the stick, written by the walled service")

    machine.run("systemctl restart companion; sleep 5")
    shown = screen.picture("home")
    for name, place in WAY_TO_THE_STICK.items():
        screen.touch(*place)
        shown = screen.wait_for_change(name, shown, at=TITLE_AT)
    screen.touch(*FIRST_STICK)
    log = machine.wait_for(f"find {STICK} -name match.jsonl | grep .").strip()
    machine.run("sleep 3")
    screen.picture("exported")
    rig.keep("exported.txt", machine.run(f"find '{Path(log).parent}' -type f -ls"))
    for name in ("protocol.txt", "match.html", "sheet.pdf"):
        machine.run(f"test -s '{Path(log).parent}/{name}'")
    taken = companion(
        *("import", str(machine.get(log, rig.folder / "match.jsonl"))),
        *("--record", str(rig.folder / "another-table.sqlite")),
    )
    rig.keep("imported.txt", taken.stdout + taken.stderr)
    assert taken.returncode == 0, taken.stderr
    rig.saw("exported by four touches; another table takes the match in")
