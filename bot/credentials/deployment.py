"""Whether an address leads to this very deployment: what answers there proves that it has our key."""

from __future__ import annotations

import secrets

import requests

from bot.config import DATA, Settings
from bot.keyfile import NAME as KEY_NAME
from bot.web.proof import HEADER, NONCE, PURPOSE, prove


class NotOurs(Exception):
    """Something answers, and it is not this deployment. The text is a sentence about it."""


def prove_address(settings: Settings, base: str, wait: float) -> str | None:
    """Make sure that our service answers at an address, within `wait` seconds, and give the date that it sends.

    Raises `NotOurs`, or what `requests` raises where nothing answers.
    """
    nonce = secrets.token_urlsafe(24)
    response = requests.get(f"{base}/healthz", params={NONCE: nonce}, timeout=wait, allow_redirects=False)
    if response.is_redirect:
        raise NotOurs(f"it sends visitors on to {response.headers.get('Location', 'another address')}")
    if response.status_code != requests.codes.ok or response.text.strip() != "ok":
        raise NotOurs(f"something else than sayso answers there (HTTP {response.status_code})")
    # Without a key nothing of ours ran yet, and to look makes none.
    has_key = settings.sayso_secret_key is not None or (DATA / KEY_NAME).exists()
    if not has_key or response.headers.get(HEADER) != prove(settings.key(PURPOSE), nonce):
        raise NotOurs("another sayso answers there, or one with another SAYSO_SECRET_KEY")
    return response.headers.get("Date")
