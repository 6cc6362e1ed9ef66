"""The pages served on a loopback port, and people who use them in a real browser."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from playwright.async_api import Page

from tests.web.serving import until
from tests.web.visiting import Stage, code_in, staged


@dataclass
class Service:
    """The address of the pages, and what is behind them."""

    base: str
    stage: Stage

    def card(self, id: str) -> str:
        return f"{self.base}/review/{id}"

    async def sign_in(self, page: Page, name: str = "ana", to: str = "/inbox") -> None:
        """As a person does: the name, the code from the chat, the code typed."""
        await page.goto(f"{self.base}/signin?next={to}")
        await page.get_by_label("Your handle or chat account").fill(name)
        await page.get_by_role("button", name="Send me a code").click()
        await page.get_by_label("Code", exact=True).fill(code_in((await self.stage.messages())[-1].text))
        await page.get_by_role("button", name="Sign in").click()
        await page.wait_for_url(f"**{to}")


@asynccontextmanager
async def served(url: str, **more: Any) -> AsyncIterator[Service]:
    """Serve the pages over the database at `url`; `more` is for `staged`."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with staged(url, base, **more) as stage:
            server = uvicorn.Server(uvicorn.Config(stage.app, log_config=None, lifespan="off"))
            running = asyncio.create_task(server.serve([listening]))
            await until(lambda: server.started)
            try:
                yield Service(base, stage)
            finally:
                server.should_exit = True
                await running
