"""What one line of the log rested on: the pictures kept with it, one shown large.

The line of a decided challenge opens its claims, the paragraph and what was changed, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.text import counted, listed
from companion.record.evidence import EvidenceFile, EvidencePart
from companion.referee import challenge as challenges
from ui.scene.scene import BACK, BY_PICTURES, Scene, challenger, page_keys, pages_of, seen_late
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Line, Mark, Message, Picture, ScreenFrame
from ui.screens.arbiter.late import LateState, present_late
from ui.screens.arbiter.log import is_taken_back, line_text
from ui.screens.match import challenge as disputes
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import DISPUTE, TAKE_BACK, KeepClip, Panel, Show, TurnPage
from ui.widgets.box import Box
from ui.widgets.lettering import lines_of
from ui.widgets.pen import lines_high
from ui.widgets.picture import PicturePart
from ui.widgets.words import LinePart, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.match.entry import Entry
    from ui.table.evidence import Kept


LINES = 5
WHEN_KEPT = "With a camera, pictures are kept at the buzzer, at each reveal and in disputes."
"""What is said of a line of which nobody has tried to keep one."""
NOTHING = Picture(None, 0, (4, 3), note="No picture was kept of this.", note_mark=Mark.NONE)
A_CLIP = Picture(None, 0, (4, 3), note="A clip: any player shows the file.", note_mark=Mark.NONE)


@dataclass(frozen=True, slots=True)
class EvidenceState:
    """The shown picture beside the lines of all that are kept with one line of the log.

    `title` is what that line says, `why` why nothing is kept with it.
    """

    frame: ScreenFrame
    title: str
    picture: Picture
    lines: tuple[Line, ...]
    page: int = 1
    pages: int = 1
    why: str = WHEN_KEPT


def present_evidence(scene: Scene) -> EvidenceState | LateState | disputes.ChallengeState | None:
    """One picture a page; the next tap keeps a clip of the last seconds.

    A late card that waits for a word has its two pictures on one screen; a decided challenge has
    all that it rested on.
    """
    if scene.view.part.startswith(DISPUTE):
        return present_dispute(scene)
    waiting = seen_late(scene)
    if scene.view.part == BY_PICTURES and waiting:
        return present_late(scene, waiting[0])
    seq = int(scene.view.part) if scene.view.part.isdecimal() else scene.match.entries[-1].seq
    seq = min(seq, len(scene.match.entries) - 1)
    kept = scene.situation.kept
    files = kept.of_line(seq)
    shown, page, pages = pages_of(files, scene.view.page, 1)
    first = max(0, min(page - 1 - LINES // 2, len(files) - LINES))
    return EvidenceState(
        frame=scene.frame(
            "EVIDENCE",
            f"line {seq}, {scene.situation.clock(scene.match.entries[seq].at_utc)}",
            keys=(BACK, *page_keys(page, pages)),
            message=_message(kept, files),
            next_key=_clip_key(kept, seq),
        ),
        title=line_text(scene, scene.match.entries[seq]),
        picture=_picture(kept, shown[0]) if shown else NOTHING,
        lines=tuple(_line(scene, file, at - page + 1) for at, file in enumerate(files))[
            first : first + LINES
        ],
        page=page,
        pages=pages,
        why=kept.untaken.get(seq) or WHEN_KEPT,
    )


def _picture(kept: Kept, file: EvidenceFile) -> Picture:
    if file.part is EvidencePart.CLIP:
        return A_CLIP
    return kept.picture(file) or Picture(None, 0, (4, 3), note=f"{file.name} cannot be read.")


def _message(kept: Kept, files: tuple[EvidenceFile, ...]) -> Message:
    if kept.trouble:
        return Message("The last picture was not kept.", kept.trouble, Mark.WARN)
    if kept.clip_is_due:
        return Message("A clip is being kept.", "The seconds after it, too.")
    times, reason = kept.lost
    if times:
        return Message(f"{_times(times)} something was not kept.", reason, Mark.WARN)
    return Message("" if files else "Kept: buzzer, reveals, disputes.")


def _times(count: int) -> str:
    return {1: "Once", 2: "Twice"}.get(count, f"{count} times")


def _clip_key(kept: Kept, seq: int) -> Key:
    if not kept.clips:
        return Key("Keep a clip", None, "no camera looks", "next", KeyLook.IMPOSSIBLE)
    if kept.clip_is_due:
        return Key("Keep a clip", None, "one is being kept", "next", KeyLook.IMPOSSIBLE)
    return Key("Keep a clip", KeepClip(seq), "20 s before, 5 s after", "next", KeyLook.GO)


def _line(scene: Scene, file: EvidenceFile, step: int) -> Line:
    """Which file, of what, when; `step` pages lead to it, and the shown one carries the sign."""
    mark = Mark.NONE if step else Mark.ASK
    key = Key("Show", TurnPage(step)) if step else None
    return Line(str(file), f"file {file.short}", mark, scene.situation.clock(file.at_utc), key)


# Layout.

_TITLE_CAPS = 16.0
_PICTURE_WIDE = 400.0
_PICTURE_HIGH = 220.0
"""In portrait the picture is over its lines, at least so high."""
_LINE_HIGH = 60.0


def _title(text: str, body: Box, page: Page) -> Words:
    """What the line says, in as many lines as it takes."""
    wide = body.wide - 8
    lines = lines_of(page.theme, text, _TITLE_CAPS, wide)
    box = Box(body.x + 4, body.y, wide, lines_high(lines, _TITLE_CAPS) + 6)
    return Words(box=box, text=text, caps=_TITLE_CAPS, lines=lines)


def layout(state: EvidenceState, page: Page) -> Parts:
    """Picture at one side, lines at the other; a touched line shows its picture."""
    body = page.body
    if state.frame.refusal is not None:
        refused, body = page.refused(body, state.frame.refusal)
        yield from page.refusal(refused, state.frame.refusal)
    title = _title(state.title, body, page)
    yield "title", title
    body = body.below(title.box.high + 6)
    if not state.lines:
        yield from _nothing_kept(state.why, body, page)
        yield from page.around(state.frame)
        return
    if page.portrait:
        listed = min(len(state.lines) * (_LINE_HIGH + 6), body.high - _PICTURE_HIGH - Reach.GAP)
        shown = body.top(body.high - listed - Reach.GAP)
        lines = body.below(shown.high + Reach.GAP)
    else:
        shown, lines = page.sides(body, _PICTURE_WIDE + (page.wide - 800) * 0.6)
    room = int((lines.high + 6) // (_LINE_HIGH + 6))
    yield "picture", PicturePart(box=shown, slot="evidence", picture=state.picture)
    for n, (box, line) in enumerate(
        zip(stacked(lines, min(room, len(state.lines)), high=_LINE_HIGH), state.lines, strict=False)
    ):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, action=action)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _nothing_kept(why: str, body: Box, page: Page) -> Parts:
    """As large as the room is, and why, or when there would have been one."""
    head = body.top(body.high * 0.55)
    yield (
        "nothing",
        Words(
            box=head.inset(24, 10), text="NO PICTURE WAS KEPT OF THIS", caps=Caps.LEAD,
            tint=Colour.INK2, align="centre", lines=3 if page.portrait else 2,
        ),
    )  # fmt: skip
    yield (
        "when",
        Words(
            box=body.below(head.high).inset(24, 10), text=why, caps=Caps.NAME,
            face=Face.MEDIUM, align="centre", across="top", lines=4,
        ),
    )  # fmt: skip


# A decided challenge.

MOST_TOLD = 2
"""So many corrections are told in words; more are counted."""


def present_dispute(scene: Scene) -> disputes.ChallengeState | None:
    """By the panel's part; None where it names no challenge that was decided."""
    seq, _, part = scene.view.part.removeprefix(DISPUTE).partition("/")
    challenge = _decided(scene, seq)
    if challenge is None:
        return None
    stills = _stills(scene, challenge)
    tab = disputes.Tab(part) if part in set(disputes.Tab) else disputes.Tab.CLAIMS
    paragraphs, book = disputes.paragraphs_of(scene, challenge)
    band = _band(scene, challenge)
    state = disputes.ChallengeState(
        frame=disputes.banded(
            scene.frame("DISPUTE", _when(scene, challenge), keys=_keys(scene, challenge)), band
        ),
        band=band,
        claims=_claims(scene, challenge),
        lines=_lines(scene, challenge),
        pictures=disputes.pictures_of(scene, stills, tab)
        or (scene.situation.kept.none_of(challenge.seq),),
        shown=Show(Panel.EVIDENCE, str(stills[0].seq)) if stills else None,
        paragraphs=paragraphs,
        book=book,
        tab=tab,
    )
    said = f"{len(challenge.claims)} told"

    def leads(one: disputes.Tab) -> Show:
        return Show(Panel.EVIDENCE, f"{DISPUTE}{challenge.seq}/{one}")

    return replace(state, tabs=disputes.tabs_of(scene, state, stills, said, leads))


