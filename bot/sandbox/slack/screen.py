"""What one person's client shows, as JSON for the page: the sidebar, a conversation, a thread, Home, a modal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.sandbox.slack.controls import state_values
from bot.sandbox.slack.drawing import drawn, names_in, notifies, reads
from bot.sandbox.slack.mrkdwn import mrkdwn_nodes
from bot.sandbox.slack.payloads import message_json
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.views import View
from bot.sandbox.slack.world import Channel, Json, Kind, Message, User


def screen(platform: Platform, user_id: str, channel_id: str, thread_ts: str) -> Json:
    """Return everything `user_id` sees with this conversation (and thread) open. Unknown ids show nothing."""
    world = platform.world
    me = world.users[user_id]
    channel = world.channels.get(channel_id)
    is_inside = channel is not None and user_id in channel.members
    app = platform.app_in(me.team_id)
    home = platform.views.home(user_id)
    modal = platform.views.top(user_id)
    return {
        "version": world.version,
        "team": {"name": world.teams[app.team_id].name},
        "app": {"user": app.bot_user_id, "name": world.users[app.bot_user_id].real_name},
        "commands": list(platform.settings.commands),
        "me": _person(me, platform),
        "people": [_person(user, platform) for user in world.users.values()],
        "channels": [_entry(platform, c, user_id) for c in _sorted(world.channels.values()) if user_id in c.members],
        "conversation": _conversation(platform, me, channel) if channel and is_inside else None,
        "thread": _thread(platform, me, channel, thread_ts) if channel and is_inside and thread_ts else None,
        "home": _view(platform, home) if home else None,
        "modal": _view(platform, modal) if modal else None,
        "depth": len(platform.views.stack(user_id)),
    }


def message_record(platform: Platform, message: Message) -> Json:
    """Return a message for tests: as Slack answers it, what it reads, whom it notifies, what it said before."""
    names = names_in(platform.world)
    return {
        **message_json(message),
        "channel": message.channel,
        "reads": reads(message.blocks or [{"type": "mrkdwn", "text": message.text}], names),
        "notifies": notifies(message),
        "only_for": message.only_for,
        "history": [{"text": v.text, "blocks": list(v.blocks), "ts": v.ts} for v in message.history],
    }


def _sorted(channels: Iterable[Channel]) -> list[Channel]:
    return sorted(channels, key=lambda c: (c.kind is Kind.DIRECT, c.name, c.id))


def _person(user: User, platform: Platform) -> Json:
    team = platform.world.teams.get(user.team_id)
    return {
        "id": user.id,
        "name": user.real_name,
        "handle": user.name,
        "tz": user.tz,
        "is_app": user.is_bot,
        "is_guest": user.is_restricted or user.is_ultra_restricted,
        "deleted": user.deleted,
        "elsewhere": team.name if team and user.team_id != platform.settings.team_id else None,
    }


def _entry(platform: Platform, channel: Channel, viewer: str) -> Json:
    other = next(iter(channel.members - {viewer}), viewer)
    return {
        "id": channel.id,
        "kind": channel.kind.value,
        "name": channel.name,
        "user": other if channel.kind is Kind.DIRECT else None,
        "archived": channel.is_archived,
        "shared": channel.is_ext_shared,
        "latest": max(platform.world.messages[channel.id], default=""),
    }


def _conversation(platform: Platform, me: User, channel: Channel) -> Json:
    private = [m for m in platform.world.private_messages(me.id, channel.id) if not m.is_reply]
    return {
        **_entry(platform, channel, me.id),
        "members": len(channel.members),
        "messages": _messages(platform, me, [*platform.world.top_level(channel.id), *private]),
    }


def _thread(platform: Platform, me: User, channel: Channel, ts: str) -> Json | None:
    parent = platform.world.message(channel.id, ts)
    if parent is None:
        return None
    private = [m for m in platform.world.private_messages(me.id, channel.id) if m.thread_ts == ts]
    return {"ts": ts, "messages": _messages(platform, me, [parent, *platform.world.replies(channel.id, ts), *private])}


def _messages(platform: Platform, me: User, messages: Iterable[Message]) -> list[Json]:
    seen = (platform.sights.of(me.id, message) for message in sorted(messages, key=lambda m: m.ts))
    return [_message(platform, me, message) for message in seen if message is not None]


def _message(platform: Platform, me: User, message: Message) -> Json:
    names = names_in(platform.world)
    author = platform.world.users[message.user]
    replies = platform.world.replies(message.channel, message.ts)
    found: Json = {
        "ts": message.ts,
        "version": len(message.history),
        "author": {"id": author.id, "name": author.real_name, "is_app": author.is_bot},
        "blocks": drawn(message.blocks, names),
        "nodes": None if message.blocks else mrkdwn_nodes(message.text, names),
        "files": list(message.files),
        "edited": bool(message.edited) and not message.blocks,
        "deleted": message.deleted,
        "private": message.only_for is not None,
        "broadcast": _broadcast(platform, message),
        "replies": {"count": len(replies), "last": replies[-1].ts} if replies else None,
        "state": state_values(platform.form(me.id, message)),
    }
    troubles = [t.reason for t in platform.journal.troubles if t.user == me.id and t.where.endswith(f"/{message.ts}")]
    return {**found, "trouble": troubles[-1] if troubles else None, "trouble_count": len(troubles)}


def _broadcast(platform: Platform, message: Message) -> Json | None:
    """The thread of a reply that its conversation shows too, and how that begins."""
    parent = platform.world.message(message.channel, message.thread_ts or "")
    if not message.broadcast or parent is None:
        return None
    read = reads(parent.blocks or [{"type": "mrkdwn", "text": parent.text}], names_in(platform.world))
    return {"ts": parent.ts, "reads": read.partition("\n")[0]}


def _view(platform: Platform, view: View) -> Json:
    names = names_in(platform.world)
    payload: dict[str, Any] = view.payload
    return {
        "id": view.id,
        "hash": view.hash,
        "title": drawn([payload["title"]], names)[0],
        "submit": drawn([payload["submit"]], names)[0] if payload["submit"] else None,
        "close": drawn([payload["close"]], names)[0] if payload["close"] else None,
        "blocks": drawn(view.blocks, names),
        "state": payload["state"]["values"],
        "errors": dict(view.errors),
    }
