"""The database: one code path for SQLite and PostgreSQL. SQLAlchemy and Alembic live here and nowhere else.

Read in this order: `tables` (what is kept), `transaction` and `work` (how it is written), `outbox` (how what is owed
is claimed), `queries` (how it is read), `schema` (how a database comes to have the tables).
"""

from __future__ import annotations

from core.store.complaints import said_by_database
from core.store.engine import open_engine
from core.store.listening import notices
from core.store.schema import Unmigrated, check_schema, migrate
from core.store.storage import Store

__all__ = ["Store", "Unmigrated", "check_schema", "migrate", "notices", "open_engine", "said_by_database"]
