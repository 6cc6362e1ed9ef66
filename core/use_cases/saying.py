"""What programs say in a conversation by API: shown to the people there, and its sentences count."""

from __future__ import annotations

from typing import Any

from core.loops.access import AgentSpeaks
from core.loops.places import Saying
from core.people import Agent, AgentRole
from core.ports import Context, Work
from core.use_cases.listening import listen
from core.use_cases.loop_places import conversation_for
from core.use_cases.loop_recording import say_there
from core.use_cases.loops import remember, replayed
from core.use_cases.transact import transact


async def say(
    context: Context, conversation: str, text: str, agent: Agent, idempotency: tuple[str, str] | None = None
) -> tuple[dict[str, Any], bool]:
    """Say something; returns what it led to, and whether this was the first answer once more.

    Raises `NotFound` for a conversation that the agent does not take part in, and `IdempotencyConflict`.
    """

    async def inner(work: Work) -> tuple[dict[str, Any], bool]:
        known = await replayed(work, agent, idempotency)
        if known is not None:
            return known, True
        operator = agent.role is AgentRole.OPERATOR
        place = await conversation_for(work, agent.workspace, conversation, agent, operator=operator)
        now = context.clock.now()
        speaker = AgentSpeaks(agent, takes_part=await work.takes_part(place.id, agent.id))
        saying = Saying(
            id=context.ids.new("msg"),
            workspace=agent.workspace,
            conversation=place.id,
            by=speaker.by,
            text=text,
            at=now,
        )
        await work.add_saying(saying)
        # The people there read what was said before what came of it.
        await say_there(work, context, place, f"{agent.name}: {text}", now)
        listened = await listen(work, context, place, speaker, saying)
        answer = {**saying.wire(), **listened.wire()}
        await remember(work, context, agent, idempotency, answer)
        return answer, False

    return await transact(context, inner)
