"""What is counted and logged of deliveries: how they went, and what a provider said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from prometheus_client import generate_latest
from structlog.testing import capture_logs

from bot.telemetry import Outcome, Telemetry, code_of
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    InstallationEnded,
    MessageGone,
    Misrendered,
    PlaceMoved,
    Transient,
    Unreachable,
)
from core.outbox import Claimed, Delivery, Lane, Say

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
SAY = Say(provider="slack", account="T1", channel="C1", text="The secret plan")


def claimed() -> Claimed:
    own = Delivery(id="dlv_1", workspace="wsp_1", lane=Lane.POST, key="k", task=SAY, due_at=NOW)
    return Claimed(delivery=own, generation=2, attempts=2, lease_until=NOW, owner="me")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Unreachable("channel_not_found", "there is no such channel"), "channel_not_found"),  # the provider's own word
        (Unreachable("Forbidden: bot was kicked from the group", "gone"), "refused"),  # a sentence is no short word
        (Unreachable("a" * 60, "whatever"), "refused"),
        (Transient("429", retry_after=3), "rate_limited"),  # it said when to come again
        (Transient("connection refused"), "transient"),
        (Ambiguous("the answer was lost"), "outcome_unknown"),
        (MessageGone("gone"), "message_gone"),
        (PlaceMoved("-1002"), "moved"),
        (InstallationDead("invalid_auth"), "credentials"),
        (InstallationEnded("app_uninstalled"), "credentials"),  # a kind of dead
        (Misrendered("invalid_blocks"), "payload_refused"),
        (ChannelError("new"), "unexpected"),  # whatever comes later
    ],
)
def test_a_failed_call_counts_under_a_word_of_a_short_list(error: ChannelError, code: str) -> None:
    assert code_of(error) == code


def test_how_a_delivery_went_is_said_and_counted_without_what_it_carries() -> None:
    telemetry = Telemetry()
    with capture_logs() as logged:
        telemetry.delivered(claimed())
        telemetry.not_yet(claimed(), Transient("429"), NOW)
        telemetry.failed(claimed(), Transient("429", 1.0))
        telemetry.given_up(claimed(), "the channel is gone")
    assert [line["event"] for line in logged] == ["delivered", "not delivered yet", "given up"]
    assert "secret plan" not in str(logged)
    counted = generate_latest(telemetry.registry).decode()
    for outcome in Outcome:
        assert f'sayso_deliveries_total{{lane="post",outcome="{outcome.value}"}} 1.0' in counted
    assert 'sayso_provider_errors_total{code="rate_limited",provider="slack"} 1.0' in counted
