"""Copies of interactions. Loading one locks its interaction, so that whoever writes it has read the newest."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, delete, false, or_, select, update

from core.addresses import ChatAddress, Provider
from core.outbox import AskWords, Say
from core.people import Person
from core.publications import Publication, PublicationState
from core.store.rows import changeable, delivery_of, publication_of, publication_row
from core.store.statements import COPIES, Insert
from core.store.tables import (
    CLAIMED,
    PENDING,
    WAITING,
    drafts,
    interactions,
    outbox,
    prompts,
    publications,
    reminders,
    sightings,
)
from core.store.transaction import Transaction


class PublicationsWork(Transaction):
    """Load and write copies, find one by its message, move a conversation."""

    async def publications(self, interaction: str) -> tuple[Publication, ...]:
        await self._lock(interaction)
        rows = await self._all(COPIES, {"interaction": interaction}, sees=(publications,))
        return tuple(publication_of(row) for row in rows)

    async def publication(self, id: str) -> Publication | None:
        return await self._publication(publications.c.id == id)

    async def publication_at(self, provider: str, account: str, channel: str, message: str) -> Publication | None:
        table = publications.c
        return await self._publication(
            table.provider == provider, table.account == account, table.channel == channel, table.message == message
        )

    async def copy_reminded_of(self, provider: str, account: str, channel: str, message: str) -> Publication | None:
        row = await self._one(
            select(publications.c.id)
            .join(reminders, reminders.c.publication == publications.c.id)
            .where(
                reminders.c.channel == channel,
                reminders.c.message == message,
                publications.c.provider == provider,
                publications.c.account == account,
            )
        )
        return await self.publication(row.id) if row else None

    async def open_copies_in_thread(
        self, provider: str, account: str, channel: str, thread: str
    ) -> tuple[Publication, ...]:
        table = publications.c
        rows = await self._all(
            select(publications)
            .join(interactions, interactions.c.id == table.interaction)
            .where(
                interactions.c.status == PENDING,
                table.provider == provider,
                table.account == account,
                table.place == channel,
                table.thread == thread,
                table.message.is_not(None),
            )
            .order_by(table.id)
            .limit(20)
        )
        return tuple(publication_of(row) for row in rows)

    async def open_copies_to(self, workspace: str, person: Person, limit: int) -> tuple[Publication, ...]:
        table = publications.c
        accounts = [(one.provider, one.user) for one in person.identities]
        theirs = or_(false(), *(and_(table.provider == chat, table.place == user) for chat, user in accounts))
        rows = await self._all(
            select(publications)
            .join(interactions, interactions.c.id == table.interaction)
            .where(table.workspace == workspace, theirs, table.state != PublicationState.FAILED.value)
            .where(interactions.c.status == PENDING)
            .order_by(table.id)
            .limit(limit)
        )
        return tuple(publication_of(row) for row in rows)

    async def _publication(self, *which: ColumnElement[bool]) -> Publication | None:
        found = await self._one(select(publications.c.interaction).where(*which))
        if found is None:
            return None
        await self._lock(found.interaction)
        row = await self._one(select(publications).where(*which))
        return publication_of(row) if row else None

    async def add_publication(self, publication: Publication) -> None:
        await self._later(Insert.PUBLICATION, publication_row(publication))
        self._touched.add(publication.interaction)

    async def save_publication(self, publication: Publication) -> None:
        row = changeable(publication_row(publication))
        if await self._changed(update(publications).where(publications.c.id == publication.id).values(row)) != 1:
            raise LookupError(f"there is no copy {publication.id}")
        self._touched.add(publication.interaction)

    async def move_channel(self, provider: str, account: str, old: str, new: str) -> tuple[Publication, ...]:
        was = str(ChatAddress(Provider(provider), account, old))
        now = str(ChatAddress(Provider(provider), account, new))
        await self._run(
            delete(prompts).where(
                prompts.c.provider == provider, prompts.c.account == account, prompts.c.channel == old
            )
        )
        await self._move_sightings(was, now)
        await self._move_drafts(was, now)
        await self._move_deliveries(provider, account, old, new)
        return await self._move_publications(provider, account, old, new)

    async def _move_sightings(self, was: str, now: str) -> None:
        known = select(sightings.c.person).where(sightings.c.conversation == now).scalar_subquery()
        await self._run(
            update(sightings)
            .where(sightings.c.conversation == was, sightings.c.person.not_in(known))
            .values(conversation=now)
        )
        await self._run(delete(sightings).where(sightings.c.conversation == was))

    async def _move_drafts(self, was: str, now: str) -> None:
        there = select(drafts.c.interaction).where(drafts.c.scope == now).scalar_subquery()
        await self._run(
            update(drafts).where(drafts.c.scope == was, drafts.c.interaction.not_in(there)).values(scope=now)
        )
        await self._run(delete(drafts).where(drafts.c.scope == was))

    async def _move_publications(self, provider: str, account: str, old: str, new: str) -> tuple[Publication, ...]:
        table = publications.c
        conversation = str(ChatAddress(Provider(provider), account, old))
        rows = await self._all(
            select(table.id, table.interaction)
            .join(interactions, interactions.c.id == table.interaction)
            .where(
                table.provider == provider,
                table.account == account,
                table.conversation == conversation,
                table.state != PublicationState.FAILED.value,
                interactions.c.status == PENDING,
            )
            .order_by(table.id)
        )
        moved = []
        for row in rows:
            before = await self.publication(row.id)
            if before is None:
                continue
            changes: dict[str, Any] = {"place": new, "channel": None, "message": None, "attempt_at": None}
            after = before.model_copy(update={**changes, "state": PublicationState.QUEUED})
            await self.save_publication(after)
            moved.append(after)
        return tuple(moved)

    async def _move_deliveries(self, provider: str, account: str, old: str, new: str) -> None:
        """Re-address words that are still owed, those too that a worker just learns of the move with. Messages they
        would have replied to stay behind."""
        owed = outbox.c.state.in_((WAITING, CLAIMED))
        rows = await self._all(
            select(outbox).where(owed, outbox.c.channel == old).order_by(outbox.c.seq).with_for_update()
        )
        for row in rows:
            task = delivery_of(row).task
            if isinstance(task, Say | AskWords) and (task.provider, task.account) == (provider, account):
                moved = task.model_copy(update={"channel": new, "reply_to": None, "thread": None})
                values = {"task": moved.model_dump(mode="json"), "channel": new}
                await self._run(update(outbox).where(outbox.c.seq == row.seq).values(values))
