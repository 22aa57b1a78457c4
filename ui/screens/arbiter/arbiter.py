"""The arbiter's keys, and every other screen that is a list of keys (menu, report, close)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.scene.scene import BACK, CANCEL, MARKS, RESTART, quiet_frame
from ui.scene.values import Frame, Key, KeyLook, Line, Message
from ui.screens.match.result import keep_keys, kept_message
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import (
    Close,
    DecideChallenge,
    GiveTime,
    Leave,
    NameArbiter,
    Panel,
    Pause,
    Quit,
    Resume,
    SetReason,
    SetSetting,
    Show,
    TrustRecord,
    TypeArbiter,
)
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.words import LinePart, Words

if TYPE_CHECKING:
    from ui.scene.scene import Scene, Situation
    from ui.touch.view import View


@dataclass(frozen=True, slots=True)
class ArbiterState:
    """Keys in reading order, at most ten; `lines` of standing notices below them."""

    frame: Frame
    lead: str
    keys: tuple[Key, ...]
    lines: tuple[Line, ...] = ()
    page: int = 1
    pages: int = 1


KEYS_A_PAGE = 8
CLOSING_REASONS = ("players leave", "cannot be settled", "time is up")


def present_arbiter(scene: Scene) -> ArbiterState:
    """Everything that only the arbiter does, and what waits to be decided."""
    keys = (
        _clock_key(scene),
        Key("Report", Show(Panel.REPORT), "late card, word taken back", "warn"),
        Key("Adjust", Show(Panel.ADJUST), "counts and places, with a reason", "settings"),
        Key("Amend", Show(Panel.LOG), "an answer of the log", "log"),
        Key("Table check", Show(Panel.TABLE_CHECK), "camera and devices", "eye"),
        _trust_key(scene),
        _give_key(scene),
        Key("Close match", Show(Panel.CLOSE), "by the arbiter's word", "cancel"),
        _challenge_key(scene),
        *keep_keys(scene),
    )
    where = " · ".join(scene.place)
    return ArbiterState(
        scene.frame("ARBITER", where, keys=(BACK, WHO_KEY), message=_arbiter_message(scene)),
        "What is to be decided?",
        keys,
        tuple(
            Line(
                f"{notice.code} {notice.text}",
                str(notice.cite),
                MARKS[notice.level],
                key=Key("", Show(Panel.RULES, str(notice.cite))),
            )
            for notice in scene.notices
        ),
    )


def _clock_key(scene: Scene) -> Key:
    clock = scene.referee.clock
    if clock is None:
        return Key("Pause", None, "no clock is running", "pause", KeyLook.IMPOSSIBLE)
    if clock.running:
        return Key("Pause", Pause(), "stops clock, lamps and buzzer", "pause")
    return Key("Go on", Resume(), f"from {clock.rest(scene.now):.1f} s", "play")


def _challenge_key(scene: Scene) -> Key:
    if scene.referee.presses.challenge is not None:
        return Key("Decided", DecideChallenge(), "ends the challenge", "next")
    return Key("Challenge", Show(Panel.CHALLENGE), "a team disputes something", "hand")


def _give_key(scene: Scene) -> Key:
    if scene.referee.clock is None:
        return Key("Give 5 s", None, "no clock is running", "", KeyLook.IMPOSSIBLE)
    return Key("Give 5 s", GiveTime(5.0), "this round alone")


def _trust_key(scene: Scene) -> Key:
    if not scene.referee.held and scene.referee.block is None:
        return Key("Without camera", None, "nothing waits for it", "", KeyLook.IMPOSSIBLE)
    return Key("Without camera", TrustRecord(), "until all have answered", "")


WHO_KEY = Key("Who?", Show(Panel.WHO), sign="arbiter")


def _arbiter_message(scene: Scene) -> Message | None:
    """Who corrects the record, unless there is something to be kept."""
    named = scene.situation.arbiter
    told = Message(f"Arbiter: {named}") if named else Message("Nobody has said who the arbiter is.")
    return kept_message(scene) or told


MOST_NAMES = 8
"""Names on a screen of keys, besides the two that stand for none of them."""


def present_who(scene: Scene) -> ArbiterState:
    """Who corrects the record: asked once a sitting, and kept with each correction."""
    players = (scene.names.players.get(seat, "") for seat in scene.names.seats)
    known = [name for name in dict.fromkeys((*scene.situation.arbiters, *players)) if name]
    keys = tuple(
        Key(name, NameArbiter(name), "as the arbiter",
            look=KeyLook.CHOSEN if name == scene.situation.arbiter else KeyLook.PLAIN)
        for name in known[:MOST_NAMES]
    )  # fmt: skip
    return ArbiterState(
        scene.frame("ARBITER", "asked once", keys=(CANCEL,), message=_kept_with(scene)),
        "Who is the arbiter?",
        (
            *keys,
            Key("Another name", TypeArbiter(), "typed", "log"),
            Key("Nobody", NameArbiter(""), "corrections keep no name", "next"),
        ),
    )


def _kept_with(scene: Scene) -> Message:
    waits = scene.view.waiting is not None
    second = "Then the correction is carried out." if waits else ""
    return Message("The log keeps who corrects it.", second)


def present_close(scene: Scene) -> ArbiterState:
    """The last resort: a reason first, then who won, held."""
    reason = scene.view.reason
    reasons = tuple(
        Key(one, SetReason(one), look=KeyLook.CHOSEN if one == reason else KeyLook.PLAIN)
        for one in CLOSING_REASONS
    )
    sides = scene.names.sides
    ends = (*((scene.names.victory(side), (str(side),)) for side in sides), ("Draw", ()))
    held = tuple(
        Key(words, Close(winners, reason), "hold", "", KeyLook.HOLD)
        if reason
        else Key(words, None, "choose a reason first", "", KeyLook.IMPOSSIBLE)
        for words, winners in ends
    )
    return ArbiterState(
        scene.frame("CLOSE MATCH", " · ".join(scene.place), keys=(CANCEL,)),
        "Why, and who has won?",
        (*reasons, *held),
    )


def present_menu(situation: Situation, view: View) -> ArbiterState:
    """What does not fit into the bottom row, and the way home."""
    sound = situation.settings.sound
    keys: tuple[Key, ...] = (
        Key("Sound", SetSetting("sound", value=not sound), "on" if sound else "off", "sound"),
        Key("Devices", Show(Panel.DEVICES), "state, age, retry", "eye"),
        Key("Settings", Show(Panel.SETTINGS), "light, colours, hand", "settings"),
        Key("Rules", Show(Panel.RULES), "every paragraph", "log"),
    )
    if situation.referee is not None:
        keys += (
            Key("Log", Show(Panel.LOG), "undo, amend", "log"),
            Key("Arbiter", Show(Panel.ARBITER), "report, adjust, close", "arbiter"),
            Key("Home", Leave(), "the match is kept", "back"),
        )
    keys += (RESTART, Key("Quit", Quit(), "hold: ends the app", "cancel", KeyLook.HOLD))
    return ArbiterState(quiet_frame(situation, view, "MENU", keys=(BACK,)), "", keys)


# Layout.

_KEY_HIGH = 72.0
_LINE_HIGH = 51.0


def layout(state: ArbiterState, page: Page) -> Parts:
    """Keys in reading order, two a row, standing notices under them."""
    body = page.body
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(60), state.frame.refusal)
        body = body.below(66)
    elif state.lead:
        yield "lead", Words(box=body.top(38), text=state.lead, caps=24, lines=1)
        body = body.below(44)
    rows = -(-len(state.keys) // 2)
    fitting = max(0, int((body.high - rows * 57) // (_LINE_HIGH + 3)))
    lines = state.lines[:fitting]
    lines_high = len(lines) * (_LINE_HIGH + 3)
    yield from _keys(state, body.top(body.high - lines_high), rows)
    foot = Box(body.x, body.bottom - lines_high + 3, body.wide, lines_high)
    for n, (box, line) in enumerate(
        zip(stacked(foot, len(lines), high=_LINE_HIGH, gap=3), lines, strict=True)
    ):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, action=action)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _keys(state: ArbiterState, room: Box, rows: int) -> Parts:
    strips = stacked(room, rows, high=_KEY_HIGH, gap=6)
    for n, key in enumerate(state.keys):
        row, column = divmod(n, 2)
        box = strips[row].columns([1, 1], gap=8)[column]
        yield f"key/{n}", key_cap(box, key, caps=19, align="left", sign_side=36)
