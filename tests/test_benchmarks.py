"""The benchmark's own arithmetic, and that it measures nothing that was refused. No test here waits on a time."""

from __future__ import annotations

import json

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.sandbox.serving import serving
from tests import readme
from tests.benchmarks.load import Sample, drive
from tests.benchmarks.report import ASK, INSERT, JOBS, Measured, as_markdown, as_text
from tests.benchmarks.wire import with_json


async def _echo(request: Request) -> Response:
    said = await request.json()
    return JSONResponse(said, 201 if said["number"] < 90 else 409)


ECHO = Starlette(routes=[Route("/", _echo, methods=["POST"])])


async def test_answers_keep_the_order_of_their_requests_however_many_are_sent_at_once() -> None:
    async with serving(ECHO) as address:
        requests = [with_json("POST", "/", {"number": number, "words": "é" * number}) for number in range(50)]
        sample, answers = await drive(address.port, requests, 8, 201)
    assert [json.loads(answer.body)["number"] for answer in answers] == list(range(50))
    assert len(sample.took) == 50
    assert max(sample.took) <= sample.seconds


async def test_what_is_refused_ends_the_run() -> None:
    async with serving(ECHO) as address:
        with pytest.raises(AssertionError, match="409"):
            await drive(address.port, [with_json("POST", "/", {"number": 90})], 1, 201)


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.5, 2.0),  # two of four were done within it
        (0.51, 3.0),  # three, as two would be too few
        (0.99, 4.0),  # all, where there are too few for a hundredth
    ],
)
def test_a_quantile_is_a_time_that_was_measured(share: float, expected: float) -> None:
    assert Sample(10.0, (3.0, 1.0, 4.0, 2.0)).quantile(share) == expected


def _measured() -> Measured:
    found = Measured("SQLite", heard=Sample(0.1, (0.001, 0.002)))
    found.add(INSERT, 1, Sample(1.0, (0.01,) * 50))
    found.add(INSERT, 1, Sample(1.0, (0.01,) * 50))
    for job in JOBS:
        found.add(job, 1, Sample(2.0, (0.05,) * 20))
    return found


def test_a_ratio_says_how_many_bare_inserts_are_done_meanwhile() -> None:
    assert _measured().times(ASK, 1) == pytest.approx(5.0)
    assert _measured().times(INSERT, 1) == pytest.approx(1.0)


def test_both_tables_name_every_job() -> None:
    text, markdown = as_text(_measured()), as_markdown([_measured()], (1,))
    assert [job for job in JOBS if job not in text] == []
    assert [words for words in JOBS.values() if f"| {words} | 5.0 |" not in markdown] == []


def test_the_readme_holds_a_ratio_for_every_job_on_both_databases() -> None:
    """`python -m tests.benchmarks --write` puts them there."""
    rows = [line.split("|")[1:-1] for line in readme.part("speed").splitlines() if line.startswith("| ")]
    assert [row[0].strip() for row in rows[1:]] == list(JOBS.values())
    assert ["SQLite" in rows[0][1], "PostgreSQL" in rows[0][-1]] == [True, True]
    assert all(float(cell) > 0 for row in rows[1:] for cell in row[1:])
