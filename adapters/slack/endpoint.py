"""Bolt's listeners: whatever arrives goes to the intake, and what it decided is committed before Slack is answered.

Slack waits three seconds. An intake that takes longer goes on in the background: a press is acknowledged and its person
told when it is done; a form stays open and says so; an event is not acknowledged, so Slack sends it again.
"""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import Coroutine
from enum import Enum, auto
from typing import Any, Final, Protocol, TypeVar, assert_never

import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.response import BoltResponse

from adapters.inbound import AnyArrival, Intake, Opened, Wrote
from adapters.slack import forms, parse
from adapters.slack.client import QUIET, Clients
from adapters.slack.homes import Home, Homes
from adapters.slack.telling import OPEN_LIST, Where
from blocks.slack.home import listing
from blocks.slack.notice import notice, notice_view
from blocks.slack.text import escape
from core.loops.replies import LoopReply, OpenLoopForm
from core.replies import Helped, Listed, OpenForm, Quiet, Saved, Told, Wrong

log = structlog.get_logger("sayso.slack")

PATIENCE: Final = 2.5
"""Seconds for the intake, of the three Slack waits."""
NOT_SAVED: Final = "That was not saved: something went wrong on our side. Please try again in a moment."
STILL_SAVING: Final = "Saving takes longer than usual. Look at the card: if it stays open, please submit again."
NOT_DONE: Final = "That did not work: something went wrong on our side. Please try again in a moment."
REMOVED: Final = "app_uninstalled"
REVOKED: Final = frozenset({REMOVED, "tokens_revoked"})
"""Both come, in any order, and perhaps after the app was installed again: so Slack is asked what holds."""
ANY: Final = re.compile(".*", re.DOTALL)
Answer = TypeVar("Answer")


class Revoked(Protocol):
    """Told whose token may have stopped working."""

    def __call__(self, home: Home, *, removed: bool) -> Coroutine[Any, Any, None]:
        """`removed`: Slack said that the app was removed there. Raises when that could not be found out."""


class Trouble(Enum):
    """Why there is no reply: the intake failed, or has not ended yet."""

    FAILED = auto()
    SLOW = auto()


