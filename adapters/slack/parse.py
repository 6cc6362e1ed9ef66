"""From Slack's payloads to arrivals. Pure: the same payload gives the same arrival; None is nothing to act on.

`account` is the workspace the app is installed in. The sender's own workspace is `user.team_id`: in a shared channel
people of other workspaces press our buttons too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from adapters.inbound import AnyArrival, Changed, Commanded, Moved, Opened, Pressed, Submitted, Wrote
from blocks.slack.controls import is_pick, token_of
from blocks.slack.modal import CALLBACK
from core.addresses import Provider
from core.people import Identity, Standing

Payload = Mapping[str, Any]
SLACKBOT: Final = "USLACKBOT"


def press(body: Payload, account: str) -> Pressed | None:
    """A `block_actions` payload. Link buttons, the boxes before Submit and everything in a view decide nothing."""
    container = _map(body, "container")
    action = _first_action(body)
    if container.get("type") != "message" or action is None or is_pick(str(action.get("action_id"))):
        return None
    if not _is_known(body):
        return None
    kind = action.get("type")
    if kind == "button":
        if "value" not in action:
            return None
        token = _text(action, "value")
    else:
        chosen = _map(action, "selected_option")
        if not chosen:
            return None
        token = token_of(_text(action, "action_id"), _text(chosen, "value"))
    thread = container.get("thread_ts") or _map(body, "message").get("thread_ts")
    return Pressed(
        **_from_user(body, account),
        channel=_text(container, "channel_id") or _text(_map(body, "channel"), "id"),
        thread=str(thread) if thread else None,
        message=_text(container, "message_ts"),
        token=token,
        picked=tuple(_picked(_map(_map(body, "state"), "values"))),
    )


def submission(body: Payload, account: str) -> Submitted | None:
    """A `view_submission` payload of one of our forms."""
    view = _map(body, "view")
    if view.get("callback_id") != CALLBACK or not _is_known(body):
        return None
    kept = _metadata(_text(view, "private_metadata"))
    values = _map(_map(view, "state"), "values")
    return Submitted(
        **_from_user(body, _text(view, "app_installed_team_id") or account),
        token=_text(kept, "token"),
        fields=dict(_fields(values)),
        channel=_text(kept, "channel") or None,
        picked=tuple(_picked(values)),
    )


def command(body: Payload, account: str) -> Commanded:
    """A slash command. Slack sends its text with `&`, `<` and `>` escaped."""
    user = Identity(provider="slack", account=_text(body, "team_id") or account, user=_text(body, "user_id"))
    return Commanded(
        key=f"slack:{_text(body, 'api_app_id')}:{_text(body, 'trigger_id')}",
        provider=Provider.SLACK,
        account=account,
        sender=user,
        hint=Standing(known=False, external=user.account != account, name=_text(body, "user_name")),
        raw=_without_token(body),
        channel=_text(body, "channel_id"),
        thread=None,
        name=_text(body, "command").removeprefix("/"),
        argument=unescape(_text(body, "text")),
        private=_text(body, "channel_name") == "directmessage",
    )


def event(body: Payload, account: str) -> AnyArrival | None:
    """An Events API payload."""
    inner = _map(body, "event")
    if not _text(body, "event_id"):
        return None
    read = EVENTS_READ.get(_text(inner, "type"))
    return read(body, inner, account) if read else None


def _opened(body: Payload, inner: Payload, account: str) -> Opened | None:
    if inner.get("tab") != "home":
        return None
    return Opened(**_from_event(body, account, _text(inner, "user"), account))


def _wrote(body: Payload, inner: Payload, account: str) -> Wrote | None:
    """A message to the app in its direct conversation. Edits, joins and other apps' messages are none."""
    user, thread = _text(inner, "user"), inner.get("thread_ts")
    if inner.get("channel_type") != "im" or inner.get("subtype") or inner.get("bot_id") or not user or user == SLACKBOT:
        return None
    team = _text(inner, "user_team") or _text(inner, "team") or account
    return Wrote(
        **_from_event(body, account, user, team),
        channel=_text(inner, "channel"),
        thread=str(thread) if thread else None,
        message=_text(inner, "ts"),
        text=unescape(_text(inner, "text")),
        reply_to=str(thread) if thread else None,
        private=True,
    )


