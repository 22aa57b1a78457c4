"""Dice: telling what was rolled, choosing which to roll again, and what lies on the Gunsight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.text import counted
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Die, Gunsight, Key, KeyLook
from ui.screens.match.field_panels import SMALL_HIGH
from ui.screens.page import Parts
from ui.touch.actions import Answer, Fill
from ui.widgets.box import Box
from ui.widgets.dice import DiePart, FaceKey
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.question import Roll, RollAgain
    from companion.core.ruling import Json
    from ui.scene.scene import Scene


UNTOLD = 0
"""A die nobody has told yet."""


@dataclass(frozen=True, slots=True)
class DicePad:
    """The dice of a roll in a row, and a key for each face while one of them is still untold.

    `lead` says how many and against what, `note` how they stand or what a touch does.
    """

    lead: str
    note: str
    dice: tuple[Die, ...]
    faces: tuple[Key, ...] = ()


_RECENT = 8
"""Among so many answers the roll is looked for whose dice still lie there."""


def roll_pad(scene: Scene, question: Roll) -> DicePad:
    """Touch the face of each die in turn; a die that was told is touched to be told anew."""
    told = told_dice(scene, question)
    seen = seen_dice(scene, question)
    at = told.index(UNTOLD) if UNTOLD in told else None

    def with_face(die: int, face: int) -> Answer:
        return Answer(question.key, question.opened, [*told[:die], face, *told[die + 1 :]])

    dice = tuple(
        Die(
            face,
            _meets(question, face),
            chosen=n == at,
            seen=bool(seen) and seen[n] == face != UNTOLD,
            action=Fill(with_face(n, UNTOLD)) if face else None,
        )
        for n, face in enumerate(told)
    )
    last = told.count(UNTOLD) == 1
    faces = () if at is None else _face_keys(question, at, with_face, last=last)
    return DicePad(_lead(question), _note(question, told), dice, faces)


def _face_keys(
    question: Roll, at: int, with_face: Callable[[int, int], Answer], *, last: bool
) -> tuple[Key, ...]:
    """A key for each face; with that of the last die the roll is told, and Undo takes it back."""
    answers = [with_face(at, face) for face in range(1, question.faces + 1)]
    return tuple(
        Key(str(face), answer if last else Fill(answer))
        for face, answer in enumerate(answers, start=1)
    )


def told_dice(scene: Scene, question: Roll) -> list[int]:
    """The dice told so far, or as sight has them; 0 for each that is not."""
    draft = scene.view.draft
    if draft is not None and (draft.key, draft.opened) == (question.key, question.opened):
        return _whole_faces(draft.raw, question)
    return seen_dice(scene, question) or [UNTOLD] * question.dice


def seen_dice(scene: Scene, question: Roll) -> list[int]:
    """The dice that sight offers as this roll; none where it offers nothing."""
    offer = scene.referee.sight.offered.get(question.key)
    return _whole_faces(offer.raw, question) if offer is not None else []


def _whole_faces(raw: Json, question: Roll) -> list[int]:
    listed: Sequence[Json] = raw if isinstance(raw, list) else []
    faces = [face if isinstance(face, int) else UNTOLD for face in listed]
    return (faces + [UNTOLD] * question.dice)[: question.dice]


def all_told(faces: Sequence[int]) -> bool:
    """Whether every die has a face."""
    return UNTOLD not in faces


def _meets(question: Roll, face: int) -> bool | None:
    return face >= question.passes if _is_held_against(question) and face else None


def _is_held_against(question: Roll) -> bool:
    """Whether some faces succeed and others fail, the high ones being the good ones."""
    return question.passes > 1


def _lead(question: Roll) -> str:
    many = counted(question.dice, "die", "dice")
    return f"{many}, {question.against}" if question.against else many


def _note(question: Roll, told: Sequence[int]) -> str:
    """How the roll stands, once it is whole."""
    if not all_told(told):
        held = _is_held_against(question)
        return f"{question.passes} or more succeeds" if held else "Touch the face that lies up."
    if not _is_held_against(question):
        return "Touch a die to change it."
    good = sum(face >= question.passes for face in told)
    return f"{good} of {len(told)} succeed{'s' if good == 1 else ''}. Touch a die to change it."


# -- rolling again -------------------------------------------------------------------------


def reroll_pad(scene: Scene, question: RollAgain) -> DicePad:
    """The dice as they lie, those that failed chosen already; a touch takes one in, or out."""
    chosen = places_chosen(scene, question)

    def touched(place: int) -> Fill:
        places = sorted({place} ^ {*chosen})
        return Fill(Answer(question.key, question.opened, [*places]))

    dice = tuple(
        Die(face, chosen=place in chosen, action=touched(place))
        for place, face in enumerate(question.faces)
    )
    return DicePad("Touch the dice to roll again", f"{len(chosen)} of {len(dice)}", dice)


def places_chosen(scene: Scene, question: RollAgain) -> tuple[int, ...]:
    """Which dice are to be rolled again, from 0: as touched, before that those that failed."""
    draft = scene.view.draft
    if draft is None or draft.key != question.key or not isinstance(draft.raw, list):
        return question.failed
    return tuple(place for place in draft.raw if isinstance(place, int))


def right_keys(scene: Scene, question: RollAgain) -> tuple[Key, ...]:
    """A key for each right to roll the chosen dice again; none answers while no die is chosen."""
    chosen = places_chosen(scene, question)
    faces = " ".join(str(question.faces[place]) for place in chosen)
    many = f"Roll {counted(len(chosen), 'die', 'dice')} again"
    return tuple(
        Key(many, Answer(question.key, question.opened, f"{means} {faces}"),
            f"{means}, {cost}" if cost else means)
        if chosen else Key("Roll again", None, "touch a die first", look=KeyLook.IMPOSSIBLE)
        for means, cost in question.means().items()
    )  # fmt: skip


# -- what lies on the Gunsight -------------------------------------------------------------


def present_gunsight(scene: Scene) -> Gunsight | None:
    """The Gunsight and the latest roll, as the table's facts have them.

    None where nothing lies there, unless the dice have just been thrown: an attack that is over
    leaves nothing to look at.
    """
    lying: Json = scene.values.get("gunsight")
    fallen: Json = scene.values.get("dice")
    faces = [face for face in fallen if isinstance(face, int)] if isinstance(fallen, list) else []
    steps = scene.match.steps
    told = [scene.history.told.get(step.seq) for step in steps[-_RECENT:]]
    rolls = [one for one in told if one is not None and one.kind == "roll"]
    just_now = bool(rolls) and told[-1] is rolls[-1]
    if not isinstance(lying, int) or not (lying or (faces and just_now)):
        return None
    if not rolls:
        return Gunsight(lying, ())
    return Gunsight(lying, tuple(Die(face) for face in faces), scene.names.player(rolls[-1].by))


# Parts and layout.

_LEAST_HIGH, _MOST_HIGH = 125.0, 220.0
_MOST_SIDE = 112.0
_GAP = 6.0
_DICE_SHARE = 0.42
"""Of the pad's height: the dice over the faces that they may have."""


