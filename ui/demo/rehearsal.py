"""A rehearsal of what can go wrong before a camera, on a clock that is stepped.

A scripted camera over the drawn table has its plug pulled, its lens covered, its boards nudged;
the whole app but the window looks at it, and what the screen says is held against what it must
say, with the time at which it came.
"""

from __future__ import annotations

import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.board import Board, BoardPlan, Pose, Token
from companion.core.offers import PictureState
from companion.games import USUAL_BOX, find_rulebook, rulebook_of
from companion.match.rulebook import Setup
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from ui.demo.drawn import SteppedClock, size_for
from ui.screens.registry import present
from ui.table.camera_watch import CameraWatch
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.touch import actions
from ui.touch.acting import act
from ui.touch.view import View
from vision.camera.scripted import CameraRig
from vision.camera.source import CameraSource
from vision.drawing.table import PictureLook, SimulatedTable, TokenSpot
from vision.tracking.tracker import Tracker

if TYPE_CHECKING:
    from companion.match.match import Match

# The incidents: deeds at the camera and the table, and the words each must bring, in time.

ACME, OTHER = "usb-Acme_Webcam-video-index0", "usb-Other_Webcam-video-index0"
"""Two cameras by their stable names."""
LIT, DARK = 1.0, 0.04
"""The lamp as it was, and so little of it that not even the white of a marker is seen."""
NIGHT = (4.0, 1.5)
"""The noise of a webcam at night: its levels (sigma), and how wide its grains are, px."""
ON_A_HUB_PX = (640, 480)
"""What many cameras fall back to where the cable is too slow for the size that was asked for."""
REST_S = 60.0
WIDE_DEG = 75.0
"""How much the lens of the other camera sees across; nobody has measured it."""


class Deed(ABC):
    """Something that hands, cables or other programs do."""

    @abstractmethod
    def to(self, stage: RehearsalTable) -> None:
        """Do it."""


@dataclass(frozen=True)
class Wire(Deed):
    """Something about the camera itself: fields of the rig."""

    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def to(self, stage: RehearsalTable) -> None:
        """Set them."""
        for name, value in self.fields.items():
            setattr(stage.rig, name, value)


@dataclass(frozen=True)
class Plug(Deed):
    """A plug is put into a socket, which gives the camera another node."""

    node: str
    camera: str

    def to(self, stage: RehearsalTable) -> None:
        """Put it in; whatever hung on the cable before is gone."""
        stage.sockets.plug(self.node, self.camera)
        stage.rig.name, stage.rig.plugged = self.camera, True


@dataclass(frozen=True)
class PlugWide(Plug):
    """A plug of another camera, whose lens is a wide one and hangs elsewhere."""

    def to(self, stage: RehearsalTable) -> None:
        """Put it in, and hang its camera over the table."""
        stage.drawn.hang_another(WIDE_DEG)
        super().to(stage)


@dataclass(frozen=True)
class Paper(Deed):
    """A sheet of paper is left lying over the picture's edge, or taken away."""

    there: bool

    def to(self, stage: RehearsalTable) -> None:
        """Lay it from over the last space of a board of pieces, or take it up."""
        if self.there:
            stage.drawn.lay_sheet(boards_of(stage.drawn.plan)[0].spaces[-1].name)
        else:
            stage.drawn.take_sheet()


@dataclass(frozen=True)
class LampLight(Deed):
    """The lamp: a share of its first light."""

    share: float

    def to(self, stage: RehearsalTable) -> None:
        """Dim or brighten it at once."""
        stage.drawn.light(self.share)


@dataclass(frozen=True)
class TouchRetry(Deed):
    """Somebody touches the banner."""

    def to(self, stage: RehearsalTable) -> None:
        """Retry the camera."""
        stage.table.retry("CAM")


@dataclass(frozen=True)
class Nudge(Deed):
    """Somebody pushes a board."""

    dx_mm: float
    dy_mm: float

    def to(self, stage: RehearsalTable) -> None:
        """Push the first board of the plan that pieces stand on."""
        boards = (board for board in stage.drawn.plan.boards if board.holds_pieces)
        stage.drawn.nudge(next(boards).name, self.dx_mm, self.dy_mm)


