"""The check of a webhook's signature that the README gives to whoever receives them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from bot.webhooks import signature
from tests.readme import blocks

(CHECK,) = (text for text in blocks("python") if "def is_genuine" in text)


@pytest.mark.parametrize(
    ("secret", "age", "body", "genuine"),
    [
        ("whsec_c2VjcmV0", 0, b"{}", True),  # as it is sent
        ("whsec_b3RoZXI=", 0, b"{}", False),  # another secret
        ("whsec_c2VjcmV0", 0, b"{ }", False),  # another body
        ("whsec_c2VjcmV0", 3600, b"{}", False),  # caught an hour ago
    ],
)
def test_it_takes_what_is_sent_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, secret: str, age: int, body: bytes, genuine: bool
) -> None:
    given: dict[str, Any] = {}
    exec(CHECK, given)  # noqa: S102  # the example is what is tested
    monkeypatch.setenv("SAYSO_WEBHOOK_SECRET", "whsec_c2VjcmV0")
    at = int(time.time()) - age
    sent = signature(["whsec_bmV3ZXI=", secret], "evt_1", at, b"{}")  # as while another secret takes over
    headers = {"webhook-id": "evt_1", "webhook-timestamp": str(at), "webhook-signature": sent}
    assert given["is_genuine"](headers, body) is genuine
