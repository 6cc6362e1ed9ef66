"""How the fields within sentences are written: what is accepted, what it means, and its one spelling.

`read` raises ValueError for what has the right shape and no meaning, such as the 30th of February; then the sentence
is none. `write` is only given what `read` returned or what has the field's type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from enum import Enum, auto
from typing import Any

from core.sentences.shapes import ID, REFERENCE
from core.sentences.values import Reference


class Reach(Enum):
    """How far a field goes whose end no pattern can find."""

    BRACKET = auto()  # to the bracket that closes the one before the field
    JSON = auto()  # to the end of the object


@dataclass(frozen=True)
class Token:
    """One kind of field. `extent` is a pattern, or a reach."""

    extent: str | Reach
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


_SECOND = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}"
_MOMENT = rf"{_SECOND}(?:\.[0-9]{{1,9}})?(?:[Zz]|[+-][0-9]{{2}}:[0-9]{{2}})"
_TIME_OF_DAY = re.compile(r"([0-9]{2}):([0-9]{2}) ?UTC", re.IGNORECASE | re.ASCII)


def _reference(text: str) -> Reference:
    loop, _, slot = text.partition("/")
    return Reference(loop, int(slot) if slot else None)


def _moment(text: str) -> datetime:
    return _in_utc(datetime.fromisoformat(text.upper()))


def _moment_text(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise ValueError("a moment without a zone cannot be said; give it one")
    return _in_utc(moment).isoformat().replace("+00:00", "Z")


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:  # the first or the last hours of the calendar
        raise ValueError(str(error)) from None


def _deadline(text: str) -> time | datetime:
    if found := _TIME_OF_DAY.fullmatch(text):
        return time(int(found[1]), int(found[2]), tzinfo=UTC)
    return _moment(text)


def _deadline_text(deadline: time | datetime) -> str:
    return _moment_text(deadline) if isinstance(deadline, datetime) else deadline.strftime("%H:%M UTC")


def _object(text: str) -> str:
    if not text.startswith("{"):
        raise ValueError("arguments are an object")
    value = json.loads(text, object_pairs_hook=_once)
    spelled = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
    spelled.encode("utf-8")  # half a character can be escaped in JSON and sent nowhere
    return spelled


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) < len(pairs):
        raise ValueError("a key stands twice")
    return keys


def _address(text: str) -> str:
    """An https address, also within `<>` as chats and Markdown write it."""
    found = _ADDRESS.fullmatch(text)
    if not found:
        raise ValueError("not an https address")
    return found["bare"] or found["framed"]


def _some(text: str) -> str:
    if not text:
        raise ValueError("nothing is said")
    return text


_ADDRESS = re.compile(r"(?P<bare>https://[^\s<>\"`\\|]++)|<(?P<framed>https://[^\s<>\"`\\|]++)>")

TOKENS: dict[str, Token] = {
    "id": Token(ID),
    "reference": Token(REFERENCE, _reference),
    # A name, which may hold spaces. A colon at its beginning is the one that may follow the word of the mark.
    "claimed_sender": Token(r"[^\s\[\]`:](?:[^\n\[\]`]{0,78}[^\s\[\]`])?"),
    "priority": Token(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", str.lower),
    "due": Token(_MOMENT, _moment, _moment_text),
    "op": Token(ID),
    "arguments": Token(Reach.JSON, _object),
    "count": Token(r"[1-9][0-9]{0,3}", int),
    "most": Token(r"[1-9][0-9]{0,3}", int),
    "deadline": Token(rf"[0-9]{{2}}:[0-9]{{2}} ?UTC|{_MOMENT}", _deadline, _deadline_text),
    "severity": Token(r"[A-Za-z][A-Za-z0-9_-]{0,31}", str.upper),
    "text": Token(Reach.BRACKET, _some),
    "url": Token(Reach.BRACKET, _address),
    "title": Token(r"[^\n]{1,200}?"),  # of a subagent's work, up to the quote before its id
    "short_id": Token(ID),
}
"""Every field that stands inside the fixed part of a sentence, by its name. The rest of a sentence is in `rests`."""
