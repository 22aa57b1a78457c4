"""Everything that a touch can mean: small frozen dataclasses, acted on by `acting.act`.

A file a subject; this one gathers them.
"""

from __future__ import annotations

from ui.presenters.actions.answers import (
    AddWords,
    Answer,
    Answers,
    Anyway,
    AskUndo,
    AskWhy,
    Corrected,
    Done,
    Draft,
    Fill,
    HandsOff,
    NextDeed,
    TakeBack,
    Undo,
)
from ui.presenters.actions.corrections import (
    Adjust,
    Amend,
    AmendTo,
    Choose,
    Close,
    NameArbiter,
    Report,
    SelectLine,
    SetAdjust,
    SetField,
    SetReason,
    Solve,
    TypeArbiter,
)
from ui.presenters.actions.matches import (
    Checked,
    ConfirmFigures,
    ExportMatch,
    KeepClip,
    KeepLearned,
    Leave,
    Quit,
    ResumeMatch,
    Retry,
    SetFigure,
    SetSetting,
    SetupChoice,
    ShowDemo,
    StartMatch,
)
from ui.presenters.actions.panels import (
    Back,
    CloseBook,
    Page,
    Panel,
    Search,
    Show,
)
from ui.presenters.actions.round_clock import (
    GiveTime,
    Pause,
    Resume,
)
from ui.presenters.actions.sight import (
    AcceptTable,
    Calibrate,
    FollowRecord,
    ForgetLook,
    HoldSight,
    LearnLook,
    LookAgain,
    TrustRecord,
)
from ui.presenters.calls import Call

Action = (
    Answer | AddWords | AskWhy | Answers | Draft | Fill | TakeBack | AskUndo | Undo | Show | Back |
    Search | CloseBook | Page | SelectLine | Call |
    NameArbiter | TypeArbiter | AmendTo | SetReason | Amend | SetAdjust | Choose | Adjust |
    SetField | Report | Solve |
    Done | HandsOff | Anyway | NextDeed | Corrected | Pause | Resume | GiveTime | AcceptTable |
    FollowRecord | TrustRecord | LookAgain | Calibrate | LearnLook | ForgetLook | HoldSight |
    Close | SetupChoice |
    SetFigure | ConfirmFigures | KeepLearned | Checked |
    StartMatch | ResumeMatch | ShowDemo | Leave | Quit | ExportMatch | SetSetting | KeepClip | Retry
)  # fmt: skip

__all__ = [
    "AcceptTable",
    "Action",
    "AddWords",
    "Adjust",
    "Amend",
    "AmendTo",
    "Answer",
    "Answers",
    "Anyway",
    "AskUndo",
    "AskWhy",
    "Back",
    "Calibrate",
    "Checked",
    "Choose",
    "Close",
    "CloseBook",
    "ConfirmFigures",
    "Corrected",
    "Done",
    "Draft",
    "ExportMatch",
    "Fill",
    "FollowRecord",
    "ForgetLook",
    "GiveTime",
    "HandsOff",
    "HoldSight",
    "KeepClip",
    "KeepLearned",
    "LearnLook",
    "Leave",
    "LookAgain",
    "NameArbiter",
    "NextDeed",
    "Page",
    "Panel",
    "Pause",
    "Quit",
    "Report",
    "Resume",
    "ResumeMatch",
    "Retry",
    "Search",
    "SelectLine",
    "SetAdjust",
    "SetField",
    "SetFigure",
    "SetReason",
    "SetSetting",
    "SetupChoice",
    "Show",
    "ShowDemo",
    "Solve",
    "StartMatch",
    "TakeBack",
    "TrustRecord",
    "TypeArbiter",
    "Undo",
]
