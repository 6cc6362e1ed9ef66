"""What the service tells its operators: one line and one count per arrival, decision and delivery, and how late things
were. Ids, kinds and codes only: never what people asked or answered.

Whoever makes something happen says so here once; the log and `/metrics` follow from it, so they cannot disagree.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum
from typing import Final

import structlog
from opentelemetry import trace
from prometheus_client import CollectorRegistry, Counter, Histogram

from adapters.inbound import AnyArrival
from bot.destinations import place_of
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    PlaceMoved,
    Transient,
    Unreachable,
)
from core.loops.replies import LoopReply
from core.outbox import Claimed
from core.ports import Committed

log = structlog.get_logger("sayso")

LATE = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0, 3600.0)
"""Seconds. Two are promised."""
QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds. A provider waits three for an acknowledgement."""
CODES: tuple[tuple[type[ChannelError], str], ...] = (
    # The nearest class comes first.
    (InstallationDead, "credentials"),
    (Misrendered, "payload_refused"),
    (MessageGone, "message_gone"),
    (PlaceMoved, "moved"),
    (Ambiguous, "outcome_unknown"),
    (Transient, "transient"),
)
"""What a failed call counts as where the provider's own code is not kept."""

_WORD: Final = re.compile(r"[a-z][a-z0-9_]{0,47}")
"""How providers spell their codes. A sentence is none: each would be a series of its own in Prometheus."""


class Outcome(StrEnum):
    """How a delivery went this time."""

    DONE = "done"
    AGAIN = "again"
    GIVEN_UP = "given_up"


def code_of(error: ChannelError) -> str:
    """A short, stable word for what went wrong with a call to a provider."""
    match error:
        case Unreachable():
            return error.code if _WORD.fullmatch(error.code) else "refused"
        case Transient() if error.retry_after is not None:
            return "rate_limited"
        case _:
            return next((code for kind, code in CODES if isinstance(error, kind)), "unexpected")


class Telemetry:
    """Counts since this process started."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self._arrivals = Counter(
            "sayso_arrivals",
            "What arrived from chats, by kind and what its sender was told.",
            ["provider", "kind", "reply"],
            registry=own,
        )
        self._taking = Histogram(
            "sayso_arrival_seconds",
            "Seconds from an arrival to its committed reply.",
            ["provider"],
            registry=own,
            buckets=QUICK,
        )
        self._events = Counter("sayso_events", "What was committed, by type of event.", ["type"], registry=own)
        self._deliveries = Counter(
            "sayso_deliveries", "Deliveries, by lane and how they went.", ["lane", "outcome"], registry=own
        )
        self._errors = Counter(
            "sayso_provider_errors",
            "Calls to a provider that failed, by what it said.",
            ["provider", "code"],
            registry=own,
        )
        self._webhooks = Counter(
            "sayso_webhook_failures",
            "Webhooks not delivered, by the status they were answered with.",
            ["status"],
            registry=own,
        )
        self._late = Histogram(
            "sayso_due_lateness_seconds",
            "Seconds between the moment something was due and its claim, by kind.",
            ["kind"],
            registry=own,
            buckets=LATE,
        )

    def arrived(self, arrival: AnyArrival, reply: LoopReply, seconds: float) -> None:
        """An arrival was taken, and its sender is told `reply`."""
        kind, told, provider = type(arrival).__name__.lower(), type(reply).__name__.lower(), arrival.provider.value
        self._arrivals.labels(provider, kind, told).inc()
        self._taking.labels(provider).observe(seconds)
        log.info("arrival", kind=kind, provider=provider, key=arrival.key, reply=told)

    def committed(self, change: Committed) -> None:
        """A transaction of this process was committed."""
        for event in change.events:
            self._events.labels(event.type.value).inc()
            about = event.interaction or event.loop or event.alert
            log.info("decision", id=event.id, type=event.type.value, about=about)
            trace.get_current_span().add_event(event.type.value, {"sayso.event": event.id, "sayso.about": about or ""})

    def delivered(self, claimed: Claimed) -> None:
        """A delivery is done."""
        own = claimed.delivery
        self._deliveries.labels(own.lane.value, Outcome.DONE).inc()
        log.info("delivered", lane=own.lane.value, delivery=own.id, attempts=claimed.attempts)

    def not_yet(self, claimed: Claimed, error: ChannelError, due: datetime) -> None:
        """A delivery failed and is tried again when it is `due`."""
        own = claimed.delivery
        self._deliveries.labels(own.lane.value, Outcome.AGAIN).inc()
        log.warning("not delivered yet", lane=own.lane.value, delivery=own.id, error=str(error), due=due.isoformat())

    def given_up(self, claimed: Claimed, why: str) -> None:
        """A delivery will never be done."""
        own = claimed.delivery
        self._deliveries.labels(own.lane.value, Outcome.GIVEN_UP).inc()
        log.warning("given up", lane=own.lane.value, delivery=own.id, why=why)

    def failed(self, claimed: Claimed, error: ChannelError) -> None:
        """A call to a provider failed; what follows from it is said besides."""
        where = place_of(claimed.delivery.task)
        self._errors.labels(where[0].value if where else "none", code_of(error)).inc()

    def webhook_failed(
        self, claimed: Claimed, outcome: Outcome, event: str, status: int | None, why: str | None
    ) -> None:
        """A webhook was not delivered this time."""
        self._deliveries.labels(claimed.delivery.lane.value, outcome).inc()
        self._webhooks.labels(str(status) if status is not None else "none").inc()
        log.warning("webhook not delivered", about=event, attempt=claimed.attempts, status=status, why=why)

    def late(self, kind: str, seconds: float) -> None:
        """Something of this kind was claimed so many seconds after it was due."""
        self._late.labels(kind).observe(max(0.0, seconds))
