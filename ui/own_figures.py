"""What this table has of each box: a file that its people write, and one that the companion keeps.

`figures-BOX.toml` beside the settings is the people's: it is read and never written. What is
confirmed on the screen, and cards that are kept, go into `kept-BOX.toml`. A file that cannot be
used is said so and left alone; the box's assumed figures hold meanwhile.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import tomli_w

from companion.core.errors import BadCall, BadFile, unread_toml
from companion.core.files import write_whole
from companion.games import find_rulebook
from companion.kit.figures import merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.core.ruling import Json
    from companion.match.match import Match
    from companion.match.rulebook import Rulebook

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
        said: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
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
