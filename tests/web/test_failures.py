"""What of a failure reaches logs and traces: its kind and where it was, never the text that somebody wrote."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pydantic
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import DBAPIError

from bot import tracing
from bot.failures import told, traced
from core.errors import Invalid, Misconfigured, Transient
from tests.postgres import running_server

WROTE = "delete-the-staging-database"
"""What somebody asked."""


class Asked(pydantic.BaseModel):
    """Takes a number."""

    number: int


def raised(by: Callable[[], object]) -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011  # every kind of it
        by()
    return caught.value


def fail(error: BaseException) -> None:
    raise error


Row = tuple[Callable[[], object], str]
QUOTING: tuple[Row, ...] = (
    (lambda: Asked.model_validate({"number": WROTE}), "ValidationError: Asked does not take it (int_parsing)"),
    (lambda: Asked.model_validate({WROTE: 1}), "ValidationError: Asked does not take it (missing)"),
    (lambda: int(WROTE), "ValueError"),  # quotes what is no number
    (lambda: {"other": 1}[WROTE], "KeyError"),  # is what was looked for
    (lambda: "".encode(WROTE), "LookupError"),  # a builtin, but not one that names only the program
    (lambda: fail(Invalid.at("/title", f"{WROTE} is taken")), "Invalid"),  # says what of a request is wrong
    (lambda: fail(type("Lib", (OSError,), {"__module__": "lib"})(f"https://h/{WROTE}")), "Lib"),  # requests' errors do
)
PLAIN: tuple[Row, ...] = (
    (lambda: fail(TypeError("'NoneType' object is not iterable")), "TypeError: 'NoneType' object is not iterable"),
    (
        lambda: Path("/nowhere/at-all").read_text(),
        "FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/at-all'",
    ),
    (lambda: fail(Misconfigured("SAYSO_PORT is no port")), "Misconfigured: SAYSO_PORT is no port"),
    (lambda: fail(Transient("Slack asked to wait")), "Transient: Slack asked to wait"),
    (lambda: sqlite3.connect(":memory:").execute("SELECT 1 FROM t"), "OperationalError: no such table: t"),
    (lambda: fail(KeyboardInterrupt()), "KeyboardInterrupt"),
)


@pytest.mark.parametrize(("by", "is_told"), QUOTING)
def test_the_words_of_a_failure_that_quotes_what_it_failed_on_are_not_told(
    by: Callable[[], object], is_told: str
) -> None:
    error = raised(by)
    assert told(error) == is_told
    assert WROTE not in traced(error)
    assert "test_failures.py" in traced(error)


@pytest.mark.parametrize(("by", "is_told"), PLAIN)
def test_the_words_of_a_failure_that_names_the_program_alone_are_told(by: Callable[[], object], is_told: str) -> None:
    assert told(raised(by)) == is_told


@pytest.fixture(scope="module")
def postgres() -> Iterator[Engine]:
    with running_server() as server:
        engine = create_engine(server, hide_parameters=True)
        with engine.begin() as connection:
            connection.execute(
                text("CREATE TABLE asked (title text NOT NULL, size int CONSTRAINT small CHECK (size < 9))")
            )
        yield engine
        engine.dispose()


@pytest.mark.parametrize(
    ("statement", "is_told"),
    [
        # DETAIL is the whole row.
        ("INSERT INTO asked VALUES (:wrote, 99)", "IntegrityError: CheckViolation: SQLSTATE 23514 asked small"),
        (
            "INSERT INTO asked VALUES (:wrote || NULL, 1)",
            "IntegrityError: NotNullViolation: SQLSTATE 23502 asked title",
        ),
        # The sentence itself quotes it, and DETAIL and CONTEXT do.
        ("SELECT CAST(:wrote AS json)", "DataError: InvalidTextRepresentation: SQLSTATE 22P02"),
        # Says what the program did wrong.
        ("SELECT :wrote FROM nowhere", 'ProgrammingError: UndefinedTable: relation "nowhere" does not exist'),
    ],
)
def test_a_database_that_quotes_a_row_is_not_quoted(postgres: Engine, statement: str, is_told: str) -> None:
    with postgres.connect() as connection, pytest.raises(DBAPIError) as caught:
        connection.execute(text(statement), {"wrote": WROTE})
    assert told(caught.value) == is_told
    assert WROTE not in traced(caught.value)


def test_a_database_that_cannot_be_reached_says_why() -> None:
    nowhere = URL.create("postgresql+psycopg", host="/nowhere", database="sayso")
    with pytest.raises(DBAPIError) as caught:
        create_engine(nowhere).connect()
    assert "No such file or directory" in told(caught.value)
    assert isinstance(caught.value.orig, psycopg.OperationalError)


def test_what_a_failure_came_of_and_each_of_several_is_told_in_the_same_way() -> None:
    def both() -> None:
        try:
            int(WROTE)
        except ValueError as first:
            raise ExceptionGroup(WROTE, [KeyError(WROTE), RuntimeError("no try was made")]) from first

    error = raised(both)
    text_ = traced(error)
    assert WROTE not in text_
    assert text_.index("ValueError") < text_.index("caused by") < text_.index("ExceptionGroup: 2 failures")
    assert "  | KeyError" in text_
    assert "  | RuntimeError: no try was made" in text_


def test_failures_that_are_each_others_context_come_to_an_end() -> None:
    one, other = KeyError(WROTE), KeyError(WROTE)
    one.__context__, other.__context__ = other, one
    assert traced(one).count("KeyError") == 2


def test_a_span_keeps_the_kind_of_a_failure_and_not_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(tracing, "tracer", provider.get_tracer("sayso"))
    with suppress(ValueError), tracing.span("arrival slack", {"sayso.arrival": "slack:1"}):
        int(WROTE)
    (span,) = kept.get_finished_spans()
    provider.shutdown()
    assert WROTE not in span.to_json()
    assert span.status.description == "ValueError"
    assert dict(span.attributes or {}) == {"sayso.arrival": "slack:1", "error.type": "ValueError"}
