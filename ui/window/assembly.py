"""The touch app put together as the table's settings say: record, camera, signals, window.

It is imported behind the window's first frame (`ui.window.opening`), so it may load what it needs;
what only some tables need (a camera, pins, the demonstration) is loaded where it is wanted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from companion.core.errors import CompanionError, PanelError
from companion.games import USUAL_BOX
from companion.record.meanwhile import is_in_memory, open_or_stand_in, stand_ins
from companion.record.store import is_url
from ui.screens.beside.trouble import TroubleState
from ui.table.club import ClubCarrier, HomeComing, ServerWatch, open_soon
from ui.table.exchange import Makers
from ui.table.settings_file import SettingsFile
from ui.table.stick_backup import StickBackup
from ui.table.table import Table
from ui.table.voice import TableVoice
from ui.window.app import run
from ui.window.appliance import Service, keep_log
from ui.window.counter import SeasonCounter
from ui.window.operator import Operator

if TYPE_CHECKING:
    from hardware.signals.client import SignalClient
    from ui.demo.demo import Demonstration
    from ui.table.camera_watch import CameraWatch
    from ui.table.eyes import TableEyes
    from ui.table.previews import CameraPreviews
    from ui.table.settings import Settings
    from ui.window.opening import Opening
    from vision.camera.camera import Camera

PREVIEW_PX = (640, 480)


def open_app(place: str | None, service: Service, opening: Opening) -> int:
    """Open the record and whatever the settings name; stay until the window is closed.

    Returns the exit status, 0.
    """
    keep_log()
    file = SettingsFile.load()
    own = str(place or file.settings.record_place)
    opened = open_or_stand_in(own, stand_ins(), open_soon)
    record = opened.record
    for said in (*record.said, *opened.said, opened.why, str(record.read_only or ""), file.trouble):
        _tell(said)
    trouble = None
    if opened.why:
        lost = is_in_memory(record)
        trouble = TroubleState.meanwhile(opened.why, record.name, in_memory=lost)
    eyes = _eyes(file)
    watch = _watch(file.settings, eyes)
    table = Table(
        record,
        file,
        watch=watch,
        eyes=eyes,
        signals=_signals(file.settings),
        makers=Makers(_eyes, _watch, _signals, _previews()),
    )
    _speak_and_back_up(table, own)
    if watch is not None:
        watch.start()
    operator = Operator(table, partial(_demonstration, place))
    run(operator, service=service, opening=opening, trouble=trouble)
    if operator.restarting and not service.is_awaited:  # systemd starts a service again by itself
        start_again(sys.argv[1:])
    return 0


def _speak_and_back_up(table: Table, own: str) -> None:
    """What the app does beside the match, where settings want it; `own` names its record."""
    table.speak_by(TableVoice(table.settings))
    if is_url(table.record.name):
        table.go_beside(HomeComing(own, stand_ins()))
    else:
        place = Path(table.record.name)
        table.go_beside(StickBackup(place, lambda: table.settings.backup_stick))
        table.go_beside(ClubCarrier(str(place), lambda: table.settings.club))
        table.go_beside(SeasonCounter(str(place)))
        if is_url(own):
            table.go_beside(ServerWatch(own))
    if table.settings.live:
        from ui.live.feed import LiveShow

        try:
            table.show_by(LiveShow(table.settings.live, table.settings.live_broker))
        except CompanionError as wrong:
            _tell(str(wrong))


def start_again(arguments: Sequence[str]) -> NoReturn:
    """Run the command anew in place of this process, which has closed what it had open."""
    os.execv(sys.executable, [sys.executable, "-m", "companion", *arguments])  # noqa: S606


def _demonstration(place: str | None) -> Demonstration:
    from ui.demo.demo import DemoCall, Demonstration

    demonstration = Demonstration(DemoCall(record=place or ""))
    demonstration.watch.start()
    return demonstration


def _signals(settings: Settings) -> SignalClient | None:
    """What sounds; where it cannot be had the table goes on and its state says why."""
    by_box = settings.sounds_from == "box"
    if settings.pins == "none" and not by_box:
        return None
    from hardware.sensor_box.sensor_box import SensorBox
    from hardware.sensor_box.traffic import kept_in
    from hardware.signals.both import BothSignals
    from hardware.signals.folder import SignalFolder
    from hardware.signals.process import Wanted
    from ui.table.signals import wanted_process

    silent = Wanted("mock", speaker="none")  # keeps the rounds; nothing but the box sounds
    wanted = silent if settings.pins == "none" else wanted_process(settings)
    box = SensorBox(settings.box, opener=kept_in(SignalFolder().path / "box-traffic.jsonl"))
    client = BothSignals(wanted, box, box_sounds=by_box)
    box.start()
    try:
        client.connect()
    except PanelError as missing:
        _tell(str(missing))
    return client


def _eyes(file: SettingsFile) -> TableEyes:
    """The table's own file: the one that the settings name, else the one beside them."""
    from ui.table.eyes import TableEyes
    from ui.terminal.setting_up import plan_of, plans

    named, today = file.settings.table_file, lambda: f"{datetime.now().astimezone():%Y-%m-%d}"
    return TableEyes(file.path.parent, named, plans(), plan_of(USUAL_BOX), tell=_tell, day=today)


def _watch(settings: Settings, eyes: TableEyes) -> CameraWatch | None:
    """The chosen camera before the table; none chosen, and the table goes on by touch."""
    if not settings.camera:
        return None
    from ui.table.camera_watch import CameraWatch
    from vision.camera.source import CameraSource, open_played

    trackers, source = eyes.trackers, CameraSource(settings.camera, opener=open_played)
    return CameraWatch(source, trackers.for_camera, tracker_of=trackers.of)


def _previews() -> CameraPreviews:
    """Whatever camera is plugged in, to be looked at and chosen."""
    from ui.table.previews import CameraPreviews, plugged_in

    has_pi_camera = find_spec("picamera2") is not None

    def opens(source: str) -> Camera:
        from vision.camera.camera import open_camera

        return open_camera(source, size_px=PREVIEW_PX)

    return CameraPreviews(partial(plugged_in, pi_camera=has_pi_camera), opens)


def _tell(text: str) -> None:
    if text:
        print(f"companion: {text}", file=sys.stderr)  # noqa: T201 - this is the terminal
