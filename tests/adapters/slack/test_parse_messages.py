"""What people wrote, as Slack sends it: which message it answers, and its words as they were typed."""

from __future__ import annotations

import pytest

from adapters.inbound import Wrote
from adapters.slack import parse
from core.people import Identity
from tests.adapters.slack.test_parse import IN_CHANNEL, MESSAGE, event


def test_a_message_in_a_thread_answers_what_began_it() -> None:
    arrival = parse.event(event({**MESSAGE, "thread_ts": "10.1", "text": "1 &lt; 2 &amp;amp;"}), "T1")
    assert isinstance(arrival, Wrote)
    assert (arrival.reply_to, arrival.thread, arrival.text) == ("10.1", "10.1", "1 < 2 &amp;")


@pytest.mark.parametrize(
    ("sent", "typed"),
    [
        ("see <https://x.example/a?b=1&amp;c=2>", "see https://x.example/a?b=1&c=2"),
        ("<http://x.example|x.example>", "x.example"),  # typed without a scheme
        ("<mailto:ana@x.example|ana@x.example>", "ana@x.example"),
        ("<tel:+3905551234|+39 0555 1234>", "+39 0555 1234"),
        ("<https://x.example|our plan>", "our plan (https://x.example)"),  # where it leads is not lost
        ("&lt;https://x.example&gt;", "<https://x.example>"),  # its writer's own brackets
        ("<@U2> in <#C2|ops>, <!here>", "<@U2> in <#C2|ops>, <!here>"),  # Slack's ids are all there is to know
    ],
)
def test_a_message_reads_as_it_was_typed(sent: str, typed: str) -> None:
    arrival = parse.event(event({**MESSAGE, "text": sent}), "T1")
    assert isinstance(arrival, Wrote)
    assert arrival.text == typed


@pytest.mark.parametrize("user", ["U1", "U9BOT"])
def test_what_a_program_says_is_said_by_its_own_account_whoever_s_token_it_has(user: str) -> None:
    sent = {**IN_CHANNEL, "user": user, "bot_id": "B1", "app_id": "A2", "bot_profile": {"name": "builder"}}
    arrival = parse.event(event(sent), "T1")
    assert isinstance(arrival, Wrote)
    assert arrival.sender == Identity(provider="slack", account="T1", user="B1")
    assert (arrival.hint.bot, arrival.hint.name, arrival.own) == (True, "builder", True)


def test_our_own_words_are_known_by_the_app_they_are_of_however_slack_says_it() -> None:
    sent = {**IN_CHANNEL, "bot_id": "B9", "bot_profile": {"app_id": "A1"}}
    assert parse.event(event(sent), "T1") is None
