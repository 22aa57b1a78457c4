"""What the screen says of the camera: what is wrong, and what mends it.

Whatever is wrong with a camera, the table goes on by touch; a camera that comes back is taken
again without a word from anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ui.presenters.common import Device, DeviceState
from vision.camera.source import CameraFault, Trouble


class Words(NamedTuple):
    """What is wrong, as the banner has it, and the way out."""

    alarm: str
    way_out: str


WORDS: Mapping[CameraFault, Words] = {
    CameraFault.MISSING: Words("Camera not found", "Plug it in; until then tell by touch."),
    CameraFault.BUSY: Words("Camera in use", "Close the other program, or tell by touch."),
    CameraFault.UNPLUGGED: Words("Camera unplugged", "Plug it in, any socket; or tell by touch."),
    CameraFault.FROZEN: Words("Camera frozen", "It is opened anew; if not, pull its plug."),
    CameraFault.DARK: Words("Camera in the dark", "Light the lamp, or take its cap off."),
    CameraFault.OTHER_SIZE: Words("Camera gives another size", "Plug it in without a hub."),
    CameraFault.OTHER_CAMERA: Words("Another camera", "Retry takes it; calibrate it when you can."),
    CameraFault.ENDED: Words("Film at its end", "Retry begins it anew."),
    CameraFault.FAILED: Words("Camera failed", "It is opened anew; if not, pull its plug."),
    CameraFault.UNHEARD: Words("Sight is not passed on", "It is tried again; or tell by touch."),
}
"""Two lines beside the title: short enough for the smallest screen."""


def camera_device(state: DeviceState, age_s: float | None, text: str) -> Device:
    """A camera that does what it should, or has not been asked yet."""
    return Device("CAM", state, age_s, "Camera", text)


def troubled_camera(state: DeviceState, age_s: float | None, trouble: Trouble) -> Device:
    """A camera with a fault: the alarm for the banner, the device's own words for the list.

    >>> troubled_camera(DeviceState.LOST, 2.0, Trouble(CameraFault.UNPLUGGED)).alarm
    'Camera unplugged'
    """
    words = WORDS[trouble.fault]
    text = ": ".join(part for part in (words.alarm, trouble.detail) if part)
    return Device("CAM", state, age_s, "Camera", text, words.way_out, words.alarm)


def resting_hand(age_s: float, rests_s: float) -> Device:
    """Something lies over the table for so long that it may be no hand."""
    text = f"something lies over the table, {rests_s:.0f} s by now"
    way_out = "Take it away, Look again, or tell by touch."
    alarm = "A hand rests over the table"
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", text, way_out, alarm)


def seen_twice(age_s: float, label: str) -> Device:
    """Two tokens carry one marker: neither of them can be told from the other."""
    text = f"two tokens are read as {label}, so neither counts"
    way_out = "Take away the one that does not belong."
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", text, way_out, f"Two are {label}")


def moved_boards(age_s: float, told: str) -> Device:
    """Boards that lie elsewhere than before, or a camera that was bumped: said for a while."""
    first, _, way_out = told.partition(": ")
    way_out = f"{way_out[:1].upper()}{way_out[1:]}." if way_out else ""
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", told, way_out, first)
