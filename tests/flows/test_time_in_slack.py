"""Time in Slack, through the whole service with a clock to push: reminders under a card, the menu of a card, handing it
on, and the list of the morning."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.sandbox.slack.drawing import notifies
from bot.sandbox.slack.world import Message
from bot.startup import WORKSPACE
from core.people import Identity, Role
from core.use_cases.directory import add_person
from tests.blocks.slack.cards import shown
from tests.flows.rig import ANA, BEA, CHANNEL, Rig, confirmation, eventually, rig, sqlite_at
from tests.flows.trouble import PushedClock

HOUR = 3_600.0


@contextlib.asynccontextmanager
async def _timed(folder: Path) -> AsyncIterator[tuple[Rig, PushedClock]]:
    """The service with a clock to push, over a socket: a request would be signed at another time. Ana has a handle, Bea
    is nobody yet."""
    clock = PushedClock()
    async with rig(sqlite_at(folder), clock=clock, socket_mode=True) as r:
        own = Identity(provider="slack", account=r.slack.platform.settings.team_id, user=ANA)
        await add_person(r.apps[0].context, WORKSPACE, "ana", "Ana", Role.MEMBER, [own])
        yield r, clock


async def _asked(r: Rig, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Ask Ana, and return the interaction with where its card is."""
    policy = {"expires_in": "10h", **({"nudges": more.pop("nudges")} if "nudges" in more else {})}
    body = confirmation(audience={"answerers": ["person:ana"]}, policy=policy, reason="none", **more)
    asked = await r.posted((await r.ask(**body))["id"])
    copy = asked["publications"][0]
    return asked, {"channel": copy["channel"], "ts": copy["message"]}


async def _says(r: Rig, where: str, words: str, count: int = 1) -> Message:
    """The last message of a conversation with these words, once there are so many."""

    async def look() -> Message | None:
        everything = sorted(r.slack.platform.world.messages[where].values(), key=lambda one: one.ts)
        found = [one for one in everything if words in shown(list(one.blocks))]
        return found[-1] if len(found) >= count else None

    message: Message = await eventually(look)
    return message


async def _comes_to_say(r: Rig, message: Message, words: str) -> None:
    async def look() -> bool:
        now = r.slack.platform.world.message(message.channel, message.ts)
        return now is not None and words in shown(list(now.blocks))

    await eventually(look)


def _direct(r: Rig, user: str) -> str:
    platform = r.slack.platform
    return platform.open_direct(
        platform.app_in(platform.settings.team_id).bot_user_id, user, platform.settings.team_id
    ).id


async def test_reminders_under_a_card_call_whom_it_waits_for_and_end_with_it(tmp_path: Path) -> None:
    async with _timed(tmp_path) as (r, clock):
        asked, here = await _asked(r, nudges={"every": "1h", "max": 2})
        clock.push(HOUR + 1)
        first = await _says(r, CHANNEL, "Reminder 1 of 2")
        assert (first.thread_ts, first.broadcast) == (here["ts"], True)
        assert notifies(first) == [ANA]
        told = shown(list(first.blocks))
        assert "“Release 4.2”" in told
        assert "still waits for your answer." in told
        assert "It expires in 8 h 59 min (" in told
        clock.push(2 * HOUR)
        second = await _says(r, CHANNEL, "Reminder 2 of 2")
        await r.slack.person(ANA).press("Deploy", **here)
        for one in (first, second):
            await _comes_to_say(r, one, "no longer waiting. Ana accepted this")
        clock.push(8 * HOUR)
        settled = await r.shown_settled(asked["id"])
        assert settled["status"] == "accepted"
        assert [one["type"] for one in await r.receipts(asked["id"])].count("nudged") == 2
        again = r.slack.platform.world.replies(CHANNEL, here["ts"])
        assert [one.ts for one in again] == [first.ts, second.ts]


