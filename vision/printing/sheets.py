"""Printable sheets of a box, true to size: what is laid, cut out, stuck on and held up.

In order: how to print them, and for which camera; each board with its corner markers; tokens, those
with another side to be folded; corner markers alone, for boards of one's own; stickers for the
sleeves of cards; the calibration board.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import groupby
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from companion.core.board import Board, BoardPlan, Counter, Deck, PointMm, Token
from companion.core.errors import BadCall, BadFile
from companion.core.files import write_whole
from vision.boards.lens_fit import PRINTED_DICTIONARY, PRINTED_SQUARE_MM
from vision.cards.sleeves import (
    SLEEVE_AT_MM,
    SLEEVE_DICTIONARY,
    SLEEVE_SIDE_MM,
    Sleeve,
    back_of,
    face_of,
)
from vision.markers.choice import CAMERAS, Scale, nose_of, sized_for
from vision.markers.dictionaries import MarkerDictionary, load_dictionary
from vision.printing.items import (
    BoardItem,
    CharucoItem,
    FoldedItem,
    Item,
    MarkerItem,
    SleeveItem,
)
from vision.printing.pages import (
    MARGIN_MM,
    PAPERS,
    PrintedPage,
    in_parts,
    page_of,
    to_cut_out,
    whole_page,
)
from vision.printing.pictures import GluedItem, LaidItem

FIELDS_CM = ((60, 60), (90, 60), (90, 90))
"""What a camera sees of a table, hung 80 to 100 cm above it."""
PICTURES_UP_MM, PICTURES_APART_MM = 62.0, 30.0
"""From the foot of the first page up to its pictures, and between them."""


def write_sheets(plan: BoardPlan, path: Path, paper: str = "", own: BoardPlan | None = None) -> int:
    """Write every sheet of a box as one PDF and return the number of its pages.

    Boards are whole, on paper as large as that takes, and all else is on A4; where a `paper` is
    named (A4, A3, letter, tabloid) all is on that, and larger boards are in parts to be glued.
    `own` is the box as it comes, from which the sizes for other cameras are told; the plan where it
    is not given. Raises `BadFile` where the file cannot be written, `BadCall` where the plan's
    dictionary is too small for it.
    """
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=PAPERS[0], invariant=True, pageCompression=True)
    canvas.setTitle(f"Markers of {plan.box} ({plan.dictionary})")
    sheets = list(_sheets(plan, paper, own))
    for number, sheet in enumerate(sheets, 1):
        sheet.draw(canvas, f"{plan.box}, sheet {number} of {len(sheets)}: {sheet.title}")
    canvas.save()
    try:
        write_whole(path, buffer.getvalue())
    except OSError as trouble:
        raise BadFile(str(path), "", f"cannot be written: {trouble.strerror}") from trouble
    return len(sheets)


def papers_needed(plan: BoardPlan, paper: str = "") -> str:
    """How many sheets of which paper a box's file has, in words: "26 A4, 2 A3"."""
    tally = Tally(sheet.paper for sheet in _sheets(plan, paper))
    return ", ".join(f"{count} {name}" for name, count in tally.items())


def _sheets(plan: BoardPlan, paper: str, own: BoardPlan | None = None) -> Iterator[PrintedPage]:
    first = page_of(paper)
    others = list(_things(plan, paper))
    words = tuple(_advice(plan, own or plan))
    pictures = _pictures(plan, first)
    yield PrintedPage("read this first", first, pictures, words, tuple(_contents(others)))
    yield from others


def _pictures(plan: BoardPlan, page_mm: PointMm) -> tuple[Item, ...]:
    """A laid table and glued parts, side by side under the words of a first page."""
    laid = LaidItem((MARGIN_MM, page_mm[1] - PICTURES_UP_MM), plan)
    aside = (MARGIN_MM + laid.size_mm[0] + PICTURES_APART_MM, laid.place_mm[1])
    return (laid, GluedItem(aside))


