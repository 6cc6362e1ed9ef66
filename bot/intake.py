"""From an arrival to a reply: the door between the adapters and the use cases.

Whatever arrives is committed with its inbox key before the sender is told anything.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import assert_never

from adapters.inbound import AnyArrival, Arrival, Changed, Closed, Commanded, Moved, Opened, Pressed, Submitted, Wrote
from blocks.codec import Codec
from bot.arriving import message_of, sent
from bot.authority import Authority
from bot.helping import help_in, setting_in
from bot.loop_intake import LoopIntake
from bot.passes import asks_for_pass, tell_pass
from bot.telemetry import Telemetry
from bot.tracing import span
from core.addresses import ChatAddress, Provider
from core.errors import Fault, Forged, Refused
from core.loops.controls import LoopControl
from core.loops.replies import LoopReply
from core.people import Identity, Standing, Target
from core.ports import Connection, Context, Work
from core.replies import Helped, Listed, Quiet, Reply, Told, Wrong
from core.use_cases.arrivals import Press, Submission
from core.use_cases.left_alone import account_ended
from core.use_cases.moving import move
from core.use_cases.overtaking import may_overtake
from core.use_cases.people import recognise
from core.use_cases.press import press
from core.use_cases.submit import close_form, submit
from core.use_cases.transact import transact
from core.use_cases.write import write

HELLO = "Hello!"
NOT_CONNECTED = "This workspace is not connected here, so nothing was done."
ELSEWHERE = "people of other workspaces cannot be handed a card here; choose somebody of yours"
LOOKS, LOOK_GAP = 30, 0.1
"""How often, and how many seconds apart, it is looked whether a prompt is known yet that somebody replied to."""
OpenCards = Callable[[str, Identity], Awaitable[Listed]]
Connected = Callable[[Provider, str], Awaitable[Connection | None]]
Greet = Callable[[Commanded, Connection], Awaitable[Reply]]


class Intake:
    """Takes arrivals. `connection` finds the one they came through, `open_cards` lists what waits on someone, `greet`
    answers /start with a code, `loops` takes what is about work orders."""

    def __init__(
        self,
        context: Context,
        connection: Connected,
        codec: Codec,
        authority: Authority,
        open_cards: OpenCards,
        greet: Greet,
        loops: LoopIntake,
        telemetry: Telemetry,
    ) -> None:
        self._context = context
        self._connection = connection
        self._codec = codec
        self._authority = authority
        self._open_cards = open_cards
        self._greet = greet
        self._loops = loops
        self._telemetry = telemetry

    async def __call__(self, arrival: AnyArrival) -> LoopReply:
        """Handle one arrival and return what its sender is told. Raises `Transient` while this process connects."""
        connection = await self._connection(arrival.provider, arrival.account)
        if connection is None:
            return Told(NOT_CONNECTED)
        begun = time.monotonic()
        with span(f"arrival {arrival.provider.value}", {"sayso.arrival": arrival.key}):
            reply = await self._handle(arrival, connection)
        self._telemetry.arrived(arrival, reply, time.monotonic() - begun)
        return reply

    async def _handle(self, arrival: AnyArrival, connection: Connection) -> LoopReply:
        match arrival:
            case Pressed():
                return await self._pressed(arrival, connection)
            case Submitted():
                return await self._submitted(arrival, connection)
            case Closed():
                return await self._closed(arrival, connection)
            case Wrote():
                return await self._wrote(arrival, connection)
            case Commanded():
                return await self._commanded(arrival, connection)
            case Opened():
                return await self._listed(arrival, connection, None)
            case Moved():
                await move(self._context, arrival.provider.value, arrival.account, arrival.old, arrival.new)
                return Quiet()
            case Changed():
                await self._changed(arrival, connection)
                return Quiet()
            case _:
                assert_never(arrival)

    async def _pressed(self, arrival: Pressed, connection: Connection) -> LoopReply:
        try:
            control = self._codec.unpack_any(arrival.token)
            picked = tuple(self._codec.unpack(token) for token in arrival.picked)
        except Forged as forged:
            return Told(str(forged))
        if isinstance(control, LoopControl):
            return await self._loops.press(arrival, connection, control)
        standing = await self._authority.standing(connection.workspace, arrival.sender, arrival.hint)
        return await press(
            self._context,
            Press(
                **sent(arrival, connection, standing),
                channel=arrival.channel,
                message=arrival.message,
                control=control,
                picked=picked,
                carried=arrival.carried,
                prompts=arrival.provider is Provider.TELEGRAM,
                touch=arrival.touch,
            ),
        )

    async def _submitted(self, arrival: Submitted, connection: Connection) -> Reply:
        try:
            control = self._codec.unpack_any(arrival.token, holder=str(arrival.sender))
            picked = tuple(self._codec.unpack(token, holder=str(arrival.sender)) for token in arrival.picked)
        except Forged as forged:
            return Told(str(forged))
        if isinstance(control, LoopControl):
            return await self._loops.submit(arrival, connection, control)
        # A form may be open for hours after the press that opened it.
        standing, membership, target = await asyncio.gather(
            self._authority.standing(connection.workspace, arrival.sender, arrival.hint),
            self._authority.belongs(connection.workspace, arrival.sender, control.interaction, control.publication),
            self._named(arrival, connection),
        )
        if target is not None and target.standing is not None and target.standing.external:
            # The provider knows them by an account of that workspace, which the form does not say.
            return Wrong((Fault("/to", ELSEWHERE),), ("to",))
        return await submit(
            self._context,
            Submission(
                **sent(arrival, connection, standing),
                membership=membership,
                control=control,
                fields=arrival.fields,
                picked=picked,
                target=target,
            ),
        )

    async def _named(self, arrival: Submitted, connection: Connection) -> Target | None:
        """Whoever a form names by an account, with what the provider says of them now."""
        if arrival.named is None:
            return None
        standing = await self._authority.standing(connection.workspace, arrival.named, Standing(known=False))
        return Target(identity=arrival.named, standing=standing)

    async def _closed(self, arrival: Closed, connection: Connection) -> Reply:
        try:
            control = self._codec.unpack(arrival.token, holder=str(arrival.sender))
        except Forged:
            return Quiet()
        await close_form(self._context, connection.workspace, control, arrival.sender)
        return Quiet()

    async def _wrote(self, arrival: Wrote, connection: Connection) -> Reply:
        standing = await self._authority.standing(connection.workspace, arrival.sender, arrival.hint)
        message = message_of(arrival, connection, standing)
        for _ in range(LOOKS if arrival.provider is Provider.TELEGRAM else 0):
            if not await may_overtake(self._context, message):
                break
            await asyncio.sleep(LOOK_GAP)
        heard = await self._loops.hear(message)
        if heard is not None or arrival.hint.bot:
            return heard or Quiet()
        return await write(self._context, message)

    async def _commanded(self, arrival: Commanded, connection: Connection) -> Reply:
        if arrival.hint.bot or arrival.hint.anonymous:
            return Quiet()
        if arrival.name == "start" and arrival.argument.strip():
            return await self._greet(arrival, connection)
        if asks_for_pass(arrival):
            return await tell_pass(self._context, self._authority, arrival, connection)
        setting = setting_in(arrival)
        if setting is not None:
            standing = await self._authority.standing(connection.workspace, arrival.sender, arrival.hint)
            return await setting.apply(self._context, connection.workspace, arrival.sender, standing, setting)
        if arrival.name in ("inbox", "sayso") and arrival.argument.strip().lower() != "help":
            where = None if arrival.private else str(ChatAddress(arrival.provider, arrival.account, arrival.channel))
            return await self._listed(arrival, connection, where)
        if arrival.name in ("start", "help", "sayso"):
            words = f"{HELLO} {help_in(arrival)}" if arrival.name == "start" else help_in(arrival)
            # What waits on one person is not for a group to read, and Slack's help says where its list is.
            alone = arrival.private and arrival.provider is Provider.TELEGRAM
            return Helped(words, await self._listed(arrival, connection, None) if alone else None)
        return Quiet()

    async def _listed(self, arrival: Arrival, connection: Connection, where: str | None) -> Listed:
        """What waits on the sender. Whoever asks in the conversation `where` was seen there, pressed before or not."""
        workspace, now = connection.workspace, self._context.clock.now()
        standing = await self._authority.standing(workspace, arrival.sender, arrival.hint)

        async def meet(work: Work) -> None:
            person = await recognise(work, self._context, workspace, arrival.sender, standing)
            if where is not None:
                await work.note_seen(workspace, person.id, where, now)

        try:
            await transact(self._context, meet)
        except Refused:
            return Listed(())
        return await self._open_cards(workspace, arrival.sender)

    async def _changed(self, arrival: Changed, connection: Connection) -> None:
        await self._authority.forget(connection.workspace, arrival.sender)
        if not arrival.hint.deleted:
            return
        # Events may come late: what holds is what the provider says now.
        standing = await self._authority.standing(connection.workspace, arrival.sender, arrival.hint)
        if standing.known and standing.deleted:
            await account_ended(self._context, connection.workspace, arrival.sender)