def _decided(scene: Scene, seq: str) -> challenges.Challenge | None:
    entries = scene.match.entries
    still = challenges.left_open(entries)
    found = (one for one in challenges.challenges_in(entries) if str(one.seq) == seq)
    return next((one for one in found if still is None or one.seq != still.seq), None)


def _when(scene: Scene, challenge: challenges.Challenge) -> str:
    return f"challenged at {scene.situation.clock(scene.match.entries[challenge.seq].at_utc)}"


def _keys(scene: Scene, challenge: challenges.Challenge) -> tuple[Key, ...]:
    """Back, and the way to a correction, which shows what it would change before it is told."""
    line, part = challenge.line, f"{TAKE_BACK}{challenge.seq}"
    undecided = scene.referee.presses.challenge is None
    back = (Key("Take back", Show(Panel.CHALLENGE, part)),) if undecided else ()
    if line is None or line not in scene.history.told:
        return (BACK, *back)
    return (BACK, Key("Correct it", Show(Panel.AMEND, str(line)), sign="arbiter"), *back)


def _band(scene: Scene, challenge: challenges.Challenge) -> Band:
    who = challenger(scene.names, challenge.by).upper()
    verdict = challenge.verdict
    came = challenges.VERDICTS[verdict].upper() if verdict is not None else "DECIDED"
    was = [disputes.came_of(one).upper() for one in challenge.struck]
    if was:
        came = f"{came}, WAS {listed(was)}"
    return Band((f"CHALLENGE: {who}", came), scene.side(challenge.by), Mark.WARN)


