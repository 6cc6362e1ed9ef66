"""The bot's update queue: numbered one by one, kept until confirmed, delivered or expired."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from blocks.telegram import limits
from bot.sandbox.clock import Clock
from bot.sandbox.telegram.messages import Json

KINDS: Final = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "message_reaction",
    "message_reaction_count",
    "inline_query",
    "chosen_inline_result",
    "callback_query",
    "shipping_query",
    "pre_checkout_query",
    "purchased_paid_media",
    "poll",
    "poll_answer",
    "my_chat_member",
    "chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
    "managed_bot",
    "guest_message",
    "subscription",
    "stopped_message_generation",
)
# What an empty list asks for: everything but these.
NOT_BY_DEFAULT: Final = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
DEFAULT: Final = frozenset(KINDS) - NOT_BY_DEFAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """One update. Webhooks deliver one `lane` strictly in order; `expires` is a reading of the clock."""

    id: int
    kind: str
    body: Json
    lane: str
    expires: float

    @property
    def payload(self) -> Json:
        """The Update as the bot receives it."""
        return {"update_id": self.id, self.kind: self.body}


class UpdateQueue:
    """What the bot has not yet taken. `allowed` outlives restarts of the bot and changes of delivery."""

    def __init__(self, clock: Clock, first_id: int) -> None:
        self.allowed = DEFAULT
        self.last: Update | None = None
        self._clock = clock
        self._next_id = first_id
        self._waiting: dict[int, Update] = {}
        self._again: list[Update] = []
        self._listeners: list[Callable[[Update], None]] = []

    def __len__(self) -> int:
        self._expire()
        return len(self._waiting)

    def on_add(self, listener: Callable[[Update], None]) -> None:
        """Call `listener` with every update that is added."""
        self._listeners.append(listener)

    def allow(self, kinds: Iterable[str] | None) -> None:
        """Take only these kinds from now on; an empty list is the default, None leaves everything as it
        was.
        """
        if kinds is None:
            return
        known = frozenset(kind.lower() for kind in kinds) & frozenset(KINDS)
        self.allowed = known or DEFAULT

    def add(self, kind: str, body: Json, lane: str) -> Update | None:
        """Queue an update unless its kind is not allowed; what is not allowed is lost, not held back."""
        return self.put(kind, body, lane) if kind in self.allowed else None

    def put(self, kind: str, body: Json, lane: str, update_id: int | None = None) -> Update:
        """Queue an update whatever is allowed, under the next number unless one is given."""
        if update_id is None:
            update_id, self._next_id = self._next_id, self._next_id + 1
        lifetime = limits.TAP_LIFETIME if kind == "callback_query" else limits.UPDATE_LIFETIME
        update = Update(id=update_id, kind=kind, body=body, lane=lane, expires=self._clock.elapsed() + lifetime.number)
        self.last = update
        self._waiting[update.id] = update
        self._tell(update)
        return update

    def repeat(self, update: Update) -> None:
        """Hand an update out once more, under its old number, with whatever is taken next."""
        self._again.append(update)
        self._tell(update)

    def take(self, offset: int, limit: int) -> list[Update]:
        """Return waiting updates from `offset` on, forgetting earlier ones; a negative offset keeps the
        last -n.
        """
        self._expire()
        if offset < 0:
            kept = list(self._waiting)[offset:]
            self._waiting = {number: self._waiting[number] for number in kept}
        elif offset > 0:
            self._waiting = {number: update for number, update in self._waiting.items() if number >= offset}
        again, self._again = self._again[:limit], self._again[limit:]
        return (again + list(self._waiting.values()))[:limit]

    def waiting(self) -> list[Update]:
        """Return everything not yet taken, oldest first."""
        self._expire()
        return list(self._waiting.values())

    def drop(self, update: Update) -> None:
        """Forget an update: it was delivered, or it is too old."""
        self._waiting.pop(update.id, None)

    def clear(self) -> None:
        """Forget everything that waits."""
        self._waiting.clear()

    def expired(self, update: Update) -> bool:
        """Whether the platform would not deliver this any more."""
        return self._clock.elapsed() > update.expires

    def _expire(self) -> None:
        self._waiting = {n: update for n, update in self._waiting.items() if not self.expired(update)}

    def _tell(self, update: Update) -> None:
        for listener in self._listeners:
            listener(update)
