"""Requests that are sent again: how often, after what, and who is told meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

AWAY = frozenset({429, 502, 503, 504})
"""What is answered for a service that is away or busy."""
TRIES = 5
RULES: dict[str, Any] = {
    "allowed_methods": None,  # every request made here is safe to repeat, or has the narrower rule
    "backoff_factor": 0.5,
    "backoff_jitter": 0.5,
    "raise_on_status": False,
    "respect_retry_after_header": True,
}

BeforeAgain = Callable[[int | None], None]
"""Told that a request is about to be sent again, and the status that was answered (None: nothing was)."""


class Resend(Retry):
    """urllib3's rules, which tell `before_again`: it may be a while, and whoever waits should know why."""

    before_again: BeforeAgain | None = None

    def new(self, **changes: Any) -> Self:
        """urllib3 makes a new one for each try."""
        made = super().new(**changes)
        made.before_again = self.before_again
        return made

    def increment(self, *given: Any, **named: Any) -> Self:
        """Count a failed try. Raises `MaxRetryError` when it was the last."""
        after = super().increment(*given, **named)
        response = named.get("response")
        if self.before_again is not None:
            self.before_again(response.status if response is not None else None)
        return after


def session(key: str, before_again: BeforeAgain, *, repeatable: bool) -> requests.Session:
    """Connections that carry a key. Not `repeatable`: sent again only when it certainly did not arrive."""
    narrow = {"status_forcelist": AWAY} if repeatable else {"read": 0, "other": 0, "status_forcelist": {429}}
    rules = Resend(TRIES, **narrow, **RULES)
    rules.before_again = before_again
    made = requests.Session()
    made.headers.update({"Authorization": f"Bearer {key}", "Accept": "application/json"})
    for scheme in ("http://", "https://"):
        made.mount(scheme, HTTPAdapter(max_retries=rules))
    return made
