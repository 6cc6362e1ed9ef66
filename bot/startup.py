"""What must be there before anything runs: the tables, the one workspace, and whose key SAYSO_API_KEY is."""

from __future__ import annotations

import structlog

from bot.config import Settings
from bot.web.keys import OperatorKey, hash_key, make_key, make_webhook_secret
from core.errors import Invalid, Misconfigured, Raced
from core.people import Agent, AgentRole
from core.ports import Context
from core.store import Store, migrate
from core.use_cases.agents import add_agent, rotate_agent

WORKSPACE = "wsp_00000000000000000000000000"
"""The workspace that exists from the start. Its id is fixed, so that processes that start together make one."""
OPERATOR = "operator"
"""The name of the agent whose key is SAYSO_API_KEY."""
UNSET = "unset it and SAYSO_WEBHOOK_SECRET where the service starts, or set a key that no agent has"
"""What to do about an SAYSO_API_KEY that is an agent's."""

_log = structlog.stdlib.get_logger("sayso.startup")


async def prepare(store: Store, context: Context, settings: Settings) -> OperatorKey | None:
    """Bring the database up to date and in line with the settings; any number of processes may do so at once.

    Raises `Misconfigured`.
    """
    await bring_up(store, context)
    return await keep_operator(store, context, settings)


async def bring_up(store: Store, context: Context) -> None:
    """Bring the database up to date, whatever is set of an operator's key: a command at a shell makes nobody one, for
    there that name means the key of a program that asks. Raises `Misconfigured`."""
    await migrate(store.engine)
    async with context.work() as work:
        await work.add_workspace(WORKSPACE, "sayso", context.clock.now())
        await work.commit()


async def keep_operator(store: Store, context: Context, settings: Settings) -> OperatorKey | None:
    """The agent of SAYSO_API_KEY, made on the first start with it, and its webhook secret as it is set now. A key that
    an agent was given is none: who starts the service in a shell where a program's key is loaded makes it no operator.
    """
    if settings.sayso_api_key is None:
        return None
    given = await store.records.agent_given(hash_key(settings.sayso_api_key.get_secret_value()))
    if given is not None:
        _log.warning(f"SAYSO_API_KEY is the agent's own key, so it is no operator's; {UNSET}", agent=given.name)
        return None
    wanted = settings.sayso_webhook_secret.get_secret_value() if settings.sayso_webhook_secret else None
    agent = await _operator(store, context, wanted or make_webhook_secret())
    if agent.revoked:
        raise Misconfigured(f"SAYSO_API_KEY cannot be used: its agent {OPERATOR} was revoked; use `sayso agent add`.")
    secrets = await store.records.webhook_secrets(agent.id, context.clock.now())
    if wanted is not None and wanted not in secrets[:1]:
        # The secret before goes on signing for a day, as with every rotation.
        await rotate_agent(context, WORKSPACE, OPERATOR, hash_key(make_key()), wanted)
    return OperatorKey(agent, hash_key(settings.sayso_api_key.get_secret_value()))


async def _operator(store: Store, context: Context, webhook_secret: str) -> Agent:
    for tries_left in (2, 1, 0):
        known = [one for one in await store.records.agents(WORKSPACE) if one.name == OPERATOR]
        if known:
            return known[0]
        try:
            # Its own stored key is one that nobody ever saw.
            return await add_agent(
                context, WORKSPACE, OPERATOR, AgentRole.OPERATOR, hash_key(make_key()), webhook_secret
            )
        except (Invalid, Raced):
            if not tries_left:
                raise
    raise Raced("no try was made")
