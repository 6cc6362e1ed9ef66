"""The contract of `core.ports.Work`: accounts that are given to a person and taken away."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from core.acts import Stamp
from core.audience import Audience
from core.controls import Action
from core.drafts import Draft
from core.dues import DueKind
from core.errors import Invalid, Raced
from core.loops import Claim, Result, decide
from core.loops.places import LoopPrompt
from core.outbox import AskWords, Lane
from core.people import Identity, Role, Via, by_person
from core.policy import Nudges, Policy
from core.reminding import LoopReminder, Reminder, ReminderState, Reminding, Snooze
from core.store import Store
from core.tools.policies import OpPolicy, ToolPolicy
from tests.contracts.test_work_people import GUEST, PASSER_BY
from tests.rules.making import NOW
from tests.store.making import ANA, BEN, ELSEWHERE, HERE, add, ask, named, owed, settle_in
from tests.store.ordering import follow_up, order, place


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def test_all_accounts_of_an_automatic_member_come_along_in_order(store: Store) -> None:
    more = Identity(provider="telegram", user="7")
    both = PASSER_BY.model_copy(update={"identities": (GUEST, more)})
    async with store.work() as work:
        await work.add_person(both)
        await work.add_identity(ANA.id, HERE, more)
        await work.commit()
    async with store.work() as work:
        found = await work.person(HERE, ANA.id)
        assert found is not None
        assert found.identities == (*ANA.identities, GUEST, more)
        assert await work.person(HERE, both.id) is None


async def test_an_account_is_taken_away_but_never_the_last_and_never_anothers(store: Store) -> None:
    first, *others = ANA.identities
    async with store.work() as work:
        assert not await work.remove_identity(HERE, ANA.id, GUEST)
        for one in others:
            assert await work.remove_identity(HERE, ANA.id, one)
        with pytest.raises(Invalid, match="only account"):
            await work.remove_identity(HERE, ANA.id, first)
        assert not await work.remove_identity(ELSEWHERE, ANA.id, first)
        await work.commit()
    async with store.work() as work:
        found = await work.person(HERE, ANA.id)
        assert found is not None
        assert found.identities == (first,)
        assert await work.person_by_identity(HERE, others[0]) is None


async def test_cards_and_work_of_an_automatic_member_go_on_as_the_persons(store: Store) -> None:
    asked = ask(1, audience=Audience(answerers=("person:x", "person:ben")))
    others = ask(2, audience=Audience(answerers=("person:xx",)))
    passing = by_person(PASSER_BY, GUEST)
    claimed = decide(order(1), Claim(), Stamp(NOW, passing, Via.SLACK, "rcp_1")).after
    bens = decide(order(2), Claim(), Stamp(NOW, by_person(BEN, None), Via.SLACK, "rcp_2")).after
    ended = decide(order(3), Result("done"), Stamp(NOW, passing, Via.SLACK, "rcp_3")).after
    prompt = LoopPrompt(
        provider="slack", account="T1", channel="C1", message="9", workspace=HERE, loop=claimed.id, action=1,
        person=PASSER_BY.id,
    )  # fmt: skip
    async with store.work() as work:
        await work.add_person(PASSER_BY)
        await work.add_conversation(place())
        for loop in (claimed, bens, ended):
            await work.add_loop(loop)
        await work.add_loop_prompt(prompt)
        await work.commit()
    await add(store, asked, others)
    async with store.work() as work:
        await work.add_identity(ANA.id, HERE, GUEST)
        await work.commit()
    async with store.work() as work:
        found = await work.interaction(HERE, asked.id)
        assert found is not None
        assert found.audience.answerers == ("person:ana", "person:ben")
        assert await work.pending_naming(HERE, "person:ana") == [asked.id]
        assert await work.pending_naming(HERE, "person:x") == []
        assert await work.interaction(HERE, others.id) == others
        theirs = await work.loop(HERE, claimed.id)
        assert theirs is not None
        assert theirs.claimed is not None
        assert theirs.claimed.by == by_person(ANA, GUEST)
        assert await work.loop(HERE, bens.id) == bens
        assert await work.loop(HERE, ended.id) == ended
        waits = await work.loop_prompt_at("slack", "T1", "C1", "9")
        assert waits is not None
        assert waits.person == ANA.id


async def test_times_and_what_is_owed_of_an_automatic_member_go_on_as_the_persons(store: Store) -> None:
    passing, later = by_person(PASSER_BY, GUEST), NOW + timedelta(hours=3)
    put_off = Reminding(snoozes=(Snooze(by=passing, until=later),))
    nudges = Nudges(every="30m", escalate_to=("person:x",))
    asked, brought = ask(1, reminding=put_off), ask(2, policy=Policy(nudges=nudges))
    theirs = order(1, recipient="person:x", sender=passing)
    words = AskWords(
        interaction=asked.id, publication=1, revision=1, action=Action.COMMENT, provider="telegram", account="b",
        channel="7", thread=None, reply_to=None, person=PASSER_BY.id, user="7", name="X",
    )  # fmt: skip
    settled = {"timezone": "Asia/Tokyo", "digest": "07:00", "role": Role.OPERATOR}
    async with store.work() as work:
        await work.add_person(PASSER_BY.model_copy(update=settled))
        await work.add_conversation(place())
        await work.add_loop(theirs)
        await work.add_follow_up(follow_up(by=passing))
        reviewed = OpPolicy(op="loop.list", policy=ToolPolicy.ASK_FIRST, reviewers=("person:x",))
        await work.set_tool_policy(HERE, reviewed, NOW)
        await work.add_interaction(asked)
        await work.add_interaction(brought)
        await work.set_due(DueKind.SNOOZE, f"{asked.id}/{PASSER_BY.id}", HERE, later)
        await work.set_due(DueKind.HELD, PASSER_BY.id, HERE, later)
        draft = Draft(
            interaction=asked.id, scope=f"review:{PASSER_BY.id}", person=PASSER_BY.id, name="X", revision=1,
            fields={"reason": "half"}, updated_at=NOW,
        )  # fmt: skip
        await work.save_draft(draft)
        held = Reminder(
            id="rem_1", workspace=HERE, interaction=asked.id, publication="pub_1", recipient=PASSER_BY.id, number=1,
            of=3, at=NOW, state=ReminderState.HELD, person=PASSER_BY.id,
        )  # fmt: skip
        await work.add_reminder(held)
        await work.add_loop_reminder(LoopReminder("lrm_1", HERE, theirs.id, PASSER_BY.id, NOW, ReminderState.HELD))
        await work.owe(owed(1, task=words))
        await work.commit()
    async with store.work() as work:
        await work.add_identity(ANA.id, HERE, GUEST)
        await work.commit()
    async with store.work() as work:
        person = await work.person(HERE, ANA.id)
        assert person is not None
        assert (person.timezone, person.digest, person.role) == ("Asia/Tokyo", "07:00", Role.OPERATOR)
        still, goes_on = await work.interaction(HERE, asked.id), await work.interaction(HERE, brought.id)
        assert still is not None
        assert still.reminding.snoozed_until(ANA.id) == later
        assert goes_on is not None
        assert goes_on.policy.nudges is not None
        assert goes_on.policy.nudges.escalate_to == ("person:ana",)
        loop = await work.loop(HERE, theirs.id)
        assert loop is not None
        assert (loop.recipient, loop.sender.id) == ("person:ana", ANA.id)
        assert [one.id for one in await work.loops_of_person(HERE, person)] == [theirs.id]
        waits = await work.follow_up(HERE, named("fup", 1))
        assert waits is not None
        assert waits.by.id == ANA.id
        policy = await work.tool_policy(HERE, "loop.list")
        assert policy is not None
        assert policy.reviewers == ("person:ana",)
        for kind, before, after in (
            (DueKind.SNOOZE, f"{asked.id}/{PASSER_BY.id}", f"{asked.id}/{ANA.id}"),
            (DueKind.HELD, PASSER_BY.id, ANA.id),
        ):
            assert await work.due(kind, before) is None
            due = await work.due(kind, after)
            assert due is not None
            assert due.due_at == later
        kept = await work.draft(asked.id, f"review:{ANA.id}")
        assert kept == draft.model_copy(update={"scope": f"review:{ANA.id}", "person": ANA.id, "name": "Ana"})
        assert [one.person for one in await work.held_reminders(HERE, ANA.id)] == [ANA.id]
        assert [one.id for one in await work.held_loop_reminders(HERE, ANA.id)] == ["lrm_1"]
    (claimed,) = await store.outbox.claim([Lane.TALK], NOW, later, "w", 5)
    assert claimed.delivery.task == words.model_copy(update={"person": ANA.id})


async def test_whoever_put_a_card_off_under_both_names_is_left_alone_until_the_later_time(store: Store) -> None:
    early, late = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
    async with store.work() as work:
        await work.add_person(PASSER_BY)
        await work.set_due(DueKind.SNOOZE, f"int_1/{PASSER_BY.id}", HERE, early)
        await work.set_due(DueKind.SNOOZE, f"int_1/{ANA.id}", HERE, late)
        await work.set_due(DueKind.SNOOZE, f"int_1/{PASSER_BY.id}x", HERE, early)
        await work.commit()
    async with store.work() as work:
        await work.add_identity(ANA.id, HERE, GUEST)
        await work.commit()
    async with store.work() as work:
        due = await work.due(DueKind.SNOOZE, f"int_1/{ANA.id}")
        assert due is not None
        assert due.due_at == late
        assert await work.due(DueKind.SNOOZE, f"int_1/{PASSER_BY.id}x") is not None, "somebody else's"


async def test_two_who_were_added_stay_two_until_an_operator_says_that_they_are_one(store: Store) -> None:
    other = PASSER_BY.model_copy(update={"automatic": False})
    asked = ask(1, audience=Audience(answerers=("person:x",)))
    async with store.work() as work:
        await work.add_person(other)
        await work.add_interaction(asked)
        await work.commit()
    async with store.work() as work:
        with pytest.raises(Invalid, match="x; two who were added become one by `sayso person merge`"):
            await work.add_identity(ANA.id, HERE, GUEST)
    async with store.work() as work:
        await work.merge_people(other, ANA)
        await work.commit()
    async with store.work() as work:
        assert await work.person(HERE, other.id) is None
        person, found = await work.person_by_identity(HERE, GUEST), await work.interaction(HERE, asked.id)
        assert person is not None
        assert (person.id, person.identities) == (ANA.id, (*ANA.identities, GUEST))
        assert found is not None
        assert found.audience.answerers == ("person:ana",)


async def test_two_who_take_one_account_each_at_once_leave_one(store: Store) -> None:
    first, *others = ANA.identities
    for _ in range(5):

        async def take(identity: Identity) -> bool:
            try:
                return await store.work.run(lambda work: work.remove_identity(HERE, ANA.id, identity))
            except (Invalid, Raced):
                return False

        assert sum(await asyncio.gather(*(take(one) for one in (first, *others)))) >= 1
        async with store.work() as work:
            left = await work.person(HERE, ANA.id)
            assert left is not None
            assert len(left.identities) >= 1
            for one in ANA.identities:
                if one not in left.identities:
                    await work.add_identity(ANA.id, HERE, one)
            await work.commit()
