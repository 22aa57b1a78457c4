"""The steps of a dogfight in the book's order, and the windows for cards between them.  (TS-101)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.text import one_of
from companion.games.talespin_dogfight.seats import ATTACKER, DEFENDER, OTHERS

EXCHANGES = 3
"""So many attacks at most, each with its answer.  (TS-201 to TS-225)"""

START_OWN, START_AGAINST = "start_own", "start_against"
BEFORE_PILOT, AFTER_PILOT, INSTEAD = "before_pilot", "after_pilot", "instead"
WIN, LOSE, END = "win", "lose", "end"
WINDOWS: Mapping[str, str] = {
    START_OWN: "on starting a dogfight",
    START_AGAINST: "on being attacked",
    BEFORE_PILOT: "before PILOT cards are drawn",
    AFTER_PILOT: "after PILOT cards are drawn",
    INSTEAD: "instead of a maneuver",
    WIN: "on winning a dogfight",
    LOSE: "on losing a dogfight",
    END: "at the end of a dogfight",
}
"""Every moment that a card may name, in words."""


@dataclass(frozen=True, slots=True)
class TableStep:
    """One step of the table: its name, its paragraph, who acts, and the window that it is.

    `exchange` is 1 to 3 where it belongs to a maneuver; `follows` the step after it where nothing
    else decides. `rule_b` is the paragraph where the defender has won.
    """

    name: str
    rule: str
    role: str
    window: str = ""
    exchange: int = 0
    follows: str = ""
    rule_b: str = ""


SET_UP, OVER = "set-up", "over"


def _exchange(number: int) -> list[TableStep]:
    """The steps of an exchange; the first one has no window of the attacker.  (TS-225)"""
    last = 199 + 4 * number
    attack, answer = f"attack-{number}", f"answer-{number}"
    before, instead = f"instead-attack-{number}", f"instead-answer-{number}"
    return [
        *([TableStep(before, f"TS-{last - 3}", ATTACKER, INSTEAD, number, attack)] * (number > 1)),
        TableStep(attack, f"TS-{last - 2}", ATTACKER, exchange=number, follows=instead),
        TableStep(instead, f"TS-{last - 1}", DEFENDER, INSTEAD, number, answer),
        TableStep(answer, f"TS-{last}", DEFENDER, exchange=number),
    ]


def _steps() -> list[TableStep]:
    return [
        TableStep(SET_UP, "RULING 5", OTHERS, follows="announce"),
        TableStep("announce", "TS-101", ATTACKER),
        TableStep("opponent", "TS-102", ATTACKER, follows="start-attacker"),
        TableStep("start-attacker", "TS-103", ATTACKER, START_OWN, follows="start-defender"),
        TableStep("start-defender", "TS-104", DEFENDER, START_AGAINST, follows="defend"),
        TableStep("defend", "TS-105", DEFENDER),
        TableStep("before-attacker", "TS-106", ATTACKER, BEFORE_PILOT, follows="before-defender"),
        TableStep("before-defender", "TS-107", DEFENDER, BEFORE_PILOT, follows="draw-attacker"),
        TableStep("draw-attacker", "TS-108", ATTACKER, follows="draw-defender"),
        TableStep("draw-defender", "TS-109", DEFENDER, follows="after-attacker"),
        TableStep("after-attacker", "TS-110", ATTACKER, AFTER_PILOT, follows="after-defender"),
        TableStep("after-defender", "TS-111", DEFENDER, AFTER_PILOT, follows="attack-1"),
        *(step for number in range(1, EXCHANGES + 1) for step in _exchange(number)),
        TableStep("won-attacker", "TS-301", ATTACKER, WIN, follows="lost-defender"),
        TableStep("lost-defender", "TS-302", DEFENDER, LOSE, follows="reward"),
        TableStep("reward", "TS-303", ATTACKER, follows="damage"),
        TableStep("damage", "TS-304", ATTACKER, follows="draw-won"),
        TableStep("draw-won", "TS-306", ATTACKER, follows="end-attacker"),
        TableStep("lost-attacker", "TS-321", ATTACKER, LOSE, follows="won-defender"),
        TableStep("won-defender", "TS-322", DEFENDER, WIN, follows="bounty"),
        TableStep("bounty", "TS-323", DEFENDER, follows="end-attacker"),
        TableStep("end-attacker", "TS-307", ATTACKER, END, follows="end-defender", rule_b="TS-324"),
        TableStep("end-defender", "TS-308", DEFENDER, END, follows="end-others", rule_b="TS-325"),
        TableStep("end-others", "TS-309", OTHERS, END, follows="clean-up", rule_b="TS-326"),
        TableStep("clean-up", "TS-310", OTHERS, follows=OVER, rule_b="TS-327"),
        TableStep(OVER, "RULING 3", ATTACKER),
    ]


STEPS: Mapping[str, TableStep] = {step.name: step for step in _steps()}
"""Every step by its name, in the order of the book."""
NAMES_OF_STEPS = tuple(STEPS)

PLACES: Mapping[str, str] = {
    "announce": "start of a dogfight",
    "opponent": "choice of the defender",
    **{
        name: f"cards of the {step.role} {WINDOWS[step.window]}".replace(
            "of the others", "of others"
        )
        for name, step in STEPS.items()
        if step.window and step.window != INSTEAD
    },
    "defend": "whether the defender defends",
    "draw-attacker": "the attacker draws PILOT cards",
    "draw-defender": "the defender draws PILOT cards",
    **{
        name: f"maneuver {step.exchange} of the {step.role}"
        for name, step in STEPS.items()
        if step.exchange
    },
    "draw-won": "the attacker draws for the win",
    "clean-up": "played cards are discarded",
}
"""Steps as people call where a dogfight is, where that is not their name."""


def is_before(one: str, other: str) -> bool:
    """Whether a step stands before another in the book's table.

    >>> is_before("defend", "answer-1"), is_before("bounty", "defend")
    (True, False)
    """
    return NAMES_OF_STEPS.index(one) < NAMES_OF_STEPS.index(other)


def step_named(raw: object) -> str:
    """A step of the table.

    >>> step_named("Answer 2")
    'answer-2'
    """
    return one_of(raw, NAMES_OF_STEPS, "step")
