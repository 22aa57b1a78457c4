"""The table's files: its settings and its own figures of each box; what there is to choose.

A settings file that cannot be read never stops the start: the app opens with safe defaults and says
which line and key are wrong and what is allowed. It is kept until the first change, and then beside
the new one. A change writes that setting alone: comments and order stay as whoever wrote the file
left them.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard, cast

import tomli_w
from platformdirs import user_config_path, user_data_path

from companion.core.errors import BadCall, BadFile, unread_toml
from companion.core.files import line_of, text_of, write_whole
from companion.games import find_rulebook
from companion.kit.figures import merged
from ui.table import TABLE_FILE_NAME, default_path
from ui.table.settings import (
    BadSetting,
    Settings,
    allowed_text,
    field_of,
    known_settings,
    safe_defaults,
)

if TYPE_CHECKING:
    import tomlkit

    from companion.core.ruling import Json
    from companion.match.match import Match
    from companion.match.rulebook import Rulebook

# The settings' file.

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
            present = text_of(self.path)
            read_settings(self.path)
        except FileNotFoundError:
            return written(settings)
        except (OSError, UnicodeDecodeError, BadFile):
            self.path.replace(self.path.with_name(self.path.name + ".broken"))
            return written(settings)
        return changed_text(present, self.settings, settings)


def read_settings(path: Path) -> Settings:
    """The settings of a file; BadFile names file, line, key and allowed values."""
    try:
        text = text_of(path)
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
    import tomlkit  # wanted where a setting is changed

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
    import tomlkit  # wanted where a setting is changed

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
        import tomlkit

        table = tomlkit.table()
        field = field_of(Settings, part)
        table.comment(str(field.description))
        file.add(part, table)
    return file[part], inner


# What this machine offers: ports, files, sticks; its cameras show themselves (`previews`).

Choice = tuple[str, str]
"""What a key says, and the value it sets."""

DEV = Path("/dev")
STICKS = (Path("/media"), Path("/run/media"), Path("/mnt"))
"""Where systems mount what is plugged in, a level or two below."""
OWN_FILES = ("settings.toml", "figures-*.toml", "kept-*.toml")
BY_ITSELF = "Beside settings"
"""What the key says where no file is named and one beside the settings is read."""
MOST = 4
"""Keys in a row that fingers hit."""


def choices_of(name: str, present: str) -> tuple[Choice, ...]:
    """At most `MOST` choices for a setting; the value it has now is always among them."""
    found = list(dict.fromkeys(_OFFERS[name]()))
    if present not in [value for _, value in found]:
        found.insert(1, (Path(present).name or present, present))
    chosen = next(choice for choice in found if choice[1] == present)
    shown = found[:MOST]
    return tuple(shown if chosen in shown else [*shown[:-1], chosen])


def boxes(dev: Path = DEV) -> Iterator[Choice]:
    """The sensor box that is found, or one of the serial devices by its stable name."""
    yield "Find it", ""
    for path in sorted((dev / "serial" / "by-id").glob("*")):
        yield _short(path.name.removeprefix("usb-")), str(path)


def table_files(folder: Path | None = None) -> Iterator[Choice]:
    """What is read where none is named, then the tables' files that this machine has.

    They are looked for beside the settings, beside the record, and where the app was started:
    there `companion calibrate` writes. Other TOML files are none.
    """
    here = (user_config_path("companion"), user_data_path("companion"), Path.cwd())
    folders = (folder,) if folder is not None else here
    beside = folders[0] / TABLE_FILE_NAME
    yield (BY_ITSELF if beside.exists() else "None"), ""
    for place in dict.fromkeys(folders):
        for path in sorted(place.glob("*.toml")):
            if path != beside and _is_table_file(path):
                yield path.stem, str(path)


def _is_table_file(path: Path) -> bool:
    if any(path.match(own) for own in OWN_FILES):
        return False
    try:
        return bool(_box_of(path, path.stat().st_mtime_ns))
    except OSError:
        return False


@lru_cache(maxsize=64)
def _box_of(path: Path, _written: int) -> str:
    """Whose table's file it is; read again only once it was written anew."""
    from vision.table_file.reading import box_of  # with the libraries of sight

    return box_of(path)


def sticks(
    roots: Sequence[Path] = STICKS, is_mount: Callable[[Path], bool] = Path.is_mount
) -> Iterator[Path]:
    """Every drive that is plugged in and mounted, and answers."""
    for root in roots:
        with suppress(OSError):
            for path in sorted((*root.glob("*"), *root.glob("*/*"))):
                with suppress(OSError):
                    if is_mount(path):
                        yield path


