"""The Telegram stand-in's page in a real browser: a card is read, pressed, answered in words; nothing breaks out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Page, expect
from telegram import Bot, ForceReply, InlineKeyboardButton, InlineKeyboardMarkup

from blocks.telegram import render
from bot.sandbox.telegram import TelegramStandIn
from core.cards import Card
from core.kinds import EXAMPLES, Kind
from tests.adapters.telegram.bots import bot_of, serving
from tests.blocks.telegram.cards import CODEC, card, choice, questions
from tests.browser.judge import violations, violations_in_both_schemes

CARD = InlineKeyboardMarkup(
    [[InlineKeyboardButton("Yes", callback_data="y")], [InlineKeyboardButton("No", callback_data="n")]]
)


@pytest_asyncio.fixture(loop_scope="session")
async def stand_in() -> AsyncIterator[TelegramStandIn]:
    async with serving() as found:
        found.scene.create_user("Ana", user_id=42)
        found.scene.create_user("Ben", user_id=43)
        found.human.start(42)
        yield found


@pytest_asyncio.fixture(loop_scope="session")
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
    assert await violations_in_both_schemes(page) == []
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


NAMES = [f"A city that needs a row {number:03}" for number in range(20)]
FORM = questions(choice("Red", "Green"), {**choice(*NAMES), "id": "q2"}, body="About *colours*.")
SHOWN: list[tuple[Card, str]] = [
    *((card(EXAMPLES[kind], answering=("Ana", "Ben")), "is shown with who is answering") for kind in Kind),
    (card(FORM), "a closed form"),
    (card(FORM, step=1, draft={"q0": "o1"}, search="01"), "a step with a long list that is searched"),
    (card(FORM, step=2, draft={"q0": "o1", "q1": "o3"}), "a summary"),
]


async def test_every_kind_and_step_is_shown_with_all_its_controls(
    page: Page, stand_in: TelegramStandIn, bot: Bot
) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(f"{stand_in.api_url}/client?as=42&chat=42")
    for shown, why in SHOWN:
        drawn = render(shown, CODEC)
        keyboard = InlineKeyboardMarkup(
            [
                [InlineKeyboardButton(one.text, callback_data=one.data, url=one.url) for one in row]
                for row in drawn.keyboard
            ]
        )
        await bot.send_message(42, drawn.text, parse_mode="HTML", reply_markup=keyboard)
        message = page.locator(".message.keyed").last
        texts = [one.text for row in drawn.keyboard for one in row]
        await expect(message.locator(".key"), why).to_have_count(len(texts))
        assert [text.splitlines()[0] for text in await message.locator(".key").all_inner_texts()] == texts, why
        cut_off = "keys => keys.filter(key => key.scrollWidth > key.clientWidth).map(key => key.textContent)"
        assert await message.locator(".key").evaluate_all(cut_off) == [], why
    assert await violations(page) == []
