"""What every act of a person has in common: send it, look what appears, tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.sandbox.slack.courier import Sort
from bot.sandbox.slack.journal import Attempt, Trouble
from bot.sandbox.slack.organisations import addressed, receiver
from bot.sandbox.slack.payloads import message_json
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.seen import NotOnScreen, Seen
from bot.sandbox.slack.views import View
from bot.sandbox.slack.world import Channel, Json, Message, User

UNCONFIGURED: Final = "This app is not configured to handle interactive responses"


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person had in front of them before an act."""

    private: frozenset[str]
    modal: tuple[str, str] | None


class Acting:
    """An account and its eyes."""

    def __init__(self, platform: Platform, user_id: str) -> None:
        if user_id not in platform.world.users:
            raise NotOnScreen(f"nobody has the id {user_id}")
        self.platform = platform
        self.id = user_id

    @property
    def user(self) -> User:
        """The account as it is now."""
        return self.platform.world.users[self.id]

    @property
    def modal(self) -> Json | None:
        """The modal on top, as its payload, or None."""
        view = self.platform.views.top(self.id)
        return view.payload if view else None

    @property
    def home(self) -> Json | None:
        """What the app published for this person's Home, or None."""
        view = self.platform.views.home(self.id)
        return view.payload if view else None

    def private(self, channel: str | None = None) -> Sequence[Message]:
        """Return the ephemeral messages this person sees, oldest first."""
        return self.platform.world.private_messages(self.id, channel)

    def messages(self, channel: str, thread_ts: str | None = None) -> Sequence[Message]:
        """Return what everybody sees in a conversation, or in one of its threads."""
        world = self.platform.world
        return world.replies(channel, thread_ts) if thread_ts else world.top_level(channel)

    def conversation(self, channel: str) -> Channel:
        """Return a conversation this person is in; an empty id is the direct one with the app."""
        platform = self.platform
        if not channel:
            app = platform.app_in(self.user.team_id)
            return platform.open_direct(app.bot_user_id, self.id, app.team_id)
        found = platform.world.channels.get(channel)
        if found is None or self.id not in found.members:
            raise NotOnScreen(f"{self.user.name} is in no conversation {channel}")
        return found

    async def act(self, where: str, payload: Json, *, watch: float = 0.0, opened: str | None = None) -> Seen:
        """Send an interaction; without an answer in time this person sees a warning triangle."""
        before = self.sight()
        attempt = await self.send(payload)
        if attempt.problem is not None:
            return self.trouble(where, attempt.problem, f"⚠ {attempt.problem}", attempt, opened)
        await self.look(before, watch)
        return self.seen(before, attempt, opened=opened)

    async def send(self, payload: Json, *, sort: Sort = Sort.INTERACTION) -> Attempt:
        """Send a payload to the app, once; to one without interactivity nothing that was pressed is sent."""
        if sort is Sort.INTERACTION and not self.platform.interactivity:
            return Attempt(status=None, seconds=0.0, problem=UNCONFIGURED, body=None, no_retry=True, retry=0)
        app = receiver(payload, self.user.team_id, self.platform.world)
        return await self.platform.courier.deliver(
            sort, payload if app is None else addressed(payload, app, self.platform.world)
        )

    def sight(self) -> Sight:
        """Return what is in front of this person now."""
        return Sight(frozenset(message.ts for message in self.private()), _mark(self._top()))

    async def look(self, before: Sight, seconds: float) -> None:
        """Wait until a modal or a private message appears, for at most `seconds`."""
        world, clock = self.platform.world, self.platform.clock
        until = clock.elapsed() + seconds
        while self.sight() == before and (left := until - clock.elapsed()) > 0:
            await world.after(world.version, left)

    def seen(
        self,
        before: Sight | None = None,
        attempt: Attempt | None = None,
        *,
        sent: bool = True,
        status: int | None = None,
        trouble: str | None = None,
        opened: str | None = None,
        ts: str | None = None,
    ) -> Seen:
        """Return what this person sees now, compared with `before`."""
        view = self._top()
        old = before.private if before else frozenset(message.ts for message in self.private())
        return Seen(
            sent=sent,
            status=attempt.status if attempt else status,
            seconds=attempt.seconds if attempt else 0.0,
            trouble=trouble,
            private=tuple(message_json(message) for message in self.private() if message.ts not in old),
            modal=view.payload if view else None,
            errors=dict(view.errors) if view else {},
            opened=opened,
            ts=ts,
        )

    def trouble(self, where: str, reason: str, shown: str, attempt: Attempt, opened: str | None = None) -> Seen:
        """Note that something went wrong in front of this person, and return what they see."""
        self.platform.journal.troubles.append(Trouble(self.id, where, reason))
        self.platform.world.changed()
        return self.seen(self.sight(), attempt, trouble=shown, opened=opened)

    def _top(self) -> View | None:
        return self.platform.views.top(self.id)


def _mark(view: View | None) -> tuple[str, str] | None:
    return (view.id, view.hash) if view else None