def records(roots: Sequence[Path] = STICKS) -> Iterator[Choice]:
    """The user's data folder, or a stick that is plugged in."""
    yield "This machine", ""
    for stick in sticks(roots):
        yield _short(stick.name), str(stick / "matches.sqlite")


def backup_sticks(roots: Sequence[Path] = STICKS) -> Iterator[Choice]:
    """No stick gets a backup, one of the usual name does, or one of those that are plugged in."""
    usual = safe_defaults().backup_stick
    yield from (("None", ""), (_short(usual), usual))
    for stick in sticks(roots):
        yield _short(stick.name), stick.name


def _short(name: str, most: int = 16) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def live_places() -> Iterator[Choice]:
    """Nowhere, for this machine alone, for everybody on its network."""
    yield "Off", ""
    yield "Here", "127.0.0.1:8080"
    yield "Network", "0.0.0.0:8080"


def brokers() -> Iterator[Choice]:
    """None, or one on this machine; another one is written into the file."""
    yield "None", ""
    yield "Here", "mqtt://localhost"


def clubs() -> Iterator[Choice]:
    """None; a club's record is written into the file."""
    yield "None", ""


_OFFERS: Mapping[str, Callable[[], Iterator[Choice]]] = {
    "box": boxes,
    "table_file": table_files,
    "record": records,
    "backup_stick": backup_sticks,
    "live": live_places,
    "live_broker": brokers,
    "club": clubs,
}


# A table's own figures of a box: one file by its people, one by the companion.

OWN, KEPT = "figures-", "kept-"
"""How the names of the two files begin."""
WRITTEN_BY = """# The companion keeps here what the screen confirmed, and cards kept for later.
# It writes this file anew each time: your own words belong in {own}, which it never writes.

"""


@dataclass(frozen=True, slots=True)
class OwnFigures:
    """A table's figures of one box, as matches are played with them.

    `path` is the people's file and `own` what it says, `kept` what the companion keeps; `figures`
    is both together. `trouble` says what could not be used of them, or where they differ;
    `unwritten` why the last of it is not on disk.
    """

    path: Path
    figures: Mapping[str, Json]
    trouble: str = ""
    own: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    kept: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    unwritten: str = ""

    @property
    def kept_path(self) -> Path:
        """The file that the companion writes, beside the people's."""
        return self.path.with_name(KEPT + self.path.name.removeprefix(OWN))

    @property
    def box(self) -> str:
        """The box whose figures they are."""
        return self.path.stem.removeprefix(OWN)

    @classmethod
    def at(cls, folder: Path, box: str) -> OwnFigures:
        """What the table has of a box; its rules are loaded only where there is a file to judge."""
        bare = cls(folder / f"{OWN}{box}.toml", {})
        if not any(map(os.path.lexists, (bare.path, bare.kept_path))):
            return bare
        return cls.load(folder, find_rulebook(box))

    @classmethod
    def load(cls, folder: Path, rulebook: type[Rulebook[Any]]) -> OwnFigures:
        """What the table has of a box; nothing, if nobody has written or confirmed any yet."""
        path = folder / f"{OWN}{rulebook.box}.toml"
        if rulebook.figures is None:
            return cls(path, {})
        own, trouble = _read(path, rulebook)
        bare = cls(path, own, own=own)
        kept, more = _read(bare.kept_path, rulebook, under=own)
        said = [trouble, more, *_differences(own, kept, path.name, bare.kept_path.name)]
        return replace(bare, kept=kept, figures=_together(own, kept),
                       trouble=" ".join(filter(None, said)))  # fmt: skip

    def keeping(self, match: Match[Any]) -> OwnFigures:
        """These, with what the players keep of a match; what stands here already goes before it.

        A demonstration is played by bots: nothing of it is kept.
        """
        if match.setup.demonstration:
            return self
        kept = _added(self.kept, self._new_of(match.rulebook.kept()))
        return self if kept == self.kept else self._written(kept)

    def learning(self, match: Match[Any]) -> OwnFigures:
        """These, with all that a match has taught; a thing that stands here already stays as it is.

        BadCall where it has taught nothing, or bots played it.
        """
        taught = match.rulebook.learned()
        if match.setup.demonstration or not taught:
            raise BadCall("nothing to keep: no card was declared under a title in this match")
        return self._written(_added(self.kept, self._new_of(taught)))

    def saved(self, figures: Mapping[str, Json]) -> OwnFigures:
        """Keep the confirmed ones of these beside what the people have written."""
        rules = find_rulebook(self.box).figures
        kept: dict[str, Any] = dict(self.kept)
        for figure in rules.listed(figures) if rules is not None else ():
            part, _, key = figure.name.partition(".")
            if figure.confirmed:
                kept[part] = {**kept.get(part, {}), key: figure.value}
        for word in ("name", "confirmed"):
            if word in figures:
                kept[word] = figures[word]
        return self._written(kept)

    def _new_of(self, taught: Mapping[str, Json]) -> dict[str, Json]:
        """What was taught and does not stand in the people's file, part by part."""
        new: dict[str, Json] = {}
        for part, things in taught.items():
            there = self.own.get(part, {})
            if isinstance(things, dict) and isinstance(there, dict):
                new[part] = {name: thing for name, thing in things.items() if name not in there}
        return {part: things for part, things in new.items() if things}

    def _written(self, kept: Mapping[str, Json]) -> OwnFigures:
        """Keep these; `unwritten` says so where the disk does not take them.

        A file that could not be used is kept beside as `NAME.broken`.
        """
        path, unwritten, trouble = self.kept_path, "", self.trouble
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if str(path) in self.trouble and path.exists():
                path.replace(path.with_name(path.name + ".broken"))
                _, trouble = _read(self.path, find_rulebook(self.box))
            write_whole(path, WRITTEN_BY.format(own=self.path.name) + tomli_w.dumps(dict(kept)))
        except OSError as full:
            unwritten = f"{path} cannot be written ({full.strerror}): it holds for this match"
        figures = _together(self.own, kept)
        return OwnFigures(self.path, figures, trouble, self.own, kept, unwritten)


