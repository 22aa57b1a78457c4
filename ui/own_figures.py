"""What this table has read off its own copy of each box: one TOML file a box, beside the settings.

A file that cannot be used is said so and left alone; the box's assumed figures hold meanwhile.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from companion.errors import BadCall, BadFile, unread_toml
from companion.own_table import merged
from companion.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.match import Match
    from companion.offers import Json
    from companion.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class OwnFigures:
    """A table's figures of one box; `trouble` says why none of them could be used."""

    path: Path
    figures: Mapping[str, Json]
    trouble: str = ""

    @classmethod
    def load(cls, folder: Path, rulebook: type[Rulebook[Any]]) -> OwnFigures:
        """What was kept for a box; nothing, if nobody has confirmed any yet."""
        path = folder / f"figures-{rulebook.box}.toml"
        if rulebook.figures is None:
            return cls(path, {})
        try:
            figures = tomllib.loads(path.read_text("utf-8"))
            rulebook.figures.listed(figures)
        except FileNotFoundError:
            return cls(path, {})
        except (OSError, BadFile) as wrong:
            return cls(path, {}, f"{path} cannot be used: {wrong}")
        except (ValueError, RecursionError) as wrong:
            return cls(path, {}, f"{path} cannot be used: {unread_toml(wrong)}")
        return cls(path, figures)

    def keeping(self, match: Match[Any]) -> OwnFigures:
        """These, with what the players keep of a match; what stands here already goes before it.

        A demonstration is played by bots: nothing of it is kept.
        """
        if match.setup.demonstration:
            return self
        whole = merged(match.rulebook.kept(), self.figures)
        return self if whole == self.figures else self.saved(whole)

    def learning(self, match: Match[Any]) -> OwnFigures:
        """These, with all that a match has taught; a thing that stands here already stays as it is.

        BadCall where it has taught nothing, or bots played it.
        """
        taught = match.rulebook.learned()
        if match.setup.demonstration or not taught:
            raise BadCall("nothing to keep: no card was declared under a title in this match")
        return self.saved(_added(self.figures, taught))

    def saved(self, figures: Mapping[str, Json]) -> OwnFigures:
        """Keep these; `trouble` says so where the disk does not take them.

        A file that could not be used is kept beside as `NAME.broken`.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.trouble and self.path.exists():
                self.path.replace(self.path.with_name(self.path.name + ".broken"))
            write_whole(self.path, tomli_w.dumps(dict(figures)))
        except OSError as full:
            trouble = f"{self.path} cannot be written ({full.strerror}): they hold for this match"
            return OwnFigures(self.path, figures, trouble)
        return OwnFigures(self.path, figures)


def _added(own: Mapping[str, Any], taught: Mapping[str, Any]) -> dict[str, Any]:
    """A table's figures with what was taught beside them, part by part; nothing is replaced."""
    whole = dict(own)
    for part, things in taught.items():
        whole[part] = {**things, **whole.get(part, {})}
    return whole
