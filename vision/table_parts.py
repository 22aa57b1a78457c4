"""The parts of a table's file as pydantic reads them: each key, and what is allowed there."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from vision.calibrated import BoardFound, Calibration
from vision.lens import Lens

Millimetres = Annotated[float, Field(gt=0, lt=3000, allow_inf_nan=False)]
Place = Annotated[float, Field(gt=-3000, lt=3000, allow_inf_nan=False)]
Outline = Annotated[list[tuple[Place, Place]], Field(min_length=3)]
MarkerId = Annotated[int, Field(ge=0, lt=1024)]
Pixels = Annotated[int, Field(ge=16, le=20_000)]
Focal = Annotated[float, Field(gt=10, lt=100_000, allow_inf_nan=False)]
Coefficient = Annotated[float, Field(gt=-100, lt=100, allow_inf_nan=False)]
Position = Annotated[float, Field(gt=-40_000, lt=40_000, allow_inf_nan=False)]
Measured = Annotated[float, Field(ge=0, lt=100, allow_inf_nan=False)]

MEND = "mend it there, or take the file away and calibrate anew"
"""The way out of a file that is torn, or lacks what it needs."""


class Part(BaseModel):
    """A table of the file; a key that is not one of its own is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LensPart(Part):
    """`[lens]`: the camera's lens; `assumed` where it was guessed and not measured."""

    camera: str = ""
    size_px: tuple[Pixels, Pixels]
    focal_px: tuple[Focal, Focal]
    centre_px: tuple[Focal, Focal]
    distortion: Annotated[list[Coefficient], Field(min_length=4, max_length=5)] = [0.0] * 5
    rms_px: Measured = 0.0
    assumed: bool = False

    def lens(self) -> Lens:
        """The lens it describes."""
        return Lens(
            size_px=self.size_px,
            focal_px=self.focal_px,
            centre_px=self.centre_px,
            distortion=tuple(self.distortion),
            rms_px=self.rms_px,
            camera=self.camera,
            assumed=self.assumed,
        )


class BoardPart(Part):
    """`[boards."..."]`: what is different from the box's own board."""

    size_mm: tuple[Millimetres, Millimetres] | None = None
    corner_side_mm: Millimetres | None = None
    corners_mm: dict[MarkerId, tuple[Place, Place]] | None = None
    centre_mm: tuple[Place, Place] | None = None
    turn_deg: Annotated[float, Field(ge=-360, le=360)] | None = None
    outlines_mm: dict[str, Outline] = {}


Corner = tuple[Position, Position]


class FoundPart(Part):
    """`[calibration.boards."..."]`: where a board lay in the picture, and how well it fitted."""

    outline_px: tuple[Corner, Corner, Corner, Corner]
    markers: Annotated[int, Field(ge=1, le=100)] = 4
    error_px: Measured = 0.0


class CalibrationPart(Part):
    """`[calibration]`: the camera it holds for, and where it saw the boards."""

    camera: str = ""
    size_px: tuple[Pixels, Pixels]
    made_on: str = ""
    blur_px: Measured = 0.0
    px_per_mm: Measured = 0.0
    boards: dict[str, FoundPart] = {}

    def calibration(self, lens: Lens) -> Calibration:
        """The calibration it describes, seen through that lens."""
        boards = {
            name: BoardFound(found.outline_px, found.markers, found.error_px)
            for name, found in self.boards.items()
        }
        return Calibration(
            camera=self.camera,
            size_px=self.size_px,
            lens=lens,
            boards=boards,
            blur_px=self.blur_px,
            px_per_mm=self.px_per_mm,
            made_on=self.made_on,
        )


class TablePart(Part):
    """The whole file."""

    box: str
    dictionary: str | None = None
    markers: dict[str, MarkerId] = {}
    sides_mm: dict[str, Millimetres] = {}
    heights_mm: dict[str, Annotated[float, Field(ge=0, lt=300)]] = {}
    boards: dict[str, BoardPart] = {}
    lens: LensPart | None = None
    calibration: CalibrationPart | None = None
