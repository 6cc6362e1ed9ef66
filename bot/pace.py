"""How fast each provider lets us write, and in which buckets a call counts.

Whoever keeps the buckets (`core.pacing.Turns`) does so for every process that writes to the same chats.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Final

import structlog

from core.addresses import Provider
from core.outbox import Lane
from core.pacing import Bucket, Turns

log = structlog.get_logger("sayso.pace")


@dataclass(frozen=True)
class Rate:
    """`burst` calls at once, then `per_second` of them. An endless one (`ENDLESS`) counts nothing."""

    per_second: float
    burst: int


ENDLESS: Final = Rate(inf, 1)

# Slack: chat.postMessage about one a second per channel with short bursts, chat.update tier 3 (50 a minute) per
# workspace. Telegram: one a second per chat, twenty a minute per group (edits count too), thirty a second in all.
# What is saved up counts too: no minute may see more than twenty in a group, nor more than fifty edits in Slack; a few
# calls fewer, because one may reach the provider later than its turn, and so beside the next. For the same reason a
# conversation in which there is always more to say is written to a little slower than it takes: what the provider
# allows at once fills up again only while less is sent than that.
PER_CONVERSATION: Final[Mapping[tuple[Provider, bool], Rate]] = {
    (Provider.SLACK, False): Rate(0.8, 3),
    (Provider.SLACK, True): Rate(0.8, 3),
    (Provider.TELEGRAM, False): Rate(0.8, 3),
    (Provider.TELEGRAM, True): Rate(10 / 60, 9),
}
PER_ACCOUNT: Final[Mapping[tuple[Provider, Lane], Rate]] = {
    (Provider.SLACK, Lane.POST): Rate(4.0, 20),
    (Provider.SLACK, Lane.TALK): Rate(4.0, 20),
    (Provider.SLACK, Lane.NUDGE): Rate(2.0, 8),
    (Provider.SLACK, Lane.REDRAW): Rate(28 / 60, 18),
    # A card is posted once and drawn again each time somebody does something with it, so redraws have the largest part.
    # At once go half as many as a second takes: what comes half a second late comes beside those of that half second.
    (Provider.TELEGRAM, Lane.POST): Rate(8.0, 4),
    (Provider.TELEGRAM, Lane.TALK): Rate(6.0, 3),
    (Provider.TELEGRAM, Lane.NUDGE): Rate(3.0, 2),
    (Provider.TELEGRAM, Lane.REDRAW): Rate(12.0, 6),
}
# Slack counts deletions as another method, of fifty a minute. Telegram counts messages and edits, and does not say how
# many deletions it lets through; one a second in a chat goes by what it says of everything else.
DELETIONS: Final[Mapping[Provider, Rate]] = {Provider.SLACK: Rate(28 / 60, 18), Provider.TELEGRAM: Rate(0.8, 3)}
PER_MESSAGE: Final[Mapping[Provider, Rate]] = {Provider.SLACK: Rate(1.0, 3), Provider.TELEGRAM: Rate(1.0, 3)}
"""How often one card is drawn again: nobody reads faster, and a card on which many people act at once must not use up
the edits that all others share. What changes meanwhile is drawn together."""
RESERVED: Final = 3
"""Calls of a conversation's bucket that redraws and reminders leave to posts and answers."""
POSTS: Final = 2 / 3
"""The share of a Telegram chat's bucket that posts and answers use up in the long run, and not more, as redraws count
there too: however much there is to post, a card that ended comes to say so."""
LONGEST_KEPT: Final = 5.0
"""Seconds ahead of which a turn is taken. What must wait longer asks again, so that nobody holds turns for what may
never go out."""
LONGEST_TALK: Final = 60.0
"""Seconds after which an answer to what somebody said is no answer any more."""
LATE: Final = 0.5
"""Seconds by which a call may come after its turn. Those who wait for turns of one chat and all come later, as their
process stood still, would come at once; so whoever is later than that asks for another turn. A chat of two bears calls
that are 1.5 seconds late, a bot as a whole calls that are half a second late."""
TRIES: Final = 3
"""How often a turn is asked for that comes late each time, before the call goes out all the same."""


@dataclass(frozen=True)
class Rates:
    """How fast everything may go: the documented limits unless others are given."""

    per_conversation: Mapping[tuple[Provider, bool], Rate] = field(default_factory=lambda: PER_CONVERSATION)
    per_account: Mapping[tuple[Provider, Lane], Rate] = field(default_factory=lambda: PER_ACCOUNT)
    per_message: Mapping[Provider, Rate] = field(default_factory=lambda: PER_MESSAGE)
    deletions: Mapping[Provider, Rate] = field(default_factory=lambda: DELETIONS)


@dataclass(frozen=True)
class Call:
    """A call to a chat. `message` is what a redraw draws again; what only `deletes` uses up nothing of what may be
    written."""

    provider: Provider
    account: str
    conversation: str
    lane: Lane
    message: str = ""
    deletes: bool = False

    @property
    def in_group(self) -> bool:
        """Whether it goes to a Telegram group, which takes less than a chat of two."""
        return self.provider is Provider.TELEGRAM and self.conversation.startswith("-")


