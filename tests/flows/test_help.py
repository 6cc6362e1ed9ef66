"""What the bot tells of itself: enough for whoever connects a conversation to ask in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.telegram.places import GroupKind
from tests.flows.rig import ANA, CHANNEL, TG_ANA, Rig, eventually, rig, sqlite_at

ADDRESS = re.compile(r"Programs ask here with the address (\S+)")


async def _told_in_telegram(r: Rig, chat: int, command: str) -> str:
    r.telegram.human.write(TG_ANA, chat, command)

    async def look() -> str | None:
        found = [ADDRESS.search(one.text) for one in r.telegram.world.history(chat)]
        return next((match[1] for match in reversed(found) if match), None)

    told: str = await eventually(look)
    return told


@pytest.mark.parametrize("kind", [GroupKind.GROUP, GroupKind.SUPERGROUP])
async def test_help_in_a_telegram_group_gives_the_address_to_ask_in_it(tmp_path: Path, kind: GroupKind) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        group = r.telegram.scene.create_group("Deploys", [TG_ANA], kind=kind).id
        address = await _told_in_telegram(r, group, f"/help@{r.telegram.bot_username}")
        asked = await r.posted((await r.ask(to=address))["id"])
        assert asked["publications"][0]["channel"] == str(group)


async def test_start_in_a_private_chat_gives_its_address(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        assert await _told_in_telegram(r, TG_ANA, "/start") == f"telegram:{TG_ANA}"


@pytest.mark.parametrize("in_channel", [True, False], ids=["channel", "direct"])
async def test_help_in_slack_gives_the_address_to_ask_there(tmp_path: Path, in_channel: bool) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        seen: Any = await r.slack.person(ANA).command("/sayso", "help", channel=CHANNEL if in_channel else "")
        told = ADDRESS.search(str(seen.private))
        assert told is not None
        address = told[1].strip("'\"}],")
        assert address == (f"slack:{CHANNEL}" if in_channel else f"slack:{ANA}")
        await r.posted((await r.ask(to=address))["id"])
