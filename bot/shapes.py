"""The shape each setting must have, and the words that say so.

A message starts with `must` or `is`: the name of its setting is put in front.
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
import re
from datetime import timedelta
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr

from core.durations import parse_duration
from core.errors import Misconfigured
from core.store.engine import parse_url

LONGEST_DRAIN = timedelta(minutes=10)
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _secret_like(pattern: str, sentence: str) -> AfterValidator:
    shape = re.compile(pattern)

    def check(secret: SecretStr) -> SecretStr:
        if not shape.fullmatch(secret.get_secret_value()):
            raise ValueError(sentence)
        return secret

    return AfterValidator(check)


def _check_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        raise ValueError("is not an address such as https://sayso.example.com") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_fine:
        raise ValueError("is not an address such as https://sayso.example.com")
    if parts.query or parts.fragment or parts.username or parts.password or re.search(r"\s", text):
        raise ValueError("must be a plain address, without a query, a fragment or a password in it")
    return text.rstrip("/")


def _check_issuer(text: str) -> str:
    """Kept as it was written: an issuer's name is compared sign by sign."""
    _check_url(text)
    return text


def _check_database(secret: SecretStr) -> SecretStr:
    try:
        parse_url(secret.get_secret_value())
    except Misconfigured as error:
        raise ValueError(str(error).rstrip(".")) from None
    return secret


def _check_webhook_secret(secret: SecretStr) -> SecretStr:
    head, _, tail = secret.get_secret_value().partition("_")
    try:
        size = len(base64.b64decode(tail, validate=True))
    except (binascii.Error, ValueError):
        size = 0
    if head != "whsec" or not 24 <= size <= 64:
        raise ValueError("must be whsec_ and the base64 of 24 to 64 random bytes")
    return secret


def _read_networks(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in value.split(",") if part.strip())
    except ValueError as error:
        raise ValueError(f"must be networks such as 127.0.0.0/8, with commas between them ({error})") from None


def _read_duration(value: Any) -> Any:
    return parse_duration(value) if isinstance(value, str) else value


def _read_drain(value: Any) -> Any:
    return timedelta(0) if value in ("0", "0s") else _read_duration(value)


def _check_drain(drain: timedelta) -> timedelta:
    if drain > LONGEST_DRAIN:
        raise ValueError("must be at most 10m")
    return drain


def _check_retention(kept: timedelta) -> timedelta:
    if kept < timedelta(days=1):
        raise ValueError("must be a day at least")
    return kept


Url = Annotated[str, AfterValidator(_check_url)]
Retention = Annotated[timedelta, BeforeValidator(_read_duration), AfterValidator(_check_retention)]
Drain = Annotated[timedelta, BeforeValidator(_read_drain), AfterValidator(_check_drain)]
Issuer = Annotated[str, AfterValidator(_check_issuer)]
UrlWithSlash = Annotated[Url, AfterValidator(lambda url: f"{url}/")]
DatabaseUrl = Annotated[SecretStr, AfterValidator(_check_database)]
Networks = Annotated[tuple[Network, ...], BeforeValidator(_read_networks)]

SlackBotToken = Annotated[SecretStr, _secret_like(r"(xoxe\.)?xoxb-\S+", "must be a bot token, which starts with xoxb-")]
SlackSigningSecret = Annotated[
    SecretStr, _secret_like(r"[!-~]{8,}", "must be the app's signing secret, without spaces")
]
SlackAppToken = Annotated[SecretStr, _secret_like(r"xapp-\S+", "must be an app-level token, which starts with xapp-")]
SlackConfigToken = Annotated[
    SecretStr,
    _secret_like(r"xoxe\.xoxp-\S+", "must be an app configuration token, which starts with xoxe.xoxp-"),
]
TelegramBotToken = Annotated[
    SecretStr, _secret_like(r"\d+:[\w-]+", "must be a bot token such as 123456:ABC-def, from BotFather")
]
TelegramWebhookSecret = Annotated[
    SecretStr, _secret_like(r"[A-Za-z0-9_-]{1,256}", "must be 1 to 256 of A-Z a-z 0-9 _ -")
]
SecretKey = Annotated[SecretStr, _secret_like(r"(?s).{16,}", "must have at least 16 characters, better 32 random ones")]
ApiKey = Annotated[SecretStr, _secret_like(r"[!-~]{8,255}", "must be 8 to 255 visible characters without spaces")]
STRONG_KEY = 32
"""Characters from which on nobody guesses a key that was drawn at random."""

WebhookSecret = Annotated[SecretStr, AfterValidator(_check_webhook_secret)]
