"""`sayso init` on a real terminal against both stand-ins: the first time, again, with wrong tokens, interrupted."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest

from adapters.slack.manifest import creation_link
from bot.cli import main
from bot.config import load
from bot.sandbox.slack.faults import FaultKind
from bot.sandbox.slack.seen import NotOnScreen
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.setup.trying import ASKER
from bot.startup import WORKSPACE
from core.people import Role
from core.ports import Context
from core.store import Store
from tests.flows.rig import eventually, free_port
from tests.setting_up.doctoring import slack_with, telegram_with
from tests.setting_up.stores import in_new_store
from tests.setting_up.terminal import COLUMNS, ROOT, Terminal, terminal
from tests.setting_up.test_doctor_beside import service

ANA = "U0ANA"
YES = "Yes, it does"


class Chats(NamedTuple):
    """Both stand-ins with Ana in them, and the environment that finds them."""

    slack: SlackStandIn
    telegram: TelegramStandIn
    environment: dict[str, str]

    @property
    def secrets(self) -> list[str]:
        return [self.slack.bot_token, self.slack.app_token, self.telegram.bot_token]


@pytest.fixture
async def chats() -> AsyncIterator[Chats]:
    async with slack_with().serve() as slack, telegram_with().serve() as telegram:
        slack.workspace.add_user("ana", "Ana Lopez", user_id=ANA)
        slack.workspace.add_user("bea", "Bea", user_id="U0BEA")
        telegram.scene.create_user("Ana", user_id=42)
        environment = {
            "SLACK_API_URL": slack.api_url,
            "TELEGRAM_API_URL": telegram.api_url,
            "SAYSO_PORT": str(free_port()),
            "USER": "ana",
        }
        yield Chats(slack, telegram, environment)


async def _connect_slack(one: Terminal, chats: Chats) -> None:
    await one.shows("Connect Slack")
    one.type("")
    await one.shows("app is there")
    one.type("")
    await one.shows("xoxb-… \\(not shown\\): ")
    await one.type_unseen(chats.slack.bot_token)
    await one.shows("xapp-… \\(not shown\\): ")
    await one.type_unseen(chats.slack.app_token)
    await one.shows("Socket Mode opens")


async def _press_in_slack(chats: Chats) -> None:
    async def press() -> bool:
        try:
            return (await chats.slack.person(ANA).press(YES)).sent
        except NotOnScreen:
            return False

    await eventually(press)


async def _press_in_telegram(chats: Chats) -> None:
    await chats.telegram.until(lambda: any(YES in str(m.content) for m in chats.telegram.world.history(42)))
    await chats.telegram.human.press(42, 42, YES)


def _settings(folder: Path) -> dict[str, str]:
    pairs = (line.partition("=") for line in (folder / ".env").read_text().splitlines())
    return {name: value for name, _, value in pairs}


async def test_from_nothing_to_a_pressed_card_in_both_chats_and_again_without_a_question(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with terminal(["init"], tmp_path, chats.environment) as one:
        await _connect_slack(one, chats)
        await one.shows("Connect Telegram")
        one.type("y")
        await one.shows("Bot token \\(not shown\\): ")
        await one.type_unseen(chats.telegram.bot_token)
        await one.shows(f"it is @{chats.telegram.bot_username}")
        await one.shows("short name")
        one.type("")
        await one.shows("ana is an operator")
        await one.shows("Your Slack name")
        one.type("@nobody")
        await one.shows("nobody in the workspace is called @nobody")
        one.type("Ana Lopez")
        await one.shows(rf"Ana Lopez \(@ana, {ANA}\): is this you\?")
        one.type("y")
        start = await one.shows(rf"https://t\.me/{chats.telegram.bot_username}\?start=([\w-]+)")
        chats.telegram.human.start(42, start[1])
        await one.shows(r"Ana \(telegram:42\) pressed Start: is this you\?")
        one.type("")
        await one.shows("Waiting until")
        await _press_in_slack(chats)
        await one.shows(r"It works: ana \(slack:T0ACME\.U0ANA\) pressed it in Slack\. The receipt is (rcp_\w+)")
        await one.shows("Waiting until")
        await _press_in_telegram(chats)
        await one.shows(r"It works: ana \(telegram:42\) pressed it in Telegram\. The receipt is (rcp_\w+)")
        await one.shows("first program")
        one.type("release-bot")
        await one.shows("sayso serve")
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
        assert len(line) <= COLUMNS + len("\x1b[32m\x1b[0m") or line.startswith("https://")
    assert not [secret for secret in chats.secrets if secret in said]
    assert "Traceback" not in said


def _check_folder(folder: Path, chats: Chats) -> None:
    """Everything is written, and nobody else can read it."""
    settings = _settings(folder)
    assert settings.pop("SAYSO_SECRET_KEY")
    assert settings == {
        "SLACK_BOT_TOKEN": chats.slack.bot_token,
        "SLACK_APP_TOKEN": chats.slack.app_token,
        "TELEGRAM_BOT_TOKEN": chats.telegram.bot_token,
    }
    for name in (".env", ".env.release-bot"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / ".data").stat().st_mode) == 0o700
    assert _names(folder) == {".env", ".env.release-bot", ".data"}


def _names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


async def _check_people(store: Store, _: Context) -> None:
    (ana,) = await store.records.people(WORKSPACE)
    assert (ana.handle, ana.role) == ("ana", Role.OPERATOR)
    assert sorted(map(str, ana.identities)) == ["slack:T0ACME.U0ANA", "telegram:42"]
    assert {one.name for one in await store.records.agents(WORKSPACE)} == {ASKER, "release-bot"}


async def test_each_wrong_token_gets_its_sentence_and_ctrl_c_leaves_nothing_half_written(
    chats: Chats, tmp_path: Path
) -> None:
    slack = chats.slack
    wrong_bots = {
        slack.app_token: "this is an app-level token, not a bot token",
        "xoxp-1-2-3": "this is a user token",
        slack.signing_secret: "this is a signing secret",
        "xoxb-made-up": r"Slack does not know this token \(invalid_auth\)",
    }
    wrong_apps = {
        slack.bot_token: "this is a bot token, not an app-level token",
        slack.settings.other_app_token: "this token is of the app A0OTHER",
    }
    async with terminal(["init"], tmp_path, chats.environment) as one:
        await one.shows("Connect Slack")
        one.type("y")
        await one.shows("app is there")
        one.type("m")
        await one.shows("socket_mode_enabled: true")
        for token, words in (wrong_bots | {slack.bot_token: "it is sayso in Acme"}).items():
            await one.shows(r"xoxb-… \(not shown\): ")
            await one.type_unseen(token)
            await one.shows(words)
        for token, words in wrong_apps.items():
            await one.shows(r"xapp-… \(not shown\): ")
            await one.type_unseen(token)
            await one.shows(words)
        await one.shows(r"xapp-… \(not shown\): ")
        await one.type_unseen("")
        await one.shows(r"xapp-… \(not shown\): ")
        one.interrupt()
        assert await one.ended() == 130
        assert one.echoes
        assert "Stopped." in one.said
        assert not [secret for secret in [*wrong_bots, *wrong_apps] if secret in one.said]
    assert _names(tmp_path) == set()


async def test_only_what_is_broken_is_asked_for_again(chats: Chats, tmp_path: Path) -> None:
    kept = f"# mine\nSLACK_BOT_TOKEN={chats.slack.bot_token}\nSLACK_APP_TOKEN=xapp-broken\nMINE='a b'\n"
    (tmp_path / ".env").write_text(kept)
    async with terminal(["init", "--no-telegram", "--no-test"], tmp_path, chats.environment) as one:
        await one.shows("it is sayso in Acme")
        await one.shows("SLACK_APP_TOKEN: Slack does not know")
        await one.shows(r"xapp-… \(not shown\): ")
        await one.type_unseen(chats.slack.app_token)
        await one.shows("Socket Mode opens")
        await one.shows("short name")
        one.interrupt()
        assert await one.ended() == 130
    text = (tmp_path / ".env").read_text()
    assert text.startswith(kept.replace("xapp-broken", chats.slack.app_token))


async def test_a_card_that_nobody_waits_for_is_taken_back(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        f"SLACK_BOT_TOKEN={chats.slack.bot_token}\nSLACK_APP_TOKEN={chats.slack.app_token}\n"
    )
    wishes = ["init", "--no-telegram", "--operator", "ana", "--slack-user", ANA]
    async with terminal(wishes, tmp_path, chats.environment) as one:
        await one.shows("is this you")
        one.type("y")
        await one.shows("Waiting until")
        one.interrupt()
        assert await one.ended() == 130
    monkeypatch.chdir(tmp_path)

    async def statuses(store: Store, _: Context) -> list[str]:
        return [str(one.interaction.status) for one in await store.records.interactions(WORKSPACE, None)]

    assert await in_new_store(statuses) == ["withdrawn"]


async def test_a_service_that_runs_already_is_used(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tokens = {"SLACK_BOT_TOKEN": chats.slack.bot_token, "SLACK_APP_TOKEN": chats.slack.app_token}
    async with service(monkeypatch, {**chats.environment, **tokens}) as app:
        await app.chats.all_connected()
        (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in tokens.items()))
        same = {"SAYSO_PORT": str(app.settings.sayso_port), "SAYSO_SECRET_KEY": "s" * 32}
        wishes = ["init", "--no-telegram", "--operator", "ana", "--slack-user", ANA]
        async with terminal(wishes, tmp_path, {**chats.environment, **same}) as one:
            await one.shows("is this you")
            one.type("y")
            await one.shows("Waiting until")
            await _press_in_slack(chats)
            await one.shows(r"It works: ana \(slack:T0ACME\.U0ANA\) pressed it in Slack")
            await one.shows("first program")
            one.type("")
            assert await one.ended() == 0
            assert "Starting the service" not in one.said
        assert chats.slack.platform.sockets.count == 2  # those of the service alone


async def test_ctrl_c_while_the_service_starts_ends_it(chats: Chats, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        f"SLACK_BOT_TOKEN={chats.slack.bot_token}\nSLACK_APP_TOKEN={chats.slack.app_token}\n"
    )
    async with terminal(["init", "--no-telegram"], tmp_path, chats.environment) as one:
        await one.shows("Socket Mode opens")
        chats.slack.fail(FaultKind.STATUS, "auth.test", count=1_000)  # it would try for half a minute
        await one.shows("Starting the service")
        one.interrupt()
        assert await one.ended(10) == 130
        assert "Traceback" not in one.said


async def test_a_signing_secret_of_another_app_shows_when_the_card_is_pressed(chats: Chats, tmp_path: Path) -> None:
    chats.slack.request_url = f"http://127.0.0.1:{chats.environment['SAYSO_PORT']}/slack/events"
    wishes = ["init", "--no-telegram", "--public-url", "https://127.0.0.1:1", "--operator", "ana", "--slack-user", ANA]
    async with terminal(wishes, tmp_path, chats.environment) as one:
        await one.shows("Connect Slack")
        one.type("")
        await one.shows(r"Fetch from Slack \(Socket Mode\)\?")
        one.type("n")
        await one.shows("app is there")
        one.type("")
        await one.shows(r"xoxb-… \(not shown\): ")
        await one.type_unseen(chats.slack.bot_token)
        await one.shows(r"Signing Secret \(not shown\): ")
        await one.type_unseen("0" * 32)
        await one.shows("is this you")
        one.type("y")
        await one.shows("Waiting until")
        await _press_in_slack(chats)
        await one.shows("what Slack sends is signed with another secret")
        await one.shows("first program")
        one.type("")
        assert await one.ended() == 1
    assert _settings(tmp_path)["SLACK_SIGNING_SECRET"] == ""
    assert _settings(tmp_path)["SAYSO_PUBLIC_URL"] == "https://127.0.0.1:1"


def _quietly(arguments: list[str], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


async def test_without_a_terminal_it_takes_everything_from_the_environment(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = {
        "SLACK_BOT_TOKEN": chats.slack.bot_token,
        "SLACK_APP_TOKEN": chats.slack.app_token,
        "TELEGRAM_BOT_TOKEN": chats.telegram.bot_token,
    }
    given = ["--operator", "ana", "--slack-user", ANA, "--telegram-user", "42", "--agent", "ci"]
    run = await asyncio.to_thread(_quietly, ["init", "--yes", *given], tmp_path, {**chats.environment, **tokens})
    assert run.returncode == 0, run.stdout + run.stderr
    assert not [secret for secret in chats.secrets if secret in run.stdout + run.stderr]
    assert tokens.items() <= _settings(tmp_path).items()
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
            "SLACK_BOT_TOKEN is not good: Slack cannot be reached",
            id="Slack away",
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
    assert _names(tmp_path) == set()
