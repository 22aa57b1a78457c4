"""Which state belongs to which screen, and how that screen lays it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ui.scene.theme import Colour, Theme
from ui.screens.arbiter import adjust, amend, arbiter, differ, evidence, late, log
from ui.screens.arbiter.adjust import AdjustState
from ui.screens.arbiter.amend import AmendState
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.differ import DifferState
from ui.screens.arbiter.evidence import EvidenceState
from ui.screens.arbiter.late import LateState
from ui.screens.arbiter.log import LogState
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
from ui.screens.beside.figures import FiguresState, FigureState
from ui.screens.beside.home import HomeState
from ui.screens.beside.lists import DevicesState, PastState
from ui.screens.beside.naming import NamingState, SearchState, TitleState
from ui.screens.beside.new_match import NewMatchState
from ui.screens.beside.rules import FoundState, RulesState
from ui.screens.beside.settings import SettingsState
from ui.screens.beside.table_check import TableCheckState
from ui.screens.beside.teach import TeachState
from ui.screens.match import cards, challenge, choose, counts, lock, ready, result, ruling
from ui.screens.match import field as hex_screen
from ui.screens.match import round as round_screen
from ui.screens.match.cards import CardsState
from ui.screens.match.challenge import ChallengeState
from ui.screens.match.choose import ChooseState
from ui.screens.match.counts import CountsState
from ui.screens.match.field import HexState
from ui.screens.match.lock import LockState
from ui.screens.match.ready import ReadyState
from ui.screens.match.result import ResultState
from ui.screens.match.round import RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.page import Page, Parts
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.words import Area

LAYOUTS: Mapping[type, Callable[[Any, Page], Parts]] = {
    AdjustState: adjust.layout,
    AmendState: amend.layout,
    ArbiterState: arbiter.layout,
    CardsState: cards.layout,
    ChallengeState: challenge.layout,
    ChooseState: choose.layout,
    CountsState: counts.layout,
    DevicesState: lists.devices,
    DifferState: differ.layout,
    EvidenceState: evidence.layout,
    FigureState: figures.figure_layout,
    FiguresState: figures.layout,
    FoundState: lists.found,
    HexState: hex_screen.layout,
    HomeState: home.layout,
    LateState: late.layout,
    LockState: lock.layout,
    LogState: log.layout,
    NewMatchState: new_match.layout,
    PastState: lists.past,
    ReadyState: ready.layout,
    ResultState: result.layout,
    RoundState: round_screen.layout,
    RulesState: rules.layout,
    RulingState: ruling.layout,
    SettingsState: settings.layout,
    TableCheckState: table_check.layout,
    TeachState: teach.layout,
    NamingState: naming.layout,
    SearchState: naming.layout,
    TitleState: naming.layout,
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


# Every screen's state, as one type.

ScreenState = (
    HomeState | NewMatchState | PastState | SettingsState | DevicesState | TableCheckState
    | ChooseState | ReadyState | RoundState | LockState | CountsState | CardsState | RulingState
    | HexState | DifferState | LogState | AmendState | ArbiterState | AdjustState | RulesState
    | FoundState | ResultState | FiguresState | FigureState | EvidenceState | LateState
    | ChallengeState | TeachState | trouble.TroubleState
)  # fmt: skip