def _things(plan: BoardPlan, paper: str) -> Iterator[PrintedPage]:
    """All that is laid, cut out or stuck on, in the order in which it is wanted."""
    dictionary = load_dictionary(plan.dictionary)
    for board in plan.boards:
        if board.corners:
            yield from _board_sheets(BoardItem((0, 0), board, dictionary), paper)
    yield from _token_sheets(plan, dictionary, paper)
    for kind in plan.counters:
        counted = f"{kind.label}: a marker for each; they are counted where they lie"
        yield from to_cut_out(counted, [_counter(kind, dictionary)] * kind.copies, paper)
    corners = [
        _corner(board, marker, dictionary)
        for board in plan.boards
        for marker in board.corners or {}
    ]
    yield from to_cut_out(
        "corner markers, for boards of your own: middle so far from the board's left, top edge, "
        "top up", corners, paper,
    )  # fmt: skip
    for deck in plan.decks:
        yield from _sleeve_sheets(deck, paper)
    calibration = CharucoItem((0, 0), load_dictionary(PRINTED_DICTIONARY))
    yield whole_page(calibration, "calibration board, to be glued flat on card", paper)


def _board_sheets(item: BoardItem, paper: str) -> Iterator[PrintedPage]:
    if paper:
        yield from in_parts(item, item.board.name, paper)
    else:
        yield whole_page(item, item.board.name)


def _contents(sheets: Sequence[PrintedPage]) -> Iterator[str]:
    """Which sheet is what, and on which paper where that is not A4; several alike in one line."""
    number = 2
    for title, alike in groupby(sheets, key=_in_contents):
        last = number + len(list(alike)) - 1
        yield f"{number}: {title}" if last == number else f"{number} to {last}: {title}"
        number = last + 1


def _in_contents(sheet: PrintedPage) -> str:
    title = re.split(r":|, row ", sheet.title)[0]
    return title if sheet.paper == "A4" else f"{title} ({sheet.paper})"


# -- tokens --------------------------------------------------------------------------------------


def _token_sheets(
    plan: BoardPlan, dictionary: MarkerDictionary, paper: str
) -> Iterator[PrintedPage]:
    """Tokens of one side, then those of two; what is another's other side comes with that one."""
    turned = {token.other_side.piece for token in plan.tokens if token.other_side is not None}
    single = [
        _token(plan, token, dictionary)
        for token in plan.tokens
        if token.other_side is None and token.piece not in turned
    ]
    yield from to_cut_out("tokens", single, paper)
    folded = [
        FoldedItem((0, 0), _token(plan, token, dictionary), _back(plan, token, other, dictionary))
        for token in plan.tokens
        if (other := token.other_side) is not None
    ]
    yield from to_cut_out("tokens with two sides: cut out as one, fold, glue", folded, paper)


def _token(plan: BoardPlan, token: Token, dictionary: MarkerDictionary) -> MarkerItem:
    name = f"{token.label} ({token.marker})"
    nose_mm = nose_of(plan, token)
    return MarkerItem((0, 0), dictionary, token.marker, token.side_mm, name, nose_mm, name)


def _back(plan: BoardPlan, token: Token, other: Token, dictionary: MarkerDictionary) -> MarkerItem:
    """The other side of a token: as the plan has that piece, else as large as the face."""
    known = plan.token_of.get(other.piece) or replace(other, side_mm=token.side_mm)
    return _token(plan, known, dictionary)


def _counter(kind: Counter, dictionary: MarkerDictionary) -> MarkerItem:
    """One of a kind of counted tokens: they all carry the same marker."""
    name = f"{kind.label} ({kind.marker})"
    return MarkerItem((0, 0), dictionary, kind.marker, kind.side_mm, name, name=name)


def _corner(board: Board, marker: int, dictionary: MarkerDictionary) -> MarkerItem:
    """A corner marker alone, and where its middle belongs: it stays written on it."""
    x, y = (board.corners or {})[marker]
    name = f"{board.name} ({marker}) at {x:.0f}, {y:.0f} mm"
    return MarkerItem((0, 0), dictionary, marker, board.corner_side_mm, name, name=name)


# -- sleeves -------------------------------------------------------------------------------------


