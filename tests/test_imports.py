"""Imports point one way: read from the source, lazy imports inside functions included."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.sources import (
    PACKAGES,
    TOP,
    Import,
    all_imports,
    imports_in,
    is_typed,
    is_unseeded,
    sources,
)

SHARED_WORDS = (
    "companion.core.board",
    "companion.core.errors",
    "companion.core.offers",
    "companion.core.round_clock",
    "companion.core.ruling",
    "companion.core.files",
    "companion.core.text",
)
"""The part of `companion` that `hardware` and `vision` may know: what they report, no rules."""

EDGE = ("hardware", "vision", "ui")

OUTSIDE_WORLD = (
    "kivy", "cv2", "gpiozero", "serial", "lgpio", "picamera2",
    "time", "threading", "asyncio", "multiprocessing", "socket", "subprocess", "random", "datetime",
)  # fmt: skip
"""Time, chance, pixels and pins: the pure core is handed them."""

HANDED_IN: Mapping[str, tuple[str, ...]] = {
    "companion/match/simulation.py": (
        "random",
    ),  # a seeded generator, as a type and at the bots' making
    "companion/games/*/table.py": ("random",),  # shuffles and dice of the hidden table, seeded
    "companion/record/place.py": ("datetime",),  # when a damaged file was last written, for people
    "companion/record/store.py": ("threading",),  # a lock: closing a file drops all of SQLite's
    "companion/__main__.py": ("ui.terminal.app",),  # `python -m companion`: the one way up
}
"""What single files may import that their room may not."""


def imports_of(*folders: str) -> list[Import]:
    """The imports of the files in these folders, but for those a file is handed by name."""
    return [
        found
        for found in all_imports()
        if found.file.startswith(tuple(f"{folder}/" for folder in folders))
        and not found.is_of(_handed_to(found.file))
    ]


def _handed_to(file: str) -> tuple[str, ...]:
    path = Path(file)
    return tuple(name for glob, names in HANDED_IN.items() if path.match(glob) for name in names)


def told(found: list[Import]) -> str:
    """The offending lines, one each."""
    return "\n".join(str(line) for line in found)


@pytest.mark.parametrize(
    ("source", "modules"),
    [
        ("import cv2", ["cv2"]),
        ("def look() -> None:\n    import vision.markers.reading as m", ["vision.markers.reading"]),
        ("if TYPE_CHECKING:\n    from ui.table.table import Table", ["ui.table.table"]),
        (
            "from companion.core import board, errors",
            ["companion.core.board", "companion.core.errors"],
        ),
        (
            "from companion.core.board import Pose, Piece",
            ["companion.core.board", "companion.core.board"],
        ),
        ("from .core import errors", ["companion.core.errors"]),
        ("from .games.jaws_and_paws import boards", ["companion.games.jaws_and_paws.boards"]),
    ],
)
def test_every_way_to_import_is_read(source: str, modules: list[str]) -> None:
    """The reader below must not be blind to lazy, typed, relative or renamed imports."""
    assert [found.module for found in imports_in(source, "companion/example.py")] == modules


def test_the_packages_are_read() -> None:
    """A reader that finds no files would find no fault either."""
    assert {found.file.split("/")[0] for found in all_imports()} >= {"companion", "vision"}


def test_companion_knows_no_hardware_no_vision_and_no_screen() -> None:
    """The games and the match are pure: what composes them with devices is a face, in `ui`."""
    wrong = [found for found in imports_of("companion") if found.is_of(EDGE)]
    assert not wrong, told(wrong)


def test_companion_is_handed_time_chance_and_pixels() -> None:
    """No clock, thread, randomness, window, camera or pin in the core: replay must be exact."""
    wrong = [
        found
        for found in imports_of("companion")
        if found.is_of(OUTSIDE_WORLD) and not (found.typed and found.module == "random")
    ]
    assert not wrong, told(wrong)


def test_chance_is_seeded() -> None:
    """A generator is made from a seed, never from the moment: a match of bots can be repeated."""
    wrong = [
        f"{source.file}:{line} calls {call}"
        for source in sources().values()
        for line, call in source.unseeded
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("call", "unseeded"),
    [
        ("Random()", True),
        ("random.Random()", True),
        ("np.random.default_rng()", True),
        ("random.shuffle(cards)", True),
        ("Random(seed)", False),
        ("np.random.default_rng(seed)", False),
        ("rng.shuffle(cards)", False),
    ],
)
def test_every_unseeded_chance_is_noticed(call: str, *, unseeded: bool) -> None:
    """The test above must be able to fail."""
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    assert is_unseeded(node) == unseeded


def test_the_terminal_loads_the_edge_only_when_asked() -> None:
    """`companion matches` must work where neither Kivy nor OpenCV can be loaded."""
    cli = TOP / "ui" / "terminal" / "app.py"
    top_level = ast.Module(
        [n for n in ast.parse(cli.read_text("utf-8")).body if not _is_lazy(n)], []
    )
    found = imports_in(ast.unparse(top_level), "ui/terminal/app.py")
    edge = (*EDGE, "kivy", "cv2", "gpiozero", "serial")
    wrong = [line for line in found if line.is_of(edge) and not line.is_of(("ui.terminal",))]
    assert not wrong, told(wrong)


def _is_lazy(node: ast.stmt) -> bool:
    """Function bodies run later, a block for the type checker never."""
    return is_typed(node) or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


@pytest.mark.parametrize("room", ["hardware", "vision"])
def test_devices_know_the_words_of_the_table_and_no_rules(room: str) -> None:
    """Of ours they import themselves and what they report, so neither knows the other."""
    allowed = (room, *SHARED_WORDS)
    wrong = [line for line in imports_of(room) if line.is_of(PACKAGES) and not line.is_of(allowed)]
    assert not wrong, told(wrong)


def test_one_box_knows_no_other() -> None:
    """A box can be read, changed and removed alone."""
    wrong = [
        found
        for found in imports_of("companion/games")
        if found.module.startswith("companion.games.")
        and found.file.count("/") > 2
        and found.module.split(".")[2] != found.file.split("/")[2]
    ]
    assert not wrong, told(wrong)


SAMPLES = ("ui/samples/parts.py", "ui/samples/field.py")
"""Screens as they would look: their pictures need a real table."""


def test_a_box_is_found_through_the_registry_alone() -> None:
    """A box is one folder and one line: no other code imports what lies in it."""
    wrong = [
        found
        for found in imports_of(*PACKAGES)
        if found.module.count(".") > 1
        and found.module.startswith("companion.games.")
        and not found.file.startswith(("companion/games/", *SAMPLES))
    ]
    assert not wrong, told(wrong)


def test_screens_are_tested_without_a_window() -> None:
    """What a screen shows, and where, is decided without Kivy: few files draw."""
    draw = (
        "ui/widgets/texture_pen.py",
        "ui/widgets/lettering.py",
        "ui/widgets/sheet.py",
        "ui/window/",
    )
    wrong = [
        found
        for found in imports_of("ui")
        if found.is_of(("kivy",)) and not found.file.startswith((*draw, "ui/terminal/doctor"))
    ]
    assert not wrong, told(wrong)


def test_each_library_has_one_room() -> None:
    """Kivy is the screen's, OpenCV the camera's, pins and serial lines the hardware's."""
    homes = {
        ("kivy",): ("ui/",),
        ("cv2",): ("vision/", "ui/"),
        ("gpiozero", "lgpio"): ("hardware/",),
        ("serial",): ("hardware/",),
        ("picamera2",): ("vision/",),
    }
    wrong = [
        found
        for found in imports_of(*PACKAGES)
        for libraries, rooms in homes.items()
        if found.is_of(libraries) and not found.file.startswith(rooms)
    ]
    assert not wrong, told(wrong)
