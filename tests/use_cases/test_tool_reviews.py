"""Calls that people look at first: shown whole, decided once, run once or not at all, told where they were asked."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from core.acts import Withdraw
from core.controls import Action
from core.dues import LEASE
from core.errors import Invalid
from core.records import Interaction, Status
from core.replies import Saved, Told
from core.tools import OpPolicy, ToolPolicy
from core.tools.reviewing import ToolOutcome
from core.use_cases.change import change
from core.use_cases.tool_reviews import fire_tool, set_tool_policy
from core.use_cases.transact import transact
from tests.use_cases.cast import ANA, BEN, BUILDER, HERE, OPAL
from tests.use_cases.floor import Floor
from tests.use_cases.looked_at import CREATE, asked, call_of, here, policy, prompts
from tests.use_cases.threads import ID, begin


@pytest.fixture(autouse=True)
async def _somebody_looks_first(f: Floor) -> None:
    await begin(f)
    await policy(f, ToolPolicy.ASK_FIRST)


async def test_a_call_is_asked_with_all_of_its_arguments_and_runs_once_it_is_approved(f: Floor) -> None:
    call, card = await asked(f)
    now = await f.b.get(card)
    assert now.content.title == "Run followup.create?"
    shown = now.content.body.partition("```json\n")[2].partition("\n```")[0]
    assert json.loads(shown) == {"in_m": 5, "loop": ID, "prompt": "Look at the **queue** [x]"}
    assert (now.audience.answerers, now.creator.handle) == (("role:operator",), "builder")
    assert [(copy.place, copy.thread) for copy in await f.b.copies(card)] == [("C1", (await here(f)).thread)]
    assert await prompts(f) == 0
    assert isinstance(await f.b.press(OPAL, card, Action.ACCEPT), Saved)
    assert (await call_of(f, call)).outcome is None  # the decision alone
    await f.tick()
    done = await call_of(f, call)
    assert (done.decision, done.outcome) == (Status.ACCEPTED, ToolOutcome.EXECUTED)
    (told,) = f.texts
    assert told.startswith("followup.create was approved by Opal. followup.create: fup_")
    assert await f.b.types(card) == ["created", "accepted", "replied"]
    assert [type_ for type_, _ in await f.events(BUILDER)][-2:] == ["interaction.accepted", "interaction.replied"]
    await f.tick(minutes=6)
    assert f.texts[-1] == "Follow-up: Look at the **queue** [x]"


async def test_who_is_no_operator_or_asked_for_it_does_not_decide(f: Floor) -> None:
    await policy(f, ToolPolicy.ASK_FIRST, "conversation")
    await f.write(BEN, await here(f), "good morning")
    await f.write(ANA, await here(f), CREATE)
    (card,) = [one.id for one in await f.b.store.records.open_for(HERE, BEN)]
    await f.b.post(card)
    assert isinstance(await f.b.press(ANA, card, Action.ACCEPT), Told)
    await policy(f, ToolPolicy.ASK_FIRST)  # what was asked stays asked as it was
    assert isinstance(await f.b.press(BEN, card, Action.ACCEPT), Saved)
    await f.tick()
    assert "followup.create was approved by Ben" in f.texts[-1]
    _, second = await asked(f)
    assert isinstance(await f.b.press(ANA, second, Action.ACCEPT), Told)
    assert (await f.b.get(second)).is_pending


async def test_two_approvals_and_two_that_wake_up_run_it_once(f: Floor) -> None:
    _, card = await asked(f)
    replies = [await f.b.press(OPAL, card, Action.ACCEPT) for _ in range(2)]
    assert isinstance(replies[0], Saved)
    now = f.b.clock.now()
    (due,) = await f.b.store.dues.claim(now, now + LEASE, 10)
    fires = [transact(f.b.context, partial(fire_tool, context=f.b.context, due=due)) for _ in range(3)]
    await asyncio.gather(*fires)
    assert await prompts(f) == 1
    assert (await f.b.types(card)).count("replied") == 1


async def test_what_a_process_that_died_had_taken_is_run_by_another_once(f: Floor) -> None:
    _, card = await asked(f)
    await f.b.press(OPAL, card, Action.ACCEPT)
    now = f.b.clock.now()
    (lost,) = await f.b.store.dues.claim(now, now + LEASE, 10)  # and nothing came of it
    assert await f.tick(seconds=1) == 0
    assert await f.tick(seconds=LEASE.total_seconds()) == 1
    await transact(f.b.context, partial(fire_tool, context=f.b.context, due=lost))  # it was only slow
    assert await prompts(f) == 1


async def test_the_stored_arguments_run_also_when_the_same_is_asked_otherwise(f: Floor) -> None:
    first, one = await asked(f)
    _, two = await asked(f, CREATE.replace("5", "7"))
    await f.b.press(OPAL, one, Action.ACCEPT)
    await f.tick()
    assert json.loads((await call_of(f, first)).arguments)["in_m"] == 5
    assert (await f.b.get(two)).is_pending
    assert "14:10" in f.texts[-1]


async def reject(f: Floor, card: str) -> None:
    await f.b.press(OPAL, card, Action.REJECT)


async def reject_with_reason(f: Floor, card: str) -> None:
    await f.b.submit(OPAL, await f.b.control(card, Action.REASON), {"reason": "Not now"})


async def withdraw(f: Floor, card: str) -> None:
    await change(f.b.context, HERE, card, Withdraw("never mind"), BUILDER)


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (reject, "followup.create was not run. Opal decided against it."),
        (reject_with_reason, "followup.create was not run. Opal decided against it: Not now"),
        (withdraw, "followup.create was not run: the question about it was withdrawn."),
    ],
)
async def test_what_is_not_approved_is_told_and_does_not_run(f: Floor, how: Any, told: str) -> None:
    call, card = await asked(f)
    await how(f, card)
    await f.tick()
    assert f.texts == [told]
    assert (await call_of(f, call)).outcome is None
    assert await prompts(f) == 0
    assert await f.tick(minutes=1) == 0


async def test_a_call_that_nobody_looks_at_is_told_and_does_not_run(f: Floor) -> None:
    call, card = await asked(f)
    f.b.clock.move(hours=25)
    await f.b.press(OPAL, card, Action.ACCEPT)  # too late, which is when it expires at the latest
    await f.tick()
    assert f.texts[-1] == "followup.create was not run: nobody decided about it in time."
    assert ((await call_of(f, call)).decision, await prompts(f)) == (Status.EXPIRED, 0)


async def test_an_operation_that_is_off_is_refused_in_plain_words(f: Floor) -> None:
    await policy(f, ToolPolicy.OFF)
    said = await f.call(BUILDER, await here(f), CREATE)
    assert (said["ran"], said["waiting"]) == ([], [])
    assert said["refused"] == ["An operator has switched followup.create off, so it was not run."]
    await policy(f, ToolPolicy.ALLOW)
    assert len((await f.call(BUILDER, await here(f), CREATE))["ran"]) == 1


async def test_bad_arguments_and_no_permission_are_refused_before_anybody_is_asked(f: Floor) -> None:
    await policy(f, ToolPolicy.ASK_FIRST, op="interaction.ask")
    said = await f.call(BUILDER, await here(f), '[TOOL followup.create {"in_m": 0, "prompt": "x"}]')
    assert len(said["refused"]) == 1
    await f.write(ANA, await here(f), '[TOOL interaction.ask {"kind": "confirmation", "title": "?", "payload": {}}]')
    await f.deliver()
    assert f.texts[-1].startswith("Only programs")
    assert await f.b.store.records.open_for(HERE, OPAL) == []


async def test_secrets_are_not_shown_and_what_runs_is_what_was_sent(f: Floor) -> None:
    await policy(f, ToolPolicy.ASK_FIRST, op="interaction.ask")
    heard = {"webhook": "https://me:pass@agent.example/hook", "state": {"api_key": "hunter2"}}
    body = {"kind": "confirmation", "title": "Go?", "payload": {}, "body": "key sk_abcdefghijklmnopqrst"}
    body |= {"continuation": heard}
    call, card = await asked(f, f"[TOOL interaction.ask {json.dumps(body)}]")
    shown = (await f.b.get(card)).content.body
    assert not any(secret in shown for secret in ("sk_abc", "me:pass", "hunter2"))
    assert shown.count("(secret)") == 3
    assert "hunter2" in (await call_of(f, call)).arguments


async def test_a_call_among_programs_waits_in_the_inbox_of_operators(f: Floor) -> None:
    await policy(f, ToolPolicy.ASK_FIRST, "conversation")
    loop = await f.order("agent:other", id="wo-7")
    said = await f.call(BUILDER, await f.place(loop), '[TOOL followup.create {"in_m": 5, "prompt": "x"}]')
    (one,) = said["waiting"]
    card: Interaction = await f.b.get(one["result"]["interaction"])
    assert (card.to, card.audience.answerers) == (("review",), ("role:operator",))


async def test_a_message_that_arrives_twice_asks_once(f: Floor) -> None:
    for _ in range(2):
        await f.write(ANA, await here(f), CREATE, key="once")
    assert len(await f.b.store.records.open_for(HERE, OPAL)) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (OpPolicy(op="rm.rf", policy=ToolPolicy.OFF), "there is no operation rm.rf"),
        (
            OpPolicy(op="loop.list", policy=ToolPolicy.ASK_FIRST, reviewers=("person:nobody",)),
            "nobody with the handle nobody",
        ),
    ],
)
async def test_a_policy_that_cannot_be_is_refused(f: Floor, wrong: OpPolicy, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        await set_tool_policy(f.b.context, HERE, wrong)


def test_no_program_is_a_reviewer() -> None:
    with pytest.raises(ValueError, match="a program reviews no calls"):
        OpPolicy(op="loop.list", policy=ToolPolicy.ASK_FIRST, reviewers=("agent:builder",))
