"""Cables: the camera and the sensor box are plugged in late, pulled, and others plugged in."""

from __future__ import annotations

from tests.rig.machine import State
from tests.rig.rig import COMPANION, SETTINGS, Rig


def test_the_camera_comes_late_goes_and_comes_back(rig: Rig, at_home: State) -> None:
    """Chosen before it is there; the screen says so, and sees it as soon as it is plugged in."""
    machine = rig.at(at_home)
    camera, screen = rig.camera(machine), rig.screen(machine)
    machine.run("systemctl stop companion")
    machine.write(SETTINGS, 'camera = "/dev/video0"\n', user="pi")
    machine.run("systemctl start companion")
    machine.run("sleep 5")
    absent = screen.picture("not-there-yet")
    camera.plug()
    seen = screen.wait_for_change("plugged-in-late", absent)
    camera.pull()
    pulled = screen.wait_for_change("pulled", seen)
    camera.plug()
    screen.wait_for_change("another-one", pulled)
    rig.keep("companion.log", machine.run("cat /home/pi/.local/state/companion/log/companion.log"))
    assert machine.run("systemctl show -p NRestarts --value companion").strip() == "0"
    rig.saw("late, pulled, another: each said on the screen, the app went on")


def test_a_sensor_box_is_known_by_its_serial_number(rig: Rig, at_home: State) -> None:
    """Two are there: the one that the settings name is taken, and found again after its cable."""
    machine = rig.at(at_home)
    first, second = rig.sensor_boxes(machine, "E6614C311B01", "E6614C311B02")
    first.plug()
    second.plug()
    machine.wait_for("test $(ls /dev/serial/by-id | wc -l) = 2")
    rig.keep("by-id.txt", machine.run("ls -l /dev/serial/by-id; lsusb 2>/dev/null || true"))
    for box in (first, second):
        said = machine.try_to(f"{COMPANION} box monitor {box.serial} --seconds 20", user="pi")
        rig.keep(f"monitor-{box.serial}.txt", said.out + said.err)
        assert said.status == 0, said.err
    second.pull()
    gone = machine.try_to(f"{COMPANION} box monitor {second.serial} --seconds 5", user="pi")
    rig.keep("monitor-pulled.txt", gone.out + gone.err)
    assert gone.status == 1
    assert second.serial in gone.out + gone.err
    second.plug()
    back = machine.try_to(f"{COMPANION} box monitor {second.serial} --seconds 20", user="pi")
    assert back.status == 0, back.err
    rig.saw("two boxes told apart by their numbers, one pulled and found again")
