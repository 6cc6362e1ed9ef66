"""Connecting Telegram: one token, from BotFather."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from adapters.telegram.settings import PATH
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
        if isinstance(found, Fault):
            return found
        return _elsewhere(talk, given, text) or found[0]

    token, bot = talk.until_good(TOKEN, given.telegram_bot_token, "Bot token", judge)
    talk.good(f"The bot token works: it is @{bot.username}.")
    if given.sayso_public_url.startswith("https://"):
        host = urlsplit(given.sayso_public_url).netloc
        talk.note(f"For signing in with Telegram: write /setdomain to @BotFather, choose @{bot.username}, send {host}")
    return {TOKEN: token}


def _elsewhere(talk: Talk, given: Given, token: str) -> Fault | None:
    """Why the bot cannot be used: another deployment has its updates sent somewhere, and starting here ends that."""
    answer = telegram.call(token, given.telegram_base, "getWebhookInfo")
    info = answer.result if isinstance(answer, telegram.Answer) and isinstance(answer.result, dict) else {}
    url = str(info.get("url") or "")
    if not url or url == f"{given.sayso_public_url.rstrip('/')}{PATH}":
        return None
    host = re.sub(r"^(https?://[^/]+).*", r"\1", url)
    todo = "End the other deployment, or make another bot: one deployment, one bot."
    fault = Fault(f"its updates go to {host}, to another deployment", todo)
    if not talk.attended:
        return fault
    talk.note(f"The updates of this bot go to {host}: another deployment uses it. Starting here ends that.")
    return None if talk.confirm("Take the bot over?", default=False) else fault
