"""Parts and the pen: what is drawn, read back from what the pen wrote and from pixels."""

from __future__ import annotations

import gc
import itertools
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.samples.match import SAMPLES
from ui.scene.theme import Face, Theme, font_file
from ui.scene.values import Bottom, Key, PadGroup, PadKey
from ui.touch.actions import Back
from ui.widgets import shape as raster
from ui.widgets.bars import bottom_row
from ui.widgets.box import Box
from ui.widgets.lettering import wrapped

sides = st.floats(1, 500)
boxes = st.builds(Box, st.floats(-100, 800), st.floats(-100, 480), sides, sides)


# --- boxes ---


@given(boxes, st.lists(st.floats(0.2, 5), min_size=1, max_size=6), st.floats(0, 3))
def test_columns_fill_their_box_without_overlap(box: Box, widths: list[float], gap: float) -> None:
    """Columns lie side by side inside their box, in its full height, and reach both ends."""
    gap = min(gap, box.wide / len(widths) / 2)
    columns = box.columns(widths, gap)
    assert all(box.holds(column) for column in columns)
    assert all(not one.meets(two) for one, two in itertools.combinations(columns, 2))
    assert columns[0].x == pytest.approx(box.x)
    assert columns[-1].right == pytest.approx(box.right)


@given(boxes, boxes)
def test_boxes_meet_both_ways(one: Box, two: Box) -> None:
    """Overlap is symmetric, and nothing overlaps what it does not touch."""
    assert one.meets(two) == two.meets(one)
    assert not one.meets(one.moved(across=one.wide + 1))


# --- masks ---


def test_a_mask_is_full_inside_empty_outside_and_smooth_between() -> None:
    """A disc covers its area to a hundredth, and its edge has pixels in between."""
    mask = raster.mask((raster.Disc((50, 50), 40),), (100, 100), (100, 100))
    assert mask[50, 50] == 255
    assert mask[5, 5] == 0
    assert mask.sum() / 255 == pytest.approx(np.pi * 40**2, rel=0.01)
    assert ((mask > 20) & (mask < 235)).sum() > 100


@given(st.floats(2, 20), st.floats(2, 20))
def test_dashes_have_their_length(dash: float, gap: float) -> None:
    """Each dash but the last is as long as asked, around corners too."""
    square = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    pieces = raster.dashes(square, dash, gap, closed=True)
    for piece in pieces[:-1]:
        length = sum(np.hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(piece))
        assert length == pytest.approx(dash, abs=1e-6)
    assert len(pieces) == pytest.approx(400 / (dash + gap), abs=1)


def test_every_sign_draws_something_and_signals_differ_in_shape() -> None:
    """ok, warn, bad and ask are told apart without any colour: by silhouette."""
    from companion.core import board
    from ui.widgets.pen import whole
    from ui.widgets.signs import FRAME, SIGNS

    assert SIGNS.keys() >= board.SIGNS
    masks = {
        name: raster.mask(whole(layers), FRAME, (48, 48)).astype(float)
        for name, layers in SIGNS.items()
    }
    assert all(mask.sum() > 255 * 20 for mask in masks.values())
    for one, two in itertools.combinations(("ok", "warn", "bad", "absent", "found"), 2):
        assert np.abs(masks[one] - masks[two]).mean() > 10, (one, two)
    jaws, paws = masks["jaws-plane"], masks["paws-plane"]
    assert np.abs(jaws - paws).mean() > 20


# --- letters ---


@pytest.mark.parametrize("face", Face)
@pytest.mark.parametrize("caps_px", [14, 16, 20, 26, 35, 56, 142, 192])
def test_letters_are_as_high_as_asked(window: Any, face: Face, caps_px: int) -> None:
    """Capitals, measured on the drawn H, come within a pixel (or 2 %) of what was asked."""
    from ui.widgets.lettering import metrics, size_for

    drawn = metrics(face, size_for(face, caps_px)).caps_px
    assert drawn == pytest.approx(caps_px, abs=max(1.0, caps_px * 0.02))


@given(st.text(alphabet="abcdef ghi-jkl", min_size=1, max_size=60), st.integers(60, 400))
def test_what_is_fitted_fits(window: Any, text: str, wide_px: int) -> None:
    """No line is wider than its room unless it is one unbreakable word, and that one is cut."""
    from ui.widgets.lettering import fit, line_width

    setting = fit(text, Face.BOLD, 30, (wide_px, 60), least_px=14, lines=2)
    assert len(setting.lines) <= 2
    for line in setting.lines:
        assert line_width(line, setting.face, setting.size_px) <= wide_px + 1
    if not setting.cut:
        kept = "".join(setting.lines).replace(" ", "")
        assert kept == text.replace(" ", "")


