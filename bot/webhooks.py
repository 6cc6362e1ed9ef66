"""Webhooks to askers, signed as Standard Webhooks: one id per event, one spelling of its body."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, timedelta
from email.utils import parsedate_to_datetime
from importlib.metadata import version

import requests
import urllib3

from bot import egress
from bot.shapes import Network
from core.canonical import canonical
from core.events import Event
from core.ports import Clock

CONNECT_SECONDS = 5.0
DEADLINE_SECONDS = 10.0
MOST_BYTES = 64 * 1024
LONGEST_RETRY_AFTER = 24 * 3600.0
_THREADS = 32


@dataclass(frozen=True)
class Delivered:
    """The asker has it: any 2xx."""

    status: int


@dataclass(frozen=True)
class Gone:
    """The asker wants no more of it: 410."""


@dataclass(frozen=True)
class Failed:
    """Not delivered this time. `status` is None when there was no answer, `retry_after` is in seconds if given."""

    reason: str
    status: int | None = None
    retry_after: float | None = None


Result = Delivered | Gone | Failed


def body_of(event: Event) -> bytes:
    """The body of an event's webhook, the same bytes at every try."""
    wire = event.wire()
    spelled = canonical({name: wire[name] for name in ("type", "timestamp", "data")})
    # Half a surrogate pair, which a chat may have let through, has no UTF-8 and reads `?`.
    return spelled.decode("utf-8", "surrogatepass").encode("utf-8", "replace")


def signature(secrets: Sequence[str], id: str, timestamp: int, body: bytes) -> str:
    """The `webhook-signature` header: one `v1` signature for each secret, separated by spaces."""
    signed = f"{id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_hmac(secret, signed)}" for secret in secrets)


def _hmac(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    return base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode("ascii")


class Webhooks:
    """Sends events. `allowed` are the private networks it may reach."""

    def __init__(self, clock: Clock, allowed: Sequence[Network] = ()) -> None:
        self._clock = clock
        self._allowed = tuple(allowed)
        # Threads of its own: slow receivers must not hold up whatever else needs one.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="webhook")

    async def send(self, url: str, event: Event, secrets: Sequence[str]) -> Result:
        """Try once, for ten seconds at most. `secrets` are the current one and, while rotating, the old one."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self.send_blocking, url, event, tuple(secrets))

    def send_blocking(self, url: str, event: Event, secrets: Sequence[str]) -> Result:
        """The same, in the calling thread."""
        body = body_of(event)
        timestamp = int(self._clock.now().timestamp())
        headers = {
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": f"sayso/{version('sayso')}",
            "webhook-id": event.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(secrets, event.id, timestamp, body),
        }
        try:
            with egress.within(DEADLINE_SECONDS), egress.session_for(url, self._allowed) as session:
                return self._post(session, url, headers, body)
        except egress.NotAllowed as error:
            why = "SAYSO_WEBHOOK_ALLOW lists the private networks that may be"
            return Failed(f"this address may not be reached: {error}; {why}")
        except requests.RequestException as error:
            return Failed(f"no answer: {type(error).__name__}")
        except OSError as error:
            return Failed(f"no answer: {error.strerror or type(error).__name__}")
        except ValueError as error:
            return Failed(f"not an address that can be called: {error}")

    def _post(self, session: requests.Session, url: str, headers: dict[str, str], body: bytes) -> Result:
        with session.post(
            url,
            data=body,
            headers=headers,
            timeout=(CONNECT_SECONDS, DEADLINE_SECONDS),
            allow_redirects=False,
            stream=True,
        ) as response:
            # The status is the answer. The body is read so far that an honest receiver can finish, and not further.
            with suppress(urllib3.exceptions.HTTPError, OSError):
                response.raw.read(MOST_BYTES, decode_content=False)
            if 200 <= response.status_code < 300:
                return Delivered(response.status_code)
            if response.status_code == requests.codes.gone:
                return Gone()
            return Failed(
                f"answered {response.status_code}",
                response.status_code,
                self._retry_after(response.headers.get("Retry-After")),
            )

    def _retry_after(self, header: str | None) -> float | None:
        if header is None:
            return None
        text = header.strip()
        if text.isascii() and text.isdigit():
            return min(float(text[:9]), LONGEST_RETRY_AFTER)
        try:
            moment = parsedate_to_datetime(text)
        except (ValueError, OverflowError):
            return None
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        gap = (aware - self._clock.now()) / timedelta(seconds=1)
        return min(max(gap, 0.0), LONGEST_RETRY_AFTER)

    def close(self) -> None:
        """Start nothing more; what is on the wire ends at its deadline."""
        self._threads.shutdown(wait=False, cancel_futures=True)
