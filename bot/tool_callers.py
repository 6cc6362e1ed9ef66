"""Who called an operation, asked again before it runs: hours may have gone by since their message proved them."""

from __future__ import annotations

from functools import partial

from bot.authority import Authority
from core.dues import Due
from core.people import Membership, Standing
from core.reading import Records
from core.use_cases.fires import Fire
from core.use_cases.loop_places import copy_in
from core.use_cases.tool_reviews import UNKNOWN_CALLER, CallerNow, fire_tool


class ToolCallers:
    """Asks the chats about whoever called an operation that was looked at, outside any transaction."""

    def __init__(self, records: Records, authority: Authority) -> None:
        self._records = records
        self._authority = authority

    async def fire(self, due: Due) -> Fire:
        """How a call is run, with what its chat says of its caller now."""
        return partial(fire_tool, caller=await self._caller(due))

    async def _caller(self, due: Due) -> CallerNow:
        call = await self._records.tool_call(due.workspace, due.subject)
        if call is None or call.by.type != "person" or call.identity is None:
            return UNKNOWN_CALLER
        conversation = await self._records.conversation(call.workspace, call.conversation, None)
        copy = copy_in(conversation) if conversation is not None else None
        if copy is None:
            return UNKNOWN_CALLER
        membership = await self._authority.is_in(call.workspace, call.identity, copy)
        # Telegram says of an account only whether it is somewhere, and knows no guests.
        hint = Standing(known=membership is not Membership.UNDETERMINED)
        return CallerNow(await self._authority.standing(call.workspace, call.identity, hint), membership)
