"""Real slack_sdk clients and real Bolt apps of a stand-in, over sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.adapter.starlette.async_handler import AsyncSlackRequestHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from starlette.applications import Starlette
from starlette.routing import Route

from bot.sandbox.serving import serving as listening
from bot.sandbox.slack import SlackStandIn, StandInSettings

# What a message event of our own posts would only add noise to; tests about them ask for them.
QUIET = frozenset({"app_home_opened"})


@asynccontextmanager
async def serving(**settings: Any) -> AsyncIterator[SlackStandIn]:
    """A stand-in without rate limits and without message events unless they are asked for."""
    given = {"pace": False, "bot_events": QUIET, **settings}
    async with SlackStandIn(StandInSettings(**given)).serve() as stand_in:
        yield stand_in


@asynccontextmanager
async def acme(**settings: Any) -> AsyncIterator[SlackStandIn]:
    """The same with Ana and Ben in one channel with the app."""
    async with serving(**settings) as stand_in:
        stand_in.workspace.add_user("ana", user_id="UANA")
        stand_in.workspace.add_user("ben", user_id="UBEN")
        stand_in.workspace.add_channel("general", ["UANA", "UBEN"], channel_id="CGEN")
        yield stand_in


def client_of(stand_in: SlackStandIn, token: str | None = None) -> AsyncWebClient:
    """A Web API client that tries everything once."""
    return AsyncWebClient(token=token or stand_in.bot_token, base_url=stand_in.api_url, retry_handlers=[])


def bolt_app(stand_in: SlackStandIn, **more: Any) -> AsyncApp:
    """A Bolt app without listeners."""
    return AsyncApp(client=client_of(stand_in), signing_secret=stand_in.signing_secret, **more)


@asynccontextmanager
async def over_http(stand_in: SlackStandIn, app: AsyncApp) -> AsyncIterator[str]:
    """The app at a request URL that the stand-in knows."""
    handler = AsyncSlackRequestHandler(app)
    routes = [Route("/slack/events", handler.handle, methods=["POST"])]
    async with listening(Starlette(routes=routes)) as address:
        stand_in.request_url = f"{address.url}/slack/events"
        yield stand_in.request_url
        await stand_in.platform.courier.settled()


@asynccontextmanager
async def over_socket(stand_in: SlackStandIn, app: AsyncApp, count: int = 1) -> AsyncIterator[None]:
    """The app in Socket Mode, with as many connections as asked for."""
    before = stand_in.platform.sockets.count
    handlers: list[Any] = [AsyncSocketModeHandler(app, stand_in.app_token) for _ in range(count)]
    for handler in handlers:
        await handler.connect_async()
    await stand_in.platform.sockets.wait_for(before + count)
    try:
        yield
        await stand_in.platform.courier.settled()
    finally:
        for handler in handlers:
            await handler.close_async()


async def error_of(call: Any) -> str:
    """The error a call is refused with; the test fails if it is not refused."""
    try:
        response = await call
    except SlackApiError as refused:
        return str(refused.response["error"])
    raise AssertionError(f"not refused: {response}")


def plain(text: str) -> dict[str, Any]:
    """A plain_text object."""
    return {"type": "plain_text", "text": text}


def button(label: str, action_id: str = "", **more: Any) -> dict[str, Any]:
    """A button whose action id is its label in lower case."""
    return {"type": "button", "text": plain(label), "action_id": action_id or label.lower(), **more}


def row(*elements: dict[str, Any], block_id: str = "row") -> dict[str, Any]:
    """An actions block."""
    return {"type": "actions", "block_id": block_id, "elements": list(elements)}


def asks(label: str, block_id: str = "why", **element: Any) -> dict[str, Any]:
    """An input block with a text field."""
    return {
        "type": "input",
        "block_id": block_id,
        "label": plain(label),
        "element": {"type": "plain_text_input", "action_id": "text", **element},
    }


def modal(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A modal with a submit button."""
    return {
        "type": "modal",
        "callback_id": "form",
        "title": plain("Form"),
        "submit": plain("Send"),
        "blocks": list(blocks) or [asks("Why?")],
        **more,
    }


async def card(stand_in: SlackStandIn, **more: Any) -> str:
    """Post a card with two buttons into the channel and return its stamp."""
    blocks = [row(button("Yes", value="1"), button("No"))]
    posted = await client_of(stand_in).chat_postMessage(channel="CGEN", text="Ship?", blocks=blocks, **more)
    return str(posted["ts"])
