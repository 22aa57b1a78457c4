"""The table's settings: one TOML file in the user's config folder.

A file that cannot be read never stops the start: the app opens with safe defaults and says which
key is wrong and what is allowed. It is kept until the first change, and then beside the new one.

    theme = "day"              # day, night
    palette = "standard"       # standard, red-green, blue-yellow
    hand = "right"             # right, left
    screen_side = "near"       # near, left, far, right: where the screen stands at the table
    face_to_face = false       # the screen lies flat between the teams
    sound = true
    volume = 70                # 0 to 100
    camera = ""                # "", usb, /dev/video0, picamera, a film or a folder
    table_file = ""            # TOML written by `companion calibrate`
    pins = "lgpio"             # lgpio on a Raspberry Pi, mock, none
    record = ""                # a path or URL; "" is the user's data folder
"""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import tomli_w
from platformdirs import user_config_path, user_data_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.errors import BadCall, BadFile
from ui.whole_file import write_whole

FILE_NAME = "settings.toml"
Percent = Annotated[int, Field(ge=0, le=100, strict=True)]
Flag = Annotated[bool, Field(strict=True)]


class Settings(BaseModel):
    """What belongs to the table and not to a match."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    theme: Literal["day", "night"] = "day"
    palette: Literal["standard", "red-green", "blue-yellow"] = "standard"
    hand: Literal["right", "left"] = "right"
    screen_side: Literal["near", "left", "far", "right"] = "near"
    face_to_face: Flag = False
    sound: Flag = True
    volume: Percent = 70
    camera: str = ""
    table_file: str = ""
    pins: Literal["lgpio", "mock", "none"] = "mock"
    record: str = ""

    def changed(self, name: str, value: object) -> Settings:
        """These settings with one of them changed; BadCall names what is allowed."""
        if name not in type(self).model_fields:
            names = ", ".join(type(self).model_fields)
            raise BadCall(f"no setting {name!r}; there are {names}")
        try:
            return Settings.model_validate({**self.model_dump(), name: value})
        except ValidationError as wrong:
            raise BadCall(_first_fault(wrong)) from wrong

    @property
    def record_place(self) -> str:
        """Where matches are kept: as set, else COMPANION_RECORD, else the user's data folder."""
        if self.record:
            return self.record
        default = user_data_path("companion") / "matches.sqlite"
        return os.environ.get("COMPANION_RECORD") or str(default)


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """Settings and the file they came from; `trouble` says why defaults stand in for it."""

    path: Path
    settings: Settings
    trouble: str = ""

    @classmethod
    def load(cls, path: Path | None = None) -> SettingsFile:
        """Read the file; without one, or with a broken one, safe defaults hold."""
        place = path or default_path()
        try:
            return cls(place, read_settings(place))
        except FileNotFoundError:
            return cls(place, safe_defaults())
        except BadFile as wrong:
            return cls(place, safe_defaults(), str(wrong))

    def saved(self, settings: Settings) -> SettingsFile:
        """Write these settings; `trouble` says so where the disk does not take them.

        A broken file is kept as `settings.toml.broken`, for whoever wrote it by hand.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.trouble and self.path.exists():
                self.path.replace(self.path.with_name(self.path.name + ".broken"))
            write_whole(self.path, written(settings))
        except OSError as full:
            trouble = f"{self.path} cannot be written ({full.strerror}): it holds until the end"
            return replace(self, settings=settings, trouble=trouble)
        return SettingsFile(self.path, settings)


def default_path() -> Path:
    """`companion/settings.toml` in the user's config folder."""
    return user_config_path("companion") / FILE_NAME


def safe_defaults() -> Settings:
    """The defaults: real pins on a Raspberry Pi, mock ones elsewhere; no camera is opened."""
    return Settings(pins="lgpio" if is_raspberry_pi() else "mock")


def read_settings(path: Path) -> Settings:
    """The settings of a file; BadFile names file, key and allowed values."""
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(str(path), "", f"cannot be read: {wrong}") from wrong
    except tomllib.TOMLDecodeError as wrong:
        raise BadFile(str(path), "", f"is no TOML: {wrong}") from wrong
    try:
        return Settings.model_validate({**safe_defaults().model_dump(), **raw})
    except ValidationError as wrong:
        place, text = _first_fault(wrong).split(": ", 1)
        raise BadFile(str(path), place, text) from wrong


def written(settings: Settings) -> str:
    """The settings as TOML.

    >>> print(written(Settings(theme="night")).splitlines()[0])
    theme = "night"
    """
    return tomli_w.dumps(settings.model_dump())


def allowed_values(name: str) -> tuple[Any, ...]:
    """The values a setting may have where they are few; () for free text and numbers."""
    kind = Settings.model_fields[name].annotation
    if kind is bool:
        return (True, False)
    return get_args(kind) if isinstance(kind, object) and get_args(kind) else ()


def _first_fault(wrong: ValidationError) -> str:
    """The key at fault, what stands there, and what is allowed."""
    fault = wrong.errors()[0]
    name = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return f"{name}: no such setting; there are {', '.join(Settings.model_fields)}"
    allowed = allowed_values(name)
    hint = (
        f"allowed are {', '.join(json.dumps(value) for value in allowed)}"
        if allowed
        else fault["msg"]
    )
    return f"{name}: {fault['input']!r} is not taken; {hint}"


def is_raspberry_pi(model: Path = Path("/proc/device-tree/model")) -> bool:
    """Whether this machine says that it is one, and so has pins of its own."""
    try:
        return b"Raspberry Pi" in model.read_bytes()
    except OSError:
        return False
