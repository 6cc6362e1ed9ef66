"""Who changed what: a line for each change, in the same commit, and the last operator stays one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from blocks.audited import WHAT, audited
from core.addresses import Provider
from core.audit import Actor, AuditLine, Changed
from core.errors import Invalid
from core.people import AgentRole, Identity, Role
from core.ports import Context
from core.quiet import WorkingCalendar
from core.tools.policies import OpPolicy, ToolPolicy
from core.use_cases import agent_accounts, agents, directory, installing
from core.use_cases.forgetting import forget_person
from core.use_cases.settings import set_calendar, set_times
from core.use_cases.tool_reviews import set_tool_policy
from tests.use_cases.bench import Bench
from tests.use_cases.cast import HERE

SHELL = Actor(type="cli", identity="root@host")


def by_shell(b: Bench) -> Context:
    return replace(b.context, actor=SHELL)


async def lines(b: Bench) -> list[AuditLine]:
    """The audit, oldest first."""
    return list(reversed(await b.store.records.audited(HERE)))


async def test_every_change_leaves_one_line_that_says_who_and_from_what_to_what(b: Bench) -> None:
    c, bot = by_shell(b), Identity(provider="slack", account="T1", user="B1")
    await agents.add_agent(c, HERE, "worker", AgentRole.OPERATOR, "hash-1", "whsec_secret")
    await agents.rotate_agent(c, HERE, "worker", "hash-2", "whsec_secret2", at_once=True)
    await agent_accounts.link_account(c, HERE, "worker", bot)
    await agent_accounts.unlink_account(c, HERE, "worker", bot)
    await agents.revoke_agent(c, HERE, "worker")
    await directory.add_person(c, HERE, "eve", "Eve", Role.MEMBER, [Identity(provider="telegram", user="7")])
    await directory.add_account(c, HERE, "eve", Identity(provider="oidc", account="https://id.example", user="e"))
    await directory.set_role(c, HERE, "eve", Role.OPERATOR)
    await set_tool_policy(c, HERE, OpPolicy(op="loop.list", policy=ToolPolicy.OFF))
    await set_calendar(c, HERE, WorkingCalendar(zone="Europe/Madrid"))
    await set_calendar(c, HERE, None)
    await installing.invite(c, HERE, "hash-of-code")
    found = await lines(b)
    assert [(one.what.value, one.about.name) for one in found] == [
        ("agent.added", "worker"),
        ("agent.rotated", "worker"),
        ("agent.linked", "worker"),
        ("agent.unlinked", "worker"),
        ("agent.revoked", "worker"),
        ("person.added", "eve"),
        ("account.added", "eve"),
        ("person.role", "eve"),
        ("tool.policy", "loop.list"),
        ("calendar.set", None),
        ("calendar.set", None),
        ("chat.invited", None),
    ]
    assert {one.actor for one in found} == {SHELL}
    assert (found[7].before, found[7].after) == ({"role": "member"}, {"role": "operator"})
    assert found[9].before is None
    assert found[10].after is None
    kept = str(found)
    assert "whsec" not in kept
    assert "hash" not in kept


async def test_what_a_shell_sets_of_somebody_takes_away_or_makes_is_noted(b: Bench) -> None:
    c = by_shell(b)
    bot = installing.Granted(Provider.TELEGRAM, "second_bot", "Second", "777", "sealed-token")
    await installing.connect(c, bot, HERE)
    assert await installing.remove(c, Provider.TELEGRAM, "second_bot")
    assert not await installing.remove(c, Provider.TELEGRAM, "second_bot")
    ana = await b.store.records.person_by_handle(HERE, "ana")
    assert ana
    await set_times(c, HERE, ana.id, "Europe/Madrid", "09:00")
    await set_times(c, HERE, ana.id, "Europe/Madrid", "10:00")
    found = await lines(b)
    assert [(one.what, one.about.name, one.actor) for one in found] == [
        (Changed.CHAT_CONNECTED, "Second", SHELL),
        (Changed.CHAT_ENDED, "Second", SHELL),
        (Changed.PERSON_SET, "ana", SHELL),
        (Changed.PERSON_SET, "ana", SHELL),
    ]
    assert (found[-1].before, found[-1].after) == ({"digest": "09:00"}, {"digest": "10:00"})
    assert found[-2].after == {"zone": "Europe/Madrid", "digest": "09:00"}
    made = await installing.add_workspace(c, "beta")
    (line,) = await b.store.records.audited(made)
    assert (line.what, line.about.name, line.actor) == (Changed.WORKSPACE_ADDED, "beta", SHELL)


async def test_what_people_set_for_themselves_is_theirs_alone(b: Bench) -> None:
    ana = await b.store.records.person_by_handle(HERE, "ana")
    assert ana
    await set_times(b.context, HERE, ana.id, "Europe/Madrid", "09:00")
    assert await lines(b) == []


async def test_a_change_that_was_refused_or_changes_nothing_leaves_no_line(b: Bench) -> None:
    with pytest.raises(Invalid):
        await directory.add_person(b.context, HERE, "ana", "Another", Role.MEMBER, [])
    await directory.set_role(b.context, HERE, "ana", Role.MEMBER)
    assert await lines(b) == []


async def test_the_last_operator_stays_one(b: Bench) -> None:
    with pytest.raises(Invalid, match="the last operator"):
        await directory.set_role(b.context, HERE, "opal", Role.MEMBER)
    with pytest.raises(Invalid, match="the last operator"):
        await forget_person(b.context, HERE, "opal")
    await directory.set_role(b.context, HERE, "ana", Role.OPERATOR)
    assert (await directory.set_role(b.context, HERE, "opal", Role.MEMBER)).role is Role.MEMBER


async def test_the_last_two_operators_are_not_both_taken_away_at_once(b: Bench) -> None:
    await directory.set_role(b.context, HERE, "ana", Role.OPERATOR)
    both = (directory.set_role(b.context, HERE, one, Role.MEMBER) for one in ("ana", "opal"))
    done = await asyncio.gather(*both, return_exceptions=True)
    assert sum(isinstance(one, Invalid) for one in done) == 1
    assert sum(one.role is Role.OPERATOR for one in await b.store.records.people(HERE)) == 1


async def test_whoever_is_forgotten_is_named_in_no_line(b: Bench) -> None:
    telegram = Identity(provider="telegram", user="777")
    await directory.add_person(b.context, HERE, "eve", "Eve", Role.MEMBER, [telegram])
    await directory.set_role(b.context, HERE, "eve", Role.OPERATOR)
    await forget_person(b.context, HERE, "eve")
    kept = str(await lines(b))
    assert "'eve'" not in kept
    assert "telegram:777" not in kept
    assert [one.what for one in await lines(b)][-1] is Changed.PERSON_FORGOTTEN


async def test_lines_come_newest_first_by_pages_and_not_from_before_a_moment(b: Bench) -> None:
    for number in range(5):
        await directory.add_person(b.context, HERE, f"p{number}", "P", Role.MEMBER, [])
        b.clock.move(hours=1)
    records = b.store.records
    first = await records.audited(HERE, limit=2)
    rest = await records.audited(HERE, before=first[-1].id)
    assert [one.about.name for one in (*first, *rest)] == ["p4", "p3", "p2", "p1", "p0"]
    recent = await records.audited(HERE, since=b.clock.now() - timedelta(hours=2))
    assert [one.about.name for one in recent] == ["p4", "p3"]
    assert await records.audited("wsp_2") == ()


async def test_a_connected_chat_says_on_whose_behalf(b: Bench) -> None:
    installer = Identity(provider="slack", account="T9", user="U9")
    granted = installing.Granted(Provider.SLACK, "T9", "Nine", "UBOT", "sealed-token", installer=installer)
    await installing.connect(b.context, granted, HERE)
    (line,) = await lines(b)
    assert (line.what, line.about.id, line.actor.identity) == (Changed.CHAT_CONNECTED, "slack:T9", "slack:T9.U9")
    assert "sealed-token" not in str(line)


def test_every_change_has_words() -> None:
    assert set(WHAT) == set(Changed)


async def test_another_key_of_an_agent_is_told_with_when_the_old_one_ends(b: Bench) -> None:
    await agents.add_agent(b.context, HERE, "deploy-bot", AgentRole.AGENT, "hash", "whsec_1")
    await agents.rotate_agent(b.context, HERE, "deploy-bot", "other", "whsec_2")
    told = audited((await lines(b))[-1])
    assert (told.what, told.change) == ("gave another key to the agent deploy-bot", "the old key ends: in 24 hours")


async def test_a_line_is_told_as_a_sentence_and_hostile_names_stay_names(b: Bench) -> None:
    shell = replace(b.context, actor=Actor(type="cli", identity="ro\u202eot\n@host"))
    await directory.set_role(shell, HERE, "ana", Role.OPERATOR)
    (line,) = await lines(b)
    told = audited(line)
    assert (told.what, told.change) == ("changed the role of ana", "role: member → operator")
    assert "\n" not in told.who
    assert "\u202e" not in told.who
