"""From Slack's payloads to arrivals. Pure: the same payload gives the same arrival; None is nothing to act on.

`account` is the workspace the app is installed in. The sender's own workspace is `user.team_id`: in a shared channel
people of other workspaces press our buttons too. Forms are read in `forms`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from adapters.inbound import AnyArrival, Changed, Commanded, Moved, Opened, Pressed, Wrote
from adapters.slack.entries import chosen, picked
from adapters.slack.payload import (
    Payload,
    as_typed,
    from_event,
    from_user,
    is_elsewhere,
    is_known,
    part,
    text,
    unescape,
    without_secrets,
)
from blocks.slack.controls import is_pick, token_of
from blocks.slack.ticks import is_group, touched
from core.addresses import Provider
from core.people import Identity, Standing
from core.touches import Touch

SLACKBOT: Final = "USLACKBOT"
BY_PEOPLE: Final = frozenset({"file_share", "thread_broadcast"})
"""The subtypes of messages that somebody wrote: with a file, or in a thread and in its channel at once. All others
(edits, joins) are nobody's words."""
BY_PROGRAMS: Final = "bot_message"
"""The subtype of what an old kind of app posts."""


def press(body: Payload, account: str) -> Pressed | None:
    """A `block_actions` payload. Link buttons, the boxes before Submit and everything in a view decide nothing."""
    container = part(body, "container")
    action = _first_action(body)
    if container.get("type") != "message" or action is None or not is_known(body):
        return None
    meant = _meant(body, action)
    if meant is None:
        return None
    token, picks, touch = meant
    thread = container.get("thread_ts") or part(body, "message").get("thread_ts")
    return Pressed(
        **from_user(body, account),
        channel=text(container, "channel_id") or text(part(body, "channel"), "id"),
        thread=str(thread) if thread else None,
        message=text(container, "message_ts"),
        token=token,
        picked=picks,
        touch=touch,
    )


def _meant(body: Payload, action: Payload) -> tuple[str, tuple[str, ...], Touch | None] | None:
    """The token of what was pressed, the tokens that count with it, and the group of boxes that it is, if it is one."""
    action_id = text(action, "action_id")
    if is_pick(action_id):
        return None
    if is_group(text(action, "block_id")):
        boxes = [text(one, "value") for one in chosen(action)]
        return touched(text(action, "block_id"), action_id, boxes, text(action, "action_ts"))
    if action.get("type") == "button":
        token = text(action, "value") if "value" in action else None
    elif action.get("type") == "overflow":
        token = text(part(action, "selected_option"), "value") or None
    else:
        option = part(action, "selected_option")
        token = token_of(action_id, text(option, "value")) if option else None
    return (token, picked(part(part(body, "state"), "values")), None) if token is not None else None


def command(body: Payload, account: str) -> Commanded:
    """A slash command. Slack sends its text with `&`, `<` and `>` escaped."""
    user = Identity(provider="slack", account=text(body, "team_id") or account, user=text(body, "user_id"))
    return Commanded(
        key=f"slack:{text(body, 'api_app_id')}:{text(body, 'trigger_id')}",
        provider=Provider.SLACK,
        account=account,
        sender=user,
        hint=Standing(known=False, external=is_elsewhere(user.account, account), name=text(body, "user_name")),
        raw=without_secrets(body),
        channel=text(body, "channel_id"),
        thread=None,
        name=text(body, "command").removeprefix("/"),
        argument=unescape(text(body, "text")),
        private=text(body, "channel_name") == "directmessage",
    )


def event(body: Payload, account: str) -> AnyArrival | None:
    """An Events API payload."""
    inner = part(body, "event")
    if not text(body, "event_id"):
        return None
    read = EVENTS_READ.get(text(inner, "type"))
    return read(body, inner, account) if read else None


def _opened(body: Payload, inner: Payload, account: str) -> Opened | None:
    if inner.get("tab") != "home":
        return None
    return Opened(**from_event(body, account, text(inner, "user"), account))


def _wrote(body: Payload, inner: Payload, account: str) -> Wrote | None:
    """A message in a thread, or to the app in its direct conversation; anything else people say is not ours to read.

    What a program posts carries its `bot_id`, also when it posts with a person's token: then the program said it, by
    that id. Ours says nothing to itself.
    """
    bot, private = text(inner, "bot_id"), inner.get("channel_type") == "im"
    parent = text(inner, "thread_ts")
    reply_to = parent if parent != text(inner, "ts") else ""
    if not (reply_to or (private and not bot)) or inner.get("hidden"):
        return None
    by = _by_a_program(body, inner, account, bot) if bot else _by_a_person(body, inner, account)
    if by is None:
        return None
    attached = bool(inner.get("files"))
    return Wrote(
        **by,
        channel=text(inner, "channel"),
        thread=reply_to or None,
        message=text(inner, "ts"),
        text="" if attached else as_typed(text(inner, "text")),
        reply_to=reply_to or None,
        private=private,
        own=bool(bot) or not inner.get("app_id"),
        attached=attached,
        spoken=as_typed(text(inner, "text")) if attached else None,
    )


def _by_a_person(body: Payload, inner: Payload, account: str) -> dict[str, Any] | None:
    user = text(inner, "user")
    if inner.get("subtype") not in {None, *BY_PEOPLE} or not user or user == SLACKBOT:
        return None
    return from_event(body, account, user, _team_of(inner, account))


def _by_a_program(body: Payload, inner: Payload, account: str, bot: str) -> dict[str, Any] | None:
    app = text(inner, "app_id") or text(part(inner, "bot_profile"), "app_id")
    is_ours = bool(app) and app == text(body, "api_app_id")
    if inner.get("subtype") not in {None, *BY_PEOPLE, BY_PROGRAMS} or is_ours:
        return None
    arrival = from_event(body, account, bot, _team_of(inner, account))
    name = text(part(inner, "bot_profile"), "name") or text(inner, "username")
    return {**arrival, "hint": arrival["hint"].model_copy(update={"bot": True, "name": name})}


def _team_of(inner: Payload, account: str) -> str:
    return text(inner, "user_team") or text(inner, "team") or account


def _changed(body: Payload, inner: Payload, account: str) -> Changed | None:
    user = part(inner, "user")
    if not user.get("id"):
        return None
    arrival = from_event(body, account, text(user, "id"), text(user, "team_id") or account)
    hint = arrival["hint"].model_copy(update={"deleted": bool(user.get("deleted"))})
    return Changed(**{**arrival, "hint": hint})


def _moved(body: Payload, inner: Payload, account: str) -> Moved | None:
    old, new = text(inner, "old_channel_id"), text(inner, "new_channel_id")
    if not old or not new:
        return None
    return Moved(**from_event(body, account, SLACKBOT, account), old=old, new=new)


EVENTS_READ: Final[Mapping[str, Callable[[Payload, Payload, str], AnyArrival | None]]] = {
    "app_home_opened": _opened,
    "message": _wrote,
    "user_change": _changed,
    "channel_id_changed": _moved,
}


def _first_action(body: Payload) -> Payload | None:
    found = body.get("actions")
    return found[0] if isinstance(found, list) and found and isinstance(found[0], Mapping) else None
