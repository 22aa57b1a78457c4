"""Tokens taught one after another before a camera: the boards empty first, then each token alone.

What was learned is kept in a folder after every step, so that it can be left and gone on with: what
was taught there before stays, until it is taught anew or forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.core.board import BoardPlan, Piece, Token
from companion.core.errors import BadCall, BadFile
from vision.boards.calibrating import MOST_BLUR_PX, blur_of
from vision.boards.place import BoardPlace
from vision.camera.frame import Frame
from vision.looks.boards import EmptyBoards, Found
from vision.looks.file import FILE, SET_ASIDE, forget_looks, load_kept, save_looks, set_aside
from vision.looks.look import TaughtLook, taught, with_margins
from vision.looks.taught import TaughtReader
from vision.markers.reading import MarkerSeen
from vision.tracking.seen import Spaces


@dataclass(frozen=True, eq=False)
class Shown:
    """One picture of the table at rest: where its boards lie, and the markers that were read."""

    frame: Frame
    places: Mapping[str, BoardPlace]
    markers: Sequence[MarkerSeen] = ()


class Teaching:
    """One round of teaching a box's tokens; `words` is what to do next, `looks` what is known.

    It goes on where the last one was left in the same folder, with every look that can be read;
    `trouble` says which cannot. Where the folder's file cannot be read all is begun anew.
    `told` is what came of the last step.
    """

    def __init__(self, plan: BoardPlan, folder: Path) -> None:
        self.plan = plan
        self.folder = folder
        self.looks: tuple[TaughtLook, ...] = ()
        self.told = ""
        self.trouble = ""
        self._unread = self._is_set_aside = False
        self._lost: dict[str, BadFile] = {}
        heights_mm = [token.height_mm for token in plan.tokens]
        self.empty = EmptyBoards(sum(heights_mm) / len(heights_mm) if heights_mm else 0.0)
        self._go_on()
        self._left = list(plan.tokens)
        self._looked = False

    def _go_on(self) -> None:
        if not (self.folder / FILE).exists():
            return
        try:
            kept = load_kept(self.folder, self.plan)
        except BadFile as wrong:
            self._unread = True
            self.trouble = f"{wrong}; that file is kept as {SET_ASIDE}, and all is taught anew"
            return
        self.empty, self.looks, self.trouble = kept.empty, kept.looks, kept.words
        self._lost = dict(kept.troubles)

    def _save(self, looks: Sequence[TaughtLook], empty: EmptyBoards) -> None:
        """Keep what is known then; a file that could not be read is set aside before."""
        if self._unread:
            set_aside(self.folder)
            self._unread, self._is_set_aside = False, True
        save_looks(self.folder, self.plan.box, looks, empty)

    @property
    def still_lost(self) -> str:
        """What was taught once, cannot be read and was not taught anew yet; empty for nothing."""
        if self._is_set_aside:
            return f"What was taught before could not be read: it is kept as {SET_ASIDE}"
        known = {*(look.piece for look in self.looks), *self.empty.known}
        labels = {str(token.piece): token.label for token in self.plan.tokens}
        lost = [labels.get(name, name) for name in self._lost if name not in known]
        return f"{', '.join(lost)}: no longer readable, to be taught anew" if lost else ""

    # -- one after another -----------------------------------------------------------------

    @property
    def token(self) -> Token | None:
        """The token to show now; None before the empty boards were looked at, and at the end."""
        return self._left[0] if self._left and self._looked else None

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
        nose = ", its front to the board's top" if self.is_headed(self.token) else ""
        return f"Put the {self.token.label} alone on a board{nose}, then touch Learn"

    def learn(self, shown: Shown) -> None:
        """Take what a picture shows for the step that is due; it raises as the two below."""
        token = self.token
        if token is None:
            self.learn_empty(shown)
        else:
            self.learn_token(token.piece, shown)
            del self._left[0]

    def pass_over(self) -> None:
        """Leave out the token that is due: it has a marker, is known, or is not played with."""
        if self.token is not None:
            self.told = f"{self.token.label}: passed over"
            del self._left[0]

    # -- in any order ----------------------------------------------------------------------

    def is_headed(self, token: Token) -> bool:
        """Whether it has a front that a board of this box asks for."""
        return self.plan.has_facings and token.headed

    def learn_empty(self, shown: Shown) -> None:
        """Take a picture for that of the boards with nothing on them.

        Raises `BadCall` where no board is seen or the picture is blurred, `RecordError` where the
        folder takes nothing. Then nothing is learned.
        """
        self._check(shown)
        fresh = EmptyBoards(self.empty.height_mm)
        fresh.learn(shown.frame, shown.places)
        self._save(self.looks, fresh)
        self.empty, self._looked = fresh, True
        boards = len(fresh.known)
        self.told = f"{boards} empty board{'s are' if boards != 1 else ' is'} known"

    def learn_token(self, piece: Piece, shown: Shown) -> TaughtLook:
        """Take a picture for that of one token, alone on a board, for the first time or anew.

        Raises `BadCall` where not one thing alone is new on the boards that were seen empty, the
        picture is blurred or no board is seen; `RecordError` where the folder takes nothing.
        """
        self._check(shown)
        token = self.plan.token_of[piece]
        things = self.new_things(shown)
        if len(things) > 1:
            new = f"{len(things)} things are new, on {self._where(things)}"
            raise BadCall(f"{new}: leave only the {token.label} there")
        look = taught(token, things, headed=self.is_headed(token))
        others = [one for one in self.looks if one.piece != piece]
        looks = with_margins([*others, look])
        self._save(looks, self.empty)
        self.looks, self.told = looks, f"{token.label}: {margin_words(looks[-1], self.plan)}"
        return looks[-1]

    def new_things(self, shown: Shown) -> list[Found]:
        """What lies on the boards that were seen empty, and carries no token's marker."""
        boards = [place for name, place in shown.places.items() if name in self.empty.known]
        things = [thing for place in boards for thing in self.empty.differing(shown.frame, place)]
        return [thing for thing in things if not self._is_marked(thing, shown)]

    def _where(self, things: Sequence[Found]) -> str:
        """The spaces that things lie on or beside, as their names go."""
        boards = [self.plan.board(thing.board) for thing in things]
        pairs = zip(boards, things, strict=True)
        near = (Spaces(board).nearest(thing.middle_mm, 1) for board, thing in pairs)
        names = (found[0][0] if found else "a board" for found in near)
        return " and ".join(dict.fromkeys(names))

    def _is_marked(self, thing: Found, shown: Shown) -> bool:
        """Whether a token's marker was read there: it needs no look, and is nobody's twin."""
        tokens = {token.marker: token.height_mm for token in self.plan.tokens}
        place = shown.places[thing.board]
        for marker in shown.markers:
            if marker.id in tokens:
                middle = marker.corners_px.mean(axis=0, keepdims=True)
                ((x, y),) = place.to_board(middle, tokens[marker.id])
                if thing.covers((float(x), float(y))):
                    return True
        return False

    def forget(self, piece: Piece) -> None:
        """Know a token no longer by its look; RecordError where the folder takes nothing."""
        left = with_margins([look for look in self.looks if look.piece != piece])
        self._save(left, self.empty)
        forget_looks(self.folder, [piece])
        self._lost.pop(piece, None)
        self.looks, self.told = left, f"{self.plan.token_of[piece].label}: forgotten"

    def reader(self) -> TaughtReader:
        """What reads the table by all that is known now."""
        return TaughtReader(self.plan, self.empty, self.looks)

    def _check(self, shown: Shown) -> None:
        """Before anything is learned of a picture."""
        if not any(place.board.holds_pieces for place in shown.places.values()):
            raise BadCall("no board is seen: let the camera see the boards' corners")
        blur_px = blur_of(shown.frame.grey, shown.markers)
        if blur_px is not None and blur_px > MOST_BLUR_PX:
            blurred = f"the picture is blurred by {blur_px:.1f} px, more than {MOST_BLUR_PX} px"
            raise BadCall(f"{blurred}: turn the lens until the boards' corners are sharp")


def margin_words(look: TaughtLook, plan: BoardPlan) -> str:
    """How far a look can be trusted, in a line.

    The margin is how much less than itself the likest other token is like it, 0 to 1.
    """
    if not look.is_clear and look.likest is not None:
        other = plan.token_of[look.likest].label
        return f"too like the {other}: margin {look.margin:.2f}, so it will be asked for"
    return f"by its look, weaker: margin {look.margin:.2f}"
