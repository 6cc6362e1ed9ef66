"""An approved call is checked again before it runs: what was shown, who asked, whether it may run at all."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text as sql

from core.acts import Patch
from core.controls import Action
from core.people import Identity, Membership, Standing
from core.records import Status
from core.replies import Saved
from core.tools import OPS, ToolPolicy
from core.tools.registry import Op
from core.tools.reviewing import ToolOutcome
from core.use_cases.agent_accounts import unlink_account
from core.use_cases.agents import revoke_agent
from core.use_cases.change import change
from tests.use_cases.cast import ANA, BUILDER, GROUP, HERE, OPAL, OTHER_AGENT, SLACK
from tests.use_cases.floor import BOT, Asked, Floor
from tests.use_cases.looked_at import CREATE, asked, call_of, here, policy, prompts
from tests.use_cases.threads import begin


@pytest.fixture(autouse=True)
async def _somebody_looks_first(f: Floor) -> None:
    await begin(f)
    await policy(f, ToolPolicy.ASK_FIRST)


async def switched_off(f: Floor, _: str) -> None:
    await policy(f, ToolPolicy.OFF)


async def caller_revoked(f: Floor, _: str) -> None:
    async with f.b.store.work() as work:
        await work.revoke_agent(HERE, BUILDER.id, f.b.clock.now())
        await work.commit()


async def card_changed(f: Floor, card: str) -> None:
    content = (await f.b.get(card)).content.model_copy(update={"body": "Nothing to see here"})
    await change(f.b.context, HERE, card, Patch(1, content), BUILDER)


async def arguments_changed(f: Floor, card: str) -> None:
    async with f.b.store.engine.begin() as connection:
        await connection.execute(sql("UPDATE tool_calls SET arguments = replace(arguments, '5', '6')"))


@pytest.mark.parametrize(
    ("meanwhile", "why"),
    [
        (switched_off, "an operator has switched it off since"),
        (caller_revoked, "whoever asked for it may not run it any more"),
        (card_changed, "what was shown is not what would run"),
        (arguments_changed, "what was shown is not what would run"),
    ],
)
async def test_an_approved_call_is_checked_again_before_it_runs(f: Floor, meanwhile: Any, why: str) -> None:
    call, card = await asked(f)
    await meanwhile(f, card)
    assert isinstance(await f.b.press(OPAL, card, Action.ACCEPT), Saved)
    await f.tick()
    assert f.texts[-1] == f"followup.create was approved by Opal, but it was not run: {why}."
    done = await call_of(f, call)
    assert (done.decision, done.outcome) == (Status.ACCEPTED, ToolOutcome.STOPPED)
    assert await prompts(f) == 0


async def test_an_operation_that_is_another_by_now_is_not_run(f: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    _, card = await asked(f)
    await f.b.press(OPAL, card, Action.ACCEPT)
    known = OPS["followup.create"]
    changed = {**OPS, "followup.create": Op(known.name, known.arguments, known.permission, "delete everything")}
    monkeypatch.setattr("core.use_cases.tool_reviews.OPS", changed)
    await f.tick()
    assert f.texts[-1].endswith("but it was not run: the operation has changed since it was asked.")


async def test_a_bot_account_that_was_taken_back_runs_nothing(f: Floor) -> None:
    await f.write(BOT, await here(f), CREATE)
    (card,) = [one.id for one in await f.b.store.records.open_for(HERE, OPAL)]
    await f.b.post(card)
    await f.b.press(OPAL, card, Action.ACCEPT)
    await unlink_account(f.b.context, HERE, OTHER_AGENT.name, BOT)
    await f.tick()
    assert f.texts[-1].endswith("whoever asked for it may not run it any more.")


async def test_a_person_whose_account_was_deactivated_runs_nothing(f: Floor) -> None:
    await f.write(ANA, await here(f), CREATE)
    (card,) = [one.id for one in await f.b.store.records.open_for(HERE, OPAL)]
    await f.b.post(card)
    await f.b.press(OPAL, card, Action.ACCEPT)
    async with f.b.store.work() as work:
        await work.keep_standing(HERE, ANA.identities[0], Standing(deleted=True), f.b.clock.now())
        await work.commit()
    await f.tick()
    assert f.texts[-1].startswith("followup.create was approved by Opal, but ")
    assert await prompts(f) == 0


async def test_what_is_approved_and_cannot_be_done_fails_and_the_decision_stands(f: Floor) -> None:
    await policy(f, ToolPolicy.ASK_FIRST, op="followup.cancel")
    call, card = await asked(f, '[TOOL followup.cancel {"id": "fup_00000000000000000000000000"}]')
    await f.b.press(OPAL, card, Action.ACCEPT)
    await f.tick()
    (told,) = f.texts
    assert told.startswith("followup.cancel was approved by Opal, but it could not be done: There is no follow-up fup_")
    done = await call_of(f, call)
    assert (done.decision, done.outcome) == (Status.ACCEPTED, ToolOutcome.FAILED)


async def test_a_revoked_agent_takes_its_open_calls_along(f: Floor) -> None:
    call, card = await asked(f)
    await revoke_agent(f.b.context, HERE, BUILDER.name)
    await f.tick()
    assert (await call_of(f, call)).decision is Status.WITHDRAWN
    assert (await f.b.get(card)).status is Status.WITHDRAWN


SHOWN_IN = {"Slack": SLACK, "Telegram": GROUP}


async def approved_later(f: Floor, place: str) -> None:
    """Ana calls it, somebody looks at it hours after that, and says yes."""
    where = await f.place(await f.order(to=place, id="there"))
    await f.write(ANA, where, CREATE.replace("7fce46e0", "there"), reply_to=where.thread or where.root)
    (card,) = [one.id for one in await f.b.store.records.open_for(HERE, OPAL)]
    await f.b.post(card)
    f.b.clock.move(hours=3)
    await f.b.press(OPAL, card, Action.ACCEPT)


@pytest.mark.parametrize("place", SHOWN_IN.values(), ids=SHOWN_IN)
@pytest.mark.parametrize(
    ("chat", "why"),
    [
        # Nothing is kept of her that is fresh, and nobody answers: she may be a guest by now, or gone.
        (Asked(None, None), "I could not check just now that whoever asked for it is still here. Please call it again"),
        (Asked(Standing(), None), "I could not check just now that whoever asked for it is still here."),
        (Asked(Standing(), Membership.NO), "whoever asked for it may not run it any more."),
    ],
)
async def test_a_person_of_whom_nothing_is_known_now_runs_nothing(f: Floor, place: str, chat: Asked, why: str) -> None:
    await approved_later(f, place)
    f.chat = chat
    await f.tick()
    assert f.texts[-1].startswith(f"followup.create was approved by Opal, but it was not run: {why}")
    assert await prompts(f) == 0


async def test_a_chat_that_does_not_say_who_somebody_is_proves_nothing_though_they_are_in_it(f: Floor) -> None:
    await approved_later(f, SLACK)
    f.chat = Asked(None, Membership.YES)
    await f.tick()
    assert "I could not check just now" in f.texts[-1]
    assert await prompts(f) == 0


@pytest.mark.parametrize("place", SHOWN_IN.values(), ids=SHOWN_IN)
async def test_a_person_who_is_still_there_runs_what_they_called_hours_ago(f: Floor, place: str) -> None:
    await approved_later(f, place)
    await f.tick()
    assert f.texts[-1].startswith("followup.create was approved by Opal. followup.create: fup_")
    assert await prompts(f) == 1


async def test_what_is_called_and_approved_within_minutes_needs_no_answer_where_the_message_says_all(f: Floor) -> None:
    where = await f.place(await f.order(to=GROUP, id="there"))
    await f.write(ANA, where, CREATE.replace("7fce46e0", "there"))
    (card,) = [one.id for one in await f.b.store.records.open_for(HERE, OPAL)]
    await f.b.post(card)
    await f.b.press(OPAL, card, Action.ACCEPT)
    f.chat = Asked(None, None)
    await f.tick(minutes=4)
    assert await prompts(f) == 1


async def test_somebody_nobody_added_who_is_a_guest_by_now_runs_nothing(f: Floor) -> None:
    stranger = Identity(provider="slack", account="T1", user="U9")
    await f.write(stranger, await here(f), CREATE, standing=Standing(name="Gus"))
    (card,) = [one.id for one in await f.b.store.records.open_for(HERE, OPAL)]
    await f.b.post(card)
    await f.b.press(OPAL, card, Action.ACCEPT)
    f.chat = Asked(Standing(guest=True))
    await f.tick()
    assert f.texts[-1].endswith("but it was not run: whoever asked for it may not run it any more.")
    assert await prompts(f) == 0
