"""Screen, fonts, pins, signal process, loudspeaker, camera and sensor box."""

from __future__ import annotations

import importlib.util
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from companion.commands.finding import Finding, ok, red, warn
from companion.commands.plans import plans
from companion.core.errors import CameraError, CompanionError, PanelError, PinsMissing
from hardware.panel.deadline import ask_first
from hardware.panel.gpio import open_factory
from hardware.panel.pins import PARTS
from hardware.panel.speaker import NONE, PLAYERS, find_player
from hardware.sensor_box.line import BoxAbsent, BoxBusy, find_ports, open_port
from hardware.sensor_box.sensor_box import SensorBox
from hardware.signals.folder import SignalFolder
from hardware.signals.link import SignalLink, connect
from ui.display import find_display, why_silent
from ui.settings import Settings, is_raspberry_pi
from ui.signals_device import wanted_process
from ui.widgets.fonts import missing_faces
from vision.camera.usb import find_device, usb_devices
from vision.table_file.reading import load_table

PINS_OF_GPIOZERO = "GPIOZERO_PIN_FACTORY"
BOX_S = 3.0
SETTINGS_PINS = "companion   (Settings, Pins: Mock)"


def screen() -> Iterator[Finding]:
    """Whether the touch app could open."""
    display, silent = find_display(os.environ), why_silent(os.environ)
    if silent:
        text = f"{silent}; the demonstration plays in the terminal"
        yield warn("screen", text, "unset DISPLAY WAYLAND_DISPLAY   (or start that desktop)")
    elif display is not None:
        yield ok("screen", str(display))
    else:
        text = "none: `companion` plays the demonstration in the terminal"
        mend = "sudo usermod -aG video,render,input $USER   (a Pi without a desktop; log in again)"
        yield warn("screen", text, mend)


def fonts() -> Iterator[Finding]:
    """Whether the letters are the ones the screens were drawn for."""
    missing = ", ".join(str(face) for face in missing_faces())
    if missing:
        mend = "sudo apt install fonts-roboto-unhinted fonts-b612"
        yield warn("fonts", f"Kivy's own stands in for: {missing}", mend)
    else:
        yield ok("fonts", "Roboto Condensed and B612")


# -- pins and signals ------------------------------------------------------------------------------


def pins(settings: Settings) -> Iterator[Finding]:
    """The pin factory that was chosen, the pins it drives, and what the environment says."""
    said = os.environ.get(PINS_OF_GPIOZERO, settings.pins)
    if settings.pins == "none":
        yield ok("pins", "none chosen: the screen counts alone")
    elif said != settings.pins:
        text = f"{PINS_OF_GPIOZERO}={said} is set; the companion goes by its settings: "
        yield warn("pins", f"{text}{settings.pins}", f"unset {PINS_OF_GPIOZERO}")
        yield from _factory(settings)
    else:
        yield from _factory(settings)


def _factory(settings: Settings) -> Iterator[Finding]:
    try:
        open_factory(settings.pins).close()
    except PinsMissing as missing:
        yield red("pins", str(missing), "sudo apt install python3-lgpio   (then make run)")
        return
    except PanelError as closed:
        group = "sudo usermod -aG gpio $USER   (then log in again)"
        yield red("pins", str(closed), group if is_raspberry_pi() else SETTINGS_PINS)
        return
    wired = sum(getattr(settings.panel.plan, part) is not None for part in PARTS)
    if settings.pins == "mock" and is_raspberry_pi():
        text = "mock pins on a Pi: lamps and buzzer on its header stay silent"
        yield warn("pins", text, "companion   (Settings, Pins: Raspberry Pi)")
    else:
        yield ok("pins", f"pin factory {settings.pins}, {wired} of {len(PARTS)} parts wired")


def signals() -> Iterator[Finding]:
    """The signal process: where it is met, whether it answers, and how punctual it may be."""
    try:
        folder = SignalFolder()
        folder.make()
    except PanelError as nowhere:
        yield red("signals", str(nowhere), "export XDG_RUNTIME_DIR=/run/user/$(id -u)")
        return
    serving = folder.served_by()
    if serving is None:
        yield ok("signals", f"no signal process yet; it will be met in {folder.path}")
        yield from _real_time(_refusal())
        return
    try:
        link = connect(folder, lambda _link, _line: None, lambda _link: None)
    except PanelError as silent:
        text = f"the signal process {serving} does not answer: {silent}"
        yield red("signals", text, f"kill -9 {serving}   (the app starts another)")
        return
    if link is None:
        text = f"the signal process {serving} lets nobody in at {folder.socket}"
        yield red("signals", text, f"kill -9 {serving}   (the app starts another)")
        return
    yield from _serving(link)


