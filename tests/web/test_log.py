"""What a log may hold: no secrets, no insides of a failure, and nothing that breaks the line itself."""

from __future__ import annotations

import ast
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bot.config import LogStyle
from bot.log import set_up
from core.store import migrate, open_engine

ROOT = Path(__file__).parents[2]
LEVELS = frozenset({"debug", "info", "warning", "error", "exception", "critical"})
TAKEN = frozenset({"event", "level", "logger", "timestamp", "exception", "stack"})
"""What a line has already. `event` as a fact is an error at the call itself, so only once something goes wrong."""
SECRETS = (
    "xoxb-1234-abcdef",
    "xapp-1-A1-2-abc",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "sk_" + "k" * 43,
    "7000000001:AAF-" + "x" * 32,
)


@pytest.fixture
def _as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def fail(body: str) -> None:
    if body:
        raise RuntimeError("refused: " + ", ".join(SECRETS))


@pytest.mark.usefixtures("_as_it_was")
@pytest.mark.parametrize("style", LogStyle)
@pytest.mark.parametrize("ours", [True, False], ids=["our logger", "a library's"])
def test_a_failure_is_told_without_its_insides_or_any_secret(
    style: LogStyle, ours: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up(style)
    try:
        fail("etorw ydobemos tahw"[::-1])
    except RuntimeError as error:
        if ours:
            structlog.get_logger("sayso.test").error("it failed", why=str(error), exc_info=True)
        else:
            logging.getLogger("library").exception("it failed")
    said = capsys.readouterr().err
    assert "it failed" in said
    assert "RuntimeError" in said
    assert "(secret)" in said
    assert "what somebody wrote" not in said
    assert [secret for secret in SECRETS if secret in said] == []
    if style is LogStyle.JSON:
        assert [json.loads(line)["level"] for line in said.splitlines()] == ["error"]


@pytest.mark.usefixtures("_as_it_was")
@pytest.mark.parametrize("style", LogStyle)
def test_secrets_are_hidden_however_deep_and_in_addresses(style: LogStyle, capsys: pytest.CaptureFixture[str]) -> None:
    set_up(style)
    facts = {
        "asked": {"body": [{"key": SECRETS[3]}], SECRETS[0]: 1},
        "failed": ValueError(SECRETS[2]),
        "raw": SECRETS[1].encode(),
        "url": f"https://api.telegram.org/bot{SECRETS[4]}/sendMessage",
        "database": "postgresql://sayso:hunter2@db/sayso",
    }
    structlog.get_logger("sayso.test").warning("asked", **facts)
    logging.getLogger("library").warning("asked %s", facts["url"], extra=facts)
    said = capsys.readouterr().err
    assert said.count("(secret)") >= 12
    assert [secret for secret in (*SECRETS, "hunter2") if secret in said] == []


@pytest.mark.usefixtures("_as_it_was")
@pytest.mark.parametrize("style", LogStyle)
def test_nothing_from_outside_begins_another_line_or_steers_a_terminal(
    style: LogStyle, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up(style)
    hostile = "no\r\n2026-12-03T08:00:00Z [info] signed in\x1b[2J\x9b2J"
    structlog.get_logger("sayso.test").warning("refused", error=hostile, more={"a": [hostile]})
    logging.getLogger("library").warning("refused %s", hostile)
    structlog.get_logger("sayso.test").warning("failed", exc_info=ValueError("\x1b[2Jgone"))
    said = capsys.readouterr().err
    assert {sign for sign in said if not sign.isprintable()} <= {"\n"}
    refused = [line for line in said.splitlines() if "signed in" in line]
    assert len(refused) == 2
    assert all("refused" in line for line in refused)


def test_no_line_is_given_a_fact_that_it_has_already() -> None:
    clashes = [
        f"{path.relative_to(ROOT)}:{call.lineno} {fact.arg}"
        for folder in ("bot", "adapters")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in LEVELS
        if isinstance(call.func.value, ast.Name) and call.func.value.id in ("log", "_log")
        for fact in call.keywords
        if fact.arg in TAKEN
    ]
    assert clashes == []


@pytest.mark.usefixtures("_as_it_was")
@pytest.mark.parametrize("style", LogStyle)
def test_a_line_of_the_server_is_said_once_and_without_colours(
    style: LogStyle, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up(style)
    logging.getLogger("uvicorn.error").info("Started %d", 7, extra={"color_message": "Started \x1b[36m%d\x1b[0m"})
    said = capsys.readouterr().err
    assert "Started 7" in said
    assert "36m" not in said
    assert "color_message" not in said


@pytest.mark.usefixtures("_as_it_was")
async def test_bringing_the_tables_up_to_date_says_nothing_of_how(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up(LogStyle.CONSOLE)
    engine = open_engine(f"sqlite+aiosqlite:///{tmp_path / 'sayso.sqlite3'}")
    await migrate(engine)
    await engine.dispose()
    assert capsys.readouterr().err == ""
