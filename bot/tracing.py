"""Traces, for operators who collect them: requests (FastAPI's own spans), arrivals, and deliveries, each with what was
decided in it. Ids and kinds only. Without `OTEL_EXPORTER_OTLP_ENDPOINT` nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version

from opentelemetry import trace

from bot.failures import told
from core.errors import Misconfigured

tracer = trace.get_tracer("sayso")
"""Records once `begin` was called, and does nothing before."""

LIBRARIES_MISSING = (
    "OTEL_EXPORTER_OTLP_ENDPOINT is set, but what sends traces is not installed: install sayso with its `otel` extra "
    "(pip install '.[otel]'), or unset it."
)


@contextmanager
def span(name: str, about: Mapping[str, str | int]) -> Iterator[None]:
    """Record what is done in the block. OpenTelemetry by itself adds the words of a failure to it, which may quote what
    somebody wrote; here it gets as much of them as `told` gives."""
    with tracer.start_as_current_span(
        name, attributes=about, record_exception=False, set_status_on_exception=False
    ) as own:
        try:
            yield
        except Exception as error:
            own.set_status(trace.StatusCode.ERROR, told(error))
            own.set_attribute("error.type", type(error).__name__)
            raise


def begin(endpoint: str) -> Callable[[], None]:
    """Send spans to this OTLP endpoint (HTTP) from now on, in batches; returns what sends the rest and ends it. Headers
    and the like are the SDK's own settings, `OTEL_EXPORTER_OTLP_HEADERS` and so on. Raises `Misconfigured`."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415  # an extra that most installations lack
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415  # an extra that most installations lack
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415  # an extra that most installations lack
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415  # an extra that most installations lack
    except ImportError:
        raise Misconfigured(LIBRARIES_MISSING) from None
    resource = Resource.create({"service.name": "sayso", "service.version": version("sayso")})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")))
    trace.set_tracer_provider(provider)
    return provider.shutdown
