"""The one message that shows a work order or an alert: what it shows, and how it is looked up and kept."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import Invalid
from core.loops.cards import AlertCard, LoopCard
from core.loops.owed import PostAlert, PostLoop, RedrawAlert, RedrawLoop
from core.loops.places import Alert
from core.loops.values import Loop, LoopCopy
from core.loops.wording import UNKNOWN_REASON, order_words, undelivered_words, unseen_words
from core.outbox import Lane
from core.ports import Context, Work
from core.use_cases.loop_recording import loop_url, redraw_loop
from core.use_cases.loop_telling import tell
from core.use_cases.loops_left import tell_of
from core.use_cases.recording import owe

Carrier = Loop | Alert
"""What has a copy."""


@dataclass(frozen=True)
class ReadyCopy:
    """A card to post or redraw. `reconcile`: an earlier post's outcome is unknown, so look before posting."""

    card: LoopCard | AlertCard
    copy: LoopCopy
    reconcile: bool = False

    @property
    def carrier(self) -> Carrier:
        """What it shows, as it was when this was made ready."""
        return self.card.loop if isinstance(self.card, LoopCard) else self.card.alert


async def carrier_of(
    work: Work, workspace: str, task: PostLoop | RedrawLoop | PostAlert | RedrawAlert
) -> Carrier | None:
    """Load and lock what a delivery is about."""
    if isinstance(task, PostLoop | RedrawLoop):
        return await work.loop(workspace, task.loop)
    return await work.alert(workspace, task.alert)


async def again(work: Work, carrier: Carrier) -> Carrier | None:
    """Load and lock it once more."""
    if isinstance(carrier, Loop):
        return await work.loop(carrier.workspace, carrier.id)
    return await work.alert(carrier.workspace, carrier.id)


async def keep_copy(work: Work, carrier: Carrier, copy: LoopCopy) -> Carrier:
    """Write what is known of the copy."""
    if isinstance(carrier, Loop):
        loop = carrier.model_copy(update={"card": copy})
        await work.save_loop(carrier, loop)
        return loop
    alert = carrier.model_copy(update={"card": copy})
    await work.save_alert(alert)
    return alert


def version_of(carrier: Carrier) -> int:
    """What a copy shows is the newest when this is the same. An alert changes once: an order is opened from it."""
    if isinstance(carrier, Loop):
        return carrier.version
    return 1 if carrier.order is None else 2


def card_of(context: Context, carrier: Carrier, *, link_ok: bool) -> LoopCard | AlertCard:
    """What a copy shows now. While a work order is open, agents read the order and how to reply."""
    if isinstance(carrier, Loop):
        sentences = order_words(carrier) if carrier.is_open else ""
        return LoopCard(carrier, loop_url(context, carrier.name), link_ok, sentences)
    return AlertCard(carrier, loop_url(context, carrier.order) if carrier.order else None, link_ok)


def is_over(carrier: Carrier) -> bool:
    """Whether nothing of it changes any more."""
    return not carrier.is_open if isinstance(carrier, Loop) else carrier.order is not None


async def redraw(work: Work, context: Context, carrier: Carrier) -> None:
    """Owe a redraw to a copy that is there."""
    if isinstance(carrier, Loop):
        await redraw_loop(work, context, carrier, context.clock.now())
    elif carrier.card is not None and carrier.card.message is not None:
        task = RedrawAlert(alert=carrier.id, where=carrier.card.where)
        await owe(work, context, carrier.workspace, Lane.REDRAW, carrier.id, task, context.clock.now())


async def answer_alert(work: Work, context: Context, alert: Alert, loop: Loop) -> None:
    """A work order was opened from an alert, once, and its card says so. Raises `Invalid` when there is one already."""
    check_unanswered(alert)
    after = alert.model_copy(update={"order": loop.name})
    await work.save_alert(after)
    await redraw(work, context, after)


def check_unanswered(alert: Alert) -> None:
    """Raise `Invalid` when a work order was opened from it already."""
    if alert.order is not None:
        raise Invalid.at("/alert", f"the work order {alert.order} was opened from it already")


async def tell_undelivered(work: Work, context: Context, carrier: Carrier, reason: str) -> None:
    """Tell those who should know that nobody will see it: of an order the sender and the operators, who may dispatch it
    again, of an alert the operators."""
    if isinstance(carrier, Loop):
        if carrier.is_open:
            why = f"It could not be delivered to {carrier.recipient}: {reason}"
            await tell_of(work, context, carrier, why, undelivered_words(carrier, reason))
        return
    now = context.clock.now()
    where = carrier.card.where if carrier.card else carrier.conversation
    text = f"The alert “{carrier.severity}: {carrier.message}” could not be delivered to {where}: {reason}"
    await tell(work, context, carrier.workspace, await work.operators(carrier.workspace), text, now)


async def tell_unknown(work: Work, context: Context, carrier: Carrier) -> None:
    """Tell the same people that nobody knows whether it is seen."""
    if isinstance(carrier, Loop):
        if carrier.is_open:
            await tell_of(work, context, carrier, UNKNOWN_REASON, unseen_words(carrier))
        return
    where = carrier.card.where if carrier.card else carrier.conversation
    text = f"Nobody knows whether the alert “{carrier.severity}: {carrier.message}” is in {where}: {UNKNOWN_REASON}"
    await tell(work, context, carrier.workspace, await work.operators(carrier.workspace), text, context.clock.now())
