"""Boards drawn as from above, with what was recognised on them: a picture that people can check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Piece, PointMm
from companion.core.offers import Seen, SeenState, Sighting
from vision.boards.place import BoardPlace
from vision.camera.frame import ColourImage, GreyImage

PX_PER_MM = 2.0
GAP_PX = 12
CAPTION_PX = 22
RADIUS_MM = 14.0
MESH_PX = 8
PAPER = (250, 250, 250)
INK = (30, 30, 30)
EDGE = (150, 110, 60)
STATE_COLOURS = {
    SeenState.SEEN: (70, 140, 20),
    SeenState.UNSURE: (0, 150, 230),
    SeenState.COVERED: (150, 150, 150),
    SeenState.LOST: (40, 40, 220),
}
"""Blue, green, red; the word of the state stands beside it."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def rectified(grey: GreyImage, place: BoardPlace, px_per_mm: float = PX_PER_MM) -> GreyImage:
    """A board as from straight above, its printed top up; lens and tilt are taken out."""
    width, height = (max(1, round(side * px_per_mm)) for side in place.board.size_mm)
    from_px = _pixels_of(place, width, height, px_per_mm)
    flat = cv2.remap(grey, from_px[..., 0], from_px[..., 1], cv2.INTER_LINEAR)
    return np.asarray(flat, np.uint8)


def _pixels_of(place: BoardPlace, width: int, height: int, px_per_mm: float) -> NDArray[np.float32]:
    """Where in the picture each px of the rectified board lies, px, [height, width, 2].

    Lens and tilt are worked out at every `MESH_PX`th px and a mesh beyond the edges; between them
    a straight line is right to a hundredth of a px, and a sixtieth of the work.
    """
    across, down = (np.arange(-1, -(-side // MESH_PX) + 1) for side in (width, height))
    x, y = np.meshgrid((across + 0.5) * MESH_PX, (down + 0.5) * MESH_PX)
    points_mm = np.asarray(np.column_stack([x.ravel(), y.ravel()]) / px_per_mm, np.float64)
    mesh = place.to_picture(points_mm).astype(np.float32).reshape(len(down), len(across), 2)
    whole = (len(across) * MESH_PX, len(down) * MESH_PX)
    fine = cv2.resize(mesh, whole, interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[MESH_PX:][:height, MESH_PX:][:, :width], np.float32)


def drawn_boards(
    grey: GreyImage,
    places: Mapping[str, BoardPlace],
    sighting: Sighting,
    px_per_mm: float = PX_PER_MM,
) -> ColourImage | None:
    """Every board that is seen, one below the other, with spaces and pieces; None without boards.

    What lies on a section is written on it: the cards as the sighting has them.
    """
    strips = [_strip(grey, place, sighting, px_per_mm) for place in places.values()]
    return _stacked(strips) if strips else None


def _strip(grey: GreyImage, place: BoardPlace, sighting: Sighting, px_per_mm: float) -> ColourImage:
    flat = cv2.cvtColor(rectified(grey, place, px_per_mm), cv2.COLOR_GRAY2BGR)
    picture = np.asarray(flat, np.uint8)
    for space in place.board.spaces:
        _outline(picture, space.outline_mm, px_per_mm)
        if (lies := sighting.cards.get(space.name)) is not None:
            _write(picture, str(lies), space.centre_mm, px_per_mm)
    for piece, seen in sighting.pieces.items():
        if seen.board == place.board.name and seen.x_mm is not None and seen.y_mm is not None:
            _piece(picture, piece, seen, (seen.x_mm, seen.y_mm), px_per_mm)
    return _captioned(picture, place)


def _outline(picture: ColourImage, outline_mm: Sequence[PointMm], px_per_mm: float) -> None:
    points = np.rint(np.array(outline_mm) * px_per_mm).astype(np.int32)
    cv2.polylines(picture, [points], True, EDGE, 1, cv2.LINE_AA)  # noqa: FBT003


def _piece(
    picture: ColourImage, piece: Piece, seen: Seen, at_mm: PointMm, px_per_mm: float
) -> None:
    """A ring round the piece, a line to where it points, its name and space or state."""
    colour = STATE_COLOURS[seen.state]
    x, y = (round(side * px_per_mm) for side in at_mm)
    cv2.circle(picture, (x, y), round(RADIUS_MM * px_per_mm), colour, 2, cv2.LINE_AA)
    if seen.heading_deg is not None:
        turn = np.radians(seen.heading_deg)
        reach = 1.3 * RADIUS_MM * px_per_mm
        tip = (round(x + reach * float(np.sin(turn))), round(y - reach * float(np.cos(turn))))
        cv2.line(picture, (x, y), tip, colour, 2, cv2.LINE_AA)
    where = " or ".join(seen.spaces) or "no space"
    told = (
        f"{piece}: {where}" if seen.state is SeenState.SEEN else f"{piece}: {where}, {seen.state}"
    )
    below = (at_mm[0], at_mm[1] + RADIUS_MM + 6)
    _write(picture, told, below, px_per_mm, colour)


def _write(
    picture: ColourImage,
    words: str,
    middle_mm: PointMm,
    px_per_mm: float,
    colour: tuple[int, int, int] = INK,
) -> None:
    """Words in the middle of a spot, pale behind them, all of them inside the picture."""
    (wide, high), _ = cv2.getTextSize(words, _FONT, 0.42, 1)
    x = round(middle_mm[0] * px_per_mm - wide / 2)
    y = round(middle_mm[1] * px_per_mm + high / 2)
    x = max(2, min(x, picture.shape[1] - wide - 2))
    y = max(high + 2, min(y, picture.shape[0] - 4))
    cv2.rectangle(picture, (x - 2, y - high - 2), (x + wide + 2, y + 3), PAPER, -1)
    cv2.putText(picture, words, (x, y), _FONT, 0.42, colour, 1, cv2.LINE_AA)


def _captioned(picture: ColourImage, place: BoardPlace) -> ColourImage:
    caption = np.full((CAPTION_PX, picture.shape[1], 3), PAPER, np.uint8)
    cv2.putText(caption, place.board.name, (4, CAPTION_PX - 7), _FONT, 0.45, INK, 1, cv2.LINE_AA)
    return np.vstack([caption, picture])


def _stacked(strips: Sequence[ColourImage]) -> NDArray[np.uint8]:
    """Strips below each other on one sheet, as wide as the widest."""
    wide = max(strip.shape[1] for strip in strips)
    sheet: list[ColourImage] = []
    for strip in strips:
        side = ((0, GAP_PX), (0, wide - strip.shape[1]), (0, 0))
        sheet.append(np.pad(strip, side, constant_values=255))
    return np.vstack(sheet)
