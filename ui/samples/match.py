"""Sample states of every screen, for looking at them: not one match, but every look they have.

`SAMPLES` maps a name ("round-running", "cards-refused") to a state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.board import Look, Piece
from companion.core.offers import AfterZero, LateCard
from hardware.panel.pins import LAMPS_S
from ui.samples.beside import BESIDE, BOOKS
from ui.samples.corrections import CORRECTIONS
from ui.samples.field import HEX
from ui.samples.parts import (
    BASE_KEYS,
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
    with_first_opened,
)
from ui.scene.map import Pick
from ui.scene.scene import ARBITER_KEY, BACK, CANCEL, SENSED, page_keys
from ui.scene.values import (
    Alert,
    Badge,
    Band,
    Key,
    KeyLook,
    Lamp,
    Line,
    Mark,
    Message,
    PadGroup,
    Picture,
    RulingLine,
    TeamStrip,
)
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.differ import DifferState
from ui.screens.arbiter.evidence import EvidenceState
from ui.screens.arbiter.late import LateState, ToldState
from ui.screens.match.cards import CardsState
from ui.screens.match.challenge import ChallengeState, Quoted, Tab
from ui.screens.match.choose import ChooseState
from ui.screens.match.counts import NOBODY, CountRow, CountsState
from ui.screens.match.everyone import EveryoneState, PlayerRow
from ui.screens.match.lock import BorderKey, LockSection, LockState, LockTeam
from ui.screens.match.numbers import number_pad
from ui.screens.match.ready import ReadyRow, ReadyState
from ui.screens.match.round import Phase, RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import ScreenState
from ui.touch import actions

SIX_NAMES = ("Ana", "Bartholomäus-Wilhelmine Q", "Cleo", "Dan", "Eve", "Finnegan")

# Calls: an open challenge, and a late card that a slot sensor felt.

SHOWN = actions.Show(actions.Panel.EVIDENCE, "34")
EVIDENCE_KEY = Key("Evidence", SHOWN, sign="eye")
HELD = Key(
    "Hold to decide", actions.DecideChallenge("stands"), "clock runs from 12.4 s", look=KeyLook.HOLD
)
VERDICTS = (
    Key("Withdraw", actions.DecideChallenge("withdrawn"), sign="back"),
    Key("Stands", actions.ChooseVerdict("stands"), "as it is recorded", look=KeyLook.CHOSEN),
    Key("Corrected", actions.ChooseVerdict("corrected"), "the record, or the table"),
    Key("Replayed", actions.ChooseVerdict("replayed"), "Round 7 again"),
)
BANNER = Alert(
    "CHALLENGE: the arbiter", "The clock stands until it is decided.", "CHALLENGE", "", Mark.WARN
)
CHALLENGE = ChallengeState(
    frame("CHALLENGE", "Round 7 · Action phase", keys=VERDICTS, next_key=HELD, wide=True),
    Band(("CHALLENGE: PAWS", "THE CLOCK STANDS AT 12.4 s"), PAWS, Mark.WARN),
    (
        Line("Paws", "Jaws 4 was laid after the buzzer.", key=EVIDENCE_KEY, side=PAWS),
        Line("Jaws", "touch to tell", key=EVIDENCE_KEY, side=JAWS),
    ),
    (
        Line(
            "Round 7 · Lock · Jaws 4: pilot 1",
            "the last answer; touch: another",
            right="14:07:22",
            key=EVIDENCE_KEY,
        ),
    ),
    paragraphs=(
        Quoted("Ruled: Jaws section 4 counts: the card lay there at zero."),
        Quoted("JP-5.7 · Late cards", "A card counts if it lies on a section at zero. One that "
               "comes later goes back to its owner's hand, and nothing is drawn for it."),
    ),
    book=actions.Show(actions.Panel.RULES, "JP-5.7"),
    tabs=(
        Key(
            "Claims", actions.Show(actions.Panel.CHALLENGE, ""), "1 of 2 told",
            look=KeyLook.CHOSEN,
        ),
        Key("Pictures", actions.Show(actions.Panel.CHALLENGE, "pictures"), "2 pictures"),
        Key("Paragraph", actions.Show(actions.Panel.CHALLENGE, "paragraph"), "JP-5.7"),
    ),
)  # fmt: skip
LONG_CLAIMS = tuple(
    replace(
        line, value="The plane stood on the other space before anybody had turned the second card."
    )
    for line in CHALLENGE.claims
)
STILLS = (
    Picture(None, 0, (1280, 720), note="1.0 s before the buzzer", note_mark=Mark.NONE),
    Picture(None, 0, (1280, 720), note="1.5 s after the buzzer", note_mark=Mark.NONE),
)
CHALLENGERS = ArbiterState(
    frame("CHALLENGE", "Round 7 · Section 3", keys=(CANCEL,), banner=BANNER),
    "Who challenges?",
    tuple(
        Key(name, actions.OpenChallenge(by), "disputes something: the clock stands")
        for name, by in (("Jaws", "Jaws"), ("Paws", "Paws"), ("Arbiter", "table"))
    ),
)
ARBITER = ArbiterState(
    frame("ARBITER", "Round 7 · Section 3", keys=(BACK,), banner=BANNER),
    "",
    (
        Key("Decided", actions.DecideChallenge(), "ends the challenge", "next"),
        Key("Go on", actions.Resume(), "from 12.4 s", "play"),
        Key("Report", actions.Show(actions.Panel.REPORT), "late card, word taken back", "warn"),
        Key("Adjust", actions.Show(actions.Panel.ADJUST), "counts and places", "settings"),
        Key("Amend", actions.Show(actions.Panel.LOG), "an answer of the log", "log"),
    ),
    large=True,
)
ARBITER_MORE = ArbiterState(
    frame("ARBITER", "Round 7 · Section 3", keys=(BACK,)),
    "What is to be decided?",
    (
        Key("Table check", actions.Show(actions.Panel.TABLE_CHECK), "camera and devices", "eye"),
        Key("Give 5 s", actions.GiveTime(5.0), "this round alone"),
        Key("Close match", actions.Show(actions.Panel.CLOSE), "by the arbiter's word", "cancel"),
        Key("Keep", actions.KeepLearned(), "3 cards", "save"),
    ),
)
STANDING = (
    Alert(
        "Two tokens of one team on one View set: each team has one.",
        "Take one of them off, then say that it is solved.",
        "JP-E14",
        "JP-2.3",
        key=Key("Solved", actions.Solve("JP-E14")),
    ),
    Alert(
        "Jaws Gunner: the deck was counted as 3, and the record has 14.",
        "Count again, or let the arbiter adjust the record to what lies there.",
        "JP-E33",
        "JP-6.1, RULING 8",
        Mark.WARN,
        Key("Go on anyway", actions.Solve("JP-E33")),
    ),
)
TOLD = ToldState(
    frame("REPORT", "Round 7 · Lock", keys=(), next_key=go("Done", "goes on")),
    Band(("BARTHOLOMÄUS:", "TAKE 2 BACK"), JAWS, Mark.WARN),
    "Jaws section 2: a card of Jaws Gunner laid late returns to the hand, not played.",
    "The lock did not count it.",
)
FELT_LATE = LateCard("Paws.3", moved_from="Paws.2", felt=AfterZero(0.181, 0.0012))
FELT_LATE_CARD = Alert(
    "Late card: Paws 3. Whose? (1 of 2)",
    f"Laid {FELT_LATE.felt}, from 2",
    SENSED,
    "",
    Mark.WARN,
    Key("Cleo", actions.RuleLate(FELT_LATE, "PP"), "Pilot"),
    (
        Key("Bartholomäus", actions.RuleLate(FELT_LATE, "PG"), "Gunner"),
        Key("In time", actions.LetLie(FELT_LATE)),
    ),
)


def calls(lock: LockState, locked: RoundState, ruling: RulingState) -> Mapping[str, ScreenState]:
    """Challenges, and the screens of a lock and a ruling with what was called or kept of them."""
    empty = replace(lock.teams[1].sections[1], note="sensor: empty")
    jaws = replace(
        lock.teams[1], sections=(lock.teams[1].sections[0], empty, *lock.teams[1].sections[2:])
    )
    return {
        "challenge": CHALLENGE,
        "challenge-still": replace(CHALLENGE, pictures=STILLS, shown=SHOWN, tab=Tab.PICTURES),
        "challenge-paragraph": replace(CHALLENGE, tab=Tab.PARAGRAPH),
        "challenge-six": replace(CHALLENGE, claims=LONG_CLAIMS * 3),
        "challenge-six-paragraph": replace(CHALLENGE, claims=LONG_CLAIMS * 3, tab=Tab.PARAGRAPH),
        "challenge-by-arbiter": replace(
            CHALLENGE, band=Band(("CHALLENGE: THE ARBITER", "PLAY WAITS"), mark=Mark.WARN)
        ),
        "challenge-begun": replace(CHALLENGE, lines=()),
        "challengers": CHALLENGERS,
        "arbiter-challenged": ARBITER,
        "arbiter-more": ARBITER_MORE,
        "arbiter-notices": replace(ARBITER_MORE, lead="", keys=(), notices=STANDING),
        "told": TOLD,
        "told-nothing": replace(TOLD, band=None),
        "lock-late": replace(lock, frame=replace(lock.frame, refusal=FELT_LATE_CARD)),
        "lock-sensed": replace(lock, teams=(lock.teams[0], jaws)),
        "lock-seen": _seen(lock),
        "round-locked-late": replace(locked, frame=replace(locked.frame, refusal=FELT_LATE_CARD)),
        "ruling-evidence": _with_evidence(ruling),
    }


def _seen(lock: LockState) -> LockState:
    """Nobody has told anything yet: what the camera sees of each section."""
    notes = ("seen: 1 card", "seen: 1 card?", "something lies", "seen: empty")
    paws = lock.teams[0]
    sections = tuple(
        replace(one, note=note, mark=Mark.WARN if note.endswith(("?", "lies")) else Mark.NONE)
        for one, note in zip(paws.sections, notes, strict=True)
    )
    teams = (replace(paws, sections=sections), *lock.teams[1:])
    return replace(lock, lead="Whose? Paws 2 +1", teams=teams)


def _with_evidence(ruling: RulingState) -> RulingState:
    bottom = replace(ruling.frame.bottom, keys=(*BASE_KEYS, EVIDENCE_KEY))
    return replace(ruling, frame=replace(ruling.frame, bottom=bottom))


# A table that differs from the record.

DIFFER = DifferState(
    frame(
        "TABLE AND RECORD DIFFER",
        "nothing is ruled",
        keys=(
            Key("Undo", actions.AskUndo(), sign="undo"),
            ARBITER_KEY,
            Key("Look again", actions.LookAgain(), "0.2 s old", "eye"),
            Key("Accept table", actions.AcceptTable(), "hold", "", KeyLook.HOLD),
        ),
        next_key=Key("Follow the record", actions.FollowRecord(), "back to GR", "", KeyLook.GO),
        wide=True,
    ),
    Band(
        ("PAWS PLANE ON GC",),
        mark=Mark.WARN,
        note="The record says Jaws GR: Plane Left, own moved it (JP-12.3)",
    ),
    MAP.draw(
        placed(),
        ghosts={Piece("paws"): placed(paws="Jaws.GR")[Piece("paws")]},
        arrows=True,
        legend="record",
    ).homeward(),
    (
        Key("The plane was not moved", actions.FollowRecord(), "JP-12.3: move it to GR"),
        Key("Token knocked", actions.FollowRecord(), "nobody moved it"),
        Key("Another card was played", actions.Show(actions.Panel.AMEND, "4"), "amend Paws 3"),
    ),
)

DIFFERS: Mapping[str, ScreenState] = {
    "differ": DIFFER,
    "differ-early": replace(
        DIFFER,
        frame=replace(
            DIFFER.frame,
            bottom=replace(
                DIFFER.frame.bottom,
                next=Key("Go on", actions.FollowRecord(), "Sun: asked for later", "", KeyLook.GO),
            ),
        ),
        band=Band(
            ("SUN ON JAWS PL",),
            mark=Mark.WARN,
            note="It was laid early: nobody has placed the Sun yet",
        ),
        map=MAP.draw(placed(sun="Jaws.PL"), legend="record").homeward(),
        causes=(
            Key(
                "It was laid out before its turn",
                actions.FollowRecord(),
                "leave it, or take it off",
            ),
        ),
    ),
}


# Evidence: the pictures of one line of the log.

EVIDENCE = EvidenceState(
    frame(
        "EVIDENCE",
        "line 42, 14:07:23",
        keys=(BACK, *page_keys(1, 4)),
        next_key=Key(
            "Keep a clip", actions.KeepClip(42), "20 s before, 5 s after", "next", KeyLook.GO
        ),
    ),
    "Section 3 · Reveal · Paws: MPL own",
    Picture(None, 0, (1280, 720), note="No picture was kept of this."),
    tuple(
        Line(f"card turned over, {part}", f"file 00042-reveal-{part}", mark, at, key)
        for part, at, mark, key in (
            ("before", "14:07:22", Mark.ASK, None),
            ("at", "14:07:23", Mark.NONE, Key("Show", actions.TurnPage(1))),
            ("after", "14:07:25", Mark.NONE, Key("Show", actions.TurnPage(2))),
            ("boards", "14:07:25", Mark.NONE, Key("Show", actions.TurnPage(3))),
        )
    ),
    1,
    4,
)

LATE = LateCard("Paws.3", "PP")
DECISIONS = (
    BACK,
    Key("Late: Bartholomäus", actions.RuleLate(LATE, "PP"), "Paws Pilot"),
    Key("Late: Cleo", actions.RuleLate(LATE, "PG"), "Paws Gunner"),
    Key("In time", actions.LetLie(LATE), "it lay there"),
)
LATE_CARD = LateState(
    frame("LATE CARD?", "Round 7 · Lock", keys=DECISIONS, wide=True),
    Band(("PAWS 3: LATE?", "Paws Pilot's card was not there at the buzzer"), PAWS, Mark.WARN),
    Picture(None, 0, (4, 3), note="at the buzzer"),
    Picture(None, 0, (4, 3), note="1.8 s after the buzzer"),
)

EVIDENCES: Mapping[str, ScreenState] = {
    "late": LATE_CARD,
    "late-moved": replace(
        LATE_CARD,
        band=Band(("PAWS 3: LATE?", "Paws Gunner's card, moved from Paws 2"), PAWS, Mark.WARN),
    ),
    "evidence": EVIDENCE,
    "evidence-none": replace(EVIDENCE, lines=(), pages=1),
}


def counts_typed() -> CountsState:
    """The piles of a match that begins in the middle: of two the second is being typed."""
    asked = (("Table", "Count: draw pile", "31"), ("Table", "Count: discard pile", "1"))
    rows = tuple(
        CountRow(
            NOBODY, who, what, (), value, mark=Mark.OK if n == 0 else Mark.NONE,
            chosen=n == 1, choose=actions.AskUndo(),
        )
        for n, (who, what, value) in enumerate(asked)
    )  # fmt: skip
    typed = number_pad(1, range(100), lambda _: actions.AskUndo(), lambda _: actions.AskUndo())
    band = Band(("Count: discard pile",))
    return CountsState(COUNTS.frame, band, "How many cards lie in the discard pile?", rows, typed)


def counts_seen(counts: CountsState) -> CountsState:
    """What a camera sees of the tracks where players are asked: a number lit, sections in doubt."""
    numbers = [Key(str(n), actions.AskUndo()) for n in (0, 1, 2, 3, 5, 10, 25, 50)]
    lit = (*numbers[:2], replace(numbers[2], look=KeyLook.CHOSEN), *numbers[3:])
    borders = (Key("Pilot 0", actions.AskUndo()), Key("Gunner 0", actions.AskUndo()))
    held = Key("Checked", actions.AskUndo(), "hold: 12 in doubt, not counted", "next", KeyLook.HOLD)
    rows = (
        CountRow(PAWS, "Paws Pilot", "seen: 2", lit, "2"),
        CountRow(PAWS, "Paws Gunner", "in doubt: 1, 2, 3, 4", tuple(numbers)),
        CountRow(PAWS, "Paws", "Paws 3: doubled?", borders, "", "seen: 2 cards?", Mark.WARN),
        CountRow(PAWS, "Paws", "Paws 4: doubled?", borders, "", "something lies", Mark.WARN),
    )
    bottom = replace(counts.frame.bottom, next=held)
    return replace(counts, rows=rows, frame=replace(counts.frame, bottom=bottom))


# The round, the forms and the rulings; and every sample by its name.

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
PAUSE = Key("Pause", actions.Pause(), "stops clock, lamps and buzzer", "pause", KeyLook.GO)
TICKS = 20


def _lamps(rest_s: float) -> tuple[Lamp, ...]:
    return tuple(Lamp(f"{at:g}", rest_s <= at) for at in LAMPS_S)


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
        next_key=Key("Go on", actions.Resume(), "clock runs from 12.4 s", "play", KeyLook.GO),
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
            Key(letter, actions.AskUndo(), look=KeyLook.CHOSEN if count else KeyLook.PLAIN),
        )
        for letter, count, border in (("P", pilot, "light"), ("G", gunner, "dark"))
    )
    return LockSection(label, note, keys, pilot + gunner > 1, mark)


LOCK = LockState(
    frame(
        "ROUND 7 · LOCK",
        "whose cards lie where?",
        message=Message("Wrong? Tap P or G.", "A second tap makes two."),
        next_key=go("Discard Jaws 1", "all of them, unseen"),
    ),
    "Where do cards lie?",
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

MOVES, ARROWS = (("Left", "Corner", "View", "Right"), ("left", "corner", "view", "right"))
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
    group("NO EFFECT", "", ("No card", "Lies sideways")),
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


_GUNNER = tuple(replace(key, row=1) for key in row(("GL", "GC", "GR"), ZONES))
CARDS_AFTER_DEEDS = replace(
    CARDS,
    left=tuple(
        replace(part, title=title, note="")
        for part, title in zip(LEFT_PAD, ("OWN PLANE", "ENEMY PLANE", "SUN"), strict=True)
    ),
    right=(
        replace(RIGHT_PAD[0], title="SHOOT", note="", keys=(*RIGHT_PAD[0].keys, *_GUNNER)),
        RIGHT_PAD[2],
    ),
    deeds=(
        Band(("Jaws plane to Paws PR",), replace(PAWS, tint=replace(PAWS.tint, sign=""))),
        Band(("Paws Gunner", "scrap 6"), PAWS, queue="Why?"),
    ),
)
"""What was ruled stands over the pad: the next card says that hands have done it."""


def _offered() -> CardsState:
    """Sight saw the Paws plane move left: one key is lit and would count once it settles."""
    moves = LEFT_PAD[0]
    seen = replace(moves.keys[0], key=replace(moves.keys[0].key, seen="seen 0.3 s"))
    shown = frame(
        "SECTION 3 OF 4",
        "Round 7",
        message=Message("Camera saw Plane Left, own", "Touch anything to hold it."),
        next_key=Key("Plane Left, own", actions.AskUndo(), "as seen 0.3 s ago", "eye", KeyLook.GO),
    )
    lit = replace(moves, keys=(seen, *moves.keys[1:]))
    return replace(CARDS, frame=shown, left=(lit, *LEFT_PAD[1:]))


def _why(rule: str) -> Key:
    return Key("Why?", actions.Show(actions.Panel.RULES, rule), rule)


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
    Band(("Discard",)),
    "Say how many you discard from hand.",
    tuple(
        CountRow(
            side,
            name,
            role,
            tuple(
                Key(
                    str(n),
                    actions.AskUndo(),
                    look=KeyLook.CHOSEN if str(n) == value else KeyLook.PLAIN,
                )
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
        next_key=Key("Ready?", None, "waits for Paws", "next", KeyLook.IMPOSSIBLE),
    ),
    Band(("READY?",), note="Jaws and Paws: each with a key or a button of its own."),
    (
        ReadyRow(
            JAWS,
            "Jaws",
            "ready",
            Key("Jaws ready", actions.AskUndo(), look=KeyLook.CHOSEN, mark=Mark.OK),
        ),
        ReadyRow(PAWS, "Paws", "Ready for round 7?", Key("Paws ready", actions.AskUndo())),
    ),
)

READY_AFTER_DEEDS = replace(
    READY,
    deeds=(
        Band(("Paws Gunner", "scrap 6"), PAWS, queue="Why?"),
        Band(("Turn to smoke",), JAWS, queue="Why?"),
        Band(("Clear both tracks",), queue="Why?"),
    ),
)
_UNLIT = Key("Paws ready", None, "the table first", look=KeyLook.IMPOSSIBLE)
READY_BLOCKED = replace(
    READY,
    frame=frame(
        "ACTION",
        "Round 7",
        message=Message("Jaws have the Sun", "JP-5.1, JP-5.2"),
        next_key=Key("Ready?", None, "waits for Paws", "next", KeyLook.IMPOSSIBLE),
        refusal=Alert(
            "Two tokens are the Paws plane: each team has one on the enemy's boards.",
            "Take one of them off.",
            "JP-E14",
            "JP-2.3",
            key=Key("Without camera", actions.AskUndo()),
        ),
    ),
    rows=(READY.rows[0], replace(READY.rows[1], key=_UNLIT)),
    map=MAP.draw(placed()),
)
READY_SIX = replace(
    READY, rows=tuple(replace(READY.rows[n % 2], name=name) for n, name in enumerate(SIX_NAMES))
)


def _everyone(names: tuple[str, ...], most: int = 4) -> EveryoneState:
    """The draws of so many players; the second of them discards two cards."""
    keys = [Key(str(n), actions.AskUndo()) for n in range(most + 1)]
    rows = [
        [replace(key, look=KeyLook.CHOSEN) if n == 2 * (at == 1) else key
         for n, key in enumerate(keys)]
        for at in range(len(names))
    ]  # fmt: skip
    return EveryoneState(
        frame(
            "DRAW",
            "Round 7",
            message=Message(f"Discard: {names[1]} 2", "JP-7.1, JP-7.2, RULING 9"),
            next_key=go("All drawn", "for everybody"),
        ),
        Band(("ALL: DRAW UP TO 4 OR 3",)),
        tuple(
            PlayerRow((JAWS, PAWS)[at % 2], name, "Discard", tuple(row))
            for at, (name, row) in enumerate(zip(names, rows, strict=True))
        ),
    )


CHOOSE = ChooseState(
    frame("SET-UP", "Jaws & Paws, Day", message=Message("11 of 12 zones", "JP-3.5")),
    Band(("Jaws: place the Sun",), JAWS),
    (),
    MAP.draw(
        {piece: pose for piece, pose in placed().items() if piece != "sun"},
        picks={
            name: Pick(actions.AskUndo(), name == "Jaws.PR")
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

_BY_HAND: Mapping[str, ScreenState] = {
    "round-running": _round(14),
    "round-last-seconds": _round(4),
    "round-paused": _paused(),
    "round-locked": _locked(),
    "round-untimed": _untimed(),
    "round-facing": replace(_round(12), facing=True),
    "round-facing-lost": replace(
        _round(4),
        facing=True,
        frame=frame("ROUND 7", devices=CAMERA_LOST, banner=LOST_BANNER, next_key=PAUSE),
    ),
    "round-camera-lost": replace(
        _round(14), frame=frame("ROUND 7", devices=CAMERA_LOST, banner=LOST_BANNER, next_key=PAUSE)
    ),
    "round-give-time": replace(
        _paused(), keys=(Key("+5 s", actions.GiveTime(5.0)), Key("+10 s", actions.GiveTime(10.0)))
    ),
    "lock": LOCK,
    "lock-waiting": replace(
        LOCK, frame=replace(LOCK.frame, top=replace(LOCK.frame.top, devices=NOTHING_YET))
    ),
    "cards": CARDS,
    "cards-after-deeds": CARDS_AFTER_DEEDS,
    "cards-offered": _offered(),
    "cards-refused": replace(CARDS, frame=frame("SECTION 3 OF 4", "Round 7", refusal=REFUSED)),
    "ruling": RULING,
    "ruling-queue": replace(RULING, band=replace(RULING.band, queue="1 of 2")),
    **DIFFERS,
    "counts": COUNTS,
    "counts-long-names": LONG_NAMES,
    "counts-seen": counts_seen(COUNTS),
    "counts-typed": counts_typed(),
    "ready": READY,
    "ready-after-deeds": READY_AFTER_DEEDS,
    "ready-blocked": READY_BLOCKED,
    "ready-six": READY_SIX,
    "everyone": _everyone(SIX_NAMES[:4]),
    "everyone-six": _everyone(SIX_NAMES),
    "choose-place": CHOOSE,
    "choose-toss": TOSS,
    **BESIDE,
    **CORRECTIONS,
    **EVIDENCES,
    **calls(LOCK, _locked(), RULING),
    **BOOKS,
    **HEX,
}
SAMPLES = with_first_opened(_BY_HAND)
