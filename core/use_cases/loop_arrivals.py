"""What arrives from a chat about loops, as the use cases take it: a press, a submitted form, a message."""

from __future__ import annotations

from dataclasses import dataclass

from core.addresses import ChatAddress
from core.errors import Forged
from core.fields import Fields
from core.loops.controls import LoopControl
from core.loops.values import LoopCopy
from core.people import Membership
from core.ports import Context, Work
from core.publications import PublicationState
from core.use_cases.arrivals import Arrival, Message
from core.use_cases.recording import take_out

ELSEWHERE = "This control belongs to another message, so nothing was done."


@dataclass(frozen=True, kw_only=True)
class LoopPress(Arrival):
    """A press. `carried`: the provider vouches that the message has this control; `prompts`: this chat has no modal, so
    words are asked for by a prompt."""

    channel: str
    thread: str | None
    message: str
    control: LoopControl
    carried: bool = True
    prompts: bool = False

    @property
    def conversation(self) -> str:
        """Where it was pressed, without the thread."""
        return str(ChatAddress(self.provider, self.account, self.channel))


@dataclass(frozen=True, kw_only=True)
class LoopForm(Arrival):
    """A form that only its sender had. `membership` says whether they are in the loop's conversation now."""

    control: LoopControl
    fields: Fields
    membership: Membership = Membership.UNDETERMINED


@dataclass(frozen=True, kw_only=True)
class Heard(Message):
    """A message where loops may be talked about. `thread` is the thread or topic it is in. `spoken` is what is
    read for sentences, where that is not the text."""

    thread: str | None = None
    spoken: str | None = None

    @property
    def words(self) -> str:
        """What is read for sentences."""
        return self.text if self.spoken is None else self.spoken


async def shown_once(work: Work, context: Context, card: LoopCopy | None, arrival: LoopPress) -> LoopCopy:
    """The copy that was pressed, as `matched` has it. Was it a second one, because a post that seemed lost arrived as
    well as its replacement, that one is taken out of the chat: nothing would ever draw it again."""
    own = matched(card, arrival)
    if own.message != arrival.message and arrival.carried:
        there = (arrival.provider.value, arrival.account, (arrival.channel, arrival.message))
        await take_out(work, context, arrival.workspace, *there, context.clock.now())
    return own


def matched(card: LoopCopy | None, arrival: LoopPress) -> LoopCopy:
    """The copy that was pressed: as it is known, or with the message that the press shows to be there."""
    if card is None or (card.provider, card.account) != (arrival.provider, arrival.account):
        raise Forged(ELSEWHERE)
    if card.message is not None:
        if arrival.channel != card.channel:
            raise Forged(ELSEWHERE)
        return card
    at_home = arrival.channel in (card.channel, card.place) or card.place == arrival.identity.user
    if not at_home or not arrival.carried:
        raise Forged(ELSEWHERE)
    found = {"channel": arrival.channel, "message": arrival.message, "state": PublicationState.POSTED, "reason": None}
    return card.model_copy(update=found)
