"""Cards on their way out: posted once, looked for when an answer was lost, redrawn as often as it takes."""

from __future__ import annotations

from bot.errands.noting import Notes
from bot.errands.posting import post_once, redraw_again
from core.channels import Posted
from core.outbox import Claimed, PostCard, RedrawCard
from core.publications import Surface
from core.use_cases import deliver, showing
from core.use_cases.showing import Ready


class CardErrands:
    """Posts and redraws. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(self, notes: Notes, *, link_ok: bool) -> None:
        self._notes = notes
        self._link_ok = link_ok

    async def post(self, claimed: Claimed, task: PostCard) -> None:
        """Post a card, or find the one whose answer was lost."""

        async def make(ready: Ready) -> Posted:
            channel = await self._notes.channel(claimed, ready.copy.provider, ready.copy.account)
            return await channel.post(ready.card, ready.copy)

        async def find(ready: Ready) -> Posted | None:
            channel = await self._notes.channel(claimed, ready.copy.provider, ready.copy.account)
            return await channel.find(ready.copy)

        ready = await deliver.begin_post(self._notes.context, claimed, task, self._link_ok)
        if ready is not None:
            await post_once(self._notes, claimed, ready, deliver, make, find)

    async def redraw(self, claimed: Claimed, task: RedrawCard) -> None:
        """Make a copy show the card as it is."""
        ready = await showing.begin_redraw(self._notes.context, claimed, task, self._link_ok)
        if ready is None:
            return
        shown = ready

        async def draw() -> Surface:
            channel = await self._notes.channel(claimed, shown.copy.provider, shown.copy.account)
            return await channel.redraw(shown.card, shown.copy)

        async def noted(surface: Surface | None) -> None:
            await showing.redrawn(self._notes.context, claimed, shown, surface)

        await redraw_again(self._notes, claimed, shown.copy, draw, noted)
