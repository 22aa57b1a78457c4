"""Fonts: where the distribution keeps the letters, and what stands in for a missing one.

No font file is part of the project. Set-up installs Roboto Condensed (`fonts-roboto-unhinted`) and
B612 (`fonts-b612`); without them Kivy's own Roboto serves, wider but legible.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ui.theme import Face

FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts")

_FILES = {
    Face.BOLD: ("RobotoCondensed-Bold.ttf",),
    Face.MEDIUM: ("RobotoCondensed-Medium.ttf", "RobotoCondensed-Bold.ttf"),
    Face.REGULAR: ("RobotoCondensed-Regular.ttf", "RobotoCondensed-Medium.ttf"),
    Face.FIGURES: ("B612-Bold.otf", "B612-Bold.ttf"),
}

BUNDLED = "Roboto"
"""The name under which Kivy registers the font it brings."""


@cache
def font_file(face: Face) -> str | None:
    """The file of a face, or None where the distribution's package is not installed."""
    for name in _FILES[face]:
        for folder in FOLDERS:
            for found in sorted(folder.rglob(name)):
                return str(found)
    return None


def missing_faces() -> tuple[Face, ...]:
    """The faces that Kivy's own font stands in for."""
    return tuple(face for face in Face if font_file(face) is None)
