"""Telegram: what arrives from it and what is sent to it."""

from __future__ import annotations

from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.settings import Me, TelegramSettings

__all__ = ["Me", "TelegramAdapter", "TelegramSettings"]
