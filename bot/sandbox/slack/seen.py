"""What a person gets to see after doing something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from bot.sandbox.slack.world import Json


class NotOnScreen(LookupError):
    """There is no such control, message or conversation in front of this person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The answer to one act.

    `sent` is whether anything went to the app at all (typing into a field does not); `status` its HTTP status,
    200 for a socket's ack, None without an answer in time; `seconds` the time to that answer. `trouble` is the
    warning shown, if any. `private` are the ephemeral messages that appeared since, `modal` the modal now on
    top, `errors` the complaints beside its fields by block id, `opened` the address a link control opened,
    `ts` the message this person wrote.
    """

    sent: bool = True
    status: int | None = None
    seconds: float = 0.0
    trouble: str | None = None
    private: tuple[Json, ...] = ()
    modal: Json | None = None
    errors: Mapping[str, str] = field(default_factory=dict)
    opened: str | None = None
    ts: str | None = None

    @property
    def json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return asdict(self)