class Pace:
    """Says when a call may go out, and waits for it. `now` is in seconds, from any zero."""

    def __init__(
        self,
        turns: Turns,
        rates: Rates | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._turns = turns
        self._rates = rates or Rates()
        self._sleep = sleep
        self.now = now

    async def wait(self, call: Call, within: float) -> float:
        """Wait until a call may go out, and return 0. Where that takes longer than `within`, return the seconds after
        which to ask again. A turn that came late is used up, and so is one before which the provider wanted to be left
        alone: another is waited for. So the calls of all processes keep their distance when they are made, and not
        only when they are planned."""
        for _ in range(TRIES):
            asked = self.now()
            wait = await self.take(call, within)
            if wait > within:
                return wait
            if wait > 0:
                await self._sleep(wait)
            if self.now() - asked - wait <= LATE and not (wait > 0 and await self._turns.held(self._of(call)) > 0):
                return 0.0
        return 0.0

    async def wait_long(self, call: Call, longest: float) -> bool:
        """Wait until a call may go out. False: that takes longer than `longest` seconds."""
        left = longest
        while True:
            wait = await self.wait(call, min(left, LONGEST_KEPT))
            if wait == 0:
                return True
            if wait > left:
                return False
            await self._sleep(LONGEST_KEPT)
            left -= LONGEST_KEPT

    async def take(self, call: Call, within: float) -> float:
        """Seconds until a call may go out. Up to `within`, it need not ask again; beyond, it is to ask again then."""
        buckets = self._of(call)
        return await self._turns.take(buckets, within) if buckets else 0.0

    def counts(self, call: Call) -> bool:
        """Whether there is any limit to such calls."""
        return bool(self._of(call))

    async def hold(self, call: Call, seconds: float) -> None:
        """The provider refused a call as one too many, for so many seconds: let others like it wait as well."""
        # Slack counts a method per workspace. Telegram does not say what there was too much of; most often one chat.
        own = self._of_account(call) if call.provider is Provider.SLACK else []
        buckets = self._of(call) if call.deletes else [*own, *self._of_conversation(call)]
        if not buckets:
            return
        try:
            await self._turns.hold(buckets, seconds)
        except Exception:
            # Then the others are told by the provider, each by itself.
            log.exception("pace not held", provider=call.provider.value)

    async def forget(self) -> int:
        """Drop what need not be known any more."""
        return await self._turns.forget()

    def _of(self, call: Call) -> list[Bucket]:
        if call.deletes:
            where = f" {call.conversation}" if call.provider is Provider.TELEGRAM else ""
            return _bucket(call, f"deletions{where}", self._rates.deletions[call.provider])
        return [*self._of_account(call), *self._of_conversation(call), *self._of_message(call)]

    def _of_account(self, call: Call) -> list[Bucket]:
        return _bucket(call, f"lane:{call.lane.value}", self._rates.per_account[call.provider, call.lane])

    def _of_conversation(self, call: Call) -> list[Bucket]:
        if call.provider is Provider.SLACK and call.lane is Lane.REDRAW:
            return []  # Slack counts edits per workspace, not per channel
        own = self._rates.per_conversation[call.provider, call.in_group]
        is_patient = call.lane in (Lane.REDRAW, Lane.NUDGE)
        spare = RESERVED if is_patient and own.burst > RESERVED else 0
        found = _bucket(call, call.conversation, own, spare)
        if call.provider is Provider.TELEGRAM and not is_patient:
            found += _bucket(call, f"posts:{call.conversation}", Rate(own.per_second * POSTS, own.burst))
        if call.in_group:
            # A group is a chat too, and takes one a second; so many a minute come on top.
            found += _bucket(call, f"chat:{call.conversation}", self._rates.per_conversation[call.provider, False])
        return found

    def _of_message(self, call: Call) -> list[Bucket]:
        if call.lane is not Lane.REDRAW or not call.message:
            return []
        return _bucket(call, f"message:{call.message}", self._rates.per_message[call.provider])


class Talk:
    """Turns at what is said at once and not through the outbox: answers to whoever wrote to an account of this chat."""

    def __init__(self, pace: Pace, provider: Provider) -> None:
        self._pace = pace
        self._provider = provider

    async def take(self, account: str, conversation: str) -> bool:
        """Wait until the account may write there. False: that takes longer than anybody waits for an answer."""
        return await self._pace.wait_long(Call(self._provider, account, conversation, Lane.TALK), LONGEST_TALK)

    async def hold(self, account: str, conversation: str, seconds: float) -> None:
        """The provider refused such words as one message too many, for so many seconds."""
        await self._pace.hold(Call(self._provider, account, conversation, Lane.TALK), seconds)


def _bucket(call: Call, name: str, rate: Rate, spare: int = 0) -> list[Bucket]:
    if rate.per_second == inf:
        return []
    return [Bucket(f"{call.provider.value}.{call.account} {name}", 1 / rate.per_second, rate.burst, spare)]
