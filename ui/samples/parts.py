"""Parts that the sample states share: devices, bottom keys, sides, the map of Jaws & Paws.

And the screens as they are first opened, where nothing is known yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.board import NO_LOOK, Look, Piece, Pose
from companion.core.offers import Stamp
from companion.games.jaws_and_paws.boards import JAWS_PLANE, LOOKS, PAWS_PLANE, SUN, board_plan
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.referee.referee import Keeping, Referee
from ui.scene import values
from ui.scene.map import MapView
from ui.scene.scene import Situation
from ui.screens import registry
from ui.touch.actions import AskUndo, Panel, Show
from ui.touch.view import View

JAWS, PAWS = values.Side("Jaws", LOOKS["Jaws"]), values.Side("Paws", LOOKS["Paws"])

LIVE = (
    values.Device("CAM", values.DeviceState.LIVE, 0.2, "Camera", "still, 4 boards"),
    values.Device("BOX", values.DeviceState.LIVE, 0.4, "Sensor box", "8 slots"),
    values.Device("PINS", values.DeviceState.LIVE, 0.1, "Lamps, buzzer", "lgpio, tested 13:58"),
)
CAMERA_LOST = (
    values.Device(
        "CAM",
        values.DeviceState.LOST,
        12.4,
        "Camera",
        "usb camera is gone",
        "Plug it in again; the table goes on by touch.",
    ),
    *LIVE[1:],
)
NOTHING_YET = (
    values.Device(
        "CAM",
        values.DeviceState.ABSENT,
        None,
        "Camera",
        "none chosen",
        "Settings, Camera.",
        chosen=False,
    ),
    values.Device("BOX", values.DeviceState.FOUND, None, "Sensor box", "waits for its first word"),
    values.Device("PINS", values.DeviceState.STALE, 6.0, "Lamps, buzzer", "no word for 6.0 s"),
)

STANDING = {JAWS_PLANE: Pose("Paws.GL"), PAWS_PLANE: Pose("Jaws.GC"), SUN: Pose("Jaws.PR")}
MAP = MapView(board_plan(), looks=LOOKS)


def placed(**places: str) -> dict[Piece, Pose]:
    """Where the tokens stand in most samples, with some of them elsewhere."""
    return {**STANDING, **{Piece(piece): Pose(space) for piece, space in places.items()}}


def go(label: str, second: str = "", sign: str = "next") -> values.Key:
    """A next tap."""
    return values.Key(label, AskUndo(), second, sign, values.KeyLook.GO)


BASE_KEYS = (
    values.Key("Undo", AskUndo(), sign="undo"),
    values.Key("Log", Show(Panel.LOG), sign="log"),
    values.Key("Arbiter", Show(Panel.ARBITER), sign="arbiter"),
)


def frame(  # noqa: PLR0913 - a frame has these parts
    title: str,
    where: str = "",
    *,
    message: values.Message | None = None,
    next_key: values.Key | None = None,
    keys: Sequence[values.Key] = BASE_KEYS,
    devices: Sequence[values.Device] = LIVE,
    refusal: values.Alert | None = None,
    banner: values.Alert | None = None,
    wide: bool = False,
) -> values.ScreenFrame:
    """Everything around a sample's body."""
    bottom = values.Bottom(tuple(keys), message or values.Message(), next_key, wide)
    return values.ScreenFrame(values.TopBar(title, where, tuple(devices)), bottom, refusal, banner)


def row(
    labels: Sequence[str], signs: Sequence[str] = (), at_row: int = 0
) -> tuple[values.PadKey, ...]:
    """Keys side by side; `signs` from the first on."""
    padded = (*signs, *("" for _ in labels[len(signs) :]))
    return tuple(
        values.PadKey(values.Key(label, AskUndo(), sign=sign), at_row, column)
        for column, (label, sign) in enumerate(zip(labels, padded, strict=True))
    )


def group(
    title: str, note: str, labels: Sequence[str], signs: Sequence[str] = (), tint: Look = NO_LOOK
) -> values.PadGroup:
    """A group of one row, with the drawing of its look."""
    return values.PadGroup(title, note, row(labels, signs), tint.sign, tint)


LOST_BANNER = values.Alert(
    "Camera lost 12 s ago",
    "The table goes on by touch.",
    "CAM-LOST",
    "",
    key=values.Key("Retry", AskUndo(), sign="retry"),
)
REFUSED = values.Alert(
    "Not taken: Paws 3 was empty",
    "Touch No card, or correct the lock.",
    "JP-E60",
    "JP-9.1",
)


def with_first_opened(
    samples: Mapping[str, registry.ScreenState],
) -> dict[str, registry.ScreenState]:
    """These samples, and every screen as a touch first opens it, named after its panel.

    So a new screen has a sample by its row in the registry alone. What looks like one of the
    samples, or bears its name, is not there twice.
    """
    found = dict(samples)
    for screen in registry.SCREENS:
        for panels, situation in ((screen.beside, Situation(0.0)), (screen.above, _begun())):
            for panel in panels:
                opened = registry.present(situation, View().opened(panel))
                if panel not in found and opened not in found.values():
                    found[panel] = opened
    return found


def _begun() -> Situation:
    """A match that has just begun, at a table without devices."""

    def stamp(author: str, now: float) -> Stamp:
        return Stamp(author, "2026-11-21T14:00:00Z", now)

    match = Match[Any].start(Setup("jaws-and-paws"), stamp("Ana", 0.0))
    return Situation(0.0, referee=Referee(match, Keeping(list), stamp))
