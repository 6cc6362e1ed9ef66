"""The use cases on a real store, without chats: people press and write values, and nothing is rendered or posted."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from core.addresses import Provider
from core.asking import ASK
from core.cards import Card
from core.controls import Action, Control
from core.drafts import Draft, Prompt
from core.kinds import EXAMPLES, Kind
from core.outbox import AskWords, Lane, RedrawCard, Task
from core.people import Membership, Person, Standing, Target
from core.ports import Context
from core.publications import Publication, PublicationState
from core.receipts import Receipt
from core.records import Interaction
from core.replies import Reply
from core.store import Store
from core.use_cases.arrivals import Message, Press, Submission
from core.use_cases.ask import Asked, ask
from core.use_cases.press import press
from core.use_cases.showing import card_of
from core.use_cases.submit import submit
from core.use_cases.write import write
from tests.rules.making import NOW
from tests.stores import opened
from tests.use_cases.cast import (
    ANA,
    BEN,
    BUILDER,
    HERE,
    OPAL,
    OTHER_AGENT,
    SLACK,
    CountedIds,
    MovedClock,
    identity_on,
)


@dataclass
class Bench:
    """Everything a test drives. Every act has a key of its own unless it is given one."""

    store: Store
    clock: MovedClock = field(default_factory=MovedClock)
    ids: CountedIds = field(default_factory=CountedIds)
    keys: Iterable[int] = field(default_factory=itertools.count)

    @property
    def context(self) -> Context:
        return Context(self.store.work, self.clock, self.ids, "https://sayso.example/review/")

    async def begin(self) -> None:
        async with self.store.work() as work:
            await work.add_workspace(HERE, "Here", NOW)
            for agent in (BUILDER, OTHER_AGENT):
                await work.add_agent(agent, f"hash-of-{agent.name}", "whsec_x", NOW)
            for one in (ANA, BEN, OPAL):
                await work.add_person(one)
            await work.commit()

    async def asked(self, kind: Kind, payload: dict[str, Any] | None = None, **more: Any) -> Asked:
        """Ask, in the Slack channel unless `to` says otherwise."""
        example = EXAMPLES[kind]
        body = {"kind": kind.value, "to": SLACK, "title": example["title"], "payload": payload or example["payload"]}
        return await ask(self.context, ASK.validate_json(json.dumps({**body, **more}), strict=True), BUILDER)

    async def open(self, kind: Kind, payload: dict[str, Any] | None = None, **more: Any) -> str:
        """Ask and post: the id of a card whose copies are the messages `m1`, `m2`, … of their conversations."""
        id: str = (await self.asked(kind, payload, **more)).snapshot["id"]
        await self.post(id)
        return id

    async def post(self, id: str) -> None:
        async with self.store.work() as work:
            for copy in await work.publications(id):
                posted = {
                    "state": PublicationState.POSTED,
                    "channel": copy.place,
                    "message": f"{id}-m{copy.number}",
                    "shown_revision": 1,
                }
                await work.save_publication(copy.model_copy(update=posted))
            await work.commit()
        await self.owed()

    async def redrawn(self, id: str) -> None:
        """Every copy shows the card as it is."""
        now = await self.get(id)
        async with self.store.work() as work:
            for copy in await work.publications(id):
                await work.save_publication(copy.model_copy(update={"shown_revision": now.revision}))
            await work.commit()
        await self.owed()

    async def press(
        self,
        who: Person,
        id: str,
        action: Action,
        question: int = 0,
        option: int = 0,
        *,
        on: int = 1,
        picked: tuple[tuple[Action, int], ...] = (),
        **changes: Any,
    ) -> Reply:
        """Press a control as it is drawn now; `changes` replace parts of the press, or of its control."""
        copy = await self.copy(id, on)
        control = await self.control(id, action, question, option, on=on, **_taken(changes, _CONTROL))
        others = tuple(
            Control(control.interaction, on, control.revision, control.seen, one, question, index)
            for one, index in picked
        )
        arrival: dict[str, Any] = {
            "key": f"press {next(iter(self.keys))}",
            "workspace": HERE,
            "provider": copy.provider,
            "account": copy.account,
            "channel": copy.channel,
            "message": copy.message,
            "control": control,
            "picked": others,
            "carried": True,
            "identity": identity_on(who, copy.provider),
            "standing": Standing(name=who.name),
            "prompts": copy.provider is Provider.TELEGRAM,
        }
        return await press(self.context, Press(**{**arrival, **changes}))

    async def control(
        self, id: str, action: Action, question: int = 0, option: int = 0, *, on: int = 1, **changes: Any
    ) -> Control:
        """A control of the card as it is now."""
        now = await self.get(id)
        made = {"revision": now.revision, "seen": now.content.seen(), **changes}
        return Control(interaction=id, publication=on, action=action, question=question, option=option, **made)

    async def submit(
        self,
        who: Person,
        control: Control,
        fields: dict[str, Any],
        *,
        picked: tuple[Control, ...] = (),
        key: str = "",
        target: Target | None = None,
    ) -> Reply:
        """Submit the Slack form that `control` opened."""
        sent = self._sent(who, Provider.SLACK, key)
        member = Membership.YES
        form = Submission(**sent, membership=member, control=control, fields=fields, picked=picked, target=target)
        return await submit(self.context, form)

    async def write(
        self, who: Person, to: Publication, text: str, *, reply_to: str | None = None, key: str = "", **more: Any
    ) -> Reply:
        """Write a message in a copy's conversation: in reply to it (on Slack: in its thread) unless told otherwise."""
        sent = self._sent(who, to.provider, key)
        message = {
            "message": sent["key"].replace("words ", "w"),
            "text": text,
            "channel": to.channel,
            "private": to.is_private,
            "reply_to": reply_to or to.message,
        }
        return await write(self.context, Message(**{**sent, **message, **more}))

    def _sent(self, who: Person, provider: Provider, key: str) -> dict[str, Any]:
        """What every arrival has."""
        return {
            "key": key or f"words {next(iter(self.keys))}",
            "workspace": HERE,
            "provider": provider,
            "account": "T1" if provider is Provider.SLACK else "sayso_bot",
            "identity": identity_on(who, provider),
            "standing": Standing(name=who.name),
        }

    async def reply_to_prompt(self, who: Person, text: str) -> Reply:
        """Send the prompt that is owed, as the relay does, and let somebody reply to it."""
        (task,) = [one for one in await self.owed() if isinstance(one, AskWords)]
        prompt = Prompt(
            provider=task.provider,
            account=task.account,
            channel=task.channel,
            message=f"p{next(iter(self.keys))}",
            workspace=HERE,
            **{name: getattr(task, name) for name in _PROMPTED},
        )
        async with self.store.work() as work:
            await work.add_prompt(prompt)
            await work.commit()
        copy = await self.copy(task.interaction, task.publication)
        return await self.write(who, copy, text, reply_to=prompt.message)

    async def owed(self) -> list[Task]:
        """Everything that is owed now, done by nobody and forgotten with this."""
        found: list[Task] = []
        for round in itertools.count():
            until = self.clock.now() + timedelta(minutes=1)
            claims = await self.store.outbox.claim(list(Lane), self.clock.now(), until, f"bench {round}", 500)
            if not claims:
                return found
            async with self.store.work() as work:
                for claimed in claims:
                    found.append(claimed.delivery.task)
                    await work.finish(claimed)
                await work.commit()
        return found

    async def redraws(self, id: str) -> set[int]:
        """The numbers of the copies that are owed a redraw."""
        numbers = {copy.id: copy.number for copy in await self.copies(id)}
        owed = [one.publication for one in await self.owed() if isinstance(one, RedrawCard)]
        return {numbers[one] for one in owed if one in numbers}

    async def get(self, id: str) -> Interaction:
        async with self.store.work() as work:
            found = await work.interaction(HERE, id)
        assert found is not None
        return found

    async def copies(self, id: str) -> tuple[Publication, ...]:
        async with self.store.work() as work:
            return await work.publications(id)

    async def copy(self, id: str, number: int = 1) -> Publication:
        return next(one for one in await self.copies(id) if one.number == number)

    async def card(self, id: str, number: int = 1) -> Card:
        """What a copy shows now."""
        copy = await self.copy(id, number)
        async with self.store.work() as work:
            interaction = await work.interaction(HERE, id)
            assert interaction is not None
            return await card_of(work, self.context, interaction, copy, link_ok=True)

    async def draft(self, id: str, scope: str) -> Draft | None:
        async with self.store.work() as work:
            return await work.draft(id, scope)

    async def receipts(self, id: str) -> list[Receipt]:
        async with self.store.work() as work:
            return list(await work.receipts(id))

    async def types(self, id: str) -> list[str]:
        """The types of the receipts, in order."""
        return [one.type.value for one in await self.receipts(id)]


_CONTROL = ("revision", "seen")
_PROMPTED = ("interaction", "publication", "revision", "action", "question", "option", "person")


def _taken(changes: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: changes.pop(name) for name in names if name in changes}


@contextlib.asynccontextmanager
async def bench(url: str) -> AsyncIterator[Bench]:
    """A bench on an empty store that has its tables."""
    async with opened(url) as store:
        made = Bench(store)
        await made.begin()
        yield made
