"""Tokens taught one after another before a camera: the boards empty first, then each token alone.

What was learned is kept in a folder after every step, so that leaving early keeps the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.board import BoardPlan, Token
from companion.errors import BadCall
from vision.board_place import BoardPlace
from vision.frame import Frame
from vision.taught import CLEAR, EmptyBoards, TaughtLook, taught, with_margins
from vision.taught_file import save_looks


class Teaching:
    """One round of teaching a box's tokens; `words` is what to do next, `looks` what is known.

    What was taught before in the same folder is replaced with the first token that is learned.
    """

    def __init__(self, plan: BoardPlan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.looks: tuple[TaughtLook, ...] = ()
        self.told = ""
        heights_mm = [token.height_mm for token in plan.tokens]
        self.empty = EmptyBoards(sum(heights_mm) / len(heights_mm) if heights_mm else 0.0)
        self._left = list(plan.tokens)

    @property
    def token(self) -> Token | None:
        """The token to show now; None before the empty boards are learned, and at the end."""
        return self._left[0] if self._left and self.empty.known else None

    @property
    def over(self) -> bool:
        """Whether every token was taught or passed over."""
        return not self._left

    @property
    def words(self) -> str:
        """What to do, before a touch of Learn."""
        if self.over:
            known = len(self.looks)
            return f"{known} token{'s' if known != 1 else ''} known by looks"
        if self.token is None:
            return "Take every token off the boards, then touch Learn"
        headed = self.plan.has_facings and self.token.headed
        nose = ", its front to the board's top" if headed else ""
        return f"Put the {self.token.label} alone on a board{nose}, then touch Learn"

    def learn(self, frame: Frame, places: Mapping[str, BoardPlace]) -> None:
        """Take what a picture shows for the step that is due.

        Raises `BadCall` where no board is seen, or not one token alone; `RecordError` where the
        folder takes nothing. Then nothing is learned.
        """
        if not any(place.board.holds_pieces for place in places.values()):
            raise BadCall("no board is seen: let the camera see the boards, then touch Learn")
        token = self.token
        if token is None:
            self.empty.learn(frame, places)
            self.told = "the empty boards are known"
            return
        look = self._shown(token, frame, places)
        looks = with_margins([*self.looks, look])
        save_looks(self.folder, self.plan.box, looks, self.empty)
        self.looks, self.told = looks, f"{token.label}: {margin_words(looks[-1])}"
        del self._left[0]

    def pass_over(self) -> None:
        """Leave out the token that is due: it has a marker, or is not played with."""
        if self.token is not None:
            self.told = f"{self.token.label}: passed over"
            del self._left[0]

    def _shown(self, token: Token, frame: Frame, places: Mapping[str, BoardPlace]) -> TaughtLook:
        boards = [place for name, place in places.items() if name in self.empty.known]
        things = [thing for place in boards for thing in self.empty.differing(frame, place)]
        return taught(token, things, headed=self.plan.has_facings and token.headed)


def margin_words(look: TaughtLook) -> str:
    """How far a look can be trusted, as a line of the table check has room for it.

    The margin is how much less than itself the likest other token is like it, 0 to 1.
    """
    if look.margin < CLEAR:
        return f"too like another: margin {look.margin:.2f}"
    return f"by its look, weaker: margin {look.margin:.2f}"
