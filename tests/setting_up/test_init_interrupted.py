"""`sayso init` on a real terminal when something is wrong: each wrong token, what is broken, Ctrl+C at any moment."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from bot.sandbox.slack.faults import FaultKind
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.ports import Connection, Context
from core.store import Store
from tests.setting_up.initiating import (
    ANA,
    Chats,
    names_in,
    press_in_slack,
    settings_in,
)
from tests.setting_up.stores import in_new_store
from tests.setting_up.terminal import terminal
from tests.setting_up.test_doctor_beside import service
from tests.setting_up.test_doctor_slack import consumer


@pytest.mark.slow  # starts the service once more; each token's sentence is asked in test_credentials.py
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
        await one.type("y")
        await one.shows("app is there")
        await one.type("m")
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
    assert names_in(tmp_path) == set()


@pytest.mark.slow
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


@pytest.mark.slow  # starts the service once more, to end it in the middle
async def test_a_card_that_nobody_waits_for_is_taken_back(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        f"SLACK_BOT_TOKEN={chats.slack.bot_token}\nSLACK_APP_TOKEN={chats.slack.app_token}\n"
    )
    wishes = ["init", "--no-telegram", "--operator", "ana", "--slack-user", ANA]
    async with terminal(wishes, tmp_path, chats.environment) as one:
        await one.shows("is this you")
        await one.type("y")
        await one.shows("Waiting until")
        one.interrupt()
        assert await one.ended() == 130
    monkeypatch.chdir(tmp_path)

    async def statuses(store: Store, _: Context) -> list[str]:
        return [str(one.interaction.status) for one in await store.records.interactions(WORKSPACE, None)]

    assert await in_new_store(statuses) == ["withdrawn"]


@pytest.mark.slow
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
            await one.type("y")
            await one.shows("Waiting until")
            await press_in_slack(chats)
            await one.shows(r"It works: ana \(slack:T0ACME\.U0ANA\) pressed it in Slack")
            await one.shows("first program")
            await one.type("")
            assert await one.ended() == 0
            assert "Starting the service" not in one.said
        assert chats.slack.platform.sockets.count == 2  # those of the service alone


@pytest.mark.slow
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


@pytest.mark.slow
async def test_a_signing_secret_of_another_app_shows_when_the_card_is_pressed(chats: Chats, tmp_path: Path) -> None:
    chats.slack.request_url = f"http://127.0.0.1:{chats.environment['SAYSO_PORT']}/slack/events"
    wishes = ["init", "--no-telegram", "--public-url", "https://127.0.0.1:1", "--operator", "ana", "--slack-user", ANA]
    async with terminal(wishes, tmp_path, chats.environment) as one:
        await one.shows("Connect Slack")
        await one.type("")
        await one.shows(r"Fetch from Slack \(Socket Mode\)\?")
        await one.type("n")
        await one.shows("app is there")
        await one.type("")
        await one.shows(r"xoxb-… \(not shown\): ")
        await one.type_unseen(chats.slack.bot_token)
        await one.shows(r"Signing Secret \(not shown\): ")
        await one.type_unseen("0" * 32)
        await one.shows("is this you")
        await one.type("y")
        await one.shows("Waiting until")
        await press_in_slack(chats)
        await one.shows("what Slack sends is signed with another secret")
        await one.shows("first program")
        await one.type("")
        assert await one.ended() == 1
    assert settings_in(tmp_path)["SLACK_SIGNING_SECRET"] == ""
    assert settings_in(tmp_path)["SAYSO_PUBLIC_URL"] == "https://127.0.0.1:1"


@pytest.mark.slow
async def test_an_app_or_a_bot_that_somebody_else_uses_is_not_taken_silently(chats: Chats, tmp_path: Path) -> None:
    slack, telegram = chats.slack, chats.telegram
    hook = f"{telegram.api_url}/bot{telegram.bot_token}/setWebhook"
    async with httpx2.AsyncClient() as other:
        await other.post(hook, json={"url": "https://elsewhere.example/secret-path"})
    async with terminal(["init"], tmp_path, chats.environment) as one:
        async with consumer(slack):
            await one.shows("Connect Slack")
            await one.type("")
            await one.shows("app is there")
            await one.type("")
            await one.shows(r"xoxb-… \(not shown\): ")
            await one.type_unseen(slack.bot_token)
            await one.shows(r"xapp-… \(not shown\): ")
            await one.type_unseen(slack.app_token)
            await one.shows("Another program is connected to this app")
            await one.shows("Look again")
        await slack.platform.sockets.enable(enabled=False)
        await one.type("")
        await one.shows("Socket Mode is off in the app")
        await one.shows("Look again")
        await slack.platform.sockets.enable(enabled=True)
        await one.type("")
        await one.shows("Socket Mode opens")
        await one.shows("Connect Telegram")
        await one.type("")
        await one.shows(r"Bot token \(not shown\): ")
        await one.type_unseen(telegram.bot_token)
        await one.shows("go to https://elsewhere.example: another deployment uses it")
        await one.shows(r"Take the bot over\? \[y/N\]")
        await one.type("")
        await one.shows("End the other deployment")
        await one.shows(r"Bot token \(not shown\): ")
        one.interrupt()
        assert await one.ended() == 130
        assert "secret-path" not in one.said
    assert telegram.parts.webhook.hook is not None
    assert set(settings_in(tmp_path)) == {"SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"}


@pytest.mark.slow
async def test_the_token_of_another_workspace_is_not_taken_silently(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def enter(_: Store, context: Context) -> None:
        async with context.work() as work:
            known = Connection("con_1", WORKSPACE, Provider.SLACK, "T0BEFORE", "Before", "U1")
            await work.add_connection(known, context.clock.now())
            await work.commit()

    await in_new_store(enter)
    async with terminal(["init"], tmp_path, chats.environment) as one:
        await one.shows("Connect Slack")
        await one.type("")
        await one.shows("app is there")
        await one.type("")
        await one.shows(r"xoxb-… \(not shown\): ")
        await one.type_unseen(chats.slack.bot_token)
        await one.shows(r"of the workspace Acme \(T0ACME\); cards were asked in T0BEFORE so far")
        await one.shows(r"Use it all the same\? \[y/N\]")
        await one.type("")
        await one.shows("Take the token of the app in T0BEFORE")
        await one.shows(r"xoxb-… \(not shown\): ")
        await one.type_unseen(chats.slack.bot_token)
        await one.shows("Use it all the same")
        await one.type("y")
        await one.shows("it is sayso in Acme")
        one.interrupt()
        assert await one.ended() == 130
    assert not (tmp_path / ".env").exists()
