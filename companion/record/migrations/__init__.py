"""The steps by which the tables of any released record become those of this program, by alembic.

There is no other way to make tables: a new record has what all steps, one after another, make of
nothing, written down in `new.sql`. A step is never changed once it was released; it holds its own
description of what it makes.

What a record has is told by its tables, indexes and triggers, not by a number: records older than
alembic have none, and one byte of damage must not have a step taken twice. Steps make what is
missing, so that one that was half done is simply done again.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import inspect, text

from companion.record.store import SINCE, VERSION, made_in

if TYPE_CHECKING:
    from alembic.runtime.migration import MigrationContext, RevisionStep
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection

HERE = Path(__file__).parent
NEW = HERE / "new.sql"
"""What all steps make of nothing in SQLite, as statements: alembic takes a tenth of a second and
12 MB, which no evening needs whose record is whole."""
NOTHING = "base"


def migrate(database: Connection, to: str = "head") -> None:
    """Take the steps that a record lacks, in the transaction that is open."""
    there = made_in(database)
    if there or to != "head" or database.dialect.name != "sqlite":
        _take(database, there, to)
        return
    cursor = database.connection.cursor()  # SQLAlchemy would take as long again over each of them
    for statement in NEW.read_text("utf-8").split(";\n"):
        cursor.execute(statement)
    cursor.close()


def _take(database: Connection, there: set[str], to: str) -> None:
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    script = _script()

    def steps(done: Any, _context: MigrationContext) -> list[RevisionStep]:
        return list(_steps(script, to, done))

    context = MigrationContext.configure(database, opts={"fn": steps})
    _note(context, script, steps_done(there))
    with Operations.context(context):
        context.run_migrations()


@cache
def _script() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(HERE), version_locations=[str(HERE)])


def _steps(script: ScriptDirectory, to: str, done: tuple[str, ...]) -> list[RevisionStep]:
    """The steps from what is done to what is wanted, the first first."""
    from alembic.runtime.migration import MigrationStep

    missing = script.iterate_revisions(to, done or NOTHING)
    steps = [MigrationStep.upgrade_from_script(script.revision_map, one) for one in missing]
    return [*reversed(steps)]


def steps_done(there: set[str]) -> str:
    """The last step of which all is there, as it is of the steps before."""
    done = NOTHING
    for step, made in SINCE:
        if not there.issuperset(made):
            break
        done = step
    return done


def _note(context: MigrationContext, script: ScriptDirectory, done: str) -> None:
    """Let alembic know what is done already, whatever it had noted."""
    if context.connection is not None and inspect(context.connection).has_table(VERSION):
        context.connection.execute(text(f"DELETE FROM {VERSION}"))  # noqa: S608 - a name of ours
    if done != NOTHING:
        context.stamp(script, done)
