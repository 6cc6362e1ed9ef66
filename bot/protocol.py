"""uvicorn's HTTP/1.1 for the open network: who is slow with a request is answered or not, and hung up on."""

from __future__ import annotations

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.web.patience import READING

HOLD: Final = READING + 10
"""Seconds that a connection may be open without a whole request: longer than reading a body may take, whose end is
answered. uvicorn itself waits for ever, also for the rest of what it has answered already."""


class Impatient(H11Protocol):
    """Closes a connection `hold` seconds after it began, or a request on it did, unless that is here whole."""

    hold: float = HOLD
    _overdue: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its base
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on, unless that was the end of the request."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._overdue is None:
            self._overdue = self.loop.call_later(self.hold, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None
