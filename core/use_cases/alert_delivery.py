"""The bookkeeping around provider calls for alerts."""

from __future__ import annotations

from dataclasses import dataclass

from core.channels import Posted
from core.loops.cards import AlertCard
from core.loops.owed import PostAlert, RedrawAlert
from core.loops.values import LoopCopy
from core.outbox import Claimed
from core.ports import Context, Work
from core.publications import PublicationState
from core.use_cases.loop_places import rooted
from core.use_cases.loop_recording import loop_url
from core.use_cases.transact import transact


@dataclass(frozen=True)
class ReadyAlert:
    """An alert's card to post or redraw."""

    card: AlertCard
    copy: LoopCopy


async def begin_alert(
    context: Context, claimed: Claimed, task: PostAlert | RedrawAlert, *, link_ok: bool
) -> ReadyAlert | None:
    """What is to be shown, noted as being on the wire. None: nothing is, and the delivery is over.

    A post whose answer was lost is not made again: two alerts would be worse than one that may be missing.
    """

    async def inner(work: Work) -> ReadyAlert | None:
        alert = await work.alert(claimed.delivery.workspace, task.alert)
        if alert is None or alert.card is None:
            await work.abandon(claimed, "the alert is gone")
            return None
        copy = alert.card
        if isinstance(task, PostAlert):
            if copy.state is not PublicationState.QUEUED:
                await work.abandon(claimed, "its post had an unknown outcome")
                return None
            copy = copy.model_copy(update={"state": PublicationState.SENDING, "attempt_at": context.clock.now()})
            await work.save_alert(alert.model_copy(update={"card": copy}))
        elif copy.message is None:
            await work.finish(claimed)
            return None
        url = loop_url(context, alert.order) if alert.order else None
        return ReadyAlert(AlertCard(alert, url, link_ok), copy)

    return await transact(context, inner)


async def alert_posted(context: Context, claimed: Claimed, ready: ReadyAlert, where: Posted) -> None:
    """The provider has it: note where, and that the conversation begins with it."""

    async def inner(work: Work) -> None:
        alert = await work.alert(ready.card.alert.workspace, ready.card.alert.id)
        if alert is not None and alert.card is not None:
            found = {"state": PublicationState.POSTED, "channel": where.channel, "message": where.message}
            await work.save_alert(alert.model_copy(update={"card": alert.card.model_copy(update=found)}))
            conversation = await work.conversation(alert.workspace, alert.conversation)
            after = rooted(conversation, where.channel, where.message) if conversation else None
            if after is not None and after is not conversation:
                await work.save_conversation(after)
        await work.finish(claimed)

    await transact(context, inner)


async def alert_not_sent(context: Context, ready: ReadyAlert) -> None:
    """It was certainly not done, so it may be done again."""

    async def inner(work: Work) -> None:
        alert = await work.alert(ready.card.alert.workspace, ready.card.alert.id)
        if alert is not None and alert.card is not None and alert.card.state is PublicationState.SENDING:
            queued = alert.card.model_copy(update={"state": PublicationState.QUEUED})
            await work.save_alert(alert.model_copy(update={"card": queued}))

    await transact(context, inner)
