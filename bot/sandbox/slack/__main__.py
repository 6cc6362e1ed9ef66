"""A stand-in in a process of its own: `python -m bot.sandbox.slack`.

It prints what a service needs to use it, as one line of JSON, and serves until it is told to stop.
"""

from __future__ import annotations

import asyncio

from adapters.slack.manifest import SCOPES
from bot.sandbox.alone import parser_of, tell_and_wait
from bot.sandbox.slack.settings import StandInSettings
from bot.sandbox.slack.stand_in import SlackStandIn


async def main() -> None:
    """Serve one workspace with one app in it, and the people and the channel that were asked for."""
    parser = parser_of("python -m bot.sandbox.slack", __doc__)
    parser.add_argument("--channel", default="", metavar="NAME", help="a channel with everybody and the app in it")
    parser.add_argument("--request-url", help="where events go, signed; without it they go to Socket Mode")
    asked = parser.parse_args()
    granted = frozenset(scope.name for scope in SCOPES)
    stand_in = SlackStandIn(StandInSettings(request_url=asked.request_url, pace=not asked.no_pace, scopes=granted))
    async with stand_in.serve(asked.host, asked.port):
        people = {name: stand_in.workspace.add_user(name.lower(), name).id for name in asked.person}
        channel = stand_in.workspace.add_channel(asked.channel, people.values()).id if asked.channel else None
        told = {
            "api_url": stand_in.api_url,
            "control_url": f"{stand_in.url}/_control",
            "client_url": f"{stand_in.url}/client/",
            "team_id": stand_in.team_id,
            "bot_token": stand_in.bot_token,
            "app_token": stand_in.app_token,
            "config_token": stand_in.settings.config_token,
            "signing_secret": stand_in.signing_secret,
            "client_id": stand_in.settings.client_id,
            "client_secret": stand_in.settings.client_secret,
            "people": people,
            "channel": channel,
        }
        receiving = (
            {"SLACK_SIGNING_SECRET": stand_in.signing_secret}
            if asked.request_url
            else {"SLACK_APP_TOKEN": stand_in.app_token}
        )
        settings = {"SLACK_BOT_TOKEN": stand_in.bot_token, **receiving, "SLACK_API_URL": stand_in.api_url}
        await tell_and_wait(told, settings, as_env=asked.env)


if __name__ == "__main__":
    asyncio.run(main())
