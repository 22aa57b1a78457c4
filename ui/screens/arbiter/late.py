"""A late card that the camera saw, decided by two pictures; and sections of cards in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.offers import LateCard, SectionState
from companion.core.ruling import Carry, Json, Notice, Seat
from ui.scene.scene import BACK, CAMERA, Scene, said_words, section_words
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Mark, Picture, ScreenFrame
from ui.screens.page import Page, Parts
from ui.touch.actions import Answer, Answers, Back, LetLie, RuleLate
from ui.widgets.box import Box
from ui.widgets.key import BandPart
from ui.widgets.lettering import lines_of
from ui.widgets.pen import lines_high
from ui.widgets.picture import PicturePart
from ui.widgets.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.question import Question


COMING = Picture(None, 0, (4, 3), note="The picture is being kept.")
NOT_KEPT = Picture(None, 0, (4, 3), note="No picture was kept of this.")


@dataclass(frozen=True, slots=True)
class LateState:
    """The section before and after the buzzer, side by side; the next row decides."""

    frame: ScreenFrame
    band: Band
    before: Picture
    after: Picture


def present_late(scene: Scene, late: LateCard) -> LateState:
    """Whose it is, or that it lay there: one touch decides, and nothing is proposed."""
    sections = scene.situation.kept.sections_of(late.section)
    missing = NOT_KEPT if scene.situation.kept.trouble else COMING
    before, after = sections if sections is not None else (missing, missing)
    frame = scene.frame("LATE CARD?", " · ".join(scene.place), keys=_keys(scene, late), wide=True)
    if frame.refusal is not None and frame.refusal.code == CAMERA:
        frame = replace(frame, refusal=None)  # the band says it
    band = Band(
        (f"{section_words(scene, late).upper()}: LATE?", said_words(scene, late)),
        scene.side(late.team),
        Mark.WARN,
    )
    return LateState(frame, band, before, after)


# What the box says of a report that nothing else on the screen would tell.


@dataclass(frozen=True, slots=True)
class ToldState:
    """What hands do now, or what was found, in the band; under it all of what was said."""

    frame: ScreenFrame
    band: Band | None
    text: str
    way_out: str = ""


def present_told(scene: Scene) -> ToldState:
    """The answer to a report; the next tap puts it away."""
    notice = scene.view.told
    done = Key("Done", Back(), "goes on", "next", KeyLook.GO)
    frame = scene.frame("REPORT", " · ".join(scene.place), keys=(), next_key=done)
    if notice is None:
        return ToldState(frame, None, "Nothing was reported.")
    frame = replace(frame, top=replace(frame.top, cite=str(notice.cite)))
    return ToldState(frame, _told_band(scene, notice), notice.text, notice.way_out)


def _told_band(scene: Scene, notice: Notice) -> Band | None:
    """Who does what: "BO: TAKE 2 BACK"; None where hands have nothing to do."""
    carried = next((deed for deed in notice.deeds if isinstance(deed, Carry)), None)
    if carried is None:
        return None
    who = scene.names.player(carried.owner).upper()
    does = f"TAKE {carried.source} BACK"
    if carried.target != "hand":
        does = f"{carried.source} TO {carried.target}"
    return Band((f"{who}:", does.upper()), scene.side(carried.owner), Mark.WARN)


def _keys(scene: Scene, late: LateCard) -> tuple[Key, ...]:
    """Back, then equal keys: late and whose, or there in time."""
    seats = scene.referee.late.whose(late)
    whose = tuple(
        Key(f"Late: {scene.names.player(seat)}", RuleLate(late, str(seat)), _seat(scene, seat))
        for seat in seats
    )
    return (BACK, *whose, Key("In time", LetLie(late), "it lay there"))


def _seat(scene: Scene, seat: Seat) -> str:
    label, player = scene.names.label(seat), scene.names.player(seat)
    return label if label != player else ""


# What the camera sees on a section, as the lock and the counts say it.


def offered(scene: Scene, question: Question[Any]) -> Json:
    """What the camera offers as an answer; None where it is not sure, or does not look."""
    offer = scene.referee.sight.offered.get(question.key)
    return offer.raw if offer is not None else None


def is_told(scene: Scene, question: Question[Any]) -> bool:
    """Whether anybody has answered, or touched a key of it just now."""
    draft = scene.view.draft
    return question.key in scene.match.answered or (draft is not None and draft.key == question.key)


def is_in_doubt(scene: Scene, question: Question[Any]) -> bool:
    """Whether something lies on a section of which nothing was told, and nothing is offered."""
    if is_told(scene, question) or offered(scene, question) is not None:
        return False
    seen = scene.seen_there(question)
    return seen is not None and seen.state is not SectionState.EMPTY


def looks(scene: Scene) -> bool:
    """Whether a camera sees any section."""
    sight = scene.referee.sight
    return sight.sighting is not None and sight.reading is not None and bool(sight.sighting.cards)


def seen_note(scene: Scene, question: Question[Any]) -> str:
    """What the camera sees of a section of which nobody has told anything."""
    seen = scene.seen_there(question)
    if seen is None:
        return ""
    if is_in_doubt(scene, question):
        return f"seen: {cards_words(len(seen.cards))}?" if seen.cards else "something lies"
    return f"seen: {cards_words(len(seen.cards)) if seen.cards else 'empty'}"


def cards_words(count: int) -> str:
    """How many cards: "1 card".

    >>> cards_words(1), cards_words(3)
    ('1 card', '3 cards')
    """
    return f"{count} card" if count == 1 else f"{count} cards"


def as_shown(
    scene: Scene, asked: Sequence[Question[Any]], shown: Mapping[str, Json]
) -> Answer | Answers:
    """What is shown by question and nobody has answered yet, and the word that closes the form."""
    left = [question for question in asked if question.key not in scene.match.answered]
    closing = scene.closing
    if closing is None:
        return Answers(tuple(Answer(q.key, q.opened, shown[q.key]) for q in left))
    word = Answer(closing.key, closing.opened, closing.word)
    lit = [q for q in left if offered(scene, q) is not None]
    if not lit:
        return word  # silence says the rest
    return Answers((*(Answer(q.key, q.opened, shown[q.key]) for q in lit), word))


# Layout.

_BAND_HIGH = 104.0
_TOLD_HIGH = 150.0


def _told_caps(state: ToldState, page: Page, room: Box) -> float:
    """As large as all of the text has room; it is the largest where no band stands over it."""
    most = 24.0 if state.band is not None else 46.0 if page.portrait else 40.0
    for caps in (most, 40.0, 34.0, 30.0, 26.0):
        lines = lines_of(page.theme, state.text, caps, room.wide)
        if caps <= most and lines <= 6 and lines_high(lines, caps) <= room.high:
            return caps
    return 24.0


def told_layout(state: ToldState, page: Page) -> Parts:
    """The band over the whole sentences; without one they are the largest text."""
    refused, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(refused, state.frame.refusal)
    if state.band is not None:
        high = min(_TOLD_HIGH, body.high * 0.5)
        yield "band", BandPart(box=body.top(high), band=state.band, caps=Caps.HANDS)
        body = body.below(high + 14)
    body = body.inset(6, 10)
    upper, lower = body.rows([3, 2], gap=10) if state.way_out else (body, body)
    caps = _told_caps(state, page, upper)
    across = "top" if state.way_out or state.band is not None else "middle"
    yield "text", Words(box=upper, text=state.text, caps=caps, across=across, lines=6)
    if state.way_out:
        tint, face = Colour.INK2, Face.MEDIUM
        yield (
            "way-out",
            Words(
                box=lower,
                text=state.way_out,
                caps=26 if page.portrait else 20,
                tint=tint,
                face=face,
                across="top",
                lines=4,
            ),
        )
    yield from page.around(state.frame)


def layout(state: LateState, page: Page) -> Parts:
    """Time runs from left to right for either hand, and in portrait from above."""
    refused, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(refused, state.frame.refusal)
    yield "band", BandPart(box=body.top(_BAND_HIGH), band=state.band, caps=Caps.HANDS)
    rest = body.below(_BAND_HIGH + 8)
    halves = (rest.rows if page.portrait else rest.columns)([1, 1], gap=Reach.GAP)
    for name, box, picture in zip(
        ("before", "after"), halves, (state.before, state.after), strict=True
    ):
        yield name, PicturePart(box=box, slot=f"late-{name}", picture=picture)
    yield from page.around(state.frame)
