"""Parts that the sample states share: devices, bottom keys, sides, the map of Jaws & Paws."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.board import NO_LOOK, Look, Piece, Pose
from companion.games.jaws_and_paws.boards import JAWS_PLANE, LOOKS, PAWS_PLANE, SUN, board_plan
from ui.scene.map import MapView
from ui.scene.values import (
    Bottom,
    Device,
    DeviceState,
    Frame,
    Key,
    KeyLook,
    Message,
    PadGroup,
    PadKey,
    Refusal,
    Side,
    TopBar,
)
from ui.touch.actions import AskUndo, Panel, Show

JAWS, PAWS = Side("Jaws", LOOKS["Jaws"]), Side("Paws", LOOKS["Paws"])

LIVE = (
    Device("CAM", DeviceState.LIVE, 0.2, "Camera", "still, 4 boards"),
    Device("BOX", DeviceState.LIVE, 0.4, "Sensor box", "8 slots"),
    Device("PINS", DeviceState.LIVE, 0.1, "Lamps, buzzer", "lgpio, tested 13:58"),
)
CAMERA_LOST = (
    Device(
        "CAM",
        DeviceState.LOST,
        12.4,
        "Camera",
        "usb camera is gone",
        "Plug it in again; the table goes on by touch.",
    ),
    *LIVE[1:],
)
NOTHING_YET = (
    Device("CAM", DeviceState.ABSENT, None, "Camera", "none chosen", "Settings, Camera."),
    Device("BOX", DeviceState.FOUND, None, "Sensor box", "waits for its first word"),
    Device("PINS", DeviceState.STALE, 6.0, "Lamps, buzzer", "no word for 6.0 s"),
)

STANDING = {JAWS_PLANE: Pose("Paws.GL"), PAWS_PLANE: Pose("Jaws.GC"), SUN: Pose("Jaws.PR")}
MAP = MapView(board_plan(), looks=LOOKS)


def placed(**places: str) -> dict[Piece, Pose]:
    """Where the tokens stand in most samples, with some of them elsewhere."""
    return {**STANDING, **{Piece(piece): Pose(space) for piece, space in places.items()}}


def go(label: str, second: str = "", sign: str = "next") -> Key:
    """A next tap."""
    return Key(label, AskUndo(), second, sign, KeyLook.GO)


BASE_KEYS = (
    Key("Undo", AskUndo(), sign="undo"),
    Key("Log", Show(Panel.LOG), sign="log"),
    Key("Arbiter", Show(Panel.ARBITER), sign="arbiter"),
)


def frame(  # noqa: PLR0913 - a frame has these parts
    title: str,
    where: str = "",
    *,
    message: Message | None = None,
    next_key: Key | None = None,
    keys: Sequence[Key] = BASE_KEYS,
    devices: Sequence[Device] = LIVE,
    refusal: Refusal | None = None,
    banner: Refusal | None = None,
    wide: bool = False,
) -> Frame:
    """Everything around a sample's body."""
    bottom = Bottom(tuple(keys), message or Message(), next_key, wide)
    return Frame(TopBar(title, where, tuple(devices)), bottom, refusal, banner)


def row(labels: Sequence[str], signs: Sequence[str] = (), at_row: int = 0) -> tuple[PadKey, ...]:
    """Keys side by side; `signs` from the first on."""
    padded = (*signs, *("" for _ in labels[len(signs) :]))
    return tuple(
        PadKey(Key(label, AskUndo(), sign=sign), at_row, column)
        for column, (label, sign) in enumerate(zip(labels, padded, strict=True))
    )


def group(
    title: str, note: str, labels: Sequence[str], signs: Sequence[str] = (), tint: Look = NO_LOOK
) -> PadGroup:
    """A group of one row, with the drawing of its look."""
    return PadGroup(title, note, row(labels, signs), tint.sign, tint)


LOST_BANNER = Refusal(
    "Camera lost 12 s ago",
    "The table goes on by touch.",
    "CAM-LOST",
    "",
    key=Key("Retry", AskUndo(), sign="retry"),
)
REFUSED = Refusal(
    "Not taken: Paws 3 was empty",
    "Touch No card, or correct the lock.",
    "JP-E60",
    "JP-9.1",
)
