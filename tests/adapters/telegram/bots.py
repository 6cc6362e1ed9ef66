"""Real python-telegram-bot clients of a stand-in, over sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from telegram import Bot
from telegram.ext import Application, ApplicationBuilder
from telegram.request import HTTPXRequest

from bot.sandbox.telegram import StandInSettings, TelegramStandIn

# The stand-in speaks plain HTTP; loading certificates for each client would take longer than most tests.
PLAIN = {"verify": False}


@asynccontextmanager
async def serving(**settings: Any) -> AsyncIterator[TelegramStandIn]:
    """A stand-in without flood control unless `pace=True` is asked for."""
    async with TelegramStandIn(StandInSettings(**{"pace": False, **settings})).serve() as stand_in:
        yield stand_in


@asynccontextmanager
async def bot_of(stand_in: TelegramStandIn, token: str | None = None) -> AsyncIterator[Bot]:
    """A Bot that has called getMe."""
    async with Bot(
        token or stand_in.bot_token,
        base_url=f"{stand_in.api_url}/bot",
        base_file_url=f"{stand_in.api_url}/file/bot",
        request=HTTPXRequest(connection_pool_size=64, httpx_kwargs=PLAIN),
        get_updates_request=HTTPXRequest(httpx_kwargs=PLAIN),
    ) as bot:
        yield bot


def application_of(stand_in: TelegramStandIn) -> Application[Any, Any, Any, Any, Any, Any]:
    """An Application without an Updater, as one that brings its own delivery builds it."""
    return (
        ApplicationBuilder()
        .token(stand_in.bot_token)
        .base_url(f"{stand_in.api_url}/bot")
        .base_file_url(f"{stand_in.api_url}/file/bot")
        .updater(None)
        .job_queue(None)
        .build()
    )
