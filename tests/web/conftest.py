"""The API over a real database, called as a program calls it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest
from fastapi import FastAPI

from bot.authority import Authority
from bot.wake import Waiter
from bot.web.api import build_api
from bot.web.calls import ApiServices
from core.addresses import Provider
from core.channels import Channel
from core.store import Store, open_engine
from tests.stores import mostly_sqlite_url as store_url
from tests.web.calling import Calling, MovingClock, context_of, furnish
from tests.web.places import Place
from tests.web.shells import Shell

__all__ = ["store_url"]


@pytest.fixture
async def api(sqlite_store_url: str) -> AsyncIterator[Calling]:
    """The API on an SQLite file, with agents and people."""
    async for calling in _calling(sqlite_store_url):
        yield calling


@pytest.fixture
async def either_api(store_url: str) -> AsyncIterator[Calling]:
    """The API on a database of each kind in turn."""
    async for calling in _calling(store_url):
        yield calling


@pytest.fixture
async def postgres_api(postgres_store_url: str) -> AsyncIterator[Calling]:
    """The API on PostgreSQL."""
    async for calling in _calling(postgres_store_url):
        yield calling


async def _calling(url: str) -> AsyncIterator[Calling]:
    clock = MovingClock()

    async def newest(workspace: str) -> int:
        return await store.records.last_position(workspace)

    waiter = Waiter(newest)
    store = Store(open_engine(url), waiter.committed)
    context = context_of(store, clock)
    slack = Place(Provider.SLACK, "T1")
    channels = {Provider.SLACK: {"T1": cast("Channel", slack)}}
    authority = Authority(context, store.records, lambda _, provider: channels.get(provider, {}))
    services = ApiServices(context, store.records, waiter, "https://sayso.example.com", authority)
    async with Calling.over(_application(services), services, store, clock, slack) as calling:
        await furnish(calling)
        yield calling
    await waiter.close()
    await store.close()


_made: list[FastAPI] = []


def _application(services: ApiServices) -> FastAPI:
    """The API as one test after the other finds it: FastAPI takes longer to look at its routes than most tests take."""
    if not _made:
        _made.append(build_api(services))
    _made[0].state.services = services
    return _made[0]


@pytest.fixture
def empty_shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return Shell(capsys)


@pytest.fixture
def shell(empty_shell: Shell, sqlite_template: Path, tmp_path: Path) -> Shell:
    """A shell in a folder where the service ran before: its tables are there already, and nothing is in them."""
    (tmp_path / ".data").mkdir(mode=0o700)
    shutil.copyfile(sqlite_template, tmp_path / ".data" / "sayso.sqlite3")
    return empty_shell
