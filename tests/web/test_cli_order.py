"""`sayso order` and the bot accounts of agents: work ordered by a shell, and whose sentences count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.startup import WORKSPACE
from bot.web.api import build_api
from core.people import Identity
from tests.web.calling import CHANNEL, Calling, key_of
from tests.web.serving import served
from tests.web.shells import Shell, in_store


async def order(api: Calling, shell: Shell, *arguments: str) -> int:
    async with served(build_api(api.services)) as address:
        return await shell.aside("order", *arguments, "--url", address, "--key", key_of("builder"))


async def test_a_shell_orders_work_and_prints_its_name(api: Calling, shell: Shell) -> None:
    options = ("--to", CHANNEL, "--due", "45m", "--body", "**All** of them", "--priority", "high")
    assert await order(api, shell, "Audit the exec endpoints", *options) == 0
    shown = (await api.get(f"/loops/{shell.out.strip()}")).json()
    assert (shown["title"], shown["body"], shown["priority"]) == ("Audit the exec endpoints", "**All** of them", "high")
    assert shown["card"]["channel"] == "C0123"
    assert shown["due"] is not None


async def test_a_shell_reads_the_whole_order_and_orders_once_under_its_key(api: Calling, shell: Shell) -> None:
    options = ("--to", "agent:reviewer", "--id", "wo-7", "--slots", "2", "--nudge", "5m", "--nudges", "1", "--json")
    for _ in range(2):
        assert await order(api, shell, "Audit", *options, "--idempotency-key", "k1") == 0
        shown = json.loads(shell.out)
        assert (shown["id"], len(shown["slots"]), shown["nudges"]["every"], shown["nudges"]["max"]) == (
            "wo-7", 2, "5m", 1,
        )  # fmt: skip
    assert len((await api.get("/loops")).json()["items"]) == 1


async def test_what_the_service_refuses_is_told_with_the_option_that_sets_it(api: Calling, shell: Shell) -> None:
    assert await order(api, shell, "Audit", "--to", "agent:nobody") == 2
    assert "there is no agent called nobody (here: `sayso agent list`" in shell.err
    assert await order(api, shell, "Audit", "--to", "agent:reviewer", "--nudge", "often") == 2
    assert "--nudge, such as --nudge 15m" in shell.err
    async with served(build_api(api.services)) as address:
        assert await shell.aside("order", "Audit", "--to", CHANNEL, "--url", address, "--key", "sk_wrong") == 1


def test_wrong_use_is_2_and_a_service_that_is_not_there_is_1(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SAYSO_API_KEY", raising=False)
    assert shell("order", "Audit") == 2
    assert shell("order", "Audit", "--to", CHANNEL) == 2
    assert "SAYSO_API_KEY" in shell.err
    monkeypatch.setattr("bot.resending.TRIES", 0)
    assert shell("order", "Audit", "--to", CHANNEL, "--url", "http://127.0.0.1:1", "--key", "sk_x") == 1
    assert "add --idempotency-key" in shell.err


async def test_a_bot_account_speaks_for_one_agent_until_it_is_taken_back(shell: Shell, tmp_path: Path) -> None:
    bot = Identity(provider="slack", account="T1", user="B1")

    async def owner() -> str | None:
        agent = await in_store(lambda store, _: store.records.agent_of_account(WORKSPACE, bot))
        return agent.name if agent else None

    for name in ("ci", "cd"):
        assert await shell.aside("agent", "add", name) == 0
    for _ in range(2):  # once more changes nothing
        assert await shell.aside("agent", "link", "ci", "--slack", "T1.B1") == 0
    assert await owner() == "ci"
    assert await shell.aside("agent", "link", "cd", "--slack", "slack:T1.B1") == 2
    assert "linked to the agent ci" in shell.err
    assert await shell.aside("agent", "unlink", "cd", "--slack", "T1.B1") == 1
    assert await owner() == "ci"
    assert await shell.aside("agent", "unlink", "ci", "--slack", "T1.B1") == 0
    assert await owner() is None
    assert await shell.aside("agent", "link", "ci", "--slack", "T1.B1") == 0
    assert await shell.aside("agent", "revoke", "ci") == 0
    assert await shell.aside("agent", "link", "cd", "--slack", "T1.B1") == 0, "what a revoked agent had is free"
    assert await owner() == "cd"


async def test_a_persons_account_is_no_bots(shell: Shell) -> None:
    await shell.aside("agent", "add", "ci")
    await shell.aside("person", "add", "ana", "--telegram", "42")
    assert await shell.aside("agent", "link", "ci", "--telegram", "42") == 2
    assert "a person's account" in shell.err


WRONG = [
    (),  # whose?
    ("--slack", "T1.B1", "--telegram", "42"),  # one at a time
    ("--slack", "B1"),  # of which team?
    ("--slack", "T1.U1"),  # a user; messages of bots carry the bot id
    ("--telegram", "@ci_bot"),  # names change hands
]


@pytest.mark.parametrize("account", WRONG)
@pytest.mark.parametrize("act", ["link", "unlink"])
def test_an_account_is_named_in_full(shell: Shell, act: str, account: tuple[str, ...]) -> None:
    assert shell("agent", act, "ci", *account) == 2
