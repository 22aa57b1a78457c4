"""Show a screen by itself: `python -m ui.screens round --theme night --out PICTURE.png`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ui.samples.match import SAMPLES
from ui.scene.theme import Hand, Light, Palette, Theme

if TYPE_CHECKING:
    from ui.window.samples import SampleWindow


def main(arguments: Sequence[str] | None = None) -> int:
    """Show a sample of the screen in a window, or draw it into a picture file."""
    wanted = _parser().parse_args(arguments)
    if wanted.out:
        os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
    names = wanted.sample or samples_of(wanted.screen, SAMPLES)
    names = names if wanted.out and "{}" in wanted.out else names[:1]
    unknown = [name for name in names if name not in SAMPLES]
    if unknown or not names:
        missing = unknown[0] if unknown else wanted.screen
        sys.stderr.write(f"no sample {missing!r}; there are {', '.join(sorted(SAMPLES))}\n")
        return 2
    window = _window(Theme(wanted.theme, wanted.palette, wanted.hand, wanted.size))
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


def _window(theme: Theme) -> SampleWindow:
    from ui.window.samples import SampleWindow

    return SampleWindow(theme)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ui.screens", description="Show a screen from a sample state."
    )
    parser.add_argument("screen", help="round, cards, lock, past ...")
    parser.add_argument("--size", type=_size, default=(800, 480), metavar="WIDTHxHEIGHT")
    parser.add_argument("--theme", type=Light, default=Light.NIGHT, choices=list(Light))
    parser.add_argument("--palette", type=Palette, default=Palette.STANDARD, choices=list(Palette))
    parser.add_argument("--hand", type=Hand, default=Hand.RIGHT, choices=list(Hand))
    parser.add_argument("--sample", action="append", help="a sample's name (repeats)")
    parser.add_argument("--out", help="a PNG file; {} in it becomes the sample's name")
    return parser


def _size(text: str) -> tuple[int, int]:
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
