"""A stand-in in a process of its own: `python -m bot.sandbox.telegram`.

It prints what a service needs to use it, as one line of JSON, and serves until it is told to stop.
"""

from __future__ import annotations

import asyncio

from bot.sandbox.alone import parser_of, tell_and_wait
from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn


async def main() -> None:
    """Serve one bot, with the people and the group that were asked for."""
    parser = parser_of("python -m bot.sandbox.telegram", __doc__)
    parser.add_argument("--group", default="", metavar="TITLE", help="a group with everybody and the bot in it")
    asked = parser.parse_args()
    stand_in = TelegramStandIn(StandInSettings(pace=not asked.no_pace))
    async with stand_in.serve(asked.host, asked.port):
        people = {name: stand_in.scene.create_user(name).id for name in asked.person}
        group = stand_in.scene.create_group(asked.group, people.values()).id if asked.group else None
        view = f"?as={next(iter(people.values()))}" if people else ""
        told = {
            "api_url": stand_in.api_url,
            "control_url": f"{stand_in.api_url}/_control",
            "client_url": f"{stand_in.api_url}/client{view}",
            "bot_token": stand_in.bot_token,
            "bot_username": stand_in.bot_username,
            "people": people,
            "group": group,
        }
        settings = {"TELEGRAM_BOT_TOKEN": stand_in.bot_token, "TELEGRAM_API_URL": stand_in.api_url}
        await tell_and_wait(told, settings, as_env=asked.env)


if __name__ == "__main__":
    asyncio.run(main())