def test_a_text_too_long_says_so(window: Any) -> None:
    """What does not fit at the smallest size ends in an ellipsis and is marked as cut."""
    from ui.widgets.lettering import fit

    setting = fit("Bartholomäus" * 4, Face.BOLD, 20, (100, 20), least_px=14)
    assert setting.cut
    assert setting.lines[0].endswith("…")


def test_centred_lines_are_as_even_as_their_words_allow(window: Any) -> None:
    """A key's second line is no lonely word, and takes no line more."""
    from ui.widgets.lettering import balanced, line_width, typeset

    words = "straight, left, turn right"
    wide = line_width("straight, left, turn", Face.BOLD, 24)
    greedy = typeset(words, Face.BOLD, 24, wide)
    assert greedy.lines == ("straight, left, turn", "right")
    assert balanced(greedy, words, wide).lines == ("straight, left,", "turn right")


@pytest.mark.parametrize("text", ["Hands off the cards", "Ä", "i", "12:07", " ", ""])
def test_letters_are_kivys_own_in_half_the_memory(window: Any, text: str) -> None:
    """White and an opacity, two bytes a pixel, drawn as Kivy draws a label of the same words."""
    from kivy.core.text import Label

    from ui.widgets.lettering import BUNDLED, TextStore

    kivys = Label(text=text, font_size=31, font_name=font_file(Face.BOLD) or BUNDLED)
    kivys.refresh()
    ours = TextStore().texture(text, Face.BOLD, 31)
    assert ours.colorfmt == "luminance_alpha"
    assert ours.size == kivys.texture.size
    assert ours.pixels[3::4] == kivys.texture.pixels[3::4]
    assert set(ours.pixels[::4]) == {255}


def test_a_ground_is_cleared_and_no_rectangle(make_sheet: Callable[[Theme], Any]) -> None:
    """Over all of the window a rectangle is two fifths of a frame where there is no GPU."""
    from ui.widgets.words import Area

    theme = Theme(size_px=(800, 480))
    sheet = make_sheet(theme)
    sheet.size = theme.size_px
    whole, half = Box(0, 0, 800, 480), Box(0, 0, 400, 480)
    parts = {
        "ground": Area(box=whole, tint=(0.2, 0.4, 0.6, 1.0), radius=0),
        "half": Area(box=half, tint=(0.6, 0.4, 0.2, 1.0), radius=0),
        "veil": Area(box=whole, tint=(0.0, 0.0, 0.0, 0.5), radius=0),
    }
    sheet.show("p", parts)
    drawn = {
        name: {type(one).__name__ for one in shown.group.children}
        for name, shown in sheet._shown.items()
    }
    assert drawn["ground"] == {"ClearColor", "ClearBuffers"}
    assert "Rectangle" in drawn["half"] & drawn["veil"]
    rows = np.frombuffer(sheet.export_as_image().texture.pixels, np.uint8).reshape(480, 800, 4)
    assert rows[240, 200, :3] == pytest.approx([77, 51, 26], abs=1)
    assert rows[240, 600, :3] == pytest.approx([26, 51, 77], abs=1)


# --- pictures, codes, maps ---


def test_a_film_uses_one_texture_as_long_as_it_is_shown(make_sheet: Callable[[Theme], Any]) -> None:
    """A texture per frame would leak: frames of one size go into the same one. Then it goes."""
    from ui.scene.values import Picture
    from ui.widgets.picture import PicturePart

    sheet = make_sheet(Theme())
    shown: list[tuple[int, int]] = []
    for number, shade in enumerate((0, 100, 200)):
        picture = Picture(np.full((48, 64, 3), shade, np.uint8), number, (64, 48))
        sheet.show("p", {"p": PicturePart(box=Box(0, 0, 72, 56), slot="t", picture=picture)})
        texture = sheet._store._pictures["t"]
        shown.append((texture.id, np.frombuffer(texture.pixels, np.uint8)[0]))
        del texture
    assert shown == [(shown[0][0], shade) for shade in (0, 100, 200)]
    sheet.show("nothing", {})
    gc.collect()  # as in calm moments
    assert not sheet._store._pictures


