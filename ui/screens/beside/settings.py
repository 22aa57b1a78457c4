"""Settings on three pages, by what people want: screen and sound, the camera, pins and box.

A setting works as soon as it is touched. A camera is chosen from its picture as it is seen now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from hardware.panel.pins import HEADER_PINS, LAMPS_S, PARTS
from ui.scene.scene import BACK, IN_ORDER, RESTART, Situation, page_keys, pages_of, quiet_frame
from ui.scene.theme import Caps, Colour, Face, Reach, Theme
from ui.scene.values import Alert, Key, KeyLook, Mark, Message, Picture, ScreenFrame
from ui.screens.beside.new_match import ChoiceRow
from ui.screens.page import Page, Parts
from ui.table.settings import NO_PIN, Settings, safe_defaults
from ui.table.settings_file import choices_of
from ui.touch.actions import Panel, SetSetting, Show
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from ui.table.previews import CameraSeen
    from ui.touch.view import View


Values = tuple[tuple[str, "Json"], ...]
"""What keys say, and the values they set."""


class SettingsPage(StrEnum):
    """What people come for."""

    LOOK = "Screen and sound"
    CAMERA = "Camera"
    PINS = "Pins and box"


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera to be touched: its picture now, or why it gives none; `key` chooses it."""

    key: Key
    picture: Picture | None = None
    told: str = ""
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class SettingsState:
    """One of three pages: its rows, or for the camera the cameras that there are.

    `trouble` is the line of a settings file that could not be read; `page` of `pages` is which part
    of the page is shown.
    """

    frame: ScreenFrame
    tabs: tuple[Key, ...]
    rows: tuple[ChoiceRow, ...]
    cameras: tuple[CameraChoice, ...] = ()
    trouble: str = ""
    page: int = 1
    pages: int = 1


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting by its whole name: title, the keys beside its present value, a few words why."""

    name: str
    title: str
    values: Callable[[Settings], Sequence[Key]]
    why: str = ""


ROWS_A_PAGE = 8
BUSY_ROWS = 6
"""While a clock runs its strip takes some of the room."""
USUAL_VOICE = 70
"""Percent: how loud the voice is when it is switched on."""
CAMERAS_A_PAGE = 4
NEXT_START = "from the next start"
BY_EXCHANGE = ("camera", "table_file", "loudspeaker", "sounds_from", "box", "pins", "panel.")
"""By these, parts of the table are made: at once where it can make them, else at the start."""
STEP = 10
LONGEST_PATH = 30
"""Letters of a path that fit beside its row's title, counted from its end."""
NO_CAMERA = Key("No camera", SetSetting("camera", ""), "all goes by touch")
NONE_THERE = "No camera is plugged in. Plug one in: it appears here by itself."


def present_settings(situation: Situation, view: View) -> SettingsState:
    """The table's settings, each stored as soon as it is touched."""
    tab = next((one for one in SettingsPage if one == view.part), SettingsPage.LOOK)
    most = ROWS_A_PAGE if situation.referee is None else BUSY_ROWS
    rows, page, pages = pages_of(PAGES[tab], view.page, most)
    cameras: tuple[CameraChoice, ...] = ()
    if tab is SettingsPage.CAMERA:
        shown, page, pages = pages_of(_cameras(situation), view.page, CAMERAS_A_PAGE)
        rows, cameras = PAGES[tab], tuple(shown)
    waiting = _waiting_titles(situation)
    keys = (
        BACK,
        *page_keys(page, pages, words=IN_ORDER),
        *((RESTART,) if waiting else ()),
    )
    return SettingsState(
        quiet_frame(
            situation, view, "SETTINGS", tab, keys=keys, message=_message(situation, waiting)
        ),
        tuple(_tab(one, chosen=one is tab) for one in SettingsPage),
        tuple(_row(situation, row) for row in rows),
        cameras,
        situation.settings_trouble,
        page,
        pages,
    )


def _tab(page: SettingsPage, *, chosen: bool) -> Key:
    look = KeyLook.CHOSEN if chosen else KeyLook.PLAIN
    return Key(page, Show(Panel.SETTINGS, page), look=look)


