"""Words on their way out: prompts, replies of askers, sign-in codes."""

from __future__ import annotations

from bot.errands.noting import Notes, delivered
from core.addresses import Provider
from core.cards import Card
from core.drafts import Prompt
from core.errors import ChannelError, InstallationDead, PlaceMoved, Transient
from core.outbox import AskWords, Claimed, Say
from core.ports import Work
from core.use_cases.transact import transact


class WordErrands:
    """Prompts and plain words. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(self, notes: Notes, *, link_ok: bool) -> None:
        self._notes = notes
        self._link_ok = link_ok

    async def ask(self, claimed: Claimed, task: AskWords) -> None:
        """Send a prompt, and remember that a reply to it is the words asked for."""
        async with self._notes.context.work() as work:
            interaction = await work.interaction(claimed.delivery.workspace, task.interaction)
        if interaction is None or not interaction.is_pending or interaction.revision != task.revision:
            await self._notes.end(claimed, "the card is settled or changed")
            return
        card = Card(interaction, task.publication, self._notes.context.review_url(interaction.id), self._link_ok)
        try:
            where = await self._notes.chats.channel(Provider(task.provider), task.account).ask_words(task, card)
        except ChannelError as error:
            await self._failed(claimed, task, error)
            return
        prompt = Prompt(
            provider=task.provider,
            account=task.account,
            channel=where.channel,
            message=where.message,
            workspace=claimed.delivery.workspace,
            interaction=task.interaction,
            publication=task.publication,
            revision=task.revision,
            action=task.action,
            question=task.question,
            option=task.option,
            person=task.person,
        )

        async def noted(work: Work) -> None:
            await work.add_prompt(prompt)
            await work.finish(claimed)

        await transact(self._notes.context, noted)
        delivered(claimed)

    async def say(self, claimed: Claimed, task: Say) -> None:
        """Send plain words."""
        try:
            await self._notes.chats.channel(Provider(task.provider), task.account).say(task)
        except ChannelError as error:
            await self._failed(claimed, task, error)
            return
        await self._notes.done(claimed)

    async def _failed(self, claimed: Claimed, task: AskWords | Say, error: ChannelError) -> None:
        if isinstance(error, PlaceMoved):
            await self._notes.moved(Provider(task.provider), task.account, task.channel, error.place)
        if isinstance(error, Transient | InstallationDead | PlaceMoved):
            await self._notes.again(claimed, error, None)
            return
        # Words whose sending may have worked are never sent twice.
        await self._notes.end(claimed, f"{type(error).__name__}: {error}")
