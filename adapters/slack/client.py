"""The two Web API clients over one session: one that writes and never repeats a call, one that reads and may."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import aiohttp
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import AsyncConnectionErrorRetryHandler, AsyncServerErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

# Slack's libraries log request bodies and answers at DEBUG and INFO, some at WARNING; what matters is told as errors.
QUIET = logging.getLogger("sayso.slack.sdk")
QUIET.setLevel(logging.CRITICAL)

TOTAL = 10.0
"""Seconds for a whole call; Slack answers in a fraction of one."""
CONNECT = 5.0


@dataclass(frozen=True)
class Clients:
    """`write` makes each call at most once: the outbox owns repeating. `read` repeats once when a connection drops or
    Slack fails; it does not wait out rate limits, as people wait for it. `anonymous` holds no token: Bolt needs a
    client to tell where Slack is."""

    session: aiohttp.ClientSession
    write: AsyncWebClient
    read: AsyncWebClient
    anonymous: AsyncWebClient

    def hook(self, response_url: str) -> AsyncWebhookClient:
        """A client for one response_url, which counts its uses: never repeated."""
        return AsyncWebhookClient(response_url, session=self.session, retry_handlers=[], logger=QUIET)

    def renew(self, token: str) -> None:
        """Go on with another token."""
        self.write.token = self.read.token = token


def open_session() -> aiohttp.ClientSession:
    """Call it inside a running loop, and close it at the end."""
    return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TOTAL, connect=CONNECT))


def clients_of(session: aiohttp.ClientSession, api_url: str, token: str | None) -> Clients:
    """The clients of one token over a session that all of them share; without one they can call nothing that needs
    one."""
    repeating = [AsyncConnectionErrorRetryHandler(), AsyncServerErrorRetryHandler()]

    def client(token: str | None, handlers: list[AsyncRetryHandler]) -> AsyncWebClient:
        return AsyncWebClient(token, base_url=api_url, session=session, retry_handlers=handlers, logger=QUIET)

    return Clients(
        session=session,
        write=client(token, []),
        read=client(token, repeating),
        anonymous=client(None, []),
    )
