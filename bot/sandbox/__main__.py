"""Both stand-ins in one process, in the foreground: `python -m bot.sandbox --into .env`.

With `--into` their tokens and addresses are in that file once both can be reached, in place of those of stand-ins
before. Tokens are new with every start; people, channel and group keep their ids, so a database that knows them holds.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from typing import Final

from adapters.slack.manifest import SCOPES
from bot.config import SLACK_API, TELEGRAM_API
from bot.listening import listener
from bot.sandbox.slack.settings import StandInSettings as SlackStandInSettings
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.settings import StandInSettings as TelegramStandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.setup.envfile import change
from bot.setup.given import Given
from core.errors import Misconfigured

HOST: Final = "127.0.0.1"
PERSON: Final = "Ana"
SLACK_PERSON: Final = "U0ANA"
SLACK_CHANNEL: Final = "C0RELEASES"


def main(arguments: list[str] | None = None) -> int:
    """Run until SIGTERM or SIGINT; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox", description=__doc__)
    parser.add_argument("--into", type=Path, metavar="FILE", help="write the settings into this file, such as .env")
    parser.add_argument("--slack-port", type=int, default=9101, help="0 takes a free one (%(default)s)")
    parser.add_argument("--telegram-port", type=int, default=9102, help="0 takes a free one (%(default)s)")
    asked = parser.parse_args(arguments)
    try:
        asyncio.run(_serve(asked.into, asked.slack_port, asked.telegram_port))
    except Misconfigured as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


async def _serve(into: Path | None, slack_port: int, telegram_port: int) -> None:
    stopped = asyncio.Event()
    for ending in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(ending, stopped.set)
    _check_free("--slack-port", slack_port)
    _check_free("--telegram-port", telegram_port)
    if into:
        _check_replaceable(into)
    slack = SlackStandIn(SlackStandInSettings(scopes=frozenset(scope.name for scope in SCOPES)))
    telegram = TelegramStandIn(TelegramStandInSettings())
    async with slack.serve(HOST, slack_port), telegram.serve(HOST, telegram_port):
        slack.workspace.add_user(PERSON.lower(), PERSON, user_id=SLACK_PERSON)
        slack.workspace.add_channel("releases", [SLACK_PERSON], channel_id=SLACK_CHANNEL)
        number = telegram.scene.create_user(PERSON).id
        group = telegram.scene.create_group("Releases", [number]).id
        settings = {
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
            "SLACK_API_URL": slack.api_url,
            "TELEGRAM_BOT_TOKEN": telegram.bot_token,
            "TELEGRAM_API_URL": telegram.api_url,
        }
        if into:
            change(into, settings)
            kept = f"{into} has their tokens: go on in another terminal with `sayso init`."
        else:
            kept = "\n".join(map("=".join, settings.items()))
        _say(
            "Both stand-ins run until Ctrl+C. The chats, as Ana sees them:\n"
            f"  Slack     {slack.url}/client/  (she is slack:{SLACK_PERSON}, #releases is slack:{SLACK_CHANNEL})\n"
            f"  Telegram  {telegram.api_url}/client?as={number}  "
            f"(she is telegram:{number}, the group is telegram:{group})\n"
            f"{kept}"
        )
        await stopped.wait()
    _say("Both have ended." + (f" What {into} says of them leads nowhere until they run again." if into else ""))


def _check_free(option: str, port: int) -> None:
    try:
        listener(HOST, port).close()
    except OSError as error:
        raise Misconfigured(
            f"Port {port} cannot be listened on ({error.strerror}); choose another with {option}."
        ) from None


def _check_replaceable(path: Path) -> None:
    """A token without the address of a stand-in is one of the real chat, and not to be lost."""
    known = Given(_env_file=path)
    real = {
        "SLACK_BOT_TOKEN": known.slack_bot_token and known.slack_api_url == SLACK_API,
        "TELEGRAM_BOT_TOKEN": known.telegram_bot_token and known.telegram_api_url == TELEGRAM_API,
    }
    for name in (name for name, is_real in real.items() if is_real):
        raise Misconfigured(f"{path} has the {name} of a real chat, which is kept: put it aside, or name another.")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
