"""While the database is away: the log says so and stays readable, programs and people hear that it will be over."""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from starlette.requests import Request

from bot.config import LogStyle
from bot.log import set_up
from bot.outage import EVERY, Outage
from bot.web.doors import Door
from bot.web.drawing import Drawing
from bot.web.errors import problem
from bot.web.security import Guard
from core.errors import Away, Raced

GONE = Away("the database does not answer: connection refused at 10.0.0.5")


def written(step: Outage, error: BaseException | None) -> dict[str, Any] | None:
    """The line that comes of this one; None: none."""
    try:
        return dict(step(None, "error", {"event": "job failed", "exc_info": error}))
    except structlog.DropEvent:
        return None


def test_of_many_lines_that_say_it_one_in_ten_seconds_is_written_and_counts_the_others() -> None:
    moments = itertools.count(0.0, EVERY / 5)
    lines = [written(step, GONE) for step in [Outage(lambda: next(moments))] for _ in range(11)]
    kept = [line for line in lines if line is not None]
    assert [number for number, line in enumerate(lines) if line is not None] == [0, 5, 10]
    assert [line.get("alike") for line in kept] == [None, 4, 4]
    assert {line["error"] for line in kept} == {str(GONE)}
    assert not any("exc_info" in line for line in kept)


def test_what_else_fails_is_written_each_time() -> None:
    step = Outage(lambda: 0.0)
    both = ExceptionGroup("", [GONE, ValueError()])
    assert all(written(step, error) is not None for error in (GONE, Raced(), None, both, both, ValueError()))
    assert written(step, ExceptionGroup("", [GONE, ExceptionGroup("", [GONE])])) is None  # nothing else among them


@pytest.fixture
def _as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.mark.usefixtures("_as_it_was")
def test_the_log_has_one_line_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    set_up(LogStyle.JSON)
    for name in ("expire", "wake", "ask") * 3:
        try:
            raise GONE
        except Away:
            structlog.get_logger("sayso.test").exception("job failed", job=name)
    (line,) = [json.loads(one) for one in capsys.readouterr().err.splitlines()]
    assert (line["event"], line["job"], line["error"]) == ("job failed", "expire", str(GONE))


def test_a_program_hears_to_send_it_again_and_nothing_of_where_the_database_is() -> None:
    response = problem(GONE)
    body = json.loads(bytes(response.body))
    assert (response.status_code, body["type"]) == (503, "urn:sayso:problems/unavailable")
    assert int(response.headers["Retry-After"]) > 0
    assert "10.0.0.5" not in str(body)


async def test_a_person_gets_a_page_that_says_to_try_again() -> None:
    async def fail(_: Request) -> Any:
        raise GONE

    door = Door(Drawing(Guard("https://sayso.example.com", b"k" * 32)), get=fail)
    request = Request({"type": "http", "method": "GET", "path": "/inbox", "headers": [], "query_string": b""})
    response = await door._answer(request)  # the whole of it needs a server
    assert response.status_code == 503
    assert "Please try again in a moment" in bytes(response.body).decode()
    assert "10.0.0.5" not in bytes(response.body).decode()
