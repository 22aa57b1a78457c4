"""Tokens without stickers, taught by showing: places right, asked and wrong over drawn tables."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.core.board import BoardPlan, Piece, Pose
from companion.core.errors import BadCall, BadFile, RecordError
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from ui.terminal.setting_up import plan_of
from vision.camera.frame import Frame
from vision.drawing.table import PictureLook, SimulatedTable
from vision.looks.boards import EmptyBoards, Found, Picture
from vision.looks.file import FILE, load_kept, reader_of, save_looks
from vision.looks.look import CLEAR, TaughtLook, TurnedLook, taught, with_margins
from vision.looks.taught import TaughtReader
from vision.looks.teaching import margin_words
from vision.tracking.tracker import Tracker

PAINTED = PictureLook(stickers=False)
UNSHARP = PictureLook(stickers=False, blur_px=1.2, noise=4.0)


@dataclass
class Shown:
    """A drawn table without stickers, its boards learned empty, each token shown once."""

    table: SimulatedTable
    tracker: Tracker
    empty: EmptyBoards
    looks: Sequence[TaughtLook] = ()

    @classmethod
    def at(cls, plan: BoardPlan, seed: int, look: PictureLook = PAINTED) -> Shown:
        table = SimulatedTable(plan, seed, look=look)
        shown = cls(table, Tracker(plan, table.lens), EmptyBoards(plan.tokens[0].height_mm))
        shown.empty.learn(shown.look(26), shown.tracker.view.places)
        shown.looks = [shown.teach(token.piece) for token in plan.tokens]
        return shown

    def look(self, frames: int = 2) -> Frame:
        read = [self.table.read() for _ in range(frames)]
        for frame in read:
            self.tracker.see(frame)
        return read[-1]

    def things(self) -> list[Found]:
        frame, places = self.look(), self.tracker.view.places.values()
        boards = [place for place in places if place.board.holds_pieces]
        return [thing for place in boards for thing in self.empty.differing(frame, place)]

    def teach(self, piece: Piece) -> TaughtLook:
        """Put one token down, pointing to the board's top, and take it up again."""
        plan = self.table.plan
        token, spaces = plan.token_of[piece], _spaces(plan)
        middle = Pose(spaces[len(spaces) // 2])
        self.table.place(piece, middle, heading_deg=0.0, offset_mm=(0.0, 0.0))
        look = taught(token, self.things(), headed=plan.has_facings and token.headed)
        self.table.remove(piece)
        return look


def _spaces(plan: BoardPlan) -> list[str]:
    return [space.name for b in plan.boards if b.holds_pieces for space in b.spaces]


@pytest.fixture(scope="module")
def field() -> Shown:
    return Shown.at(plan_of("dogfight-1917"), 3)


def _score(shown: Shown, chance: Random, tables: int, shadow: float = 0.0) -> Counter[str]:
    """Pieces thrown on spaces with facings, in another light each time; what is read of them.

    `shadow` is how dark the shadow of somebody is who leans over the table.
    """
    plan, counts = shown.table.plan, Counter[str]()
    reader = TaughtReader(plan, shown.empty, shown.looks)
    for _ in range(tables):
        shown.table.light(chance.uniform(0.6, 1.4))
        shown.table.lean_over(3, shadow)
        spaces = chance.sample(_spaces(plan), len(plan.tokens))
        for token, space in zip(plan.tokens, spaces, strict=True):
            facings = plan.board_of[space].facings
            facing = chance.randrange(len(facings)) if facings and token.headed else None
            shown.table.place(token.piece, Pose(space, facing))
        seen = reader.read(shown.look(), shown.tracker.view.places)
        for piece, pose in shown.table.truth().items():
            sure = seen[piece].state is SeenState.SEEN
            right = "right" if seen[piece].pose == pose else "wrong"
            counts[right if sure else "asked"] += 1
    for token in plan.tokens:
        shown.table.remove(token.piece)
    return counts


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("box", "look", "shadow", "right"),
    [("jaws-and-paws", PAINTED, 0.0, 0.85), ("dogfight-1917", UNSHARP, 0.45, 0.7)],
)
def test_a_table_of_places_right_asked_and_wrong(
    box: str,
    look: PictureLook,
    shadow: float,
    right: float,
    record_property: Callable[[str, object], None],
    *,
    long: bool,
) -> None:
    """Nothing wrong in any light, also blurred, noisy, in a shadow's edge, and where tokens touch.

    Most are right, and what is not is asked for.
    """
    counts = Counter[str]()
    tables = 18 if long else 3
    for seed in range(21, 27) if long else (21,):
        counts += _score(Shown.at(plan_of(box), seed, look), Random(seed), tables, shadow)
    record_property("places", dict(counts))
    print(f"taught tokens on drawn tables, {box}, {shadow=}: {dict(counts)}")  # noqa: T201
    assert counts["wrong"] == 0, dict(counts)
    assert counts["right"] >= right * counts.total(), dict(counts)


@pytest.mark.slow
def test_headings_are_read_where_a_token_has_a_nose(field: Shown) -> None:
    """All six facings of one plane, each to three degrees, and as well as it says."""
    plan = field.table.plan
    reader = TaughtReader(plan, field.empty, field.looks)
    camel = Piece("camel")
    for facing in range(6):
        field.table.place(camel, Pose("0,0", facing), heading_deg=60.0 * facing + 7.0)
        seen = reader.read(field.look(), field.tracker.view.places)[camel]
        assert seen.pose == Pose("0,0", facing)
        assert seen.heading_deg is not None
        off_deg = (seen.heading_deg - 60.0 * facing - 7.0 + 180) % 360 - 180
        assert abs(off_deg) < 3.0
        assert seen.heading_sd_deg is not None
        assert abs(off_deg) < 4 * seen.heading_sd_deg
        assert seen.heading_sd_deg < 4.0
    field.table.remove(camel)


@pytest.mark.slow
def test_a_taught_token_is_filled_into_the_settled_sighting(field: Shown) -> None:
    """What a marker told stays; a table in motion is as it was at rest."""
    camel, spad = Piece("camel"), Piece("spad")
    field.table.place(camel, Pose("1,-1", 2))
    reader = TaughtReader(field.table.plan, field.empty, field.looks)
    sighting = field.tracker.see(field.look(50))
    assert sighting.state is PictureState.SETTLED
    told = reader.see(field.look(1), sighting, field.tracker.view.places)
    assert told.pieces[camel].pose == Pose("1,-1", 2)
    assert told.pieces[spad].state is SeenState.LOST
    assert reader.see(field.look(1), sighting, field.tracker.view.places) is told
    moving = Sighting(0.0, 0, PictureState.MOVING, sighting.pieces)
    kept = reader.see(field.look(1), moving, field.tracker.view.places)
    assert (kept.state, kept.pieces) == (PictureState.MOVING, told.pieces)
    blind = Sighting(0.0, 0, PictureState.BLIND, sighting.pieces)
    assert reader.see(field.look(1), blind, field.tracker.view.places) is blind
    field.table.remove(camel)


def test_tokens_that_touch_are_read_each(field: Shown) -> None:
    """Two side by side, their edges together: both places are told, or asked for; none is lost."""
    plan = field.table.plan
    reader = TaughtReader(plan, field.empty, field.looks)
    for piece, space in ((Piece("camel"), "0,0"), (Piece("spad"), "0,1")):
        field.table.place(piece, Pose(space, 0), heading_deg=0.0, offset_mm=(0.0, 0.0))
    seen = reader.read(field.look(), field.tracker.view.places)
    for piece, space in ((Piece("camel"), "0,0"), (Piece("spad"), "0,1")):
        assert seen[piece].state is not SeenState.LOST
        assert seen[piece].spaces == (space,)
        field.table.remove(piece)


def test_an_empty_mask_is_like_nothing(field: Shown) -> None:
    """A thing without a point has no mean; its likeness is nought, and no warning is raised."""
    look = field.looks[0]
    nothing = np.zeros_like(look.mask)
    thing = Found("", (0.0, 0.0), look.area_mm2, look.picture, nothing)
    with np.errstate(all="raise"):
        score = TurnedLook(look).likeness(thing).score
        bare = TurnedLook(replace(look, mask=nothing)).likeness(thing).score
    assert score == bare == 0.0


def test_a_thing_of_one_flat_colour_has_no_shape(field: Shown) -> None:
    """As where a lamp hides all that is painted on it: a photographed pawn was told by that."""
    for look in field.looks:
        flat = np.full_like(look.picture, 180.0)
        thing = Found("", (0.0, 0.0), look.area_mm2, flat, look.mask)
        assert TurnedLook(look).likeness(thing).shape < 0.1


def test_what_is_shown_must_lie_there_alone(field: Shown) -> None:
    """Nothing, or two things: refused with what to do, and nothing is learned."""
    token = field.table.plan.token_of[Piece("camel")]
    with pytest.raises(BadCall, match=r"nothing new is seen: put the .* on a board"):
        taught(token, field.things(), headed=True)
    for piece, space in ((Piece("camel"), "0,0"), (Piece("spad"), "0,3")):
        field.table.place(piece, Pose(space, 0))
    with pytest.raises(BadCall, match="2 things lie on the boards"):
        taught(token, field.things(), headed=True)
    for piece in (Piece("camel"), Piece("spad")):
        field.table.remove(piece)


def test_a_board_that_was_never_seen_empty_shows_nothing(field: Shown) -> None:
    """Whatever lies on it."""
    field.table.place(Piece("camel"), Pose("0,0", 0))
    fresh = EmptyBoards(8.0)
    places = field.tracker.view.places
    frame = field.look()
    assert not fresh.known
    assert not any(fresh.differing(frame, place) for place in places.values())
    field.table.remove(Piece("camel"))


@pytest.mark.slow
def test_looks_in_colours_before_a_grey_camera_are_told_of(field: Shown) -> None:
    """Nothing is read wrong there, and it is said why; else nothing is said."""
    plan, camel = field.table.plan, Piece("camel")
    field.table.place(camel, Pose("0,0", 0))
    frame, places = field.look(), field.tracker.view.places
    grey = [replace(look, picture=_in_grey(look.picture)) for look in field.looks]
    for looks, shown, lacks in (
        (field.looks, frame.in_grey(), True),
        (field.looks, replace(frame, colour=np.dstack([frame.grey] * 3)), True),
        (field.looks, frame, False),
        (grey, frame.in_grey(), False),
    ):
        reader = TaughtReader(plan, field.empty, looks)
        told = reader.filled(shown, {camel: Seen(SeenState.LOST)}, places)
        assert reader.lacks_colour is lacks
        assert told[camel].pose in {None, Pose("0,0", 0)}
    field.table.remove(camel)


def _in_grey(picture: Picture) -> Picture:
    return np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2)


