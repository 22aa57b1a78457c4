"""What `companion see --json` tells of each marker, die, card and piece."""

from __future__ import annotations

from companion.board import Piece
from companion.offers import Json, Seen
from vision.cards import CardOn
from vision.dice import DieSeen
from vision.observation import MarkerSeen


def marker_json(marker: MarkerSeen) -> dict[str, Json]:
    """A marker: its id, its dictionary and its corners, px."""
    corners: list[Json] = [[round(x, 2), round(y, 2)] for x, y in marker.corners_px.tolist()]
    return {"id": marker.id, "dictionary": marker.dictionary, "corners_px": corners}


def card_json(card: CardOn) -> dict[str, Json]:
    """A card in its sleeve, on a section of a track.

    `faces` are the names it counts by: none face down, two where it lies too far sideways.

    `over` names the owners of cards that may lie under it, where there are any.
    """
    seen, (x, y) = card.card.seen, card.card.middle_mm
    return {
        "section": card.section,
        **({"over": list(card.over)} if card.over else {}),
        "owner": seen.owner,
        "faces": list(seen.faces),
        "x_mm": round(x, 2),
        "y_mm": round(y, 2),
        "turn_deg": round(card.card.turn_deg, 2),
        "marker": card.card.sleeve.marker,
    }


def die_json(die: DieSeen) -> dict[str, Json]:
    """A die: its value, null where that is in doubt, and its middle, px."""
    x, y = die.centre_px
    centre: list[Json] = [round(x, 2), round(y, 2)]
    return {"value": die.value, "centre_px": centre, "sure": die.value is not None}


def piece_json(piece: Piece, seen: Seen) -> dict[str, Json]:
    """A piece: where it is, mm of its board, and how sure that is."""
    return {
        "piece": piece,
        "board": seen.board,
        "space": seen.pose.space if seen.pose is not None else None,
        "facing": seen.pose.facing if seen.pose is not None else None,
        "x_mm": _rounded(seen.x_mm),
        "y_mm": _rounded(seen.y_mm),
        "heading_deg": _rounded(seen.heading_deg),
        "state": seen.state.value,
        "place_sd_mm": _rounded(seen.place_sd_mm),
        "heading_sd_deg": _rounded(seen.heading_sd_deg),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
