"""Loops: loaded under a lock, written under a condition, with a chain of receipts each."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, false, insert, or_, select, update

from core.errors import Raced
from core.loops.outcomes import OPEN_STATES
from core.loops.places import LoopPrompt
from core.loops.values import Loop
from core.people import Agent, Person
from core.receipts import Receipt, ReceiptDraft, seal
from core.store.loop_rows import loop_of, loop_prompt_of, loop_receipt_row, loop_row, names_holder
from core.store.rows import changeable, receipt_of
from core.store.tables import conversations, loop_prompts, loop_receipts, loops
from core.store.transaction import Transaction

places = conversations.c
_SPELLINGS = [(within, thread) for within in ("", "%.") for thread in ("", "/%")]
"""How an account is addressed: with the team or bot that it counts within, and with a thread."""


class LoopsWork(Transaction):
    """Load, insert and conditionally write loops and their receipts."""

    async def loop(self, workspace: str, id: str) -> Loop | None:
        return await self._loop(loops.c.workspace == workspace, loops.c.id == id)

    async def loop_named(self, workspace: str, name: str) -> Loop | None:
        return await self._loop(loops.c.workspace == workspace, loops.c.name == name)

    async def loop_at(self, provider: str, account: str, channel: str, message: str) -> Loop | None:
        table = loops.c
        return await self._loop(
            table.card_provider == provider,
            table.card_account == account,
            table.card_channel == channel,
            table.card_message == message,
        )

    async def _loop(self, *which: ColumnElement[bool]) -> Loop | None:
        row = await self._one(select(loops).where(*which).with_for_update(key_share=True))
        return loop_of(row) if row else None

    async def loops_in(self, conversation: str, *, open_only: bool = False, limit: int = 50) -> tuple[Loop, ...]:
        table = loops.c
        statement = select(loops).where(table.conversation == conversation).order_by(table.id.desc()).limit(limit)
        if open_only:
            statement = statement.where(table.state.in_([state.value for state in OPEN_STATES]))
        return tuple(loop_of(row) for row in await self._all(statement))

    async def loops_of_agent(self, workspace: str, agent: Agent) -> tuple[Loop, ...]:
        table = loops.c
        its = or_(table.sender_id == agent.id, table.recipient == f"agent:{agent.name}", names_holder(agent.id))
        is_open = table.state.in_([state.value for state in OPEN_STATES])
        rows = await self._all(select(loops).where(table.workspace == workspace, is_open, its).order_by(table.id))
        return tuple(loop_of(row) for row in rows)

    async def loops_of_person(self, workspace: str, person: Person) -> tuple[Loop, ...]:
        table = loops.c
        accounts = [(one.provider, one.user) for one in person.identities if one.provider != "oidc"]
        spelled = [f"{chat}:{within}{user}{thread}" for chat, user in accounts for within, thread in _SPELLINGS]
        at = or_(false(), *(table.recipient.like(one) for one in spelled))
        own = or_(false(), *(and_(places.provider == chat, places.place == user) for chat, user in accounts))
        there = select(conversations.c.id).where(places.workspace == workspace, own)
        their_own = and_(table.sender_id == person.id, table.conversation.in_(there.scalar_subquery()))
        theirs = or_(table.recipient == f"person:{person.handle}", names_holder(person.id), at, their_own)
        is_open = table.state.in_([state.value for state in OPEN_STATES])
        rows = await self._all(select(loops).where(table.workspace == workspace, is_open, theirs).order_by(table.id))
        return tuple(loop_of(row) for row in rows)

    async def add_loop(self, loop: Loop) -> None:
        await self._run(insert(loops).values(loop_row(loop)))
        self._touched.add(loop.id)

    async def save_loop(self, before: Loop, after: Loop) -> None:
        if after.id != before.id or after.workspace != before.workspace or after.version < before.version:
            raise ValueError(f"{after.id} at version {after.version} is no successor of {before.id}")
        unchanged = (
            loops.c.id == before.id,
            loops.c.workspace == before.workspace,
            loops.c.version == before.version,
            loops.c.state == before.state.value,
        )
        if await self._changed(update(loops).where(*unchanged).values(_written(after))) != 1:
            self._failed = True
            raise Raced(f"{before.id} is no longer at version {before.version}")
        self._touched.add(after.id)

    async def record_loop(self, draft: ReceiptDraft, loop: str) -> Receipt:
        owner = await self._one(select(loops.c.workspace).where(loops.c.id == loop).with_for_update(key_share=True))
        if owner is None:
            raise LookupError(f"there is no loop {loop}")
        last = await self._first(
            select(loop_receipts).where(loop_receipts.c.loop == loop).order_by(loop_receipts.c.seq.desc()).limit(1)
        )
        receipt = seal(draft, receipt_of(last) if last else None, loop, self._signer)
        await self._run(insert(loop_receipts).values(loop_receipt_row(receipt, owner.workspace, loop)))
        self._touched.add(loop)
        return receipt

    async def loop_receipts(self, loop: str) -> tuple[Receipt, ...]:
        rows = await self._all(select(loop_receipts).where(loop_receipts.c.loop == loop).order_by(loop_receipts.c.seq))
        return tuple(receipt_of(row) for row in rows)

    async def add_loop_prompt(self, prompt: LoopPrompt) -> None:
        row = prompt.model_dump()
        where = ["provider", "account", "channel", "message"]
        await self._run(self._upsert(loop_prompts).values(row).on_conflict_do_update(index_elements=where, set_=row))

    async def loop_prompt_at(self, provider: str, account: str, channel: str, message: str) -> LoopPrompt | None:
        table = loop_prompts.c
        row = await self._one(
            select(loop_prompts).where(
                table.provider == provider,
                table.account == account,
                table.channel == channel,
                table.message == message,
            )
        )
        return loop_prompt_of(row) if row else None


def _written(loop: Loop) -> dict[str, Any]:
    return changeable(loop_row(loop))
