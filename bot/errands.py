"""One delivery at a time: make the provider call or send the webhook, and note what its outcome means."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import assert_never

import structlog

from bot.chats import Chats
from bot.webhooks import Delivered, Failed, Gone, Webhooks
from core.addresses import ChatAddress, Provider, parse_address
from core.cards import Card
from core.drafts import Prompt
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    PlaceMoved,
    Transient,
    Unreachable,
)
from core.outbox import AskWords, Claimed, Hear, PostCard, RedrawCard, Say, retry_at
from core.ports import Channel, Context, Posted, Work
from core.publications import Publication
from core.reading import Records
from core.upkeep import Attempt
from core.use_cases import deliver
from core.use_cases.moving import move
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.errands")

DEAD_WAIT = timedelta(seconds=60)
"""How long a connection with dead credentials is left alone."""


class Errands:
    """Does deliveries. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(
        self,
        context: Context,
        records: Records,
        chats: Chats,
        webhooks: Webhooks,
        *,
        link_ok: bool,
    ) -> None:
        self._context = context
        self._records = records
        self._chats = chats
        self._webhooks = webhooks
        self._link_ok = link_ok
        self._random = random.Random()  # noqa: S311 - spreads retries, guards nothing

    async def do(self, claimed: Claimed) -> None:
        """Do one claimed delivery, note its outcome and log how it went."""
        task = claimed.delivery.task
        match task:
            case PostCard():
                await self._post(claimed, task)
            case RedrawCard():
                await self._redraw(claimed, task)
            case AskWords():
                await self._ask_words(claimed, task)
            case Say():
                await self._say(claimed, task)
            case Hear():
                await self._hear(claimed, task)
            case _:
                assert_never(task)

    # ---------------------------------------------------------------------------------------------------- cards

    async def _post(self, claimed: Claimed, task: PostCard) -> None:
        ready = await deliver.begin_post(self._context, claimed, task, self._link_ok, self._chats.only_account)
        if ready is None:
            return
        own = ready.publication
        try:
            channel = self._chats.channel(own.provider, own.account)
            if ready.reconcile:
                found = await self._find(claimed, ready, channel)
                if found is None:
                    return
                if isinstance(found, Posted):
                    await deliver.posted(self._context, claimed, ready, found)
                    _say_delivered(claimed)
                    return
                replacement = await deliver.begin_replacement(self._context, claimed, ready)
                if replacement is None:
                    return
                ready = replacement
            where = await channel.post(ready.card, ready.publication)
            self._chats.note_dead(own.provider, own.account, None)
            await deliver.posted(self._context, claimed, ready, where)
            _say_delivered(claimed)
        except ChannelError as error:
            await self._post_failed(claimed, ready, error)

    async def _find(self, claimed: Claimed, ready: deliver.Ready, channel: Channel) -> Posted | bool | None:
        """Where the lost post is; True: post it anew; None: wait, and that is noted."""
        now, own = self._context.clock.now(), ready.publication
        started = own.attempt_at or now
        try:
            found = await channel.find(own)
            grace = deliver.SEARCH_GRACE
            searched = True
        except Ambiguous:
            found, grace, searched = None, deliver.PROOF_WAIT, False
        if found is not None:
            return found
        if now >= started + grace:
            if searched or own.posts < deliver.MOST_POSTS:
                return True
            await deliver.stays_unknown(self._context, claimed, ready)
            return None
        await deliver.wait_for_proof(self._context, claimed, ready, started + grace)
        return None

    async def _post_failed(self, claimed: Claimed, ready: deliver.Ready, error: ChannelError) -> None:
        now, context = self._context.clock.now(), self._context
        own = ready.publication
        match error:
            case Ambiguous():
                log.warning("post outcome unknown", publication=own.id, error=str(error))
                await deliver.post_lost(context, claimed, ready, str(error), answered=error.answered)
            case Unreachable():
                log.warning("unreachable", publication=own.id, code=error.code)
                await deliver.unreachable(context, claimed, ready, error.reason)
            case Misrendered():
                log.warning("card refused by the provider", publication=own.id, error=str(error))
                reason = f"{own.provider.value.capitalize()} did not accept the form of this card"
                await deliver.unreachable(context, claimed, ready, reason)
            case PlaceMoved():
                await self._moved(own.provider, own.account, own.channel or own.place, error.place, own.id)
                await deliver.not_sent(context, claimed, ready, now, str(error))
            case InstallationDead():
                self._chats.note_dead(own.provider, own.account, str(error))
                await deliver.not_sent(context, claimed, ready, now + DEAD_WAIT, str(error))
            case _:
                after = error.retry_after if isinstance(error, Transient) else None
                lane = claimed.delivery.lane
                due = retry_at(lane, claimed.attempts, now, self._random.random(), after) or now + DEAD_WAIT
                _say_not_yet(claimed, error, due)
                await deliver.not_sent(context, claimed, ready, due, str(error))

    async def _redraw(self, claimed: Claimed, task: RedrawCard) -> None:
        ready = await deliver.begin_redraw(self._context, claimed, task, self._link_ok)
        if ready is None:
            return
        own = ready.publication
        try:
            surface = await self._chats.channel(own.provider, own.account).redraw(ready.card, own)
            self._chats.note_dead(own.provider, own.account, None)
            await deliver.redrawn(self._context, claimed, ready, surface)
            _say_delivered(claimed)
        except (MessageGone, Unreachable) as gone:
            log.info("copy is gone", publication=own.id, error=str(gone))
            await deliver.redrawn(self._context, claimed, ready, None)
        except Misrendered as ours:
            log.warning("redraw refused by the provider", publication=own.id, error=str(ours))
            await self._end(claimed, str(ours))
        except ChannelError as error:
            # An edit from current state may be repeated whatever happened to the last one.
            await self._again(claimed, error, own)

    # ---------------------------------------------------------------------------------------------------- words

    async def _ask_words(self, claimed: Claimed, task: AskWords) -> None:
        async with self._context.work() as work:
            interaction = await work.interaction(claimed.delivery.workspace, task.interaction)
        if interaction is None or not interaction.is_pending or interaction.revision != task.revision:
            await self._end(claimed, "the card is settled or changed")
            return
        card = Card(interaction, task.publication, self._context.review_url(interaction.id), self._link_ok)
        try:
            where = await self._chats.channel(Provider(task.provider), task.account).ask_words(task, card)
        except ChannelError as error:
            await self._words_failed(claimed, task, error)
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
            person=task.person,
        )

        async def noted(work: Work) -> None:
            await work.add_prompt(prompt)
            await work.finish(claimed)

        await transact(self._context, noted)
        _say_delivered(claimed)

    async def _say(self, claimed: Claimed, task: Say) -> None:
        try:
            await self._chats.channel(Provider(task.provider), task.account).say(task)
        except ChannelError as error:
            await self._words_failed(claimed, task, error)
            return
        await self._done(claimed)

    async def _words_failed(self, claimed: Claimed, task: AskWords | Say, error: ChannelError) -> None:
        if isinstance(error, PlaceMoved):
            await self._moved(Provider(task.provider), task.account, task.channel, error.place)
        if isinstance(error, Transient | InstallationDead | PlaceMoved):
            await self._again(claimed, error, None)
            return
        # Words whose sending may have worked are never sent twice.
        await self._end(claimed, f"{type(error).__name__}: {error}")

    # ------------------------------------------------------------------------------------------------- webhooks

    async def _hear(self, claimed: Claimed, task: Hear) -> None:
        workspace, now = claimed.delivery.workspace, self._context.clock.now()
        event = await self._records.event(workspace, task.event)
        if event is None:
            await self._end(claimed, "the event is gone")
            return
        secrets = await self._records.webhook_secrets(task.agent, now)
        result = await self._webhooks.send(task.url, event, secrets)
        now = self._context.clock.now()
        status = result.status if isinstance(result, Delivered | Failed) else 410
        reason = result.reason if isinstance(result, Failed) else None

        async def noted(work: Work) -> None:
            attempt = Attempt(event=event.id, number=claimed.attempts, at=now, status=status, error=reason)
            await work.note_attempt(attempt)
            match result:
                case Delivered():
                    await work.finish(claimed)
                case Gone():
                    await work.abandon(claimed, "the receiver answered 410")
                case Failed():
                    lane = claimed.delivery.lane
                    due = retry_at(lane, claimed.attempts, now, self._random.random(), result.retry_after)
                    if due is None:
                        await work.abandon(claimed, result.reason)
                    else:
                        await work.postpone(claimed, due, result.reason)
                case _:
                    assert_never(result)

        await transact(self._context, noted)
        if isinstance(result, Delivered):
            _say_delivered(claimed)
        else:
            log.warning("webhook not delivered", event=event.id, attempt=claimed.attempts, status=status, why=reason)

    # ---------------------------------------------------------------------------------------------------- shared

    async def _done(self, claimed: Claimed) -> None:
        await transact(self._context, lambda work: work.finish(claimed))
        _say_delivered(claimed)

    async def _again(self, claimed: Claimed, error: ChannelError, own: Publication | None) -> None:
        now, after = self._context.clock.now(), None
        if isinstance(error, InstallationDead):
            after = DEAD_WAIT.total_seconds()
            if own is not None:
                self._chats.note_dead(own.provider, own.account, str(error))
        elif isinstance(error, Transient):
            after = error.retry_after
        due = retry_at(claimed.delivery.lane, claimed.attempts, now, self._random.random(), after)
        if due is None:
            await self._end(claimed, str(error))
        else:
            _say_not_yet(claimed, error, due)
            await transact(self._context, lambda work: work.postpone(claimed, due, str(error)))

    async def _end(self, claimed: Claimed, why: str) -> None:
        log.warning("given up", lane=claimed.delivery.lane.value, delivery=claimed.delivery.id, why=why)
        await transact(self._context, lambda work: work.abandon(claimed, why))

    async def _moved(self, provider: Provider, account: str, old: str, new: str, but: str | None = None) -> None:
        await move(self._context, provider.value, account, old, new, but=but)


def _say_delivered(claimed: Claimed) -> None:
    own = claimed.delivery
    log.info("delivered", lane=own.lane.value, delivery=own.id, attempts=claimed.attempts)


def _say_not_yet(claimed: Claimed, error: ChannelError, due: datetime) -> None:
    own = claimed.delivery
    log.warning("not delivered yet", lane=own.lane.value, delivery=own.id, error=str(error), due=due.isoformat())


def place_of(task: PostCard | RedrawCard | AskWords | Say | Hear) -> tuple[Provider, str, str] | None:
    """Provider, account and conversation that a task's call is paced by; None: it is no call to a chat."""
    match task:
        case AskWords() | Say():
            return Provider(task.provider), task.account, task.channel
        case PostCard() | RedrawCard():
            address = parse_address(task.where)
            if not isinstance(address, ChatAddress):
                return None
            return address.provider, address.account or "", address.place
        case Hear():
            return None
        case _:
            assert_never(task)
