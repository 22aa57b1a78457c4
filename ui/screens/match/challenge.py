"""An open challenge: who disputes, how the clock stands, and what was told and kept last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from companion.core.ruling import TABLE, Seat
from companion.core.text import counted
from companion.record.evidence import EvidenceFile, EvidencePart
from companion.referee.challenge import (
    LONGEST_CLAIM,
    Verdict,
    corrections_since,
    replayed_from,
)
from ui.scene.scene import CANCEL, challenger
from ui.scene.theme import Caps, Colour, Reach
from ui.scene.values import Band, Frame, Key, KeyLook, Line, Mark, Picture
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.log import line_text
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import (
    CORRECT,
    Back,
    ChooseVerdict,
    DecideChallenge,
    DisputeLine,
    NameChallenger,
    OpenChallenge,
    Panel,
    Show,
    TellClaim,
    TypeClaim,
)
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.picture import PicturePart
from ui.widgets.teams import draw_emblem
from ui.widgets.words import LinePart

if TYPE_CHECKING:
    from companion.match.entry import Entry
    from companion.referee.challenge import Challenge
    from ui.scene.scene import Scene


LINES = 7
"""Answers that are told again: what is disputed is among the last."""
FEW = 4
"""So many other answers are offered as claims."""
NEAR_S = 60.0
"""A picture further than this from a buzzer is told by the time of day."""
CLAIM, WHICH = "claim/", "which"
"""Parts of an open challenge's panel: a side's claim, the line that is meant."""

CALLER = "Arbiter"
"""Who challenges where no team does."""


@dataclass(frozen=True, slots=True)
class ChallengeState:
    """The band says who and how the clock stands; under it lies what the decision rests on.

    `pictures`: before and after, none where none was kept. `claims`: what either side says;
    `lines`: what is disputed, and the paragraph behind it. Each line's key tells or opens more.
    """

    frame: Frame
    band: Band
    claims: tuple[Line, ...]
    lines: tuple[Line, ...]
    pictures: tuple[Picture, ...] = ()
    shown: Show | None = None


def present_challenge(scene: Scene, challenge: Challenge) -> ChallengeState | ArbiterState:
    """First it is asked who disputes; then what is meant, what each side says, what comes of it.

    The keys for the decision are alike, and none is proposed.
    """
    if not challenge.named:
        return _asked_whose(scene)
    pictures, shown = _pictures(scene, challenge)
    frame = scene.frame(
        "CHALLENGE",
        " · ".join(scene.place),
        keys=(
            Key(
                "Withdraw",
                DecideChallenge(str(Verdict.WITHDRAWN)),
                sign="back",
                look=KeyLook.HOLD,
            ),
            *_verdict_keys(scene, challenge),
        ),
        next_key=_hold_key(scene, challenge),
        wide=True,
    )
    return ChallengeState(
        frame=replace(frame, banner=scene.trouble),  # the band says it all
        band=_band(scene, challenge),
        claims=_claims(scene, challenge),
        lines=(_disputed(scene, challenge), *_paragraph(scene, challenge)),
        pictures=pictures,
        shown=shown,
    )


def _verdict_keys(scene: Scene, challenge: Challenge) -> tuple[Key, ...]:
    corrected = corrections_since(scene.match.entries, challenge.seq)
    begun = replayed_from(scene.match, challenge.line)
    entry = scene.match.entries[begun] if begun is not None else None
    place = scene.history.round_of(entry.key) if entry is not None else ""
    done = counted(len(corrected), "correction") if corrected else "record or table"
    seconds = {
        Verdict.STANDS: "as it is recorded",
        Verdict.CORRECTED: done,
        Verdict.REPLAYED: f"{place} again" if place else "no round has begun",
    }
    return tuple(
        Key(
            str(verdict).capitalize(),
            None if verdict is Verdict.REPLAYED and begun is None else ChooseVerdict(str(verdict)),
            second,
            look=_look(
                scene, verdict, possible=verdict is not Verdict.REPLAYED or begun is not None
            ),
        )
        for verdict, second in seconds.items()
    )


def _look(scene: Scene, verdict: Verdict, *, possible: bool) -> KeyLook:
    if not possible:
        return KeyLook.IMPOSSIBLE
    return KeyLook.CHOSEN if scene.view.verdict == verdict else KeyLook.PLAIN


def _hold_key(scene: Scene, challenge: Challenge) -> Key:
    """Nothing is decided by one touch; before a word is chosen there is nothing to hold."""
    chosen = scene.view.verdict
    if not chosen:
        return Key("Hold to decide", None, "choose one first", look=KeyLook.IMPOSSIBLE)
    then = _then(scene, challenge)
    if chosen == Verdict.REPLAYED:
        then = "all of it is undone"
    return Key("Hold to decide", DecideChallenge(chosen), then, look=KeyLook.HOLD)


def _band(scene: Scene, challenge: Challenge) -> Band:
    clock = scene.referee.clock
    stands = f"THE CLOCK STANDS AT {clock.rest(scene.now):.1f} s" if clock else "NOTHING GOES ON"
    who = challenger(scene.names, challenge.by).upper()
    if scene.referee.presses.budget and challenge.by != TABLE:
        who = f"{who}, {scene.referee.presses.left(challenge.by)} LEFT"
    return Band((f"CHALLENGE: {who}", stands), scene.side(challenge.by), Mark.WARN)


def _sides(scene: Scene, challenge: Challenge) -> tuple[Seat, ...]:
    """Who speaks: whoever challenges, and one of the others; of several, whoever has spoken."""
    sides = [side for side in scene.names.sides if side != challenge.by]
    sides.sort(key=lambda side: not challenge.said_by(side))
    mine = (challenge.by,) if challenge.by != TABLE else ()
    return (*mine, *sides)[:2]


def _claims(scene: Scene, challenge: Challenge) -> tuple[Line, ...]:
    return tuple(
        Line(
            f"{scene.names.label(side)} say",
            challenge.said_by(side) or "touch to tell",
            key=Key("Claim", Show(Panel.CHALLENGE, f"{CLAIM}{side}")),
            side=scene.side(side),
        )
        for side in _sides(scene, challenge)
    )


def _disputed_entry(scene: Scene, challenge: Challenge) -> Entry | None:
    """The line that is meant; where nobody pointed at one, the last answer."""
    entries = scene.match.entries
    if challenge.line is not None and challenge.line < len(entries):
        return entries[challenge.line]
    return entries[scene.match.steps[-1].seq] if scene.match.steps else None


def _disputed(scene: Scene, challenge: Challenge) -> Line:
    entry = _disputed_entry(scene, challenge)
    meant = "disputed" if challenge.line is not None else "the last answer; touch: another"
    name = line_text(scene, entry) if entry is not None else "Nothing was told yet"
    at = scene.situation.clock(entry.at_utc) if entry is not None else ""
    return Line(name, meant, right=at, key=Key("Which?", Show(Panel.CHALLENGE, WHICH)))


def _paragraph(scene: Scene, challenge: Challenge) -> tuple[Line, ...]:
    """What the book says there, in our words; a touch opens all of it."""
    entry = _disputed_entry(scene, challenge)
    if entry is None:
        return ()
    ruled = [
        one for seq, _, rulings in scene.match.ruled_by() if seq == entry.seq for one in rulings
    ]
    told = scene.history.told.get(entry.seq)
    cite = str(ruled[-1].cite) if ruled else str(told.cite) if told is not None else ""
    known = scene.match.rulebook.paragraphs()
    first = next((known[name] for name in cite.split(", ") if name in known), None)
    if first is None:
        return ()
    key = Key("Why?", Show(Panel.RULES, cite))
    return (Line(f"{first.rule} · {first.heading}", first.text, key=key),)


def _pictures(scene: Scene, challenge: Challenge) -> tuple[tuple[Picture, ...], Show | None]:
    """Before and after of the disputed line, else the latest kept; and where all of them are."""
    kept = scene.situation.kept
    stills = [
        file for file in kept.files if file.part not in (EvidencePart.CLIP, EvidencePart.BOARDS)
    ]
    seqs = {file.seq for file in stills}
    seq = challenge.line if challenge.line in seqs else max(seqs, default=None)
    files = [file for file in stills if file.seq == seq]
    if not files:
        return (), None
    shown = Show(Panel.EVIDENCE, str(seq))
    ends = (files[0], files[-1])
    pair = kept.pair(*ends) if len(files) > 1 else None
    if pair is not None:
        return tuple(_captioned(scene, *one) for one in zip(pair, ends, strict=True)), shown
    return tuple(_captioned(scene, kept.picture(one), one) for one in dict.fromkeys(ends)), shown


def _captioned(scene: Scene, picture: Picture | None, file: EvidenceFile) -> Picture:
    """A still, with its time to the buzzer; before that sounded, with what was left."""
    if picture is None:
        return Picture(None, 0, (4, 3), note=f"{file.short} cannot be read.")
    words = _to_the_buzzer(scene, file) or f"{file}, {scene.situation.clock(file.at_utc)}"
    return replace(picture, note=words, note_mark=Mark.NONE)


def _to_the_buzzer(scene: Scene, file: EvidenceFile) -> str:
    """How long before or after the zero nearest to it; empty where none is near."""
    zeros = (entry for entry in scene.match.entries if _sounded(entry))
    at = _seconds(file.at_utc)
    ways = [at - _zero_s(entry) for entry in zeros]
    way = min(ways, key=abs, default=None)
    if way is None or abs(way) > NEAR_S:
        return ""
    return f"{abs(way):.1f} s {'before' if way < 0 else 'after'} the buzzer"


def _sounded(entry: Entry) -> bool:
    said = entry.answer
    return entry.kind == "clock" and isinstance(said, dict) and said.get("event") == "sounded"


def _zero_s(entry: Entry) -> float:
    before = entry.answer.get("before_s") if isinstance(entry.answer, dict) else None
    return _seconds(entry.at_utc) - (before if isinstance(before, int | float) else 0.0)


def _seconds(at_utc: str) -> float:
    return datetime.fromisoformat(at_utc).timestamp()


# What is asked on the way: which line, what a side says, what corrects it.


def present_part(scene: Scene) -> ChallengeState | ArbiterState:
    """A question of an open challenge, by the panel's part; else it itself, or whose it is."""
    challenge, part = scene.referee.presses.challenge, scene.view.part
    if challenge is None or not challenge.named:
        return present_challengers(scene)
    if part == WHICH:
        return _asked(scene, "What is disputed?", _line_keys(scene))
    if part == CORRECT:
        return _asked(scene, "What corrects it?", _correcting_keys(scene, challenge))
    by = Seat(part.removeprefix(CLAIM))
    if part.startswith(CLAIM) and by in scene.names.sides:
        lead = f"What do {scene.names.label(by)} say?"
        return _asked(scene, lead, _claim_keys(scene, challenge, by))
    return present_challenge(scene, challenge)


