"""Step 8: a month and a year go as soon as a match in them is counted otherwise, or no more."""

# ruff: noqa: S608 - every statement is made of names of ours

from __future__ import annotations

from typing import NamedTuple

from alembic import op

revision = "8"
down_revision = "7"


class Trigger(NamedTuple):
    """Upon what it acts, and the row that tells which match that was."""

    name: str
    acts: str
    row: str
    when: str = ""


_MOVES = "WHEN (OLD.begun <> NEW.begun)"
TRIGGERS = (
    Trigger("periods_of_added", "AFTER INSERT ON counted", "NEW"),
    Trigger("periods_of_changed", "AFTER UPDATE ON counted", "NEW"),
    Trigger("periods_of_gone", "AFTER DELETE ON counted", "OLD"),
    Trigger("periods_of_listed", "AFTER INSERT ON listed", "NEW"),
    Trigger("periods_of_unlisted", "BEFORE DELETE ON listed", "OLD"),
    Trigger("periods_moved_from", "BEFORE UPDATE OF begun ON listed", "OLD", _MOVES),
    Trigger("periods_moved_to", "AFTER UPDATE OF begun ON listed", "NEW", _MOVES),
)


def upgrade() -> None:
    """Make the triggers, and throw away what was added up before there were any."""
    on_a_server = op.get_bind().dialect.name == "postgresql"
    for trigger in TRIGGERS:
        (_make_on_a_server if on_a_server else _make_in_a_file)(trigger)
    op.execute("DELETE FROM periods")


def _forget(trigger: Trigger) -> str:
    """The statement: the month and the year of that match, if it is in them."""
    of_it = f"WHERE match_id = {trigger.row}.match_id"
    parts = [f"SELECT substr(begun, 1, {length}) FROM listed {of_it}" for length in (4, 7)]
    of_listed = trigger.acts.endswith("listed")  # many a match there counts nowhere yet
    counts = f" AND EXISTS (SELECT 1 FROM counted {of_it})" if of_listed else ""
    return f"DELETE FROM periods WHERE period IN ({' UNION '.join(parts)}){counts}"


def _make_in_a_file(trigger: Trigger) -> None:
    made = f"CREATE TRIGGER IF NOT EXISTS {trigger.name} {trigger.acts} {trigger.when}"
    op.execute(f"{made} BEGIN {_forget(trigger)}; END")


def _make_on_a_server(trigger: Trigger) -> None:
    name, table = trigger.name, trigger.acts.split()[-1]
    body = f"BEGIN {_forget(trigger)}; RETURN COALESCE(NEW, OLD); END"
    made = f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
    op.execute(f"{made} AS $$ {body} $$")
    op.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
    each = f"FOR EACH ROW {trigger.when} EXECUTE FUNCTION {name}()"
    op.execute(f"CREATE TRIGGER {name} {trigger.acts} {each}")
