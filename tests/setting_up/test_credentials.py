"""What was pasted is told apart by its shape, before anybody is asked."""

from __future__ import annotations

import pytest

from bot.credentials import Fault, slack, telegram
from bot.credentials.kinds import Looks, looks

NOWHERE = "http://127.0.0.1:1/"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("xoxb-1-2-abc", Looks.SLACK_BOT),
        ("xoxe.xoxb-1-abc", Looks.SLACK_BOT),  # a bot token that is renewed
        ("xapp-1-A01-2-abc", Looks.SLACK_APP),
        ("xoxp-1-2-abc", Looks.SLACK_USER),
        ("xoxe.xoxp-1-abc", Looks.SLACK_CONFIG),
        ("xoxe-1-abc", Looks.SLACK_REFRESH),
        ("xoxc-1-abc", Looks.SLACK_BROWSER),
        ("xoxd-abc", Looks.SLACK_BROWSER),
        ("xoxa-2-abc", Looks.SLACK_LEGACY),
        ("https://hooks.slack.com/services/T0/B0/abc", Looks.SLACK_HOOK),
        ("0123456789abcdef0123456789abcdef", Looks.SLACK_SECRET),
        ("1000000000.2000000000", Looks.SLACK_CLIENT),
        ("123456789:AAabcdefghijklmnopqrstuvwxyz-_01234", Looks.TELEGRAM),
        ("hello", Looks.NOTHING),
        ("", Looks.NOTHING),
    ],
)
def test_what_it_looks_like(text: str, kind: Looks) -> None:
    assert looks(text) is kind


TOKENS = {
    Looks.SLACK_BOT: "xoxb-1-2-secret",
    Looks.SLACK_APP: "xapp-1-A01-2-secret",
    Looks.SLACK_USER: "xoxp-1-2-secret",
    Looks.SLACK_CONFIG: "xoxe.xoxp-1-secret",
    Looks.SLACK_SECRET: "0123456789abcdef0123456789abcdef",
    Looks.SLACK_CLIENT: "1000000000.2000000000",
    Looks.TELEGRAM: "123456789:AAabcdefghijklmnopqrstuvwxyz-secret",
}


@pytest.mark.parametrize("given", TOKENS)
def test_the_wrong_one_is_named_and_nobody_is_asked(given: Looks) -> None:
    token = TOKENS[given]
    judged = {
        Looks.SLACK_BOT: slack.bot_token(token, NOWHERE),
        Looks.SLACK_APP: slack.app_token(token, NOWHERE),
        Looks.SLACK_CONFIG: slack.app_manifest(token, "A1", NOWHERE),
        Looks.SLACK_SECRET: slack.signing_secret(token),
        Looks.TELEGRAM: telegram.bot_token(token, NOWHERE),
    }
    for wanted, fault in judged.items():
        if wanted is given:
            assert fault is None or (isinstance(fault, Fault) and fault.unreachable)
            continue
        assert isinstance(fault, Fault)
        assert f"this is {given.value}, not " in fault.found
        assert fault.todo
        assert token not in fault.found + fault.todo
