"""`sayso serve`, but first posts to Slack are not paced: cards enough for a benchmark are up in seconds, not minutes.

Redraws and answers keep the documented pace, as they would.
"""

from __future__ import annotations

import asyncio

from bot.app import build
from bot.config import load
from bot.log import set_up
from bot.pace import PER_ACCOUNT, PER_CONVERSATION, Pace, Rate
from bot.serve import run
from core.addresses import Provider
from core.outbox import Lane

ENDLESS = Rate(1e9, 1_000_000_000)


def main() -> None:
    """Serve until told to stop."""
    settings = load()
    set_up(settings.sayso_log)
    everywhere = dict.fromkeys(PER_CONVERSATION, ENDLESS)
    pace = Pace(everywhere, {**PER_ACCOUNT, (Provider.SLACK, Lane.POST): ENDLESS})
    asyncio.run(run(build(settings, pace)))


if __name__ == "__main__":
    main()
