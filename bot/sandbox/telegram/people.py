"""Accounts in the stand-in's Telegram, and what they are in a chat."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from blocks.telegram import limits


class Status(StrEnum):
    """What an account is in a group or channel."""

    CREATOR = "creator"
    ADMINISTRATOR = "administrator"
    MEMBER = "member"
    RESTRICTED = "restricted"
    LEFT = "left"
    KICKED = "kicked"


PRESENT: Final = frozenset({Status.CREATOR, Status.ADMINISTRATOR, Status.MEMBER, Status.RESTRICTED})
ADMINS: Final = frozenset({Status.CREATOR, Status.ADMINISTRATOR})


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """One account, a person's or a bot's. `met` says whether the bot has ever come across it."""

    id: int
    first_name: str
    last_name: str = ""
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    deactivated: bool = False
    met: bool = True

    @property
    def name(self) -> str:
        """The name as clients show it."""
        return f"{self.first_name} {self.last_name}".strip()


ANONYMOUS_ADMIN: Final = User(
    id=limits.ANONYMOUS_ADMIN_ID, first_name="Group", username="GroupAnonymousBot", is_bot=True
)
CHANNEL_SENDER: Final = User(id=limits.CHANNEL_SENDER_ID, first_name="Channel", username="Channel_Bot", is_bot=True)
