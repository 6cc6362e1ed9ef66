"""The only calls out to Telegram: python-telegram-bot's `Bot`, one attempt each, errors as ours.

`Bot` knows the methods and their types, and its HTTP layer can be replaced, which is how refusals get here with
their code and parameters. Nothing else of the library is used. Its `Application` keeps updates in memory and confirms
them before they are handled, retries what may have worked, and restarts its own timers; here updates wait in the
database, and what is owed is the relay's. Its arbitrary callback data live in memory, so buttons carry our own tokens.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from functools import cache
from ssl import SSLContext
from typing import Any, Final, TypeVar

from httpx2 import create_ssl_context
from telegram import (
    Bot,
    BotCommand,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
    WebAppInfo,
)
from telegram.constants import ParseMode
from telegram.error import TelegramError
from telegram.request import HTTPXRequest, RequestData

from adapters.telegram.errors import AlreadySo, channel_error, read_refusal
from adapters.telegram.settings import API, Me
from blocks.telegram.keyboard import Button, Keyboard, opening_inside
from blocks.telegram.prompt import Prompted
from core.errors import Ambiguous, ChannelError, Unreachable

ALLOWED_UPDATES: Final = ("message", "callback_query", "my_chat_member")
"""What is asked for, explicitly at every start: left out, Telegram keeps whatever some earlier program asked for."""
GENERAL_TOPIC: Final = "1"
"""The first topic of every forum. Telegram refuses its number; messages go there without one."""
CALL_SECONDS: Final = 10.0
_NO_PREVIEW: Final = LinkPreviewOptions(is_disabled=True)
_LOUD: Final = ("httpx", "httpcore", "telegram")
_DefaultedSeconds = Any  # python-telegram-bot's own type of a timeout that was not given is private


class _Request(HTTPXRequest):
    """The library's HTTP layer, whose refusals keep their code and parameters."""

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: _DefaultedSeconds = HTTPXRequest.DEFAULT_NONE,
        write_timeout: _DefaultedSeconds = HTTPXRequest.DEFAULT_NONE,
        connect_timeout: _DefaultedSeconds = HTTPXRequest.DEFAULT_NONE,
        pool_timeout: _DefaultedSeconds = HTTPXRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        code, payload = await super().do_request(
            url, method, request_data, read_timeout, write_timeout, connect_timeout, pool_timeout
        )
        if not 200 <= code < 300:
            raise read_refusal(code, payload)
        return code, payload


_T = TypeVar("_T")


async def _call(call: Awaitable[_T]) -> _T:
    """Make a call and raise the library's errors as `ChannelError`s, without the chain of causes: it knows
    addresses, and they have the token in them.
    """
    found: ChannelError
    try:
        return await call
    except TelegramError as error:
        found = channel_error(error)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # The library could not make an object of the answer, so there was one.
        found = Ambiguous(f"Telegram's answer could not be read: {type(error).__name__}")
    raise found


def _chat(chat: str) -> int:
    """A chat's number. What stands for the chat of somebody who was forgotten is none."""
    if not chat.removeprefix("-").isdecimal():
        raise Unreachable("chat_unknown", "this chat is not known any more")
    return int(chat)


