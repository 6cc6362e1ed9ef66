"""A conversation that got a new id, such as a Telegram group that became a supergroup."""

from __future__ import annotations

from core.ports import Context, Work
from core.use_cases.loop_recording import post_loop
from core.use_cases.recording import post
from core.use_cases.transact import transact


async def move(context: Context, provider: str, account: str, old: str, new: str, *, but: str | None = None) -> None:
    """Re-address everything in the conversation and post its open cards anew: the messages stayed behind.

    The copy `but` is being posted already. Doing it twice is harmless: the second time nothing is at the old id.
    """

    async def inner(work: Work) -> None:
        for publication in await work.move_channel(provider, account, old, new):
            if publication.id != but:
                await post(work, context, publication, context.clock.now())
        for loop in await work.move_conversations(provider, account, old, new):
            await post_loop(work, context, loop, context.clock.now())

    await transact(context, inner)
