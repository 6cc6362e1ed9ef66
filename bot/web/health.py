"""What a load balancer and a monitor ask: alive, ready, and how things stand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import structlog
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from bot.draining import Draining
from bot.failures import told
from bot.moment import surely_ahead
from bot.web.looks import Late, Look
from bot.web.proof import HEADER, NONCE, SHAPE, prove
from core.addresses import Provider
from core.dues import DueKind
from core.errors import SaysoError
from core.outbox import Lane
from core.ports import Clock
from core.reading import Counts, Records

TYPE = "text/plain; version=0.0.4; charset=utf-8"
log = structlog.get_logger("sayso.health")


@dataclass(frozen=True)
class Health:
    """`check_schema` raises when the database is away or of another version; `troubled` says how many accounts of each
    provider cannot be used; `counted` is what this process counted; `seen` is what it saw of the chats; `key` proves
    whose deployment this is; while `draining`, it is not ready.

    Anybody may ask: which accounts these are, and whose, is said on the status page, to operators of their workspace.
    """

    records: Records
    clock: Clock
    check_schema: Callable[[], Awaitable[None]]
    troubled: Callable[[], Mapping[Provider, int]]
    counted: CollectorRegistry
    seen: Callable[[], Mapping[str, Any]]
    key: bytes
    draining: Draining
    _schema: Look[None] = field(init=False)
    _standing: Look[tuple[Counts, float | None]] = field(init=False)

    def __post_init__(self) -> None:
        """Nobody who asks waits long for the database, and many who ask keep it from nothing."""
        object.__setattr__(self, "_schema", Look(self.check_schema))
        object.__setattr__(self, "_standing", Look(self._look))

    def routes(self) -> list[Route]:
        """`/healthz`, `/readyz` and `/metrics`."""
        return [
            Route("/healthz", self.alive),
            Route("/readyz", self.ready),
            Route("/metrics", self.metrics),
        ]

    async def alive(self, request: Request) -> Response:
        """The process answers, and whoever sends a nonce can tell that it is of this deployment."""
        nonce = request.query_params.get(NONCE, "")
        headers = {HEADER: prove(self.key, nonce)} if SHAPE.fullmatch(nonce) else {}
        return PlainTextResponse("ok\n", headers=headers)

    async def ready(self, _: Request) -> Response:
        """The database answers with the right schema and no stop was asked for; what is wrong with a chat is told, but
        takes nobody out."""
        if self.draining.begun:
            return JSONResponse({"ready": False, "stopping": True, "chats": self._chats()}, 503)
        try:
            await self._schema()
        except (SaysoError, Late) as error:
            return JSONResponse({"ready": False, "database": str(error), "chats": {}}, 503)
        except Exception as error:  # noqa: BLE001  # whatever the driver raises, the answer is: not ready
            return JSONResponse({"ready": False, "database": type(error).__name__, "chats": {}}, 503)
        return JSONResponse({"ready": True, "database": "ok", "chats": self._chats(), "seen": self.seen()})

    def _chats(self) -> dict[str, int]:
        return {provider.value: count for provider, count in self.troubled().items()}

    async def metrics(self, _: Request) -> Response:
        """How things stand now, for Prometheus. Without the database what this process counted is still told."""
        up, stands = GaugeMetricFamily("sayso_database_up", "Whether the database answers: 1 or 0."), list[Family]()
        try:
            counts, offset = await self._standing()
        except Exception as error:  # noqa: BLE001  # whatever the driver raises, the answer is: not up
            log.warning("the database does not answer", error=told(error))
            up.add_metric([], 0)
        else:
            up.add_metric([], 1)
            stands = _stands(counts, self.clock.now(), offset)
        now = _registry([up, _dead(self.troubled()), *stands])
        return Response(generate_latest(now) + generate_latest(self.counted), media_type=TYPE)

    async def _look(self) -> tuple[Counts, float | None]:
        counts = await self.records.counts(self.clock.now())
        before = self.clock.now()
        theirs = await self.records.clock()
        return counts, None if theirs is None else surely_ahead(before, theirs, self.clock.now())


Family = GaugeMetricFamily


def _dead(troubled: Mapping[Provider, int]) -> Family:
    dead = Family("sayso_connections_dead", "Accounts of chats that cannot be used, by provider.", labels=["provider"])
    for provider in Provider:
        dead.add_metric([provider.value], troubled.get(provider, 0))
    return dead


def _stands(counts: Counts, now: datetime, offset: float | None) -> list[Family]:
    overdue = (now - counts.overdue_since).total_seconds() if counts.overdue_since else 0.0
    waiting = GaugeMetricFamily("sayso_outbox_waiting", "Deliveries owed, by lane.", labels=["lane"])
    late = GaugeMetricFamily("sayso_outbox_late_seconds", "Age of the oldest due delivery, by lane.", labels=["lane"])
    for lane in Lane:
        since = counts.late_since.get(lane)
        waiting.add_metric([lane.value], counts.waiting.get(lane, 0))
        late.add_metric([lane.value], (now - since).total_seconds() if since else 0.0)
    undone = GaugeMetricFamily(
        "sayso_due_undone_seconds", "Age of the oldest thing that is due and not done, by kind.", labels=["kind"]
    )
    for kind in DueKind:
        first = counts.undone_since.get(kind)
        undone.add_metric([kind.value], (now - first).total_seconds() if first else 0.0)
    plain = [
        ("sayso_interactions_pending", "Interactions that wait for an answer.", counts.pending),
        ("sayso_interactions_overdue", "Pending interactions whose time is over.", counts.overdue),
        ("sayso_interactions_overdue_seconds", "How late the oldest overdue interaction is.", overdue),
        ("sayso_posts_unknown", "Cards whose posting has an unknown outcome.", counts.unknown_posts),
        ("sayso_arrivals_waiting", "Arrivals stored but not handled.", counts.waiting_arrivals),
        ("sayso_deliveries_abandoned", "Deliveries that will never be done.", counts.abandoned),
        ("sayso_deliveries_retrying", "Deliveries that failed at least once and are tried again.", counts.retrying),
    ]
    if offset is not None:
        plain.append(("sayso_clock_ahead_seconds", "How far this machine's clock is ahead of the database's.", offset))
    return [*(Family(name, text, value=float(value)) for name, text, value in plain), waiting, late, undone]


def _registry(families: list[Family]) -> CollectorRegistry:
    class _Now:
        def collect(self) -> list[Family]:
            return families

    registry = CollectorRegistry()
    registry.register(_Now())
    return registry
