"""From the README's set-up to an app that is there by itself, and away again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.rig.hands import TITLE_AT, colours, same, script
from tests.rig.machine import Machine, State
from tests.rig.rig import COMPANION, LOG, RECORD, SETTINGS, Rig, restarts
from tests.rig.test_touch import WAY

PLAY_ON = (690, 434)
LATER_S = 3.5
"""So much later than without a server the first screen may stand: its patience, and its driver."""

PAGE = Path(__file__).parents[2] / "hardware" / "README.md"


def commands_of_the_page() -> list[str]:
    """What the README tells to type for an appliance, line by line."""
    block = PAGE.read_text("utf-8").partition("## As an appliance")[2].split("```")[1]
    return [line.partition("#")[0].strip() for line in block.strip().splitlines()]


def test_the_page_alone_makes_an_appliance(rig: Rig) -> None:
    """Its commands as they stand there, typed by pi; nothing else is done to the machine."""
    machine = rig.fresh()
    machine.run("systemctl set-default multi-user.target")  # so Raspberry Pi OS Lite has it
    begin = "cd ~/dogfight-companion && make set-up-run && export PATH=$PWD/.venv/bin:$PATH"
    typed = [machine.run(f"{begin} && {line}", user="pi") for line in commands_of_the_page()]
    rig.keep("typed.txt", "\n".join(typed))
    power = rig.power(machine)
    machine.switch_off()
    machine = power.back()
    machine.wait_for("systemctl is-active companion")
    machine.run("sleep 5")
    turned = rig.screen(machine).picture("turned")
    assert colours(turned) > 100
    with Image.open(turned) as shown:
        shown.rotate(270, expand=True).save(turned.with_name("upright.png"))
    process = machine.run("systemctl show -p MainPID --value companion").strip()
    assert machine.run(f"stat -c %U /proc/{process}").strip() == "pi"
    assert restarts(machine) == "0"
    rig.saw(f"{len(typed)} lines typed, started anew: the app is there, turned, as pi")


SERVER = "postgresql://club:geheim@127.0.0.1:{}/club"
SILENT_PORT = 5432

BROKEN = {
    "torn-settings": 'theme = "night"\nrecord = "',
    "record-is-a-number": "record = 5",
    "record-in-no-folder": 'record = "/proc/none/matches.sqlite"',
    "server-refuses": f'record = "{SERVER.format(1)}"',
}


def test_the_app_starts_with_whatever_it_has(rig: Rig, at_home: State) -> None:
    """No settings file and no record keep it from its screen, which says what is wrong."""
    machine = rig.at(at_home)
    screen = rig.screen(machine)
    whole = screen.picture("whole")
    for name, text in BROKEN.items():
        machine.run("systemctl stop companion")
        machine.write(SETTINGS, f"{text}\n", user="pi")
        machine.run("systemctl start companion; sleep 5")
        shown = screen.picture(name)
        assert colours(shown) > 100, name
        assert not same(shown, whole), f"{name}: the screen says nothing of it"
        assert restarts(machine) == "0", name
    journal = machine.run("journalctl -b --no-pager -u companion")
    rig.keep("journal.txt", journal)
    assert "geheim" not in journal
    rig.saw(f"{len(BROKEN)} broken files and places: each said on the screen, no restart")


def test_a_server_that_never_answers_keeps_nobody_waiting(rig: Rig, at_home: State) -> None:
    """It takes the connection and says nothing: the app says so soon, and a match begins.

    Then nobody listens there any more: that is said, too, and the match goes on.
    """
    machine = rig.at(at_home)
    screen = rig.screen(machine)
    without = began_anew(machine)
    listen = f"import socket, time; one = socket.create_server(('127.0.0.1', {SILENT_PORT})); "
    machine.start("rig-silent", f'exec python3 -c "{listen} time.sleep(9e9)"')
    machine.write(SETTINGS, f'record = "{SERVER.format(SILENT_PORT)}"\n', user="pi")
    with_it = began_anew(machine)
    rig.saw(f"on the screen after {with_it:.1f} s, without a server after {without:.1f} s")
    trouble = screen.picture("trouble")
    assert with_it - without < LATER_S
    screen.touch(*PLAY_ON)
    shown = screen.wait_for_change("home", trouble, at=TITLE_AT)
    for name, place in list(WAY.items())[:3]:
        screen.touch(*place)
        shown = screen.wait_for_change(name, shown, at=TITLE_AT, rests=False)
    elsewhere = Path(RECORD).with_name("meanwhile.sqlite")
    listed = machine.run(f"{COMPANION} matches --record {elsewhere}", user="pi")
    rig.keep("matches.txt", listed)
    assert "jaws-and-paws" in listed
    rig.saw("said; a match begins and is kept elsewhere")

    machine.run("systemctl stop rig-silent")
    began_anew(machine)
    refused = screen.picture("refused")
    assert not same(refused, trouble)
    screen.touch(*PLAY_ON)
    screen.wait_for_change("home-offers-the-match", refused, at=TITLE_AT)
    assert restarts(machine) == "0"
    journal = machine.run("journalctl -b --no-pager -u companion")
    rig.keep("journal.txt", journal)
    assert "does not answer within" in journal
    assert "geheim" not in journal + machine.run(f"cat {LOG}")
    rig.saw("one that refuses: said, and the match of before goes on; no restart by itself")


def began_anew(machine: Machine) -> float:
    """Start the app anew; how long until its first screen, s of the machine's own."""
    machine.run("systemctl restart companion; systemctl is-active companion; sleep 5")
    begun, there = times_of_start(machine)
    return there - begun


