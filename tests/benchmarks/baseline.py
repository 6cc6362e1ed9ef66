"""What everything is compared with: one route of a bare FastAPI application, which does one insert.

It opens the database as the service does and is served as the service is, in a process of its own.
"""

from __future__ import annotations

import asyncio
import os
import sys
import uuid
from typing import Annotated

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, Field
from sqlalchemy import Column, MetaData, Table, Text, insert
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.listening import listener
from bot.serve import server_config
from core.store import open_engine

PATH = "/rows"
rows = Table(
    "benchmark_rows", MetaData(), Column("id", Text, primary_key=True), Column("title", Text), Column("body", Text)
)


class Row(BaseModel):
    """What is inserted."""

    title: Annotated[str, Field(max_length=240)]
    body: Annotated[str, Field(max_length=20_000)]


class Made(BaseModel):
    """What is answered."""

    id: str
    title: str
    body: str


def build_baseline(engine: AsyncEngine) -> FastAPI:
    """The application."""
    app = FastAPI()

    @app.post(PATH, status_code=201)
    async def make(row: Row) -> Made:
        made = Made(id=str(uuid.uuid4()), title=row.title, body=row.body)
        async with engine.begin() as connection:
            await connection.execute(insert(rows).values(made.model_dump()))
        return made

    return app


async def main(database: str, port: int) -> None:
    """Serve until told to stop."""
    engine = open_engine(database)
    async with engine.begin() as connection:
        await connection.run_sync(rows.metadata.create_all)
    with listener("127.0.0.1", port) as bound:
        await uvicorn.Server(server_config(build_baseline(engine))).serve(sockets=[bound])
    await engine.dispose()


if __name__ == "__main__":
    asyncio.run(main(os.environ["SAYSO_DATABASE_URL"], int(sys.argv[1])))