def test_a_pictures_colours_and_rows_come_out_right(make_sheet: Callable[[Theme], Any]) -> None:
    """OpenCV's order (blue first, top row first) is drawn as red at the top left."""
    from ui.scene.values import Picture
    from ui.widgets.picture import PicturePart

    image = np.zeros((120, 160, 3), np.uint8)
    image[:60, :80] = (0, 0, 255)
    sheet = make_sheet(Theme(size_px=(800, 480)))
    sheet.size = (800, 480)
    picture = Picture(image, 1, (160, 120))
    sheet.show("p", {"p": PicturePart(box=Box(0, 0, 168, 128), slot="t", picture=picture)})
    shown = np.frombuffer(sheet.export_as_image().texture.pixels, np.uint8).reshape(480, 800, 4)
    assert tuple(shown[30, 30, :3]) == (255, 0, 0)
    assert tuple(shown[30, 130, :3]) == (0, 0, 0)
    assert tuple(shown[100, 30, :3]) == (0, 0, 0)


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_code_is_read_back(players: int) -> None:
    """What a telephone reads is what was written: a whole play at four pixels a module."""
    from ui.widgets.words import modules

    play = {
        "playDate": "2026-11-20 14:02:31",
        "durationMin": 21,
        "game": {"name": "Dogfight (Jaws vs Paws)", "noPoints": True},
        "players": [
            {"name": name, "startPlayer": False, "winner": winner, "role": role}
            for name, winner, role in (
                ("Ana", False, "Jaws Pilot"),
                ("Bo", False, "Jaws Gunner"),
                ("Cleo", True, "Paws Pilot"),
                ("Dan", True, "Paws Gunner"),
            )[:players]
        ],
    }
    text = f"https://app.example/createPlay.html?data={quote(json.dumps(play))}"
    large = np.kron(modules(text), np.ones((4, 4), np.uint8))
    readers = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    assert text in [reader.detectAndDecode(large)[0] for reader in readers]


def cells_of(sheet: Any) -> dict[str, Any]:
    """Map cells by their space."""
    return {
        name.removeprefix("map/cell/"): part
        for name, part in sheet.parts.items()
        if name.startswith("map/cell/")
    }


def shown_map(make_sheet: Callable[[Theme], Any]) -> Any:
    """The map of the choice where the Sun is placed."""
    from ui.screens.registry import parts_of

    sheet = make_sheet(Theme())
    sheet.show("choose", parts_of(SAMPLES["choose-place"], Theme()))
    return sheet


def test_far_boards_lie_turned_with_upright_labels(make_sheet: Callable[[Theme], Any]) -> None:
    """Far boards run from right to left, near ones from left to right; labels at the edges."""
    cells = cells_of(shown_map(make_sheet))
    assert cells["Paws.PR"].box.x < cells["Paws.PC"].box.x < cells["Paws.PL"].box.x
    assert cells["Jaws.PL"].box.x < cells["Jaws.PC"].box.x < cells["Jaws.PR"].box.x
    assert cells["Paws.PC"].box.y < cells["Jaws.PC"].box.y
    assert cells["Paws.PC"].label_box.y < cells["Paws.PC"].box.y
    assert cells["Jaws.PC"].label_box.y > cells["Jaws.PC"].box.y


def test_only_legal_places_can_be_touched(make_sheet: Callable[[Theme], Any]) -> None:
    """Eleven zones of twelve are keys."""
    cells = cells_of(shown_map(make_sheet))
    assert len(cells) == 12
    assert [name for name, part in cells.items() if part.action is None] == ["Paws.PC"]


def test_hexes_stay_hexes(make_sheet: Callable[[Theme], Any]) -> None:
    """A board that is no row of zones is scaled alike both ways."""
    from ui.widgets.field_map import MapFrame

    frame = MapFrame.fit(Box(0, 0, 400, 100), (0, 0, 100, 100))
    assert frame.across_u == pytest.approx(frame.down_u)


def test_pieces_that_share_a_zone_stand_side_by_side(make_sheet: Callable[[Theme], Any]) -> None:
    """The Sun in a plane's zone hides neither."""
    from companion.core.board import Piece, Pose
    from ui.samples.parts import MAP
    from ui.widgets.board_map import board_map

    together = {Piece("paws"): Pose("Jaws.PC"), Piece("sun"): Pose("Jaws.PC")}
    parts = dict(board_map(Box(0, 60, 400, 300), MAP.draw(together)))
    one, two = parts["map/piece/paws"].box, parts["map/piece/sun"].box
    assert abs(one.centre[0] - two.centre[0]) > 0.6 * min(one.wide, two.wide)


# --- pads ---


def test_a_sign_that_all_keys_share_leads_the_group() -> None:
    """Six keys with a gunsight say it once; each then shows its place of three."""
    from ui.widgets.teams import led

    group = PadGroup(
        "SHOOT",
        "",
        tuple(PadKey(Key(label, None, sign="gunsight"), 0, n) for n, label in enumerate("LCR")),
    )
    lit = led(group)
    assert lit.sign == "gunsight"
    assert [pad_key.key.sign for pad_key in lit.keys] == [
        "first-of-three",
        "second-of-three",
        "third-of-three",
    ]