def pad_high(room: float, players: int) -> float:
    """How high the pad is in so much room, with a small panel a player over it."""
    above = (SMALL_HIGH + _GAP) * (1 if players <= 2 else 2)
    return max(_LEAST_HIGH, min(_MOST_HIGH, room - above))


@dataclass(frozen=True, kw_only=True)
class PadWords(Part):
    """How many dice against what, and how they stand."""

    lead: str
    note: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        wide = self.box.wide
        first = min(2, pen.lines(self.lead, 16, wide))
        rest = min(3 if self.box.high > 70 else 2, pen.lines(self.note, 15, wide, Face.MEDIUM))
        high = lines_high(first, 16) + 9 + lines_high(rest, 15)
        if high > self.box.high:
            pen.text(self.note or self.lead, self.box, 15, face=Face.MEDIUM, lines=rest)
            return
        top = self.box.y + max(0.0, (self.box.high - high) / 2)
        upper = Box(self.box.x, top, wide, lines_high(first, 16))
        lower = Box(self.box.x, upper.bottom + 9, wide, lines_high(rest, 15) + 1)
        pen.text(self.lead, upper, 18 if first == 1 else 16, lines=first)
        pen.text(self.note, lower, 15, Colour.INK2, face=Face.MEDIUM, lines=rest)


def dice_pad(room: Box, pad: DicePad) -> Parts:
    """Faces below while a die is untold; then the dice as large as the room."""
    yield "dice/ground", Ground(box=room)
    inner = room.inset(7)
    above = max(Reach.TARGET[1] + 3, inner.high * _DICE_SHARE)
    top = inner.top(above) if pad.faces else inner
    side = min(top.high, _MOST_SIDE if len(pad.dice) == 1 else _side(top, len(pad.dice)))
    side = max(Reach.TARGET[1], side)
    x = top.x
    for n, die in enumerate(pad.dice):
        place = Box(x, top.y, side, top.high).square(side)
        yield f"dice/{n}", DiePart(box=place, die=die, action=die.action)
        x += side + _GAP
    words = Box(x + 6, top.y, top.right - x - 6, top.high)
    yield "dice/words", PadWords(box=words, lead=pad.lead, note=pad.note)
    if pad.faces:
        keys = inner.below(above + _GAP)
        for n, (place, key) in enumerate(
            zip(keys.columns([1] * len(pad.faces), gap=_GAP), pad.faces, strict=True)
        ):
            yield f"face/{n}", FaceKey(box=place, key=key, action=key.action)


def _side(room: Box, dice: int) -> float:
    """As large as leaves the words their room."""
    return (room.wide * 0.6 - _GAP * (dice - 1)) / dice


@dataclass(frozen=True, kw_only=True)
class Ground(Part):
    """The pad's ground."""

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
