"""How fast each provider lets us write, and how long a call must wait to stay within that.

Buckets live in one process, so several processes together may write faster than this; the provider's own
`Retry-After` is obeyed besides, by the relay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.addresses import Provider
from core.outbox import Lane


@dataclass(frozen=True)
class Rate:
    """A bucket of `burst` calls that refills at `per_second`."""

    per_second: float
    burst: int


# Slack: chat.postMessage about one a second per channel with short bursts, chat.update tier 3 (50 a minute) per
# workspace. Telegram: one a second per chat, twenty a minute per group (edits count too), thirty a second in all.
PER_CONVERSATION: dict[tuple[Provider, bool], Rate] = {
    (Provider.SLACK, False): Rate(1.0, 3),
    (Provider.SLACK, True): Rate(1.0, 3),
    (Provider.TELEGRAM, False): Rate(1.0, 3),
    (Provider.TELEGRAM, True): Rate(20 / 60, 16),
}
PER_ACCOUNT: dict[tuple[Provider, Lane], Rate] = {
    (Provider.SLACK, Lane.POST): Rate(4.0, 20),
    (Provider.SLACK, Lane.TALK): Rate(4.0, 20),
    (Provider.SLACK, Lane.NUDGE): Rate(2.0, 8),
    # What is saved up counts too: no minute may see more than fifty.
    (Provider.SLACK, Lane.REDRAW): Rate(29 / 60, 20),
    (Provider.TELEGRAM, Lane.POST): Rate(9.0, 9),
    (Provider.TELEGRAM, Lane.TALK): Rate(9.0, 9),
    (Provider.TELEGRAM, Lane.NUDGE): Rate(5.0, 5),
    (Provider.TELEGRAM, Lane.REDRAW): Rate(9.0, 9),
}
PER_MESSAGE: dict[Provider, Rate] = {Provider.SLACK: Rate(1.0, 3), Provider.TELEGRAM: Rate(1.0, 3)}
"""How often one card is drawn again: nobody reads faster, and a card on which many people act at once must not use up
the edits that all others share. What changes meanwhile is drawn together."""
RESERVED = 3
"""Calls of a conversation's bucket that redraws and reminders leave to posts and answers."""


@dataclass
class _Bucket:
    level: float
    at: float


class Pace:
    """Token buckets per message, per conversation and per account. Times are monotonic seconds."""

    def __init__(
        self,
        per_conversation: Mapping[tuple[Provider, bool], Rate] | None = None,
        per_account: Mapping[tuple[Provider, Lane], Rate] | None = None,
        per_message: Mapping[Provider, Rate] | None = None,
    ) -> None:
        self._per_conversation = per_conversation or PER_CONVERSATION
        self._per_account = per_account or PER_ACCOUNT
        self._per_message = per_message or PER_MESSAGE
        self._buckets: dict[tuple[str, str], _Bucket] = {}

    def wait(
        self, provider: Provider, account: str, conversation: str, lane: Lane, now: float, message: str = ""
    ) -> float:
        """Seconds until this call may go out. Zero takes the call from the buckets; anything else takes nothing.

        `message` is what a redraw draws again.
        """
        group = provider is Provider.TELEGRAM and conversation.startswith("-")
        own = self._per_conversation[provider, group]
        spare = RESERVED if lane in (Lane.REDRAW, Lane.NUDGE) and own.burst > RESERVED else 0
        wanted = [(f"lane:{lane.value}", self._per_account[provider, lane], 0)]
        # Slack counts edits per workspace, not per channel.
        if provider is not Provider.SLACK or lane is not Lane.REDRAW:
            wanted.append((conversation, own, spare))
        if group:
            # A group is a chat too, and takes one a second; the twenty a minute come on top.
            wanted.append((f"chat:{conversation}", self._per_conversation[provider, False], 0))
        if lane is Lane.REDRAW and message:
            wanted.append((f"message:{message}", self._per_message[provider], 0))
        keyed = [((f"{provider.value}.{account}", name), rate, reserve) for name, rate, reserve in wanted]
        delays = [self._delay(key, rate, reserve, now) for key, rate, reserve in keyed]
        if max(delays) > 0:
            return max(delays)
        for key, _, _ in keyed:
            self._buckets[key].level -= 1
        return 0.0

    def _delay(self, key: tuple[str, str], rate: Rate, reserve: int, now: float) -> float:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = _Bucket(rate.burst, now)
            if len(self._buckets) > 20_000:
                self._forget_full(now)
        bucket.level = min(rate.burst, bucket.level + (now - bucket.at) * rate.per_second)
        bucket.at = now
        missing = 1 + reserve - bucket.level
        return missing / rate.per_second if missing > 0 else 0.0

    def _forget_full(self, now: float) -> None:
        old = [key for key, bucket in self._buckets.items() if now - bucket.at > 300]
        for key in old:
            del self._buckets[key]
