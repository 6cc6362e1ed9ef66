"""What Slack's refusals mean: one row per error code, with a sentence for the asker where they must act.

Codes and classes are from the pages of the methods used here; what is not in the table is a refusal for good.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

import aiohttp
from slack_sdk.errors import SlackApiError

from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    Transient,
    Unreachable,
)


class Means(Enum):
    """What an error code says of the call."""

    WAIT = auto()  # not done; the same call may be made later
    UNKNOWN = auto()  # Slack says that part of it may have been done
    DEAD = auto()  # the token no longer works
    GONE = auto()  # the message to edit is not there
    OURS = auto()  # what we sent is not what Slack takes
    NEVER = auto()  # this destination cannot be reached as it is


_INVITE: Final = "the app is not in that channel; invite it there with /invite, then ask again"
_NO_USER: Final = "Slack knows no such user, or does not show them to the app"
_SCOPE: Final = "the Slack app lacks a permission; install it again from its current manifest"

NEVER: Final[Mapping[str, str]] = {
    "channel_not_found": "Slack shows the app no such channel; check the id, and invite the app if it is private",
    "not_in_channel": _INVITE,
    "is_archived": "the channel is archived",
    "is_inactive": "the channel is no longer in use",
    "user_not_found": _NO_USER,
    "users_not_found": _NO_USER,
    "user_not_visible": _NO_USER,
    "user_disabled": "the account is deactivated",
    "user_not_in_channel": "the person is not in that channel",
    "cannot_dm_bot": "that account is a bot",
    "invalid_user_combination": "the app cannot open a conversation with that account",
    "messages_tab_disabled": "direct messages to the app are turned off in its App Home settings",
    "thread_not_found": "the thread is no longer there",
    "cannot_reply_to_message": "the thread's address names a reply; give the first message of the thread",
    "restricted_action": "the workspace does not let the app post there",
    "restricted_action_read_only_channel": "the channel is read-only for the app",
    "restricted_action_thread_only_channel": "the channel takes new messages in threads only",
    "restricted_action_non_threadable_channel": "the channel has no threads",
    "restricted_action_thread_locked": "the thread is locked",
    "ekm_access_denied": "the workspace's administrators have suspended access to that channel",
    "enterprise_is_restricted": "the organisation does not let the app post there",
    "team_not_found": "Slack knows no such workspace",
    "missing_scope": _SCOPE,
    "no_permission": _SCOPE,
    "not_allowed_token_type": "the Slack token is of the wrong kind; a bot token begins with xoxb-",
}
CODES: Final[Mapping[str, Means]] = {
    "ratelimited": Means.WAIT,
    "rate_limited": Means.WAIT,
    "message_limit_exceeded": Means.WAIT,
    "team_added_to_org": Means.WAIT,
    "org_login_required": Means.WAIT,
    "external_channel_migrating": Means.WAIT,
    "fatal_error": Means.UNKNOWN,
    "internal_error": Means.UNKNOWN,
    "service_unavailable": Means.UNKNOWN,
    "request_timeout": Means.UNKNOWN,
    "invalid_auth": Means.DEAD,
    "not_authed": Means.DEAD,
    "account_inactive": Means.DEAD,
    "token_revoked": Means.DEAD,
    "token_expired": Means.DEAD,
    "team_access_not_granted": Means.DEAD,
    "two_factor_setup_required": Means.DEAD,
    "accesslimited": Means.DEAD,
    "message_not_found": Means.GONE,
    "cant_update_message": Means.GONE,
    "edit_window_closed": Means.GONE,
    "invalid_blocks": Means.OURS,
    "invalid_blocks_format": Means.OURS,
    "block_mismatch": Means.OURS,
    "msg_blocks_too_long": Means.OURS,
    "msg_too_long": Means.OURS,
    "no_text": Means.OURS,
    "too_many_attachments": Means.OURS,
    "markdown_text_conflict": Means.OURS,
    "metadata_too_large": Means.OURS,
    "invalid_metadata_format": Means.OURS,
    "invalid_metadata_schema": Means.OURS,
    "invalid_arguments": Means.OURS,
    "view_too_large": Means.OURS,
    "duplicate_external_id": Means.OURS,
    **dict.fromkeys(NEVER, Means.NEVER),
}

TRIGGERS: Final = frozenset(
    {"expired_trigger_id", "exchanged_trigger_id", "invalid_trigger_id", "trigger_expired", "trigger_exchanged"}
)
"""A press is worth one form within three seconds; these say that it was too late."""

OVER: Final = "token_expired"
"""The token had an end, which has come: another one may be had for it."""
FAILURES: Final = (SlackApiError, aiohttp.ClientError, TimeoutError, asyncio.TimeoutError, OSError)
"""What a call through slack_sdk raises."""
_NOT_SENT: Final = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)


def code_of(error: BaseException) -> str:
    """The error code in Slack's answer; empty when there was none."""
    if not isinstance(error, SlackApiError):
        return ""
    return str(_answer(error).get("error") or "")


