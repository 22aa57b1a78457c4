"""Which state belongs to which screen, and how that screen lays it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field
from typing import Any, ClassVar, Protocol

from ui.scene.theme import Colour, Theme
from ui.scene.values import Frame
from ui.screens.arbiter import adjust, amend, arbiter, differ, evidence, late, log
from ui.screens.beside import (
    figures,
    home,
    lists,
    naming,
    new_match,
    rules,
    settings,
    table_check,
    teach,
    trouble,
)
from ui.screens.match import cards, challenge, choose, counts, lock, ready, result, ruling
from ui.screens.match import field as hex_screen
from ui.screens.match import round as round_screen
from ui.screens.page import Page, Parts
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.words import Area


class ScreenState(Protocol):
    """What a screen shows: a dataclass of its own, with the frame that every screen has."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def frame(self) -> Frame: ...


LAYOUTS: Mapping[type, Callable[[Any, Page], Parts]] = {
    adjust.AdjustState: adjust.layout,
    amend.AmendState: amend.layout,
    arbiter.ArbiterState: arbiter.layout,
    cards.CardsState: cards.layout,
    challenge.ChallengeState: challenge.layout,
    choose.ChooseState: choose.layout,
    counts.CountsState: counts.layout,
    lists.DevicesState: lists.devices,
    differ.DifferState: differ.layout,
    evidence.EvidenceState: evidence.layout,
    figures.FigureState: figures.figure_layout,
    figures.FiguresState: figures.layout,
    rules.FoundState: lists.found,
    hex_screen.HexState: hex_screen.layout,
    home.HomeState: home.layout,
    late.LateState: late.layout,
    lock.LockState: lock.layout,
    log.LogState: log.layout,
    new_match.NewMatchState: new_match.layout,
    lists.PastState: lists.past,
    ready.ReadyState: ready.layout,
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
    trouble.TroubleState: trouble.layout,
}


def parts_of(state: Any, theme: Theme) -> dict[str, Part]:
    """The parts that show a state, the ground first; KeyError for a state that has no screen."""
    page = Page(theme)
    ground: dict[str, Part] = {
        "ground": Area(box=Box(0, 0, page.wide, 480), tint=Colour.BG, radius=0),
        "ground/top": Area(box=Box(0, 0, page.wide, 52), tint=Colour.PANEL, radius=0),
    }
    return ground | dict(LAYOUTS[type(state)](state, page))


def screen_of(state: Any) -> str:
    """The screen's name: a change of it makes all keys deaf for a moment."""
    return type(state).__name__.removesuffix("State")
