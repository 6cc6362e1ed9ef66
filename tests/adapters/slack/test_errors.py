"""What each refusal of Slack's means for the one who asked, and for what to do next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey
from slack_sdk.errors import SlackApiError

from adapters.slack.errors import CODES, NEVER, Means, channel_error, code_of, is_trigger_over
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    Transient,
    Unreachable,
)

ERRORS: dict[Means, type[ChannelError]] = {
    Means.WAIT: Transient,
    Means.UNKNOWN: Ambiguous,
    Means.DEAD: InstallationDead,
    Means.GONE: MessageGone,
    Means.OURS: Misrendered,
    Means.NEVER: Unreachable,
}


# slack_sdk declares no types for its error.
api_error: Callable[[str, object], SlackApiError] = SlackApiError


class Answer:
    """What slack_sdk hangs on its error."""

    def __init__(self, data: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.data = data
        self.status_code = status
        self.headers = headers or {}


def refused(code: str = "", status: int = 200, headers: dict[str, str] | None = None, **more: Any) -> SlackApiError:
    data = {"ok": False, "error": code, **more} if code else {}
    return api_error("refused", Answer(data, status, headers))


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_one_meaning(code: str) -> None:
    error = channel_error(refused(code))
    assert type(error) is ERRORS[CODES[code]]
    assert code_of(refused(code)) == code
    if isinstance(error, Unreachable):
        assert error.code == code
        assert error.reason == NEVER[code]
        assert not error.reason.endswith("."), "it is put into sentences"


def test_a_call_that_may_be_repeated_has_no_unknown_outcome() -> None:
    for error in (refused("fatal_error"), refused(status=502), TimeoutError(), aiohttp.ServerDisconnectedError()):
        assert type(channel_error(error)) is Ambiguous
        assert type(channel_error(error, harmless=True)) is Transient


def test_slacks_own_failures_were_answered_and_lost_connections_were_not() -> None:
    for error, answered in ((refused(status=500), True), (refused("internal_error"), True), (TimeoutError(), False)):
        found = channel_error(error)
        assert isinstance(found, Ambiguous)
        assert found.answered is answered


@pytest.mark.parametrize(
    ("headers", "wait"),
    [({"Retry-After": "7"}, 7.0), ({}, None), ({"Retry-After": "soon"}, None), ({"Retry-After": "-1"}, 0.0)],
)
def test_a_rate_limit_says_how_long_to_wait(headers: dict[str, str], wait: float | None) -> None:
    for error in (refused("ratelimited", 429, headers), refused(status=429, headers=headers)):
        found = channel_error(error)
        assert isinstance(found, Transient)
        assert found.retry_after == wait


def test_what_never_left_may_be_sent_again() -> None:
    key = ConnectionKey("slack.com", 443, True, True, None, None, None)
    for error in (aiohttp.ClientConnectorError(key, OSError("no route")), aiohttp.ConnectionTimeoutError()):
        assert type(channel_error(error)) is Transient


def test_a_timeout_is_unknown() -> None:
    assert type(channel_error(TimeoutError())) is Ambiguous


def test_an_answer_that_is_no_json_is_unknown() -> None:
    class Page:
        status = 200

    assert type(channel_error(api_error("not JSON", Page()))) is Ambiguous


def test_our_own_mistake_carries_the_pointer_and_no_text() -> None:
    messages = ["[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"]
    error = channel_error(refused("invalid_blocks", response_metadata={"messages": messages}))
    assert str(error) == f"invalid_blocks {messages[0]}"


def test_a_missing_scope_names_it() -> None:
    error = channel_error(refused("missing_scope", needed="im:write", provided="chat:write"))
    assert isinstance(error, Unreachable)
    assert "im:write" in error.reason


def test_a_code_nobody_knows_is_for_good() -> None:
    error = channel_error(refused("brand_new"))
    assert isinstance(error, Unreachable)
    assert "brand_new" in error.reason


@pytest.mark.parametrize(
    "code", ["expired_trigger_id", "exchanged_trigger_id", "invalid_trigger_id", "trigger_expired"]
)
def test_a_trigger_that_is_over_has_many_names(code: str) -> None:
    assert is_trigger_over(refused(code))


def test_its_oldest_name_is_a_pointer() -> None:
    old = ["[ERROR] `trigger_id` expired [json-pointer:/trigger_id]"]
    assert is_trigger_over(refused("invalid_arguments", response_metadata={"messages": old}))
    assert not is_trigger_over(refused("invalid_arguments", response_metadata={"messages": ["[ERROR] x"]}))
    assert not is_trigger_over(TimeoutError())
