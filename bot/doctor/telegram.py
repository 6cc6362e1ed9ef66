"""The checks of Telegram: the token, who gets the bot's updates, and what the bot sees in groups."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

import requests

from adapters.telegram.proving import login_at
from adapters.telegram.settings import PATH
from bot.credentials import TIMEOUT, Fault, telegram
from bot.doctor.examining import Check, Examined, Level, Said, failed
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.store import Store

_NO_TOKEN: Final = Said(Level.OFF, "there is no working token to ask with")
MANY: Final = 50
"""Updates that wait although somebody should take them at once."""
LISTEN: Final = 4
"""Seconds of one fetch in which another program that fetches shows itself: it interrupts ours, or ours it."""
RECENT: Final = timedelta(minutes=15)
MOST_TEXT: Final = 10_000
"""Characters of a page that are looked at."""


def token(examined: Examined) -> Said:
    """Whether Telegram takes the token."""
    given = examined.settings.telegram_bot_token
    if given is None:
        return Said(Level.OFF, "TELEGRAM_BOT_TOKEN is not set, so Telegram is off")
    found = telegram.bot_token(given.get_secret_value(), examined.settings.telegram_api_url)
    if isinstance(found, Fault):
        return failed(found)
    examined.telegram, date = found
    examined.note_date("Telegram", date)
    return Said(Level.OK, f"it is @{examined.telegram.username}")


def _call(examined: Examined, method: str, wait: float = 0, **arguments: object) -> telegram.Answer | Fault:
    given = examined.settings.telegram_bot_token
    if given is None:
        return Fault("Telegram is off", "")
    return telegram.call(given.get_secret_value(), examined.settings.telegram_api_url, method, wait, **arguments)


def webhook(examined: Examined) -> Said:
    """Whether the updates of this bot are sent here, or nowhere where they are fetched."""
    if examined.telegram is None:
        return _NO_TOKEN
    answer = _call(examined, "getWebhookInfo")
    if isinstance(answer, Fault):
        return failed(answer)
    if not answer.ok:
        return Said(Level.FAILED, f"Telegram refuses to tell ({answer.description})")
    info = answer.result if isinstance(answer.result, dict) else {}
    found, waiting = str(info.get("url") or ""), int(info.get("pending_update_count") or 0)
    wanted = f"{examined.settings.sayso_public_url}{PATH}" if examined.settings.telegram_webhook else ""
    if found and found != wanted:
        host = re.sub(r"^(https?://[^/]+).*", r"\1", found)
        todo = "End the other one, or make this deployment a bot of its own: one deployment, one bot."
        return Said(Level.FAILED, f"it belongs to {host}: another deployment uses this bot", todo)
    if wanted and not found:
        return Said(Level.WARNING, "none is set yet", "Start `sayso serve`; it sets it.")
    trouble = _recent_trouble(info, examined.now()) if wanted else ""
    if trouble:
        return Said(Level.FAILED, f"Telegram cannot deliver here ({trouble}); {waiting} updates wait")
    if waiting > MANY:
        return Said(
            Level.WARNING, f"{waiting} updates wait to be taken", "Start `sayso serve`, or see what its log says."
        )
    return Said(Level.OK, "updates are sent to this service" if wanted else "none is set, as updates are fetched")


def _recent_trouble(info: dict[str, object], now: datetime) -> str:
    """What went wrong when Telegram last could not deliver, unless that is long ago."""
    at = info.get("last_error_date")
    if not info.get("last_error_message") or not isinstance(at, int | float):
        return ""
    return str(info["last_error_message"]) if now - datetime.fromtimestamp(at, UTC) < RECENT else ""


def updates(examined: Examined) -> Said:
    """Whether somebody else fetches this bot's updates. A service that runs here has noticed it; else one fetch, which
    confirms nothing, waits for whoever interrupts it."""
    if examined.telegram is None:
        return _NO_TOKEN
    if examined.settings.telegram_webhook:
        return Said(Level.OFF, "updates are sent, not fetched")
    if examined.served is not None:
        at = examined.seen("telegram").get("conflict_at")
        if at and examined.now() - datetime.fromisoformat(str(at)) < RECENT:
            return Said(Level.FAILED, f"somebody else fetched this bot's updates too, at {at}")
        return Said(Level.OK, "the service here was not interrupted in the last 15 minutes")
    answer = _call(examined, "getUpdates", LISTEN, timeout=LISTEN, limit=1)
    if isinstance(answer, Fault):
        return failed(answer)
    if answer.code == 409 and "webhook" in answer.description.lower():
        return Said(Level.OFF, "a webhook is set, which the line above is about")
    if answer.code == 409:
        return Said(Level.FAILED, "somebody else fetches this bot's updates, while no service runs here")
    if not answer.ok:
        return Said(Level.FAILED, f"Telegram refuses to give updates ({answer.description})")
    if answer.result:
        return Said(Level.OK, "updates wait, so nobody takes them; `sayso serve` will")
    return Said(Level.OK, "nobody else fetches them")


def groups(examined: Examined) -> Said:
    """Whether the bot may be in groups, and sees there what it needs to see."""
    if examined.telegram is None:
        return _NO_TOKEN
    if not examined.telegram.can_join_groups:
        todo = "Write /setjoingroups to @BotFather to let it."
        return Said(Level.WARNING, "the bot may not be added to groups; private chats work", todo)
    if examined.telegram.sees_all:
        return Said(Level.OK, "privacy mode is off: the bot gets every message of its groups")
    gets = "presses, commands and replies to it, all that cards need; more only where it is an administrator"
    return Said(Level.OK, f"privacy mode is on: the bot gets {gets}")


def bots(examined: Examined) -> Said:
    """Whether agents' bots can be heard where work orders are talked about."""
    if examined.telegram is None:
        return _NO_TOKEN
    if not examined.stored:
        return Said(Level.OFF, "the database cannot be asked whether bots speak for agents")

    async def look(store: Store) -> int:
        return await store.records.bots_linked(WORKSPACE, Provider.TELEGRAM)

    linked = examined.in_store(look)
    if not linked:
        return Said(Level.OFF, "no bot in Telegram speaks for an agent")
    if not examined.telegram.sees_all:
        return Said(Level.FAILED, f"{linked} linked bots are not heard: privacy mode is on")
    return Said(
        Level.WARNING,
        f"{linked} bots speak for agents; nobody is told whether bot-to-bot mode, which they need, is on",
        "See in @BotFather, “Bot Settings”, that it is on for both bots, and make this one an administrator.",
    )