def _message(situation: Situation, waiting: Sequence[str]) -> Message:
    """What does not work, or not yet, of what was touched."""
    if waiting:
        return Message("Counts at the next start:", ", ".join(waiting))
    if situation.exchange.waits:
        return Message("Pins and box:", "they change when the clock stands")
    if situation.voice_trouble:
        return Message("The voice is not heard:", situation.voice_trouble)
    return Message()


def _waiting_titles(situation: Situation) -> list[str]:
    """What was changed since the app was started and counts only when it is started again."""
    now, then = situation.settings, situation.started_with or situation.settings
    return [
        row.title
        for row in ROWS
        if _is_late(situation, row) and _value(now, row.name) != _value(then, row.name)
    ]


def _is_late(situation: Situation, row: SettingRow) -> bool:
    made = row.name.startswith(BY_EXCHANGE)
    return row.why == NEXT_START or (made and not situation.exchange.at_once)


def _row(situation: Situation, row: SettingRow) -> ChoiceRow:
    settings = situation.settings
    usual, value = _value(safe_defaults(), row.name), _value(settings, row.name)
    why = NEXT_START if _is_late(situation, row) else row.why
    if row.name == "pins" and not why:
        why = f"this machine: {next(words for words, pins in PIN_WORDS if pins == usual)}"
    if isinstance(value, str) and "/" in value:
        why = value if len(value) <= LONGEST_PATH else f"…{value[1 - LONGEST_PATH :]}"
    return ChoiceRow(row.title, tuple(row.values(settings)), why, changed=value != usual)


# -- cameras ---------------------------------------------------------------------------------------


def _cameras(situation: Situation) -> list[CameraChoice]:
    """Every camera there is, as it sees now; the last one is none."""
    present = situation.settings.camera
    found = [_camera(seen, chosen=seen.source == present) for seen in situation.cameras()]
    look = KeyLook.PLAIN if present else KeyLook.CHOSEN
    none = CameraChoice(replace(NO_CAMERA, look=look), told="" if found else NONE_THERE)
    return [*found, none]


def _camera(seen: CameraSeen, *, chosen: bool) -> CameraChoice:
    look = KeyLook.CHOSEN if chosen else KeyLook.PLAIN
    mark = Mark.WARN if seen.troubled else Mark.NONE
    told = seen.told if seen.picture is None else ""
    told = told.replace(seen.source, seen.title) if seen.source else told
    second = "watches the table" if chosen else ""
    key = Key(seen.title, SetSetting("camera", seen.source), second, look=look)
    return CameraChoice(key, seen.picture, told, mark)


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


def _spoken(settings: Settings) -> Sequence[Key]:
    """On, as loud as most want it, by one touch; then off, less, as it is, more."""
    if not settings.voice:
        return _few("voice", (("On", USUAL_VOICE), ("Off", 0)), settings)
    return (_key("voice", "Off", 0, chosen=False), *_percent("voice", settings))


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
        words = "first" if sign == "left" else "last"  # no other is free on that side
        return Key("-", None, words, sign, KeyLook.IMPOSSIBLE)
    return Key(f"GPIO {pin}", SetSetting(name, pin), _counted(pin), sign)


def _counted(pin: int) -> str:
    return f"pin {HEADER_PINS[pin]}"


def _step(name: str, words: str, value: int, present: int) -> Key:
    if value == present:
        return Key(
            words, None, "it is off" if present == 0 else "the most", look=KeyLook.IMPOSSIBLE
        )
    return _key(name, words, value, chosen=False)


def _key(name: str, words: str, value: Json, second: str = "", *, chosen: bool) -> Key:
    look = KeyLook.CHOSEN if chosen else KeyLook.PLAIN
    return Key(words, SetSetting(name, value), second, look=look)


# -- the rows --------------------------------------------------------------------------------------


def _one_of(name: str, title: str, values: Values, why: str) -> SettingRow:
    return SettingRow(name, title, partial(_few, name, values), why)


def _offer(name: str, title: str, why: str = "") -> SettingRow:
    return SettingRow(name, title, partial(_offered, name), why)


