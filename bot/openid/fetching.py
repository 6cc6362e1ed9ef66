"""Questions to an identity provider: guarded as webhooks are, short, and small."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import requests
import urllib3

from bot import egress
from bot.shapes import Network
from core.errors import SaysoError

CONNECT_SECONDS: Final = 5.0
DEADLINE_SECONDS: Final = 8.0
MOST_BYTES: Final = 256 * 1024


class Unanswered(SaysoError):
    """The provider did not answer as one does. The message is for the log."""


class Fetcher:
    """Asks and reads JSON. `allowed` are the private networks it may reach."""

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._allowed = tuple(allowed)

    async def get(self, url: str) -> Mapping[str, Any]:
        """A document. Raises `Unanswered`."""
        return await asyncio.to_thread(self._ask, "GET", url, None, None)

    async def post(self, url: str, form: Mapping[str, str], client: tuple[str, str] | None = None) -> Mapping[str, Any]:
        """What comes back for a form, sent with the `client`'s name and secret in a header if given. Raises
        `Unanswered`."""
        return await asyncio.to_thread(self._ask, "POST", url, form, client)

    def _ask(
        self, method: str, url: str, form: Mapping[str, str] | None, client: tuple[str, str] | None
    ) -> Mapping[str, Any]:
        try:
            with egress.within(DEADLINE_SECONDS), egress.session_for(url, self._allowed) as session:
                return self._read(session, method, url, form, client)
        except egress.NotAllowed as error:
            raise Unanswered(f"{method} {url}: this address may not be reached: {error}") from None
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise Unanswered(f"{method} {url}: {type(error).__name__}: {error}") from None

    def _read(
        self,
        session: requests.Session,
        method: str,
        url: str,
        form: Mapping[str, str] | None,
        client: tuple[str, str] | None,
    ) -> Mapping[str, Any]:
        with session.request(
            method,
            url,
            data=dict(form) if form is not None else None,
            auth=client,
            headers={"Accept": "application/json", "Accept-Encoding": "identity"},
            timeout=(CONNECT_SECONDS, DEADLINE_SECONDS),
            allow_redirects=False,
            stream=True,
        ) as response:
            body = response.raw.read(MOST_BYTES + 1, decode_content=False)
            if len(body) > MOST_BYTES:
                raise Unanswered(f"{method} {url}: more than {MOST_BYTES} bytes")
            if response.status_code != requests.codes.ok:
                raise Unanswered(f"{method} {url}: answered {response.status_code}")
        found = json.loads(body)
        if not isinstance(found, dict):
            raise Unanswered(f"{method} {url}: answered no JSON object")
        return found
