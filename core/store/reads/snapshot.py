"""One look at the database: every statement inside sees the same moment, and nobody waits for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Executable, Row, exists, or_
from sqlalchemy.engine import Connection, Engine

from core.people import Agent, AgentRole
from core.store.engine import READERS
from core.store.races import races
from core.store.tables import answerers, interactions
from core.store.threads import Threads
from core.vault import Vault

T = TypeVar("T")


class Reads:
    """What every part of the read side shares. `engine` comes from `core.store.engine.reading`."""

    def __init__(self, engine: Engine, vault: Vault) -> None:
        self._engine = engine
        self._vault = vault
        # One statement is of one moment by itself: on PostgreSQL it goes without a transaction around it, which would
        # be two more round trips.
        alone = {} if engine.dialect.name == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
        self._alone = engine.execution_options(**alone)
        self._threads = Threads(READERS, "sayso-reads")

    async def _look(self, see: Callable[[Connection], T]) -> T:
        """What a function finds on a connection: all of it is of one moment."""
        return await self._threads.run(_seen, self._engine, see)

    async def _all(self, statement: Executable) -> Sequence[Row[Any]]:
        return await self._threads.run(_seen, self._alone, lambda at: at.execute(statement).all())

    async def _one(self, statement: Executable) -> Row[Any] | None:
        return await self._threads.run(_seen, self._alone, lambda at: at.execute(statement).one_or_none())

    def close(self) -> None:
        """End its threads."""
        self._threads.close()


def _seen(engine: Engine, see: Callable[[Connection], T]) -> T:
    with races(), engine.connect() as connection:
        seen = see(connection)
        connection.commit()  # a rollback would make psycopg forget every statement that it has prepared there
        return seen


def is_visible_to(agent: Agent | None) -> list[ColumnElement[bool]]:
    """The conditions on `interactions` for what an agent may read; none for operators."""
    if agent is None or agent.role is AgentRole.OPERATOR:
        return []
    named = exists().where(answerers.c.interaction == interactions.c.id, answerers.c.answerer == f"agent:{agent.name}")
    return [or_(interactions.c.creator_id == agent.id, named)]
