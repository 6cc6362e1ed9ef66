"""The full form is opened inside Telegram in a private chat; elsewhere Telegram takes no such button."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.sandbox.telegram.stand_in import TelegramStandIn
from tests.adapters.telegram.connected import ana_in, connected, publication
from tests.blocks.telegram.cards import card, choice, questions

ASKED = questions(choice("Red", "Green"))
FORM = "Open full form"


def form_button(stand_in: TelegramStandIn, chat: int, message: str) -> dict[str, Any]:
    shown = stand_in.world.message(chat, int(message))
    assert shown is not None
    (found,) = [dict(one) for one in shown.content.buttons() if one["text"] == FORM]
    return found


@pytest.mark.parametrize("site", ["https://example.com", "https://example.com/"])
async def test_a_private_chat_opens_the_form_inside_and_a_group_by_a_link(site: str) -> None:
    async with connected(polls=True, site=site) as one:
        ana, channel = ana_in(one), one.adapter.channel
        asked = replace(card(ASKED), review_url="https://example.com/review/int_1", link_ok=True)
        group = one.stand_in.scene.create_group("Ops", [ana]).id
        here = await channel.post(asked, publication(ana))
        launcher = f"https://example.com/telegram/app/{one.stand_in.bot_id}"
        app = {"text": FORM, "web_app": {"url": f"{launcher}?next=/review/int_1"}}
        assert form_button(one.stand_in, ana, here.message) == app
        await channel.redraw(asked, publication(ana, posted=here))
        assert form_button(one.stand_in, ana, here.message) == app
        opened = one.stand_in.saying_who.open_app(ana, ana, FORM)
        assert opened.startswith(f"{launcher}?next=/review/int_1#tgWebAppData=")
        there = await channel.post(asked, publication(group))
        assert form_button(one.stand_in, group, there.message)["url"] == "https://example.com/review/int_1"


async def test_without_a_public_https_address_nothing_is_opened_inside() -> None:
    async with connected(polls=True, site="http://sayso.lan.example.com") as one:
        ana = ana_in(one)
        asked = replace(card(ASKED), review_url="http://sayso.lan.example.com/review/int_1", link_ok=True)
        posted = await one.adapter.channel.post(asked, publication(ana))
        assert form_button(one.stand_in, ana, posted.message)["url"] == asked.review_url
