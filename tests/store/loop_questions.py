"""What is asked of loops and conversations, by name: each names a workspace, and is asked of another one in vain."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from core.loops import LoopState
from core.people import Identity
from core.store.queries import SqlRecords
from core.store.work import SqlWork
from tests.rules.making import NOW
from tests.store.making import ANA, BUILDER, HERE
from tests.store.ordering import alert, directive, follow_up, moved, order, place, said

BOT = Identity(provider="slack", account="T1", user="B1")
OTHER_BOT = Identity(provider="slack", account="T1", user="B2")
LOOP = order(recipient="person:ana")

READS: dict[str, Callable[[SqlRecords, str], Awaitable[Any]]] = {
    "loop": lambda records, workspace: records.loop(workspace, LOOP.name, None),
    "loops": lambda records, workspace: records.loops(workspace, None, states=[LoopState.OPEN]),
    "loops_for": lambda records, workspace: records.loops_for(workspace, ANA),
    "loop_receipts": lambda records, workspace: records.loop_receipts(workspace, LOOP.name),
    "conversation": lambda records, workspace: records.conversation(workspace, place().id, None),
    "conversations": lambda records, workspace: records.conversations(workspace, None),
    "sayings": lambda records, workspace: records.sayings(workspace, place().id),
    "alert": lambda records, workspace: records.alert(workspace, alert().id),
    "alerts": lambda records, workspace: records.alerts(workspace, None),
    "accounts": lambda records, workspace: records.accounts(workspace),
    "agent_of_account": lambda records, workspace: records.agent_of_account(workspace, BOT),
}
LOADS: dict[str, Callable[[SqlWork, str], Awaitable[Any]]] = {
    "loop": lambda work, workspace: work.loop(workspace, LOOP.id),
    "loop_named": lambda work, workspace: work.loop_named(workspace, LOOP.name),
    "conversation": lambda work, workspace: work.conversation(workspace, place().id),
    "follow_up": lambda work, workspace: work.follow_up(workspace, follow_up().id),
    "alert": lambda work, workspace: work.alert(workspace, alert().id),
    "agent_of_account": lambda work, workspace: work.agent_of_account(workspace, BOT),
    "operators": lambda work, workspace: work.operators(workspace),
}
WRITES: dict[str, Callable[[SqlWork, str], Awaitable[Any]]] = {
    "link_account": lambda work, workspace: work.link_account(workspace, BUILDER.id, OTHER_BOT, NOW),
    "unlink_account": lambda work, workspace: work.unlink_account(workspace, BOT),
}


async def fill(work: SqlWork) -> None:
    """Make one of everything that is asked for above."""
    await work.add_conversation(place())
    await work.add_loop(LOOP)
    await work.record_loop(moved("rcp_loop"), LOOP.id)
    await work.add_saying(said(1))
    await work.add_handover(directive(1))
    await work.add_follow_up(follow_up())
    await work.add_alert(alert())
    await work.link_account(HERE, BUILDER.id, BOT, NOW)
