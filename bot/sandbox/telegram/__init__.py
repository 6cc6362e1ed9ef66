"""A stand-in for Telegram: the Bot API with its limits and failures, people to press and type, and their
client.

Start with `stand_in.TelegramStandIn`. What a bot sends goes `api` → `methods` → `world`; what people do
goes `human` → `world` → `feed` → `updates`, and from there by `polling` or `webhook` to the bot.
"""

from __future__ import annotations

from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn

__all__ = ["StandInSettings", "TelegramStandIn"]
