"""Every screen's state, as one type."""

from __future__ import annotations

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

ScreenState = (
    HomeState | NewMatchState | PastState | SettingsState | DevicesState | TableCheckState
    | ChooseState | ReadyState | RoundState | LockState | CountsState | CardsState | RulingState
    | HexState | DifferState | LogState | AmendState | ArbiterState | AdjustState | RulesState
    | FoundState | ResultState | FiguresState | FigureState | EvidenceState | LateState
    | ChallengeState | TeachState
)  # fmt: skip
