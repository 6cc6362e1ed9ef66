"""`sayso serve`, but first posts to Slack are not paced: cards enough for a benchmark are up in seconds, not minutes.

Redraws and answers keep the documented pace, as they would.
"""

from __future__ import annotations

import asyncio

from bot.app import build
from bot.config import load
from bot.log import set_up
from bot.pace import ENDLESS, PER_ACCOUNT, PER_CONVERSATION, Rates
from bot.serve import run
from core.addresses import Provider
from core.outbox import Lane


def main() -> None:
    """Serve until told to stop."""
    settings = load()
    set_up(settings.sayso_log)
    everywhere = dict.fromkeys(PER_CONVERSATION, ENDLESS)
    rates = Rates(everywhere, {**PER_ACCOUNT, (Provider.SLACK, Lane.POST): ENDLESS})
    asyncio.run(run(build(settings, rates)))


if __name__ == "__main__":
    main()
