"""Payloads in the shapes Slack sends: messages, interactions, commands. Events are in `happenings`."""

from __future__ import annotations

from typing import Any

from bot.sandbox.slack.controls import SLOTS, Control, Entries, state_values
from bot.sandbox.slack.views import View
from bot.sandbox.slack.world import Channel, Json, Kind, Message, Team, User

VERIFICATION_TOKEN = "deprecated"  # noqa: S105  # Slack still sends this field; nobody may rely on it


def message_json(message: Message, *, with_metadata: bool = True) -> Json:
    """Return a message as methods answer it and payloads quote it."""
    found: Json = {
        "type": "message",
        "user": message.user,
        "ts": message.ts,
        "team": message.team_id,
        "text": message.text,
    }
    if message.deleted:
        return {**found, "subtype": "tombstone", "hidden": True, "user": "USLACKBOT", "thread_ts": message.ts}
    if message.bot_id:
        found |= {"bot_id": message.bot_id, "app_id": message.app_id}
    if message.blocks:
        found["blocks"] = list(message.blocks)
    if message.attachments:
        found["attachments"] = list(message.attachments)
    if message.thread_ts:
        found["thread_ts"] = message.thread_ts
    if message.files:
        found |= {"subtype": "file_share", "files": [{"id": f"F{message.ts}", "name": name} for name in message.files]}
    if message.broadcast:
        found["subtype"] = "thread_broadcast"
    if message.edited and not message.blocks:
        found["edited"] = {"user": message.user, "ts": message.edited}
    if message.metadata is not None:
        found["metadata"] = message.metadata if with_metadata else {"event_type": message.metadata["event_type"]}
    return found


def user_json(user: User, seen_from: str) -> Json:
    """Return an account as users.info answers it to an app of workspace `seen_from`."""
    found: Json = {
        "id": user.id,
        "team_id": user.team_id,
        "name": user.name,
        "deleted": user.deleted,
        "real_name": user.real_name,
        "profile": {
            "real_name": user.real_name,
            "real_name_normalized": user.real_name,
            "display_name": user.name,
            "team": user.team_id,
        },
        "is_bot": user.is_bot,
        "is_app_user": False,
        "updated": 0,
    }
    if not user.deleted:
        found |= {
            "tz": user.tz,
            "tz_offset": user.tz_offset,
            "is_admin": user.is_admin,
            "is_owner": False,
            "is_restricted": user.is_restricted,
            "is_ultra_restricted": user.is_ultra_restricted,
            "is_email_confirmed": True,
        }
    if user.bot_id:
        found["profile"]["bot_id"] = user.bot_id
    if user.is_stranger or user.team_id != seen_from:
        found["is_stranger"] = user.is_stranger
    return found


def channel_json(channel: Channel, viewer: str) -> Json:
    """Return a conversation as conversations.info answers it to `viewer`, the bot's account."""
    found: Json = {
        "id": channel.id,
        "is_channel": channel.kind is Kind.PUBLIC,
        "is_group": channel.kind is Kind.PRIVATE,
        "is_im": channel.kind is Kind.DIRECT,
        "is_mpim": channel.kind is Kind.GROUP,
        "is_private": channel.kind is not Kind.PUBLIC,
        "is_archived": channel.is_archived,
        "is_ext_shared": channel.is_ext_shared,
        "is_shared": channel.is_ext_shared,
        "is_org_shared": False,
        "context_team_id": channel.team_id,
    }
    if channel.kind is Kind.DIRECT:
        found["user"] = next(iter(channel.members - {viewer}), viewer)
        return found
    return {
        **found,
        "name": channel.name,
        "name_normalized": channel.name,
        "is_member": viewer in channel.members,
        "num_members": len(channel.members),
    }


def _actor(user: User) -> Json:
    return {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id}


def _frame(sort: str, app_id: str, user: User, team: Team) -> Json:
    return {
        "type": sort,
        "team": {"id": team.id, "domain": team.domain},
        "user": _actor(user),
        "api_app_id": app_id,
        "token": VERIFICATION_TOKEN,
        "enterprise": None,
        "is_enterprise_install": False,
    }


def action_json(control: Control, value: Json, action_ts: str) -> Json:
    """Return one member of `actions`: what was pressed or what it now holds."""
    block_id, action_id = control.key
    element = control.element
    found: Json = {
        "type": element["type"],
        "block_id": block_id,
        "action_id": action_id,
        "action_ts": action_ts,
        **value,
    }
    for name in ("text", "value", "style", "url"):
        if element["type"] == "button" and name in element:
            found[name] = element[name]
    slot = SLOTS.get(element["type"])
    for name in ("placeholder", slot.initial if slot else ""):
        if name in element:
            found[name] = element[name]
    return found


def message_press(
    app_id: str, user: User, team: Team, message: Message, channel: Channel, action: Json, typed: Entries
) -> Json:
    """Return a block_actions payload from a message. An ephemeral one has no `message`."""
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.only_for is not None,
    }
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    payload = {
        **_frame("block_actions", app_id, user, team),
        "container": container,
        "channel": {"id": channel.id, "name": _channel_name(channel)},
        "state": {"values": state_values(typed)},
        "actions": [action],
    }
    if message.only_for is None:
        payload["message"] = message_json(message)
    return payload


def view_press(app_id: str, user: User, team: Team, view: View, action: Json) -> Json:
    """Return a block_actions payload from a modal or from Home."""
    return {
        **_frame("block_actions", app_id, user, team),
        "container": {"type": "view", "view_id": view.id},
        "view": view.payload,
        "actions": [action],
    }


def view_submission(app_id: str, user: User, team: Team, view: View) -> Json:
    """Return a view_submission payload. `team` is the submitter's workspace, as in Slack Connect."""
    return {
        **_frame("view_submission", app_id, user, team),
        "view": view.payload,
        "response_urls": [],
    }


def view_closed(app_id: str, user: User, team: Team, view: View, *, cleared: bool) -> Json:
    """Return a view_closed payload; `cleared` when the whole stack was closed."""
    return {**_frame("view_closed", app_id, user, team), "view": view.payload, "is_cleared": cleared}


def slash_command(app_id: str, user: User, team: Team, channel: Channel, command: str, text: str) -> Json:
    """Return the form of a slash command."""
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": team.id,
        "team_domain": team.domain,
        "channel_id": channel.id,
        "channel_name": _channel_name(channel),
        "user_id": user.id,
        "user_name": user.name,
        "command": command,
        "text": text,
        "api_app_id": app_id,
        "is_enterprise_install": "false",
    }


def _channel_name(channel: Channel) -> str:
    names: dict[Kind, str] = {Kind.DIRECT: "directmessage", Kind.PRIVATE: "privategroup"}
    return names.get(channel.kind, channel.name)


def scope_word(channel: Channel) -> str:
    """Return the first half of the scopes that read this sort of conversation: `channels`, `im`…"""
    words: dict[Kind, Any] = {
        Kind.PUBLIC: "channels",
        Kind.PRIVATE: "groups",
        Kind.DIRECT: "im",
        Kind.GROUP: "mpim",
    }
    return str(words[channel.kind])
