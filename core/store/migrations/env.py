"""How Alembic runs here: always on the connection that it is given, in that connection's transaction."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
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


def run(connection: Connection) -> None:
    """Run what was asked for."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_item=spell_plainly,
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


run(context.config.attributes["connection"])
