"""`sayso workspace` and `sayso telegram`: tenants, links to install, and bots besides the one of the settings."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.config import load
from bot.sandbox.slack.settings import StandInSettings as SlackStandInSettings
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.sealing import Sealer
from bot.startup import WORKSPACE
from bot.web.security import hashed
from core.addresses import Provider
from core.ports import Context
from core.store import Store
from core.use_cases.installing import Granted, connect
from tests.web.shells import Shell, in_store


@pytest.fixture
def installs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deployment from which people install the Slack app."""
    for name, value in (("CLIENT_ID", "1.2"), ("CLIENT_SECRET", "secret"), ("SIGNING_SECRET", "a" * 32)):
        monkeypatch.setenv(f"SLACK_{name}", value)
    monkeypatch.setenv("SAYSO_PUBLIC_URL", "https://sayso.example")


def test_a_workspace_has_people_and_agents_of_its_own(shell: Shell) -> None:
    assert shell("workspace", "add", "beta") == 0
    beta = shell.out.strip()
    assert beta.startswith("wsp_")
    for where in ([], ["--workspace", "beta"]):
        assert shell("agent", "add", "builder", *where) == 0
        assert shell("person", "add", "ana", "--slack", "T1.U1", *where) == 0
    assert shell("agent", "list", "--workspace", beta, "--json") == 0
    (theirs,) = json.loads(shell.out)
    assert shell("agent", "list", "--json") == 0
    (ours,) = json.loads(shell.out)
    assert ours["id"] != theirs["id"]
    assert shell("agent", "revoke", "builder", "--workspace", "beta") == 0
    assert shell("agent", "list") == 0
    assert "active" in shell.out
    assert shell("workspace", "list") == 0
    assert "sayso" in shell.out
    assert "beta" in shell.out
    assert shell("person", "list", "--workspace", "gamma") == 1
    assert "no workspace gamma" in shell.err
    assert shell("workspace", "add", "beta") == 0
    assert shell("person", "list", "--workspace", "beta") == 1
    assert "Several" in shell.err


def test_a_workspace_has_a_calendar_and_operations_of_its_own(shell: Shell) -> None:
    assert shell("workspace", "add", "beta") == 0
    assert shell("calendar", "set", "--zone", "UTC", "--workspace", "beta") == 0
    assert shell("calendar", "show", "--json") == 0
    assert json.loads(shell.out) is None
    assert shell("calendar", "show", "--json", "--workspace", "beta") == 0
    assert json.loads(shell.out)["zone"] == "UTC"
    assert shell("tool", "set", "loop.show", "off", "--workspace", "beta") == 0
    for where, policy in (([], "allow"), (["--workspace", "beta"], "off")):
        assert shell("tool", "list", "--json", *where) == 0
        assert {one["op"]: one["policy"] for one in json.loads(shell.out)}["loop.show"] == policy
    for arguments in (["calendar", "clear"], ["tool", "list"], ["replay", "evt_none"]):
        assert shell(*arguments, "--workspace", "gamma") == 1
        assert "no workspace gamma" in shell.err


async def test_a_link_to_install_is_good_for_one_workspace_and_kept_as_a_hash(shell: Shell, installs: None) -> None:
    assert await shell.aside("workspace", "add", "beta") == 0
    beta = shell.out.strip()
    for where, workspace in (([], WORKSPACE), (["beta"], beta)):
        assert await shell.aside("workspace", "link", *where) == 0
        address, _, code = shell.out.strip().partition("?invite=")
        assert address == "https://sayso.example/slack/install"

        async def look(store: Store, context: Context, code: str = code, workspace: str = workspace) -> None:
            async with store.work() as work:
                found = await work.invitation(hashed(code))
            assert found
            assert found.workspace == workspace
            assert found.is_good(context.clock.now() + timedelta(hours=23))
            assert not found.is_good(context.clock.now() + timedelta(hours=24))

        await in_store(look)


def test_without_a_client_id_there_is_no_link(shell: Shell) -> None:
    assert shell("workspace", "link") == 1
    assert "SLACK_CLIENT_ID" in shell.err


async def test_a_bot_is_added_listed_and_removed_and_its_token_is_shown_nowhere(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bot = TelegramStandIn(StandInSettings(pace=False, bot_username="second_bot"))
    async with bot.serve():
        monkeypatch.setenv("TELEGRAM_API_URL", bot.api_url)
        monkeypatch.setenv("SAYSO_SECRET_KEY", "s" * 64)
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{bot.bot_token}\n"))
        assert await shell.aside("telegram", "add") == 0
        assert shell.out.strip() == "telegram:second_bot"
        assert bot.bot_token not in shell.out + shell.err
        assert await shell.aside("telegram", "list") == 0
        assert "telegram:second_bot" in shell.out
        assert bot.bot_token not in shell.out

        async def look(store: Store, _: Context) -> None:
            kept = await store.records.installation_at(Provider.TELEGRAM, "second_bot")
            assert kept
            sealer = Sealer(load().keys("installations"))
            assert sealer.open("telegram:second_bot", kept.sealed or "") == {"bot": bot.bot_token}

        await in_store(look)
        assert await shell.aside("workspace", "add", "beta") == 0
        monkeypatch.setattr("sys.stdin", io.StringIO(bot.bot_token))
        assert await shell.aside("telegram", "add", "--workspace", "beta") == 1
        assert "another workspace" in shell.err
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{bot.bot_id}:{'w' * 35}"))
        assert await shell.aside("telegram", "add") == 1
        assert "refuses the token" in shell.err
        assert "w" * 35 not in shell.err
        monkeypatch.setattr("sys.stdin", io.StringIO("no token"))
        assert await shell.aside("telegram", "add") == 1
        assert await shell.aside("telegram", "remove", "@second_bot") == 0
        assert await shell.aside("telegram", "remove", "second_bot") == 1


async def test_an_operator_takes_the_app_out_of_a_workspace(
    shell: Shell, installs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    slack = SlackStandIn(SlackStandInSettings(pace=False, client_id="1.2", client_secret="secret"))
    async with slack.serve():
        monkeypatch.setenv("SLACK_API_URL", slack.api_url)
        monkeypatch.setenv("SAYSO_SECRET_KEY", "s" * 64)
        assert await shell.aside("workspace", "disconnect", "slack:T0ACME") == 1

        async def install(store: Store, context: Context) -> None:
            sealed = Sealer(load().keys("installations")).seal("slack:T0ACME", {"bot": slack.bot_token})
            await connect(context, Granted(Provider.SLACK, "T0ACME", "Acme", "U0", sealed), WORKSPACE)

        async def look(store: Store, _: Context) -> None:
            kept = await store.records.installation_at(Provider.SLACK, "T0ACME")
            assert kept
            assert (kept.sealed, kept.problem) == (None, "an operator disconnected it")

        for said in ("slack:T0ACME is disconnected.", "account_inactive"):  # the second time Slack did it before
            await in_store(install)
            assert await shell.aside("workspace", "disconnect", "slack:T0ACME") == 0
            assert said in shell.out
            assert slack.bot_token not in shell.out + shell.err
            await in_store(look)
        (app,) = slack.platform.world.installations.values()
        assert not app.active
        assert await shell.aside("workspace", "list") == 0
        assert "an operator disconnected it" in shell.out
