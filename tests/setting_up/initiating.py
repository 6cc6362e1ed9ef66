"""`sayso init` against both stand-ins: who is there, and what every run of it does alike."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

from bot.sandbox.slack.seen import NotOnScreen
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.stand_in import TelegramStandIn
from tests.flows.rig import eventually, free_port
from tests.setting_up.doctoring import slack_with, telegram_with
from tests.setting_up.terminal import ROOT, Terminal

ANA = "U0ANA"
YES = "Yes, it does"


class Chats(NamedTuple):
    """Both stand-ins with Ana in them, and the environment that finds them."""

    slack: SlackStandIn
    telegram: TelegramStandIn
    environment: dict[str, str]

    @property
    def secrets(self) -> list[str]:
        """What must never be seen."""
        return [self.slack.bot_token, self.slack.app_token, self.telegram.bot_token]


@contextlib.asynccontextmanager
async def both_chats() -> AsyncIterator[Chats]:
    """Both of them, served."""
    async with slack_with().serve() as slack, telegram_with().serve() as telegram:
        slack.workspace.add_user("ana", "Ana Lopez", user_id=ANA)
        slack.workspace.add_user("bea", "Bea", user_id="U0BEA")
        telegram.scene.create_user("Ana", user_id=42)
        environment = {
            "SLACK_API_URL": slack.api_url,
            "TELEGRAM_API_URL": telegram.api_url,
            "SAYSO_PORT": str(free_port()),
            "USER": "ana",
        }
        yield Chats(slack, telegram, environment)


async def connect_slack(one: Terminal, chats: Chats) -> None:
    """Answer what is asked about Slack."""
    await one.shows("Connect Slack")
    await one.type("")
    await one.shows("app is there")
    await one.type("")
    await one.shows("xoxb-… \\(not shown\\): ")
    await one.type_unseen(chats.slack.bot_token)
    await one.shows("xapp-… \\(not shown\\): ")
    await one.type_unseen(chats.slack.app_token)
    await one.shows("Socket Mode opens")


async def press_in_slack(chats: Chats) -> None:
    """Press the card once it is there."""

    async def press() -> bool:
        try:
            return (await chats.slack.person(ANA).press(YES)).sent
        except NotOnScreen:
            return False

    await eventually(press)


async def press_in_telegram(chats: Chats) -> None:
    """The same."""
    await chats.telegram.until(lambda: any(YES in str(m.content) for m in chats.telegram.world.history(42)))
    await chats.telegram.human.press(42, 42, YES)


def settings_in(folder: Path) -> dict[str, str]:
    """What `.env` says."""
    pairs = (line.partition("=") for line in (folder / ".env").read_text().splitlines())
    return {name: value for name, _, value in pairs}


def names_in(folder: Path) -> set[str]:
    """What is in a folder."""
    return {one.name for one in folder.iterdir()}


def quietly(arguments: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command with nobody at a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
