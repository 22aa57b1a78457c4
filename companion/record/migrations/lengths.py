"""Step 2: how long each match is, and what was saved from a damaged file."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, Text

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Make both tables, empty: an older match's length is noted with its next line."""
    op.create_table(
        "lengths",
        Column("match_id", Text, primary_key=True),
        Column("lines", Integer, nullable=False),
        Column("chain", Text, nullable=False),
        Column("seal", Text, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "saved",
        Column("match_id", Text, primary_key=True),
        Column("text", Text, nullable=False),
        if_not_exists=True,
    )
