"""What a message is heard with, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.errors import Invalid
from core.loops.access import AgentSpeaks, PersonSpeaks, Speaker
from core.loops.places import Conversation, Saying
from core.loops.values import Loop
from core.loops.wording import unknown_words
from core.ports import Context, Work
from core.use_cases.loop_moving import Moved, may_read
from core.use_cases.tools import Ran


@dataclass
class Listened:
    """What a message led to, in order. `raised` counts alerts. `waiting` are calls that somebody looks at first.
    `refusals` are answered in one plain reply; `told` are those that their speaker was told lately."""

    opened: list[Loop] = field(default_factory=list)
    raised: int = 0
    moved: list[Moved] = field(default_factory=list)
    ran: list[Ran] = field(default_factory=list)
    waiting: list[Ran] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    @property
    def reply(self) -> str | None:
        """The one plain reply, if there is anything to say."""
        return "\n".join(dict.fromkeys(self.refusals)) or None

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {
            "opened": [loop.name for loop in self.opened],
            "moved": [
                {"id": one.loop.name, "state": one.loop.state.value, "receipt": one.receipt, "repeated": one.repeated}
                for one in self.moved
            ],
            "ran": [one.wire() for one in self.ran],
            "waiting": [one.wire() for one in self.waiting],
            "refused": list(dict.fromkeys(self.refusals + self.told)),
        }


@dataclass(frozen=True)
class Ear:
    """What every sentence of one message is heard with."""

    work: Work
    context: Context
    conversation: Conversation
    speaker: Speaker
    saying: Saying
    provider_event: str | None
    heard: Listened
    about: Loop | None = None
    """The loop whose card it replies to."""

    async def loop(self, name: str) -> Loop:
        """The loop that a sentence names, if its speaker may know of it here. Raises `Invalid`."""
        loop = await self.work.loop_named(self.conversation.workspace, name)
        if loop is None or not await self.knows(loop):
            raise Invalid.at("", unknown_words(name))
        return loop

    async def knows(self, loop: Loop) -> bool:
        """Whether it is talked about here. Where a chat has no threads, replies to one card may be about another."""
        here, speaker = self.conversation, self.speaker
        if speaker.is_operator:
            return True
        if isinstance(speaker, AgentSpeaks) and not await may_read(self.work, loop, speaker.agent):
            return False
        if loop.conversation == here.id:
            return True
        there = await self.work.conversation(here.workspace, loop.conversation) if here.is_chat else None
        if there is None or there.address != here.address:
            return False
        return isinstance(speaker, PersonSpeaks) or await self.work.takes_part(there.id, speaker.agent.id)
