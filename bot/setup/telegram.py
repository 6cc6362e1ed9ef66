"""Connecting Telegram: one token, from BotFather."""

from __future__ import annotations

from typing import Final

from bot.credentials import Fault, telegram
from bot.setup.asking import Talk
from bot.setup.given import Given

TOKEN: Final = "TELEGRAM_BOT_TOKEN"  # noqa: S105  # the name of a setting


def connect(talk: Talk, given: Given) -> dict[str, str]:
    """The setting that connects Telegram, verified. Raises `Unattended`."""
    if not given.telegram_bot_token:
        talk.step(1, "Open https://t.me/BotFather and write /newbot.")
        talk.step(2, "Choose a name, such as sayso, and a username that ends in bot.")
        talk.step(3, "Copy the token that BotFather answers with. It looks like 123456:ABC-def.")
        talk.say()

    def judge(text: str) -> telegram.TelegramBot | Fault:
        found = telegram.bot_token(text, given.telegram_base)
        return found if isinstance(found, Fault) else found[0]

    token, bot = talk.until_good(TOKEN, given.telegram_bot_token, "Bot token", judge)
    talk.good(f"The bot token works: it is @{bot.username}.")
    return {TOKEN: token}
