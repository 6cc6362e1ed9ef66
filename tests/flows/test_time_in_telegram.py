"""Time in Telegram, through the whole service with a clock to push: reminders under a card, the menu of a card, handing
it on, and the list of the morning."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.sandbox.telegram.messages import Message
from bot.startup import WORKSPACE
from core.people import Identity, Role
from core.use_cases.directory import add_person
from tests.flows.rig import ANA, CHANNEL, TG_ANA, TG_BEA, Rig, confirmation, eventually, rig, sqlite_at
from tests.flows.trouble import PushedClock

HOUR = 3_600.0
MENU = [
    "15 minutes", "1 hour", "Tomorrow 9:00", "Another time…", "Hand it to…", "Who is it waiting for?", "Back",
]  # fmt: skip


@contextlib.asynccontextmanager
async def _timed(folder: Path) -> AsyncIterator[tuple[Rig, PushedClock]]:
    """The service with a clock to push; Ana and Bea have handles, and both are in the group."""
    clock = PushedClock()
    async with rig(sqlite_at(folder), clock=clock) as r:
        team = r.slack.platform.settings.team_id
        for handle, user, slack in (("ana", TG_ANA, ANA), ("bea", TG_BEA, None)):
            own = [Identity(provider="telegram", user=str(user))]
            own += [Identity(provider="slack", account=team, user=slack)] if slack else []
            await add_person(r.apps[0].context, WORKSPACE, handle, handle.title(), Role.MEMBER, own)
        yield r, clock


async def _asked(r: Rig, to: str, answerer: str = "person:ana", **nudges: Any) -> tuple[dict[str, Any], Message]:
    """Ask Ana, and return the interaction with its card."""
    policy = {"expires_in": "10h", **({"nudges": nudges} if nudges else {})}
    body = confirmation(to=to, audience={"answerers": [answerer]}, policy=policy, reason="none")
    asked = await r.posted((await r.ask(**body))["id"])
    return asked, r.telegram_message(asked["publications"][0])


async def _says(r: Rig, chat: int, words: str, count: int = 1) -> Message:
    """The last message of a chat that has these words, once there are so many."""

    async def look() -> Message | None:
        found = [one for one in r.telegram.world.history(chat) if words in one.text]
        return found[-1] if len(found) >= count else None

    message: Message = await eventually(look)
    return message


def _now(r: Rig, message: Message) -> Message:
    found = r.telegram.world.message(message.chat_id, message.id)
    assert found is not None
    return found


async def _shows(r: Rig, card: Message, *buttons: str) -> None:
    await r.telegram.until(lambda: _now(r, card).buttons == list(buttons), 10)


async def _prompted(r: Rig, chat: int, words: str) -> str:
    """What the prompt says that Ana has open now, once it says these words."""

    async def look() -> str | None:
        prompt = r.telegram.human.prompt(TG_ANA, chat)
        return prompt.text if prompt is not None and words in prompt.text else None

    text: str = await eventually(look)
    return text


async def test_reminders_under_a_card_call_whom_it_waits_for_and_end_with_it(tmp_path: Path) -> None:
    async with _timed(tmp_path) as (r, clock):
        asked, card = await _asked(r, f"telegram:{r.group}", every="1h", max=2)
        clock.push(HOUR + 1)
        first = await _says(r, r.group, "Reminder 1 of 2")
        assert first.reply_to == card.id
        assert first.notified == (TG_ANA,)
        assert "Ana: “Release 4.2” still waits for your answer.\nIt expires in 8 h 59 min (" in first.text
        clock.push(2 * HOUR)
        second = await _says(r, r.group, "Reminder 2 of 2")
        await r.telegram.human.press(TG_ANA, r.group, "Deploy", message_id=card.id)
        ended_so = "no longer waiting. Ana accepted this"
        await r.telegram.until(lambda: all(ended_so in _now(r, one).text for one in (first, second)), 10)
        clock.push(8 * HOUR)
        ended = await r.get(asked["id"])
        assert ended["status"] == "accepted"
        assert [one["type"] for one in await r.receipts(asked["id"])].count("nudged") == 2
        assert not any("Reminder" in one.text for one in r.telegram.world.history(r.group))


async def test_a_card_is_put_off_by_its_menu_and_comes_back_when_asked_to(tmp_path: Path) -> None:
    async with _timed(tmp_path) as (r, clock):
        _, card = await _asked(r, f"telegram:{TG_ANA}")
        usual = card.buttons
        assert usual[-1] == "Later…"
        await r.telegram.human.press(TG_ANA, TG_ANA, "Later…", message_id=card.id)
        await _shows(r, card, *MENU)
        await r.telegram.human.press(TG_ANA, TG_ANA, "Back", message_id=card.id)
        await _shows(r, card, *usual)
        await r.telegram.human.press(TG_ANA, TG_ANA, "Later…", message_id=card.id)
        await _shows(r, card, *MENU)
        told = await r.telegram.human.press(TG_ANA, TG_ANA, "Who is it waiting for?", message_id=card.id)
        assert told.answer is not None
        assert told.answer.show_alert
        assert str(told.text) == "Waiting for Ana."
        put_off = await r.telegram.human.press(TG_ANA, TG_ANA, "15 minutes", message_id=card.id)
        assert str(put_off.text).startswith("I will remind you on ")
        await _shows(r, card, *usual)
        clock.push(HOUR / 4 + 1)
        reminder = await _says(r, TG_ANA, "You asked to be reminded")
        assert reminder.reply_to == card.id

        await r.telegram.human.press(TG_ANA, TG_ANA, "Later…", message_id=card.id)
        await _shows(r, card, *MENU)
        await r.telegram.human.press(TG_ANA, TG_ANA, "Another time…", message_id=card.id)
        await _prompted(r, TG_ANA, "with when I am to remind you of “Release 4.2”")
        r.telegram.human.answer_prompt(TG_ANA, TG_ANA, "someday")
        again = await _prompted(r, TG_ANA, "This was not counted.")
        assert "Write a time like 20m, 2h, 18:30" in again
        r.telegram.human.answer_prompt(TG_ANA, TG_ANA, "in 2 hours")
        await _says(r, TG_ANA, "I will remind you on ")
        await _shows(r, card, *usual)
        clock.push(2 * HOUR + 1)
        await _says(r, TG_ANA, "You asked to be reminded", count=2)
        await r.telegram.human.press(TG_ANA, TG_ANA, "Hold", message_id=card.id)
        await r.telegram.until(lambda: "no longer waiting" in _now(r, reminder).text, 10)


async def test_a_card_is_handed_to_somebody_who_has_it_in_a_chat_of_their_own(tmp_path: Path) -> None:
    async with _timed(tmp_path) as (r, _):
        asked, card = await _asked(r, f"telegram:{r.group}")
        await r.telegram.human.press(TG_ANA, r.group, "Later…", message_id=card.id)
        await _shows(r, card, *MENU)
        refused = await r.telegram.human.press(TG_BEA, r.group, "Hand it to…", message_id=card.id)
        assert "This question is for other people" in str(refused.text)
        await r.telegram.human.press(TG_ANA, r.group, "Hand it to…", message_id=card.id)
        await _prompted(r, r.group, "the person to hand “Release 4.2” to")
        r.telegram.human.answer_prompt(TG_ANA, r.group, "zoe")
        assert "There is nobody with that handle here; there are ana, bea." in await _prompted(
            r, r.group, "not counted"
        )
        r.telegram.human.answer_prompt(TG_ANA, r.group, "@Bea")
        own = await _says(r, TG_BEA, "Release 4.2")
        await r.telegram.until(lambda: "Ana handed it to Bea." in _now(r, card).text, 10)
        assert "May answer: ana or bea." in _now(r, card).text
        tap = await r.telegram.human.press(TG_BEA, TG_BEA, "Deploy", message_id=own.id)
        assert tap.text == "Saved: Deploy"
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["by"]["handle"] == "bea"
        assert [one["type"] for one in await r.receipts(asked["id"])].count("delegated") == 1


async def test_the_list_of_the_morning_comes_at_the_time_that_was_set(tmp_path: Path) -> None:
    async with _timed(tmp_path) as (r, clock):
        await _asked(r, f"telegram:{TG_ANA}")
        seen = await r.slack.person(ANA).command("/sayso", "zone asia/tokyo", channel=CHANNEL)
        assert "Your time zone is Asia/Tokyo" in str(seen.private)
        at = datetime.fromtimestamp(clock.now().timestamp() + 2 * HOUR, UTC)
        local = f"{(at.hour + 9) % 24}:{at.minute:02}"
        r.telegram.human.write(TG_ANA, TG_ANA, f"/digest {local}")
        assert "JST. /digest off ends it." in (await _says(r, TG_ANA, "The next one comes on")).text
        seen = await r.slack.person(ANA).command("/sayso", "digest", channel=CHANNEL)
        assert "JST. /sayso digest off ends it." in str(seen.private)
        clock.push(2 * HOUR)
        listed = await _says(r, TG_ANA, "What waits for you today")
        assert "• Release 4.2\nIt expires in 7 h" in listed.text
        r.telegram.human.write(TG_ANA, TG_ANA, "/digest off")
        await _says(r, TG_ANA, "You get no list of what waits for you.")
        r.telegram.human.write(TG_ANA, TG_ANA, "/zone Mars")
        await _says(r, TG_ANA, "There is no time zone called Mars; write it like Europe/Madrid or UTC.")