def test_a_pad_needs_no_games_name(make_sheet: Callable[[Theme], Any]) -> None:
    """Groups nobody has heard of are laid out by their cells."""
    from ui.widgets.teams import pad

    group = PadGroup(
        "MANOEUVRE",
        "",
        tuple(PadKey(Key(f"{n}", n), n // 3, n % 3) for n in range(6)),  # type: ignore[arg-type]
    )
    parts = [part for _, part in pad(Box(0, 0, 300, 200), [group]) if part.action is not None]
    assert len(parts) == 6
    assert len({part.box.y for part in parts}) == 2
    assert all(Box(0, 0, 300, 200).holds(part.box) for part in parts)


SENTENCES = (
    "Lay cards: one a section",
    "Not taken: the plane stands elsewhere-than the record has it, so look again",
    "1917 is a game-of two: each turn, straight on",
    "Rittmeister Manfred Albrecht Freiherr von Richthofen\nand nobody else",
    "A",
    "",
    "W" * 40,
)


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("wide_px", [37.0, 120.0, 333.5])
def test_lines_take_as_many_words_as_fit_one_by_one(window: Any, text: str, wide_px: float) -> None:
    """Few lengths are measured; the lines are those of whoever measures after every word."""
    from ui.widgets.lettering import line_width, typeset

    for size_px in (14, 31):
        wanted: list[str] = []
        for paragraph in text.split("\n"):
            current = ""
            for word in re.findall(r"[^ -]*(?:-+ *| +|$)", paragraph):
                longer = current + word
                if current and word and line_width(longer.rstrip(), Face.BOLD, size_px) > wide_px:
                    wanted.append(current.rstrip())
                    longer = word
                current = longer
            wanted.append(current.rstrip())
        assert typeset(text, Face.BOLD, size_px, wide_px).lines == tuple(wanted)


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("room_px", [(60.0, 20.0), (180.0, 44.0), (300.0, 90.0), (700.0, 60.0)])
def test_a_text_is_as_large_as_fits_though_not_every_size_is_tried(
    window: Any, text: str, room_px: tuple[float, float]
) -> None:
    """The same setting as by trying each size on the way down."""
    from ui.widgets import lettering

    for lines in (1, 2, 3):
        found = lettering.fit(text, Face.BOLD, 60.0, room_px, least_px=11.0, lines=lines)
        sizes = range(
            lettering.size_for(Face.BOLD, 60.0), lettering.size_for(Face.BOLD, 11.0) - 1, -1
        )
        settings = (lettering.typeset(text, Face.BOLD, size, room_px[0]) for size in sizes)
        fitting = next((one for one in settings if lettering._fits(one, room_px, lines)), None)
        assert fitting is None or found == fitting


def test_a_bottom_key_is_wider_under_a_long_word(make_sheet: Any) -> None:
    """Rematch touched both edges of its key."""
    sheet = make_sheet(Theme())
    keys = (Key("Log", Back(), sign="log"), Key("Rematch", Back(), "again", sign="again"))
    sheet.show("bars", dict(bottom_row(sheet.theme, Bottom(keys))))
    for name, text in sheet.written():
        if text.text in {"Log", "Rematch"}:
            box = sheet.parts[name].box
            assert box.x + 5 <= text.ink.x
            assert text.ink.right <= box.right - 5


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("All cards are 30 (JP-21.1)", {"(JP-21.1)"}),
        ("It is shot down (DF-12.2, DF-16.3)", {"(DF-12.2,", "DF-16.3)"}),
        ("Rams a ship (HX-MOV-02)", {"(HX-MOV-02)"}),
        ("Checked? JP-6.1, RULING 37", {"JP-6.1,"}),
        ("Player A: -3 hull", {"-3"}),
        ("Wilhelmina-Charlotte Ann", {"Wilhelmina-", "Charlotte"}),
        ("WILHELMINA-CHARLOTTE WINS", {"WILHELMINA-", "CHARLOTTE"}),
    ],
)
def test_a_line_ends_in_a_name_and_in_no_code(text: str, words: set[str]) -> None:
    """(JP- and 21.1) on two lines was read as two things."""
    lines = [wrapped(Theme(), text, 20, wide) for wide in (30, 60, 90, 120, 150)]
    told = {word for several in lines for line in several for word in line.split()}
    assert not [line for several in lines for line in several if line.endswith("RULING")]
    assert words <= told
    assert not {"(JP-", "DF-", "(DF-", "(HX-", "HX-", "-"} & told
