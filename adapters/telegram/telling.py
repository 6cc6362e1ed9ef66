"""What the sender of an arrival is told, once it is committed: a toast, an alert, or a message.

All of it is best effort. The decision stands whether or not its maker could be told, and the card shows it.
"""

from __future__ import annotations

from typing import Final, Protocol, assert_never

import structlog

from adapters.inbound import AnyArrival, Changed, Closed, Commanded, Moved, Opened, Pressed, Submitted, Wrote
from adapters.telegram.client import TelegramClient
from adapters.telegram.parse import query_id
from blocks.telegram.lists import said, toast
from core.errors import ChannelError, Transient
from core.replies import Helped, Listed, OpenForm, Quiet, Reply, Saved, Told, Wrong
from core.use_cases.opening import WRITE_HERE

log = structlog.get_logger("sayso.telegram")

IN_PRIVATE: Final = "I have sent you the list in our private chat."
START_FIRST: Final = (
    "I list your questions only in a private chat. Open one with me, press Start and send /inbox there."
)


class Turns(Protocol):
    """Says when a bot may write to a chat, beside everything else that it writes."""

    async def take(self, account: str, conversation: str) -> bool:
        """Wait for the turn. False: it would come too late."""

    async def hold(self, account: str, conversation: str, seconds: float) -> None:
        """Telegram wants that nothing more is written there for so many seconds."""


class Teller:
    """Tells senders. Never raises for what Telegram answers. Messages take their `turns`, where there are any, as
    those of the bot's `account`."""

    def __init__(self, client: TelegramClient, turns: Turns | None = None) -> None:
        self._client = client
        self._turns = turns
        self.account = ""

    async def tell(self, arrival: AnyArrival, reply: Reply) -> None:
        """Tell the sender of `arrival` what came of it."""
        try:
            await self._tell(arrival, reply)
        except ChannelError as error:
            log.info("sender not told", key=arrival.key, error=str(error))
        except Exception as error:  # noqa: BLE001  # what is committed stays so, whatever went wrong with saying it
            # The error's own text may hold what somebody wrote.
            log.error("sender not told", key=arrival.key, error=type(error).__name__)  # noqa: TRY400  # as said

    async def stop_progress(self, query: str) -> None:
        """Answer a press that is nothing to us, so that its client stops waiting."""
        try:
            await self._client.answer(query, "", alert=False)
        except ChannelError as error:
            log.info("press not answered", error=str(error))

    async def _tell(self, arrival: AnyArrival, reply: Reply) -> None:
        match arrival:
            case Pressed():
                await self._client.answer(query_id(arrival.raw), toast(reply), alert=_is_alert(reply))
            case Wrote():
                await self._say(arrival, said(reply), reply_to=arrival.message)
            case Commanded():
                await self._answer_command(arrival, reply)
            case Submitted() | Closed() | Opened() | Moved() | Changed():
                return
            case _:
                assert_never(arrival)

    async def _answer_command(self, arrival: Commanded, reply: Reply) -> None:
        if arrival.private or not isinstance(reply, Listed):
            await self._say(arrival, said(reply))
            if isinstance(reply, Helped) and reply.listed is not None:
                await self._say(arrival, said(reply.listed))
            return
        # What waits for one person is not for the group to read.
        try:
            await self._send(arrival.sender.user, said(reply))
        except ChannelError:
            await self._say(arrival, START_FIRST)
        else:
            await self._say(arrival, IN_PRIVATE)

    async def _say(self, arrival: Wrote | Commanded, html: str, *, reply_to: str | None = None) -> None:
        if html:
            await self._send(arrival.channel, html, thread=arrival.thread, reply_to=reply_to)

    async def _send(
        self, chat: str, html: str, *, thread: str | None = None, reply_to: str | None = None, again: bool = True
    ) -> None:
        if self._turns is not None and not await self._turns.take(self.account, chat):
            raise Transient("there is too much else to write to this chat")
        try:
            await self._client.send(chat, html, thread=thread, reply_to=reply_to)
        except Transient as error:
            if self._turns is None or error.retry_after is None or not again:
                raise
            # It was certainly not sent, and Telegram says when it would be.
            await self._turns.hold(self.account, chat, error.retry_after)
            await self._send(chat, html, thread=thread, reply_to=reply_to, again=False)


def _is_alert(reply: Reply) -> bool:
    """Whether a press is answered with a window to close: when it did not do what was wanted."""
    match reply:
        case Told():
            # The prompt that follows says the rest.
            return reply.text != WRITE_HERE
        case Wrong():
            return True
        case Saved() | Quiet() | OpenForm() | Listed() | Helped():
            return False
        case _:
            assert_never(reply)
