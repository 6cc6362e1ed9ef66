"""Telegram's one credential, the bot token, and the calls that tell how its updates fare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import requests

from bot.credentials import TIMEOUT, Fault
from bot.credentials.kinds import Looks, looks

_COPY: Final = "Write /mybots to @BotFather, choose it and press “API Token”; it looks like 123456:ABC-def."
NETWORK: Final = "Check that this machine reaches the internet (a proxy, a firewall, TELEGRAM_API_URL), and try again."
_LATER: Final = "Try again in a minute."
OK: Final = 200


@dataclass(frozen=True)
class TelegramBot:
    """Who a bot is. `sees_all` is that privacy mode is off: it gets every message of its groups."""

    id: int
    username: str
    can_join_groups: bool
    sees_all: bool


@dataclass(frozen=True)
class Answer:
    """What a method said: its result, or the code and words of its refusal; and what time Telegram said it was."""

    result: Any
    code: int
    description: str
    date: str | None

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return self.code == OK


def call(token: str, api_url: str, method: str, wait: float = 0, **arguments: Any) -> Answer | Fault:
    """Call a method that changes nothing; `wait` is how many seconds longer than usual it may take.

    The address holds the token, so no error of the library is ever shown.
    """
    url = f"{api_url}/bot{token}/{method}"
    try:
        response = requests.post(url, json=arguments, timeout=TIMEOUT + wait, allow_redirects=False)
    except (requests.RequestException, ValueError) as error:
        return Fault(f"Telegram cannot be reached ({type(error).__name__})", NETWORK, unreachable=True)
    try:
        said = response.json()
    except ValueError:
        said = None
    body: Mapping[str, Any] = said if isinstance(said, dict) else {}
    code, words = response.status_code, str(body.get("description") or f"HTTP {response.status_code}")
    if code == HTTPStatus.TOO_MANY_REQUESTS:
        return Fault(f"Telegram asked to wait ({words})", _LATER, unreachable=True, passing=True)
    if code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Fault(f"Telegram has trouble of its own ({words})", _LATER, unreachable=True, passing=True)
    is_ok = body.get("ok") is True
    if is_ok is not (code == OK) or "ok" not in body:
        return Fault(f"something else than Telegram answers in its place (HTTP {code})", NETWORK, unreachable=True)
    return Answer(body.get("result"), code, "" if is_ok else words, response.headers.get("Date"))


def bot_token(token: str, api_url: str) -> tuple[TelegramBot, str | None] | Fault:
    """Ask Telegram whose token this is, and what time it is there."""
    kind = looks(token)
    if kind not in (Looks.TELEGRAM, Looks.NOTHING):
        return Fault(f"this is {kind.value}, not a Telegram bot token", _COPY)
    answer = call(token, api_url, "getMe")
    if isinstance(answer, Fault):
        return answer
    if not answer.ok or not isinstance(answer.result, dict):
        known = "Telegram does not know this token" if answer.code in (401, 404) else "Telegram refuses this token"
        return Fault(f"{known} ({answer.description})", _COPY)
    me = answer.result
    found = TelegramBot(
        id=int(me.get("id") or 0),
        username=str(me.get("username") or ""),
        can_join_groups=me.get("can_join_groups") is not False,
        sees_all=me.get("can_read_all_group_messages") is True,
    )
    return found, answer.date
