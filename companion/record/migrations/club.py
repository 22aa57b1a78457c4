"""Step 5: what a club's other tables have to be told of, and what came from them."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, Text, text

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Make the tables; every match that is there counts as changed."""
    op.create_table(
        "outbox",
        Column("match_id", Text, primary_key=True),
        Column("number", Integer, nullable=False),
        if_not_exists=True,
    )
    op.create_index("outbox_numbers", "outbox", ["number"], if_not_exists=True)
    op.create_table(
        "carried",
        Column("place", Text, primary_key=True),
        Column("sent", Integer, nullable=False),
        Column("taken", Integer, nullable=False),
        if_not_exists=True,
    )
    for name, told in (("arrived", "place"), ("differing", "text")):
        op.create_table(
            name,
            Column("match_id", Text, primary_key=True),
            Column(told, Text, nullable=False),
            if_not_exists=True,
        )
    op.create_index("matches_first", "matches", ["chain"], if_not_exists=True)
    op.get_bind().execute(
        text(
            "INSERT INTO outbox (match_id, number) "
            "SELECT id, number + (SELECT coalesce(max(number), 0) FROM outbox) FROM matches "
            "WHERE id NOT IN (SELECT match_id FROM outbox)"
        )
    )