def _part(part: str, title: str) -> SettingRow:
    name = f"panel.{part}"
    return SettingRow(name, title, partial(_pin, name))


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

LOOK: tuple[SettingRow, ...] = (
    _one_of("theme", "Light", (("Day", "day"), ("Night", "night")), "paper wins against glare"),
    _one_of("sound", "Sound", ON_OFF, "lamps and screen count anyway"),
    SettingRow("volume", "Volume", partial(_percent, "volume"), "of buzzer and loudspeaker"),
    SettingRow("voice", "Voice", _spoken, "reads the screen out"),
    _one_of(
        "palette",
        "Colours",
        (("Usual", "standard"), ("Red-green", "red-green"), ("Blue-yellow", "blue-yellow")),
        "for colour-blind eyes",
    ),
    _one_of("hand", "Hand", (("Right", "right"), ("Left", "left")), "where the next tap lies"),
    _one_of(
        "screen_side",
        "Screen stands",
        (("Near", "near"), ("Left", "left"), ("Far", "far"), ("Right", "right")),
        "the map turns by it",
    ),
    _one_of("silent", "Silent mode", ON_OFF, "lamps flash instead"),
    _one_of(
        "loudspeaker",
        "Loudspeaker",
        (("If no buzzer", "auto"), ("Always", "always"), ("Never", "never")),
        "where no buzzer is, or always",
    ),
    SettingRow("brightness", "Brightness", partial(_percent, "brightness"), "of the lamps"),
    _one_of(
        "face_to_face",
        "Lies between the teams",
        (("No", False), ("Yes", True)),
        "shown to both sides",
    ),
    _one_of(
        "reversal_s",
        "Time to object",
        (("None", 0), ("10 s", 10), ("20 s", 20), ("30 s", 30)),
        "to a ruling, before it is official",
    ),
    _one_of("teach", "For beginners", ON_OFF, "says what would have done it"),
    _one_of(
        "challenges",
        "Challenges a side",
        (("Any", 0), ("1", 1), ("2", 2), ("3", 3)),
        "one that is lost counts",
    ),
    _one_of(
        "rotation",
        "Picture turned by",
        (("0°", 0), ("90°", 90), ("180°", 180), ("270°", 270)),
        NEXT_START,
    ),
)
"""The screen, and what sounds."""

CAMERA: tuple[SettingRow, ...] = (
    _offer("table_file", "Where the boards lie", "the table file of a calibration"),
)
"""Beside the cameras themselves, which stand over these rows."""

PINS: tuple[SettingRow, ...] = (
    _one_of(
        "sounds_from",
        "Sounds come from",
        (("Pins", "pins"), ("Sensor box", "box")),
        "one of them keeps time",
    ),
    _offer("box", "Sensor box"),
    _one_of("pins", "Pins", PIN_WORDS, ""),
    _one_of(
        "panel.buzzer_kind",
        "Buzzer",
        (("Beeps by itself", "active"), ("Bare disc", "tone")),
        "a disc is given tones",
    ),
    _offer("record", "Matches are kept on", NEXT_START),
    _offer("backup_stick", "Backup on the stick", "by itself, when it is plugged in"),
    _offer("live", "Live page", NEXT_START),
    _offer("live_broker", "Live on MQTT", NEXT_START),
    _offer("club", "Club's record", NEXT_START),
    *(_part(part, title) for part, title in zip(PARTS, PART_TITLES, strict=True)),
)
"""What is wired or plugged in."""

PAGES = {SettingsPage.LOOK: LOOK, SettingsPage.CAMERA: CAMERA, SettingsPage.PINS: PINS}
ROWS: tuple[SettingRow, ...] = (*LOOK, *CAMERA, *PINS)
"""Every setting there is but the camera, in the order in which people look for them."""


# Layout.

_TABS_WIDE, _TAB_HIGH = 146.0, 100.0
_ROW_HIGH, _KEY_HIGH, _ROW_GAP = 81.0, 51.0, 4.0
_TITLE_HIGH = 25.0
_FILE_HIGH = 78.0
_BESIDE_HIGH, _NAME_WIDE = 55.0, 136.0
"""In portrait, where a row's title stands before its keys."""
_CAPS = 15.0
_ALIKE = 3