async def test_a_card_is_put_off_by_its_menu_and_comes_back_when_asked_to(tmp_path: Path) -> None:
    async with _timed(tmp_path) as (r, clock):
        _, here = await _asked(r)
        ana = r.slack.person(ANA)
        refused = await r.slack.person(BEA).press(option="Remind me in 1 hour", **here, watch=5)
        assert "This question is for other people" in str(refused.private)
        told = await ana.press(option="Who is it waiting for?", **here, watch=5)
        assert "Waiting for Ana." in str(told.private)
        put_off = await ana.press(option="Remind me in 15 minutes", **here, watch=5)
        assert "I will remind you on " in str(put_off.private)
        clock.push(HOUR / 4 + 1)
        reminder = await _says(r, CHANNEL, "you asked to be reminded")
        assert (reminder.thread_ts, notifies(reminder)) == (here["ts"], [ANA])

        opened = await ana.press(option="Another time or person…", **here, watch=5)
        assert opened.modal is not None
        assert (await ana.submit()).errors == {"until:1": "choose a time here, or a person below"}
        at = clock.now() + timedelta(hours=2)
        await ana.fill_in({"Remind me on": int((at - timedelta(days=1)).timestamp())})
        assert (await ana.submit()).errors == {"until:1": "name a time that is still to come"}
        await ana.fill_in({"Remind me on": int(at.timestamp()), "Or hand it to": BEA})
        assert "not both" in (await ana.submit()).errors["to:1"]
        await ana.fill_in({"Or hand it to": None})
        sent = await ana.submit(watch=5)
        assert (sent.errors, sent.modal) == ({}, None)
        assert "I will remind you on " in str(sent.private)
        clock.push(2 * HOUR + 1)
        await _says(r, CHANNEL, "you asked to be reminded", count=2)
        await ana.press("Hold", **here)
        await _comes_to_say(r, reminder, "no longer waiting. Ana rejected this")


async def test_a_card_is_handed_to_somebody_who_has_it_in_a_direct_message(tmp_path: Path) -> None:
    async with _timed(tmp_path) as (r, _):
        asked, here = await _asked(r)
        r.slack.workspace.add_user("gast", "Gast", user_id="U4GAST", is_restricted=True)
        r.slack.workspace.add_user("robo", "Robo", user_id="U5ROBO", is_bot=True)
        ana = r.slack.person(ANA)
        await ana.press(option="Another time or person…", **here, watch=5)
        for user, why in ((ANA, "that is you"), ("U4GAST", "not for guests"), ("U5ROBO", "only people")):
            await ana.fill_in({"Or hand it to": user})
            assert why in (await ana.submit()).errors["to:1"]
        await ana.fill_in({"Or hand it to": BEA})
        sent = await ana.submit(watch=5)
        assert sent.errors == {}
        assert "bea may answer this now as well" in str(sent.private)
        own = await _says(r, _direct(r, BEA), "Release 4.2")
        card = r.slack_message(asked["publications"][0])
        await _comes_to_say(r, card, "Ana handed it to bea")
        await _comes_to_say(r, card, f"May answer: ana or <@{BEA}>")
        # Whoever it was handed to turns out to be somebody known, and it stays theirs.
        account = Identity(provider="slack", account=r.slack.platform.settings.team_id, user=BEA)
        await add_person(r.apps[0].context, WORKSPACE, "bea", "Bea", Role.MEMBER, [account])
        await r.slack.person(BEA).press("Deploy", channel=own.channel, ts=own.ts)
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["by"]["handle"] == "bea"
        assert [one["type"] for one in await r.receipts(asked["id"])].count("delegated") == 1


async def test_the_list_of_the_morning_comes_at_the_time_that_was_set(tmp_path: Path) -> None:
    async with _timed(tmp_path) as (r, clock):
        await _asked(r)
        ana = r.slack.person(ANA)
        assert "UTC" in str((await ana.command("/sayso", "zone UTC")).private)
        at = datetime.fromtimestamp(clock.now().timestamp() + 2 * HOUR, UTC)
        await ana.command("/sayso", f"digest {at:%H:%M}")
        clock.push(2 * HOUR)
        listed = await _says(r, _direct(r, ANA), "What waits for you today")
        told = shown(list(listed.blocks))
        assert "Release 4.2" in told
        assert "It expires in 7 h" in told
        assert "Asked by" in told
