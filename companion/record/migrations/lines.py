"""Step 1: the logs, a row a line, and what matches ended with; the first release."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Float, Integer, Text, UniqueConstraint
from sqlalchemy.schema import SchemaItem

revision = "1"
down_revision = None


def upgrade() -> None:
    """Make the tables of a record."""
    _make("about", Column("name", Text, primary_key=True), _text("text"))
    _make(
        "matches",
        Column("number", Integer, primary_key=True),
        Column("id", Text, nullable=False, unique=True),
        _text("line"),
        _text("chain"),
    )
    _make(
        "entries",
        _text("match_id"),
        Column("seq", Integer, nullable=False),
        _text("line"),
        _text("chain"),
        UniqueConstraint("match_id", "seq"),
    )
    _make("closings", Column("match_id", Text, primary_key=True), _text("line"), _text("chain"))
    _make(
        "rests",
        Column("match_id", Text, primary_key=True),
        Column("key", Text, primary_key=True),
        Column("rest_s", Float, nullable=False),
        _text("boot_id"),
        Column("at", Float, nullable=False),
    )


def _make(name: str, *columns: SchemaItem) -> None:
    op.create_table(name, *columns, if_not_exists=True)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)