def _asked(scene: Scene, lead: str, keys: tuple[Key, ...]) -> ArbiterState:
    frame = scene.frame("CHALLENGE", " · ".join(scene.place), keys=(CANCEL,))
    return ArbiterState(frame, lead, keys)


def _line_keys(scene: Scene) -> tuple[Key, ...]:
    entries = [scene.match.entries[step.seq] for step in reversed(scene.match.steps[-LINES:])]
    keys = tuple(
        Key(line_text(scene, entry), DisputeLine(entry.seq), scene.situation.clock(entry.at_utc))
        for entry in entries
    )
    return (*keys, Key("None of these", DisputeLine(None), "something at the table"))


def _claim_keys(scene: Scene, challenge: Challenge, by: Seat) -> tuple[Key, ...]:
    """What the disputed line offers: as it is, or each other answer where they are few."""
    said, entry = challenge.said_by(by), _disputed_entry(scene, challenge)
    words = ["It is as recorded.", "It is recorded wrong.", "The ruling is wrong."]
    question = scene.history.asked_at(entry.seq) if entry is not None and entry.key else None
    options = question.options_now() if question is not None else ()
    if 1 < len(options) <= FEW:
        words += [f"It was {option.in_words}." for option in options]
    keys = tuple(
        Key(one, TellClaim(str(by), one), look=KeyLook.CHOSEN if one == said else KeyLook.PLAIN)
        for one in words
        if len(one) <= LONGEST_CLAIM
    )
    typed = TypeClaim(str(by), scene.names.label(by), "" if said in words else said)
    return (*keys, Key("In other words", typed, "typed"))


