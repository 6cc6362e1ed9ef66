"""Visits to a provider where somebody signs in: begun in one browser, ended once and in the same one.

A trip is a row like any attempt to sign in. What is secret of it (the nonce, the verifier) is kept nowhere: it is made
anew of the browser's own cookie, so that a way back which was stolen leads to nothing in another browser.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from bot.openid import Trip
from bot.web.security import Guard, hashed, local_path
from core.access import SignIn
from core.ports import Context, Work
from core.reading import Records
from core.use_cases.transact import transact

GOOD_FOR: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class Ended:
    """A trip that came back, for the first time and to its own browser."""

    trip: Trip
    to: str


class Trips:
    """Begins and ends them. `base` is the address of this service."""

    def __init__(self, context: Context, records: Records, guard: Guard, base: str) -> None:
        self._context = context
        self._records = records
        self._guard = guard
        self._base = base

    async def begin(self, provider: str, to: str, browser: str) -> Trip:
        """Remember that a browser sets out, to go `to` a path of ours afterwards."""
        attempt, now = self._context.ids.new("sgn"), self._context.clock.now()
        workspace = (await self._records.workspaces())[0]
        signin = SignIn(
            id=attempt,
            workspace=workspace,
            person=None,
            browser=hashed(browser),
            code=self._seal(attempt, browser, provider, to),
            created_at=now,
            expires_at=now + GOOD_FOR,
        )
        await transact(self._context, lambda work: work.add_signin(signin))
        return self._trip(f"{attempt}.{_spell(to)}", attempt, browser, provider)

    async def end(self, provider: str, state: str, browser: str) -> Ended | None:
        """Take a state back, once. None: it is not good, here, now, or any more."""
        parts = state.split(".")
        if len(parts) != 2 or not browser:
            return None
        attempt, to = parts[0], _read(parts[1])

        async def take(work: Work) -> bool:
            signin, now = await work.signin(attempt), self._context.clock.now()
            if signin is None or signin.used_at is not None or signin.expires_at <= now:
                return False
            seal = self._seal(attempt, browser, provider, to)
            own = hmac.compare_digest(signin.browser, hashed(browser)) and hmac.compare_digest(signin.code, seal)
            if own:
                await work.save_signin(replace(signin, used_at=now))
            return own

        if not await transact(self._context, take):
            return None
        return Ended(self._trip(state, attempt, browser, provider), local_path(to))

    def redirect(self, provider: str) -> str:
        """Where a provider sends people back to."""
        return f"{self._base}/signin/{provider}/return"

    def _trip(self, state: str, attempt: str, browser: str, provider: str) -> Trip:
        secret = f"{attempt}\0{browser}"
        nonce, verifier = self._guard.sign("nonce", secret), self._guard.sign("verifier", secret)
        return Trip(state, nonce, verifier, self.redirect(provider))

    def _seal(self, attempt: str, browser: str, provider: str, to: str) -> str:
        return self._guard.sign("trip", f"{attempt}\0{browser}\0{provider}\0{to}")


def _spell(path: str) -> str:
    return base64.urlsafe_b64encode(path.encode()).decode().rstrip("=")


def _read(text: str) -> str:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""
