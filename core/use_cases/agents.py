"""Agents come and go: what a new key, another one, and the end of one mean for the cards that are open."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.access import ROTATION
from core.acts import Withdraw
from core.audit import Changed, about_agent
from core.errors import Invalid, NotFound
from core.interactions import decide
from core.people import Agent, AgentRole, Via, by_agent
from core.ports import Context, Work
from core.use_cases.auditing import note
from core.use_cases.left_alone import settle_left_alone
from core.use_cases.loops_left import Left, leave_loops
from core.use_cases.recording import record, stamp_for
from core.use_cases.transact import transact

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
KEY_ENDED = "The key it was asked with was revoked."


async def add_agent(
    context: Context, workspace: str, name: str, role: AgentRole, key_hash: str, webhook_secret: str
) -> Agent:
    """Let a program in. Raises `Invalid` for a name that cannot be, or was ever, used."""
    if not NAME.fullmatch(name):
        raise Invalid.at("/name", "a name is 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit")

    async def inner(work: Work) -> Agent:
        if await work.agent_by_name(workspace, name) is not None:
            raise Invalid.at("/name", f"the name {name} was given before, and stays with that agent for good")
        agent = Agent(id=context.ids.new("agt"), workspace=workspace, name=name, role=role)
        await work.add_agent(agent, key_hash, webhook_secret, context.clock.now())
        await note(work, context, workspace, Changed.AGENT_ADDED, about_agent(agent), after={"role": role.value})
        return agent

    return await transact(context, inner)


async def rotate_agent(
    context: Context, workspace: str, name: str, key_hash: str, webhook_secret: str, *, at_once: bool = False
) -> Agent:
    """Give an agent another key and secret. The old ones stay good for `ROTATION`, or end `at_once`."""

    async def inner(work: Work) -> Agent:
        agent = await _known(work, workspace, name)
        now = context.clock.now()
        await work.rotate_agent(agent.id, key_hash, webhook_secret, now, now if at_once else now + ROTATION)
        after = {"old_ends": "at once" if at_once else "in 24 hours"}
        await note(work, context, workspace, Changed.AGENT_ROTATED, about_agent(agent), after=after)
        return agent

    return await transact(context, inner)


@dataclass(frozen=True)
class Revoked:
    """What ended with an agent: ids of interactions, and its work orders."""

    settled: tuple[str, ...]
    left: Left


async def revoke_agent(context: Context, workspace: str, name: str) -> Revoked:
    """End an agent: its key, what it asked (withdrawn) or ordered (ended), and what only it could answer
    (undeliverable), all in one. Of what it was to do, others are told."""

    async def inner(work: Work) -> Revoked:
        agent = await _known(work, workspace, name)
        await work.revoke_agent(workspace, agent.id, context.clock.now())
        before = {"role": agent.role.value}
        await note(work, context, workspace, Changed.AGENT_REVOKED, about_agent(agent), before=before)
        asked = [id for id in await work.pending_by(workspace, agent.id) if await _withdraw(work, context, id, agent)]
        alone = await settle_left_alone(work, context, workspace, [f"agent:{name}"])
        return Revoked((*asked, *alone), await leave_loops(work, context, agent))

    return await transact(context, inner)


async def _known(work: Work, workspace: str, name: str) -> Agent:
    agent = await work.agent_by_name(workspace, name)
    if agent is None or agent.revoked:
        raise NotFound(f"There is no agent called {name}.")
    return agent


async def _withdraw(work: Work, context: Context, id: str, agent: Agent) -> bool:
    before = await work.interaction(agent.workspace, id)
    if before is None or not before.is_pending:
        return False
    publications = await work.publications(id)
    stamp = stamp_for(context, by_agent(agent), Via.API)
    if before.is_due(stamp.now):
        return False  # the timer settles it
    decision = decide(before, Withdraw(KEY_ENDED), stamp)
    await record(work, context, before, decision, publications, stamp.now)
    return True
