"""What a calibration finds out, written into the table's own file; the rest of it stays as it is.

Comments, order and every key that a person wrote are kept (`vision.table_words`). A file is of one
box: what belongs to another is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table
from tomlkit.toml_document import TOMLDocument

from companion.board import BoardPlan
from companion.errors import BadFile, unread_toml
from companion.whole_file import write_whole
from vision.calibrated import Calibration
from vision.lens import Lens
from vision.table_parts import MEND
from vision.table_words import put_part

NEW_FILE = (
    "This table, as the camera sees it. People may edit it: vision/table_file.py has every key.",
    "`companion calibrate` writes [lens] and [calibration] anew and leaves the rest alone.",
)

GUESSED = "guessed from the boards; measure it: companion calibrate --lens"


def write_calibration(path: Path, box: str, calibration: Calibration) -> None:
    """Put a calibration, and the lens it was made with, into a table's file; made if it is not.

    Raises `BadFile` where the file is none that TOML knows, is that of another box, or cannot be
    written; then nothing is changed.
    """
    document = _document(path, box)
    put_part(document, "lens", _lens_table(calibration.lens))
    put_part(document, "calibration", _calibration_table(calibration))
    _write(path, document)


def write_lens(path: Path, box: str, lens: Lens) -> None:
    """Put a lens that was measured by itself into a table's file.

    Where the boards lay was seen through another one: that calibration is taken out. Raises
    `BadFile` as above.
    """
    document = _document(path, box)
    put_part(document, "lens", _lens_table(lens))
    put_part(document, "calibration", None)
    _write(path, document)


def write_sizes(path: Path, plan: BoardPlan, own: BoardPlan) -> None:
    """Put the sides of markers that differ from the box's own into a table's file.

    Raises `BadFile` as above.
    """
    document = _document(path, plan.box)
    printed = _sides(own)
    sides = {name: side for name, side in _sides(plan).items() if side != printed.get(name)}
    _update(path, document, ("sides_mm",), sides)
    for board in plan.boards:
        if board.corner_side_mm != own.board(board.name).corner_side_mm:
            _update(
                path, document, ("boards", board.name), {"corner_side_mm": board.corner_side_mm}
            )
    _write(path, document)


def _sides(plan: BoardPlan) -> dict[str, float]:
    """The side of each piece's marker, and of each kind of counted token's."""
    pieces = {str(token.piece): token.side_mm for token in plan.tokens}
    return pieces | {kind.name: kind.side_mm for kind in plan.counters}


def _document(path: Path, box: str) -> TOMLDocument:
    """The file as it stands, comments and all; a new one where there is none."""
    try:
        document = tomlkit.parse(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        document = tomlkit.document()
        for line in NEW_FILE:
            document.add(tomlkit.comment(line))
    except (OSError, UnicodeDecodeError) as trouble:
        raise BadFile(str(path), "", f"cannot be read: {trouble}") from trouble
    except (ValueError, RecursionError, TOMLKitError) as trouble:
        raise BadFile(str(path), "", f"{unread_toml(trouble)}; {MEND}") from trouble
    if "box" not in document:
        document["box"] = box
    if document["box"] != box:
        text = f"it is the table of {document['box']}, not of {box}: take another file for that"
        raise BadFile(str(path), "box", text)
    return document


def _update(
    path: Path, document: TOMLDocument, keys: tuple[str, ...], values: Mapping[str, float]
) -> None:
    """Set some values of a table of the file, which is made where it is wanted and missing."""
    if not values:
        return
    table: MutableMapping[str, Any] = document
    for key in keys:
        if key not in table:
            table[key] = tomlkit.table(is_super_table=key != keys[-1])
        inner = table[key]  # of three kinds: under a heading, in one line, or in several places
        if not isinstance(inner, MutableMapping):
            raise BadFile(str(path), key, f"is no table of values; {MEND}")
        table = cast("MutableMapping[str, Any]", inner)
    for name, value in values.items():
        table[name] = value


def _lens_table(lens: Lens) -> Table:
    table = tomlkit.table()
    table["camera"] = lens.camera
    table["size_px"] = list(lens.size_px)
    table["focal_px"] = [round(focal, 3) for focal in lens.focal_px]
    table["centre_px"] = [round(centre, 3) for centre in lens.centre_px]
    table["distortion"] = [round(one, 6) for one in lens.distortion]
    table["rms_px"] = round(lens.rms_px, 3)
    if lens.assumed:
        table["assumed"] = tomlkit.item(True).comment(GUESSED)  # noqa: FBT003 - the value itself
    return table


def _calibration_table(calibration: Calibration) -> Table:
    table = tomlkit.table()
    table["camera"] = calibration.camera
    table["size_px"] = list(calibration.size_px)
    table["made_on"] = calibration.made_on
    table["blur_px"] = calibration.blur_px
    table["px_per_mm"] = calibration.px_per_mm
    boards = tomlkit.table(is_super_table=True)
    for name, found in calibration.boards.items():
        board = tomlkit.table()
        board["outline_px"] = [list(corner) for corner in found.outline_px]
        board["markers"] = found.markers
        board["error_px"] = found.error_px
        boards[name] = board
    table["boards"] = boards
    return table


def _write(path: Path, document: TOMLDocument) -> None:
    try:
        write_whole(path, tomlkit.dumps(document))
    except OSError as trouble:
        raise BadFile(str(path), "", f"cannot be written: {trouble.strerror}") from trouble
