"""What stops the round's clock, lets it go on and puts time on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the round's clock, its lamps and its buzzer."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the round's clock run on."""


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Put `seconds` on the round's clock."""

    seconds: float
