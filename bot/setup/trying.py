"""The proof that it works: a card goes to the operator, and their press comes back with a receipt."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.setup.asking import Talk
from bot.setup.operator import until
from bot.setup.running import Running
from bot.startup import WORKSPACE
from bot.web.keys import hash_key, make_key, make_webhook_secret
from core.acts import Withdraw
from core.asking import ASK
from core.errors import Misconfigured, Refused
from core.people import Agent, AgentRole
from core.ports import Context
from core.records import Interaction, Status
from core.store import Store
from core.use_cases.agents import add_agent
from core.use_cases.ask import ask
from core.use_cases.change import change

ASKER: Final = "init"
"""The agent that asks the test card. Nobody ever saw its key."""
SOON: Final = 45.0
PATIENCE: Final = 10 * 60.0
TITLE: Final = "Does this card reach you?"
NOBODY_WAITS: Final = "Nobody waits for it any more."
BODY: Final = "Press a button. `sayso init` waits for it at the terminal; nothing else happens."


@dataclass(frozen=True)
class Tried:
    """How the test card ended: who pressed it and the receipt, or why nobody did. `forged`: what Slack sends is signed
    with another secret than ours."""

    receipt: str = ""
    by: str = ""
    why: str = ""
    forged: bool = False


def try_it(talk: Talk, running: Running, to: str, answerers: list[str], hint: str, forged: Callable[[], bool]) -> Tried:
    """Ask there, and wait until it is answered. What is not is withdrawn, also when Ctrl+C ends the waiting. `hint` is
    what to look at when nobody pressed for a while; `forged` whether no press can come, as each is refused."""

    async def send(store: Store, context: Context) -> str:
        request = {
            "kind": "confirmation",
            "to": to,
            "title": TITLE,
            "body": BODY,
            "payload": {"accept_label": "Yes, it does", "reject_label": "No", "reason": "none"},
            "audience": {"answerers": answerers},
            "policy": {"expires_in": "15m"},
        }
        asked = await ask(context, ASK.validate_json(json.dumps(request)), await _asker(store, context))
        return str(asked.snapshot["id"])

    id = running.do(send)

    found: Interaction | None = None
    try:
        talk.say(f"A card went to {to}. Waiting until one of its buttons is pressed there …")
        found = until(lambda: _settled(running, id), SOON, forged)
        if found is None and not forged():
            talk.note(f"Still waiting. {hint}")
            found = until(lambda: _settled(running, id), PATIENCE, forged)
    finally:
        if found is None:
            _take_back(running, id)
    return _tried(found, forged=forged())


def _settled(running: Running, id: str) -> Interaction | None:
    """The card, once it is settled."""

    async def look(store: Store, _: Context) -> Interaction | None:
        whole = await store.records.interaction(WORKSPACE, id, None)
        found = whole.interaction if whole is not None else None
        return found if found is not None and found.status is not Status.PENDING else None

    return running.do(look)


def _tried(found: Interaction | None, *, forged: bool) -> Tried:
    if forged and found is None:
        return Tried(why="what Slack sends is signed with another secret", forged=True)
    if found is None or found.outcome is None:
        return Tried(why="nobody pressed the card in time")
    outcome = found.outcome
    if found.status in (Status.ACCEPTED, Status.REJECTED):
        by = f"{outcome.by.handle} ({outcome.by.identity})" if outcome.by.identity else str(outcome.by.handle)
        return Tried(receipt=outcome.receipt, by=by)
    return Tried(why=f"the card ended {found.status.value}" + (f": {outcome.reason}" if outcome.reason else ""))


def _take_back(running: Running, id: str) -> None:
    """Leave no card behind that nobody waits for."""

    async def withdraw(store: Store, context: Context) -> None:
        # Somebody pressed it in this very moment: then there is nothing to take back.
        with suppress(Refused):
            await change(context, WORKSPACE, id, Withdraw(NOBODY_WAITS), await _asker(store, context))

    running.do(withdraw)


async def _asker(store: Store, context: Context) -> Agent:
    known = next((one for one in await store.records.agents(WORKSPACE) if one.name == ASKER), None)
    if known is not None and not known.revoked:
        return known
    if known is not None:
        raise Misconfigured(f"The agent {ASKER}, which asks the test card, was revoked: no test card can be sent.")
    return await add_agent(context, WORKSPACE, ASKER, AgentRole.AGENT, hash_key(make_key()), make_webhook_secret())
