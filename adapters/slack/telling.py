"""How a reply reaches the person: a private message, a form, a list, or words in the place of a form.

Nothing here decides or records anything, and all of it is best effort: what was decided stands either way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Final, assert_never

import structlog

from adapters.slack.client import Clients
from adapters.slack.errors import FAILURES, code_of, is_trigger_over
from adapters.slack.settings import Installation
from blocks.codec import Codec
from blocks.slack.home import home, listing
from blocks.slack.loop_form import loop_form
from blocks.slack.modal import Sight, modal
from blocks.slack.notice import notice
from blocks.slack.parts import Block
from blocks.slack.text import escape
from core.loops.replies import LoopReply, OpenLoopForm
from core.people import Identity
from core.replies import Helped, Listed, OpenForm, Quiet, Saved, Told, Wrong

log = structlog.get_logger("sayso.slack")

PRESS_AGAIN: Final = "The form could not be opened in time. Nothing has changed; please press again."
NO_FORM: Final = "The form could not be opened. Nothing has changed; please press again, or use the full form."
OPEN_LIST: Final = "What waits for you"


@dataclass(frozen=True)
class Where:
    """Where a person acted, and how they can be answered there. `home`: in the app's own tab."""

    sender: Identity
    channel: str = ""
    thread: str | None = None
    home: bool = False
    response_url: str = ""
    trigger: str = ""


class Teller:
    """Tells people through one installation."""

    def __init__(self, clients: Clients, installation: Installation, codec: Codec) -> None:
        self._clients = clients
        self._installation = installation
        self._codec = codec

    async def tell(self, reply: LoopReply, where: Where) -> None:
        """Show a reply to a press or a message. A saved answer is shown by its card, unless no card shows it."""
        match reply:
            case Saved():
                if reply.unseen:
                    await self.whisper(reply.text, where)
            case Told() | Helped():
                await self.whisper(reply.text, where)
            case Wrong():
                await self.whisper(faults_in_words(reply), where)
            case OpenForm() | OpenLoopForm():
                await self._open(reply, where)
            case Listed():
                if where.home:
                    await self._publish_home(reply, where.sender)
                else:
                    await self.whisper(OPEN_LIST, where, listing(reply.cards, cut=reply.cut))
            case Quiet():
                pass
            case _:
                assert_never(reply)

    async def whisper(self, text: str, where: Where, blocks: Sequence[Block] | None = None) -> None:
        """Show words to this person alone: at the message they acted on, else in the conversation."""
        shown = list(blocks if blocks is not None else notice(text))
        if where.response_url and await self._respond(where, escape(text), shown):
            return
        if not where.channel:
            return
        call = self._clients.write.chat_postEphemeral(
            channel=where.channel,
            user=where.sender.user,
            text=escape(text),
            blocks=shown,
            thread_ts=where.thread,
            link_names=False,
        )
        await self._try("chat.postEphemeral", call)

    async def _publish_home(self, reply: Listed, person: Identity) -> None:
        """Draw the person's Home tab."""
        call = self._clients.write.views_publish(user_id=person.user, view=home(reply.cards, cut=reply.cut))
        await self._try("views.publish", call)

    async def _respond(self, where: Where, text: str, blocks: list[Block]) -> bool:
        body: dict[str, Any] = {
            "response_type": "ephemeral",
            "replace_original": False,
            "text": text,
            "blocks": blocks,
            **({"thread_ts": where.thread} if where.thread else {}),
        }
        try:
            answer = await self._clients.hook(where.response_url).send_dict(body)
        except FAILURES as error:
            # It may have arrived; a second private line does less harm than silence.
            log.info("response_url failed", error=type(error).__name__)
            return False
        return answer.status_code == 200

    async def _open(self, form: OpenForm | OpenLoopForm, where: Where) -> None:
        sight = Sight(where.channel, self._installation.bot_name)
        if isinstance(form, OpenLoopForm):
            view = loop_form(form, self._codec, where.sender, sight)
        else:
            view = modal(form, self._codec, where.sender, sight)
        try:
            await self._clients.write.views_open(trigger_id=where.trigger, view=view)
        except FAILURES as error:
            late = is_trigger_over(error)
            log.warning("form not opened", error=code_of(error) or type(error).__name__)
            await self.whisper(PRESS_AGAIN if late else NO_FORM, where)

    async def _try(self, method: str, call: Awaitable[object]) -> None:
        try:
            await call
        except FAILURES as error:
            log.info("not told", method=method, error=code_of(error) or type(error).__name__)


def faults_in_words(reply: Wrong) -> str:
    """What must be corrected, as sentences for someone who has no form open."""
    details = dict.fromkeys(fault.detail for fault in reply.faults)
    said = "; ".join(details)
    return f"This was not saved: {said}. Nothing has changed."