@dataclass(frozen=True, kw_only=True)
class SettingGround(Part):
    """A setting's title and a few words why, over its keys; a bar marks what was changed.

    `beside`: the title stands before the keys, and the words why have no room.
    """

    row: ChoiceRow
    beside: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, 5)
        if self.row.changed:
            pen.fill(self.box.left(4), Colour.INK, 2)
        if self.beside:
            room = Box(self.box.x + 10, self.box.y, _NAME_WIDE - 16, self.box.high)
            lines = 1 if pen.width(self.row.title, 15) <= room.wide else 2
            pen.text(self.row.title, room, 15, lines=lines)
            return
        line = Box(self.box.x + 11, self.box.y + 2, self.box.wide - 20, _TITLE_HIGH - 6)
        title = pen.width(self.row.title, 15.5)
        pen.text(self.row.title, line, 15.5)
        room = line.beside(title + 12)
        if self.row.why and pen.width(self.row.why, 14, Face.MEDIUM) <= room.wide:
            pen.text(self.row.why, room, 14, Colour.INK2, face=Face.MEDIUM, align="right")


_FOLDERS = re.compile(r"(?<!\S)/(?:[^\s/]+/)*(?=[^\s/])")
"""Before the name of a device or a film: a picture's tile has no room for them."""


@dataclass(frozen=True, kw_only=True)
class CameraPart(Part):
    """A camera as a key: what it sees now over its name; or why it gives no picture."""

    slot: str
    choice: CameraChoice

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = (self.choice.key.look is KeyLook.CHOSEN) != pressed
        pen.fill(self.box, Colour.GO if inverted else Colour.KEY, Reach.RADIUS)
        pen.edge(self.box, Colour.GO if inverted else Colour.EDGE, Reach.EDGE, Reach.RADIUS)
        ink = Colour.GO_INK if inverted else Colour.INK
        lines = pen.lines(self.choice.key.label, Caps.DETAIL, self.box.wide - 20)
        more = lines_high(lines, Caps.DETAIL) - Caps.DETAIL
        name = Box(self.box.x + 10, self.box.bottom - 26 - more, self.box.wide - 20, 22 + more)
        self._draw_name(pen, name, ink, lines)
        view = Box(self.box.x + 5, self.box.y + 5, self.box.wide - 10, self.box.high - 34 - more)
        pen.fill(view, Colour.SUNK, 4)
        picture = self.choice.picture
        if picture is not None and picture.image is not None:
            wide, high = picture.size_px
            pen.picture(self.slot, picture.image, view.fitted(wide / max(1, high)))
            return
        words = view.inset(8, 2)
        if self.choice.mark:
            pen.sign(self.choice.mark, Box(words.x, words.y, 20, words.high).square(19), Colour.INK)
            words = words.beside(26)
        told = _FOLDERS.sub("", self.choice.told or self.choice.key.second)
        fitting = 1 + int((words.high - Caps.DETAIL) // (lines_high(2, Caps.DETAIL) - Caps.DETAIL))
        pen.text(told, words, 15, Colour.INK2, face=Face.MEDIUM, lines=max(1, fitting))

    def _draw_name(self, pen: Pen, room: Box, ink: Colour, lines: int) -> None:
        second = self.choice.key.second if self.choice.picture is not None else ""
        if second and pen.width(f"{self.choice.key.label}  {second}", 15) <= room.wide:
            pen.text(second, room, 14, ink, face=Face.MEDIUM, align="right")
        pen.text(self.choice.key.label, room, 15.5, ink, lines=lines)


def layout(state: SettingsState, page: Page) -> Parts:
    """Three pages at the edge; beside them rows, or cameras; above them what could not be read."""
    body = page.body
    refusal = state.frame.refusal
    if refusal is None and state.trouble:
        refusal = Alert(state.trouble, "The built-in settings hold meanwhile.", "", "", Mark.WARN)
    if refusal is not None:
        above, body = page.refused(body, refusal)
        yield from page.refusal(above, refusal)
    tabs, room = _tabs_and_room(body, page)
    for n, (box, key) in enumerate(zip(tabs, state.tabs, strict=True)):
        yield f"tab/{n}", key_cap(box, key, caps=16 if page.portrait else 18)
    if state.cameras:
        files_high = _BESIDE_HIGH if page.portrait else _FILE_HIGH
        files = room.below(room.high - files_high)
        yield from _camera_parts(state, room.top(room.high - files_high - 6))
        wide = files.wide if page.portrait else (room.wide + Reach.GAP) / 2 + 60
        yield from _row_parts(state.rows, files.left(wide), page, 1)
    else:
        yield from _row_parts(state.rows, room, page, 1 if page.portrait else 2)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _tabs_and_room(body: Box, page: Page) -> tuple[Sequence[Box], Box]:
    """The three pages at the edge, in portrait over the rest; and that rest."""
    pages = len(SettingsPage)
    if page.portrait:
        row = body.top(Reach.TARGET[1])
        return row.columns([1] * pages, gap=6), body.below(row.high + Reach.GAP)
    tabs, room = page.sides(body, _TABS_WIDE)
    each = min(_TAB_HIGH, (tabs.high - (pages - 1) * Reach.GAP) / pages)
    return [
        Box(tabs.x, tabs.y + n * (each + Reach.GAP), tabs.wide, each) for n in range(pages)
    ], room


def _camera_parts(state: SettingsState, room: Box) -> Parts:
    """Two by two; one alone has half of the room."""
    down = 1 if len(state.cameras) <= 2 else 2
    lines = room.rows([1] * down, gap=Reach.GAP)
    for n, choice in enumerate(state.cameras):
        box = lines[n // 2].columns([1, 1], gap=Reach.GAP)[n % 2]
        yield (
            f"camera/{n}",
            CameraPart(box=box, slot=f"preview-{n}", choice=choice, action=choice.key.action),
        )


def _row_parts(rows: Sequence[ChoiceRow], room: Box, page: Page, across: int) -> Parts:
    """Rows from top to bottom, column by column; as many as find room."""
    least = _BESIDE_HIGH if page.portrait else _TITLE_HIGH + _KEY_HIGH + 1
    down = int((room.high + _ROW_GAP) // (least + _ROW_GAP))
    down = min(down, max(1, -(-ROWS_A_PAGE // across)))
    high = min(_ROW_HIGH, (room.high - _ROW_GAP * (down - 1)) / max(1, down))
    high = least if page.portrait else high
    columns = room.columns([1] * across, gap=Reach.GAP)
    for n, row in enumerate(rows[: down * across]):
        column = columns[n // down]
        box = Box(column.x, column.y + n % down * (high + _ROW_GAP), column.wide, high)
        beside = page.portrait
        yield f"row/{n}", SettingGround(box=box, row=replace(row, values=()), beside=beside)
        inner = Box(box.x + 10, box.y + _TITLE_HIGH, box.wide - 16, _KEY_HIGH)
        if beside:
            inner = Box(box.x + _NAME_WIDE, box.y + 2, box.wide - _NAME_WIDE - 3, _KEY_HIGH)
        places = _places(page.theme, inner, row.values)
        for at, (place, key) in enumerate(zip(places, row.values, strict=False)):
            yield f"row/{n}/{at}", key_cap(place, key, caps=_CAPS if len(places) < 4 else 14.0)


def _places(theme: Theme, inner: Box, keys: Sequence[Key]) -> Sequence[Box]:
    """A place for each key, at least three alike; longer words have more room if they need it."""
    words = (word for key in keys for word in key.label.replace("-", "- ").split())
    widest = max((text_wide(theme, word, Caps.DETAIL) for word in words), default=0.0)
    if len(keys) <= _ALIKE and widest + 10 <= (inner.wide - 10) / _ALIKE:
        return inner.columns([1] * _ALIKE, gap=5)
    return inner.columns([max(5, len(key.label)) for key in keys], gap=5)
