"""`sayso init` on a real terminal: from nothing to a pressed card in both chats, again, and with nobody there."""

from __future__ import annotations

import asyncio
import re
import stat
from pathlib import Path

import pytest

from adapters.slack.manifest import creation_link
from bot.cli import main
from bot.config import load
from bot.setup.trying import ASKER
from bot.startup import WORKSPACE
from core.people import Role
from core.ports import Context
from core.store import Store
from tests.setting_up.initiating import (
    ANA,
    Chats,
    connect_slack,
    names_in,
    press_in_slack,
    press_in_telegram,
    quietly,
    settings_in,
)
from tests.setting_up.stores import in_new_store
from tests.setting_up.terminal import COLUMNS, terminal


async def test_from_nothing_to_a_pressed_card_in_both_chats_and_again_without_a_question(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with terminal(["init"], tmp_path, chats.environment) as one:
        await connect_slack(one, chats)
        await one.shows("Connect Telegram")
        await one.type("y")
        await one.shows("Bot token \\(not shown\\): ")
        await one.type_unseen(chats.telegram.bot_token)
        await one.shows(f"it is @{chats.telegram.bot_username}")
        await one.shows("short name")
        await one.type("")
        await one.shows("ana is an operator")
        await one.shows("Your Slack name")
        await one.type("@nobody")
        await one.shows("nobody in the workspace is called @nobody")
        await one.type("Ana Lopez")
        await one.shows(rf"Ana Lopez \(@ana, {ANA}\): is this you\?")
        await one.type("y")
        start = await one.shows(rf"https://t\.me/{chats.telegram.bot_username}\?start=([\w-]+)")
        await one.shows(rf"write this to @{chats.telegram.bot_username} instead:\s+/start {re.escape(start[1])}\s")
        chats.telegram.human.start(42, start[1])
        await one.shows(r"Ana \(telegram:42\) pressed Start: is this you\?")
        await one.type("")
        await one.shows("Waiting until")
        await press_in_slack(chats)
        await one.shows(r"It works: ana \(slack:T0ACME\.U0ANA\) pressed it in Slack\. The receipt is (rcp_\w+)")
        await one.shows("Waiting until")
        await press_in_telegram(chats)
        await one.shows(r"It works: ana \(telegram:42\) pressed it in Telegram\. The receipt is (rcp_\w+)")
        await one.shows("first program")
        await one.type("release-bot")
        await one.shows("sayso serve")
        await one.shows(r'\(set -a; \. \./\.env\.release-bot; sayso ask "Does it work\?" --to person:ana --wait\)')
        assert await one.ended() == 0
        first = one.said
    _check_screen(first, chats)
    _check_folder(tmp_path, chats)
    monkeypatch.chdir(tmp_path)
    await in_new_store(_check_people)

    before = (tmp_path / ".env").stat()
    async with terminal(["init"], tmp_path, chats.environment) as again:
        assert await again.ended() == 0
        assert "[Y/n]" not in again.said
        assert "not shown" not in again.said
        for words in (
            "it is sayso in Acme",
            "The operator is ana",
            "Slack works: the last press",
            "release-bot may ask",
        ):
            assert words in again.said
        _check_screen(again.said, chats)
    assert (tmp_path / ".env").stat().st_ino == before.st_ino


def _check_screen(said: str, chats: Chats) -> None:
    """What is on the screen fits it, but for what is to be copied whole, and no secret is on it."""
    for line in said.splitlines():
        assert len(line) <= COLUMNS + len("\x1b[32m\x1b[0m") or line.startswith(("https://", "    (set -a"))
    assert not [secret for secret in chats.secrets if secret in said]
    assert "Traceback" not in said


def _check_folder(folder: Path, chats: Chats) -> None:
    """Everything is written, and nobody else can read it."""
    settings = settings_in(folder)
    assert settings.pop("SAYSO_SECRET_KEY")
    assert settings == {
        "SLACK_BOT_TOKEN": chats.slack.bot_token,
        "SLACK_APP_TOKEN": chats.slack.app_token,
        "TELEGRAM_BOT_TOKEN": chats.telegram.bot_token,
    }
    for name in (".env", ".env.release-bot"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / ".data").stat().st_mode) == 0o700
    assert names_in(folder) == {".env", ".env.release-bot", ".data"}


async def _check_people(store: Store, _: Context) -> None:
    (ana,) = await store.records.people(WORKSPACE)
    assert (ana.handle, ana.role) == ("ana", Role.OPERATOR)
    assert sorted(map(str, ana.identities)) == ["slack:T0ACME.U0ANA", "telegram:42"]
    assert {one.name for one in await store.records.agents(WORKSPACE)} == {ASKER, "release-bot"}


@pytest.mark.slow  # starts the service once more; what is missing is named below, and the walk above takes the rest
async def test_without_a_terminal_it_takes_everything_from_the_environment(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = {
        "SLACK_BOT_TOKEN": chats.slack.bot_token,
        "SLACK_APP_TOKEN": chats.slack.app_token,
        "TELEGRAM_BOT_TOKEN": chats.telegram.bot_token,
    }
    given = ["--operator", "ana", "--slack-user", ANA, "--telegram-user", "42", "--agent", "ci"]
    run = await asyncio.to_thread(quietly, ["init", "--yes", *given], tmp_path, {**chats.environment, **tokens})
    assert run.returncode == 0, run.stdout + run.stderr
    assert not [secret for secret in chats.secrets if secret in run.stdout + run.stderr]
    assert tokens.items() <= settings_in(tmp_path).items()
    monkeypatch.chdir(tmp_path)

    async def look(store: Store, _: Context) -> list[str]:
        (ana,) = await store.records.people(WORKSPACE)
        assert "ci" in {one.name for one in await store.records.agents(WORKSPACE)}
        return sorted(map(str, ana.identities))

    assert await in_new_store(look) == ["slack:T0ACME.U0ANA", "telegram:42"]
    assert load().slack_socket_mode


@pytest.mark.parametrize(
    ("arguments", "tokens", "words"),
    [
        pytest.param([], {}, "use `sayso init --yes`", id="nobody there"),
        pytest.param(["--yes", "--slack"], {}, "SLACK_BOT_TOKEN is missing", id="no token"),
        pytest.param(
            ["--yes"], {"TELEGRAM_BOT_TOKEN": "12345:x"}, "TELEGRAM_BOT_TOKEN is not good", id="a token that is none"
        ),
        pytest.param(
            ["--yes"],
            {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "SLACK_API_URL": "http://127.0.0.1:1"},
            "SLACK_BOT_TOKEN could not be checked: Slack cannot be reached",
            id="Slack away",
        ),
        pytest.param(["--yes"], {"SAYSO_PORT": "none"}, "SAYSO_PORT is malformed", id="a setting nobody is asked for"),
        pytest.param(
            ["--yes", "--public-url", "https://sayso.example.com/?a=b"],
            {},
            "--public-url must be a plain address, without a query",
            id="an address that would let nothing start",
        ),
    ],
)
async def test_what_is_missing_without_a_terminal_is_named(
    chats: Chats,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    tokens: dict[str, str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {**chats.environment, **tokens}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        await asyncio.to_thread(main, ["init", *arguments])
    said = capsys.readouterr()
    assert ended.value.code == 1
    assert words in said.err
    if "--slack" in arguments:
        assert creation_link(None) in said.out
        assert "socket_mode_enabled: true" in said.out
    assert names_in(tmp_path) == set()
