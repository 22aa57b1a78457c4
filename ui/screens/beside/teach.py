"""Teach tokens: each is put on the table once, and known by its look from then on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.board import BoardPlan, Piece, Token
from ui.scene import values
from ui.scene.scene import BACK, Scene, pages_of, turning_key
from ui.scene.words import token_line
from ui.screens.beside.table_check import UPRIGHT_BAND_HIGH
from ui.screens.page import Page, Parts, stacked
from ui.table.lesson import EMPTY, LessonState, LooksState
from ui.touch.actions import Back, ForgetLook, LearnLook, Panel, Show
from ui.widgets.key import BandPart
from ui.widgets.picture import PicturePart
from ui.widgets.words import LinePart

if TYPE_CHECKING:
    from companion.core.offers import Seen


ROWS_A_PAGE = 4
WEAKER = values.Message("Weaker than markers:", "unclear is asked.")
BOARDS = "Empty boards"


@dataclass(frozen=True, slots=True)
class TeachState:
    """The band is what hands must do; a touched line teaches that token next, or anew."""

    frame: values.ScreenFrame
    band: values.Band
    picture: values.Picture | None
    lines: tuple[values.Line, ...]
    page: int = 1
    pages: int = 1


def present_teach(scene: Scene) -> TeachState:
    """Which token to show now, what came of the last one, and what is known of each."""
    eyes = scene.situation.eyes
    looks = eyes.looks if eyes is not None else LooksState()
    lesson = _Lesson(scene, looks)
    rows = lesson.rows()
    shown, page, pages = pages_of(rows, scene.view.page, ROWS_A_PAGE)
    frame = scene.frame(
        "TEACH TOKENS",
        scene.match.rulebook.title,
        keys=(BACK, *turning_key(page, pages), *lesson.keys()),
        message=WEAKER,
        next_key=lesson.next_key(),
    )
    return TeachState(
        frame=replace(frame, refusal=lesson.refusal() or scene.view.refusal),
        band=lesson.band(),
        picture=lesson.picture(),
        lines=tuple(shown),
        page=page,
        pages=pages,
    )


class _Lesson:
    """One moment of teaching: the token that is due, and the one that is being learned."""

    def __init__(self, scene: Scene, looks: LooksState) -> None:
        self.scene = scene
        self.looks = looks
        self.plan: BoardPlan = scene.map.plan
        sighting = scene.referee.sight.sighting
        self.pieces: Mapping[Piece, Seen] = sighting.pieces if sighting is not None else {}
        self.running = looks.running

    @property
    def due(self) -> Token | None:
        """The token that was touched, else the first that is not known; None: the boards, or all.

        The boards come first: without their empty look nothing on them is told apart.
        """
        if not self.looks.boards or self._part == BOARDS:
            return None
        return self.plan.token_of.get(Piece(self._part)) or next(iter(self._waiting()), None)

    @property
    def _part(self) -> str:
        """What was touched; else what could not be learned, which is asked for again."""
        lesson = self.looks.lesson
        if self.scene.view.part or lesson is None or not (lesson.trouble or lesson.running):
            return self.scene.view.part
        return lesson.piece or BOARDS

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to show."""
        return self.due is None and bool(self.looks.boards) and self._part != BOARDS

    def _waiting(self) -> list[Token]:
        """Tokens that neither a look nor a marker tells of, those of this match first."""
        known = {*self.looks.taught, *(p for p, s in self.pieces.items() if s.pose is not None)}
        placed = self.scene.match.position.placement()
        waiting = [token for token in self.plan.tokens if token.piece not in known]
        return sorted(waiting, key=lambda token: token.piece not in placed)

    # -- what it says ----------------------------------------------------------------------

    def band(self) -> values.Band:
        """What hands must do, with what came of the last lesson under it."""
        told = self.looks.lesson.told if self.looks.lesson is not None else ""
        if self.running is not None:
            note = self.running.waits or "The picture is taken once the table rests."
            return values.Band(("KEEP HANDS AWAY",), mark=values.Mark.ASK, note=note)
        if self.scene.situation.eyes is None:
            return values.Band(
                ("NO CAMERA",), mark=values.Mark.WARN, note="Choose one in the settings."
            )
        if self.is_over:
            return values.Band(("ALL ARE KNOWN",), mark=values.Mark.OK, note=told)
        if self.due is None:
            return values.Band(
                ("CLEAR THE BOARDS",), mark=values.Mark.ASK, note=told or "Take every token off."
            )
        return values.Band(
            (f"SHOW {self.due.label}".upper(),),
            mark=values.Mark.ASK,
            note=told or self._how(self.due),
        )

    def _how(self, token: Token) -> str:
        nose = ", its front to the board's top" if self._is_headed(token) else ""
        return f"Alone on a board{nose}."

    def _is_headed(self, token: Token) -> bool:
        return self.plan.has_facings and token.headed

    def refusal(self) -> values.Alert | None:
        """Why nothing was learned, and the way out."""
        lesson = self.looks.lesson
        if lesson is None or not lesson.trouble or self._turned_away(lesson):
            return None
        first, _, way_out = lesson.trouble.partition(": ")
        return values.Alert(f"Not learned: {first}", way_out[:1].upper() + way_out[1:], "", "")

    def _turned_away(self, lesson: LessonState) -> bool:
        """Whether another token was touched since."""
        due = self.due.piece if self.due is not None else EMPTY
        return lesson.piece != due

    # -- what it shows ---------------------------------------------------------------------

    def picture(self) -> values.Picture | None:
        """The camera's picture; what was new is marked where that was not one thing alone."""
        picture, lesson = self.scene.situation.picture(), self.looks.lesson
        if picture is None or lesson is None or not lesson.new_px or self._turned_away(lesson):
            return picture
        new = tuple(
            values.PictureMark("piece", "new", outline, values.Mark.BAD)
            for outline in lesson.new_px
        )
        return replace(picture, marks=(*picture.marks, *new))

    def rows(self) -> list[values.Line]:
        """The boards, then every token; a touched one is taught next."""
        boards = self.looks.boards
        told = f"{boards} seen empty" if boards else "not seen empty yet"
        first = values.Line(
            BOARDS, told, values.Mark.OK if boards else values.Mark.ASK, key=self._choose(BOARDS)
        )
        return [first, *(self._row(token) for token in self.plan.tokens)]

    def _row(self, token: Token) -> values.Line:
        line = token_line(token, self.plan, self.looks, self.pieces.get(token.piece))
        mark = (
            values.Mark.ASK
            if token == self.due and line.mark is not values.Mark.WARN
            else line.mark
        )
        return replace(line, mark=mark, key=self._choose(token.piece))

    def _choose(self, part: str) -> values.Key | None:
        if self.running is not None:
            return None
        return values.Key("Teach", Show(Panel.TEACH, part, self.scene.view.page))

    # -- what can be touched ---------------------------------------------------------------

    def keys(self) -> tuple[values.Key, ...]:
        """Another token first, and forgetting the one that was touched."""
        due = self.due
        if due is None or self.running is not None:
            return ()
        waiting = [token for token in self._waiting() if token != due]
        after = [token for token in waiting if self._place(token) > self._place(due)] or waiting
        skip = [values.Key("Skip", self._show(after[0]), sign="right")] if after else []
        known = due.piece in self.looks.taught
        forget = values.Key("Forget", ForgetLook(due.piece), sign="erase", look=values.KeyLook.HOLD)
        return (*skip, *([forget] if known else []))

    def _place(self, token: Token) -> int:
        return self.plan.tokens.index(token)

    def _show(self, token: Token) -> Show:
        return Show(Panel.TEACH, token.piece, (self._place(token) + 1) // ROWS_A_PAGE)

    def next_key(self) -> values.Key:
        """Learn what is due; nothing while a lesson runs, and back once all are known."""
        if self.running is not None:
            return values.Key(
                "Learn", None, "waits for a still table", "next", values.KeyLook.IMPOSSIBLE
            )
        if self.scene.situation.eyes is None:
            return values.Key("Learn", None, "no camera looks", "next", values.KeyLook.IMPOSSIBLE)
        if self.is_over:
            return values.Key("Done", Back(), "back to the table check", "next", values.KeyLook.GO)
        piece = self.due.piece if self.due is not None else EMPTY
        what = self.due.label if self.due is not None else "the empty boards"
        second = "anew" if piece in self.looks.taught else what
        return values.Key("Learn", LearnLook(piece), second, "next", values.KeyLook.GO)


# Layout.

_BAND_HIGH = 76.0
_PICTURE_WIDE = 392.0
_LINE_HIGH, _GAP = 56.0, 4.0


def layout(state: TeachState, page: Page) -> Parts:
    """The deed, or why nothing was learned; the picture; tokens, each a target."""
    body = page.body
    band_high = UPRIGHT_BAND_HIGH if page.portrait else _BAND_HIGH
    band = body.top(band_high)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band, note_beside=not page.portrait)
    below = body.below(band_high + 8)
    shown, lines = page.sides(below, _PICTURE_WIDE + (page.wide - 800) * 0.5)
    yield "picture", PicturePart(box=shown, slot="camera", picture=state.picture)
    boxes = stacked(lines, len(state.lines), high=_LINE_HIGH, gap=_GAP)
    for n, (box, line) in enumerate(zip(boxes, state.lines, strict=True)):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, action=action)
    yield from page.around(state.frame)
