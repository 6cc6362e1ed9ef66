"""What all engines of a test process share: one dialect, one cache of compiled statements, and no waiting for the disk.

Each test opens engines of its own, and SQLAlchemy compiles every statement again for each of them: that took a quarter
of the whole run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import pytest
from sqlalchemy import create_engine, event
from sqlalchemy.engine import Dialect, Engine
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from core.store.engine import SQLITE_PRAGMAS

PROMISED = SQLITE_PRAGMAS
"""How the product opens an SQLite file. Power is never cut here and a killed process loses nothing that it wrote, so
the engines of the tests do without the wait for the disk after each commit."""


@contextmanager
def shared() -> Iterator[None]:
    """From the second on, an engine for the same kind of database goes on with what the first one compiled."""
    dialects: dict[type[Dialect], Dialect] = {}
    compiled: dict[Any, Any] = {}

    def share(engine: Engine) -> None:
        def connected(_connection: object, _record: object) -> None:
            """The dialect that connects first has asked the server what it can do: the answers are the same for all."""
            dialects.setdefault(type(engine.dialect), engine.dialect)

        engine.dialect = dialects.get(type(engine.dialect), engine.dialect)
        event.listen(engine, "connect", connected)

    @wraps(create_async_engine)
    def made(*args: Any, **options: Any) -> AsyncEngine:
        engine = create_async_engine(*args, **options, execution_options={"compiled_cache": compiled})
        share(engine.sync_engine)
        return engine

    @wraps(create_engine)
    def made_blocking(*args: Any, **options: Any) -> Engine:
        engine = create_engine(*args, **options, execution_options={"compiled_cache": compiled})
        share(engine)
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.store.engine.create_async_engine", made)
        patch.setattr("core.store.engine.create_engine", made_blocking)
        patch.setattr("core.store.engine.SQLITE_PRAGMAS", (*PROMISED, "synchronous=OFF"))
        yield
