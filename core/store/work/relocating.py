"""A chat that got a new id: the conversations that are in it, and the cards of their open loops."""

from __future__ import annotations

from typing import Any

from sqlalchemy import or_, select

from core.loops.places import Conversation
from core.loops.values import Loop
from core.publications import PublicationState
from core.store.loop_rows import conversation_of
from core.store.tables import conversations
from core.store.work.conversations import ConversationsWork
from core.store.work.loops import LoopsWork


class RelocatingWork(LoopsWork, ConversationsWork):
    """Move conversations."""

    async def move_conversations(self, provider: str, account: str, old: str, new: str) -> tuple[Loop, ...]:
        table = conversations.c
        rows = await self._all(
            select(conversations)
            .where(table.provider == provider, table.account == account, or_(table.channel == old, table.place == old))
            .order_by(table.id)
        )
        moved: list[Loop] = []
        for row in rows:
            before = conversation_of(row)
            await self.save_conversation(_moved(before, old, new))
            for one in await self.loops_in(before.id, open_only=True):
                loop = await self.loop(one.workspace, one.id)
                if loop is None or loop.card is None or loop.card.state is PublicationState.FAILED:
                    continue
                anew: dict[str, Any] = {"place": new, "channel": new, "message": None, "reply_to": None}
                anew |= {"state": PublicationState.QUEUED, "attempt_at": None, "posts": 0, "shown_version": None}
                after = loop.model_copy(update={"card": loop.card.model_copy(update=anew)})
                await self.save_loop(loop, after)
                moved.append(after)
        return tuple(moved)


def _moved(before: Conversation, old: str, new: str) -> Conversation:
    """Messages stay behind, so a conversation that began with one begins anew."""
    places = {name: new for name in ("place", "channel") if getattr(before, name) == old}
    return before.model_copy(update={**places, "root": None})