def test_two_tokens_that_look_alike_are_never_told_apart(field: Shown) -> None:
    """Their margin is nothing, and each is unsure wherever it stands."""
    camel = next(look for look in field.looks if look.piece == "camel")
    twin = replace(camel, piece=Piece("spad"))
    pair = with_margins([camel, twin])
    assert max(look.margin for look in pair) < 0.01
    assert all(look.is_clear for look in with_margins(field.looks))
    field.table.place(Piece("camel"), Pose("0,0", 0))
    seen = TaughtReader(field.table.plan, field.empty, pair).read(
        field.look(), field.tracker.view.places
    )
    assert all(one.state is not SeenState.SEEN for one in seen.values())
    field.table.remove(Piece("camel"))


def test_a_token_of_which_the_lesson_says_so_is_asked_for(field: Shown) -> None:
    """Too like another for the lesson, though liker its own look by enough where it stands."""
    camel, other = (
        next(look for look in field.looks if look.piece == name) for name in ("camel", "spad")
    )
    mixed = (
        (share * camel.picture + (1.0 - share) * other.picture).astype(camel.picture.dtype)
        for share in np.linspace(0.1, 0.9, 9)
    )
    pairs = (
        with_margins([camel, replace(camel, piece=other.piece, picture=each)]) for each in mixed
    )
    pair = next(pair for pair in pairs if pair[0].margin >= CLEAR and not pair[0].is_clear)
    assert "too like the" in margin_words(pair[0], field.table.plan)
    field.table.place(camel.piece, Pose("0,0", 0))
    seen = TaughtReader(field.table.plan, field.empty, pair).read(
        field.look(), field.tracker.view.places
    )
    field.table.remove(camel.piece)
    assert seen[camel.piece].state is SeenState.UNSURE
    assert seen[camel.piece].spaces[:1] == ("0,0",)