def _correcting_keys(scene: Scene, challenge: Challenge) -> tuple[Key, ...]:
    """Each leads to a correction, which comes back to the challenge."""
    entry = _disputed_entry(scene, challenge)
    amended = (
        (Key("Amend it", Show(Panel.AMEND, str(entry.seq)), "the disputed answer", "log"),)
        if entry is not None and entry.seq in scene.history.told
        else ()
    )
    return (
        *amended,
        Key("Another line", Show(Panel.LOG), "of the log", "log"),
        Key("Adjust", Show(Panel.ADJUST), "counts and places", "settings"),
        Key("Report", Show(Panel.REPORT), "what the table saw", "warn"),
        Key("By hand alone", Back(), "the record is right", "hand"),
    )


def _then(scene: Scene, challenge: Challenge | None) -> str:
    clock = scene.referee.clock
    if clock is None or challenge is None:
        return "the match goes on"
    if challenge.stopped_clock:
        return f"clock runs from {clock.rest(scene.now):.1f} s"
    return "the clock stays paused"


def present_challengers(scene: Scene) -> ArbiterState:
    """Who disputes: one touch opens it, or names whose the open one is; nobody's is withdrawn."""
    if scene.referee.presses.challenge is not None:
        return _asked_whose(scene)
    sides = [(scene.names.label(side), str(side)) for side in scene.names.sides]
    keys = tuple(
        Key(name, OpenChallenge(by), _left(scene, by) or "disputes something: the clock stands")
        for name, by in (*sides, (CALLER, str(TABLE)))
    )
    frame = scene.frame("CHALLENGE", " · ".join(scene.place), keys=(CANCEL,))
    return ArbiterState(frame, "Who challenges?", keys)


