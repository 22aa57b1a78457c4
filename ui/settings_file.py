"""The settings' file: one TOML file in the user's config folder, read, refused in words, kept.

A file that cannot be read never stops the start: the app opens with safe defaults and says which
line and key are wrong and what is allowed. It is kept until the first change, and then beside the
new one. A change writes that setting alone: comments and order stay as whoever wrote the file left
them.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import tomlkit
from platformdirs import user_config_path

from companion.core.errors import BadFile, unread_toml
from companion.core.files import line_of, write_whole
from ui.settings import BadSetting, Settings, known_settings, safe_defaults
from ui.settings_words import allowed_text, field_of

FILE_NAME = "settings.toml"
NEW_LINE = "\n"
HEAD = (
    "The settings of this table's companion. The app's Settings change the same file; a line that",
    "is missing has its default. `companion doctor` says what is wrong with it.",
)


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
        """Write what differs from before; `trouble` says so where the disk does not take it.

        A broken file is kept as `settings.toml.broken`, for whoever wrote it by hand.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, self._text_with(settings))
        except OSError as full:
            trouble = f"{self.path} cannot be written ({full.strerror}): it holds until the end"
            return replace(self, settings=settings, trouble=trouble)
        return SettingsFile(self.path, settings)

    def _text_with(self, settings: Settings) -> str:
        """The file as it is to be: as it stands with the changes in it, else a new one."""
        try:
            present = self.path.read_text("utf-8")
            read_settings(self.path)
        except FileNotFoundError:
            return written(settings)
        except (OSError, UnicodeDecodeError, BadFile):
            self.path.replace(self.path.with_name(self.path.name + ".broken"))
            return written(settings)
        return changed_text(present, self.settings, settings)


def default_path() -> Path:
    """`companion/settings.toml` in the user's config folder."""
    return user_config_path("companion") / FILE_NAME


def read_settings(path: Path) -> Settings:
    """The settings of a file; BadFile names file, line, key and allowed values."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadFile(str(path), "", f"cannot be read: {wrong}") from wrong
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:
        last = f"at line {text.rstrip().count(NEW_LINE) + 1}, where it ends"
        why = unread_toml(wrong).replace("at end of document", last)
        raise BadFile(str(path), "", why) from wrong
    try:
        return Settings.judged({"pins": safe_defaults().pins, **raw})
    except BadSetting as wrong:
        line = line_of(text, wrong.place)
        place = wrong.place if line is None else f"line {line}: {wrong.place}"
        raise BadFile(str(path), place, wrong.text) from wrong


def written(settings: Settings) -> str:
    """The settings as a whole new file, with what each may be beside it.

    >>> print(written(Settings(theme="night")).splitlines()[3])
    theme = "night"  # "day", "night": light of the screen
    """
    file = tomlkit.document()
    for line in HEAD:
        file.add(tomlkit.comment(line))
    file.add(tomlkit.nl())
    for name in known_settings():
        field = field_of(Settings, name)
        item = cast("Any", tomlkit).item(dict(settings.leaves())[name])  # which has no types
        item.comment(f"{allowed_text(field)}: {field.description}")
        item.trivia.comment_ws = "  "
        table, key = _home(file, name)
        table.add(key, item)
    return tomlkit.dumps(file)


def changed_text(text: str, before: Settings, after: Settings) -> str:
    """The file's text with the settings that differ set anew, and nothing else touched."""
    file = tomlkit.parse(text)
    old = dict(before.leaves())
    for name, value in after.leaves():
        if value != old[name]:
            table, key = _home(file, name)
            table[key] = value
    return tomlkit.dumps(file)


def _home(file: tomlkit.TOMLDocument, name: str) -> tuple[Any, str]:
    """The table in which a setting stands, made if it is not there, and the name it has in it."""
    part, _, inner = name.rpartition(".")
    if not part:
        return file, inner
    if part not in file:
        table = tomlkit.table()
        field = field_of(Settings, part)
        table.comment(str(field.description))
        file.add(part, table)
    return file[part], inner
