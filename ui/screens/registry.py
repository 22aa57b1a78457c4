"""Which state belongs to which screen, and how that screen lays it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field
from typing import Any, ClassVar, Protocol

from ui.scene.theme import Colour, Theme
from ui.scene.values import Frame
from ui.screens.arbiter import adjust, amend, arbiter, differ, evidence, late, log, report
from ui.screens.beside import (
    figures,
    first_match,
    home,
    lists,
    naming,
    new_match,
    past,
    rules,
    season,
    seat,
    settings,
    table_check,
    teach,
    trouble,
)
from ui.screens.match import (
    cards,
    challenge,
    choose,
    counts,
    everyone,
    lock,
    ready,
    result,
    ruling,
)
from ui.screens.match import field as hex_screen
from ui.screens.match import round as round_screen
from ui.screens.page import Page, Parts
from ui.widgets.part import Part
from ui.widgets.words import Area, turned_part


class ScreenState(Protocol):
    """What a screen shows: a dataclass of its own, with the frame that every screen has."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def frame(self) -> Frame: ...


LAYOUTS: Mapping[type, Callable[[Any, Page], Parts]] = {
    adjust.AdjustState: adjust.layout,
    adjust.ValueState: adjust.value_layout,
    amend.AmendState: amend.layout,
    arbiter.ArbiterState: arbiter.layout,
    cards.CardsState: cards.layout,
    challenge.ChallengeState: challenge.layout,
    choose.ChooseState: choose.layout,
    counts.CountsState: counts.layout,
    lists.DevicesState: lists.devices,
    differ.DifferState: differ.layout,
    everyone.EveryoneState: everyone.layout,
    evidence.EvidenceState: evidence.layout,
    figures.FigureState: figures.figure_layout,
    first_match.FirstMatchState: first_match.layout,
    figures.FiguresState: figures.layout,
    rules.FoundState: lists.found,
    hex_screen.HexState: hex_screen.layout,
    home.HomeState: home.layout,
    late.LateState: late.layout,
    late.ToldState: late.told_layout,
    lock.LockState: lock.layout,
    log.LogState: log.layout,
    new_match.NewMatchState: new_match.layout,
    season.SeasonState: season.layout,
    seat.SeatState: seat.layout,
    past.ExportState: past.export_layout,
    past.PastMatchState: past.match_layout,
    past.PastState: past.past,
    ready.ReadyState: ready.layout,
    report.ReportState: report.layout,
    result.ResultState: result.layout,
    round_screen.RoundState: round_screen.layout,
    rules.RulesState: rules.layout,
    ruling.RulingState: ruling.layout,
    settings.SettingsState: settings.layout,
    table_check.TableCheckState: table_check.layout,
    teach.TeachState: teach.layout,
    naming.NamingState: naming.layout,
    naming.SearchState: naming.layout,
    naming.TitleState: naming.layout,
    naming.ClaimState: naming.layout,
    trouble.TroubleState: trouble.layout,
}


def parts_of(state: Any, theme: Theme) -> dict[str, Part]:
    """The parts that show a state, the ground first; KeyError for a state that has no screen."""
    page = Page(theme)
    ground: dict[str, Part] = {
        "ground": Area(box=page.whole, tint=Colour.BG, radius=0),
        "ground/top": Area(box=page.top, tint=Colour.PANEL, radius=0),
    }
    parts = ground | dict(LAYOUTS[type(state)](state, page))
    if not _is_turned(state):
        return parts
    return {f"turned/{name}": turned_part(part, page.size) for name, part in parts.items()}


def _is_turned(state: Any) -> bool:
    """Whether the screen as a whole faces whoever sits across it."""
    frame = getattr(state, "frame", None)  # a keyboard has none
    return getattr(state, "turned", False) or (frame is not None and frame.turned)


def screen_of(state: Any) -> str:
    """The screen's name: a change of it makes all keys deaf for a moment."""
    name = type(state).__name__.removesuffix("State")
    return f"{name}, turned" if _is_turned(state) else name