def times_of_start(machine: Machine) -> tuple[float, float]:
    """When systemd began the app and when it was on the screen: s since the kernel began."""
    names = ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    shown = (machine.run(f"systemctl show -p {name} --value companion") for name in names)
    begun, there = (int(us) / 1e6 for us in shown)
    return begun, there


def test_after_a_reboot_the_app_is_on_the_screen_by_itself(rig: Rig, at_home: State) -> None:
    """Installed as the README tells and started anew: no keyboard, no X, nobody logged in."""
    machine = rig.at(at_home)
    picture = rig.screen(machine).picture("after-the-reboot")
    assert colours(picture) > 100, "the screen is black or shows a console"
    rig.keep("status.txt", machine.run("systemctl status --no-pager companion"))
    rig.keep("journal.txt", machine.run("journalctl -b -o short-monotonic -u companion"))
    told = machine.run("systemctl show companion -p ActiveState,NRestarts,WatchdogUSec,MainPID")
    state = dict(line.split("=", 1) for line in told.splitlines())
    assert (state["ActiveState"], state["NRestarts"]) == ("active", "0")
    assert state["WatchdogUSec"] not in ("0", "infinity"), "nobody watches it"
    rig.saw("active at the first try and watched")

    begun, there = times_of_start(machine)
    rig.saw(f"{there:.1f} s after the kernel began, {there - begun:.1f} s of them the app's own")

    process = state["MainPID"]
    assert machine.run(f"stat -c %U /proc/{process}").strip() == "pi"
    ids = machine.run(f"sed -n 's/^Groups://p' /proc/{process}/status").split()
    groups = set(machine.run(f"getent group {' '.join(ids)} | cut -d: -f1").split())
    assert {"gpio", "video", "render", "input", "audio", "dialout"} <= groups
    rig.saw("as pi, in the groups of pins, screen, touches, sound and serial lines")

    rooms = "cd /home/pi/dogfight-companion; find companion hardware vision ui"
    sources = machine.run(f"{rooms} -name '*.py' | wc -l")
    assert machine.run(f"{rooms} -name '*.pyc' -user pi | wc -l") == sources
    rig.saw("translated by `companion install`, all of it pi's own")


def test_doctor_says_nothing_that_is_not_true(rig: Rig, at_home: State) -> None:
    """Every part that is there is found; nothing is red where nothing is broken."""
    machine = rig.at(at_home)
    machine.write(SETTINGS, 'pins = "lgpio"\n', user="pi")
    doctor = machine.try_to(f"{COMPANION} doctor", user="pi")
    rig.keep("doctor.txt", doctor.out + doctor.err)
    assert doctor.status == 0, doctor.out
    assert "10 of 10 parts wired" in doctor.out
    rig.saw("all pins found through lgpio, no red line")


def test_uninstall_leaves_records_and_settings(rig: Rig, at_ready: State) -> None:
    """The app is gone with the next start of the machine, the match and the settings are not."""
    machine = rig.at(at_ready)
    settings = machine.run(f"cat {SETTINGS}")
    before = machine.run(f"{COMPANION} matches --json", user="pi")
    said = machine.run(f"{COMPANION} uninstall --user pi")
    rig.keep("uninstall.txt", said)
    assert machine.try_to("systemctl is-active companion").status != 0
    assert machine.try_to("systemctl cat companion").status != 0
    assert machine.run(f"cat {SETTINGS}") == settings
    assert machine.run(f"{COMPANION} matches --json", user="pi") == before
    rig.saw("unit gone, matches and settings as they were")


def test_records_and_settings_go_to_a_newer_build_and_back(rig: Rig, at_home: State) -> None:
    """A match begun under an older build is played to its end under this one, and read by both."""
    machine = rig.at(at_home)
    machine.run("systemctl stop companion")
    if machine.try_to("test -d /home/pi/older/companion").status != 0:
        pytest.skip("the history of the project is not at hand: there is no older build")
    older = "cd ~/older && ~/dogfight-companion/.venv/bin/python -m companion"
    lines = script()
    machine.write("/home/pi/first.txt", "\n".join(lines[:60]) + "\n", user="pi")
    machine.write("/home/pi/rest.txt", "\n".join(lines[60:]) + "\n", user="pi")
    machine.write(SETTINGS, 'theme = "night"\npins = "mock"\nvolume = 40\n', user="pi")
    seats = f"--variant base --seats A=Ana,B=Bo --record {RECORD}"
    machine.run(f"{older} referee dogfight-1917 {seats} --script ~/first.txt", user="pi")
    said = machine.run(
        f"{COMPANION} referee --resume last --record {RECORD} --script ~/rest.txt", user="pi"
    )
    rig.keep("rest.txt", said)
    for build, call in (("newer", COMPANION), ("older", older)):
        for command in ("check", "replay last", "matches --json"):
            ran = machine.try_to(f"{call} {command}", user="pi")
            rig.keep(f"{build}-{command.split()[0]}.txt", ran.out + ran.err)
            assert ran.status == 0, f"{build}: {command}: {ran.err or ran.out}"
    assert '"state": "ended"' in machine.run(f"{older} matches --json", user="pi")
    rig.saw("begun under the older, ended under this one, sound for both")