@dataclass(frozen=True)
class RestHand(Deed):
    """A hand comes, rests and leaves again."""

    seconds: float

    def to(self, stage: RehearsalTable) -> None:
        """Rest it over some space of a board of pieces."""
        stage.drawn.hand_rest(int(self.seconds * stage.fps))


@dataclass(frozen=True)
class SecondToken(Deed):
    """A second token of one marker is put on the table, or taken away again."""

    there: bool

    def to(self, stage: RehearsalTable) -> None:
        """Put it down clear of the first, or take it up."""
        if not self.there:
            stage.drawn.remove_strangers()
            return
        token = stage.put_on_the_table()
        stage.drawn.add_stranger(token.marker, stage.spot_for_a_copy(token))


@dataclass(frozen=True, slots=True)
class Incident:
    """One deed and what the screen must say of it.

    `expected` is what the banner must say, as a regular expression, "" for no banner over a settled
    table, `within_s` of the deed. It goes on for `lasts_s` at the least; with `stays` the
    words must still be said then. `touches`: once they are said, a question is answered by touch,
    and that must be taken.
    """

    name: str
    deed: Deed
    expected: str
    within_s: float
    lasts_s: float = 0.0
    stays: bool = False
    touches: bool = False


SECOND, FROZEN, AGAIN = 1.0, 4.0, 5.0
"""Within a second of what can be known, four of a frozen picture; back to rest within five."""

SCRIPT: tuple[Incident, ...] = (
    Incident("pull the plug", Wire({"plugged": False}), "Camera unplugged", SECOND, touches=True),
    Incident("plug it into another socket", Plug("video2", ACME), "", AGAIN),
    Incident("pull it again", Wire({"plugged": False, "held_by": "cheese (4711)"}),
        "Camera unplugged", SECOND),
    Incident("another program is quicker", Plug("video0", ACME), "Camera in use", 2.0,
        touches=True),
    Incident("that program ends", Wire({"held_by": ""}), "", AGAIN),
    Incident("its driver hangs", Wire({"frozen": True}), "Camera frozen", FROZEN, touches=True),
    Incident("the driver goes on", Wire({"frozen": False}), "", AGAIN),
    Incident("the same picture again and again", Wire({"repeating": True}), "Camera frozen",
        FROZEN),
    Incident("new pictures", Wire({"repeating": False}), "", AGAIN),
    Incident("the lamp goes out", LampLight(DARK), "Camera in the dark", SECOND, touches=True),
    Incident("the lamp is lit", LampLight(LIT), "", AGAIN),
    Incident("night grain", Wire({"grain": NIGHT}), "", AGAIN, lasts_s=6.0, stays=True),
    Incident("the lamp is brighter", Wire({"grain": None}), "", AGAIN, lasts_s=2.0, stays=True),
    Incident("its driver mirrors the picture", Wire({"mirrored": True}), "The picture is mirrored",
        13.0, touches=True),
    Incident("mirroring is switched off", Wire({"mirrored": False}), "", AGAIN),
    Incident("a cap on the lens", Wire({"capped": True}), "Camera in the dark", SECOND),
    Incident("the cap is off", Wire({"capped": False}), "", AGAIN),
    Incident("a slow hub: smaller pictures", Wire({"gives_px": ON_A_HUB_PX}), "another size",
        SECOND, lasts_s=4.0, stays=True, touches=True),
    Incident("the hub is taken out", Wire({"gives_px": None}), "", AGAIN),
    Incident("another camera on the cable, of 75 degrees", PlugWide("video0", OTHER),
        "Another camera", 3.0, lasts_s=6.0, stays=True),
    Incident("Retry takes it", TouchRetry(), "", AGAIN),
    Incident("a board is nudged", Nudge(9.0, 4.0), "was moved ", SECOND),
    Incident("its pieces are where they were", Wire(), "", 12.0, lasts_s=4.0),
    Incident("a hand rests for a minute", RestHand(REST_S), "A hand rests over the table", 13.0),
    Incident("it may be a thing that lies there", Wire(), "Something lies over the edge", 8.0,
        lasts_s=REST_S - 10.0),
    Incident("the hand is gone", Wire(), "", 8.0, lasts_s=6.0, stays=True),
    Incident("paper on the edge", Paper(there=True), "Something lies over the edge", 20.0,
        touches=True),
    Incident("play goes on beside it", Wire(), "", 10.0, lasts_s=11.0, stays=True),
    Incident("the paper is taken away", Paper(there=False), "", AGAIN, lasts_s=4.0, stays=True),
    Incident("two tokens of one marker", SecondToken(there=True), "Two are ", 2.0, lasts_s=4.0,
        stays=True),
    Incident("one is taken away", SecondToken(there=False), "", AGAIN),
)  # fmt: skip


