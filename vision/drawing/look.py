"""How pictures of the drawn table look: lens, light, sharpness, and how neatly boards lie."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """How the picture looks: `blur_px` and `noise` are sigmas, `falloff` the lamp's at the corners.

    `jpeg_quality` None sends the picture uncompressed. Boards lie up to `shift_mm` and `turn_deg`
    off their nominal places. The lens sees `field_deg` across, and hangs as low as it can with the
    whole table and `margin_mm` around it in the picture. Without `stickers` tokens show what is
    painted on them, and no marker.
    """

    blur_px: float = 0.7
    noise: float = 2.5
    falloff: float = 0.35
    jpeg_quality: int | None = None
    shift_mm: float = 2.0
    turn_deg: float = 1.0
    margin_mm: float = 22.0
    field_deg: float = 60.0
    stickers: bool = True