def login(examined: Examined) -> Said:
    """Whether Telegram lets people who come from this address log in: it must have been told the address's host."""
    if examined.telegram is None:
        return _NO_TOKEN
    address = examined.settings.sayso_public_url
    if address is None or not examined.settings.link_ok:
        return Said(Level.OFF, "signing in with Telegram takes a public https address; people get a code instead")
    parts = urlsplit(address)
    origin = f"{parts.scheme}://{parts.netloc}"
    asked = {"bot_id": str(examined.telegram.id), "origin": origin, "return_to": f"{address}/signin/telegram/return"}
    try:
        site = f"{login_at(examined.settings.telegram_api_url)}/auth"
        answer = requests.get(site, params=asked, timeout=TIMEOUT, allow_redirects=False)
    except requests.RequestException as error:
        return Said(Level.OFF, f"Telegram's login could not be asked ({type(error).__name__})")
    if "domain invalid" in answer.text[:MOST_TEXT].lower():
        todo = f"Write /setdomain to @BotFather, choose @{examined.telegram.username} and send: {parts.netloc}"
        return Said(Level.WARNING, f"Telegram was not told that {parts.netloc} is this bot's", todo)
    return Said(Level.OK, f"people who come from {parts.netloc} can log in")


TELEGRAM = (
    Check("Telegram token", "TELEGRAM_BOT_TOKEN is the token of a bot.", "Run: sayso init", token),
    Check(
        "Telegram webhook",
        "The bot's updates are sent here and nowhere else, or fetched.",
        "See that SAYSO_PUBLIC_URL leads here over https on port 443, 80, 88 or 8443.",
        webhook,
    ),
    Check(
        "Telegram updates",
        "No other program fetches this bot's updates: each would take some away.",
        "End the other one, or make a bot of its own for it: one deployment, one bot.",
        updates,
    ),
    Check(
        "Telegram groups",
        "The bot may be in groups, and sees there what it needs.",
        "See /setjoingroups and /setprivacy at @BotFather; a bot whose privacy changed is added to its groups again.",
        groups,
    ),
    Check(
        "Telegram login",
        "Telegram lets people log in who come from the public address.",
        "Write /setdomain to @BotFather, choose the bot and send the host name of SAYSO_PUBLIC_URL.",
        login,
    ),
    Check(
        "Telegram bots",
        "Bots that speak for agents are heard where work orders are talked about.",
        "Turn privacy mode off (/setprivacy at @BotFather) and add this bot to its groups again.",
        bots,
    ),
)