# The stage, and the rehearsal on it.

FPS = 10.0
PEOPLE = ("Ana", "Bo", "Cleo", "Dan", "Eli", "Fay")
QUIET = ""
"""What the screen says of a camera that does well."""


@dataclass(frozen=True, slots=True)
class SaidAfter:
    """What the screen came to say: `at_s` after the deed, the words of the banner ("" for none)."""

    at_s: float
    words: str


@dataclass(frozen=True, slots=True)
class PlayedIncident:
    """One deed and what came of it.

    `came_s` is when the words that were expected came, None where they did not in time; `touched`
    what was answered by touch meanwhile, `refused` what the screen said where that was not taken.
    """

    name: str
    expected: str
    within_s: float
    said: tuple[SaidAfter, ...]
    came_s: float | None
    touched: str = ""
    refused: str = ""

    @property
    def taken(self) -> bool:
        """Whether what was touched was taken, if anything was."""
        return not self.refused

    @property
    def right(self) -> bool:
        """Whether the words came in time, and what was touched was taken."""
        return self.came_s is not None and self.taken


class Sockets:
    """A folder of device nodes as udev keeps them: which camera hangs on which."""

    def __init__(self, dev: Path) -> None:
        self.dev = dev
        self._by_id = dev / "v4l" / "by-id"
        self._by_id.mkdir(parents=True)

    def plug(self, node: str, camera: str) -> None:
        """One camera in one socket, and no other."""
        for link in self._by_id.iterdir():
            link.unlink()
        (self.dev / node).touch()
        (self._by_id / camera).symlink_to(self.dev / node)


