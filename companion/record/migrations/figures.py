"""Step 9: the sums of one figure lie together, so that the busiest names are found quickly."""

from __future__ import annotations

from alembic import op

revision = "9"
down_revision = "8"


def upgrade() -> None:
    """Make the index."""
    columns = ["about", "figure", "name", "box", "number"]
    op.create_index("sums_figures", "sums", columns, if_not_exists=True)
