"""What Telegram says of somebody to a page: to a Mini App when it is opened, and after a login on Telegram's own site.

Both are signed with a key made of the bot's token, so whoever holds the token can make them. A proof is therefore good
only where its bot is: what that means is the caller's to see to.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import parse_qsl

from core.errors import SaysoError
from core.people import Identity

GOOD_FOR: Final = timedelta(minutes=5)
"""How old a proof may be: it is made at the tap that opens the page, which hands it on at once."""
AHEAD: Final = timedelta(minutes=1)
"""How far Telegram's clock may be before this machine's."""
MOST: Final = 16_384
"""Characters of a proof that are looked at."""
API: Final = "https://api.telegram.org"
LOGIN: Final = "https://oauth.telegram.org"
_APP_KEY: Final = b"WebAppData"
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class Unproved(SaysoError):
    """It proves nothing. The message is for the log, and holds nothing of what was sent."""


@dataclass(frozen=True)
class Proved:
    """Whose account it is. `name` is what they call themselves, `mark` is of this one proof and of no other."""

    identity: Identity
    name: str
    mark: str = field(repr=False)


def login_at(api_url: str) -> str:
    """Where people log in, for a Bot API at this address: a stand-in has both in one place."""
    return LOGIN if api_url == API else f"{api_url}/login"


def launched(data: str, token: str, now: datetime) -> Proved:
    """Who opened a Mini App, by the `initData` it was given. Raises `Unproved`."""
    fields = _fields_of(data)
    secret = hmac.digest(_APP_KEY, token.encode(), "sha256")
    mark = _check(fields, secret, now)
    return _proved(_object(fields.get("user", "")), mark)


def logged_in(data: str, token: str, now: datetime) -> Proved:
    """Who logged in on Telegram's site, by the result it sent them back with. Raises `Unproved`."""
    try:
        spelled = data[:MOST].replace("+", "-").replace("/", "_").rstrip("=")
        decoded = base64.b64decode(spelled + "=" * (-len(spelled) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        raise Unproved("the result is not base64") from None
    sent = _object(decoded)
    if not all(isinstance(value, str | int) and not isinstance(value, bool) for value in sent.values()):
        raise Unproved("a field is no text")
    fields = {name: str(value) for name, value in sent.items()}
    if not all(_is_text(one) for pair in fields.items() for one in pair):
        raise Unproved("a field is no text")
    secret = hashlib.sha256(token.encode()).digest()
    return _proved(sent, _check(fields, secret, now))


def _fields_of(data: str) -> dict[str, str]:
    """The fields of a query string, each of which must be there once."""
    if len(data) > MOST:
        raise Unproved("too long")
    try:
        pairs = parse_qsl(data, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=50)
    except ValueError:
        raise Unproved("no query string") from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise Unproved("a field is there twice")
    return fields


def _check(fields: Mapping[str, str], secret: bytes, now: datetime) -> str:
    """The mark of signed and fresh fields: their signature. Raises `Unproved`."""
    given = fields.get("hash", "")
    if not _HASH.fullmatch(given):
        raise Unproved("no signature")
    lines = "\n".join(f"{name}={fields[name]}" for name in sorted(fields) if name != "hash")
    if not hmac.compare_digest(hmac.digest(secret, lines.encode(), "sha256").hex(), given):
        raise Unproved("the signature is not this bot's")
    since = fields.get("auth_date", "")
    if not (since.isascii() and since.isdecimal() and len(since) <= 10):
        raise Unproved("no date")
    age = now - datetime.fromtimestamp(int(since), UTC)
    if not -AHEAD <= age <= GOOD_FOR:
        raise Unproved(f"{int(age.total_seconds())} seconds old")
    return given


def _is_text(value: str) -> bool:
    """Whether it has no half of a surrogate pair, which JSON can spell and nothing can sign."""
    return not any("\ud800" <= sign <= "\udfff" for sign in value)


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Unproved("no JSON") from None
    if not isinstance(found, dict):
        raise Unproved("no JSON object")
    return found


def _proved(user: Mapping[str, Any], mark: str) -> Proved:
    number = user.get("id")
    if isinstance(number, str) and number.isascii() and number.isdecimal():
        number = int(number)
    if not isinstance(number, int) or isinstance(number, bool) or number <= 0 or user.get("is_bot") is True:
        raise Unproved("it names no person")
    name = " ".join(part for key in ("first_name", "last_name") if isinstance(part := user.get(key), str) and part)
    return Proved(Identity(provider="telegram", user=str(number)), name, mark)