class RehearsalTable:
    """A match at a drawn table, before a camera whose plug can be pulled.

    `size_px` and `fps` are the camera's; None is as large as the box's markers need.
    """

    def __init__(
        self,
        box: str = USUAL_BOX,
        *,
        size_px: tuple[int, int] | None = None,
        fps: float = FPS,
        seed: int = 1,
    ) -> None:
        """BadCall names the boxes there are."""
        self.box, self.fps = box, fps
        setup = self._setup()
        self.folder = tempfile.TemporaryDirectory(prefix="rehearsal-")
        folder = Path(self.folder.name)
        plan = rulebook_of(setup)(setup).plan
        self.clock = SteppedClock(1000.0)
        self.drawn = SimulatedTable(
            plan, seed, size_px or size_for(plan), look=PictureLook(), fps=fps,
            clock=self.clock, wait=self.clock.wait,
        )  # fmt: skip
        self.sockets = Sockets(folder / "dev")
        self.sockets.plug("video0", ACME)
        self.rig = CameraRig(self.drawn, name=ACME)
        source = CameraSource(
            "usb", wanted_px=self.drawn.size_px, opener=self.rig.open, dev=self.sockets.dev
        )
        self.watch = CameraWatch(
            source, lambda _: Tracker(plan), tracker_of=Tracker, clock=self.clock
        )
        self.table = self._table(folder)
        self.view = View()
        self._begin(setup)

    def _setup(self) -> Setup:
        book = find_rulebook(self.box)
        variants = book.usual(())
        bare = Setup(book.box, variants, demonstration=True)
        taken = rulebook_of(bare)(bare).seats_taken()
        return replace(bare, seats=dict(zip(taken, PEOPLE, strict=False)))

    def _table(self, folder: Path) -> Table:
        return Table(
            Record.open(folder / "record.sqlite"),
            SettingsFile.load(folder / "settings.toml"),
            watch=self.watch,
            signals=DeskPanel(clock=self.clock),
            clock=self.clock,
        )

    def _begin(self, setup: Setup) -> None:
        self.table.new_match(setup)
        self.view = act(actions.Checked(), self.table, self.view)
        for piece, pose in self.match.position.placement().items():
            self.drawn.place(piece, pose)

    def close(self) -> None:
        """Let go of the table and of the folder that its record lay in."""
        self.table.close()
        self.folder.cleanup()

    @property
    def match(self) -> Match[Any]:
        """The match under way."""
        return self.table.refereed().match

    @property
    def words(self) -> str:
        """The banner of the screen: both of its lines."""
        banner = present(self.table.situation(), self.view).frame.banner
        return f"{banner.text}: {banner.way_out}" if banner is not None else QUIET

    @property
    def settled(self) -> bool:
        """Whether the camera has come to rest on what it sees."""
        sighting = self.watch.sighting
        return sighting is not None and sighting.state is PictureState.SETTLED

    def step(self) -> None:
        """A frame's time at the table, whether the camera gives a picture or not."""
        due = self.clock() + 1 / self.fps
        self.watch.step()
        if self.clock() < due:
            self.clock.wait(due - self.clock())
        self.table.tick()

    # -- what is done ----------------------------------------------------------------------

    def touch_answer(self) -> tuple[str, str]:
        """Answer by touch what is asked first; what, and the screen's refusal ("" where taken)."""
        key, question = next(iter(self.match.open.items()))
        options = question.options_now()
        if not options:
            return "", ""
        answer = next((one for one in options if not one.shows), options[0])
        before = len(self.match.entries)
        touch = actions.Answer(key, question.opened, answer.name)
        self.view = act(touch, self.table, self.view)
        taken = len(self.match.entries) > before
        return f"{key} = {answer.name}", "" if taken else self._refusal()

    def _refusal(self) -> str:
        told = present(self.table.situation(), self.view).frame.refusal
        if told is None:
            return "and the screen does not say why"
        return f"{told.text.removesuffix('.')}. {told.way_out}".rstrip()

    def put_on_the_table(self) -> Token:
        """A token of the match, on its space; one that none needs yet is put on a board."""
        plan = self.drawn.plan
        placed = self.match.position.placement()
        token = next((one for one in plan.tokens if one.piece in placed), plan.tokens[0])
        if self.drawn.standing(token.piece) is None:
            self.drawn.place(token.piece, Pose(boards_of(plan)[0].spaces[-1].name))
        return token

    def spot_for_a_copy(self, token: Token) -> TokenSpot:
        """Where another one of a token may lie: on a space of another board, if there is one."""
        boards = boards_of(self.drawn.plan)
        here = self.drawn.standing(token.piece)
        taken = "" if here is None else here.board
        board = next((board for board in boards if board.name != taken), boards[0])
        x, y = board.spaces[0].centre_mm
        return TokenSpot(board.name, x, y, 20.0)


def boards_of(plan: BoardPlan) -> Sequence[Board]:
    """The boards that pieces stand on."""
    return [board for board in plan.boards if board.holds_pieces and board.spaces]


def rehearse(
    stage: RehearsalTable, script: Sequence[Incident] = SCRIPT
) -> Iterator[PlayedIncident]:
    """Play each incident in turn, and tell what the screen said."""
    for _ in range(int(8 * stage.fps)):
        stage.step()
        if stage.settled:
            break
    for scene in script:
        yield _play(stage, scene)


def _play(stage: RehearsalTable, scene: Incident) -> PlayedIncident:
    """Do the deed, then wait for its words and for as long as it lasts."""
    scene.deed.to(stage)
    start, said = stage.clock(), list[SaidAfter]()
    came: float | None = None
    touched, refused = "", ""
    while True:
        passed = stage.clock() - start
        words = stage.words
        if not said or _plain(words) != _plain(said[-1].words):
            said.append(SaidAfter(round(passed, 2), words))
        if came is None and passed <= scene.within_s and _is_said(scene.expected, words, stage):
            came = round(passed, 2)
            if scene.touches:
                touched, refused = stage.touch_answer()
        if passed >= scene.lasts_s and (came is not None or passed > scene.within_s):
            break
        stage.step()
    if scene.stays and said and not _is_said(scene.expected, said[-1].words, stage):
        came = None
    return PlayedIncident(
        scene.name, scene.expected or "no alarm", scene.within_s, tuple(said), came,
        touched, refused,
    )  # fmt: skip


def _is_said(expected: str, words: str, stage: RehearsalTable) -> bool:
    if expected:
        return re.search(expected, words) is not None
    return words == QUIET and stage.settled


def _plain(words: str) -> str:
    """Words without their ages, which grow."""
    return re.sub(r"\d+", "", words)
