"""chat.*: posting, editing, deleting."""

from __future__ import annotations

from typing import Any, Final

from blocks.slack import limits
from blocks.slack.check import check_message
from bot.sandbox.slack.controls import named
from bot.sandbox.slack.happenings import deleted_event, edited_event
from bot.sandbox.slack.methods.call import Call
from bot.sandbox.slack.payloads import message_json
from bot.sandbox.slack.refusal import Refused, refuse_faults
from bot.sandbox.slack.world import Channel, Json, Kind, Message

CONTENT: Final = ("text", "blocks", "attachments", "metadata", "markdown_text")


def post_message(call: Call) -> Json:
    """Post into a conversation, a thread, or the direct conversation with `channel=U…`."""
    refuse_faults(check_message(_content(call)))
    if call.args.get("username") or call.args.get("icon_emoji") or call.args.get("icon_url"):
        call.need("chat:write.customize")
    channel = _destination(call)
    _check_may_post(call, channel)
    thread_ts = _thread(call, channel)
    wait = call.platform.pace.spend_post(channel.id)
    if wait is not None:
        raise Refused("ratelimited", status=429, headers={"Retry-After": str(wait)})
    message = call.platform.world.put_message(
        _built(call, channel, thread_ts=thread_ts, broadcast=call.flag("reply_broadcast"))
    )
    event, kind = call.platform.message_event(message, channel)
    call.platform.emit(event, channel, kind=kind)
    return {"channel": channel.id, "ts": message.ts, "message": message_json(message)}


def update(call: Call) -> Json:
    """Edit an own message. Text without blocks takes the blocks away; metadata left out is kept."""
    channel = call.channel()
    message = _own(call, channel, "cant_update_message")
    refuse_faults(check_message(_content(call), update=True))
    changes: dict[str, Any] = {}
    if "text" in call.args:
        changes["text"] = call.text("text")
    if call.args.get("blocks") is not None:
        changes["blocks"] = named(call.args["blocks"], call.platform.mint)
    elif "text" in call.args:
        changes["blocks"] = ()
    if call.args.get("attachments") is not None:
        changes["attachments"] = tuple(call.args["attachments"])
    if call.args.get("metadata") is not None:
        changes["metadata"] = call.args["metadata"]
    platform = call.platform
    edited = platform.world.edit_message(message, at=platform.mint.stamp(), changes=changes)
    platform.emit(edited_event(edited, message), channel, kind=platform.message_event(edited, channel)[1])
    return {
        "channel": channel.id,
        "ts": edited.ts,
        "text": edited.text,
        "message": message_json(edited),
    }


def delete(call: Call) -> Json:
    """Delete an own message."""
    channel = call.channel()
    message = _own(call, channel, "cant_delete_message")
    platform = call.platform
    platform.world.delete_message(message)
    event = deleted_event(message, platform.mint.stamp())
    platform.emit(event, channel, kind=platform.message_event(message, channel)[1])
    return {"channel": channel.id, "ts": message.ts}


def post_ephemeral(call: Call) -> Json:
    """Show a message to one member only."""
    refuse_faults(check_message(_content(call)))
    channel = call.channel()
    _check_may_post(call, channel)
    user = call.required("user")
    if user not in channel.members:
        raise Refused("user_not_in_channel")
    thread_ts = _thread(call, channel)
    message = call.platform.world.put_message(_built(call, channel, thread_ts=thread_ts, only_for=str(user)))
    return {"message_ts": message.ts}


def permalink(call: Call) -> Json:
    """Return the address of a message."""
    channel = call.channel()
    ts = str(call.required("message_ts"))
    if call.platform.world.message(channel.id, ts) is None:
        raise Refused("message_not_found")
    domain = call.platform.world.teams[channel.team_id].domain
    link = f"https://{domain}.slack.com/archives/{channel.id}/p{ts.replace('.', '')}"
    return {"channel": channel.id, "permalink": link}


def _content(call: Call) -> dict[str, object]:
    return {name: call.args[name] for name in CONTENT if call.args.get(name) is not None}


def _destination(call: Call) -> Channel:
    name = str(call.required("channel"))
    world = call.platform.world
    user = world.users.get(name)
    if user is not None and name not in world.channels:
        shared = any({name, call.bot.bot_user_id} <= channel.members for channel in world.channels.values())
        if user.id == call.bot.bot_user_id or not (user.team_id in call.teams or shared):
            raise Refused("channel_not_found")
        if user.is_bot:
            raise Refused("cannot_dm_bot")
        return call.platform.open_direct(call.bot.bot_user_id, user.id, call.bot.team_id)
    by_name = next((c for c in world.channels.values() if c.name and name == f"#{c.name}" and call.sees(c)), None)
    return by_name or call.channel()


def _check_may_post(call: Call, channel: Channel) -> None:
    if channel.is_archived:
        raise Refused("is_archived")
    if channel.kind is Kind.DIRECT and not call.platform.settings.messages_enabled:
        raise Refused("messages_tab_disabled")
    is_member = call.bot.bot_user_id in channel.members
    if not is_member and not (channel.kind is Kind.PUBLIC and "chat:write.public" in call.bot.scopes):
        raise Refused("not_in_channel")


def _thread(call: Call, channel: Channel) -> str | None:
    """Return the parent's stamp. What Slack does under a missing parent is undocumented; this refuses."""
    ts = call.text("thread_ts")
    if not ts:
        return None
    parent = call.platform.world.message(channel.id, ts)
    if parent is None:
        raise Refused("thread_not_found")
    if parent.is_reply:
        raise Refused("cannot_reply_to_message")
    return call.platform.thread_parent(channel, ts)


def _own(call: Call, channel: Channel, refusal: str) -> Message:
    message = call.platform.world.message(channel.id, str(call.required("ts")))
    if message is None or message.deleted:
        raise Refused("message_not_found")
    if message.bot_id != call.bot.bot_id:
        raise Refused(refusal)
    return message


def _built(
    call: Call,
    channel: Channel,
    *,
    thread_ts: str | None,
    broadcast: bool = False,
    only_for: str | None = None,
) -> Message:
    args = call.args
    text = call.text("text") or call.text("markdown_text")
    blocks = args.get("blocks") or ()
    if args.get("markdown_text"):
        blocks = [{"type": "markdown", "text": text}]
    return Message(
        channel=channel.id,
        ts=call.platform.mint.stamp(),
        user=call.bot.bot_user_id,
        team_id=channel.team_id if call.bot.of_all else call.bot.team_id,
        text=text[: limits.MESSAGE_TEXT.number],
        blocks=named(blocks, call.platform.mint),
        attachments=tuple(args.get("attachments") or ()),
        bot_id=call.bot.bot_id,
        app_id=call.platform.settings.app_id,
        thread_ts=thread_ts,
        broadcast=broadcast and thread_ts is not None,
        metadata=args.get("metadata"),
        only_for=only_for,
    )
