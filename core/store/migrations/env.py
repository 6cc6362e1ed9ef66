"""How Alembic runs here: always on the connection that it is given, in that connection's transaction."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Column
from sqlalchemy.engine import Connection

from core.store.columns import Document, UtcDateTime, Words
from core.store.tables import metadata

PLAIN: dict[type[Any], str] = {
    UtcDateTime: "sa.DateTime(timezone=True)",
    Words: "sa.Text()",
    Document: "sa.JSON()",
}


def spell_plainly(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Write our column types into a revision as the database's own, so that a revision never changes its meaning."""
    return PLAIN.get(type(item), False) if kind == "type" else False


DIRECTED = {
    index.name
    for table in metadata.tables.values()
    for index in table.indexes
    if not all(isinstance(one, Column) for one in index.expressions)
}
"""Indexes of which a column is sorted downwards. SQLite does not tell that of an index that is there, so these are
compared with the tables of the code on PostgreSQL alone."""


def run(connection: Connection) -> None:
    """Run what was asked for."""
    is_sqlite = connection.dialect.name == "sqlite"

    def is_told(_item: Any, name: str | None, kind: str, _reflected: bool, _other: Any) -> bool:  # Alembic's
        return not (is_sqlite and kind == "index" and name in DIRECTED)

    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_item=spell_plainly,
        render_as_batch=is_sqlite,
        include_object=is_told,
        transactional_ddl=True,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run(context.config.attributes["connection"])
