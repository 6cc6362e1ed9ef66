"""Updates are posted to a webhook: signed, serially per person and chat, until they are taken or too old."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.error import BadRequest

from bot.sandbox.serving import serving as listening
from bot.sandbox.telegram import TelegramStandIn
from tests.adapters.telegram.bots import application_of, bot_of, serving

SECRET = "s3cret_-"
YES = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])


@dataclass
class Receiver:
    """A bot's endpoint: remembers what came and answers as told."""

    answer: Callable[[dict[str, Any]], Response] = lambda _update: Response()
    hold: asyncio.Event = field(default_factory=asyncio.Event)
    secrets: list[str | None] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    came: asyncio.Condition = field(default_factory=asyncio.Condition)
    url: str = ""

    async def __call__(self, request: Request) -> Response:
        self.secrets.append(request.headers.get("X-Telegram-Bot-Api-Secret-Token"))
        update = await request.json()
        self.updates.append(update)
        async with self.came:
            self.came.notify_all()
        await self.hold.wait()
        return self.answer(update)

    async def until(self, count: int) -> None:
        """Return once `count` deliveries came."""
        async with asyncio.timeout(5), self.came:
            await self.came.wait_for(lambda: len(self.updates) >= count)

    @property
    def texts(self) -> list[str]:
        return [update["message"]["text"] for update in self.updates if "message" in update]

    @property
    def numbers(self) -> list[int]:
        return [update["update_id"] for update in self.updates]


@asynccontextmanager
async def receiving(**how: Any) -> AsyncIterator[Receiver]:
    receiver = Receiver(**how)
    receiver.hold.set()
    async with listening(Starlette(routes=[Route("/hook", receiver.__call__, methods=["POST"])])) as address:
        receiver.url = f"{address.url}/hook"
        yield receiver


@pytest.fixture
async def stand_in() -> AsyncIterator[TelegramStandIn]:
    async with serving(webhook_retry=0.01) as found:
        for name, number in (("Ana", 42), ("Ben", 43)):
            found.scene.create_user(name, user_id=number)
        yield found


@pytest.fixture
async def bot(stand_in: TelegramStandIn) -> AsyncIterator[Bot]:
    async with bot_of(stand_in) as found:
        yield found


