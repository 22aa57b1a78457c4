"""Step 3: the list of matches, and who signed them."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, Text

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Make both tables, empty: opening the record lists what is not listed."""
    names = ("begun", "setup", "state", "winners", "outcome", "verified", "fault")
    op.create_table(
        "listed",
        Column("match_id", Text, primary_key=True),
        Column("box", Text, nullable=False),
        Column("demonstration", Integer, nullable=False),
        *(Column(name, Text, nullable=False) for name in names),
        if_not_exists=True,
    )
    op.create_index(
        "listed_outcomes",
        "listed",
        ["box", "winners", "state", "demonstration"],
        if_not_exists=True,
    )
    op.create_table(
        "signatures",
        Column("match_id", Text, primary_key=True),
        *(Column(name, Text, nullable=False) for name in ("name", "public", "value")),
        if_not_exists=True,
    )
