"""Settings: a row for each setting of the table's file, with its values as keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.round_clock import LAMPS_S
from hardware.panel.pins import HEADER_PINS, PARTS
from ui.scene.scene import BACK, IN_ORDER, RESTART, page_keys, pages_of, quiet_frame
from ui.scene.values import Frame, Key, KeyLook, Mark, Message, Refusal
from ui.screens.beside.new_match import ChoiceRow, choice_rows
from ui.screens.page import Page, Parts
from ui.table.settings import NO_PIN, Settings, safe_defaults
from ui.table.settings_file import choices_of
from ui.touch.actions import SetSetting

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from ui.scene.scene import Situation
    from ui.touch.view import View


Values = tuple[tuple[str, "Json"], ...]
"""What keys say, and the values they set."""


@dataclass(frozen=True, slots=True)
class SettingsState:
    """Rows a page at a time; `trouble` is the line of a settings file that could not be read."""

    frame: Frame
    rows: tuple[ChoiceRow, ...]
    trouble: str = ""
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting by its whole name: title, the keys beside its present value, one line why."""

    name: str
    title: str
    values: Callable[[Settings], Sequence[Key]]
    why: str


ROWS_A_PAGE = 3
NEXT_START = "Takes effect at the next start."
STEP = 10
LONGEST_PATH = 44
"""Letters of a path that fit into its row's line, counted from its end."""


def present_settings(situation: Situation, view: View) -> SettingsState:
    """The table's settings, each stored as soon as it is touched."""
    shown, page, pages = pages_of(ROWS, view.page, ROWS_A_PAGE)
    turning = page_keys(page, pages, words=IN_ORDER)
    waiting = _waiting_titles(situation)
    message = Message("Counts at the next start:" if waiting else "", ", ".join(waiting))
    keys = (BACK, *turning, *((RESTART,) if waiting else ()))
    return SettingsState(
        quiet_frame(situation, view, "SETTINGS", "of this table", keys=keys, message=message),
        tuple(_row(situation.settings, row) for row in shown),
        situation.settings_trouble,
        page,
        pages,
    )


def _waiting_titles(situation: Situation) -> list[str]:
    """What was changed since the app was started and counts only when it is started again."""
    now, then = situation.settings, situation.started_with or situation.settings
    return [
        row.title
        for row in ROWS
        if NEXT_START in row.why and _value(now, row.name) != _value(then, row.name)
    ]


def _row(settings: Settings, row: SettingRow) -> ChoiceRow:
    usual = _value(safe_defaults(), row.name)
    why = row.why
    if row.name == "pins":
        here = next(words for words, value in PIN_WORDS if value == usual)
        why = f"{why} This machine: {here}."
    value = _value(settings, row.name)
    changed = value != usual
    if isinstance(value, str) and "/" in value:
        why = f"{value if len(value) <= LONGEST_PATH else f'…{value[-LONGEST_PATH:]}'}. {why}"
    return ChoiceRow(row.title, tuple(row.values(settings)), why, changed=changed)


def _value(settings: Settings, name: str) -> Any:
    return dict(settings.leaves())[name]


# -- keys ------------------------------------------------------------------------------------------


def _few(name: str, values: Values, settings: Settings) -> Sequence[Key]:
    """A key for every value, the present one chosen."""
    present = _value(settings, name)
    return [_key(name, words, value, chosen=value == present) for words, value in values]


def _offered(name: str, settings: Settings) -> Sequence[Key]:
    """A key for what this machine has, and for what is set now."""
    return _few(name, choices_of(name, _value(settings, name)), settings)


def _percent(name: str, settings: Settings) -> Sequence[Key]:
    """Less, as it is, more."""
    present: int = _value(settings, name)
    less, more = max(0, present - STEP), min(100, present + STEP)
    return (
        _step(name, f"- {STEP}", less, present),
        _key(name, f"{present} %", present, chosen=True),
        _step(name, f"+ {STEP}", more, present),
    )


def _pin(name: str, settings: Settings) -> Sequence[Key]:
    """None, the free pin below, as it is, the free pin above; free pins carry nothing yet."""
    present: int | str = _value(settings, name)
    free = settings.panel.plan.free
    at = present if isinstance(present, int) else -1
    lower = max((pin for pin in free if pin < at), default=None)
    upper = min((pin for pin in free if pin > at), default=None)
    here = () if present == NO_PIN else (_key(name, f"GPIO {at}", at, _counted(at), chosen=True),)
    return (
        _key(name, "None", NO_PIN, chosen=present == NO_PIN),
        _to_pin(name, "left", lower),
        *here,
        _to_pin(name, "right", upper),
    )


def _to_pin(name: str, sign: str, pin: int | None) -> Key:
    if pin is None:
        return Key("-", None, "no pin is free", sign, KeyLook.IMPOSSIBLE)
    return Key(f"GPIO {pin}", SetSetting(name, pin), _counted(pin), sign)


