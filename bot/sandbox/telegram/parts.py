"""What the methods of the Bot API work on, in one place."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox.clock import Clock
from bot.sandbox.telegram.faults import Faults
from bot.sandbox.telegram.feed import Feed
from bot.sandbox.telegram.journal import Journal
from bot.sandbox.telegram.pace import Pace
from bot.sandbox.telegram.polling import Polling
from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.updates import UpdateQueue
from bot.sandbox.telegram.webhook import WebhookSender
from bot.sandbox.telegram.world import World


@dataclass(frozen=True, slots=True)
class Parts:
    """One stand-in's parts."""

    settings: StandInSettings
    clock: Clock
    world: World
    queue: UpdateQueue
    feed: Feed
    polling: Polling
    webhook: WebhookSender
    pace: Pace
    faults: Faults
    journal: Journal