def test_looks_are_kept_in_files_that_people_can_read(field: Shown, tmp_path: Path) -> None:
    """Read again they are the same to the eye, and read the table as before."""
    plan = field.table.plan
    save_looks(tmp_path / "looks", plan.box, with_margins(field.looks))
    again = load_kept(tmp_path / "looks", plan).looks
    for old, new in zip(field.looks, again, strict=True):
        assert (old.piece, old.headed) == (new.piece, new.headed)
        assert np.abs(old.picture - new.picture)[old.mask].mean() < 1.0
        assert (old.mask == new.mask).all()
    field.table.place(Piece("camel"), Pose("2,-1", 4))
    seen = TaughtReader(plan, field.empty, again).read(field.look(), field.tracker.view.places)
    assert seen[Piece("camel")].pose == Pose("2,-1", 4)
    field.table.remove(Piece("camel"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "box"),
        ("box = 3", "box"),
        ('box = "jaws-and-paws"', "while dogfight-1917 is on the table"),
        (
            'box = "dogfight-1917"\n[looks.kite]\npicture="camel.png"\nheaded=true\narea_mm2=9.0',
            "kite",
        ),
        (
            'box = "dogfight-1917"\n[looks.camel]\npicture="../x.png"\nheaded=true\narea_mm2=9.0',
            "picture",
        ),
        (
            'box = "dogfight-1917"\n[looks.camel]\npicture="no.png"\nheaded=true\narea_mm2=9.0',
            "no.png",
        ),
        (
            'box = "dogfight-1917"\n[looks.camel]\npicture="a.png"\nheaded=1\narea_mm2=-1',
            "looks.camel",
        ),
        ("box = [", "is no TOML"),
    ],
)
def test_a_wrong_file_is_named(field: Shown, tmp_path: Path, text: str, told: str) -> None:
    """With its key and what is allowed."""
    (tmp_path / FILE).write_text(text)
    with pytest.raises(BadFile, match=told):
        reader_of(tmp_path, field.table.plan)
    with pytest.raises(BadFile, match="cannot be read"):
        load_kept(tmp_path / "nowhere", field.table.plan)


