"""Where a message is found in each chat, if it has an address there."""

from __future__ import annotations

import pytest

from adapters.slack import Installation
from adapters.slack.links import message_url as in_slack
from adapters.telegram.links import message_url as in_telegram

ACME = Installation("T1", "Acme", "U1", "B1", "sayso", url="https://acme.slack.com/")
UNKNOWN = Installation("T1", "Acme", "U1", "B1", "sayso")
ORGANISATION = Installation(
    "E1", "Acme", "U1", "B1", "sayso", url="https://acme.enterprise.slack.com/", enterprise="E1"
)
POST = "https://acme.slack.com/archives/C1/p1712000000000100"


@pytest.mark.parametrize(
    ("installation", "thread", "address"),
    [
        pytest.param(ACME, None, POST, id="a message"),
        pytest.param(ACME, "1712000000.000100", POST, id="the first of a thread"),
        pytest.param(ACME, "1711.000200", f"{POST}?thread_ts=1711.000200&cid=C1", id="in a thread"),
        pytest.param(UNKNOWN, None, None, id="Slack did not say where the workspace is"),
        pytest.param(ORGANISATION, None, None, id="a channel of some workspace of an organisation"),
    ],
)
def test_in_slack(installation: Installation, thread: str | None, address: str | None) -> None:
    assert in_slack(installation, "C1", "1712000000.000100", thread) == address


@pytest.mark.parametrize(
    ("chat", "topic", "address"),
    [
        pytest.param("-1001234", None, "https://t.me/c/1234/17", id="a supergroup"),
        pytest.param("-1001234", "5", "https://t.me/c/1234/5/17", id="a topic"),
        pytest.param("-1234", None, None, id="a group of the old kind"),
        pytest.param("42", None, None, id="a chat of one's own"),
    ],
)
def test_in_telegram(chat: str, topic: str | None, address: str | None) -> None:
    assert in_telegram(chat, "17", topic) == address