def _left(scene: Scene, by: str) -> str:
    """How many challenges a side has left; empty where none are counted, and of the arbiter's.

    Whoever has none left is not kept from speaking: the arbiter hears it, or has it withdrawn.
    """
    presses = scene.referee.presses
    if not presses.budget or by == TABLE:
        return ""
    left = presses.left(Seat(by))
    return f"{counted(left, 'challenge')} left" if left else "none left: the arbiter hears it"


def _asked_whose(scene: Scene) -> ArbiterState:
    """The clock stands already; whoever touched by mistake lets it go on."""
    sides = [(scene.names.label(side), str(side)) for side in scene.names.sides]
    keys = tuple(
        Key(name, NameChallenger(by), _left(scene, by) or "disputes something")
        for name, by in (*sides, (CALLER, str(TABLE)))
    )
    withdrawn = DecideChallenge(str(Verdict.WITHDRAWN))
    back = Key("Nobody", withdrawn, _then(scene, scene.referee.presses.challenge), "cancel")
    frame = scene.frame("CHALLENGE", " · ".join(scene.place), keys=(back,))
    return ArbiterState(replace(frame, banner=scene.trouble), "Who challenges?", keys)


# Parts and layout.

_BAND_HIGH, _LOW_BAND_HIGH = 128.0, 58.0
_LINE_HIGH, _PARAGRAPH_HIGH = 66.0, 72.0
_SIGN = 84.0


@dataclass(frozen=True, kw_only=True)
class CallPart(Part):
    """The loudest band there is: inverted, a sign as high as both lines, and whose call it is."""

    band: Band

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.GO, Reach.BAND_RADIUS)
        room = self.box.inset(16, min(14, self.box.high / 6))
        side = min(_SIGN, room.high)
        pen.sign("hand", Box(room.x, room.y, _SIGN, room.high).square(side), Colour.GO_INK)
        if self.band.side is not None:
            plate = Box(room.right - _SIGN, room.y, _SIGN, room.high).square(side)
            pen.fill(plate.grown(min(8, side / 10)), Colour.BG, Reach.RADIUS)
            draw_emblem(pen, self.band.side, plate)
            room = room.left(room.wide - _SIGN - 22)
        rows = room.beside(_SIGN + 16).rows([1] * len(self.band.lines), gap=14)
        for row, line, caps in zip(rows, self.band.lines, (Caps.HANDS, 34.0), strict=False):
            pen.text(line, row, min(caps, row.high), Colour.GO_INK)


def layout(state: ChallengeState, page: Page) -> Parts:
    """The band over pictures, claims and what is disputed; a refusal stands under the band."""
    crowded = bool(state.pictures) or state.frame.refusal is not None
    body, low = page.body, crowded and not page.portrait
    band = body.top(_LOW_BAND_HIGH if low else _BAND_HIGH)
    called = Band((" · ".join(state.band.lines),), state.band.side) if low else state.band
    yield "call", CallPart(box=band, band=called)
    body = body.below(band.high + 8)
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(60), state.frame.refusal)
        body = body.below(66)
    if state.pictures:
        high = body.high * 0.46
        boxes = body.top(high).columns([1] * len(state.pictures), gap=Reach.GAP)
        for n, (box, picture) in enumerate(zip(boxes, state.pictures, strict=True)):
            part = PicturePart(box=box, slot=f"dispute-{n}", picture=picture, action=state.shown)
            yield f"picture/{n}", part
        body = body.below(high + 6)
    yield from _told_parts(state, page, body)
    yield from page.around(state.frame)


def _told_parts(state: ChallengeState, page: Page, room: Box) -> Parts:
    """Claims side by side, upright one under another; then what is disputed, and the paragraph."""
    high = max(Reach.TARGET[1] + 1, min(_LINE_HIGH, (room.high - 2 * 6) / 2.2))
    if page.portrait:
        claims = stacked(room, len(state.claims), high=high)
        below = room.below(len(claims) * (high + 6))
    else:
        claims = room.top(high).columns([1] * max(1, len(state.claims)), gap=Reach.GAP)
        below = room.below(high + 6)
    for n, (box, line) in enumerate(zip(claims, state.claims, strict=False)):
        action = line.key.action if line.key is not None else None
        yield f"claim/{n}", LinePart(box=box, line=line, action=action)
    fitting = max(1, int((below.high + 4) // (Reach.TARGET[1] + 4)))
    lines = state.lines[:fitting]
    for n, (box, line) in enumerate(
        zip(stacked(below, len(lines), high=_PARAGRAPH_HIGH, gap=4), lines, strict=True)
    ):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, action=action)
