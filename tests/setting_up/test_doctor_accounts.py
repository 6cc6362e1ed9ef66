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
from tests.setting_up.doctoring import GRANTED, Doctor
from tests.setting_up.stores import in_new_store

SETTINGS = {
    "SLACK_CLIENT_ID": "1.2",
    "SLACK_CLIENT_SECRET": "client-secret",
    "SLACK_SIGNING_SECRET": "a" * 32,
    "SAYSO_SECRET_KEY": "s" * 64,
}


async def installed(*accounts: str, scopes: str = ",".join(sorted(GRANTED)), key: bytes = b"") -> None:
    """Accounts in a new database; those called `E…` left again."""

    async def fill(store: Store, context: Context) -> None:
        sealer = Sealer([key] if key else load({"sayso_secret_key": "s" * 64}).keys("installations"))
        async with store.work() as work:
            await work.add_workspace(WORKSPACE, "sayso", context.clock.now())
            await work.commit()
        for account in accounts:
            sealed = sealer.seal(f"slack:{account}", {"bot": "xoxb-secret"})
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