def _serving(link: SignalLink) -> Iterator[Finding]:
    hello = link.hello
    trouble, faults = hello.panel.get("trouble"), hello.panel.get("faults")
    link.close()
    if trouble:
        yield red("signals", str(trouble), f"kill {hello.pid}   (the app starts another)")
    else:
        yield ok("signals", f"signal process {hello.pid} serves {hello.pins} pins")
    for button, why in faults.items() if isinstance(faults, dict) else ():
        text = f"the button {button} is {why}: free it, or look at its wire"
        yield red("buttons", text, f"companion doctor   (once GPIO of {button} is free)")
    yield from _real_time(None if hello.real_time else hello.note)


def _refusal() -> str | None:
    """Why real-time scheduling is refused here; asked for by a thread that ends at once."""
    answers: list[str | None] = []
    asking = threading.Thread(target=lambda: answers.append(ask_first()))
    asking.start()
    asking.join()
    return answers[0]


def _real_time(refused: str | None) -> Iterator[Finding]:
    if refused is None:
        yield ok("real time", "granted: the buzzer goes before every other program")
    else:
        text = f"refused ({refused}): under load the buzzer may be some ms late"
        yield warn("real time", text, "companion install   (allows it to the group gpio)")


def loudspeaker(settings: Settings) -> Iterator[Finding]:
    """Whether anything could play a sound, where one is wanted."""
    player = find_player()
    wanted = settings.pins != "none" and wanted_process(settings).player != NONE
    if player != NONE or not wanted:
        text = f"through {player}" if wanted else "not wanted: the buzzer sounds"
        yield ok("loudspeaker", text)
    else:
        text = f"nothing plays sounds here (none of {', '.join(PLAYERS)}): the screen counts alone"
        yield warn("loudspeaker", text, "sudo apt install alsa-utils")


# -- camera and box --------------------------------------------------------------------------------


def camera(settings: Settings) -> Iterator[Finding]:
    """The camera that was chosen, what there is, and the table's file."""
    found = [str(device.stable) for device in usb_devices()]
    if importlib.util.find_spec("picamera2") is not None:
        found.append("Picamera2")
    there = ", ".join(found) or "none"
    missing = _missing_camera(settings.camera)
    if missing:
        yield red("camera", missing, "companion   (Settings, Camera)")
    elif settings.camera:
        yield ok("camera", f"chosen: {settings.camera}; there are: {there}")
    elif found:
        yield warn("camera", f"none chosen; there are: {there}", "companion   (Settings, Camera)")
    else:
        text = "none: the table goes on by touch"
        yield warn("camera", text, "companion see usb   (once a USB camera is plugged in)")
    if settings.table_file:
        yield from _table(Path(settings.table_file))


def _missing_camera(source: str) -> str:
    """Why the chosen camera cannot be used; empty if nothing speaks against it."""
    if source.startswith(("usb", "/dev/")):
        try:
            find_device(source)
        except CameraError as missing:
            return str(missing)
    elif source == "picamera" and importlib.util.find_spec("picamera2") is None:
        return "picamera was chosen, but Picamera2 is not installed"
    elif source and source != "picamera" and not Path(source).expanduser().exists():
        return f"{source} was chosen, and is no camera, film or folder here"
    return ""


def _table(path: Path) -> Iterator[Finding]:
    try:
        load_table(path, plans())
    except (CompanionError, OSError) as wrong:
        text = f"the table's file cannot be used: {wrong}"
        yield red("table", text, f"companion calibrate --out {path}")
    else:
        yield ok("table", str(path))


def box(settings: Settings) -> Iterator[Finding]:
    """The sensor box, where one is wanted or plugged in."""
    try:
        ports = find_ports(settings.box)
        open_port(ports[0]).close()
        yield _heard(ports[0])
    except BoxAbsent as absent:
        wanted = settings.sounds_from == "box" or settings.box
        mend = "companion   (Settings, Sounds come from: Pins; or plug the box in)"
        yield red("box", str(absent), mend) if wanted else ok("box", "none plugged in")
    except BoxBusy as busy:
        yield warn("box", str(busy), "companion doctor   (once that program has ended)")
    except PanelError as closed:
        yield red("box", str(closed), "sudo usermod -aG dialout $USER   (then log in again)")


def _heard(port: str) -> Finding:
    """What the box says of itself, if it says anything within a few seconds."""
    until = time.monotonic() + BOX_S
    with SensorBox(port) as box:
        while (state := box.state()).board == "" and time.monotonic() < until:
            time.sleep(0.05)
    if state.trouble:
        return red("box", state.trouble, "companion box install")
    if not state.board:
        text = f"{port} says nothing that a sensor box would: is its program on it?"
        return red("box", text, "companion box install")
    return ok("box", f"{state.board} on {port}, program {state.firmware}")
