"""Events in the shapes Slack sends: their envelope, and what an edit and a deletion say."""

from __future__ import annotations

from bot.sandbox.slack.payloads import VERIFICATION_TOKEN, message_json
from bot.sandbox.slack.world import Channel, Installation, Json, Message


def event_callback(
    app_id: str, app: Installation, event: Json, *, event_id: str, at: int, channel: Channel | None
) -> Json:
    """Return the envelope of an event."""
    team = (channel.team_id if channel else None) if app.of_all else app.team_id
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": team,
        **({"enterprise_id": app.enterprise_id} if app.enterprise_id else {}),
        "context_team_id": team,
        "context_enterprise_id": app.enterprise_id,
        "api_app_id": app_id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": at,
        "authorizations": [
            {
                "enterprise_id": app.enterprise_id,
                "team_id": None if app.of_all else app.team_id,
                "user_id": app.bot_user_id,
                "is_bot": True,
                "is_enterprise_install": app.of_all,
            }
        ],
        "is_ext_shared_channel": bool(channel and channel.is_ext_shared),
        "event_context": f"4-{event_id}",
    }


def edited_event(edited: Message, before: Message) -> Json:
    """Return the event of an edit."""
    return {
        **_change(before, "message_changed", str(edited.edited)),
        "message": message_json(edited),
    }


def deleted_event(message: Message, stamp: str) -> Json:
    """Return the event of a deletion."""
    return {**_change(message, "message_deleted", stamp), "deleted_ts": message.ts}


def _change(before: Message, subtype: str, stamp: str) -> Json:
    return {
        "type": "message",
        "subtype": subtype,
        "hidden": True,
        "channel": before.channel,
        "ts": stamp,
        "event_ts": stamp,
        "previous_message": message_json(before),
    }