class TelegramClient:
    """One bot's calls. Making it does no I/O; `open` says who the bot is, `close` ends its connections. Links to `site`
    are opened inside Telegram by `launcher`, where a chat takes that."""

    def __init__(
        self, token: str, api_url: str | None = None, *, site: str | None = None, launcher: str | None = None
    ) -> None:
        self._site = (site or "").rstrip("/")
        self._launcher = launcher
        # These loggers print addresses, and every address of the Bot API has the token in it.
        for name in _LOUD:
            logging.getLogger(name).setLevel(logging.WARNING)
        base = (api_url or API).rstrip("/")
        request = _request()
        self._bot = Bot(
            token,
            base_url=f"{base}/bot",
            base_file_url=f"{base}/file/bot",
            request=request,
            get_updates_request=request,
        )

    async def open(self) -> Me:
        """Ask who the bot is. May be called again when it failed."""
        await _call(self._bot.initialize())
        me = self._bot.bot
        return Me(me.id, me.username or str(me.id), me.full_name)

    async def close(self) -> None:
        """End the connections."""
        await self._bot.shutdown()

    async def send(
        self,
        chat: str,
        html: str,
        markup: Keyboard | Prompted | None = None,
        *,
        thread: str | None = None,
        reply_to: str | None = None,
    ) -> Message:
        """Send one message, once. A message to be replied to that is gone does not keep the words from arriving."""
        return await _call(
            self._bot.send_message(
                chat_id=_chat(chat),
                text=html,
                parse_mode=ParseMode.HTML,
                reply_markup=self._markup(chat, markup),
                message_thread_id=_topic(thread),
                link_preview_options=_NO_PREVIEW,
                reply_parameters=_reply(reply_to),
            )
        )

    async def edit(self, chat: str, message: str, html: str, keyboard: Keyboard) -> None:
        """Make a message show this. The keyboard is always said: Telegram takes an absent one for none."""
        with suppress(AlreadySo):
            await _call(
                self._bot.edit_message_text(
                    chat_id=_chat(chat),
                    message_id=int(message),
                    text=html,
                    parse_mode=ParseMode.HTML,
                    reply_markup=self._inline(chat, keyboard),
                    link_preview_options=_NO_PREVIEW,
                )
            )

    async def delete(self, chat: str, *messages: str) -> None:
        """Take messages of the bot's away, at most a hundred. One that is gone is an error where it is the only one."""
        match [int(one) for one in messages]:
            case [message]:
                await _call(self._bot.delete_message(chat_id=_chat(chat), message_id=message))
            case several:
                await _call(self._bot.delete_messages(chat_id=_chat(chat), message_ids=several))

    async def answer(self, query: str, text: str, *, alert: bool) -> None:
        """Answer a press, which stops the client's progress mark. Too late is harmless."""
        with suppress(AlreadySo):
            await _call(self._bot.answer_callback_query(query, text=text or None, show_alert=alert))

    async def member_status(self, chat: str, user: str) -> tuple[str, bool]:
        """What somebody is in a chat, and for a restricted one whether they are in it."""
        member = await self._as_sent("GetChatMember", chat_id=_chat(chat), user_id=int(user))
        return str(member.get("status") or ""), member.get("is_member") is True

    async def display_name(self, chat_id: str) -> str:
        """What a chat is called, or somebody who has met the bot."""
        chat = await self._as_sent("GetChat", chat_id=_chat(chat_id))
        return str(chat.get("title") or "") or " ".join(
            str(chat[part]) for part in ("first_name", "last_name") if chat.get(part)
        )

    async def look_at(self, chat: str) -> None:
        """Ask for a chat: changes nothing, and raises what a message to it would meet."""
        await self._as_sent("GetChat", chat_id=_chat(chat))

    async def _as_sent(self, method: str, **asked: int) -> Mapping[str, Any]:
        """The object a method answers with, as it was sent.

        The library wants every field that the newest Bot API promises of a chat or a member; a server that is older,
        or newer, must not make the two or three that matter here unreadable. For the spelling of `method`: `updates`.
        """
        found = await _call(self._bot.do_api_request(method, api_kwargs=dict(asked)))
        return found if isinstance(found, dict) else {}

    async def updates(self, offset: int | None, wait: int) -> list[Any]:
        """Updates from `offset` on, as they were sent, waiting up to `wait` seconds for the first.

        `Bot.get_updates` reads a whole batch into objects, so that one it cannot read would hold up all others for
        ever. Method names are case-insensitive; spelled like this, the library hands the answer on as it came.
        """
        asked = {"timeout": wait, "allowed_updates": list(ALLOWED_UPDATES)}
        if offset is not None:
            asked["offset"] = offset
        found = await _call(self._bot.do_api_request("GetUpdates", api_kwargs=asked, read_timeout=wait + CALL_SECONDS))
        return found if isinstance(found, list) else []

    async def set_webhook(self, url: str, secret: str) -> None:
        """Have updates delivered to `url`, those that wait included."""
        await _call(
            self._bot.set_webhook(url, secret_token=secret, allowed_updates=ALLOWED_UPDATES, drop_pending_updates=False)
        )

    async def delete_webhook(self) -> None:
        """Have updates wait to be fetched, those that wait already included."""
        await _call(self._bot.delete_webhook(drop_pending_updates=False))

    async def set_commands(self, commands: Mapping[str, str]) -> None:
        """Say what may be typed after a slash."""
        await _call(self._bot.set_my_commands([BotCommand(name, about) for name, about in commands.items()]))

    def _markup(self, chat: str, markup: Keyboard | Prompted | None) -> InlineKeyboardMarkup | ForceReply | None:
        if markup is None:
            return None
        if isinstance(markup, Prompted):
            return ForceReply(selective=markup.selective or None, input_field_placeholder=markup.placeholder)
        return self._inline(chat, markup)

    def _inline(self, chat: str, keyboard: Keyboard) -> InlineKeyboardMarkup:
        is_private = not chat.startswith("-")
        rows = opening_inside(keyboard, self._site, self._launcher) if is_private and self._launcher else keyboard
        return InlineKeyboardMarkup([[_button(one) for one in row] for row in rows])


def _request() -> _Request:
    return _Request(
        connect_timeout=5.0,
        read_timeout=CALL_SECONDS,
        write_timeout=CALL_SECONDS,
        pool_timeout=5.0,
        httpx_kwargs={"verify": _trusted()},
    )


@cache
def _trusted() -> SSLContext:
    """Whom the library trusts by default. Reading all the certificates takes long, and once is enough."""
    return create_ssl_context()


def _topic(thread: str | None) -> int | None:
    return None if thread in (None, GENERAL_TOPIC) else int(thread or 0)


def _reply(message: str | None) -> ReplyParameters | None:
    return ReplyParameters(int(message), allow_sending_without_reply=True) if message else None


def _button(button: Button) -> InlineKeyboardButton:
    app = WebAppInfo(button.app) if button.app is not None else None
    return InlineKeyboardButton(button.text, url=button.url, callback_data=button.data, web_app=app)
