"""A stand-in in a process of its own: `python -m bot.sandbox.slack`.

It prints one line of JSON with what a service needs to use it, and serves until it is told to stop.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys

from bot.sandbox.slack.settings import StandInSettings
from bot.sandbox.slack.stand_in import SlackStandIn


async def main() -> None:
    """Serve one workspace with one app in it."""
    asked = _arguments()
    stand_in = SlackStandIn(StandInSettings(request_url=asked.request_url, pace=not asked.no_pace))
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with stand_in.serve(asked.host, asked.port):
        told = {
            "api_url": stand_in.api_url,
            "control_url": f"{stand_in.url}/_control",
            "client_url": f"{stand_in.url}/client/",
            "team_id": stand_in.team_id,
            "bot_token": stand_in.bot_token,
            "app_token": stand_in.app_token,
            "signing_secret": stand_in.signing_secret,
            "client_id": stand_in.settings.client_id,
            "client_secret": stand_in.settings.client_secret,
        }
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
        await stopped.wait()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox.slack", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--request-url", help="where events go, signed; without it they go to Socket Mode")
    parser.add_argument("--no-pace", action="store_true", help="no rate limits")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