def is_trigger_over(error: BaseException) -> bool:
    """Whether a form could not be opened because the press is too long ago."""
    if code_of(error) in TRIGGERS:
        return True
    return code_of(error) == "invalid_arguments" and "trigger_id" in _details(error)


def channel_error(error: BaseException, *, harmless: bool = False) -> ChannelError:
    """The error of a failed call. `harmless`: the call changes nothing or may be repeated, so an unknown outcome is
    only a reason to try again."""
    if not isinstance(error, SlackApiError):
        if harmless or isinstance(error, _NOT_SENT):
            return Transient(f"Slack could not be reached ({type(error).__name__})")
        return Ambiguous(f"Slack's answer was lost ({type(error).__name__})")
    code, status = code_of(error), _status(error)
    if status == 429:
        return Transient("Slack asked to wait", _retry_after(error))
    if not code:
        text = f"Slack answered {status} without a reason"
        return Transient(text) if harmless else Ambiguous(text, answered=True)
    return _named(code, error, harmless=harmless)


def _named(code: str, error: SlackApiError, *, harmless: bool) -> ChannelError:
    match CODES.get(code, Means.NEVER):
        case Means.WAIT:
            return Transient(f"Slack answered {code}", _retry_after(error))
        case Means.UNKNOWN:
            text = f"Slack answered {code}"
            return Transient(text) if harmless else Ambiguous(text, answered=True)
        case Means.DEAD:
            return InstallationDead(f"Slack answered {code}: the app must be installed again")
        case Means.GONE:
            return MessageGone(code)
        case Means.OURS:
            return Misrendered(f"{code} {_details(error)}".strip())
        case Means.NEVER:
            reason = NEVER.get(code, f"Slack refused it ({code})")
            needed = _answer(error).get("needed")
            return Unreachable(code, f"{reason} (needed: {needed})" if needed else reason)


def _answer(error: SlackApiError) -> Mapping[str, object]:
    data = getattr(error.response, "data", error.response)
    return data if isinstance(data, Mapping) else {}


def _status(error: SlackApiError) -> int:
    response = error.response
    return int(getattr(response, "status_code", None) or getattr(response, "status", None) or 0)


def _retry_after(error: SlackApiError) -> float | None:
    headers = getattr(error.response, "headers", None) or {}
    try:
        return max(0.0, float(headers.get("Retry-After", "")))
    except ValueError:
        return None


def _details(error: BaseException) -> str:
    """The pointers Slack gives, which hold no text of ours."""
    if not isinstance(error, SlackApiError):
        return ""
    metadata = _answer(error).get("response_metadata")
    messages = metadata.get("messages") if isinstance(metadata, Mapping) else None
    return " ".join(str(one) for one in messages[:3]) if isinstance(messages, list) else ""
