"""What a collector of traces gets from a real process: requests, arrivals and deliveries, with what was decided in
them, and nothing of what was asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.sandbox.serving import serving
from tests.flows.processes import process
from tests.flows.rig import ANA, KEY, eventually, free_port, question, settings_for, sqlite_at, stand_ins


@asynccontextmanager
async def collecting(port: int) -> AsyncIterator[list[Span]]:
    """A collector, and the spans that it got."""
    spans: list[Span] = []

    async def take(request: Request) -> Response:
        sent = ExportTraceServiceRequest.FromString(await request.body())
        spans.extend(span for of in sent.resource_spans for scope in of.scope_spans for span in scope.spans)
        return Response(ExportTraceServiceResponse().SerializeToString(), media_type="application/x-protobuf")

    async with serving(Starlette(routes=[Route("/v1/traces", take, methods=["POST"])]), port=port):
        yield spans


async def test_a_collector_gets_requests_arrivals_and_deliveries_with_what_was_decided(tmp_path: Path) -> None:
    to = free_port()
    async with collecting(to) as spans, stand_ins() as (slack, telegram, _):
        more: dict[str, Any] = {"socket_mode": True, "otel_exporter_otlp_endpoint": f"http://127.0.0.1:{to}"}
        settings = settings_for(slack, telegram, sqlite_at(tmp_path), free_port(), **more)
        async with process(settings, tmp_path / "log") as one:
            api = httpx2.AsyncClient(base_url=one.url, headers={"Authorization": f"Bearer {KEY}"}, timeout=30)
            async with api:
                asked = await api.post("/v1/interactions", json=question())
                assert asked.status_code == 201, asked.text
                id_ = asked.json()["id"]

                async def posted() -> bool:
                    return bool((await api.get(f"/v1/interactions/{id_}")).json()["publications"][0]["message"])

                await eventually(posted)
                await slack.person(ANA).press("Yes")
                assert (await api.get(f"/v1/interactions/{id_}?wait=10")).json()["status"] == "answered"
            await one.stop()  # sends what is left
    names = {span.name for span in spans}
    assert {"POST /v1/interactions", "arrival slack", "delivery post", "delivery redraw"} <= names
    begun = {span.trace_id: span.name for span in spans if not span.parent_span_id}
    decided = {event.name: begun[span.trace_id] for span in spans for event in span.events}
    assert decided["interaction.created"] == "POST /v1/interactions"
    assert decided["interaction.answered"] == "arrival slack"
    said = " ".join(str(span) for span in spans)
    assert id_ in said
    assert [
        word for word in (KEY, slack.bot_token, telegram.bot_token, "Release 4.2", "Ship now?") if word in said
    ] == []
