"""The map: boards and pieces as they lie before the screen, in millimetres of the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.board import Look, PointMm
    from ui.presenters.common import Side
    from ui.touch.actions import Action


@dataclass(frozen=True, slots=True)
class MapCell:
    """One space: printed label, outline on the table, `sign` in its middle ("cross", "ring").

    `action` makes it a key (a question whose options are places); `lit` says sight offers it.
    """

    space: str
    label: str
    outline_mm: tuple[PointMm, ...]
    sign: str = ""
    action: Action | None = None
    lit: bool = False

    @property
    def centre_mm(self) -> PointMm:
        xs, ys = zip(*self.outline_mm, strict=True)
        return (sum(xs) / len(xs), sum(ys) / len(ys))


@dataclass(frozen=True, slots=True)
class MapBoard:
    """One board: outline on the table, whose it is, title ("Gunner"), and whether it is turned.

    Of a turned (far) board the labels stay upright and its order is reversed.
    """

    name: str
    title: str
    side: Side
    outline_mm: tuple[PointMm, ...]
    cells: tuple[MapCell, ...]
    turned: bool = False


@dataclass(frozen=True, slots=True)
class MapPiece:
    """A piece on the map: solid is the table, dashed is where it was, or where the record has it.

    `struck` draws the burst of a hit; `facing` 0-5 clockwise, None where the box has none;
    `heading_deg` is where that points, clockwise from the screen's top.
    """

    piece: str
    label: str
    tint: Look
    space: str
    centre_mm: PointMm
    facing: int | None = None
    dashed: bool = False
    struck: bool = False
    heading_deg: float | None = None


@dataclass(frozen=True, slots=True)
class MapArrow:
    """The path of the hand from one space to another, table mm."""

    start_mm: PointMm
    end_mm: PointMm


@dataclass(frozen=True, slots=True)
class MapFire:
    """A line of fire from attacker to target, table mm; `reach` is its length in words."""

    start_mm: PointMm
    end_mm: PointMm
    reach: str = ""


@dataclass(frozen=True, slots=True)
class MapState:
    """Everything on the map; the screen scales `bounds_mm` (left, top, width, height) to fit.

    `legend` is what dashed outlines mean here ("" where there are none). `compass` names the first
    heading of a board that has any, and where it points, clockwise from the screen's top. `field`:
    pieces move about on many spaces, which are drawn as they lie. `fires` are the attacks under
    way.
    """

    boards: tuple[MapBoard, ...]
    pieces: tuple[MapPiece, ...] = ()
    arrows: tuple[MapArrow, ...] = ()
    bounds_mm: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    legend: str = ""
    compass: tuple[str, float] | None = None
    field: bool = False
    fires: tuple[MapFire, ...] = ()

    def homeward(self) -> MapState:
        """The same with the hand's path from where a piece stands to where it is drawn dashed."""
        back = tuple(MapArrow(arrow.end_mm, arrow.start_mm) for arrow in self.arrows)
        return replace(self, arrows=back)
