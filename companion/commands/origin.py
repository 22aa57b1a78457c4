"""Which companion wrote a match, for people who wonder why it does not replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.games import find_rulebook
from companion.match.entry import app_version

if TYPE_CHECKING:
    from companion.core.errors import Drift
    from companion.match.entry import Entry


def why_drifted(drift: Drift, first: Entry) -> str:
    """The drift, who wrote the log and who reads it, and what can still be done.

    `first` is the log's set-up line, read as it stands: another version may have other fields.
    """
    said = first.answer if isinstance(first.answer, dict) else {}
    box, wrote = str(said.get("box", "")), str(said.get("app_version", ""))
    there, here = said.get("edition", 1), _edition_of(box)
    if (wrote, there) == (app_version(), here):
        why = f"Companion {wrote} wrote it, as this one is called: its rules were changed since"
        why += ", or these lines never followed from them"
    else:
        writer = f"companion {wrote}" if wrote else "a companion that left no version"
        why = f"Written by {writer} with edition {there} of {box}; this is companion "
        why += f"{app_version()} with edition {here}"
    return f"{drift}. {why}. Nothing is lost: `companion show` reads it, `export` keeps it."


def _edition_of(box: str) -> str | int:
    try:
        return find_rulebook(box).edition
    except BadCall:
        return "none"
