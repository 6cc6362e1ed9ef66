"""What was given counts once and for its revision: voids of a patch, tasks of an accept, late answers, replies."""

from __future__ import annotations

import asyncio

from core.acts import Patch, Withdraw
from core.controls import Action
from core.events import EventType
from core.kinds import Kind
from core.records import Status
from core.replies import Saved, Told
from core.use_cases.change import change
from tests.chains import first_break
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, BUILDER, GROUP, HERE, OPAL, SLACK


async def _patch(b: Bench, id: str) -> None:
    before = await b.get(id)
    content = before.content.model_copy(update={"title": f"{before.content.title}, again"})
    await change(b.context, HERE, id, Patch(before.revision, content), BUILDER)


async def test_a_patch_voids_each_tick_with_a_receipt(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    await b.press(ANA, id, Action.TICK, 0, 1)
    await b.press(BEN, id, Action.UNTICK, 0, 0)
    ticks = (await b.get(id)).ticks
    await _patch(b, id)
    assert (await b.get(id)).ticks == ()
    lines = await b.receipts(id)
    voided = [one.data for one in lines if one.type.value == "tick_voided"]
    assert [(one["item"], one["on"]) for one in voided] == [("canary", True), ("notes", False)]
    assert [dict(before.by.wire()) for before in ticks] == [one["by"] for one in voided]
    assert [one.revision for one in lines] == [1, 1, 1, 2, 2, 2]
    assert first_break(lines) is None


async def test_a_patch_voids_each_verdict_and_each_vote_with_a_receipt(b: Bench) -> None:
    verdicts = await b.open(Kind.ITEM_VERDICTS)
    await b.press(ANA, verdicts, Action.VERDICT, 2, 0)
    await _patch(b, verdicts)
    assert (await b.get(verdicts)).verdicts == ()
    assert await b.types(verdicts) == ["created", "judged", "patched", "verdict_voided"]
    assert isinstance(await b.press(BEN, verdicts, Action.VERDICT, 0, 0), Saved)
    votes = await b.open(Kind.CONFIRMATION, audience={"answerers": ["conversation"], "quorum": 2})
    await b.press(ANA, votes, Action.ACCEPT)
    await _patch(b, votes)
    await b.press(BEN, votes, Action.ACCEPT)
    assert (await b.get(votes)).is_pending
    await b.press(ANA, votes, Action.ACCEPT)
    assert (await b.get(votes)).status is Status.ACCEPTED
    assert (await b.types(votes)).count("vote_voided") == 1


async def test_tasks_are_made_with_the_decision_and_once(b: Bench) -> None:
    id = await b.open(Kind.SUGGESTED_TASKS)
    picked = ((Action.PICK, 0), (Action.PICK, 1))
    assert isinstance(await b.press(ANA, id, Action.SUBMIT, picked=picked), Saved)
    await b.press(ANA, id, Action.SUBMIT, picked=picked)
    await b.press(BEN, id, Action.SUBMIT, picked=((Action.PICK, 2),))
    tasks = sorted(await b.store.records.tasks(HERE, None), key=lambda one: one.key)
    assert [(one.key, one.assignee, one.interaction) for one in tasks] == [("alerts", None, id), ("runbook", "ana", id)]
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    created = {one["key"]: one["id"] for one in outcome.wire()["answer"]["created"]}
    assert created == {one.key: one.id for one in tasks}
    assert tasks[1].parent == tasks[0].id


async def test_a_child_without_its_parent_is_refused_and_makes_nothing(b: Bench) -> None:
    id = await b.open(Kind.SUGGESTED_TASKS)
    for picked in ((), ((Action.PICK, 1),)):
        assert not isinstance(await b.press(ANA, id, Action.SUBMIT, picked=picked), Saved)
    assert await b.store.records.tasks(HERE, None) == []
    assert (await b.get(id)).is_pending


async def test_new_verdicts_raise_one_event_each_time_and_a_replay_none(b: Bench) -> None:
    items = [{"id": f"i{number}", "label": f"Item {number}"} for number in range(5)]
    id = await b.open(Kind.ITEM_VERDICTS, {"items": items})
    for number in (0, 1, 1, 0, 2):
        await b.press(ANA, id, Action.VERDICT, 0, number)
    events = [one for one in await b.store.records.events(HERE, None) if one.interaction == id]
    assert [one.type for one in events] == [EventType.CREATED, *[EventType.PROGRESSED] * 3]
    assert [list(one.data["verdicts"]) for one in events[1:]] == [["i0"], ["i1"], ["i2"]]


async def test_a_late_answer_is_kept_once_for_each_person(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST, to=[SLACK, GROUP])
    await change(b.context, HERE, id, Withdraw(), BUILDER)
    for who in (ANA, BEN, ANA):
        for action, on in ((Action.TICK, 1), (Action.SUBMIT, 2)):
            late = await b.press(who, id, action, 0, 1, on=on)
            assert isinstance(late, Told)
            assert "took this question back" in late.text
    lines = [one for one in await b.receipts(id) if one.type.value == "late_answer"]
    assert [one.by.handle for one in lines] == ["ana", "ben"]
    assert (await b.get(id)).status is Status.WITHDRAWN


async def test_twenty_ticks_at_once_are_all_kept(b: Bench) -> None:
    items = [{"id": f"i{number}", "label": f"Item {number}"} for number in range(20)]
    id = await b.open(Kind.CHECKLIST, {"items": items}, to=[SLACK, GROUP])
    people = (ANA, BEN, OPAL)
    ticks = (b.press(people[n % 3], id, Action.TICK, 0, n, on=1 + n % 2) for n in range(20))
    replies = await asyncio.gather(*ticks)
    assert all(isinstance(one, Saved) for one in replies)
    after = await b.get(id)
    assert {one.item: one.by.id for one in after.ticks} == {f"i{n}": people[n % 3].id for n in range(20)}
    lines = await b.receipts(id)
    assert len(lines) == 21
    assert first_break(lines) is None
    assert await b.redraws(id) == {1, 2}
