"""Bot accounts in a chat that speak for an agent: what they say there is the agent's."""

from __future__ import annotations

from core.audit import Changed, about_agent
from core.errors import Invalid, NotFound
from core.people import Agent, Identity
from core.ports import Context, Work
from core.use_cases.auditing import note
from core.use_cases.transact import transact


async def link_account(context: Context, workspace: str, name: str, identity: Identity) -> Agent:
    """Say that a bot account is an agent's. Raises `NotFound` for no such agent, `Invalid` for an account that is
    another's."""

    async def inner(work: Work) -> Agent:
        agent = await _known(work, workspace, name)
        owner = await work.agent_of_account(workspace, identity)
        if owner is not None and owner.id != agent.id:
            raise Invalid.at("/account", f"{identity} is linked to the agent {owner.name}; unlink it there first")
        if await work.person_by_identity(workspace, identity) is not None:
            raise Invalid.at("/account", f"{identity} is a person's account, and no bot's")
        if owner is None:
            # A revoked agent may still have it: its links outlive it, and mean nothing.
            await work.unlink_account(workspace, identity)
            await work.link_account(workspace, agent.id, identity, context.clock.now())
            after = {"account": str(identity)}
            await note(work, context, workspace, Changed.AGENT_LINKED, about_agent(agent), after=after)
        return agent

    return await transact(context, inner)


async def unlink_account(context: Context, workspace: str, name: str, identity: Identity) -> Agent:
    """Forget that a bot account is an agent's. Raises `NotFound` when it is not."""

    async def inner(work: Work) -> Agent:
        agent = await _known(work, workspace, name)
        owner = await work.agent_of_account(workspace, identity)
        if owner is None or owner.id != agent.id:
            raise NotFound(f"{identity} is not linked to the agent {name}.")
        await work.unlink_account(workspace, identity)
        before = {"account": str(identity)}
        await note(work, context, workspace, Changed.AGENT_UNLINKED, about_agent(agent), before=before)
        return agent

    return await transact(context, inner)


async def _known(work: Work, workspace: str, name: str) -> Agent:
    agent = await work.agent_by_name(workspace, name)
    if agent is None or agent.revoked:
        raise NotFound(f"There is no agent called {name}.")
    return agent
