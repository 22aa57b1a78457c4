"""Settings: a row each, values as keys."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame
from ui.presenters.new_match import ChoiceRow


@dataclass(frozen=True, slots=True)
class SettingsState:
    """Rows a page at a time; `trouble` is the line of a settings file that could not be read."""

    frame: Frame
    rows: tuple[ChoiceRow, ...]
    trouble: str = ""
    page: int = 1
    pages: int = 1
