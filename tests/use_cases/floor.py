"""Work orders on a bench: people press and write, programs call and say, and a relay without chats delivers it all."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from bot.authority import Authority
from bot.tool_callers import ToolCallers
from core.addresses import Provider
from core.channels import Posted
from core.dues import LEASE, Due, DueKind
from core.errors import Transient
from core.loops import Conversation, Loop, LoopAction, LoopCard, LoopControl
from core.loops.asking import Order
from core.loops.owed import AskLoopWords, OfferAgain, PostAlert, PostLoop, RedrawAlert, RedrawLoop, SayNudge, SayThere
from core.loops.replies import LoopReply
from core.outbox import Claimed, Hear, Lane, PostCard, Say, Task
from core.people import Agent, Identity, Membership, Person, Standing
from core.ports import Context, Work
from core.receipts import Receipt
from core.replies import Reply
from core.use_cases import loop_delivery, loop_words
from core.use_cases.fires import Fire
from core.use_cases.hearing import hear
from core.use_cases.loop_arrivals import Heard, LoopForm, LoopPress
from core.use_cases.loop_press import press_loop, submit_loop
from core.use_cases.loop_time import fire_followup, fire_loop
from core.use_cases.loops import dispatch
from core.use_cases.saying import say
from core.use_cases.tool_reviews import fire_tool
from core.use_cases.transact import transact
from tests.chains import first_break
from tests.use_cases.bench import Bench, bench
from tests.use_cases.cast import ANA, BUILDER, HERE, SLACK, identity_on

BOT = Identity(provider="slack", account="T1", user="B7")
FIRES: dict[DueKind, Fire] = {DueKind.LOOP: fire_loop, DueKind.FOLLOWUP: fire_followup, DueKind.TOOL: fire_tool}


@dataclass
class Asked:
    """A chat as it is asked who somebody is and where. None: it gives no answer."""

    says: Standing | None = field(default_factory=Standing)
    belongs: Membership | None = Membership.YES

    async def standing(self, identity: Identity) -> Standing:
        if self.says is None:
            raise Transient("it is busy")
        return self.says

    async def membership(self, identity: Identity, channel: str) -> Membership:
        if self.belongs is None:
            raise Transient("it is busy")
        return self.belongs


@dataclass
class Floor:
    """`said` is every text that stood in a chat, with where: `("C1/m1", "…")`. `heard` are events owed to webhooks."""

    b: Bench
    said: list[tuple[str, str]] = field(default_factory=list)
    heard: list[Hear] = field(default_factory=list)
    prompts: list[tuple[AskLoopWords, str]] = field(default_factory=list)
    redrawn: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    alerts: list[tuple[str, str]] = field(default_factory=list)
    offers: list[OfferAgain] = field(default_factory=list)
    chat: Asked = field(default_factory=Asked)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def texts(self) -> list[str]:
        return [text for _, text in self.said]

    async def order(self, to: str = SLACK, by: Agent = BUILDER, **fields: Any) -> Loop:
        """Dispatch an order and deliver its card."""
        values = {"to": to, "title": "Audit the endpoints", "id": "wo-1", **fields}
        made = await dispatch(self.b.context, Order.model_validate(values), by)
        await self.deliver()
        return await self.loop(made.snapshot["id"])

    async def press(
        self, who: Person, loop: Loop, action: LoopAction, slot: int | None = None, **changes: Any
    ) -> LoopReply:
        card = (await self.loop(loop.name)).card
        assert card is not None
        return await press_loop(
            self.b.context,
            LoopPress(
                **{
                    **self._arrival(who, card.provider, card.account),
                    "channel": card.channel or card.place,
                    "thread": card.thread,
                    "message": card.message or "unknown",
                    "control": LoopControl(loop.id, action, slot),
                    "prompts": card.provider is Provider.TELEGRAM,
                    **changes,
                }
            ),
        )

    async def submit(
        self, who: Person, loop: Loop, action: LoopAction, words: str, slot: int | None = None, **changes: Any
    ) -> Reply:
        name = "result" if action is LoopAction.DONE else "reason"
        arrival = self._arrival(who, Provider.SLACK, "T1")
        form = {"control": LoopControl(loop.id, action, slot), "fields": {name: words}, "membership": Membership.YES}
        return await submit_loop(self.b.context, LoopForm(**{**arrival, **form, **changes}))

    async def write(self, who: Person | Identity, where: Conversation, text: str, **changes: Any) -> Reply | None:
        """Say something in a conversation; a bare identity is a bot's."""
        provider = Provider(where.provider)
        thread = where.thread
        message = {
            "channel": where.channel or where.place,
            "thread": thread,
            "message": f"w{next(self.numbers)}",
            "private": where.whole and thread is None,
            "text": text,
            "reply_to": thread if provider is Provider.SLACK else where.root,
        }
        heard = Heard(**{**self._arrival(who, provider, where.account), **message, **changes})
        return await hear(self.b.context, self.b.store.records, heard)

    async def call(self, agent: Agent, where: Conversation, text: str) -> dict[str, Any]:
        """Say something by API."""
        return (await say(self.b.context, where.id, text, agent))[0]

    def _arrival(self, who: Person | Identity, provider: Provider, account: str) -> dict[str, Any]:
        person = who if isinstance(who, Person) else None
        return {
            "key": f"arrival {next(self.numbers)}",
            "workspace": HERE,
            "provider": provider,
            "account": account,
            "identity": identity_on(who, provider) if isinstance(who, Person) else who,
            "standing": Standing(name=person.name) if person else Standing(bot=True),
        }

    async def deliver(self) -> None:
        """Do everything that is owed, as the relay does it, in chats that always answer."""
        for round in itertools.count():
            now = self.b.clock.now()
            claims = await self.b.store.outbox.claim(list(Lane), now, now + LEASE, f"floor {round}", 100)
            for claimed in claims:
                await self._do(claimed)
            if not claims:
                return

    async def _do(self, claimed: Claimed) -> None:
        task = claimed.delivery.task
        match task:
            case PostLoop() | PostAlert():
                await self._post(claimed, task)
            case RedrawLoop() | RedrawAlert():
                drawn = await loop_delivery.begin_redraw(self.b.context, claimed, task, link_ok=True)
                if drawn is not None:
                    shown = drawn.carrier
                    self.redrawn.append(shown.state.value if isinstance(shown, Loop) else "incident")
                    await loop_delivery.redrawn(self.b.context, claimed, drawn)
            case SayThere() | SayNudge():
                await self._say(claimed, task)
            case AskLoopWords():
                if await loop_words.begin_prompt(self.b.context, claimed, task) is not None:
                    prompt = self._there(task.channel)
                    self.prompts.append((task, prompt.message))
                    await loop_words.prompted(self.b.context, claimed, task, prompt)
            case OfferAgain():
                if await loop_words.begin_offer(self.b.context, claimed, task):
                    self.said.append((task.channel, task.text))
                    self.offers.append(task)
                    await self._finish(claimed)
            case _:
                self._note(task)
                await self._finish(claimed)

    def _there(self, channel: str) -> Posted:
        number = next(self.numbers)
        return Posted(channel, f"1712.{number:06}" if channel[0].isalpha() else str(number))

    async def _post(self, claimed: Claimed, task: PostLoop | PostAlert) -> None:
        ready = await loop_delivery.begin_post(self.b.context, claimed, task, link_ok=True)
        if ready is None:
            return
        if isinstance(ready.card, LoopCard):
            self.asked.append(ready.card.sentences)
        else:
            self.alerts.append((ready.card.alert.severity, ready.card.alert.message))
        await loop_delivery.posted(self.b.context, claimed, ready, self._there(_channel(ready.copy.place)))

    async def _say(self, claimed: Claimed, task: SayThere | SayNudge) -> None:
        words = await loop_words.begin_words(self.b.context, claimed, task)
        if words is not None:
            self.said.append((f"{words.channel}/{words.thread or words.reply_to or ''}", words.text))
            await loop_words.said(self.b.context, claimed, task, words, self._there(words.channel))

    def _note(self, task: Task) -> None:
        if isinstance(task, Say):
            self.said.append((task.channel, task.text))
        if isinstance(task, Hear):
            self.heard.append(task)
        if isinstance(task, PostCard):
            self.asked.append(task.publication)

    async def _finish(self, claimed: Claimed) -> None:
        async with self.b.store.work() as work:
            await work.finish(claimed)
            await work.commit()

    async def tick(self, **later: float) -> int:
        """Let time pass, do what is due, and deliver it; returns how much was due."""
        self.b.clock.move(**later)
        now = self.b.clock.now()
        dues = await self.b.store.dues.claim(now, now + LEASE, 100)
        for due in dues:
            fire = await self.callers.fire(due) if due.kind is DueKind.TOOL else FIRES[due.kind]
            await transact(self.b.context, partial(_fire, fire=fire, context=self.b.context, due=due))
        await self.deliver()
        return len(dues)

    @property
    def callers(self) -> ToolCallers:
        """Who asks the chat about whoever called an operation."""
        chats: Any = {"T1": self.chat, "sayso_bot": self.chat}
        authority = Authority(self.b.context, self.b.store.records, lambda _, provider: chats)
        return ToolCallers(self.b.store.records, authority)

    async def next_due(self) -> timedelta | None:
        """How long it is until something is due."""
        at = await self.b.store.dues.next_due()
        return at - self.b.clock.now() if at is not None else None

    async def loop(self, name: str = "wo-1") -> Loop:
        async with self.b.store.work() as work:
            found = await work.loop_named(HERE, name)
        assert found is not None, name
        return found

    async def place(self, loop: Loop) -> Conversation:
        async with self.b.store.work() as work:
            found = await work.conversation(HERE, loop.conversation)
        assert found is not None
        return found

    async def receipts(self, name: str = "wo-1") -> tuple[Receipt, ...]:
        chain = await self.b.store.records.loop_receipts(HERE, name)
        assert first_break(chain) is None
        return chain

    async def types(self, name: str = "wo-1") -> list[str]:
        return [one.type.value for one in await self.receipts(name)]

    async def events(self, visible_to: Agent | None = None) -> list[tuple[str, dict[str, Any]]]:
        found = await self.b.store.records.events(HERE, visible_to, limit=500)
        return [(one.type.value, one.data) for one in found]

    async def link(self, agent: Agent, identity: Identity = BOT) -> None:
        async with self.b.store.work() as work:
            await work.link_account(HERE, agent.id, identity, self.b.clock.now())
            await work.commit()


async def _fire(work: Work, fire: Fire, context: Context, due: Due) -> None:
    await fire(work, context, due)


def _channel(place: str) -> str:
    """Where a direct message lands."""
    return f"D{place[1:]}" if place.startswith("U") else place


@contextlib.asynccontextmanager
async def floor(url: str) -> AsyncIterator[Floor]:
    async with bench(url) as b:
        yield Floor(b)


__all__ = ["ANA", "BOT", "Floor", "floor"]
