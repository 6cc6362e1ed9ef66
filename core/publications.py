"""One copy of an interaction on one surface, and what is known of its delivery."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from core.addresses import ChatAddress, Provider
from core.people import Value


class PublicationState(StrEnum):
    """`queued`: owed. `sending`: a call may be on the wire. `unknown`: its outcome was lost.
    `posted`: seen by the provider. `failed`: it never will be. `settled`: shows the outcome."""

    QUEUED = "queued"
    SENDING = "sending"
    POSTED = "posted"
    UNKNOWN = "unknown"
    FAILED = "failed"
    SETTLED = "settled"


class Surface(StrEnum):
    """`native`: answered in chat. `review`: too large or too sensitive for chat; the review page only."""

    NATIVE = "native"
    REVIEW = "review"


class Publication(Value):
    """`number` counts the copies of one interaction from 1 and is what a control token names.

    `place` is where it was addressed (a user id on Slack), `channel` where it is (the direct-message
    channel). `page` is the keyboard page shown, `menu` whether it shows what can be done about time instead of it,
    `posts` how often posting was tried with a lost outcome, `reason` why it failed for good, `shown_version` and
    `shown_revision` are of the interaction it shows.
    """

    id: str
    workspace: str
    interaction: str
    number: int
    provider: Provider
    account: str
    place: str
    thread: str | None = None
    channel: str | None = None
    message: str | None = None
    state: PublicationState = PublicationState.QUEUED
    surface: Surface | None = None
    reason: str | None = None
    page: int = 0
    menu: bool = False
    attempt_at: datetime | None = None
    posts: int = 0
    shown_version: int | None = None
    shown_revision: int | None = None

    @property
    def conversation(self) -> str:
        """The conversation this copy lives in, without its thread: `slack:T1.C1`."""
        return str(self._address)

    @property
    def is_private(self) -> bool:
        """Whether one person alone sees this copy."""
        return self._address.is_private

    @property
    def _address(self) -> ChatAddress:
        return ChatAddress(self.provider, self.account, self.channel or self.place)

    def wire(self) -> dict[str, Any]:
        """As the API shows it. A call on the wire is still owed, so `sending` reads `queued`."""
        state = PublicationState.QUEUED if self.state is PublicationState.SENDING else self.state
        return {
            "provider": self.provider.value,
            "account": self.account,
            "channel": self.channel or self.place,
            "thread": self.thread,
            "message": self.message,
            "state": state.value,
            "surface": self.surface.value if self.surface else None,
            "reason": self.reason,
        }