def _sleeve_sheets(deck: Deck, paper: str) -> Iterator[PrintedPage]:
    """A sticker for the face of each card of a deck, then one for the back of each."""
    codes = load_dictionary(SLEEVE_DICTIONARY)
    copies: Mapping[str, int] = {card: deck.copies.get(card, 1) for card in deck.cards}
    faces = [
        _sticker(face_of(deck, card), codes) for card in deck.cards for _ in range(copies[card])
    ]
    backs = [_sticker(back_of(deck), codes)] * sum(copies.values())
    edge = "upper edge to the card's upper edge"
    owner = f"{deck.player} ({deck.owner})" if deck.player else deck.owner
    yield from to_cut_out(f"sleeves of {owner}, faces: {edge}", faces, paper)
    yield from to_cut_out(f"sleeves of {owner}, backs: {edge}", backs, paper)


def _sticker(sleeve: Sleeve, codes: MarkerDictionary) -> SleeveItem:
    """The sticker has the codes written on it; below it, off the sticker, stands what they mean."""
    drop_mm, name = SLEEVE_AT_MM[1], f"{sleeve.title} ({sleeve.marker})"
    caption = sleeve.deck.titles.get(sleeve.card, name) if sleeve.card else name
    return SleeveItem((0, 0), codes, sleeve.marker, SLEEVE_SIDE_MM, drop_mm, caption, name)


# -- what is said first --------------------------------------------------------------------------


def _advice(plan: BoardPlan, own: BoardPlan) -> Iterator[str]:
    """How to print, cut and hang, and which size is printed for which camera."""
    yield f"The sheets of {plan.box}"
    yield "Print at 100 %, in black, on matt paper; measure the ruler at the foot of this page."
    yield "Cut along the dashes. White around a marker belongs to it; no glossy tape or sleeves."
    yield "Lay boards flat, anywhere in the picture. Markers go on tokens' tops, arrow to the nose."
    yield "Boards of your own: 'at 18, 70 mm' is from the top left corner to the marker's middle."
    yield f"Glue the calibration board on card: its squares must be {PRINTED_SQUARE_MM:g} mm."
    yield "Boards too large for a printer: --paper A4 (A3, letter, tabloid) has them in parts."
    yield "Cut parts at their left and upper dashes, glue them over the strips of those before."
    yield ""
    yield f"Tops are taken to be {_heights(plan)} above the board. If yours are not, measure one:"
    yield "    companion calibrate --height-mm 5.5    (the marker's height, for every token)"
    yield f"These sheets: {plan.dictionary}; {_sides(plan)}. Other cameras need their own:"
    for name, size_px in CAMERAS.items():
        for field_cm in FIELDS_CM:
            field = f"{field_cm[0]} x {field_cm[1]} cm"
            yield f"    {name} over {field}: {_needed(own, size_px, field_cm)}"
    yield ""
    call = f"companion markers {plan.box} --camera 1080p --field 90x60"
    yield f"    {call} --table table.toml --out sheets.pdf"
    yield "Then: companion calibrate, with the pieces on the table."


def _needed(plan: BoardPlan, size_px: tuple[int, int], field_cm: tuple[int, int]) -> str:
    """The sides of markers for one camera, or that it will not do."""
    scale = Scale.of_field(size_px, (field_cm[0] * 10.0, field_cm[1] * 10.0))
    try:
        return f"{scale.px_per_mm:.1f} px a mm; {_sides(sized_for(plan, scale))}"
    except BadCall:
        return f"{scale.px_per_mm:.1f} px a mm: too little, use 1080p or a smaller table"


def _heights(plan: BoardPlan) -> str:
    """How high the tops of tokens are, those that are only counted by their own name."""
    tokens = _several({token.height_mm for token in plan.tokens})
    counted = (f"{kind.height_mm:g} mm ({kind.label})" for kind in plan.counters)
    return ", ".join([tokens, *counted])


def _sides(plan: BoardPlan) -> str:
    tokens = _several(
        {token.side_mm for token in plan.tokens} | {kind.side_mm for kind in plan.counters}
    )
    corners = _several({board.corner_side_mm for board in plan.boards if board.corners})
    return f"tokens {tokens}, corners {corners}"


def _several(sides_mm: set[float]) -> str:
    return f"{' and '.join(f'{side:g}' for side in sorted(sides_mm))} mm" if sides_mm else "none"


__all__ = ["papers_needed", "write_sheets"]