def _counted(pin: int) -> str:
    return f"header pin {HEADER_PINS[pin]}"


def _step(name: str, words: str, value: int, present: int) -> Key:
    if value == present:
        return Key(words, None, "", look=KeyLook.IMPOSSIBLE)
    return _key(name, words, value, chosen=False)


def _key(name: str, words: str, value: Json, second: str = "", *, chosen: bool) -> Key:
    look = KeyLook.CHOSEN if chosen else KeyLook.PLAIN
    return Key(words, SetSetting(name, value), second, look=look)


# -- the rows --------------------------------------------------------------------------------------


def _one_of(name: str, title: str, values: Values, why: str) -> SettingRow:
    return SettingRow(name, title, partial(_few, name, values), why)


def _offer(name: str, title: str, why: str) -> SettingRow:
    return SettingRow(name, title, partial(_offered, name), why)


def _part(part: str, title: str) -> SettingRow:
    name = f"panel.{part}"
    return SettingRow(
        name, title, partial(_pin, name), f"hardware/wiring.md draws it. {NEXT_START}"
    )


ON_OFF: Values = (("On", True), ("Off", False))
PIN_WORDS: Values = (("Raspberry Pi", "lgpio"), ("Mock", "mock"), ("None", "none"))
PART_TITLES = (
    "Buzzer's pin",
    *(f"Lamp at {at_s:g} s" if at_s else "Lamp at zero" for at_s in LAMPS_S),
    "Ready button, first team",
    "Ready button, second team",
    "Challenge button, first team",
    "Challenge button, second team",
    "Referee's button",
)

ROWS: tuple[SettingRow, ...] = (
    _one_of("theme", "Light", (("Day", "day"), ("Night", "night")), "Paper wins against glare."),
    _one_of(
        "palette",
        "Colours",
        (("Standard", "standard"), ("Red-green", "red-green"), ("Blue-yellow", "blue-yellow")),
        "For eyes that tell some colours badly apart.",
    ),
    _one_of("hand", "Hand", (("Right", "right"), ("Left", "left")), "Where the next tap lies."),
    _one_of(
        "screen_side",
        "Screen stands",
        (("Near", "near"), ("Left", "left"), ("Far", "far"), ("Right", "right")),
        "The map turns by it.",
    ),
    _one_of(
        "face_to_face",
        "Screen lies between the teams",
        (("No", False), ("Yes", True)),
        "The round is shown to both sides.",
    ),
    _one_of(
        "rotation",
        "Picture turned by",
        (("0°", 0), ("90°", 90), ("180°", 180), ("270°", 270)),
        f"Touches turn with it. {NEXT_START}",
    ),
    _one_of("sound", "Sound", ON_OFF, "Lamps and screen count in any case."),
    SettingRow("volume", "Volume", partial(_percent, "volume"), "Of buzzer and loudspeaker."),
    _one_of("silent", "Silent mode", ON_OFF, "For a quiet club: lamps flash instead of sounds."),
    _one_of(
        "loudspeaker",
        "Loudspeaker",
        (("Where no buzzer is", "auto"), ("Always", "always"), ("Never", "never")),
        NEXT_START,
    ),
    SettingRow("brightness", "Brightness", partial(_percent, "brightness"), "Of the lamps."),
    _one_of(
        "sounds_from",
        "Sounds come from",
        (("Pins", "pins"), ("Sensor box", "box")),
        f"One of them keeps the deadline. {NEXT_START}",
    ),
    _offer("box", "Sensor box", NEXT_START),
    _offer("camera", "Camera", NEXT_START),
    _offer("table_file", "Table file", f"What `companion calibrate` wrote. {NEXT_START}"),
    _offer("record", "Matches are kept on", NEXT_START),
    _one_of("pins", "Pins", PIN_WORDS, NEXT_START),
    _one_of(
        "panel.buzzer_kind",
        "Buzzer",
        (("Beeps by itself", "active"), ("Bare disc", "tone")),
        f"A bare piezo disc is given a tone of its own for each sound. {NEXT_START}",
    ),
    *(_part(part, title) for part, title in zip(PARTS, PART_TITLES, strict=True)),
)
"""Every setting there is, in the order in which people look for them."""


# Layout.


def layout(state: SettingsState, page: Page) -> Parts:
    """Rows; above them what could not be read, if anything."""
    body = page.body
    refusal = state.frame.refusal
    if refusal is None and state.trouble:
        refusal = Refusal(state.trouble, "The built-in settings hold meanwhile.", "", "", Mark.WARN)
    rows = state.rows
    if refusal is not None:
        yield from page.refusal(body.top(96), refusal)
        body = body.below(104)
        rows = rows[:2]
    yield from choice_rows(body, rows, page.theme)
    yield from page.around(state.frame, pages=(state.page, state.pages))
