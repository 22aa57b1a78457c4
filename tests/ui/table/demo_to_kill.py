"""Plays a demonstration in real time and tells what is confirmed, line by line, until killed.

Started by test_kill.py: `python demo_to_kill.py RECORD SEED TIMER_S`.
"""

from __future__ import annotations

import json
import sys
import time

from companion.referee.desk import Happening
from ui.demo.demo import DemoCall, Demonstration

HASTE = 20.0


def main(record: str, seed: str, timer_s: str) -> None:
    """Play until the match ends or somebody kills us."""
    options = {"timer_s": int(timer_s)}
    call = DemoCall(
        record=record, seed=int(seed), pace=1, pins="mock", options=dict(options), haste=HASTE
    )
    demonstration = Demonstration(call)
    table = demonstration.table

    def tell(happening: Happening) -> None:
        if happening not in (Happening.CONFIRMED, Happening.CLOCK):
            return
        referee = table.refereed()
        last = referee.match.entries[referee.confirmed - 1]
        clock = referee.clock
        told = {
            "match": table.match_id,
            "lines": referee.confirmed,
            "last": [last.kind, last.key, last.answer],
            "open": list(referee.match.open),
            "answered": list(referee.match.answered),
            "deadline": clock.deadline if clock is not None else None,
            "at": time.monotonic(),
        }
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()

    table.listeners.append(tell)
    demonstration.play()


if __name__ == "__main__":
    main(*sys.argv[1:])
