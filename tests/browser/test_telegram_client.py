"""The Telegram stand-in's page in a real browser: a card is read, pressed, answered in words; nothing breaks out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Literal

import pytest
from playwright.async_api import Page, expect
from telegram import Bot, ForceReply, InlineKeyboardButton, InlineKeyboardMarkup

from bot.sandbox.telegram import TelegramStandIn
from tests.adapters.telegram.bots import bot_of, serving
from tests.browser.judge import violations

CARD = InlineKeyboardMarkup(
    [[InlineKeyboardButton("Yes", callback_data="y")], [InlineKeyboardButton("No", callback_data="n")]]
)


@pytest.fixture
async def stand_in() -> AsyncIterator[TelegramStandIn]:
    async with serving() as found:
        found.scene.create_user("Ana", user_id=42)
        found.scene.create_user("Ben", user_id=43)
        found.human.start(42)
        yield found


@pytest.fixture
async def bot(stand_in: TelegramStandIn) -> AsyncIterator[Bot]:
    async with bot_of(stand_in) as found:
        yield found


async def answer_the_next_tap(bot: Bot, text: str, *, show_alert: bool) -> None:
    while True:
        for update in await bot.get_updates(timeout=5):
            query = update.callback_query
            if query is not None:
                await query.answer(text, show_alert=show_alert)
                await bot.get_updates(update.update_id + 1)
                return


async def test_a_card_is_read_pressed_and_answered_in_words(page: Page, stand_in: TelegramStandIn, bot: Bot) -> None:
    await page.goto(f"{stand_in.api_url}/client?as=42&chat=42")
    await bot.send_message(
        42, "<b>Ship?</b> <code>4.2</code>\n<blockquote>clean</blockquote>", parse_mode="HTML", reply_markup=CARD
    )
    bubble = page.locator(".bubble").last
    await expect(bubble.locator("strong")).to_have_text("Ship?")
    await expect(bubble.locator("code")).to_have_text("4.2")
    await expect(bubble.locator("blockquote")).to_have_text("clean")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        await page.emulate_media(color_scheme=scheme)
        assert await violations(page) == []
    answering = asyncio.create_task(answer_the_next_tap(bot, "Saved", show_alert=False))
    await page.get_by_role("button", name="Yes", exact=True).click()
    await expect(page.locator("#toast")).to_have_text("Saved")
    await answering
    answering = asyncio.create_task(answer_the_next_tap(bot, "Only Ben may answer.", show_alert=True))
    await page.get_by_role("button", name="No", exact=True).click()
    await expect(page.get_by_role("dialog")).to_contain_text("Only Ben may answer.")
    await answering
    await page.get_by_role("button", name="OK").click()
    await expect(page.get_by_role("dialog")).to_be_hidden()

    asked = await bot.send_message(42, "Why?", reply_markup=ForceReply(input_field_placeholder="Reason"))
    await expect(page.locator("#reply")).to_contain_text("Why?")
    await page.get_by_placeholder("Reason").fill("Canary is red")
    await page.keyboard.press("Enter")
    await expect(page.locator(".mine .body").last).to_contain_text("Canary is red")
    answer = stand_in.world.history(42)[-1]
    assert (answer.text, answer.reply_to) == ("Canary is red", asked.message_id)
    await expect(page.locator("#reply")).to_be_hidden()


async def test_text_from_outside_stays_text_and_everybody_sees_only_their_own(
    page: Page, stand_in: TelegramStandIn, bot: Bot
) -> None:
    hostile = "<img src=x onerror=alert(1)> <script>alert(2)</script> \u202e[x](javascript:alert(3))"
    stand_in.scene.create_group(f"{hostile}", [42])
    await bot.send_message(
        42, hostile, reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton(hostile, callback_data="x")]])
    )
    await page.goto(f"{stand_in.api_url}/client?as=42&chat=42")
    await expect(page.locator(".bubble .body").last).to_contain_text(hostile)
    await expect(page.locator(".key")).to_have_text(hostile)
    assert await page.locator("img, .bubble script, .key script, .rows script").count() == 0

    await page.get_by_label("You are").select_option("Ben")
    await expect(page.get_by_role("button", name="Start")).to_be_visible()
    await page.get_by_role("button", name="Start").click()
    await expect(page.locator(".bubble").last).to_contain_text("/start")
    assert stand_in.world.history(43)[-1].text == "/start"