async def test_updates_arrive_with_the_secret_beginning_with_those_that_waited(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    stand_in.human.start(42)
    async with receiving() as receiver:
        await bot.set_webhook(receiver.url, secret_token=SECRET)
        stand_in.human.write(42, 42, "hello")
        await stand_in.until(lambda: len(stand_in.journal.deliveries) == 2)
        info = await bot.get_webhook_info()
    assert receiver.texts == ["/start", "hello"]
    assert receiver.secrets == [SECRET, SECRET]
    assert (info.url, info.pending_update_count) == (receiver.url, 0)


async def test_what_is_not_taken_is_posted_again_under_the_same_number(stand_in: TelegramStandIn, bot: Bot) -> None:
    left = [503, 500, 404]
    async with receiving(answer=lambda _u: Response(status_code=left.pop(0) if left else 200)) as receiver:
        await bot.set_webhook(receiver.url)
        stand_in.human.start(42)
        await stand_in.until(lambda: len(receiver.updates) == 4 and not len(stand_in.parts.queue))
        info = await bot.get_webhook_info()
    assert len(set(receiver.numbers)) == 1
    assert [delivery.status for delivery in stand_in.journal.deliveries] == [503, 500, 404, 200]
    assert info.last_error_message == "Wrong response from the webhook: 404"


async def test_one_chat_is_served_in_order_while_a_stuck_update_holds_up_only_its_own(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    async with receiving() as receiver:
        await bot.set_webhook(receiver.url)
        receiver.hold.clear()
        stand_in.human.start(42)
        stand_in.human.write(42, 42, "second")
        stand_in.human.start(43)
        await receiver.until(2)
        assert receiver.texts == ["/start", "/start"]
        receiver.hold.set()
        await receiver.until(3)
        assert receiver.texts[2:] == ["second"]


async def test_an_update_that_expires_while_the_bot_fails_is_given_up(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.human.start(42)
    await bot.get_updates()
    await bot.send_message(42, "Deploy?", reply_markup=YES)
    async with receiving(answer=lambda _u: Response(status_code=500)) as receiver:
        await bot.set_webhook(receiver.url, drop_pending_updates=True)
        await stand_in.human.press(42, 42, "Yes", wait=0)
        await receiver.until(2)
        stand_in.clock.advance(151)
        await stand_in.until(lambda: not len(stand_in.parts.queue))
        tried = len(receiver.updates)
        stand_in.clock.advance(1_000)
        stand_in.human.write(42, 42, "next")
        await receiver.until(tried + 1)
    assert receiver.texts == ["next"]


async def test_retry_after_is_obeyed(stand_in: TelegramStandIn, bot: Bot) -> None:
    answers = [Response(status_code=503, headers={"Retry-After": "3000"})]
    async with receiving(answer=lambda _u: answers.pop() if answers else Response()) as receiver:
        await bot.set_webhook(receiver.url)
        stand_in.human.start(42)
        await stand_in.until(lambda: stand_in.journal.deliveries)
        stand_in.clock.advance(2_990)
        assert len(receiver.updates) == 1
        stand_in.clock.advance(20)
        await receiver.until(2)


async def test_a_bot_that_is_unreachable_gets_its_updates_later(stand_in: TelegramStandIn, bot: Bot) -> None:
    async with receiving() as receiver:
        url = receiver.url
    await bot.set_webhook(url)
    stand_in.human.start(42)
    await stand_in.until(lambda: stand_in.journal.deliveries)
    assert stand_in.journal.deliveries[0].status is None
    await bot.delete_webhook()
    assert len(await bot.get_updates()) == 1


async def test_the_answer_to_a_delivery_may_carry_one_call(stand_in: TelegramStandIn, bot: Bot) -> None:
    call = {"method": "sendMessage", "chat_id": 42, "text": "Hello"}
    async with receiving(answer=lambda _u: JSONResponse(call)) as receiver:
        await bot.set_webhook(receiver.url)
        stand_in.human.start(42)
        await stand_in.until(lambda: stand_in.journal.of("sendMessage", done=True))
    assert stand_in.world.history(42)[-1].text == "Hello"


async def test_a_redelivery_repeats_the_number_and_a_forgery_lacks_the_secret(
    stand_in: TelegramStandIn, bot: Bot
) -> None:
    async with receiving() as receiver:
        await bot.set_webhook(receiver.url, secret_token=SECRET)
        stand_in.human.start(42)
        await receiver.until(1)
        assert await stand_in.wire.redeliver(4) == [200] * 4
        assert len(set(receiver.numbers)) == 1
        assert await stand_in.wire.forge({"update_id": 1, "message": {}}, secret="guess") == 200
        assert await stand_in.wire.forge({"update_id": 1, "message": {}}) == 200
    assert receiver.secrets == [SECRET] * 5 + ["guess", None]


async def test_any_update_can_be_delivered(stand_in: TelegramStandIn, bot: Bot) -> None:
    stand_in.wire.deliver({"update_id": 7, "message": {"message_id": 1, "date": 0, "chat": {"id": 5, "type": "group"}}})
    await stand_in.wire.redeliver(2)
    assert [update.update_id for update in await bot.get_updates()] == [7, 7, 7]


async def test_a_real_application_is_fed_through_its_own_endpoint(stand_in: TelegramStandIn) -> None:
    application = application_of(stand_in)
    seen: list[Update] = []

    async def endpoint(request: Request) -> Response:
        seen.append(Update.de_json(await request.json(), application.bot))
        return Response()

    routes = [Route("/hook", endpoint, methods=["POST"])]
    async with application, listening(Starlette(routes=routes)) as address:
        await application.bot.set_webhook(f"{address.url}/hook", secret_token=SECRET)
        stand_in.human.start(42, "abc")
        await stand_in.until(lambda: stand_in.journal.deliveries)
    assert seen[0].message is not None
    assert seen[0].message.text == "/start abc"


ADDRESSES = [
    ("http://example.org/hook", "Bad webhook: an https url must be provided for webhook"),
    ("https://example.org:8080/hook", "Bad webhook: webhook can be set up only on ports 80, 88, 443 or 8443"),
    ("ftp://example.org/hook", "Invalid webhook url specified"),
    ("https://", "Invalid webhook url specified"),
]


@pytest.mark.parametrize(("url", "words"), ADDRESSES)
async def test_a_webhook_must_be_where_the_platform_would_deliver(bot: Bot, url: str, words: str) -> None:
    with pytest.raises(BadRequest) as refused:
        await bot.set_webhook(url)
    assert str(refused.value) == words


async def test_loopback_is_a_leniency_that_can_be_switched_off() -> None:
    async with serving(loopback_webhooks=False) as stand_in, bot_of(stand_in) as bot:
        with pytest.raises(BadRequest, match=r"(?i)an https url must be provided"):
            await bot.set_webhook("http://127.0.0.1:8443/hook")
