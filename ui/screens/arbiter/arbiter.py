"""The arbiter's keys, and every other screen that is a list of keys (menu, report, close)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from companion.referee import challenge as challenges
from ui.scene.scene import BACK, CANCEL, RESTART, Scene, Situation, quiet_frame
from ui.scene.values import Alert, Key, KeyLook, Line, Message, ScreenFrame
from ui.screens.match.result import keep_keys, kept_message
from ui.screens.page import Page, Parts, stacked
from ui.touch import actions
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.words import CodePart, LinePart, Words

if TYPE_CHECKING:
    from ui.touch.view import View
    from ui.widgets.part import Part


@dataclass(frozen=True, slots=True)
class ArbiterState:
    """Keys in reading order, at most ten; the first is larger where `large` says so.

    `few` are those of a question that is put to the whole room: as high as there is room for.
    `first` of them, chosen before the others, share a row of their own above those.

    `lines` stand below them, `notices` in their place: whole, with what lifts each. `code` is an
    address that phones may open, shown beside the keys as QR code and in words.
    """

    frame: ScreenFrame
    lead: str
    keys: tuple[Key, ...]
    lines: tuple[Line, ...] = ()
    page: int = 1
    pages: int = 1
    large: bool = False
    few: bool = False
    first: int = 0
    notices: tuple[Alert, ...] = ()
    code: str = ""


KEYS_A_PAGE = 8
NOTICES_A_PAGE = 3
USUAL = 4
"""Keys of the arbiter beside the challenge; all others are a page further."""
ON_ONE_PAGE = 6
"""So many have room beside it at once."""
CLOSING_REASONS = ("players leave", "cannot be settled", "time is up")


def present_arbiter(scene: Scene) -> ArbiterState:
    """What disputes and corrects, the challenge first and largest; what is rare on a second page.

    Few keys stand on one page, with none to turn it.

    Notices that wait, where there are more than the one that every screen tells, have the pages
    after those.
    """
    told = scene.told_notices()
    told = told if len(told) > 1 else ()
    notice_pages = -(-len(told) // NOTICES_A_PAGE)
    usual, rare = _arbiter_keys(scene)
    if len(usual) + len(rare) <= ON_ONE_PAGE:
        usual, rare = (*usual, *rare), ()
    of_keys = 2 if rare else 1
    pages = of_keys + notice_pages
    page = min(scene.view.page, pages - 1)
    on = actions.Show(actions.Panel.ARBITER, page=(page + 1) % pages)
    more = (Key("More", on, f"{page + 1} of {pages}", "again"),) if pages > 1 else ()
    frame = scene.frame(
        "ARBITER",
        " · ".join(scene.place),
        keys=(BACK, WHO_KEY, *more),
        message=_arbiter_message(scene),
    )
    if page >= of_keys:
        first = (page - of_keys) * NOTICES_A_PAGE
        shown = told[first : first + NOTICES_A_PAGE]
        return ArbiterState(replace(frame, refusal=None), "", (), notices=shown)
    if page == 1:
        return ArbiterState(frame, "What is to be decided?", rare)
    return ArbiterState(frame, "", (_challenge_key(scene), *usual), large=True)


def _arbiter_keys(scene: Scene) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """The four that are touched most, and those that are rarely; none that can do nothing now."""
    clock, check = (
        _clock_keys(scene),
        Key("Table check", actions.Show(actions.Panel.TABLE_CHECK), "camera and devices", "eye"),
    )
    waits = scene.referee.held or scene.referee.block is not None
    trust = (
        (Key("Without camera", actions.TrustRecord(), "until all have answered"),) if waits else ()
    )
    corrections = (
        Key("Report", actions.Show(actions.Panel.REPORT), "late card, word taken back", "warn"),
        Key("Adjust", actions.Show(actions.Panel.ADJUST), "counts and places", "settings"),
        Key("Amend", actions.Show(actions.Panel.LOG), "an answer of the log", "log"),
    )
    every = (*clock[:1], *corrections, *trust, check, *clock[1:])
    close = Key("Close match", actions.Show(actions.Panel.CLOSE), "by the arbiter's word", "cancel")
    usual = (*every[:USUAL], *_decision_key(scene))
    return usual, (*every[USUAL:], close, *keep_keys(scene))


def _decision_key(scene: Scene) -> tuple[Key, ...]:
    """The way to take back what was decided last; nothing while a challenge is open."""
    last = challenges.decided_at(scene.match.entries)
    if last is None or scene.referee.presses.challenge is not None:
        return ()
    asked = actions.Show(actions.Panel.CHALLENGE, f"{actions.TAKE_BACK}{last.seq}")
    came = "" if last.verdict is None else f": {last.verdict}"
    return (Key("Take back", asked, f"the decision{came}", "undo"),)


def _clock_keys(scene: Scene) -> tuple[Key, ...]:
    """What lets the clock stand or run, and gives it time; nothing without a clock."""
    clock = scene.referee.clock
    if clock is None:
        return ()
    give = Key("Give 5 s", actions.GiveTime(5.0), "this round alone")
    if clock.running:
        return (Key("Pause", actions.Pause(), "stops clock, lamps and buzzer", "pause"), give)
    return (Key("Go on", actions.Resume(), f"from {clock.rest(scene.now):.1f} s", "play"), give)


def _challenge_key(scene: Scene) -> Key:
    """One touch and the clock stands; who challenges is asked then. An open one is gone on with."""
    if scene.referee.presses.challenge is not None:
        return Key("Challenge", actions.OpenChallenge(), "it is open: on with it", "hand")
    stops = scene.referee.clock is not None and scene.referee.clock.running
    second = "stops the clock at once" if stops else "then: who disputes?"
    return Key("Challenge", actions.OpenChallenge(), second, "hand")


WHO_KEY = Key("Who?", actions.Show(actions.Panel.WHO), sign="arbiter")


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
        Key(name, actions.NameArbiter(name), "as the arbiter",
            look=KeyLook.CHOSEN if name == scene.situation.arbiter else KeyLook.PLAIN)
        for name in known[:MOST_NAMES]
    )  # fmt: skip
    return ArbiterState(
        scene.frame("ARBITER", "asked once", keys=(CANCEL,), message=_kept_with(scene)),
        "Who is the arbiter?",
        (
            *keys,
            Key("Another name", actions.TypeArbiter(), "typed", "log"),
            Key("Nobody", actions.NameArbiter(""), "corrections keep no name", "next"),
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
        Key(one, actions.SetReason(one), look=KeyLook.CHOSEN if one == reason else KeyLook.PLAIN)
        for one in CLOSING_REASONS
    )
    sides = scene.names.sides
    ends = (*((scene.names.victory(side), (str(side),)) for side in sides), ("Draw", ()))
    held = tuple(
        Key(words, actions.Close(winners, reason), "hold", "", KeyLook.HOLD)
        if reason
        else Key(words, None, "choose a reason first", "", KeyLook.IMPOSSIBLE)
        for words, winners in ends
    )
    return ArbiterState(
        scene.frame("CLOSE MATCH", " · ".join(scene.place), keys=(CANCEL,)),
        "Why, and who has won?",
        (*reasons, *held),
        first=len(reasons),
    )


IN_A_MATCH = (
    Key("Log", actions.Show(actions.Panel.LOG), "told so far; amend", "log"),
    Key(
        "Arbiter",
        actions.Show(actions.Panel.ARBITER),
        "challenge, adjust",
        "arbiter",
    ),
    Key("Home", actions.Leave(), "the match is kept", "back"),
)


def present_menu(situation: Situation, view: View) -> ArbiterState:
    """What does not fit into the bottom row, the way home, and where phones find the live page."""
    sound = situation.settings.sound
    keys: tuple[Key, ...] = (
        Key(
            "Sound", actions.SetSetting("sound", value=not sound), "on" if sound else "off", "sound"
        ),
        Key("Devices", actions.Show(actions.Panel.DEVICES), "what works", "eye"),
        Key(
            "Settings",
            actions.Show(actions.Panel.SETTINGS),
            "screen, camera",
            "settings",
        ),
        Key("Rules", actions.Show(actions.Panel.RULES), "every paragraph", "log"),
        Key("First match", actions.Show(actions.Panel.FIRST_MATCH), "what lies where", "boxes"),
    )
    if situation.referee is not None:
        keys += IN_A_MATCH
    restart = replace(RESTART, second="hold: starts anew")
    keys += (restart, Key("Quit", actions.Quit(), "hold: ends the app", "cancel", KeyLook.HOLD))
    url, message = situation.live_url, Message()
    if urlsplit(url).hostname in _ITSELF:  # a phone that reads this opens its own page
        url, message = "", Message(f"Live page: {url}", "seen on this machine alone")
    frame = quiet_frame(situation, view, "MENU", keys=(BACK,), message=message)
    return ArbiterState(frame, "", keys, code=url)


_ITSELF = ("127.0.0.1", "::1", "localhost")


# Layout.

_KEY_HIGH = 72.0
_ROOMY_KEY, _LARGE_KEY = 100.0, 96.0
_FEW_KEY = 130.0
_LINE_HIGH = 51.0
_NARROW_KEY = 56.0
"""How high keys are at least where each has a row of its own."""
_CODE_WIDE, _CODE_WORDS = 212.0, 78.0
"""Of a code beside the keys; of what stands under it: whose code it is, and its address."""


def layout(state: ArbiterState, page: Page) -> Parts:
    """Keys in reading order, two a row, or in portrait one where all fit; lines under them."""
    refused, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(refused, state.frame.refusal)
    elif state.lead:
        yield "lead", Words(box=body.top(38), text=state.lead, caps=24, lines=1)
        body = body.below(44)
    for n, notice in enumerate(state.notices):
        box, body = page.refused(body, notice)
        for name, part in page.refusal(box, notice):
            yield f"notice/{n}/{name}", part
    if state.code:
        body, beside = _code_beside(state, body, page)
        yield from _code(state.code, beside)
    if state.keys:
        yield from _keys_and_lines(state, body, page)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _code_beside(state: ArbiterState, body: Box, page: Page) -> tuple[Box, Box]:
    """The room of the keys and that of the code: beside them, in portrait below two columns."""
    if not page.portrait:
        return page.sides(body, body.wide - _CODE_WIDE - 12)
    keys_high = -(-len(state.keys) // 2) * (_NARROW_KEY + 6)
    keys_high = max(keys_high, body.high - _CODE_WIDE - _CODE_WORDS)
    return body.top(keys_high), body.below(keys_high + 6)


def _code(address: str, room: Box) -> Parts:
    """The code, and under it the address for whoever types it; phones add what is left out."""
    side = min(room.wide, room.high - _CODE_WORDS, _CODE_WIDE)
    place = Box(room.x, room.y, room.wide, side).square()
    yield "code", CodePart(box=place, text=address)
    under = Box(room.x, place.bottom + 6, room.wide, _CODE_WORDS - 6)
    title, typed = under.top(20), under.below(22)
    yield "code/title", Words(box=title, text="Live page, to look at", caps=16, align="centre")
    words = address.removeprefix("http://").rstrip("/")
    yield "code/words", Words(box=typed, text=words, caps=16, lines=2, align="centre")


def _above(state: ArbiterState, body: Box) -> tuple[list[tuple[str, Part]], Box]:
    """The largest key, or those that are chosen first, and the room under them."""
    if state.large:
        first = key_cap(body.top(_LARGE_KEY), state.keys[0], caps=34, sign_side=56, primary=True)
        return [("key/0", first)], body.below(_LARGE_KEY + 8)
    if not state.first:
        return [], body
    boxes = body.top(_KEY_HIGH).columns([1] * state.first, gap=8)
    firsts = zip(boxes, state.keys, strict=False)
    caps = [(f"key/{n}", key_cap(box, key, caps=19)) for n, (box, key) in enumerate(firsts)]
    return [*caps], body.below(_KEY_HIGH + _KEY_HIGH / 4)


def _keys_and_lines(state: ArbiterState, body: Box, page: Page) -> Parts:
    above, body = _above(state, body)
    yield from above
    keys = list(enumerate(state.keys))[len(above) :]
    fits = body.high / max(1, len(keys)) - 6 >= _NARROW_KEY
    columns = 1 if page.portrait and fits else 2
    if not page.portrait and -(-len(keys) // 2) * (_LINE_HIGH + 6) > body.high + 6:
        columns = 3  # under a refusal of several lines
    rows = -(-len(keys) // columns)
    fitting = max(0, int((body.high - rows * 57) // (_LINE_HIGH + 3)))
    lines = state.lines[:fitting]
    lines_high = len(lines) * (_LINE_HIGH + 3)
    most = _FEW_KEY if state.few else _ROOMY_KEY if state.large else _KEY_HIGH
    strips = stacked(body.top(body.high - lines_high), rows, high=most, gap=6)
    caps = 30 if state.few and strips[0].high >= _KEY_HIGH else 19
    for at, (n, key) in enumerate(keys):
        row, column = divmod(at, columns)
        box = strips[row].columns([1] * columns, gap=8)[column]
        yield f"key/{n}", key_cap(box, key, caps=caps, align="left", sign_side=2 * caps)
    foot = Box(body.x, body.bottom - lines_high + 3, body.wide, lines_high)
    for n, (box, line) in enumerate(
        zip(stacked(foot, len(lines), high=_LINE_HIGH, gap=3), lines, strict=True)
    ):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, action=action)
