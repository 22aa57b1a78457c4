"""The simulated table: draws what an overhead camera would see; the camera when none is there.

The table is *physical*: only bots, the demonstration and tests move what lies on it, and whoever
watches learns of it through the frames alone. Everything follows from the seed and the order of
calls, so that a demonstration can be repeated picture by picture.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board, BoardPlan, Piece, PointMm, Pose, Token
from companion.core.errors import BadCall, CameraUnplugged
from vision.boards.lens import Lens
from vision.camera.frame import Frame
from vision.drawing.dice import DrawnDie
from vision.drawing.gestures import (
    DrawnArm,
    Edge,
    Gesture,
    Pace,
    arm_from,
    carry,
    reach,
    sheet_over,
)
from vision.drawing.hand import DrawnHand, HandAt
from vision.drawing.light import SensorNoise, lamp_light, passing_shadow
from vision.drawing.lying import LyingThings, TokenSpot, thrown
from vision.drawing.optics import Optics, overhead
from vision.drawing.painter import Painter
from vision.drawing.scenery import Scenery
from vision.drawing.setting_down import set_down
from vision.markers.dictionaries import load_dictionary
from vision.table_file.reading import TableSetup

# The frame rate: by the frames' numbers, or held to a clock.


@dataclass(slots=True)
class FrameRate:
    """Without a clock, frame n is taken at `start_s` + n / `fps` and nothing waits.

    With `clock` the frames carry its time, and `wait` (such as `time.sleep`) is asked to hold the
    rate.

    >>> FrameRate(20.0, 5.0).take(3)
    5.15
    """

    fps: float
    start_s: float = 0.0
    clock: Callable[[], float] | None = None
    wait: Callable[[float], None] | None = None

    def take(self, number: int) -> float:
        """The time at which a frame is taken, once it has come."""
        due = self.start_s + number / self.fps
        if self.clock is None:
            return due
        now = self.clock()
        if number == 0 or now - due > 1.0:  # first, or far behind: the rate counts from here
            self.start_s, due = now - number / self.fps, now
        if self.wait is not None and now < due:
            self.wait(due - now)
            now = self.clock()
        return now


# How its pictures look: lens, light, sharpness, and how neatly boards lie.


PAPER_LEVEL = 205.0
"""How bright a sheet of paper is in the first light."""


@dataclass(frozen=True, slots=True)
class PictureLook:
    """How the picture looks: `blur_px` and `noise` are sigmas, `falloff` the lamp's at the corners.

    `jpeg_quality` None sends the picture uncompressed. Boards lie up to `shift_mm` and `turn_deg`
    off their nominal places. The lens sees `field_deg` across, tilted by `tilt_deg` (None: 2 to 7,
    as it comes), and hangs as low as it can with the whole table and `margin_mm` around it in the
    picture. Without `stickers` tokens show what is painted on them, and no marker.
    """

    blur_px: float = 0.7
    noise: float = 2.5
    falloff: float = 0.35
    jpeg_quality: int | None = None
    shift_mm: float = 2.0
    turn_deg: float = 1.0
    margin_mm: float = 22.0
    field_deg: float = 60.0
    tilt_deg: float | None = None
    stickers: bool = True


# The table.

__all__ = ["Edge", "Pace", "PictureLook", "SimulatedTable", "TokenSpot"]


class SimulatedTable:
    """A camera above a drawn table. Safe to move from one thread while another reads.

    Without a clock, frame n is taken at `start_s` + n / `fps` and nothing waits; with `clock` the
    frames carry its time, and `wait` (such as `time.sleep`) is asked to hold the rate.

    >>> from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
    >>> table = SimulatedTable(board_plan(), seed=1, size_px=(640, 360))
    >>> table.place(JAWS_PLANE, Pose("Paws.PC"))
    >>> table.read().size_px, str(table.truth()[JAWS_PLANE])
    ((640, 360), 'Paws.PC')
    """

    live = True

    def __init__(
        self,
        plan: BoardPlan,
        seed: int,
        size_px: tuple[int, int] = (1280, 720),
        *,
        look: PictureLook | None = None,
        fps: float = 20.0,
        start_s: float = 0.0,
        clock: Callable[[], float] | None = None,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        self.plan = plan
        self.name = f"simulated-table-{seed}"
        self.size_px = size_px
        self.look = look or PictureLook()
        self.pace = Pace()
        self._rate = FrameRate(fps, start_s, clock, wait)
        self._lock = threading.RLock()
        self._chance = np.random.default_rng(seed)
        shift_mm, turn_deg = self.look.shift_mm, self.look.turn_deg
        self.optics = self._hung()
        self._lamp = lamp_light(size_px, self._chance, falloff=self.look.falloff)
        self._scenery = self._seen_scenery()
        self._lying = LyingThings.about_as_planned(plan, self._chance, shift_mm, turn_deg)
        self._lying.stickers = self.look.stickers
        self._painter = Painter(self._lying, self._scenery, seed)
        self._seed = seed
        self._noise = SensorNoise(size_px, self.look.noise, self._chance)
        self._hand = DrawnHand(self._chance)
        self._gestures: deque[Callable[[], Gesture]] = deque()
        self._gesture: Gesture | None = None
        self._lights: deque[float] = deque()
        self._shadows: deque[NDArray[np.uint8]] = deque()
        self._gain = 1.0
        self._held: tuple[str, PointMm] | None = None
        self._sheet: NDArray[np.int32] | None = None
        self._number = 0
        self._unplugged = False

    # --- what is done at the table ---

    def place(
        self,
        piece: Piece,
        pose: Pose,
        *,
        offset_mm: PointMm | None = None,
        heading_deg: float | None = None,
    ) -> None:
        """Have a piece stand on a space, at once and with no hand.

        `offset_mm` is from the middle of the space, in its board's frame; without it the piece
        stands somewhere in the space, clear of its edge and of other pieces.
        """
        with self._lock:
            self._put(self._spots(self._key(piece), pose, offset_mm, heading_deg))

    def stand(self, piece: Piece, standing: TokenSpot) -> None:
        """As `place`, at an exact spot."""
        with self._lock:
            self._lying.stand(self._key(piece), standing)

    def remove(self, piece: Piece) -> None:
        """Take a piece off the table, at once and with no hand."""
        with self._lock:
            self._lying.remove(self._key(piece))

    def add_stranger(self, marker: int, standing: TokenSpot, *, side_mm: float = 25.0) -> None:
        """Put down a token that is not in the plan, or a second one of an id that is."""
        load_dictionary(self.plan.dictionary).picture(marker, 64)  # BadCall for an id it has not
        with self._lock:
            key = f"stranger-{len(self._lying.tokens)}"
            self._lying.tokens[key] = Token(Piece(key), key, marker, side_mm)
            self._lying.stand(key, standing)

    def remove_strangers(self) -> None:
        """Take away every token that `add_stranger` put down."""
        with self._lock:
            for key in [key for key in self._lying.standings if key.startswith("stranger-")]:
                self._lying.remove(key)

    def lay(self, cards: Mapping[str, Sequence[str]], *, by_hand: bool = False) -> None:
        """Lay cards face down on sections: for each the borders, P white and G black.

        Sections not named stay as they are; an empty list clears one. With `by_hand` a hand comes
        to each section in turn.
        """
        with self._lock:
            LyingThings(self.plan, self._lying.boards).lay(
                cards
            )  # refuses as a whole, before any hand
            if not by_hand:
                self._lying.lay(cards)
                return
            for section, borders in cards.items():
                act = partial(self._lying.lay, {section: borders})
                self._schedule_reach(section, self.pace.dwell, act)

    def roll(
        self, values: Sequence[int], colours: Sequence[str] = (), *, by_hand: bool = False
    ) -> None:
        """Dice come to rest beside the boards and show these values; those before are taken up.

        `colours` are those of `drawing.dice`, in turn (white if none is named). With `by_hand` a
        hand comes to where they fall.
        """
        with self._lock:
            dice = thrown(self._lying, self.optics, values, colours, self._chance)
            if not (by_hand and dice):
                self._lying.throw(dice)
                return
            tip_mm, act = (dice[0].x_mm, dice[0].y_mm), partial(self._lying.throw, dice)
            self._gestures.append(
                lambda: reach(self._arm(None), tip_mm, self.pace.dwell, act, self.pace)
            )

    def move(
        self,
        piece: Piece,
        pose: Pose | None,
        *,
        offset_mm: PointMm | None = None,
        heading_deg: float | None = None,
        edge: Edge | None = None,
    ) -> None:
        """A hand comes in, carries a piece to a space and leaves; None takes it off the table.

        Begins once the hands before have left; `busy` tells whether any is still to come.
        """
        key = self._key(piece)
        if pose is not None:
            self._lying.check(pose)
        self._gestures.append(lambda: self._moving(key, pose, offset_mm, heading_deg, edge))

    def hand_rest(self, frames: int, *, over: str | None = None, edge: Edge | None = None) -> None:
        """A hand comes in, rests motionless over a space (or some space) and leaves."""
        with self._lock:
            names = [board.name for board in self.plan.boards if board.holds_pieces]
            spaces = [s.name for name in names for s in self.plan.board(name).spaces]
            space = over or spaces[int(self._chance.integers(len(spaces)))]
            self._lying.space(space)
            self._schedule_reach(space, frames, None, edge)

    def hang_another(self, field_deg: float) -> None:
        """Another camera hangs over the table: its lens sees so much across."""
        with self._lock:
            self.look = replace(self.look, field_deg=field_deg)
            self.optics = self._hung()
            self._scenery = self._seen_scenery()
            self._painter = Painter(self._lying, self._scenery, self._seed)
            self._lights.appendleft(self._gain)

    def lay_sheet(self, over: str, edge: Edge = Edge.NEAR) -> None:
        """Somebody leaves a sheet of paper on the table: from over a space to beyond an edge."""
        with self._lock:
            board = self._lying.boards[self.plan.board_of[over].name]
            tip_mm = board.to_table(self._lying.space(over).centre_mm)
            corners = self.optics.to_px(sheet_over(tip_mm, edge, max(self.plan.table_mm)), 0.5)
            self._sheet = np.rint(corners).astype(np.int32)

    def take_sheet(self) -> None:
        """The sheet is taken away."""
        self._sheet = None

    def light(self, factor: float, frames: int = 1) -> None:
        """Dim or brighten the lamp to `factor` of its first light, over so many frames."""
        if not 0.0 < factor <= 4.0:
            raise BadCall(f"a light of {factor} cannot be drawn: above 0, up to 4")
        with self._lock:
            last = self._lights[-1] if self._lights else self._gain
            steps = np.linspace(last, factor, max(1, frames) + 1)[1:]
            self._lights.extend(float(step) for step in steps)

    def lean_over(self, frames: int, depth: float = 0.45) -> None:
        """Somebody's shadow crosses the table within so many frames; nobody reaches in."""
        with self._lock:
            start, goal = self._chance.uniform(0.2, 0.8, 2), self._chance.uniform(0.2, 0.8, 2)
            for share in np.linspace(0.0, 1.0, frames):
                rise = depth * min(1.0, 4 * share, 4 * (1 - share))
                x, y = start + (goal - start) * share
                self._shadows.append(passing_shadow(self.size_px, (float(x), float(y)), rise))

    def nudge(self, board: str, dx_mm: float, dy_mm: float, turn_deg: float = 0.0) -> None:
        """Push a board over the table, with what stands on it; at once and with no hand."""
        with self._lock:
            self._lying.nudge(board, dx_mm, dy_mm, turn_deg)

    def unplug(self) -> None:
        """From now on `read` raises `CameraUnplugged`."""
        self._unplugged = True

    def plug_in(self) -> None:
        """The camera is back."""
        self._unplugged = False

    @property
    def unplugged(self) -> bool:
        """Whether somebody has pulled the camera."""
        return self._unplugged

    # --- what is true, for tests and for the bots that move the pieces ---

    @property
    def busy(self) -> bool:
        """Whether a hand is in the picture or still to come, or the light about to change."""
        with self._lock:
            waiting = (self._gestures, self._lights, self._shadows)
            return self._gesture is not None or any(waiting)

    def truth(self) -> Mapping[Piece, Pose]:
        """The space on which each piece really stands; pieces on no space are left out."""
        with self._lock:
            return self._lying.truth()

    @property
    def dice(self) -> tuple[DrawnDie, ...]:
        """The dice that lie on the table."""
        return self._lying.dice

    def standing(self, piece: Piece) -> TokenSpot | None:
        """Exactly where a piece stands; None when it is off the table."""
        with self._lock:
            return self._lying.standings.get(self._key(piece))

    def board(self, name: str) -> Board:
        """A board as it really lies."""
        with self._lock:
            return self._lying.boards[name]

    @property
    def lens(self) -> Lens:
        """The lens exactly, as a perfect calibration would find it."""
        (fx, _, cx), (_, fy, cy), _ = self.optics.matrix.tolist()
        bend = (self.optics.k1, self.optics.k2, 0.0, 0.0, 0.0)
        return Lens(self.size_px, (fx, fy), (cx, cy), bend, camera=self.name)

    def setup(self, *, calibrated: bool = True) -> TableSetup:
        """The table as its file would have it, the lens calibrated or not known."""
        return TableSetup(self.plan, self.lens if calibrated else None, self.name)

    # --- the camera ---

    def read(self) -> Frame:
        """The next frame; raises `CameraUnplugged` while unplugged."""
        if self._unplugged:
            raise CameraUnplugged(f"{self.name} was unplugged: plug it in again")
        taken_at = self._rate.take(self._number)
        with self._lock:
            colour = self._draw()
            number, self._number = self._number, self._number + 1
        grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
        return Frame(grey, taken_at, number, colour, self.name)

    def close(self) -> None:
        """Nothing to give back; frames may be read afterwards."""

    def _hung(self) -> Optics:
        """A camera as its look has it, somewhere over the table."""
        look = self.look
        return overhead(
            self._chance, self.plan.table_mm, self.size_px,
            margin_mm=look.margin_mm, field_deg=look.field_deg, tilt_deg=look.tilt_deg,
        )  # fmt: skip

    def _seen_scenery(self) -> Scenery:
        """The bare table before that camera."""
        return Scenery(self.optics, self._lamp, self.look.blur_px, self._chance)

    def _draw(self) -> NDArray[np.uint8]:
        self._step_light()
        hand = self._step_hand()
        if self._held is None:
            picture = self._painter.still().copy()
        else:
            picture = self._painter.lifted(*self._held, lift_mm=18.0)
        if self._sheet is not None:
            white = round(min(255.0, PAPER_LEVEL * self._gain))
            cv2.fillConvexPoly(picture, self._sheet, (white, white, white), cv2.LINE_AA)
        if hand is not None:
            self._hand.draw(picture, self.optics, hand, self._gain)
        if self._shadows:
            mask = cv2.cvtColor(self._shadows.popleft(), cv2.COLOR_GRAY2BGR)
            cv2.multiply(picture, mask, picture, scale=1 / 255)
        self._noise.add(picture, self._chance)
        return picture if self.look.jpeg_quality is None else _jpeg(picture, self.look.jpeg_quality)

    def _step_light(self) -> None:
        if self._lights:
            self._gain = self._lights.popleft()
            self._painter.still()  # the scenery must be there before it can be lit anew
            self._scenery.relight(self._lamp * np.float32(self._gain))
            self._painter.relight()

    def _step_hand(self) -> HandAt | None:
        while self._gesture is not None or self._gestures:
            if self._gesture is None:
                self._hand = DrawnHand(self._chance)
                self._gesture = self._gestures.popleft()()
            at = next(self._gesture, None)
            if at is not None:
                return at
            self._gesture = None
        return None

    # --- gestures ---

    def _moving(
        self,
        key: str,
        pose: Pose | None,
        offset_mm: PointMm | None,
        heading_deg: float | None,
        edge: Edge | None,
    ) -> Gesture:
        arm = self._arm(edge)
        here = self._lying.standings.get(key)
        spots = {} if pose is None else self._spots(key, pose, offset_mm, heading_deg)
        goal_mm = None if pose is None else self._point(spots[key])
        start_mm = None if here is None else self._point(here)
        if start_mm is not None and goal_mm is not None:
            return self._carrying(key, arm, start_mm, goal_mm, spots)
        if goal_mm is not None:
            return reach(arm, goal_mm, self.pace.dwell, partial(self._put, spots), self.pace)
        if start_mm is not None:
            away = partial(self._lying.remove, key)
            return reach(arm, start_mm, self.pace.dwell, away, self.pace)
        return iter(())

    def _carrying(
        self,
        key: str,
        arm: DrawnArm,
        start_mm: PointMm,
        goal_mm: PointMm,
        spots: Mapping[str, TokenSpot],
    ) -> Gesture:
        def hold(at_mm: PointMm | None) -> None:
            self._held = None if at_mm is None else (key, at_mm)
            if at_mm is None:
                self._put(spots)

        return carry(arm, start_mm, goal_mm, hold, self.pace)

    def _put(self, spots: Mapping[str, TokenSpot]) -> None:
        for key, standing in spots.items():
            self._lying.stand(key, standing)

    def _schedule_reach(
        self, space: str, dwell: int, act: Callable[[], None] | None, edge: Edge | None = None
    ) -> None:
        board = self._lying.boards[self.plan.board_of[space].name]
        tip_mm = board.to_table(self.plan.spaces[space].centre_mm)
        self._gestures.append(lambda: reach(self._arm(edge), tip_mm, dwell, act, self.pace))

    def _arm(self, edge: Edge | None) -> DrawnArm:
        side = edge or (Edge.NEAR, Edge.FAR)[int(self._chance.integers(2))]
        length_mm = 1.2 * max(self.plan.table_mm)
        return arm_from(side, float(self._chance.uniform(-0.35, 0.35)), length_mm)

    def _point(self, standing: TokenSpot) -> PointMm:
        place = self._lying.place_of(standing)
        return (place.x_mm, place.y_mm)

    def _spots(
        self, key: str, pose: Pose, offset_mm: PointMm | None, heading_deg: float | None
    ) -> dict[str, TokenSpot]:
        spots = set_down(self._lying, key, pose, self._chance, offset_mm)
        if heading_deg is not None:
            spots[key] = replace(spots[key], heading_deg=heading_deg)
        return spots

    def _key(self, piece: Piece) -> str:
        if piece not in self.plan.token_of:
            raise BadCall(f"no piece {piece!r}; there are {', '.join(self.plan.token_of)}")
        return str(piece)


def _jpeg(picture: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
