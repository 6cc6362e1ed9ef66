"""Work orders and alerts in Slack, as `core.channels.LoopChannel`: posted once, found again, redrawn."""

from __future__ import annotations

from functools import partial
from typing import Final

from adapters.several import send_all
from adapters.slack.posting import MARK, Posting
from blocks.slack.alert import alert_words, render_alert
from blocks.slack.fit import fits
from blocks.slack.loop import Message, loop_in_words, render_loop, render_offer
from core.channels import Another, Posted
from core.errors import MessageGone, Misrendered
from core.loops.cards import AlertCard, LoopCard
from core.loops.owed import AskLoopWords, OfferAgain
from core.loops.places import Alert
from core.loops.values import Loop, LoopCopy

LOOP: Final = "work_order"
ALERT: Final = "alert"
IF_WANTED: Final = "You can dispatch it again:"


class LoopPosting(Posting):
    """Posts what is about work orders."""

    async def post_loop(self, card: LoopCard, copy: LoopCopy) -> Posted:
        """Post a work order once."""
        return await self._post_marked(render_loop(card, self._codec), card.loop.id, LOOP, copy)

    async def find_loop(self, loop: Loop, copy: LoopCopy) -> Posted | None:
        """Look through what was posted since the attempt. `Ambiguous` where the app may not read."""
        return await self._find_marked(loop.id, copy)

    async def redraw_loop(self, card: LoopCard, copy: LoopCopy) -> None:
        """Edit the posted card. What Slack refuses to draw becomes plain words, so that no control of it stays."""
        await self._redraw_marked(render_loop(card, self._codec), loop_in_words(card), copy)

    async def ask_loop_words(self, prompt: AskLoopWords, loop: Loop) -> Posted:
        """Nothing leads here: a press in Slack opens a form, so no prompt is ever owed. One that is all the same would
        wait for a reply that nobody takes, so it is refused for good."""
        raise Misrendered(f"words for {loop.name} are asked of {prompt.user} in a form here, never by a message")

    async def offer_again(self, offer: OfferAgain, another: Another | None = None) -> Posted:
        """Tell somebody what became of their order, with the button that dispatches it again."""
        channel = await self._conversation(offer.channel)
        drawn = render_offer(offer, self._codec)
        sends = [partial(self._say_once, channel, drawn.text, drawn.blocks, None, None)]
        if not fits(drawn.blocks):
            sends = [partial(self._say_once, channel, drawn.text, [], None, None)]
            drawn = render_offer(offer.model_copy(update={"text": IF_WANTED}), self._codec)
            sends.append(partial(self._say_once, channel, drawn.text, drawn.blocks, None, None))
        *_, answer = await send_all(sends, another)
        return Posted(str(answer["channel"]), str(answer["ts"]))

    async def post_alert(self, card: AlertCard, copy: LoopCopy) -> Posted:
        """Post an alert once."""
        return await self._post_marked(render_alert(card, self._codec), card.alert.id, ALERT, copy)

    async def find_alert(self, alert: Alert, copy: LoopCopy) -> Posted | None:
        """The same for an alert."""
        return await self._find_marked(alert.id, copy)

    async def redraw_alert(self, card: AlertCard, copy: LoopCopy) -> None:
        """Edit the posted alert."""
        await self._redraw_marked(render_alert(card, self._codec), alert_words(card), copy)

    async def _post_marked(self, drawn: Message, delivery: str, surface: str, copy: LoopCopy) -> Posted:
        channel = await self._conversation(copy.channel or copy.place)
        mark = {"event_type": MARK, "event_payload": {"delivery": delivery, "surface": surface}}
        answer = await self._say_once(channel, drawn.text, drawn.blocks, copy.thread, mark)
        return Posted(str(answer["channel"]), str(answer["ts"]))

    async def _find_marked(self, delivery: str, copy: LoopCopy) -> Posted | None:
        found = await self._delivered(delivery, copy.channel or copy.place, copy.thread, copy.attempt_at)
        return Posted(found[0], found[1]) if found is not None else None

    async def _redraw_marked(self, drawn: Message, words: str, copy: LoopCopy) -> None:
        if copy.channel is None or copy.message is None:
            raise MessageGone("it was never posted")
        try:
            await self._edit(copy.channel, copy.message, drawn.text, drawn.blocks)
        except Misrendered:
            await self._edit(copy.channel, copy.message, words, [])
