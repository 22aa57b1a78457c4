"""The table's settings: what belongs to the table and not to a match.

Each field says in words what it is; the file, the messages about a broken file and the app's rows
are made of the same fields. `ui.table.settings_file` reads and writes that file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin

from platformdirs import user_data_path
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from companion.core.errors import BadCall
from companion.core.files import names_beside, way_into
from hardware.panel.panel import Manner
from hardware.panel.pins import ABOUT, LAST_GPIO, PARTS, PINS, BadPin, BuzzerKind, PinPlan

# Words about a setting: what it is, what is allowed, what is wrong with a value.

Kind = type[BaseModel]


def known_in(model: Kind) -> Iterator[str]:
    """The whole name of every single setting of a model, those of its tables included."""
    for name, field in model.model_fields.items():
        inner = table_of(field)
        if inner is None:
            yield name
        else:
            yield from (f"{name}.{part}" for part in known_in(inner))


def table_of(field: FieldInfo) -> Kind | None:
    """The model of a setting that is a table of settings; None for a single one."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def field_of(model: Kind, name: str) -> FieldInfo:
    """The field of a whole name as "panel.buzzer"; KeyError for a name that is none."""
    part, _, inner = name.partition(".")
    field = model.model_fields[part]
    if not inner:
        return field
    table = table_of(field)
    if table is None:
        raise KeyError(name)
    return field_of(table, inner)


def _few(kind: Any) -> tuple[Any, ...]:
    """The values of a kind that has few; () for free text and numbers."""
    if kind is bool:
        return (True, False)
    return get_args(kind) if get_origin(kind) is Literal else ()


def allowed_text(field: FieldInfo) -> str:
    """What a setting may be, in words.

    >>> from ui.table.settings import Settings
    >>> allowed_text(field_of(Settings, "panel.buzzer")), allowed_text(field_of(Settings, "volume"))
    ('a whole number from 0 to 27 or "none"', 'a whole number from 0 to 100')
    """
    return _in_words(field.annotation, field.metadata)


def _in_words(kind: Any, limits: Sequence[Any]) -> str:
    if get_origin(kind) is Annotated:
        inner, *metadata = get_args(kind)
        more = [limit for field in metadata for limit in getattr(field, "metadata", [field])]
        return _in_words(inner, more)
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(_in_words(one, ()) for one in get_args(kind))
    if few := _few(kind):
        return ", ".join(json.dumps(value) for value in few)
    if kind is int:
        low = next(limit.ge for limit in limits if hasattr(limit, "ge"))
        high = next(limit.le for limit in limits if hasattr(limit, "le"))
        return f"a whole number from {low} to {high}"
    return 'a text in quotes, as "" for none' if kind is str else "a table"


def first_fault(wrong: ValidationError, model: Kind) -> tuple[str, str]:
    """Place and words of the first thing that is wrong, and how many there are beside it."""
    found = dict(_told(dict(fault), model) for fault in reversed(wrong.errors()))
    place, text = list(found.items())[-1]
    others = len(found) - 1
    return place, text + (f" (and {others} more)" if others else "")


def _told(fault: dict[str, Any], model: Kind) -> tuple[str, str]:
    place = ".".join(way_into(fault["loc"], model)[0])
    if fault["type"] == "extra_forbidden":
        return place, f"no such setting; there are {', '.join(names_beside(fault['loc'], model))}"
    if fault["type"] == "pin":
        return _twice(place, fault)
    said = json.dumps(fault["input"], default=str)
    return place, f"{said:.60} is not taken; allowed: {allowed_text(field_of(model, place))}"


def _twice(place: str, fault: dict[str, Any]) -> tuple[str, str]:
    """One pin for two parts: of the two, the one that somebody wrote is named."""
    told = fault["ctx"]
    part, other = told["part"], told["other"]
    if part not in fault["input"]:
        part, other = other, part
    return f"{place}.{part}", f"GPIO {told['pin']} already carries {other}; give each its own"


# The settings themselves.

