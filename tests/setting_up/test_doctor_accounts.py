"""What the doctor says of Slack workspaces that people installed, and of bots that were added."""

from __future__ import annotations

from bot.config import load
from bot.doctor.examining import Level
from bot.sealing import Sealer
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.ports import Context
from core.store import Store
from core.use_cases.installing import Granted, connect, end
from tests.setting_up.doctoring import GRANTED, Doctor, slack_with
from tests.setting_up.stores import in_new_store

TEAM = "T0ACME"
"""The stand-in's own workspace."""
SETTINGS = {
    "SLACK_CLIENT_ID": "1.2",
    "SLACK_CLIENT_SECRET": "client-secret",
    "SLACK_SIGNING_SECRET": "a" * 32,
    "SAYSO_SECRET_KEY": "s" * 64,
}


async def installed(
    *accounts: str, scopes: str = ",".join(sorted(GRANTED)), key: bytes = b"", token: str = "xoxb-secret"
) -> None:
    """Accounts in a new database; those called `E…` left again."""

    async def fill(store: Store, context: Context) -> None:
        sealer = Sealer([key] if key else load({"sayso_secret_key": "s" * 64}).keys("installations"))
        async with store.work() as work:
            await work.add_workspace(WORKSPACE, "sayso", context.clock.now())
            await work.commit()
        for account in accounts:
            sealed = sealer.seal(f"slack:{account}", {"bot": token})
            granted = Granted(Provider.SLACK, account, "Acme", "U0", sealed, {"scopes": scopes})
            made = await connect(context, granted, WORKSPACE)
            if account.startswith("E"):
                assert await end(context, Provider.SLACK, account, made.mark, "Slack answered token_revoked")

    await in_new_store(fill)


async def test_accounts_that_can_all_be_used_are_well(doctor: Doctor) -> None:
    await installed("T1", "T2")
    found = await doctor(SETTINGS)
    assert (found["accounts"].level, found["accounts"].found) == (Level.OK, "all 2 are live")
    assert found["Slack redirect"].level is Level.FAILED  # there is no https address to come back to
    assert "sayso manifest" in found["Slack redirect"].todo


async def test_a_dead_one_is_named_with_what_it_died_of(doctor: Doctor) -> None:
    await installed("T1", "E2")
    found = (await doctor(SETTINGS))["accounts"]
    assert (found.level, "slack:E2 (Slack answered token_revoked)" in found.found) == (Level.WARNING, True)
    assert "slack:T1" not in found.found
    assert "sayso workspace link" in found.todo


async def test_one_that_another_key_sealed_is_named(doctor: Doctor) -> None:
    await installed("T1", key=b"o" * 32)
    found = (await doctor(SETTINGS))["accounts"]
    assert found.level is Level.FAILED
    assert "slack:T1" in found.found
    assert "SAYSO_SECRET_KEY_PREVIOUS" in found.todo


async def test_one_that_granted_too_little_is_named(doctor: Doctor) -> None:
    await installed("T1", scopes="chat:write")
    found = (await doctor(SETTINGS))["accounts"]
    assert (found.level, found.found) == (Level.WARNING, "slack:T1 granted less than the manifest names")


async def test_where_nobody_installed_anything_there_is_nothing_to_say(doctor: Doctor) -> None:
    await installed()
    assert (await doctor({}))["accounts"].level is Level.OFF


async def test_a_conversation_of_an_installed_workspace_is_looked_at_with_its_own_token(doctor: Doctor) -> None:
    async with slack_with().serve() as slack:
        slack.workspace.add_channel("in", channel_id="C0IN")
        settings = {**SETTINGS, "SLACK_API_URL": slack.api_url}
        await installed(TEAM, "T0OTHER", "E0GONE", token=slack.bot_token)
        places = [f"slack:{TEAM}.C0IN", "slack:T0NOBODY.C0IN", "slack:E0GONE.C0IN", "slack:C0IN", "telegram:42"]
        found = await doctor(settings, places)
    told = {place: (found[place].level, found[place].found) for place in places}
    assert told == {
        f"slack:{TEAM}.C0IN": (Level.OK, "the app is in #in"),
        "slack:T0NOBODY.C0IN": (Level.FAILED, "no account T0NOBODY of Slack is connected"),
        "slack:E0GONE.C0IN": (Level.FAILED, "the account E0GONE cannot be used: Slack answered token_revoked"),
        "slack:C0IN": (Level.FAILED, "Slack has several accounts here"),
        "telegram:42": (Level.FAILED, "Telegram is off, or its token does not work"),
    }
    assert "slack:E0GONE.…" in found["slack:C0IN"].todo


async def test_the_one_account_there_is_need_not_be_named(doctor: Doctor) -> None:
    async with slack_with().serve() as slack:
        slack.workspace.add_channel("in", channel_id="C0IN")
        await installed(TEAM, token=slack.bot_token)
        found = await doctor({**SETTINGS, "SLACK_API_URL": slack.api_url}, ["slack:C0IN"])
    assert (found["slack:C0IN"].level, found["slack:C0IN"].found) == (Level.OK, "the app is in #in")
