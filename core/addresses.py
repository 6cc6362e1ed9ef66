"""Where something is sent: `slack:[T1.]C1[/ts]`, `telegram:[bot.]-100[/topic]`, `person:ana`, `review`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from core.errors import Invalid


class Provider(StrEnum):
    """A chat that carries cards."""

    SLACK = "slack"
    TELEGRAM = "telegram"


@dataclass(frozen=True)
class ChatAddress:
    """A conversation on a provider. `account` is the Slack team or the Telegram bot name; None: the only one."""

    provider: Provider
    account: str | None
    place: str
    thread: str | None = None

    def __str__(self) -> str:
        account = f"{self.account}." if self.account else ""
        thread = f"/{self.thread}" if self.thread else ""
        return f"{self.provider.value}:{account}{self.place}{thread}"

    @property
    def is_user(self) -> bool:
        """Whether the place is somebody's account, so that what is sent there is a direct message."""
        match self.provider:
            case Provider.SLACK:
                return self.place.startswith(("U", "W"))
            case Provider.TELEGRAM:
                return not self.place.startswith("-")
            case _:
                assert_never(self.provider)

    @property
    def is_private(self) -> bool:
        """Whether one person alone is there. A direct message in Slack has a channel of its own besides."""
        return self.is_user or (self.provider is Provider.SLACK and self.place.startswith("D"))


@dataclass(frozen=True)
class PersonAddress:
    """A person, in the chat they prefer."""

    handle: str

    def __str__(self) -> str:
        return f"person:{self.handle}"


@dataclass(frozen=True)
class ReviewAddress:
    """No chat: the review page and the inbox only."""

    def __str__(self) -> str:
        return "review"


Address = ChatAddress | PersonAddress | ReviewAddress

HANDLE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")

_SHAPES: dict[Provider, re.Pattern[str]] = {
    # A Slack place is a channel (C), private channel (G), direct message (D) or user (U, W on Grid).
    Provider.SLACK: re.compile(
        r"(?:(?P<account>[TE][A-Z0-9]{1,20})\.)?(?P<place>[CGDUW][A-Z0-9]{1,20})"
        r"(?:/(?P<thread>[0-9]{1,12}\.[0-9]{1,9}))?"
    ),
    # A Telegram chat is a number of at most 52 bits, negative for groups; a topic is a positive number.
    Provider.TELEGRAM: re.compile(
        r"(?:(?P<account>[A-Za-z0-9_]{3,64})\.)?(?P<place>-?[1-9][0-9]{0,15})(?:/(?P<thread>[1-9][0-9]{0,9}))?"
    ),
}

PATTERN = "^(?:review|person:{handle}|slack:{slack}|telegram:{telegram})$".format(
    handle=HANDLE.pattern,
    **{provider.value: re.sub(r"\?P<\w+>", "?:", _SHAPES[provider].pattern) for provider in Provider},
)
"""Every address, for the documents that describe the API: what their dialect of patterns cannot name is left out."""


def parse_address(text: str, pointer: str = "/to") -> Address:
    """Read an address; refuse with a pointer when it is none."""
    head, _, rest = text.partition(":")
    if text == "review":
        return ReviewAddress()
    if head == "person":
        if HANDLE.fullmatch(rest):
            return PersonAddress(rest)
        raise Invalid.at(pointer, "a handle is 1 to 64 of a-z 0-9 . _ - and starts with a letter or digit")
    if head in (Provider.SLACK, Provider.TELEGRAM):
        provider = Provider(head)
        found = _SHAPES[provider].fullmatch(rest)
        if found:
            return ChatAddress(provider, found["account"], found["place"], found["thread"])
        example = (
            "slack:C0123 or slack:T0AB.C0123/1712000000.000100"
            if provider is Provider.SLACK
            else "telegram:42 or telegram:-100123/7"
        )
        raise Invalid.at(pointer, f"not an address on {provider.value}; write it like {example}")
    raise Invalid.at(pointer, "an address starts with slack:, telegram: or person:, or is review")
