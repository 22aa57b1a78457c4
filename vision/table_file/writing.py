"""Writes what a calibration finds out into the table's own file; the rest stays as it is.

Comments, order and every key that a person wrote are kept. A file is of one box: what belongs to
another is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item, Table, Whitespace
from tomlkit.toml_document import TOMLDocument

from companion.core.board import BoardPlan
from companion.core.errors import BadFile, unread_toml
from companion.core.files import text_of, write_whole
from vision.boards.lens import Lens
from vision.boards.place import Calibration
from vision.table_file.reading import MEND

# Comments: kept when one of the file's parts is put anew.


def put_part(document: TOMLDocument, name: str, part: Table | None) -> None:
    """Put a part in the place of the one of that name, or at the end; None takes it out.

    Lines of words among its values stay on top of it, those behind its last value behind it, those
    on the line of a value with that value. Where it was written in one line, or in several places,
    it is put at the end.
    """
    places = [at for at, (key, _) in enumerate(document.body) if key and key.key == name]
    written = [_words_of(document.body[at][1]) for at in places]
    if part is not None and len(places) == 1:
        key, old = document.body[places[0]]
        if isinstance(old, Table) and key is not None and not key.is_dotted():
            _keep_margins(old, part)
            document[name] = _between(written[0], name, part)
            return
    if places:
        document.remove(name)
    for at, (inside, behind) in zip(places, written, strict=True):
        document.body[at] = (None, Whitespace(inside + behind))
    if part is not None:
        document[name] = part


def _between(words: tuple[str, str], name: str, part: Table) -> Table:
    """A part with lines of words before its first value and behind its last."""
    inside, behind = words
    alone = tomlkit.document()
    alone[name] = part
    heading, _, values = tomlkit.dumps(alone).lstrip().partition("\n")
    whole = tomlkit.parse(f"{heading}\n{inside}{values.rstrip()}\n{behind}")[name]
    return cast("Table", whole)


def _words_of(item: Item) -> tuple[str, str]:
    """The comments among the values of a part; all that stands behind the last of them."""
    lines = list(_lines(item))
    last = max((at for at, (is_value, _) in enumerate(lines) if is_value), default=-1)
    inside = "".join(text for _, text in lines[:last] if text.strip())
    behind = "".join(text for _, text in lines[last + 1 :])
    return inside, behind if behind.endswith("\n") or not behind else f"{behind}\n"


def _lines(item: Item) -> Iterator[tuple[bool, str]]:
    """What a part is made of, in the order of the text: its values, and the words between them."""
    if not isinstance(item, Table):
        return
    for key, inner in item.value.body:
        yield (True, "") if key is not None else (False, inner.as_string())
        yield from _lines(inner)


def _keep_margins(old: Table, new: Table) -> None:
    """Words on the line of a value stay there where the value is there again."""
    for key in new:
        if key not in old:
            continue
        before, now = old.value.item(key), new.value.item(key)
        if isinstance(before, Table) and isinstance(now, Table):
            _keep_margins(before, now)
        elif isinstance(before, Item) and isinstance(now, Item) and before.trivia.comment:
            now.trivia.comment_ws = before.trivia.comment_ws
            now.trivia.comment = before.trivia.comment


# What is written: a calibration, a lens, sides of markers.

NEW_FILE = (
    "This table, as the camera sees it. People may edit it: vision/table_file/ has every key.",
    "`companion calibrate` writes [lens] and [calibration] anew and leaves the rest alone.",
)

GUESSED = "guessed from the boards; measure it: companion calibrate --lens usb"


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


def write_heights(path: Path, plan: BoardPlan, height_mm: float) -> None:
    """Put one height of the markers of all tokens that are no counted ones into a table's file.

    Raises `BadFile` as above.
    """
    document = _document(path, plan.box)
    heights = {str(token.piece): height_mm for token in plan.tokens}
    _update(path, document, ("heights_mm",), heights)
    _write(path, document)


def _sides(plan: BoardPlan) -> dict[str, float]:
    """The side of each piece's marker, and of each kind of counted token's."""
    pieces = {str(token.piece): token.side_mm for token in plan.tokens}
    return pieces | {kind.name: kind.side_mm for kind in plan.counters}


def _document(path: Path, box: str) -> TOMLDocument:
    """The file as it stands, comments and all; a new one where there is none."""
    try:
        document = tomlkit.parse(text_of(path))
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
        table["spread"] = [[round(one, 6) for one in way] for way in lens.spread]
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
