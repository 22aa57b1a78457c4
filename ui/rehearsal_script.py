"""What is rehearsed: deeds at the camera and the table, and the words each must bring, in time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ui.rehearsal import Stage

ACME, OTHER = "usb-Acme_Webcam-video-index0", "usb-Other_Webcam-video-index0"
"""Two cameras by their stable names."""
LIT, DARK = 1.0, 0.04
"""The lamp as it was, and so little of it that not even the white of a marker is seen."""
ON_A_HUB_PX = (640, 480)
"""What many cameras fall back to where the cable is too slow for the size that was asked for."""
REST_S = 60.0


class Deed(ABC):
    """Something that hands, cables or other programs do."""

    @abstractmethod
    def to(self, stage: Stage) -> None:
        """Do it."""


@dataclass(frozen=True)
class Wire(Deed):
    """Something about the camera itself: fields of the rig."""

    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def to(self, stage: Stage) -> None:
        """Set them."""
        for name, value in self.fields.items():
            setattr(stage.rig, name, value)


@dataclass(frozen=True)
class Plug(Deed):
    """A plug is put into a socket, which gives the camera another node."""

    node: str
    camera: str

    def to(self, stage: Stage) -> None:
        """Put it in; whatever hung on the cable before is gone."""
        stage.sockets.plug(self.node, self.camera)
        stage.rig.name, stage.rig.plugged = self.camera, True


@dataclass(frozen=True)
class Light(Deed):
    """The lamp: a share of its first light."""

    share: float

    def to(self, stage: Stage) -> None:
        """Dim or brighten it at once."""
        stage.drawn.light(self.share)


@dataclass(frozen=True)
class TouchRetry(Deed):
    """Somebody touches the banner."""

    def to(self, stage: Stage) -> None:
        """Retry the camera."""
        stage.table.retry("CAM")


@dataclass(frozen=True)
class Nudge(Deed):
    """Somebody pushes a board."""

    dx_mm: float
    dy_mm: float

    def to(self, stage: Stage) -> None:
        """Push the first board of the plan that pieces stand on."""
        boards = (board for board in stage.drawn.plan.boards if board.holds_pieces)
        stage.drawn.nudge(next(boards).name, self.dx_mm, self.dy_mm)


@dataclass(frozen=True)
class RestHand(Deed):
    """A hand comes, rests and leaves again."""

    seconds: float

    def to(self, stage: Stage) -> None:
        """Rest it over some space of a board of pieces."""
        stage.drawn.hand_rest(int(self.seconds * stage.fps))


@dataclass(frozen=True)
class SecondToken(Deed):
    """A second token of one marker is put on the table, or taken away again."""

    there: bool

    def to(self, stage: Stage) -> None:
        """Put it down clear of the first, or take it up."""
        if not self.there:
            stage.drawn.remove_strangers()
            return
        token = stage.put_on_the_table()
        stage.drawn.add_stranger(token.marker, stage.spot_for_a_copy(token))


@dataclass(frozen=True, slots=True)
class Act:
    """One deed and what the screen must say of it.

    `expected` is what the banner must say, as a regular expression, "" for no banner over a settled
    table, `within_s` of the deed. The act goes on for `lasts_s` at the least; with `stays` the
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

SCRIPT: tuple[Act, ...] = (
    Act("pull the plug", Wire({"plugged": False}), "Camera unplugged", SECOND, touches=True),
    Act("plug it into another socket", Plug("video2", ACME), "", AGAIN),
    Act("pull it again", Wire({"plugged": False, "held_by": "cheese (4711)"}), "Camera unplugged",
        SECOND),
    Act("another program is quicker", Plug("video0", ACME), "Camera in use", 2.0, touches=True),
    Act("that program ends", Wire({"held_by": ""}), "", AGAIN),
    Act("its driver hangs", Wire({"frozen": True}), "Camera frozen", FROZEN, touches=True),
    Act("the driver goes on", Wire({"frozen": False}), "", AGAIN),
    Act("the same picture again and again", Wire({"repeating": True}), "Camera frozen", FROZEN),
    Act("new pictures", Wire({"repeating": False}), "", AGAIN),
    Act("the lamp goes out", Light(DARK), "Camera in the dark", SECOND, touches=True),
    Act("the lamp is lit", Light(LIT), "", AGAIN),
    Act("a cap on the lens", Wire({"capped": True}), "Camera in the dark", SECOND),
    Act("the cap is off", Wire({"capped": False}), "", AGAIN),
    Act("a slow hub: smaller pictures", Wire({"gives_px": ON_A_HUB_PX}), "another size", SECOND,
        lasts_s=4.0, stays=True, touches=True),
    Act("the hub is taken out", Wire({"gives_px": None}), "", AGAIN),
    Act("another camera on the cable", Plug("video0", OTHER), "Another camera", 3.0, lasts_s=6.0,
        stays=True),
    Act("Retry takes it", TouchRetry(), "", AGAIN),
    Act("a board is nudged", Nudge(9.0, 4.0), "was moved ", SECOND),
    Act("its pieces are where they were", Wire(), "", 12.0, lasts_s=4.0),
    Act("a hand rests for a minute", RestHand(REST_S), "A hand rests over the table", 13.0,
        lasts_s=REST_S, stays=True),
    Act("the hand is gone", Wire(), "", 8.0),
    Act("two tokens of one marker", SecondToken(there=True), "Two are ", 2.0, lasts_s=4.0,
        stays=True),
    Act("one is taken away", SecondToken(there=False), "", AGAIN),
)  # fmt: skip
