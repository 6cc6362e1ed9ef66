"""What is asked of loops and conversations, by name: each names a workspace, and is asked of another one in vain."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from core.dues import DueKind
from core.loops import LoopState
from core.people import Identity, Via, by_agent
from core.reminding import LoopReminder, ReminderState
from core.store.queries import SqlRecords
from core.store.work import SqlWork
from core.tools import OpPolicy, ToolPolicy
from core.tools.reviewing import ToolCall
from tests.rules.making import NOW
from tests.store.making import ANA, BUILDER, HERE, ask
from tests.store.ordering import alert, directive, follow_up, moved, order, place, said

BOT = Identity(provider="slack", account="T1", user="B1")
OTHER_BOT = Identity(provider="slack", account="T1", user="B2")
LOOP = order(recipient="person:ana")
OFF = OpPolicy(op="loop.list", policy=ToolPolicy.OFF)

READS: dict[str, Callable[[SqlRecords, str], Awaitable[Any]]] = {
    "loop": lambda records, workspace: records.loop(workspace, LOOP.name, None),
    "loops": lambda records, workspace: records.loops(workspace, None, states=[LoopState.OPEN]),
    "loops_for": lambda records, workspace: records.loops_for(workspace, ANA),
    "loops_around": lambda records, workspace: records.loops_around(workspace, ANA),
    "loop_receipts": lambda records, workspace: records.loop_receipts(workspace, LOOP.name),
    "conversation": lambda records, workspace: records.conversation(workspace, place().id, None),
    "conversations": lambda records, workspace: records.conversations(workspace, None),
    "sayings": lambda records, workspace: records.sayings(workspace, place().id),
    "alert": lambda records, workspace: records.alert(workspace, alert().id),
    "alerts": lambda records, workspace: records.alerts(workspace, None),
    "accounts": lambda records, workspace: records.accounts(workspace),
    "agent_of_account": lambda records, workspace: records.agent_of_account(workspace, BOT),
    "tool_policies": lambda records, workspace: records.tool_policies(workspace),
    "tool_call": lambda records, workspace: records.tool_call(workspace, "tcl_1"),
}
LOADS: dict[str, Callable[[SqlWork, str], Awaitable[Any]]] = {
    "loop": lambda work, workspace: work.loop(workspace, LOOP.id),
    "loops_of_agent": lambda work, workspace: work.loops_of_agent(workspace, BUILDER),
    "loops_of_person": lambda work, workspace: work.loops_of_person(workspace, ANA),
    "loop_named": lambda work, workspace: work.loop_named(workspace, LOOP.name),
    "conversation": lambda work, workspace: work.conversation(workspace, place().id),
    "follow_up": lambda work, workspace: work.follow_up(workspace, follow_up().id),
    "held_loop_reminders": lambda work, workspace: work.held_loop_reminders(workspace, ANA.id),
    "held_loops": lambda work, workspace: work.held_loops(workspace, [LOOP.id]),
    "alert": lambda work, workspace: work.alert(workspace, alert().id),
    "agent_of_account": lambda work, workspace: work.agent_of_account(workspace, BOT),
    "operators": lambda work, workspace: work.operators(workspace),
    "tool_policy": lambda work, workspace: work.tool_policy(workspace, OFF.op),
    "tool_call": lambda work, workspace: work.tool_call(workspace, "tcl_1"),
}
WRITES: dict[str, Callable[[SqlWork, str], Awaitable[Any]]] = {
    "link_account": lambda work, workspace: work.link_account(workspace, BUILDER.id, OTHER_BOT, NOW),
    "unlink_account": lambda work, workspace: work.unlink_account(workspace, BOT),
    "set_tool_policy": lambda work, workspace: work.set_tool_policy(
        workspace, OpPolicy(op=OFF.op, policy=ToolPolicy.ALLOW), NOW
    ),
}


async def fill(work: SqlWork) -> None:
    """Make one of everything that is asked for above."""
    await work.add_conversation(place())
    await work.add_loop(LOOP)
    await work.add_loop_reminder(LoopReminder("rem_2", HERE, LOOP.id, ANA.id, NOW, ReminderState.HELD))
    await work.set_due(DueKind.HELD, ANA.id, HERE, NOW)
    await work.record_loop(moved("rcp_loop"), LOOP.id)
    await work.add_saying(said(1))
    await work.add_handover(directive(1))
    await work.add_follow_up(follow_up())
    await work.add_alert(alert())
    await work.link_account(HERE, BUILDER.id, BOT, NOW)
    await work.set_tool_policy(HERE, OFF, NOW)
    await work.add_tool_call(
        ToolCall(
            id="tcl_1",
            workspace=HERE,
            conversation=place().id,
            op=OFF.op,
            arguments="{}",
            definition="sha256:0",
            by=by_agent(BUILDER),
            via=Via.API,
            interaction=ask(1).id,
            created_at=NOW,
        )
    )