def _changed(body: Payload, inner: Payload, account: str) -> Changed | None:
    user = _map(inner, "user")
    if not user.get("id"):
        return None
    return Changed(**_from_event(body, account, _text(user, "id"), _text(user, "team_id") or account))


def _moved(body: Payload, inner: Payload, account: str) -> Moved | None:
    old, new = _text(inner, "old_channel_id"), _text(inner, "new_channel_id")
    if not old or not new:
        return None
    return Moved(**_from_event(body, account, SLACKBOT, account), old=old, new=new)


EVENTS_READ: Final[Mapping[str, Callable[[Payload, Payload, str], AnyArrival | None]]] = {
    "app_home_opened": _opened,
    "message": _wrote,
    "user_change": _changed,
    "channel_id_changed": _moved,
}


def unescape(text: str) -> str:
    """Undo Slack's escaping of messages and command texts, once. What is typed into a modal comes as typed."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def view_fields(body: Payload) -> dict[str, str]:
    """The block id of each form field in a submitted view, in order: where an error can be shown."""
    view = _map(body, "view")
    blocks = view.get("blocks")
    ids = [
        _text(block, "block_id")
        for block in (blocks if isinstance(blocks, list) else [])
        if isinstance(block, Mapping) and block.get("type") == "input"
    ]
    return {_field_name(one): one for one in ids}


def _is_known(body: Payload) -> bool:
    """Whether it says who did it and by which trigger. Without a trigger two people's acts would have one key."""
    return bool(_text(_map(body, "user"), "id") and _text(body, "trigger_id"))


def _from_user(body: Payload, account: str) -> dict[str, Any]:
    user = _map(body, "user")
    team = _text(user, "team_id") or account
    return {
        "key": f"slack:{_text(body, 'api_app_id')}:{_text(body, 'trigger_id')}",
        "provider": Provider.SLACK,
        "account": account,
        "sender": Identity(provider="slack", account=team, user=_text(user, "id")),
        "hint": Standing(known=False, external=team != account, name=_text(user, "name") or _text(user, "username")),
        "raw": _without_token(body),
    }


def _from_event(body: Payload, account: str, user: str, team: str) -> dict[str, Any]:
    return {
        "key": f"slack:{_text(body, 'api_app_id')}:{_text(body, 'event_id')}",
        "provider": Provider.SLACK,
        "account": account,
        "sender": Identity(provider="slack", account=team, user=user),
        "hint": Standing(known=False, external=team != account),
        "raw": _without_token(body),
    }


def _first_action(body: Payload) -> Payload | None:
    found = body.get("actions")
    return found[0] if isinstance(found, list) and found and isinstance(found[0], Mapping) else None


def _elements(values: Payload) -> Iterator[tuple[str, str, Payload]]:
    for block_id, elements in values.items():
        for action_id, state in (elements if isinstance(elements, Mapping) else {}).items():
            if isinstance(state, Mapping):
                yield block_id, action_id, state


def _picked(values: Payload) -> Iterator[str]:
    for _, action_id, state in _elements(values):
        if is_pick(action_id):
            several = state.get("selected_options") or [state.get("selected_option")]
            yield from (token_of(action_id, _text(one, "value")) for one in several if isinstance(one, Mapping))


def _fields(values: Payload) -> Iterator[tuple[str, str]]:
    """Every field that holds no options of ours; one left empty is an empty text."""
    for block_id, action_id, state in _elements(values):
        if not is_pick(action_id):
            chosen = state.get("selected_option")
            value = (
                chosen.get("value") if isinstance(chosen, Mapping) else state.get("value", state.get("selected_date"))
            )
            yield _field_name(block_id), str(value) if value is not None else ""


def _field_name(block_id: str) -> str:
    return block_id.rpartition(":")[0]


def _metadata(text: str) -> Payload:
    try:
        kept = json.loads(text)
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}


def _without_token(body: Payload) -> Payload:
    """The payload without Slack's deprecated verification token and its one-time addresses."""
    return {name: value for name, value in body.items() if name not in ("token", "response_url", "response_urls")}


def _map(body: Payload, name: str) -> Payload:
    found = body.get(name)
    return found if isinstance(found, Mapping) else {}


def _text(body: Payload, name: str) -> str:
    found = body.get(name)
    return found if isinstance(found, str) else ""
