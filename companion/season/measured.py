"""What is counted in matches, and how each figure is told in tables, files and plots.

A new figure is a row here and a line in `counting.py`, which adds it up: the columns of files, the
tables of `companion stats`, the plots of the page and the keys of the screen are made of its row.
Raise `FORM` in `counting.py` with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum


class Measured(StrEnum):
    """What is counted; beside it what number and total of its sum are."""

    WON = "won"
    """Matches, those won."""
    DRAWN = "drawn"
    """Matches, those drawn."""
    HITS = "hits"
    """Attacks, those that hit; by range."""
    DEALT = "dealt"
    """Matches, damage given in each."""
    TAKEN = "taken"
    """Matches, damage taken in each."""
    EVADED = "evaded"
    """Evasions, those that left nothing of the attack; by means."""
    AVERTED = "averted"
    """Evasions, damage that each averted; by means."""
    LAID = "laid"
    """Cards, seconds since the round began."""
    ROUND = "round"
    """Rounds, seconds of each."""
    DISPUTES = "disputes"
    """Challenges; by how they ended."""


BY_MATCH = (Measured.DEALT, Measured.TAKEN)
"""Figures of whole matches: what seats did together is added up before it is squared."""


class ToldAs(Enum):
    """What is made of a figure's number and total."""

    SHARE = "how often something came, in percent, with its interval"
    MEAN = "how much each time, with its interval"
    SECONDS = "a mean that is left out where it is nothing: no clock ran"
    NUMBER = "how often, and nothing more"


class FigureTable(StrEnum):
    """The tables of `companion stats` besides the results, by their titles."""

    FIRE = "Fire"
    HURT = "Damage and evasion"
    TIMES = "Cards, rounds, disputes"


@dataclass(frozen=True, slots=True)
class FigureTold:
    """How a figure is told. What has no name here is not told there."""

    told: ToldAs
    title: str = ""
    """Over its plot."""
    unit: str = "%"
    """Of its plot's axis."""
    key: str = ""
    """On its key on the screen of the season."""
    table: FigureTable | None = None
    head: str = ""
    """Over its column in that table."""
    number_head: str = ""
    """Over the column beside it that says how many were counted."""
    parts_head: str = ""
    """Over the column that has it by its details."""
    column: str = ""
    """In files: a share adds `_share`, `_low`, `_high` to it, a mean its interval (`_within`)."""
    number_column: str = ""
    """In files, how many were counted."""
    parts: str = ""
    """In JSON, the figure by its details."""


FIGURES = {
    Measured.WON: FigureTold(ToldAs.SHARE, "Matches won", key="Won"),
    Measured.HITS: FigureTold(
        ToldAs.SHARE, "Attacks that hit", key="Hit",
        table=FigureTable.FIRE, head="hit (95 %)", number_head="attacks", parts_head="by range",
        column="hit", number_column="attacks", parts="hits_by_range",
    ),
    Measured.DEALT: FigureTold(
        ToldAs.MEAN, "Damage given", "a match", "Given",
        table=FigureTable.HURT, head="given a match", column="damage_given",
    ),
    Measured.TAKEN: FigureTold(
        ToldAs.MEAN, "Damage taken", "a match", "Taken",
        table=FigureTable.HURT, head="taken a match", column="damage_taken",
    ),
    Measured.EVADED: FigureTold(
        ToldAs.SHARE, "Evasions that left nothing", key="Evaded",
        table=FigureTable.HURT, head="evaded whole",
        column="evaded", number_column="evasions", parts="evasions_by_means",
    ),
    Measured.AVERTED: FigureTold(
        ToldAs.MEAN, "Damage averted", "an evasion",
        table=FigureTable.HURT, head="averted each", column="damage_averted",
    ),
    Measured.LAID: FigureTold(
        ToldAs.SECONDS, "Cards laid after", "s of the round",
        table=FigureTable.TIMES, head="laid after s", number_head="cards",
        column="laid_after_s", number_column="cards",
    ),
    Measured.ROUND: FigureTold(
        ToldAs.SECONDS, "Rounds", "s", "Round",
        table=FigureTable.TIMES, head="s a round", number_head="rounds", column="round_s",
    ),
    Measured.DISPUTES: FigureTold(
        ToldAs.NUMBER, table=FigureTable.TIMES, parts_head="disputes",
        number_column="disputes", parts="disputes_ended",
    ),
}  # fmt: skip
"""Every figure in the order in which it is told; who won and drew has columns of its own."""
