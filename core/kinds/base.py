"""What every kind of question shares: frozen payloads, options, and how faults are pointed at."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.blank import is_blank

Id = Annotated[str, StringConstraints(min_length=1, max_length=160)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
LongText = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]
Description = Annotated[str, StringConstraints(max_length=4_000)]
ButtonLabel = Annotated[str, StringConstraints(min_length=1, max_length=80)]
LONGEST_REASON = 3_000


_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]{2,45}\]?")
"""A host that reads the same to everybody: a person must see where an address leads."""


def _check_https(address: str) -> str:
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "") if parts.username is None and parts.password is None else ""
        _ = parts.port  # reading it refuses what is no port
    except ValueError:
        host = ""
    if not address.startswith("https://") or not _HOST.fullmatch(host) or any(one.isspace() for one in address):
        raise ValueError("must be an https address with a plain host name")
    return address


HttpsAddress = Annotated[
    str,
    StringConstraints(min_length=1, max_length=2_000),
    AfterValidator(_check_https),
    Field(json_schema_extra={"pattern": r"^https://[A-Za-z0-9\[]\S*$"}),
]
"""An address in content. Only https: a card may be the page that somebody trusts."""


class Reason(StrEnum):
    """Whether a decision carries a reason."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Payload(BaseModel):
    """Base of every payload and its parts: frozen, strict, nothing unknown."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Option(Payload):
    """One thing to choose. `description` says more; `recommended` marks the asker's advice."""

    id: Id
    label: Label
    description: Description | None = None
    recommended: bool = False


Options = Annotated[tuple[Option, ...], Field(min_length=1, max_length=128)]


def misplaced(words: str, *at: str | int) -> PydanticCustomError:
    """The ValueError of a check over a whole object that is about one place in it; `at` is the path from there."""
    return PydanticCustomError("misplaced", "{words}", {"words": words, "at": at})


def check_unique(ids: list[str], what: str, at: str, *inner: str) -> None:
    """Raise ValueError naming the first id that appears twice and where: `at`, its index, and `inner`."""
    seen: set[str] = set()
    for index, one in enumerate(ids):
        if one in seen:
            raise misplaced(f"{what} ids must be unique; {one!r} appears twice", at, index, *inner)
        seen.add(one)


def pointer(*parts: str | int) -> str:
    """Spell a JSON pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def words_of(reason: str | None) -> str | None:
    """A reason as it is kept: a blank one is none."""
    return reason if reason and not is_blank(reason) else None


def kept_reason(taken: Reason, reason: str | None) -> tuple[str | None, str | None]:
    """The reason to keep, blank ones being none, and what is wrong with it where `taken` is the rule."""
    words = words_of(reason)
    if words is None:
        return None, "a reason is required" if taken is Reason.REQUIRED else None
    if taken is Reason.NONE:
        return words, "no reason is taken here"
    if len(words) > LONGEST_REASON:
        return words, f"a reason may have at most {LONGEST_REASON} characters"
    return words, None
