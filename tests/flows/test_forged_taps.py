"""Clients of Telegram that lie: they may send any data with any message of a chat they are in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.flows.rig import TG_ANA, TG_BEA, Rig, eventually, rig, sqlite_at

OF_ANOTHER = "This control belongs to another message, so nothing was done."


def buttons_of(r: Rig, asked: dict[str, Any]) -> list[str]:
    """The data of a card's buttons, which every member's client has."""
    message = r.telegram_message(asked["publications"][0])
    return [button["callback_data"] for row in message.content.keyboard for button in row]


async def lie(r: Rig, user: int, chat: int, message: int, data: str) -> str:
    """Say that a button with `data` was pressed on `message`, and return what the bot answers."""
    world = r.telegram.world
    tap = world.tap(user, chat, message, data)
    known = world.message(chat, message)
    keyboard = known.content.keyboard if known else ()
    shown: dict[str, Any] = {
        "message_id": message,
        "date": 1,
        "chat": {"id": chat, "type": "supergroup", "title": "Ops"},
    }
    if keyboard:
        shown["reply_markup"] = {"inline_keyboard": [[dict(one) for one in row] for row in keyboard]}
    sender = {"id": user, "is_bot": False, "first_name": "Somebody"}
    query = {"id": tap.id, "from": sender, "message": shown, "chat_instance": "1", "data": data}
    r.telegram.wire.deliver({"callback_query": query})

    async def answered() -> str | None:
        answer = world.taps[tap.id].answer
        return answer.text if answer is not None else None

    text: str = await eventually(answered)
    return text


async def test_a_button_of_one_card_does_nothing_on_the_message_of_another(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        one = await r.posted((await r.ask(to=f"telegram:{r.group}", title="One"))["id"])
        two = await r.posted((await r.ask(to=f"telegram:{r.group}", title="Two"))["id"])
        message = r.telegram_message(two["publications"][0])
        assert await lie(r, TG_BEA, r.group, message.id, buttons_of(r, one)[0]) == OF_ANOTHER
        assert (await r.get(one["id"]))["status"] == "pending"
        assert len((await r.get(one["id"]))["publications"]) == 1
        assert r.telegram_message(two["publications"][0]).text == message.text


async def test_a_button_pressed_on_what_is_no_card_does_not_turn_it_into_one(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}"))["id"])
        await r.api.post(f"/v1/interactions/{asked['id']}/reply", json={"text": "Shipped."})
        history = r.telegram.world.history
        await r.telegram.until(lambda: any("Shipped." in one.text for one in history(r.group)))
        reply = next(one for one in history(r.group) if "Shipped." in one.text)
        assert await lie(r, TG_BEA, r.group, reply.id, buttons_of(r, asked)[0]) == OF_ANOTHER
        assert (await r.get(asked["id"]))["status"] == "pending"
        await r.telegram.human.press(TG_ANA, r.group, "Yes")
        await r.shown_settled(asked["id"])
        assert "Shipped." in next(one for one in history(r.group) if one.id == reply.id).text


async def test_a_groups_button_pressed_in_a_private_chat_proves_no_membership(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}"))["id"])
        card = r.telegram_message(asked["publications"][0])
        assert await lie(r, TG_BEA, TG_BEA, card.id, buttons_of(r, asked)[0]) == OF_ANOTHER
        assert (await r.get(asked["id"]))["status"] == "pending"
