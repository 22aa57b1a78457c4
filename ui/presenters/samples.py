"""Sample states of every screen, for looking at them: not one match, but every look they have.

`SAMPLES` maps a name ("round-running", "cards-refused") to a state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.board import Look, Piece
from ui.presenters.cards import CardsState
from ui.presenters.choose import ChooseState
from ui.presenters.common import Band, Key, KeyLook, Line, Mark, Message, PadGroup, Refusal
from ui.presenters.counts import CountRow, CountsState
from ui.presenters.lock import BorderKey, LockSection, LockState, LockTeam
from ui.presenters.mapping import Pick
from ui.presenters.ready import ReadyRow, ReadyState
from ui.presenters.round import Badge, Lamp, Phase, RoundState, TeamStrip
from ui.presenters.ruling import RulingLine, RulingState
from ui.presenters.sample_parts import (
    CAMERA_LOST,
    JAWS,
    LOST_BANNER,
    MAP,
    NOTHING_YET,
    PAWS,
    REFUSED,
    frame,
    go,
    group,
    placed,
    row,
)
from ui.presenters.samples_aside import ASIDE
from ui.presenters.samples_books import BOOKS
from ui.presenters.samples_calls import calls
from ui.presenters.samples_differ import DIFFERS
from ui.presenters.samples_evidence import EVIDENCES, counts_seen
from ui.presenters.samples_hex import HEX
from ui.presenters.states import ScreenState
from ui.touch.actions import AskUndo, GiveTime, Panel, Pause, Resume, Show

STRIPS = (
    TeamStrip(
        JAWS,
        ("Pilot deck 14", "Gunner deck 9"),
        (Badge("sun", "HAS THE SUN", "Sun cards first"),),
        "0 to 4 cards, face down, one a section",
    ),
    TeamStrip(
        PAWS,
        ("Pilot deck 11", "Gunner deck 17"),
        (Badge("smoke", "SMOKE", "Repairing costs 3"),),
        "0 to 4 cards, face down, one a section",
    ),
)
PAUSE = Key("Pause", Pause(), "stops clock, lamps and buzzer", "pause", KeyLook.GO)
TICKS = 20


def _lamps(rest_s: float) -> tuple[Lamp, ...]:
    return tuple(Lamp(str(at), rest_s <= at) for at in (10, 5, 3, 0))


def _round(rest_s: int, where: str = "Action Phase · 20 s") -> RoundState:
    return RoundState(
        frame(
            "ROUND 7",
            where,
            message=Message(second="Cards may still be moved or taken back."),
            next_key=PAUSE,
        ),
        Phase.RUNNING,
        str(rest_s),
        TICKS,
        rest_s,
        _lamps(rest_s),
        "Lay cards: one a section",
        STRIPS,
        inverted=rest_s <= 5,
    )


def _paused() -> RoundState:
    running = _round(12, "paused at 14:07:10")
    bottom = frame(
        "ROUND 7",
        "paused at 14:07:10",
        message=Message("12.4 s are left.", "Cards stay as they lie."),
        next_key=Key("Go on", Resume(), "clock runs from 12.4 s", "play", KeyLook.GO),
    )
    return replace(running, frame=bottom, phase=Phase.PAUSED, big="PAUSED", below="12.4 s LEFT")


def _locked() -> RoundState:
    shown = frame(
        "ROUND 7",
        "Action Phase · 20 s",
        message=Message(second="A late card is named and waits for you."),
        next_key=go("Cards on tracks", "whose cards lie where?"),
    )
    return replace(
        _round(0),
        frame=shown,
        phase=Phase.LOCKED,
        inverted=True,
        big="LOCKED",
        below="HANDS OFF THE CARDS",
        note="Picture kept as evidence, 14:07:22.0",
    )


def _untimed() -> RoundState:
    shown = frame(
        "ROUND 7",
        "Action Phase · no timer",
        message=Message("Locked: Ana, Bo, Cleo", "Dan still lays cards."),
        next_key=go("All locked", "ends the phase"),
    )
    return replace(_round(0), frame=shown, phase=Phase.UNTIMED, count="", lamps=(), inverted=False)


def _section(label: str, pilot: int, gunner: int, note: str, mark: Mark = Mark.NONE) -> LockSection:
    keys = tuple(
        BorderKey(
            letter,
            count,
            border,
            Key(letter, AskUndo(), look=KeyLook.CHOSEN if count else KeyLook.PLAIN),
        )
        for letter, count, border in (("P", pilot, "light"), ("G", gunner, "dark"))
    )
    return LockSection(label, note, keys, pilot + gunner > 1, mark)


LOCK = LockState(
    frame(
        "ROUND 7 · LOCK",
        "whose cards lie where?",
        message=Message("Wrong? Tap P or G.", "A second tap makes two."),
        next_key=go("Discard Jaws 1", "both cards unseen · JP-6.1"),
    ),
    "Check the borders against the tracks.",
    (
        LockTeam(
            PAWS,
            "4 cards",
            "Pilot 2, Gunner 2",
            (
                _section("1", 1, 0, "seen"),
                _section("2", 0, 1, "seen"),
                _section("3", 1, 0, "seen"),
                _section("4", 0, 1, "seen"),
            ),
        ),
        LockTeam(
            JAWS,
            "4 cards",
            "Pilot 1, Gunner 3",
            (
                _section("1", 1, 1, "doubled", Mark.WARN),
                _section("2", 0, 0, "empty"),
                _section("3", 0, 1, "seen"),
                _section("4", 0, 1, "seen"),
            ),
        ),
    ),
)

MOVES, ARROWS = (
    ("Left", "Corner", "View", "Right"),
    ("left", "corner", "view", "right"),
)
ARROWS_SUN = ("left", "team", "view", "right")
LEFT_PAD = (
    group("MOVE PLANE", "own plane", MOVES, ARROWS, MAP.looks["paws"]),
    group("MOVE PLANE", "enemy plane", MOVES, ARROWS, MAP.looks["jaws"]),
    group("MOVE SUN", "", ("Left", "Team", "View", "Right"), ARROWS_SUN, MAP.looks["sun"]),
)
ZONES = ("zone-left", "zone-centre", "zone-right")
RIGHT_PAD = (
    group("SHOOT", "own boards", ("PL", "PC", "PR"), ZONES, Look(sign="gunsight")),
    group("", "Gunner View", ("GL", "GC", "GR"), ZONES),
    group("NO EFFECT", "", ("No card", "Half unclear")),
)
CARDS = CardsState(
    frame("SECTION 3 OF 4", "Round 7", next_key=Key("PAWS: FLIP 3", None, "touch the card", "")),
    PAWS,
    "PAWS: FLIP 3",
    LEFT_PAD,
    RIGHT_PAD,
    (Line("Jaws: Shoot GR", "camera, 0.3 s ago", Mark.OK, side=JAWS),),
    MAP.draw(placed()),
    ("Paws 3: nothing at the lock", "Jaws Sun cards go first"),
)


def _offered() -> CardsState:
    """Sight saw the Paws plane move left: one key is lit and would count once it settles."""
    moves = LEFT_PAD[0]
    seen = replace(moves.keys[0], key=replace(moves.keys[0].key, seen="seen 0.3 s"))
    shown = frame(
        "SECTION 3 OF 4",
        "Round 7",
        message=Message("Camera saw Plane Left, own", "Touch anything to hold it."),
        next_key=Key("Plane Left, own", AskUndo(), "as seen 0.3 s ago", "eye", KeyLook.GO),
    )
    lit = replace(moves, keys=(seen, *moves.keys[1:]))
    return replace(CARDS, frame=shown, left=(lit, *LEFT_PAD[1:]))


def _why(rule: str) -> Key:
    return Key("Why?", Show(Panel.RULES, rule), rule)


RULING = RulingState(
    frame(
        "SECTION 3 · RULING",
        "Round 7",
        message=Message("Dan: deck 17, then 11", "Official when section 4 opens"),
        next_key=go("Done", "then section 4"),
    ),
    Band(("PAWS GUNNER", "6 cards: deck to scrap"), PAWS),
    MAP.draw(
        placed(paws="Jaws.GR"),
        ghosts={Piece("paws"): placed()[Piece("paws")]},
        struck=(Piece("paws"),),
        arrows=True,
    ),
    (
        RulingLine("3", "Paws Pilot: Plane Left, own", "GC to GR, seen", _why("JP-9.5"), Mark.OK),
        RulingLine("5", "Jaws Gunner: Shoot GR", "Hit. 6 cards, not in the Sun", _why("JP-14.1")),
        RulingLine(
            "", "The Paws Gunner takes it", "the Jaws plane is on his View", _why("JP-14.4")
        ),
    ),
)

COUNTS = CountsState(
    frame(
        "DISCARD AND DRAW",
        "Round 7",
        message=Message("How many, never which.", "Tap again to change it."),
        next_key=Key("Next", None, "Dan: no number yet", "next", KeyLook.IMPOSSIBLE),
    ),
    "Say how many you discard from hand.",
    tuple(
        CountRow(
            side,
            name,
            role,
            tuple(
                Key(str(n), AskUndo(), look=KeyLook.CHOSEN if str(n) == value else KeyLook.PLAIN)
                for n in range(5)
            ),
            value,
            after,
            Mark.OK if value else Mark.NONE,
        )
        for side, name, role, value, after in (
            (JAWS, "Ana", "Jaws Pilot", "0", "draws 1"),
            (JAWS, "Bo", "Jaws Gunner", "2", "draws 4"),
            (PAWS, "Cleo", "Paws Pilot", "0", "draws 2"),
            (PAWS, "Dan", "Paws Gunner", "", ""),
        )
    ),
)

READY = ReadyState(
    frame(
        "ROUND 7",
        "Start of round",
        message=Message("Jaws have the Sun.", "Their Sun cards go first."),
        next_key=go("Start round", "when both teams are ready"),
    ),
    Band(("READY?",), note="Ready starts 20 seconds."),
    (
        ReadyRow(JAWS, "Jaws", "ready", Key("Ready", AskUndo(), look=KeyLook.CHOSEN, mark=Mark.OK)),
        ReadyRow(PAWS, "Paws", "ready?", Key("Ready", AskUndo(), sign="ready")),
    ),
    map=MAP.draw(placed()),
)

_UNLIT = Key("Paws ready", None, "the table first", look=KeyLook.IMPOSSIBLE)
READY_BLOCKED = replace(
    READY,
    frame=frame(
        "ACTION",
        "Round 7",
        message=Message("Jaws have the Sun", "JP-5.1, JP-5.2"),
        next_key=Key("Ready?", None, "waits for Paws", "next", KeyLook.IMPOSSIBLE),
        refusal=Refusal(
            "Two tokens are the Paws plane: each team has one on the enemy's boards.",
            "Take one of them off.",
            "JP-E14",
            "JP-2.3",
            key=Key("Without camera", AskUndo()),
        ),
    ),
    rows=(READY.rows[0], replace(READY.rows[1], key=_UNLIT)),
)

CHOOSE = ChooseState(
    frame("SET-UP", "Jaws & Paws, Day", message=Message("11 of 12 zones", "JP-3.5")),
    Band(("JAWS: PLACE THE SUN",), JAWS),
    (),
    MAP.draw(
        {piece: pose for piece, pose in placed().items() if piece != "sun"},
        picks={
            name: Pick(AskUndo(), name == "Jaws.PR")
            for name, board in MAP.plan.board_of.items()
            if board.holds_pieces and name != "Paws.PC"
        },
    ),
)
TOSS = ChooseState(
    frame("SET-UP", "Jaws & Paws, Day", message=Message("Toss a coin.", "JP-3.4")),
    Band(("WHO WON THE TOSS?",)),
    (PadGroup("", "", row(("Jaws", "Paws"))),),
)

LONG_NAMES = replace(
    COUNTS,
    rows=tuple(
        replace(one, name="Bartholomäus-Wilhelmine", prompt="Jaws Gunner, second deck")
        for one in COUNTS.rows
    ),
)

SAMPLES: Mapping[str, ScreenState] = {
    "round-running": _round(14),
    "round-last-seconds": _round(4),
    "round-paused": _paused(),
    "round-locked": _locked(),
    "round-untimed": _untimed(),
    "round-facing": replace(_round(12), facing=True),
    "round-camera-lost": replace(
        _round(14), frame=frame("ROUND 7", devices=CAMERA_LOST, banner=LOST_BANNER, next_key=PAUSE)
    ),
    "round-give-time": replace(
        _paused(), keys=(Key("+5 s", GiveTime(5.0)), Key("+10 s", GiveTime(10.0)))
    ),
    "lock": LOCK,
    "lock-waiting": replace(
        LOCK, frame=replace(LOCK.frame, top=replace(LOCK.frame.top, devices=NOTHING_YET))
    ),
    "cards": CARDS,
    "cards-offered": _offered(),
    "cards-refused": replace(CARDS, frame=frame("SECTION 3 OF 4", "Round 7", refusal=REFUSED)),
    "ruling": RULING,
    "ruling-queue": replace(RULING, band=replace(RULING.band, queue="1 of 2")),
    **DIFFERS,
    "counts": COUNTS,
    "counts-long-names": LONG_NAMES,
    "counts-seen": counts_seen(COUNTS),
    "ready": READY,
    "ready-blocked": READY_BLOCKED,
    "choose-place": CHOOSE,
    "choose-toss": TOSS,
    **ASIDE,
    **EVIDENCES,
    **calls(LOCK, _locked(), RULING),
    **BOOKS,
    **HEX,
}
