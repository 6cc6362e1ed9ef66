"""Replies that come before we know what they reply to: a prompt that its reader had before the provider told us so."""

from __future__ import annotations

from core.ports import Context
from core.use_cases.arrivals import Message


async def may_overtake(context: Context, message: Message) -> bool:
    """Whether a message replies to one that is unknown here and may be a prompt that is just being sent."""
    if message.reply_to is None or not message.to_us:
        return False
    at = (message.provider.value, message.account, message.channel, message.reply_to)
    async with context.work() as work:
        if not await work.is_being_said(message.conversation):
            return False
        return await work.prompt_at(*at) is None and await work.loop_prompt_at(*at) is None