class Endpoint:
    """Listens for every installation of the app. `bolt` takes requests once they are verified; `revoked` is told whose
    token may have stopped working, and raises when that could not be found out."""

    def __init__(
        self,
        clients: Clients,
        homes: Homes,
        intake: Intake,
        revoked: Revoked,
    ) -> None:
        self._intake = intake
        self._revoked = revoked
        self._homes = homes
        self._running: set[asyncio.Task[Any]] = set()

        async def authorize(context: AsyncBoltContext) -> AuthorizeResult:
            """Bolt fills in arguments by their names, `self` among them, so this is no method."""
            return _as_bolt_knows_it(await self._homes.of(context))

        self.bolt = AsyncApp(
            # Bolt gives the logger of this name QUIET's level: by the name `sayso` it would silence all of ours.
            name=QUIET.name,
            logger=QUIET,
            client=clients.anonymous,
            authorize=authorize,
            process_before_response=True,
            # The guard has checked the signature over the raw bytes; over a socket there is none.
            request_verification_enabled=False,
        )
        self.bolt.action(ANY)(self._pressed)
        self.bolt.view_submission(ANY)(self._submitted)
        self.bolt.view_closed(ANY)(self._closed)
        self.bolt.command(ANY)(self._commanded)
        self.bolt.shortcut(ANY)(self._acknowledged)
        self.bolt.event(ANY)(self._happened)
        self.bolt.error(self._unreadable)

    async def close(self) -> None:
        """Wait for what is still being decided or told."""
        while self._running:
            await asyncio.wait(self._running)

    # ------------------------------------------------------------------------------------------------- listeners

    async def _pressed(self, ack: AsyncAck, context: AsyncBoltContext, body: dict[str, Any]) -> None:
        home = await self._homes.of(context)
        arrival = parse.press(body, home.account)
        if arrival is not None:
            where = Where(
                sender=arrival.sender,
                channel=arrival.channel,
                thread=arrival.thread,
                response_url=str(body.get("response_url") or ""),
                trigger=str(body.get("trigger_id") or ""),
            )
            await self._within(self._take_and_tell(arrival, where, home))
        await ack()

    async def _submitted(self, ack: AsyncAck, context: AsyncBoltContext, body: dict[str, Any]) -> None:
        home = await self._homes.of(context)
        arrival = forms.submission(body, home.account)
        if arrival is None:
            await ack()
            return
        fields, begun = forms.fields(body), asyncio.get_running_loop().time()
        amiss = forms.amiss(arrival)
        reply: LoopReply | Trouble = amiss if amiss is not None else await self._within(self._take(arrival))
        match reply:
            case Trouble():
                words = STILL_SAVING if reply is Trouble.SLOW else NOT_SAVED
                await ack(response_action="errors", errors=forms.beside(fields, [("", words)]))
            case Wrong():
                named = zip(reply.fields, (fault.detail for fault in reply.faults), strict=True)
                await ack(response_action="errors", errors=forms.beside(fields, list(named), forms.hints(body)))
            case Told() | Helped():
                await ack(response_action="update", view=notice_view(reply.text))
            case Saved() | OpenForm() | OpenLoopForm() | Quiet() | Listed():
                await ack()
                await self._within(self._tell(reply, Where(arrival.sender, arrival.channel or ""), home), begun)
            case _:
                assert_never(reply)

    async def _closed(self, ack: AsyncAck, context: AsyncBoltContext, body: dict[str, Any]) -> None:
        arrival = forms.closed(body, (await self._homes.of(context)).account)
        if arrival is not None:
            # Nobody is in front of the form any more: there is nothing to tell, and nobody to tell it to.
            await self._within(self._take(arrival))
        await ack()

    async def _commanded(self, ack: AsyncAck, context: AsyncBoltContext, body: dict[str, Any]) -> None:
        home = await self._homes.of(context)
        reply = await self._within(self._take(parse.command(body, home.account)))
        match reply:
            case Listed():
                await ack(response_type="ephemeral", text=OPEN_LIST, blocks=listing(reply.cards, cut=reply.cut))
            case Told() | Helped() | Saved():
                await ack(response_type="ephemeral", text=escape(reply.text), blocks=notice(reply.text))
            case Trouble():
                await ack(response_type="ephemeral", text=NOT_DONE, blocks=notice(NOT_DONE))
            case Wrong() | OpenForm() | OpenLoopForm() | Quiet():
                await ack()
            case _:
                assert_never(reply)

    async def _happened(self, ack: AsyncAck, context: AsyncBoltContext, body: dict[str, Any]) -> BoltResponse | None:
        home = await self._homes.of(context)
        kind = body["event"]["type"]
        if kind in REVOKED and await self._within(self._check(home, removed=kind == REMOVED)) is not None:
            return BoltResponse(status=503, body="")
        arrival, begun = parse.event(body, home.account), asyncio.get_running_loop().time()
        if arrival is not None:
            reply = await self._within(self._take(arrival))
            if isinstance(reply, Trouble):
                # Slack sends it again; what is committed by then is not done twice.
                return BoltResponse(status=503, body="")
            await self._within(self._answer_event(reply, arrival, home), begun)
        await ack()
        return None

    async def _acknowledged(self, ack: AsyncAck) -> None:
        """What we never ask for decides nothing."""
        await ack()

    async def _unreadable(self, error: Exception) -> BoltResponse:
        """Bolt could not make sense of a payload; our listeners raise nothing."""
        log.warning("payload not understood", error=type(error).__name__)
        return BoltResponse(status=400, body="")

    # ---------------------------------------------------------------------------------------------------- taking

    async def _take(self, arrival: AnyArrival) -> LoopReply | Trouble:
        try:
            return await self._intake(arrival)
        except Exception as error:  # noqa: BLE001  # the person must hear that nothing was saved, whatever went wrong
            _note_failure("arrival failed", error, kind=type(arrival).__name__, key=arrival.key)
            return Trouble.FAILED

    async def _check(self, home: Home, *, removed: bool) -> Trouble | None:
        """Whether the app was removed there. Trouble: that could not be found out, so Slack is to say it again."""
        try:
            await self._revoked(home, removed=removed)
        except Exception as error:  # noqa: BLE001  # whatever stood in the way, the event must come again
            _note_failure("installation not checked", error, account=home.account)
            return Trouble.FAILED
        return None

    async def _take_and_tell(self, arrival: AnyArrival, where: Where, home: Home) -> None:
        reply = await self._take(arrival)
        await self._tell(Told(NOT_SAVED) if isinstance(reply, Trouble) else reply, where, home)

    async def _answer_event(self, reply: LoopReply, arrival: AnyArrival, home: Home) -> None:
        match arrival, reply:
            case Opened(), Listed():
                await self._tell(reply, Where(arrival.sender, home=True), home)
            case Wrote(), _:
                # Whispered, as Slack may deliver an event again and a second private line harms nobody.
                await self._tell(reply, Where(arrival.sender, arrival.channel, arrival.thread), home)
            case _:
                pass

    async def _tell(self, reply: LoopReply, where: Where, home: Home) -> None:
        try:
            await home.teller.tell(reply, where)
        except Exception as error:  # noqa: BLE001  # what is committed stays so and must not look like a failure
            _note_failure("not told", error, reply=type(reply).__name__)

    async def _within(self, work: Coroutine[Any, Any, Answer], begun: float | None = None) -> Answer | Trouble:
        """Do something while Slack waits, else let it end in the background. `begun` is when Slack began to wait, on
        the loop's clock; now, if not given."""
        now = asyncio.get_running_loop().time()
        left = max(0.0, PATIENCE - (now - begun)) if begun is not None else PATIENCE
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        done, _ = await asyncio.wait({task}, timeout=left)
        return task.result() if done else Trouble.SLOW


def _as_bolt_knows_it(home: Home) -> AuthorizeResult:
    """No auth.test: what is needed is known. What is for nobody here the intake turns away."""
    own = home.installation
    return AuthorizeResult(
        enterprise_id=own.enterprise,
        team_id=own.team,
        bot_token=home.clients.write.token,
        bot_id=own.bot_id,
        bot_user_id=own.bot_user,
    )


def _note_failure(what: str, error: BaseException, **facts: str) -> None:
    """Say where it failed without the error's own text, which may hold what somebody wrote."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    at = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
    log.error(what, **facts, error=type(error).__name__, at=at)
