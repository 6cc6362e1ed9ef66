"""Arranging the stand-in's world: accounts, conversations, who is where, and what happens to the app."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from bot.sandbox.slack.payloads import user_json
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.world import Channel, Code, Installation, Kind, Team, User

ARCHIVED = {(Kind.PUBLIC, True): "channel_archive", (Kind.PRIVATE, True): "group_archive"} | {
    (Kind.PUBLIC, False): "channel_unarchive",
    (Kind.PRIVATE, False): "group_unarchive",
}


class Workspace:
    """What an administrator of the workspace would do."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._world = platform.world

    def add_team(self, name: str, team_id: str = "", *, enterprise_id: str | None = None) -> Team:
        """Add another workspace: for people who come through shared channels, or to install the app in; of an
        organisation, if one is named."""
        team = Team(team_id or self._platform.mint.name("T"), name, name.lower(), enterprise_id)
        self._world.teams[team.id] = team
        self._world.changed()
        return team

    def add_organisation(self, name: str, enterprise_id: str) -> Team:
        """Add an organisation, for all of which the app can be installed. It is listed beside the workspaces."""
        return self.add_team(name, enterprise_id, enterprise_id=enterprise_id)

    def add_user(self, name: str, real_name: str = "", *, user_id: str = "", **facts: Any) -> User:
        """Add an account; `facts` are fields of `User` such as `is_restricted`, `tz`, `team_id`."""
        _check_facts(facts)
        given: dict[str, Any] = {"team_id": self._platform.settings.team_id, **facts}
        if given["team_id"] != self._platform.settings.team_id:
            given.setdefault("is_stranger", True)
        user_id = user_id or self._platform.mint.name("U")
        return self._world.put_user(User(id=user_id, name=name, real_name=real_name or name.title(), **given))

    def change_user(self, user_id: str, **facts: Any) -> User:
        """Change an account (`deleted=True` deactivates it); the app hears `user_change`."""
        _check_facts(facts)
        user = self._world.put_user(replace(self._world.users[user_id], **facts))
        event = {
            "type": "user_change",
            "user": user_json(user, self._platform.settings.team_id),
            "cache_ts": int(self._platform.clock.wall()),
            "event_ts": self._platform.mint.stamp(),
        }
        self._platform.emit(event, team_id=user.team_id)
        return user

    def add_channel(
        self,
        name: str,
        members: Iterable[str] = (),
        *,
        private: bool = False,
        with_app: bool = True,
        channel_id: str = "",
        shared_with: Iterable[str] = (),
    ) -> Channel:
        """Add a channel with these accounts in it, and the app unless `with_app` is false.

        `shared_with` are other workspaces it is connected to.
        """
        settings = self._platform.settings
        inside = frozenset(members) | ({settings.bot_user_id} if with_app else frozenset())
        connected = frozenset(shared_with)
        return self._world.put_channel(
            Channel(
                id=channel_id or self._platform.mint.name("C"),
                team_id=settings.team_id,
                kind=Kind.PRIVATE if private else Kind.PUBLIC,
                name=name,
                members=inside,
                is_ext_shared=bool(connected),
                connected_team_ids=connected,
            )
        )

    def join(self, channel_id: str, user_id: str) -> Channel:
        """Put an account into a channel; the app hears of it if it is there."""
        channel = self._world.channels[channel_id]
        joined = self._world.put_channel(replace(channel, members=channel.members | {user_id}))
        self._membership("member_joined_channel", joined, user_id)
        return joined

    def leave(self, channel_id: str, user_id: str) -> Channel:
        """Take an account out of a channel; the app hears of it if it is there."""
        channel = self._world.channels[channel_id]
        left = self._world.put_channel(replace(channel, members=channel.members - {user_id}))
        self._membership("member_left_channel", left, user_id)
        return left

    def archive(self, channel_id: str, *, archived: bool = True) -> Channel:
        """Archive a channel, or bring it back."""
        channel = self._world.put_channel(replace(self._world.channels[channel_id], is_archived=archived))
        kind = ARCHIVED[channel.kind, archived]
        event = {"type": kind, "channel": channel.id, "event_ts": self._platform.mint.stamp()}
        self._platform.emit(event, channel)
        return channel

    def change_channel_id(self, channel_id: str) -> Channel:
        """Give a channel another id, as sharing a private channel does; the app hears of it."""
        old = self._world.channels.pop(channel_id)
        moved = self._world.put_channel(replace(old, id=self._platform.mint.name("C")))
        for message in self._world.messages.pop(channel_id).values():
            self._world.put_message(replace(message, channel=moved.id))
        event = {
            "type": "channel_id_changed",
            "old_channel_id": old.id,
            "new_channel_id": moved.id,
            "event_ts": self._platform.mint.stamp(),
        }
        self._platform.emit(event, moved)
        return moved

    def grant(self, *scopes: str) -> None:
        """Let the app have exactly these scopes, in every workspace it is installed in."""
        for token, app in self._world.installations.items():
            self._world.installations[token] = replace(app, scopes=frozenset(scopes))

    def authorize(self, team_id: str, redirect_uri: str = "") -> str:
        """Return an OAuth code, as if somebody had allowed the app in that workspace or organisation."""
        code = self._platform.mint.secret()
        self._platform.codes[code] = Code(team_id, redirect_uri)
        return code

    def uninstall(self, team_id: str = "") -> None:
        """Remove the app from a workspace: its token is dead, and it hears so by two events."""
        team_id = team_id or self._platform.settings.team_id
        living = (app for app in self._world.installations.values() if app.team_id == team_id and app.active)
        if (app := next(living, None)) is not None:
            self.end(app, "account_inactive")
        self._world.changed()

    def end(self, app: Installation, ending: str) -> None:
        """End an installation: every token of it answers `ending`, and the app hears so by two events."""
        for token, one in list(self._world.installations.items()):
            if one.team_id == app.team_id and one.active:
                self._world.installations[token] = replace(one, active=False, ending=ending)
        self._say_goodbye(app)

    def revoke(self) -> None:
        """Revoke the app's tokens without removing it, as auth.revoke does."""
        for token, app in self._world.installations.items():
            self._world.installations[token] = replace(app, active=False, ending="token_revoked")
        self._world.changed()

    def _say_goodbye(self, app: Installation) -> None:
        stamp = self._platform.mint.stamp()
        revoked = {"type": "tokens_revoked", "tokens": {"bot": [app.bot_user_id]}, "event_ts": stamp}
        for event in (revoked, {"type": "app_uninstalled", "event_ts": stamp}):
            if event["type"] in self._platform.settings.bot_events:
                self._platform.emit_to(app, event)

    def _membership(self, kind: str, channel: Channel, user_id: str) -> None:
        event = {
            "type": kind,
            "user": user_id,
            "channel": channel.id,
            "channel_type": "C" if channel.kind is Kind.PUBLIC else "G",
            "team": channel.team_id,
            "event_ts": self._platform.mint.stamp(),
        }
        self._platform.emit(event, channel)


def _check_facts(facts: Mapping[str, Any]) -> None:
    unknown = facts.keys() - {field.name for field in fields(User)}
    if unknown:
        raise ValueError(f"accounts have no {', '.join(sorted(unknown))}")