def _read(
    path: Path, rulebook: type[Rulebook[Any]], under: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], str]:
    """What a file says, and what is wrong with it; `under` is the other file, to be read with it.

    A card that could never do anything is left out and named, and the others are used.
    """
    try:
        said: dict[str, Any] = tomllib.loads(text_of(path))
    except FileNotFoundError:
        return {}, ""
    except OSError as wrong:
        return {}, f"{path} cannot be used: {wrong}"
    except (ValueError, RecursionError) as wrong:
        return {}, f"{path} cannot be used: {unread_toml(wrong)}"
    left_out: list[str] = []
    while True:
        wrong_place = _fault(rulebook, _together(under or {}, said))
        if wrong_place is None:
            return said, " ".join(left_out)
        part, _, rest = wrong_place.place.partition(".")
        names: dict[str, Any] = said[part] if isinstance(said.get(part), dict) else {}
        name = next((one for one in names if f"{rest}.".startswith(f"{one}.")), None)
        if part != "cards" or name is None:
            return {}, f"{path} cannot be used: {wrong_place}"
        left_out.append(f"{path}: {name} is left out: {wrong_place.place}: {wrong_place.text}.")
        said = {**said, part: {one: card for one, card in names.items() if one != name}}


def _fault(rulebook: type[Rulebook[Any]], figures: Mapping[str, Any]) -> BadFile | None:
    """Why no match can be played with these figures, if none can."""
    try:
        if rulebook.figures is not None:
            rulebook.figures.listed(figures)
    except BadFile as wrong:
        return wrong
    return None


def _together(own: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    """Both files: what was confirmed on the screen holds, and of cards those the people wrote."""
    whole = merged(own, kept)
    for part, things in own.items():
        if part in THINGS and isinstance(things, dict) and isinstance(whole[part], dict):
            whole[part] = {**whole[part], **things}
    return whole


THINGS = ("cards",)
"""Parts whose entries a match teaches, each a thing of its own."""


def _differences(
    own: Mapping[str, Any], kept: Mapping[str, Any], mine: str, theirs: str, place: str = ""
) -> Iterator[str]:
    """What stands in both files and is not the same, and which of them holds."""
    for name, value in kept.items():
        here, other = f"{place}{name}", own.get(name)
        if here in ("name", "confirmed") or name not in own or other == value:
            continue
        if _is_part(value) and _is_part(other) and not place.startswith(THINGS):
            yield from _differences(other, value, mine, theirs, f"{here}.")
        else:
            holds = mine if place.startswith(THINGS) else theirs
            yield f"{here} stands in {mine} and in {theirs}, and differs: that of {holds} holds."


def _is_part(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _added(kept: Mapping[str, Any], taught: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept, with what was taught beside it, part by part; nothing is replaced."""
    whole = dict(kept)
    for part, things in taught.items():
        whole[part] = {**things, **whole.get(part, {})}
    return whole
