"""How far the sensor box can be relied on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hardware.box_words import SHIPPED, SPOKEN, Hello

STALE_S = 2.5
"""Two beats missed: what is shown of the box is old."""

INSTALL = "run `companion box install`"


class BoxConnection(StrEnum):
    """From nothing there to a box that can be ruled by, and back."""

    ABSENT = "absent"
    FOUND = "found"
    HANDSHAKEN = "handshaken"
    LIVE = "live"
    STALE = "stale"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class BoxState:
    """What the screen says of the box.

    `age_s` since the last valid line (None: none yet), `trouble` what is wrong and what mends it.
    `slots` are the cards on each section, track after track; where the box `counts` not, 1 stands
    for any number. `error_s` is how wrong a time of the box can be, `drift` how much faster its
    clock goes (s/s).
    """

    connection: BoxConnection
    age_s: float | None = None
    port: str = ""
    board: str = ""
    firmware: str = ""
    trouble: str = ""
    error_s: float | None = None
    drift: float | None = None
    bad_lines: int = 0
    lost_events: int = 0
    slots: tuple[int, ...] = ()
    counts: bool = False
    faults: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def usable(self) -> bool:
        """Whether it may sound a round and rule on a card."""
        return self.connection is BoxConnection.LIVE


def mismatch(hello: Hello) -> str:
    """Why a box's program does not fit this one, with the mend; empty where it does."""
    if hello.protocol != SPOKEN:
        older = "newer than" if hello.protocol > SPOKEN else "older than"
        return (
            f"the sensor box's program {hello.firmware} speaks protocol {hello.protocol}, {older} "
            f"this companion's {SPOKEN}: {INSTALL}"
        )
    if hello.firmware != SHIPPED:
        return (
            f"the sensor box runs program {hello.firmware}, this companion has {SHIPPED}: it "
            f"works; to change it, {INSTALL}"
        )
    return ""
