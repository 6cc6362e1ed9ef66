"""conversations.*: finding, opening and reading conversations."""

from __future__ import annotations

from typing import Final

from bot.sandbox.slack.methods.call import Call
from bot.sandbox.slack.payloads import channel_json, message_json, scope_word
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.world import Channel, Json, Kind, Message

GROUP_SIZE: Final = 8
UNLISTED_PAGE: Final = 15
TYPES: Final = {
    "public_channel": Kind.PUBLIC,
    "private_channel": Kind.PRIVATE,
    "im": Kind.DIRECT,
    "mpim": Kind.GROUP,
}


def open_direct(call: Call) -> Json:
    """Open the direct conversation with one person, or a group of up to eight."""
    if call.text("channel"):
        channel = call.channel()
        return {"no_op": True, "already_open": True, "channel": {"id": channel.id}}
    named = call.args.get("users") or ""
    ids = [part.strip() for part in (named if isinstance(named, list) else str(named).split(","))]
    if not any(ids):
        raise Refused("users_list_not_supplied")
    if len(ids) > GROUP_SIZE:
        raise Refused("too_many_users")
    for user_id in ids:
        _check_reachable(call, user_id)
    if len(ids) > 1:
        call.need("mpim:write")
        return {"channel": {"id": _group(call, frozenset({*ids, call.bot.bot_user_id})).id}}
    call.need("im:write")
    known = call.platform.world.direct(call.bot.bot_user_id, ids[0])
    channel = call.platform.open_direct(call.bot.bot_user_id, ids[0], call.bot.team_id)
    found: Json = channel_json(channel, call.bot.bot_user_id) if call.flag("return_im") else {"id": channel.id}
    return {"channel": found} if known is None else {"no_op": True, "already_open": True, "channel": found}


def info(call: Call) -> Json:
    """Return one conversation."""
    channel = call.readable("read")
    return {"channel": channel_json(channel, call.bot.bot_user_id)}


def members(call: Call) -> Json:
    """Return who is in a conversation, a page at a time."""
    channel = call.readable("read")
    page, cursor = call.page(sorted(channel.members), default=100, most=1000)
    return {"members": page, "response_metadata": {"next_cursor": cursor}}


def list_all(call: Call) -> Json:
    """Return the conversations this app knows of, a page at a time."""
    words = [word.strip() for word in (call.text("types") or "public_channel").split(",")]
    if any(word not in TYPES for word in words):
        raise Refused("invalid_types")
    kinds = {TYPES[word] for word in words}
    rows: list[Channel] = []
    for channel in call.platform.world.channels.values():
        if channel.kind in kinds and call.sees(channel):
            call.need(f"{scope_word(channel)}:read")
            if not (channel.is_archived and call.flag("exclude_archived")):
                rows.append(channel)
    page, cursor = call.page(sorted(rows, key=lambda c: c.id), default=100, most=1000)
    found = [channel_json(channel, call.bot.bot_user_id) for channel in page]
    return {"channels": found, "response_metadata": {"next_cursor": cursor}}


def history(call: Call) -> Json:
    """Return what stands outside threads, newest first."""
    channel = _joined(call)
    rows = [m for m in call.platform.world.top_level(channel.id) if _in_range(call, m)]
    return _messages(call, rows[::-1])


def replies(call: Call) -> Json:
    """Return a thread, its parent first."""
    channel = _joined(call)
    parent = call.platform.world.message(channel.id, str(call.required("ts")))
    if parent is None:
        raise Refused("thread_not_found")
    under = call.platform.world.replies(channel.id, parent.thread_ts or parent.ts)
    return _messages(call, [parent, *(m for m in under if _in_range(call, m) and m.ts != parent.ts)])


def _joined(call: Call) -> Channel:
    channel = call.readable("history")
    if call.bot.bot_user_id not in channel.members:
        raise Refused("not_in_channel")
    return channel


def _in_range(call: Call, message: Message) -> bool:
    oldest, latest = call.text("oldest") or "0", call.text("latest") or "9" * 10
    try:
        low, high, own = float(oldest), float(latest), float(message.ts)
    except ValueError as error:
        raise Refused("invalid_ts_oldest") from error
    if call.flag("inclusive"):
        return low <= own <= high or message.ts in (oldest, latest)
    return low < own < high


def _messages(call: Call, rows: list[Message]) -> Json:
    most = UNLISTED_PAGE if call.platform.settings.distributed else 999
    page, cursor = call.page(rows, default=min(100, most), most=most)
    whole = call.flag("include_all_metadata")
    found: Json = {
        "messages": [_listed(call, message, whole) for message in page],
        "has_more": bool(cursor),
    }
    if cursor:
        found["response_metadata"] = {"next_cursor": cursor}
    return found


def _listed(call: Call, message: Message, whole: bool) -> Json:
    found = message_json(message, with_metadata=whole)
    under = call.platform.world.replies(message.channel, message.ts)
    if under:
        found |= {"reply_count": len(under), "latest_reply": under[-1].ts}
    return found


def _check_reachable(call: Call, user_id: str) -> None:
    user = call.platform.world.users.get(user_id)
    if user is None:
        raise Refused("user_not_found")
    if user.is_bot or user.id == call.bot.bot_user_id:
        raise Refused("cannot_dm_bot")
    if user.deleted:
        raise Refused("user_disabled")
    shared = any({user_id, call.bot.bot_user_id} <= c.members for c in call.platform.world.channels.values())
    if user.team_id not in call.teams and not shared:
        raise Refused("user_not_visible")


def _group(call: Call, members: frozenset[str]) -> Channel:
    platform = call.platform
    for channel in platform.world.channels.values():
        if channel.kind is Kind.GROUP and channel.members == members:
            return channel
    return platform.world.put_channel(
        Channel(
            id=platform.mint.name("G"),
            team_id=call.bot.team_id,
            kind=Kind.GROUP,
            name=f"mpdm-{'--'.join(sorted(platform.world.users[m].name for m in members))}-1",
            members=members,
        )
    )