Percent = Annotated[int, Field(ge=0, le=100, strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Text = Annotated[str, Field(strict=True)]
Pin = Annotated[int, Field(ge=0, le=LAST_GPIO, strict=True)] | Literal["none"]

NO_PIN = "none"


_Pins = TypeVar("_Pins", bound=BaseModel)


def _with_every_part(model: type[_Pins]) -> type[_Pins]:
    """The model with a setting for each part that the hardware knows.

    The buzzer's kind stands beside its pin.
    """
    parts: dict[str, Any] = {
        part: (Pin, Field(default=getattr(PINS, part), description=ABOUT[part])) for part in PARTS
    }
    words = "active: it beeps by itself; tone: a bare piezo disc"
    kind = (Literal["active", "tone"], Field(default="active", description=words))
    first, *others = parts.items()
    every: dict[str, Any] = dict([first, ("buzzer_kind", kind), *others])
    return create_model(model.__name__, __base__=model, __doc__=model.__doc__, **every)


@_with_every_part
class PanelSettings(BaseModel):
    """The pins of buzzer, lamps and buttons, in Broadcom's numbers; each part is optional."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @property
    def plan(self) -> PinPlan:
        """The same as the hardware has it."""
        said: dict[str, Any] = dict(self)
        wired = {part: None if said[part] == NO_PIN else said[part] for part in PARTS}
        return replace(PINS, **wired, buzzer_kind=BuzzerKind(said["buzzer_kind"]))

    @model_validator(mode="after")
    def _give_each_part_its_own_pin(self) -> Self:
        try:
            _ = self.plan
        except BadPin as taken:
            told = {"part": taken.part, "other": taken.other, "pin": getattr(self, taken.part)}
            raise PydanticCustomError("pin", "{pin}", told) from taken
        return self


class Settings(BaseModel):
    """What belongs to the table and not to a match."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    theme: Literal["day", "night"] = Field(default="day", description="light of the screen")
    palette: Literal["standard", "red-green", "blue-yellow"] = Field(
        default="standard", description="for eyes that tell some colours badly apart"
    )
    hand: Literal["right", "left"] = Field(default="right", description="where the next tap lies")
    screen_side: Literal["near", "left", "far", "right"] = Field(
        default="near", description="where the screen stands at the table"
    )
    face_to_face: Flag = Field(default=False, description="the screen lies flat between the teams")
    rotation: Literal[0, 90, 180, 270] = Field(
        default=0, description="degrees by which the picture is turned on its screen"
    )
    sound: Flag = Field(default=True, description="off: nothing sounds; lamps and screen go on")
    volume: Percent = Field(default=70, description="of buzzer and loudspeaker, in percent")
    voice: Percent = Field(
        default=0, description="of a voice that reads the screen out, in percent; 0: none"
    )
    silent: Flag = Field(default=False, description="club mode: lamps flash instead of sounds")
    loudspeaker: Literal["auto", "always", "never"] = Field(
        default="auto", description="auto: only where no buzzer is wired"
    )
    reversal_s: Literal[0, 10, 20, 30] = Field(
        default=0,
        description="seconds in which a ruling is a first one, open to objection; 0: none",
    )
    challenges: Literal[0, 1, 2, 3] = Field(
        default=0, description="how many challenges each side may lose; 0: they are not counted"
    )
    sounds_from: Literal["pins", "box"] = Field(
        default="pins", description="who sounds: the pins below, or the sensor box"
    )
    pins: Literal["lgpio", "mock", "none"] = Field(
        default="mock", description="lgpio on a Raspberry Pi; mock: pretended ones"
    )
    brightness: Percent = Field(default=100, description="of the lamps, in percent")
    box: Text = Field(default="", description="the box's port or serial number; empty: finds it")
    camera: Text = Field(
        default="", description="empty: none; usb, /dev/video0, picamera, a film or a folder"
    )
    table_file: Text = Field(default="", description="the file that `companion calibrate` wrote")
    record: Text = Field(default="", description="a path or URL; empty: this user's data folder")
    club: Text = Field(
        default="", description="a URL or path of the record that all tables share; empty: none"
    )
    backup_stick: Text = Field(
        default="COMPANION",
        description="a stick of this name gets a backup of the record; empty: none does",
    )
    teach: Flag = Field(
        default=False, description="for beginners: a refusal or a miss says what would have done it"
    )
    live: Text = Field(
        default="",
        description="where a page for phones is served, as 0.0.0.0:8080; empty: nowhere",
    )
    live_broker: Text = Field(
        default="", description="an MQTT broker that is told the same, mqtt://HOST; empty: none"
    )
    panel: PanelSettings = Field(default=PanelSettings(), description="each part's GPIO, or none")

    def changed(self, name: str, value: object) -> Settings:
        """These settings with one of them changed ("panel.buzzer"); BadCall names what may be."""
        part, _, inner = name.partition(".")
        if name not in dict(self.leaves()):
            names = ", ".join(known for known, _ in self.leaves())
            raise BadCall(f"no setting {name!r}; there are {names}")
        raw = self.model_dump()
        if inner:
            raw[part] = {**raw[part], inner: value}
        else:
            raw[part] = value
        return Settings.judged(raw)

    @classmethod
    def judged(cls, raw: dict[str, Any]) -> Settings:
        """Settings of plain values; BadCall names the first that is wrong and what is allowed."""
        try:
            return cls.model_validate(raw)
        except ValidationError as wrong:
            place, text = first_fault(wrong, cls)
            raise BadSetting(place, text) from wrong

    def leaves(self) -> Iterator[tuple[str, Any]]:
        """Every single setting by its whole name, with its value."""
        for name, value in self:
            if isinstance(value, PanelSettings):
                yield from ((f"{name}.{part}", pin) for part, pin in value)
            else:
                yield name, value

    @property
    def record_place(self) -> str:
        """Where matches are kept: as set, else COMPANION_RECORD, else the user's data folder."""
        if self.record:
            return self.record
        default = user_data_path("companion") / "matches.sqlite"
        return os.environ.get("COMPANION_RECORD") or str(default)

    @property
    def manner(self) -> Manner:
        """How loud and how bright the panel is."""
        return Manner(self.volume if self.sound else 0, self.brightness, self.silent)

    @property
    def spoken_volume(self) -> int:
        """How loud the voice is; 0 where nothing at all may sound."""
        return self.voice if self.sound and not self.silent else 0

    @property
    def player(self) -> str:
        """The loudspeaker as the signal process takes it; empty: as its pins suggest."""
        return {"auto": "", "always": "auto", "never": "none"}[self.loudspeaker]


class BadSetting(BadCall):
    """A setting with a value that it cannot have; `place` is its whole name."""

    def __init__(self, place: str, text: str) -> None:
        super().__init__(f"{place}: {text}")
        self.place = place
        self.text = text


def safe_defaults() -> Settings:
    """The defaults: real pins on a Raspberry Pi, mock ones elsewhere; no camera is opened."""
    return Settings(pins="lgpio" if is_raspberry_pi() else "mock")


def known_settings() -> tuple[str, ...]:
    """The whole name of every single setting, in the file's order."""
    return tuple(known_in(Settings))


def is_raspberry_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    """Whether this machine says that it is one, and so has pins of its own."""
    try:
        return b"Raspberry Pi" in model.read_bytes()
    except OSError:
        return False