def test_a_folder_that_takes_nothing_is_told(field: Shown, tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "looks").write_text("no folder")
    with pytest.raises(RecordError, match="could not be kept"):
        save_looks(tmp_path / "looks", "dogfight-1917", field.looks)


ODD_FILES = {
    "nested": ('box = "dogfight-1917"\nx = ' + "[" * 5000, "too deep"),
    "a number of 5,000 digits": ("height_mm = " + "9" * 5000, "too many digits"),
    "no TOML": ("\ufeff\ufeffbox", "is no TOML"),
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_a_file_of_any_kind_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    """What the TOML reader itself breaks off at is a bad file like any other."""
    text, words = ODD_FILES[name]
    (tmp_path / FILE).write_text(text, "utf-8")
    with pytest.raises(BadFile, match=words):
        reader_of(tmp_path, plan_of("dogfight-1917"))


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    """As some editors write one."""
    (tmp_path / FILE).write_text('box = "dogfight-1917"\n', "utf-8-sig")
    assert load_kept(tmp_path, plan_of("dogfight-1917")).looks == ()


def test_a_picture_that_says_it_is_huge_is_refused_by_its_name(tmp_path: Path) -> None:
    """Its header alone would have a reader ask for ten gigabytes."""
    look = 'picture = "camel.png"\nheaded = true\narea_mm2 = 100.0\n'
    (tmp_path / FILE).write_text(f'box = "dogfight-1917"\n[looks.camel]\n{look}', "utf-8")
    size = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(b"")), (b"IEND", b""))
    written = [
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    ]
    (tmp_path / "camel.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(written))
    plan = plan_of("dogfight-1917")
    with pytest.raises(BadFile, match=r"camel\.png: is no picture of"):
        reader_of(tmp_path, plan)
    reader = reader_of(tmp_path, plan, whole=False)
    assert reader is not None
    assert "camel.png" in reader.trouble
