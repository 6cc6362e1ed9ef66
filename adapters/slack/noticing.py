"""Who is told what only the receiving side can see, for whoever examines the service."""

from __future__ import annotations

from typing import Protocol


class Noticing(Protocol):
    """Told as it happens; nothing waits for it."""

    def signature(self, *, genuine: bool) -> None:
        """A request carried a fresh signature in the shape of Slack's: made with our signing secret, or not."""

    def socket(self, connections: int, own: int) -> None:
        """Slack let a connection in, and said how many the app has; `own` are ours, this one counted."""
