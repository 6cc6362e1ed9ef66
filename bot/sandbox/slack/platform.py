"""The stand-in's state in one place, and how an event reaches the app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.sandbox.clock import Clock
from bot.sandbox.slack.controls import Entries, filled
from bot.sandbox.slack.courier import Courier
from bot.sandbox.slack.faults import Faults
from bot.sandbox.slack.happenings import event_callback
from bot.sandbox.slack.journal import Journal
from bot.sandbox.slack.mint import Mint
from bot.sandbox.slack.pace import Pace
from bot.sandbox.slack.payloads import message_json, scope_word
from bot.sandbox.slack.settings import EVENT_SCOPES, StandInSettings
from bot.sandbox.slack.sights import Sights
from bot.sandbox.slack.sockets import Sockets
from bot.sandbox.slack.triggers import Triggers
from bot.sandbox.slack.views import Views
from bot.sandbox.slack.world import Channel, Code, Installation, Json, Kind, Message, Team, User, World


class Platform:
    """One Slack: its world, its clocks and limits, and the app it talks to."""

    def __init__(self, settings: StandInSettings) -> None:
        self.settings = settings
        self.base_url = ""
        self.closing = False
        self.clock = Clock()
        self.mint = Mint(self.clock)
        self.world = World()
        self.triggers = Triggers(self.clock, self.mint)
        self.views = Views(self.world, self.mint, settings.app_id)
        self.pace = Pace(self.clock, on=settings.pace)
        self.faults = Faults(self.clock)
        self.journal = Journal()
        self.sights = Sights()
        self.sockets = Sockets(self.mint, settings.app_id)
        self.sockets.enabled = settings.socket_mode
        self.interactivity = settings.interactivity
        self.courier = Courier(settings, self.clock, self.sockets, self.journal)
        self.codes: dict[str, Code] = {}
        self._forms: dict[tuple[str, str, str], Entries] = {}
        self._install_first()

    def _install_first(self) -> None:
        settings = self.settings
        self.world.teams[settings.team_id] = Team(settings.team_id, settings.team_name, settings.team_domain)
        self.install(settings.team_id, settings.bot_token, settings.bot_user_id, settings.bot_id)

    def install(self, team_id: str, token: str, bot_user_id: str, bot_id: str) -> Installation:
        """Put the app into a workspace."""
        enterprise = self.world.teams[team_id].enterprise_id
        of_all = enterprise == team_id
        scopes = self.settings.scopes
        app = Installation(team_id, token, bot_user_id, bot_id, scopes, enterprise_id=enterprise, of_all=of_all)
        self.world.installations[token] = app
        self.world.put_user(
            User(
                id=bot_user_id,
                team_id=team_id,
                name=self.settings.app_name,
                real_name=self.settings.app_name,
                is_bot=True,
                bot_id=bot_id,
            )
        )
        return app

    def app_in(self, team_id: str) -> Installation:
        """Return the installation of a workspace, living if there is one, or any for people from elsewhere."""
        apps = sorted(self.world.installations.values(), key=lambda app: not app.active)
        return next((app for app in apps if self.world.covers(app, team_id)), apps[0])

    def open_direct(self, one: str, other: str, team_id: str) -> Channel:
        """Return the direct conversation of two accounts, opened now if it was not."""
        found = self.world.direct(one, other)
        if found is None:
            members = frozenset({one, other})
            found = self.world.put_channel(
                Channel(id=self.mint.name("D"), team_id=team_id, kind=Kind.DIRECT, members=members)
            )
        return found

    def thread_parent(self, channel: Channel, ts: str) -> str:
        """Return `ts`, marking that message as a thread's parent."""
        parent = self.world.message(channel.id, ts)
        if parent is None or parent.is_reply:
            raise LookupError(f"{ts} starts no thread in {channel.id}")
        if parent.thread_ts is None:
            self.world.put_message(replace(parent, thread_ts=ts))
        return ts

    # What each person has entered into the controls of each message.

    def form(self, user: str, message: Message) -> Entries:
        """Return every control of a message as this person sees it filled."""
        return filled(message.blocks, self._forms.get((user, message.channel, message.ts), {}))

    def type(self, user: str, message: Message, key: tuple[str, str], entry: Json) -> None:
        """Keep what this person entered into one control of a message."""
        self._forms.setdefault((user, message.channel, message.ts), {})[key] = entry
        self.world.changed()

    # Events.

    def emit(self, event: Json, channel: Channel | None = None, *, kind: str = "", team_id: str = "") -> None:
        """Send an event to the installations that subscribed to it, in the background.

        Only those in `channel` hear it, if one is given, and only the one in `team_id`.
        """
        for app in self._subscribed(kind or str(event["type"]), channel):
            if not team_id or self.world.covers(app, team_id):
                self.emit_to(app, event, channel)

    def emit_to(self, app: Installation, event: Json, channel: Channel | None = None) -> None:
        """Send an event to one installation, living or not, in the background."""
        self.courier.later(self._deliver(app, event, channel))

    async def emit_and_wait(
        self, event: Json, channel: Channel | None = None, *, kind: str = ""
    ) -> Sequence[int | None]:
        """Send an event and return the status of the first attempt at each installation."""
        found = []
        for app in self._subscribed(kind or str(event["type"]), channel):
            attempt = await self.courier.deliver_event(self._envelope(app, event, channel))
            found.append(attempt.status)
        return found

    def message_event(self, message: Message, channel: Channel) -> tuple[Json, str]:
        """Return the event of a new message, and the subscription it needs."""
        event = {
            **message_json(message),
            "channel": channel.id,
            "channel_type": {"channels": "channel", "groups": "group"}.get(scope_word(channel), scope_word(channel)),
            "event_ts": message.ts,
        }
        if message.is_reply:
            parent = self.world.message(channel.id, message.thread_ts or "")
            event["parent_user_id"] = parent.user if parent else None
        return event, f"message.{scope_word(channel)}"

    def _subscribed(self, kind: str, channel: Channel | None) -> list[Installation]:
        if kind not in self.settings.bot_events:
            return []
        scope = EVENT_SCOPES[kind]
        return [
            app
            for app in self.world.installations.values()
            if app.active
            and (not scope or scope in app.scopes)
            and (channel is None or app.bot_user_id in channel.members)
        ]

    def _envelope(self, app: Installation, event: Json, channel: Channel | None) -> Json:
        return event_callback(
            self.settings.app_id,
            app,
            event,
            event_id=self.mint.name("Ev"),
            at=int(self.clock.wall()),
            channel=channel,
        )

    async def _deliver(self, app: Installation, event: Json, channel: Channel | None) -> None:
        await self.courier.deliver_event(self._envelope(app, event, channel))
