"""Serving one process until it is told to stop; what is in hand then is finished first."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import signal
import socket
from collections.abc import Iterator, Sequence
from datetime import timedelta

import structlog
import uvicorn
import uvicorn.server
from starlette.types import ASGIApp

from bot.app import App, build
from bot.config import Settings
from bot.draining import Draining
from bot.listening import listener
from bot.log import set_up
from bot.protocol import Impatient
from bot.shapes import Network
from bot.tracing import begin
from bot.wake import Waiter
from core.errors import Misconfigured

log = structlog.get_logger("sayso.serve")

GRACE = 10
"""Seconds that requests in hand have to end once the process is told to stop."""
KEPT_OPEN = 75
"""Seconds that a connection without a request is kept open: longer than load balancers keep theirs, most for 60. Closed
first from here, it would now and then be closed in the moment in which one sends the next request on it."""


class _Server(uvicorn.Server):
    """uvicorn that wakes long polls and streams before it waits for them to end."""

    def __init__(self, config: uvicorn.Config, waiter: Waiter) -> None:
        super().__init__(config)
        self._waiter = waiter

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `_end_when_told`: uvicorn raises them again once the last request is answered, which would
        end the process before what the relay has in hand."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._waiter.close()
        await super().shutdown(sockets)


def serve(settings: Settings) -> None:
    """Run the service until SIGTERM or SIGINT. Raises `Misconfigured`."""
    set_up(settings.sayso_log)
    end_traces = begin(settings.otel_exporter_otlp_endpoint) if settings.otel_exporter_otlp_endpoint else None
    try:
        asyncio.run(run(build(settings)))
    finally:
        if end_traces is not None:
            end_traces()


async def run(app: App) -> None:
    """Run one process of the service until SIGTERM or SIGINT. Raises `Misconfigured`."""
    settings = app.settings
    try:
        bound = listener(settings.sayso_host, settings.sayso_port)
    except OSError as error:
        raise Misconfigured(
            f"SAYSO_PORT {settings.sayso_port} on {settings.sayso_host} cannot be listened on ({error.strerror}); "
            "choose another, or end what uses it."
        ) from None
    with bound:
        async with app.running() as web:
            host, port = bound.getsockname()[:2]
            log.info("listening", url=f"http://{host}:{port}", role=settings.sayso_role.value, owner=app.owner)
            server = _Server(server_config(web, settings.sayso_trusted_proxies), app.waiter)
            _end_when_told(server, app.draining, settings.drain)
            await server.serve(sockets=[bound])


def _end_when_told(server: uvicorn.Server, draining: Draining, drain: timedelta) -> None:
    """Let the first SIGTERM end the server after `drain`, and SIGINT at once: whoever presses Ctrl+C waits for no load
    balancer. A second signal ends the process as if it were killed."""
    loop = asyncio.get_running_loop()

    def close() -> None:
        server.should_exit = True

    def end(told: signal.Signals) -> None:
        for one in uvicorn.server.HANDLED_SIGNALS:
            loop.remove_signal_handler(one)
        draining.begin()
        seconds = 0.0 if told is signal.SIGINT else drain.total_seconds()
        log.info("stopping", serves_on=seconds)
        loop.call_later(seconds, close)

    for one in uvicorn.server.HANDLED_SIGNALS:
        loop.add_signal_handler(one, end, signal.Signals(one))


def server_config(web: ASGIApp, proxies: Sequence[Network] = ()) -> uvicorn.Config:
    """How uvicorn serves the application. Only `proxies` are believed when they say whose request they pass on; left to
    itself uvicorn believes whoever is on this machine."""
    return uvicorn.Config(
        web,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        http=Impatient,
        timeout_keep_alive=KEPT_OPEN,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=[str(written) for one in proxies for written in _spellings(one)],
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=64 * 1024,
    )


def _spellings(network: Network) -> tuple[Network, ...]:
    """A network as a socket of either kind says it: one for IPv6 calls 10.0.0.1 `::ffff:10.0.0.1`."""
    if isinstance(network, ipaddress.IPv6Network):
        return (network,)
    mapped = ipaddress.IPv6Network(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return (network, mapped)
