"""The part of the intake that is about work orders: presses and forms of their cards, and what is said where they are
talked about."""

from __future__ import annotations

from adapters.inbound import Pressed, Submitted
from bot.arriving import sent
from bot.authority import Authority
from core.addresses import Provider
from core.loops.controls import LoopControl
from core.loops.keeping import LoopReads
from core.loops.replies import LoopReply
from core.people import Membership
from core.ports import Connection, Context, Work
from core.replies import Quiet, Reply
from core.use_cases.aim import aim_of
from core.use_cases.hearing import hear
from core.use_cases.loop_arrivals import Heard, LoopForm, LoopPress
from core.use_cases.loop_press import press_loop, submit_loop
from core.use_cases.transact import transact
from core.use_cases.write import write_in


class LoopIntake:
    """Takes what arrives about work orders."""

    def __init__(self, context: Context, records: LoopReads, authority: Authority) -> None:
        self._context = context
        self._records = records
        self._authority = authority

    async def press(self, arrival: Pressed, connection: Connection, control: LoopControl) -> LoopReply:
        """Handle a press on the card of a work order or an alert."""
        standing = await self._authority.standing(connection.workspace, arrival.sender, arrival.hint)
        return await press_loop(
            self._context,
            LoopPress(
                **sent(arrival, connection, standing),
                channel=arrival.channel,
                thread=arrival.thread,
                message=arrival.message,
                control=control,
                carried=arrival.carried,
                prompts=arrival.provider is Provider.TELEGRAM,
            ),
        )

    async def submit(self, arrival: Submitted, connection: Connection, control: LoopControl) -> Reply:
        """Handle the form of a result or a reason. It may have been open for hours, so membership is asked anew."""
        workspace = connection.workspace
        standing = await self._authority.standing(workspace, arrival.sender, arrival.hint)
        return await submit_loop(
            self._context,
            LoopForm(
                **sent(arrival, connection, standing),
                control=control,
                fields=arrival.fields,
                membership=await self._membership(workspace, arrival, control),
            ),
        )

    async def _membership(self, workspace: str, arrival: Submitted, control: LoopControl) -> Membership:
        loop = await transact(self._context, lambda work: work.loop(workspace, control.subject))
        if loop is None or loop.card is None or loop.card.provider is not arrival.provider:
            return Membership.NO
        return await self._authority.is_in(workspace, arrival.sender, loop.card)

    async def hear(self, heard: Heard) -> Reply | None:
        """Handle a message where work orders are talked about. None: it was said elsewhere."""
        return await hear(self._context, self._records, heard, _for_a_card)


async def _for_a_card(work: Work, context: Context, heard: Heard) -> Reply | None:
    """Take what is meant for a question in the same conversation; None: it is not. Only people answer questions, and
    what counts for none in a thread is talk like any other."""
    if heard.standing.bot or heard.reply_to is None:
        return None
    if await aim_of(work, heard.provider, heard.account, heard.channel, heard.reply_to) is None:
        return None
    reply = await write_in(work, context, heard)
    return None if heard.in_thread and isinstance(reply, Quiet) else reply
