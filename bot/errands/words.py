"""Words on their way out: prompts, replies of askers, sign-in codes."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from bot.errands.noting import Notes
from core.addresses import Provider
from core.cards import Card
from core.channels import Channel
from core.drafts import Prompt
from core.errors import ChannelError, MessageGone, Misrendered, PlaceMoved, Transient, Unreachable
from core.outbox import AskWords, Claimed, Say, TakeBack
from core.ports import Work
from core.use_cases.prompting import begin_ask
from core.use_cases.recording import take_back_prompts
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.errands")


class WordErrands:
    """Prompts and plain words. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(self, notes: Notes, *, link_ok: bool) -> None:
        self._notes = notes
        self._link_ok = link_ok

    async def ask(self, claimed: Claimed, task: AskWords) -> None:
        """Send a prompt, and remember that a reply to it is the words asked for."""
        interaction = await begin_ask(self._notes.context, claimed, task)
        if interaction is None:
            return
        card = Card(interaction, task.publication, self._notes.context.review_url(interaction.id), self._link_ok)
        try:
            channel = await self._notes.channel(claimed, Provider(task.provider), task.account)
            where = await channel.ask_words(task, card)
        except ChannelError as error:
            await self._notes.not_said(claimed, task, error)
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
            now = await work.interaction(prompt.workspace, prompt.interaction)
            await work.add_prompt(prompt)
            await work.finish(claimed)
            if now is not None and not now.is_pending:
                # It settled while the prompt was on its way, so nothing else takes it back.
                copies = [one for one in await work.publications(now.id) if one.number == prompt.publication]
                await take_back_prompts(work, self._notes.context, now, copies, self._notes.context.clock.now())

        await transact(self._notes.context, noted)
        self._notes.telemetry.delivered(claimed)

    async def take_back(self, claimed: Claimed, task: TakeBack) -> None:
        """Delete prompts, several at once where the chat can. What a provider will never let us delete stays."""
        try:
            channel = await self._notes.channel(claimed, Provider(task.provider), task.account)
            await self._delete(claimed, channel, task.channel, task.messages)
        except ChannelError as error:
            if isinstance(error, Unreachable | PlaceMoved):
                await self._notes.failed(claimed, error)
                await self._notes.end(claimed, str(error))
            else:
                # What is deleted already is deleted as well the second time.
                await self._notes.again(claimed, error, None)
            return
        await self._notes.done(claimed)

    async def _delete(self, claimed: Claimed, channel: Channel, where: str, messages: Sequence[str]) -> None:
        at_once = channel.deleted_at_once
        left = [messages[first : first + at_once] for first in range(0, len(messages), at_once)]
        another, is_first = self._notes.another_turn(claimed), True
        while left:
            if not is_first and not await another():
                raise Transient("there is too much else to write to this chat")
            is_first, some = False, left.pop(0)
            try:
                await channel.take_back(where, some)
            except (MessageGone, Misrendered):
                if len(some) == 1:
                    log.info("not taken back", channel=where, message=some[0])
                else:
                    # One of them that cannot be deleted keeps the others.
                    left = [(one,) for one in some] + left

    async def say(self, claimed: Claimed, task: Say) -> None:
        """Send plain words."""
        try:
            channel = await self._notes.channel(claimed, Provider(task.provider), task.account)
            await channel.say(task, self._notes.another_turn(claimed))
        except ChannelError as error:
            await self._notes.not_said(claimed, task, error)
            return
        await self._notes.done(claimed)
