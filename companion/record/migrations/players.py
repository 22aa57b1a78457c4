"""Step 4: who sat where in each match, and which names are one player's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from alembic import op
from sqlalchemy import Column, Connection, Integer, Text, column, insert, select, table

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make both tables; who sat where is told by the list."""
    op.create_table(
        "players",
        Column("key", Text, primary_key=True),
        *(Column(name, Text, nullable=False) for name in ("name", "player", "at_utc", "author")),
        if_not_exists=True,
    )
    op.create_table(
        "seated",
        Column("match_id", Text, primary_key=True),
        Column("seat", Text, primary_key=True),
        Column("name", Text, nullable=False),
        if_not_exists=True,
    )
    op.create_index("seated_names", "seated", ["name"], if_not_exists=True)
    database = op.get_bind()
    if database.execute(select(table("seated", column("match_id"))).limit(1)).first() is None:
        _fill(database)


def _fill(database: Connection) -> None:
    listed = table(
        "listed", Column("match_id", Text), Column("setup", Text), Column("demonstration", Integer)
    )
    rows = database.execute(select(listed).where(listed.c.demonstration == 0))
    seated = table("seated", column("match_id"), column("seat"), column("name"))
    for part in rows.partitions(500):
        found = [row for match_id, setup, _ in part for row in _seats(match_id, setup)]
        if found:
            database.execute(insert(seated), found)


def _seats(match_id: str, setup: str) -> Iterator[dict[str, str]]:
    """Who sat where in one match; nobody where its row cannot be read: a check makes it anew."""
    try:
        said: Any = json.loads(setup)
        seats = [(str(seat), str(name).strip()) for seat, name in said.get("seats", {}).items()]
    except (ValueError, AttributeError):
        return
    yield from ({"match_id": match_id, "seat": seat, "name": name} for seat, name in seats if name)
