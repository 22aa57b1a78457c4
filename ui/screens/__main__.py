"""Show screens by themselves: a sample, `python -m ui.screens round`, or sheets of live states."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.games import RULEBOOKS
from ui.samples.match import SAMPLES
from ui.scene.theme import Hand, Light, Palette, Theme

if TYPE_CHECKING:
    from ui.samples.live import Lived
    from ui.window.samples import SampleWindow

Size = tuple[int, int]

SIZES: Sequence[Size] = ((800, 480), (1280, 720), (480, 800), (720, 1280))


def main(arguments: Sequence[str] | None = None) -> int:
    """Show a sample in a window, draw it into a file, or draw live states into contact sheets."""
    parser = _parser()
    wanted = parser.parse_args(arguments)
    if wanted.out or wanted.sheets:
        os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
    if wanted.sheets:
        return _write_sheets(wanted)
    if not wanted.screen:
        parser.error("which screen? or --sheets FOLDER for all of them")
    return _show_sample(wanted)


# One sample.


def _show_sample(wanted: argparse.Namespace) -> int:
    names = wanted.sample or samples_of(wanted.screen, SAMPLES)
    names = names if wanted.out and "{}" in wanted.out else names[:1]
    unknown = [name for name in names if name not in SAMPLES]
    if unknown or not names:
        missing = unknown[0] if unknown else wanted.screen
        return _refused(f"no sample {missing!r}; there are {', '.join(sorted(SAMPLES))}")
    window = _window(_theme(wanted, (wanted.size or SIZES)[0]))
    if wanted.out is None:
        window.show(SAMPLES[names[0]])
        return 0
    for name in names:
        window.save(SAMPLES[name], Path(wanted.out.replace("{}", name)))
    return 0


def samples_of(screen: str, samples: Mapping[str, object]) -> list[str]:
    """The names of a screen's samples, the plainest first: `round`, `round-paused`, ..."""
    word = screen.replace("_", "-")
    return [name for name in samples if name == word or name.startswith(f"{word}-")]


# Contact sheets of live states.


def _write_sheets(wanted: argparse.Namespace) -> int:
    """An evening of each box, drawn at each size; says what it writes."""
    folder = Path(wanted.sheets)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (trial := folder / ".written").touch()
        trial.unlink()
    except OSError as cannot:
        return _refused(f"cannot write into {folder}: {cannot.strerror}")
    window = None
    for box in wanted.box or RULEBOOKS:
        sys.stderr.write(f"{box}: an evening is played, which may take minutes\n")
        states = _states(box, wanted.screen, wanted.each)
        if not states:
            sys.stdout.write(f"{box}: no evening comes by a screen {wanted.screen!r}\n")
            continue
        for size in wanted.size or SIZES:
            sys.stderr.write(f"{box}: {len(states)} states are drawn, {size[0]}x{size[1]}\n")
            theme = _theme(wanted, size)
            window = window or _window(theme)
            for line in _write_pages(window, states, theme, folder / box):
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
    if window is None:
        return 2
    window.close()
    return 0


def _write_pages(
    window: SampleWindow, states: Sequence[Lived], theme: Theme, path: Path
) -> Iterator[str]:
    """Each page that was written, in words: its file, and which screens are on it."""
    from ui.window.samples import pages

    wide, high = theme.size_px
    for page in pages(window, states, theme):
        file = path.with_name(f"{path.name}-{wide}x{high}-{theme.light}-{page.number}.png")
        page.save(file)
        screens = Counter(lived.screen for lived in page.states)
        told = ", ".join(f"{name} {count}" for name, count in screens.items())
        yield f"{file}: page {page.number} of {page.of}: {told}"


def _states(box: str, screen: str | None, each: int) -> Sequence[Lived]:
    """A box's live states, screen by screen, of each so many; of the screen that is named."""
    from ui.samples.live import EVENINGS, chosen, live_states

    states = live_states(EVENINGS[box])
    word = (screen or "").replace("-", "").replace("_", "").lower()
    return [one for one in chosen(states, each) if word in {"", one.screen.lower()}]


# What is wanted.


def _refused(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return 2


def _window(theme: Theme) -> SampleWindow:
    from ui.window.samples import SampleWindow

    return SampleWindow(theme)


def _theme(wanted: argparse.Namespace, size: Size) -> Theme:
    return Theme(wanted.theme, wanted.palette, wanted.hand, size)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ui.screens",
        description="Show a screen from a sample state, or draw all screens into contact sheets.",
    )
    parser.add_argument("screen", nargs="?", help="round, cards, lock, past ...")
    parser.add_argument(
        "--size", type=_size, action="append", metavar="WIDTHxHEIGHT", help="--sheets: repeats"
    )
    parser.add_argument("--theme", type=Light, default=Light.NIGHT, choices=list(Light))
    parser.add_argument("--palette", type=Palette, default=Palette.STANDARD, choices=list(Palette))
    parser.add_argument("--hand", type=Hand, default=Hand.RIGHT, choices=list(Hand))
    parser.add_argument("--sample", action="append", help="a sample's name (repeats)")
    parser.add_argument("--out", help="a PNG file; {} in it becomes the sample's name")
    sheets = parser.add_argument_group("contact sheets, of an evening with each box")
    sheets.add_argument("--sheets", metavar="FOLDER", help="where the pages are written")
    sheets.add_argument("--box", action="append", choices=list(RULEBOOKS), help="repeats")
    sheets.add_argument(
        "--each", type=int, default=4, help="pictures of a screen at most (4); 0: all that differ"
    )
    return parser


def _size(text: str) -> Size:
    wide, _, high = text.partition("x")
    try:
        size = (int(wide), int(high))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no size like 800x480") from None
    if min(size) < 240:
        raise argparse.ArgumentTypeError(f"{text}: at least 240 either way")
    return size


if __name__ == "__main__":
    raise SystemExit(main())
