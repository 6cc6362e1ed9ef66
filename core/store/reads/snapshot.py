"""One look at the database: every statement inside sees the same moment, and nobody waits for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import ColumnElement, Executable, Row, exists, or_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from core.people import Agent, AgentRole
from core.store.tables import answerers, interactions


class Reads:
    """What every part of the read side shares. `engine` comes from `core.store.engine.reading`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @asynccontextmanager
    async def _look(self) -> AsyncIterator[AsyncConnection]:
        async with self._engine.connect() as connection:
            yield connection

    async def _all(self, statement: Executable) -> Sequence[Row[Any]]:
        async with self._look() as connection:
            return (await connection.execute(statement)).all()

    async def _one(self, statement: Executable) -> Row[Any] | None:
        async with self._look() as connection:
            return (await connection.execute(statement)).one_or_none()


def is_visible_to(agent: Agent | None) -> list[ColumnElement[bool]]:
    """The conditions on `interactions` for what an agent may read; none for operators."""
    if agent is None or agent.role is AgentRole.OPERATOR:
        return []
    named = exists().where(answerers.c.interaction == interactions.c.id, answerers.c.answerer == f"agent:{agent.name}")
    return [or_(interactions.c.creator_id == agent.id, named)]
