"""Commands run in this process, as a shell would run them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from bot.cli import main
from bot.config import load
from bot.moment import SystemClock, SystemIds
from bot.vault import SealedVault
from core.ports import Context
from core.store import Store, open_engine

T = TypeVar("T")


class Shell:
    """Runs commands in this process and keeps what they printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = ""
        self.err = ""

    def __call__(self, *arguments: str) -> int:
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        self.out, self.err = self._capsys.readouterr()
        assert "Traceback" not in self.err
        return int(ended.value.code or 0)

    async def aside(self, *arguments: str) -> int:
        """The same while the loop goes on."""
        return await asyncio.to_thread(self, *arguments)


async def in_store(work: Callable[[Store, Context], Awaitable[T]]) -> T:
    """Do something in the database that the commands use."""
    settings = load()
    store = Store(open_engine(settings.database_url()), vault=SealedVault(settings.keys("webhooks")))
    try:
        return await work(store, Context(store.work, SystemClock(), SystemIds(), "https://x/review/"))
    finally:
        await store.close()
