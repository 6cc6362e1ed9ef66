"""Tampering with deliveries: updates out of nowhere, deliveries repeated, deliveries forged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.updates import KINDS, Update, UpdateQueue
from bot.sandbox.telegram.webhook import WebhookSender


class Wire:
    """A hand on the line between the platform and the bot."""

    def __init__(self, queue: UpdateQueue, webhook: WebhookSender) -> None:
        self._queue = queue
        self._webhook = webhook

    def deliver(self, update: Mapping[str, Any]) -> Update:
        """Send any update, whatever is allowed; without an `update_id` it gets the next one."""
        kinds = [name for name in update if name != "update_id"]
        if len(kinds) != 1 or kinds[0] not in KINDS:
            raise Impossible(f"an update has exactly one kind, this has {kinds}")
        body = update[kinds[0]]
        number = update.get("update_id")
        return self._queue.put(kinds[0], body, "wire", None if number is None else int(number))

    async def redeliver(self, times: int = 1) -> list[int | None]:
        """Deliver the latest update again under its old number: at once to a webhook, else with the next
        polls.

        Return the status of each post; none for polls.
        """
        update = self._queue.last
        if update is None:
            raise Impossible("nothing was delivered yet")
        if self._webhook.hook is None:
            for _ in range(times):
                self._queue.repeat(update)
            return []
        secret = self._webhook.hook.secret
        return [(await self._webhook.post(update.payload, secret=secret)).status for _ in range(times)]

    async def forge(self, update: Mapping[str, Any], secret: str | None = None) -> int | None:
        """Post an update to the webhook as a stranger would, with a guessed secret or none; return the
        status.
        """
        if self._webhook.hook is None:
            raise Impossible("no webhook is set")
        return (await self._webhook.post(update, secret=secret)).status
