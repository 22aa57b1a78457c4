"""Step 7: what the matches of each month and of each year come to together."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "7"
down_revision = "6"


def upgrade() -> None:
    """Make the table, empty: periods are added up whenever there is time."""
    op.create_table(
        "periods",
        Column("period", Text, primary_key=True),
        Column("about", Text, primary_key=True),
        Column("seals", Text, nullable=False),
        Column("told", Text, nullable=False),
        if_not_exists=True,
    )
