"""Two members who turn out to be one: everything that names the one names the other from then on."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Text, cast, delete, or_, select, update

from core.dues import DueKind
from core.loops.outcomes import OPEN_STATES
from core.loops.places import FollowUpState
from core.merging import addressed_to, one_of, with_acts_of, with_work_of
from core.people import Person
from core.store.loop_rows import loop_of, names_holder
from core.store.rows import interaction_of
from core.store.tables import (
    PENDING,
    WAITING,
    answerers,
    drafts,
    dues,
    follow_ups,
    interactions,
    loop_prompts,
    loop_reminders,
    loops,
    outbox,
    prompts,
    reminders,
    sightings,
    tool_policies,
)
from core.store.work.directory import DirectoryWork
from core.store.work.dues import DueWork, due_of
from core.store.work.loops import LoopsWork


class MergingWork(DirectoryWork, DueWork, LoopsWork):
    """Make one member another."""

    async def _absorb(self, old: Person, taker: Person) -> None:
        """Let `taker` have all that `old` has, who is removed with the accounts that they have."""
        await self._take_acts(old, taker)
        await self._take_work(old, taker)
        await self._take_times(old, taker)
        await self._take_what_is_owed(old, taker)
        await self._take_forms(old, taker)
        seen = select(sightings.c.conversation).where(sightings.c.person == taker.id).scalar_subquery()
        await self._run(
            update(sightings)
            .where(sightings.c.person == old.id, sightings.c.conversation.not_in(seen))
            .values(person=taker.id)
        )
        await self.remove_person(old.workspace, old.id)
        await self.save_person(one_of(taker, old))

    async def _take_acts(self, old: Person, taker: Person) -> None:
        """What is pending knows them by the person's name from now on."""
        table = interactions.c
        named = select(answerers.c.interaction).where(
            answerers.c.workspace == taker.workspace, answerers.c.answerer == f"person:{old.handle}"
        )
        known_by_id = (table.votes, table.ticks, table.verdicts, table.connecting, table.delegations, table.reminding)
        acted = (_says(column, old.id) for column in known_by_id)
        found = await self._all(
            select(interactions)
            .where(
                table.workspace == taker.workspace,
                table.status == PENDING,
                or_(
                    table.creator_id == old.id,
                    *acted,
                    _says(table.policy, f'"person:{old.handle}"'),
                    table.id.in_(named.scalar_subquery()),
                ),
            )
            .order_by(table.id)
            .with_for_update(key_share=True)
        )
        for row in found:
            before = interaction_of(row)
            await self.save_interaction(before, with_acts_of(before, old, taker), None)

    async def _take_work(self, old: Person, taker: Person) -> None:
        """Work orders that they are to do, have taken or gave are theirs; so are their follow-ups."""
        table = loops.c
        is_open = table.state.in_([state.value for state in OPEN_STATES])
        named = (table.recipient == f"person:{old.handle}", table.sender_id == old.id, names_holder(old.id))
        acted = (_says(column, old.id) for column in (table.slots, table.acknowledged, table.started))
        found = await self._all(
            select(loops)
            .where(table.workspace == taker.workspace, is_open, or_(*named, *acted))
            .order_by(table.id)
            .with_for_update(key_share=True)
        )
        for row in found:
            loop = loop_of(row)
            await self.save_loop(loop, with_work_of(loop, old, taker))
        waits = (follow_ups.c.workspace == taker.workspace, follow_ups.c.state == FollowUpState.WAITING.value)
        for row in await self._all(select(follow_ups).where(*waits, _says(follow_ups.c.by, old.id))):
            by = {**row.by, "id": taker.id, "handle": taker.handle, "name": taker.name}
            await self._run(update(follow_ups).where(follow_ups.c.id == row.id).values(by=by))

    async def _take_times(self, old: Person, taker: Person) -> None:
        """They are reminded when either wanted to be, and what each was reminded of counts for one."""
        for table in (reminders, loop_reminders):
            own = (table.c.workspace == taker.workspace, table.c.recipient == old.id)
            await self._run(update(table).where(*own).values(recipient=taker.id))
        own = (reminders.c.workspace == taker.workspace, reminders.c.person == old.id)
        await self._run(update(reminders).where(*own).values(person=taker.id))
        subject = dues.c.subject
        theirs = or_(
            (dues.c.kind == DueKind.SNOOZE.value) & subject.endswith(f"/{old.id}", autoescape=True),
            dues.c.kind.in_([DueKind.HELD.value, DueKind.DIGEST.value]) & (subject == old.id),
        )
        for row in await self._all(select(dues).where(dues.c.workspace == taker.workspace, theirs).with_for_update()):
            due = due_of(row)
            await self.set_due(due.kind, due.subject, due.workspace, None)
            moved = due.subject.removesuffix(old.id) + taker.id
            known = await self.due(due.kind, moved)
            # Whoever put something off twice is left alone until the later time.
            at = max(known.due_at, due.due_at) if known is not None else due.due_at
            await self.set_due(due.kind, moved, due.workspace, at)

    async def _take_what_is_owed(self, old: Person, taker: Person) -> None:
        """What is on its way to them still goes to them, and calls of operations are still looked at by them."""
        waits = (outbox.c.workspace == taker.workspace, outbox.c.state == WAITING, _says(outbox.c.task, old.id))
        for row in await self._all(select(outbox.c.id, outbox.c.task).where(*waits)):
            if row.task.get("person") == old.id:
                task = {**row.task, "person": taker.id}
                await self._run(update(outbox).where(outbox.c.id == row.id).values(task=task))
        own = tool_policies.c.workspace == taker.workspace
        for row in await self._all(select(tool_policies).where(own)):
            named = list(addressed_to(row.reviewers, old, taker))
            if named != row.reviewers:
                await self._run(update(tool_policies).where(own, tool_policies.c.op == row.op).values(reviewers=named))

    async def _take_forms(self, old: Person, taker: Person) -> None:
        """What they have filled in goes on, and prompts still wait for their words."""
        page, other = f"review:{old.id}", f"review:{taker.id}"
        begun = select(drafts.c.interaction).where(drafts.c.scope == other).scalar_subquery()
        own = (drafts.c.scope == page, drafts.c.interaction.not_in(begun))
        await self._run(update(drafts).where(*own).values(scope=other, person=taker.id, name=taker.name))
        await self._run(delete(drafts).where(drafts.c.scope == page))
        theirs = drafts.c.person == old.id
        await self._run(update(drafts).where(theirs).values(person=taker.id, name=taker.name))
        for table in (prompts, loop_prompts):
            await self._run(update(table).where(table.c.person == old.id).values(person=taker.id))


def _says(column: ColumnElement[object], word: str) -> ColumnElement[bool]:
    """Whether a document holds a word."""
    return cast(column, Text).contains(word, autoescape=True)
