"""What a calibration found out, as the table's own file keeps it: for one camera at one size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.errors import CameraError
from vision.lens import Lens, times

Outline = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""The four corners of a board in the picture, px, its printed top left first, then clockwise."""


@dataclass(frozen=True, slots=True)
class BoardFound:
    """Where one board lay: its outline, from how many corner markers, how well those fit (rms)."""

    outline_px: Outline
    markers: int
    error_px: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where every board lay before one camera, and how good its picture was.

    `camera` is a device's stable name; empty where it was made from pictures or a film, which do
    not tell what took them. `blur_px` is the blur of the corner markers (sigma), `px_per_mm` the
    scale in the middle of the boards, `made_on` the day as the file has it.
    """

    camera: str
    size_px: tuple[int, int]
    lens: Lens
    boards: Mapping[str, BoardFound] = field(default_factory=dict[str, BoardFound])
    blur_px: float = 0.0
    px_per_mm: float = 0.0
    made_on: str = ""


def check_camera(
    made_with: str, size_px: tuple[int, int], camera: str, seen_px: tuple[int, int], source: str
) -> None:
    """Refuse what was calibrated with another camera, or at another size of picture.

    `camera` is empty where pictures do not say which camera they are from. Raises `CameraError`
    that names both, and the way out.
    """
    again = f"run `companion calibrate` with this camera, or take {source} away"
    if camera and made_with and camera != made_with:
        raise CameraError(
            f"{source} was calibrated with the camera {made_with}, and this is {camera}: plug that "
            f"one in, or {again}"
        )
    if (0, 0) not in (size_px, seen_px) and size_px != seen_px:
        raise CameraError(
            f"{source} was calibrated at {times(size_px)} and the pictures are {times(seen_px)}: "
            f"let the camera give {times(size_px)}, or {again}"
        )
