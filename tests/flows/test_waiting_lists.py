"""Whoever asks what waits for them finds it, although they never pressed anything before."""

from __future__ import annotations

import re
from pathlib import Path

from tests.blocks.slack.cards import shown
from tests.flows.rig import ANA, BEA, CARL, CHANNEL, TG_ANA, TG_BEA, Rig, eventually, rig, sqlite_at


async def _in_telegram(r: Rig, user: int, chat: int, command: str) -> str:
    """What the bot answers to the person in their private chat."""
    before = len(r.telegram.world.history(user))
    r.telegram.human.write(user, chat, command)

    async def look() -> str | None:
        said = [one for one in r.telegram.world.history(user)[before:] if one.author != user]
        return said[-1].text if said else None

    text: str = await eventually(look)
    return text


async def _home(r: Rig, user: str) -> str:
    async def look() -> str | None:
        view = r.slack.platform.views.home(user)
        return shown(view.payload["blocks"]) if view else None

    text: str = await eventually(look)
    return text


async def test_who_never_pressed_finds_the_cards_of_the_conversation_they_ask_in(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        await r.posted((await r.ask(title="In the channel", to=[f"slack:{CHANNEL}", f"telegram:{r.group}"]))["id"])
        seen = await r.slack.person(ANA).command("/sayso", channel=CHANNEL, watch=5)
        assert "In the channel" in "".join(shown(one["blocks"]) for one in seen.private)
        inbox = f"/inbox@{r.telegram.bot_username}"
        assert "In the channel" in await _in_telegram(r, TG_ANA, r.group, inbox)
        # It is remembered, so their Home shows it too. Whoever was seen nowhere has no card of a channel there.
        for user, expected in ((ANA, True), (CARL, False)):
            await r.slack.person(user).open_home()
            assert ("In the channel" in await _home(r, user)) is expected


async def test_orders_and_cards_are_one_list_with_what_is_due_first_and_times_in_my_zone(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        both = [f"slack:{CHANNEL}", f"telegram:{r.group}"]
        await r.posted((await r.ask(title="No hurry", to=both))["id"])
        for name, to, due in (("wo-1", both[0], "3h"), ("wo-2", both[1], "3h"), ("wo-3", both[0], "1h")):
            body = {"to": to, "id": name, "title": f"Title of {name}", "due": due}
            assert (await r.api.post("/v1/loops", json=body)).status_code == 201
        seen = await r.slack.person(ANA).command("/sayso", channel=CHANNEL, watch=5)
        told = "".join(shown(one["blocks"]) for one in seen.private)
        assert told.index("Title of wo-3") < told.index("Title of wo-1") < told.index("No hurry")
        # What is talked about in the other chat is nothing that this account was proved to read.
        assert "wo-2" not in told

        assert "Europe/Madrid" in await _in_telegram(r, TG_BEA, TG_BEA, "/zone Europe/Madrid")
        listed = await _in_telegram(r, TG_BEA, r.group, f"/inbox@{r.telegram.bot_username}")
        assert listed.index("Title of wo-2") < listed.index("No hurry")
        assert "wo-1" not in listed
        assert re.search(r"Due \w{3} \d+ \w{3}, \d\d:\d\d CES?T\n", listed)

        # Somebody else has it now, so it waits on nobody else.
        assert (await r.api.post("/v1/loops/wo-1/claim", json={})).status_code == 200
        await r.slack.person(ANA).open_home()

        async def settled() -> bool:
            home = await _home(r, ANA)
            return "Title of wo-3" in home and "Title of wo-1" not in home

        await eventually(settled)


async def test_who_never_pressed_finds_what_was_asked_in_their_own_chat(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        await r.posted((await r.ask(title="Just for you", to=[f"slack:{BEA}", f"telegram:{TG_BEA}"]))["id"])
        seen = await r.slack.person(BEA).command("/sayso", watch=5)
        assert "Just for you" in "".join(shown(one["blocks"]) for one in seen.private)
        assert "Just for you" in await _in_telegram(r, TG_BEA, TG_BEA, "/inbox")


async def test_start_and_help_say_what_waits_after_what_the_bot_is_for(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        await r.posted((await r.ask(title="Just for you", to=f"telegram:{TG_BEA}"))["id"])
        due = {"to": f"telegram:{TG_BEA}", "id": "wo-1", "title": "By tonight", "due": "1h"}
        assert (await r.api.post("/v1/loops", json=due)).status_code == 201
        for command in ("/start", "/help"):
            before = len(r.telegram.world.history(TG_BEA))
            r.telegram.human.write(TG_BEA, TG_BEA, command)

            async def told(before: int = before) -> list[str]:
                said = [one.text for one in r.telegram.world.history(TG_BEA)[before:] if one.author != TG_BEA]
                # The card of the work order comes into the same chat, when it will.
                told = [text for text in said if "Programs ask here" in text or text.startswith("Waiting for you:")]
                return told if len(told) > 1 else []

            what_for, listed = await eventually(told)
            assert "Programs ask here with the address" in what_for
            assert listed.index("By tonight") < listed.index("Just for you")
        # A group is told what the bot is for, and nothing of what waits on one of its members.
        r.telegram.human.write(TG_BEA, r.group, f"/start@{r.telegram.bot_username}")

        async def in_group() -> list[str]:
            return [one.text for one in r.telegram.world.history(r.group) if one.text.startswith("Hello!")]

        assert "Just for you" not in "".join(await eventually(in_group))


async def test_entries_lead_to_the_message_itself_where_the_reader_sees_it_and_else_to_the_page(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        both = [f"slack:{CHANNEL}", f"telegram:{r.group}"]
        shared = await r.posted((await r.ask(title="For everybody", to=both))["id"])
        alone = await r.posted((await r.ask(title="For Ana", to=f"telegram:{TG_ANA}"))["id"])
        ordered = {"to": both[0], "id": "wo-1", "title": "Look into it", "due": "3h"}
        assert (await r.api.post("/v1/loops", json=ordered)).status_code == 201

        async def placed() -> str | None:
            found: str | None = (await r.api.get("/v1/loops/wo-1")).json()["card"]["message"]
            return found

        in_slack, in_telegram = shared["publications"]
        address = f"https://{r.slack.settings.team_domain}.slack.com/archives/{CHANNEL}/p"
        there = [f"{address}{ts.replace('.', '')}" for ts in (in_slack["message"], await eventually(placed))]
        seen = await r.slack.person(ANA).command("/sayso", channel=CHANNEL, watch=5)
        buttons = [
            element
            for one in seen.private
            for block in one["blocks"]
            if block["type"] == "actions"
            for element in block["elements"]
        ]
        assert {one["url"] for one in buttons if one["text"]["text"] == "Show message"} == set(there)

        await _in_telegram(r, TG_ANA, r.group, f"/inbox@{r.telegram.bot_username}")
        said = [one for one in r.telegram.world.history(TG_ANA) if "For everybody" in (one.text or "")][-1]
        addresses = {one.argument for one in said.content.entities if one.type == "text_link"}
        assert addresses == {f"https://t.me/c/{str(r.group).removeprefix('-100')}/{in_telegram['message']}"}
        # Messages of a chat of one's own have no address.
        assert alone["review_url"] in said.text
        assert shared["review_url"] not in said.text
