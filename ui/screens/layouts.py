"""Which screen shows which state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ui.naming import NamingState
from ui.presenters.adjust import AdjustState
from ui.presenters.amend import AmendState
from ui.presenters.arbiter import ArbiterState
from ui.presenters.cards import CardsState
from ui.presenters.challenge import ChallengeState
from ui.presenters.choose import ChooseState
from ui.presenters.counts import CountsState
from ui.presenters.devices import DevicesState
from ui.presenters.differ import DifferState
from ui.presenters.evidence import EvidenceState
from ui.presenters.figure import FigureState
from ui.presenters.figures import FiguresState
from ui.presenters.hex import HexState
from ui.presenters.home import HomeState
from ui.presenters.late_seen import LateState
from ui.presenters.lock import LockState
from ui.presenters.log import LogState
from ui.presenters.new_match import NewMatchState
from ui.presenters.past import PastState
from ui.presenters.ready import ReadyState
from ui.presenters.result import ResultState
from ui.presenters.round import RoundState
from ui.presenters.rules import FoundState, RulesState
from ui.presenters.ruling import RulingState
from ui.presenters.settings import SettingsState
from ui.presenters.table_check import TableCheckState
from ui.presenters.teach import TeachState
from ui.scene.theme import Colour, Theme
from ui.screens import (
    adjust,
    amend,
    arbiter,
    cards,
    challenge,
    choose,
    counts,
    differ,
    evidence,
    figure,
    figures,
    home,
    late,
    lists,
    lock,
    log,
    naming,
    new_match,
    ready,
    result,
    rules,
    ruling,
    settings,
    table_check,
    teach,
    trouble,
)
from ui.screens import hex as hex_screen
from ui.screens import round as round_screen
from ui.screens.page import Page, Parts
from ui.searching import SearchState
from ui.titling import TitleState
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
    FigureState: figure.layout,
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