def _claims(scene: Scene, challenge: challenges.Challenge) -> tuple[Line, ...]:
    """All that were told, by whom; what else was said nobody wrote down."""
    told = tuple(
        Line(scene.names.called(one.by), one.text, side=scene.side(one.by))
        for one in challenge.claims
    )
    return told or (Line("Claims", "Nobody told one."),)


def _lines(scene: Scene, challenge: challenges.Challenge) -> tuple[Line, ...]:
    """What was disputed, and what was changed by the decision."""
    entry = disputes.disputed_entry(scene, challenge) if challenge.line is not None else None
    disputed = Line("Disputed", line_text(scene, entry) if entry else "No line was pointed at.")
    return (disputed, Line("Changed", _changed(scene, challenge)))


def _changed(scene: Scene, challenge: challenges.Challenge) -> str:
    if challenge.verdict in (challenges.Verdict.STANDS, challenges.Verdict.WITHDRAWN):
        return "Nothing. Correct it shows what a correction would change."
    corrected = challenges.corrections_of(scene.match.entries, challenge)
    if not corrected:
        return "Nothing in the record: what was corrected, hands did."
    told = [_correction(scene, one) for one in corrected[:MOST_TOLD]]
    more = len(corrected) - len(told)
    return "; ".join([*told, counted(more, "correction") + " more"] if more else told)


def _correction(scene: Scene, entry: Entry) -> str:
    """What was corrected, and that it counts no more where it was taken back later."""
    words = line_text(scene, entry)
    return f"{words} (taken back since)" if is_taken_back(scene, entry) else words


def _stills(scene: Scene, challenge: challenges.Challenge) -> Sequence[EvidenceFile]:
    """Of the disputed line, else of the challenge itself; of another moment none."""
    kept = scene.situation.kept
    for seq in (challenge.line, challenge.seq):
        files = kept.of_line(seq) if seq is not None else ()
        stills = [one for one in files if one.part not in (EvidencePart.CLIP, EvidencePart.BOARDS)]
        if stills:
            return stills
    return ()
