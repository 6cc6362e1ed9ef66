"""Where controls stand: a message or a view, as one person sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.sandbox.slack.controls import Control, Entries, controls, offered
from bot.sandbox.slack.payloads import message_press, view_press
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.seen import NotOnScreen
from bot.sandbox.slack.sights import version_of
from bot.sandbox.slack.views import View
from bot.sandbox.slack.world import Channel, Json, Message, User


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a control is described: by what is written on it, or by its ids. Empty parts match anything."""

    label: str = ""
    action_id: str = ""
    block_id: str = ""
    options: tuple[str, ...] = ()
    types: frozenset[str] = frozenset()
    version: int | None = None

    def shown(self, message: Message) -> Message:
        """Return a message in the version wanted: as it is, or as it once was."""
        return message if self.version is None else version_of(message, self.version)

    def matches(self, control: Control) -> bool:
        """Whether a control is the one described."""
        element = control.element
        names = [option["text"]["text"] for option in offered(element)]
        values = [option["value"] for option in offered(element)]
        return (
            (not self.types or element["type"] in self.types)
            and self.label in ("", control.label)
            and self.action_id in ("", element["action_id"])
            and self.block_id in ("", control.block["block_id"])
            and all(option in names or option in values for option in self.options)
        )


@dataclass(frozen=True, slots=True)
class MessagePlace:
    """A message in front of a person."""

    platform: Platform
    user: User
    message: Message
    channel: Channel

    @property
    def blocks(self) -> Sequence[Json]:
        """What it shows."""
        return self.message.blocks

    @property
    def name(self) -> str:
        """Where it is, for the journal."""
        return f"message {self.channel.id}/{self.message.ts}"

    def entries(self) -> Entries:
        """What its controls hold for this person."""
        return self.platform.form(self.user.id, self.message)

    def type(self, key: tuple[str, str], entry: Json) -> None:
        """Keep what the person entered."""
        self.platform.type(self.user.id, self.message, key, entry)

    def press(self, action: Json) -> Json:
        """Return the payload of an action here, with its trigger and response URL."""
        platform, message = self.platform, self.message
        team = platform.world.teams[self.channel.team_id]
        key = platform.triggers.open_url(
            user=self.user.id,
            team_id=team.id,
            channel=self.channel.id,
            message_ts=message.ts,
            is_ephemeral=message.only_for is not None,
            thread_ts=message.thread_ts if message.is_reply else None,
        )
        payload = message_press(
            platform.settings.app_id, self.user, team, message, self.channel, action, self.entries()
        )
        return payload | {
            "trigger_id": platform.triggers.issue(self.user.id, team.id),
            "response_url": f"{platform.base_url}/actions/{key}",
        }


@dataclass(frozen=True, slots=True)
class ViewPlace:
    """A modal or Home in front of a person."""

    platform: Platform
    user: User
    view: View

    @property
    def blocks(self) -> Sequence[Json]:
        """What it shows."""
        return self.view.blocks

    @property
    def name(self) -> str:
        """Where it is, for the journal."""
        return f"{self.view.content['type']} {self.view.id}"

    def entries(self) -> Entries:
        """What its controls hold."""
        return {
            (block_id, action_id): entry
            for block_id, actions in self.view.payload["state"]["values"].items()
            for action_id, entry in actions.items()
        }

    def type(self, key: tuple[str, str], entry: Json) -> None:
        """Keep what the person entered."""
        current = self.platform.views.find(self.view.id)
        if current is None:
            raise NotOnScreen("the view was closed")
        self.platform.views.type(current, key, entry)

    def press(self, action: Json) -> Json:
        """Return the payload of an action here, with its trigger."""
        platform = self.platform
        team = platform.world.teams[self.view.app.team_id]
        current = platform.views.find(self.view.id) or self.view
        payload = view_press(platform.settings.app_id, self.user, team, current, action)
        return payload | {"trigger_id": platform.triggers.issue(self.user.id, team.id)}


Place = MessagePlace | ViewPlace


def the_control(place: Place, wanted: Wanted) -> Control:
    """Return the one control described, or say what is there instead."""
    everything = list(controls(place.blocks))
    found = [control for control in everything if wanted.matches(control)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{c.element['type']} {c.label!r} ({c.element['action_id']})" for c in everything)
    what = "no such control" if not found else f"{len(found)} such controls"
    raise NotOnScreen(f"{what} as {wanted}; on {place.name} there are: {there or 'none'}")


def find_place(platform: Platform, user: User, wanted: Wanted, *, channel: str = "", ts: str = "") -> MessagePlace:
    """Return the newest message in front of `user` with the control described, in one conversation or in any."""
    candidates: list[Message] = []
    for one in platform.world.conversations_of(user.id):
        if channel in ("", one.id):
            own = platform.world.messages[one.id].values()
            seen = [platform.sights.of(user.id, m) for m in own if ts in ("", m.ts)]
            candidates += [wanted.shown(m) for m in seen if m is not None]
    candidates += [m for m in platform.world.private_messages(user.id, channel or None) if ts in ("", m.ts)]
    for message in sorted(candidates, key=lambda m: m.ts, reverse=True):
        if ts or any(wanted.matches(control) for control in controls(message.blocks)):
            return MessagePlace(platform, user, message, platform.world.channels[message.channel])
    where = f"in {channel}" if channel else "in any conversation"
    raise NotOnScreen(f"{user.name} sees no message {ts} with {wanted} {where}")
