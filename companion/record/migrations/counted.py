"""Step 6: what each match adds to the statistics, what all of them come to, and ratings."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Float, Integer, Text

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Make the tables, empty: they are filled from the logs, bit by bit, whenever there is time."""
    op.create_table(
        "counted",
        Column("match_id", Text, primary_key=True),
        Column("form", Integer, nullable=False),
        Column("seal", Text, nullable=False),
        Column("told", Text, nullable=False),
        if_not_exists=True,
    )
    keys = ("about", "box", "name", "figure", "detail")
    op.create_table(
        "sums",
        *(Column(name, Text, primary_key=True) for name in keys),
        Column("number", Integer, nullable=False),
        Column("total", Float, nullable=False),
        Column("squares", Float, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "ratings",
        Column("player", Text, primary_key=True),
        Column("mu", Float, nullable=False),
        Column("sigma", Float, nullable=False),
        Column("begun", Text, nullable=False),
        if_not_exists=True,
    )
    op.create_index("listed_begun", "listed", ["begun"], if_not_exists=True)
