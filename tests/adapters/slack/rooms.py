"""The whole adapter before a stand-in, over sockets, with an intake that answers as a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from starlette.applications import Starlette

from adapters.inbound import AnyArrival, Pressed, Submitted
from adapters.slack import Installation, SlackAdapter, SlackSettings
from adapters.slack.sockets import Slots
from blocks.slack.controls import control
from bot.sandbox.serving import serving as listening
from bot.sandbox.slack import SlackStandIn
from bot.sandbox.slack.person import Person
from bot.sandbox.slack.seen import Seen
from bot.sandbox.slack.world import Message
from core.addresses import Provider
from core.cards import Card
from core.channels import Posted
from core.controls import Action
from core.loops.replies import LoopReply
from core.people import Identity
from core.publications import Publication
from core.replies import OpenForm, Quiet
from tests.adapters.slack.apps import serving
from tests.blocks.slack.cards import CODEC, shown

EVENTS = frozenset(
    {"app_home_opened", "message.channels", "message.im", "user_change", "app_uninstalled", "tokens_revoked"}
)
Answerer = Callable[[AnyArrival], Awaitable[LoopReply]]


ANA = Identity(provider="slack", account="T0ACME", user="UANA")


class SystemClock:
    """The real time: the stand-in signs with it."""

    def now(self) -> datetime:
        return datetime.now(UTC)


async def quiet(_: AnyArrival) -> LoopReply:
    return Quiet()


@dataclass
class FakeIntake:
    """Keeps what arrived and answers with `answer`."""

    answer: Answerer = quiet
    arrived: list[AnyArrival] = field(default_factory=list)

    async def __call__(self, arrival: AnyArrival) -> LoopReply:
        self.arrived.append(arrival)
        return await self.answer(arrival)

    def replies(self, reply: LoopReply) -> None:
        """Answer everything with one reply from now on."""

        async def answer(_: AnyArrival) -> LoopReply:
            return reply

        self.answer = answer

    def fails(self, error: Exception) -> None:
        """Break from now on."""

        async def answer(_: AnyArrival) -> LoopReply:
            raise error

        self.answer = answer

    def waits(self, reply: LoopReply) -> asyncio.Event:
        """Answer with `reply` once the event returned is set."""
        done = asyncio.Event()

        async def answer(_: AnyArrival) -> LoopReply:
            await done.wait()
            return reply

        self.answer = answer
        return done


@dataclass
class Losing:
    """Keeps no installations; remembers which were lost, and why."""

    heard: list[str]

    async def load(self, account: str) -> None:
        pass

    async def lost(self, account: str, why: str) -> None:
        self.heard.append(f"{account}: {why}")

    async def seen(self, account: str, installation: Installation) -> None:
        assert account == installation.team


@dataclass
class Room:
    """A workspace with a channel CGEN, in which Ana and Ben are, and an outsider Cid."""

    slack: SlackStandIn
    adapter: SlackAdapter
    intake: FakeIntake
    installation: Installation
    lost: list[str]

    @property
    def ana(self) -> Person:
        return self.slack.person("UANA")

    @property
    def ben(self) -> Person:
        return self.slack.person("UBEN")

    async def post(self, card: Card, place: str = "CGEN", thread: str | None = None) -> Posted:
        """Post a card as the relay does."""
        return await self.adapter.channel.post(card, publication(place, thread=thread))

    def message(self, posted: Posted) -> Message:
        """A message as everybody sees it."""
        found = self.slack.platform.world.message(posted.channel, posted.message)
        assert found is not None
        return found

    def calls(self, method: str) -> list[dict[str, Any]]:
        """The arguments of every call of a method."""
        return [dict(call.args) for call in self.slack.platform.journal.calls if call.method == method]


def publication(place: str = "CGEN", **more: Any) -> Publication:
    """A copy that is owed to a place."""
    known = {"id": "pub_1", "workspace": "wsp_1", "interaction": "int_1", "number": 1, "provider": Provider.SLACK}
    return Publication.model_validate({**known, "account": "T0ACME", "place": place, **more})


@asynccontextmanager
async def room(*, socket: bool = False, slots: Slots | None = None, **settings: Any) -> AsyncIterator[Room]:
    """The adapter over signed HTTP, or in Socket Mode."""
    async with serving(**{"bot_events": EVENTS, **settings}) as slack:
        slack.workspace.add_user("ana", "Ana", user_id="UANA")
        slack.workspace.add_user("ben", "Ben", user_id="UBEN")
        slack.workspace.add_user("cid", "Cid", user_id="UCID")
        slack.workspace.add_channel("general", ["UANA", "UBEN"], channel_id="CGEN")
        intake, lost = FakeIntake(), list[str]()
        given = SlackSettings(
            bot_token=slack.bot_token,
            signing_secret=None if socket else slack.signing_secret,
            app_token=slack.app_token if socket else None,
            api_url=slack.api_url,
        )
        adapter = SlackAdapter(given, CODEC, intake, SystemClock(), Losing(lost), slots=slots)
        made = Room(slack, adapter, intake, await adapter.start(), lost)
        try:
            if socket:
                await adapter.connect_socket()
                yield made
            else:
                async with listening(Starlette(routes=adapter.routes())) as address:
                    slack.request_url = f"{address.url}/slack/events"
                    yield made
                    await slack.platform.courier.settled()
        finally:
            await adapter.close()


def pressed(own: Room) -> Pressed:
    """The one press that arrived."""
    (arrival,) = own.intake.arrived
    assert isinstance(arrival, Pressed)
    return arrival


def submitted(own: Room) -> Submitted:
    """The form that arrived last."""
    arrival = own.intake.arrived[-1]
    assert isinstance(arrival, Submitted)
    return arrival


def form_of(asked: Card, action: Action, **fields: tuple[str, ...]) -> OpenForm:
    """The form that a control of a card opens."""
    return OpenForm(asked.interaction, control(asked, action), fields)


def words(seen: Seen) -> str:
    """The private words that appeared."""
    return "\n".join(shown(message["blocks"]) for message in seen.private)
