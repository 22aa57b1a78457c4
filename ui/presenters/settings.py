"""Settings: a row each, values as keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.presenters.actions import SetSetting
from ui.presenters.common import Frame, Key, KeyLook
from ui.presenters.new_match import ChoiceRow
from ui.presenters.quiet import BACK, page_keys, pages_of, quiet_frame
from ui.settings import Settings, safe_defaults

if TYPE_CHECKING:
    from companion.offers import Json
    from ui.presenters.situation import Situation
    from ui.presenters.view import View


@dataclass(frozen=True, slots=True)
class SettingsState:
    """Rows a page at a time; `trouble` is the line of a settings file that could not be read."""

    frame: Frame
    rows: tuple[ChoiceRow, ...]
    trouble: str = ""
    page: int = 1
    pages: int = 1


ROWS_A_PAGE = 3
ROWS: tuple[tuple[str, str, tuple[tuple[str, Json], ...], str], ...] = (
    ("theme", "Light", (("Day", "day"), ("Night", "night")), "Paper wins against glare."),
    (
        "palette",
        "Colours",
        (("Standard", "standard"), ("Red-green", "red-green"), ("Blue-yellow", "blue-yellow")),
        "For eyes that tell some colours badly apart.",
    ),
    ("hand", "Hand", (("Right", "right"), ("Left", "left")), "Where the next tap lies."),
    (
        "screen_side",
        "Screen stands",
        (("Near", "near"), ("Left", "left"), ("Far", "far"), ("Right", "right")),
        "The map turns by it.",
    ),
    (
        "face_to_face",
        "Screen lies between the teams",
        (("No", False), ("Yes", True)),
        "The round is shown to both sides.",
    ),
    ("sound", "Sound", (("On", True), ("Off", False)), "Lamps and screen count in any case."),
    (
        "volume",
        "Volume",
        (("20", 20), ("40", 40), ("70", 70), ("100", 100)),
        "Of buzzer and loudspeaker, in percent.",
    ),
    (
        "camera",
        "Camera",
        (("None", ""), ("USB", "usb"), ("Pi camera", "picamera")),
        "Takes effect at the next start.",
    ),
    (
        "pins",
        "Pins",
        (("Raspberry Pi", "lgpio"), ("Mock", "mock"), ("None", "none")),
        "Takes effect at the next start.",
    ),
)
"""Setting, title, values as their keys say them, one line why. Paths are set in the file."""


def present_settings(situation: Situation, view: View) -> SettingsState:
    """The table's settings, each stored as soon as it is touched."""
    shown, page, pages = pages_of(ROWS, view.page, ROWS_A_PAGE)
    return SettingsState(
        quiet_frame(
            situation, view, "SETTINGS", "of this table", keys=(BACK, *page_keys(page, pages))
        ),
        tuple(_row(situation.settings, *row) for row in shown),
        situation.settings_trouble,
        page,
        pages,
    )


def _row(
    settings: Settings, name: str, title: str, values: tuple[tuple[str, Json], ...], why: str
) -> ChoiceRow:
    present = getattr(settings, name)
    keys = tuple(
        Key(
            words,
            SetSetting(name, value),
            look=KeyLook.CHOSEN if value == present else KeyLook.PLAIN,
        )
        for words, value in values
    )
    usual = getattr(safe_defaults(), name)
    if name == "pins":
        here = next(words for words, value in values if value == usual)
        why = f"{why} This machine: {here}."
    changed = present != usual
    return ChoiceRow(title, keys, why, changed=changed)
