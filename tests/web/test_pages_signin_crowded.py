"""Codes are few in an hour, and whoever asks for somebody else's uses up none that they need themselves."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from adapters.inbound import Commanded
from bot.authority import Authority
from bot.greeting import code_hash
from bot.passes import IN_PRIVATE, asks_for_pass, tell_pass
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.people import Identity, Standing
from core.replies import Helped, Reply, Told
from core.use_cases import directory
from tests.web.visiting import CONNECTIONS, Browser, Stage, staged

SLACK, TELEGRAM = CONNECTIONS
BY_CHAT = {Provider.SLACK: SLACK, Provider.TELEGRAM: TELEGRAM}


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


class Anybody:
    """An authority that knows of nobody more than the arrival says."""

    async def standing(self, workspace: str, identity: Identity, hint: Standing) -> Standing:
        return hint


async def told(stage: Stage, user: str, provider: Provider = Provider.SLACK, **more: Any) -> Reply:
    """What somebody's own chat answers when they ask for a pass."""
    account = "T1" if provider is Provider.SLACK else ""
    given: dict[str, Any] = {"name": "sayso", "argument": "signin", "private": False, "hint": Standing(), **more}
    arrival = Commanded(
        key="k", provider=provider, account=BY_CHAT[provider].account, raw={}, channel="C1", thread=None,
        sender=Identity(provider=provider.value, account=account, user=user), **given,
    )  # fmt: skip
    assert asks_for_pass(arrival)
    return await tell_pass(stage.context, cast("Authority", Anybody()), arrival, BY_CHAT[provider])


def pass_of(reply: Reply) -> str:
    assert isinstance(reply, Helped)
    found = re.search(r"type (\S{4}-\S{4}) in the place", reply.text)
    assert found is not None
    return found[1]


async def asks(browser: Browser, name: str = "ana") -> int:
    """Ask for a code; how many messages were sent to anybody until now."""
    await browser.ask_code(name)
    return len(await browser.stage.messages())


async def test_a_stranger_at_one_address_cannot_use_up_the_codes_of_somebody(stage: Stage) -> None:
    stranger, ana = stage.browser(at="203.0.113.7"), stage.browser(at="198.51.100.1")
    assert [await asks(stranger) for _ in range(5)] == [1, 2, 2, 2, 2]
    assert await asks(ana) == 3
    assert (await ana.send("/signin/code", {"code": await stage.latest_code()})).url.path == "/inbox"


async def test_nor_around_the_turn_of_an_hour(stage: Stage) -> None:
    stranger, sent = stage.browser(at="203.0.113.7"), []
    for minutes in (29, 29, 1, 1, 1, 27, 2, 1):
        stage.clock.move(minutes=minutes)
        sent.append(await asks(stranger))
    assert sent == [1, 2, 2, 2, 2, 2, 3, 3], "two in any hour, not two in each"


async def test_where_strangers_used_up_all_of_them_ones_own_chat_helps_at_once(stage: Stage) -> None:
    for n in range(1, 9):
        await asks(stage.browser(at=f"203.0.113.{n}"))
    ana = stage.browser(at="198.51.100.1")
    assert await asks(ana) == 3
    assert ana.page is not None
    assert "/sayso signin" in ana.page.text
    assert await asks(ana, pass_of(await told(stage, "U1")).upper()) == 4
    assert (await stage.messages())[-1].channel == "U1"
    assert (await ana.send("/signin/code", {"code": await stage.latest_code()})).url.path == "/inbox"
    stage.clock.move(minutes=61)
    for n in range(1, 9):
        await asks(stage.browser(at=f"203.0.113.{n}"))
    assert len(await stage.messages()) == 7, "what strangers make the bot send stays few"


async def test_codes_that_were_asked_for_with_a_pass_count_for_nobody(stage: Stage) -> None:
    ana = stage.browser()
    for sent in range(1, 6):
        assert await asks(ana, pass_of(await told(stage, "U1"))) == sent
    assert await asks(ana) == 6


async def test_a_pass_is_good_once_for_ten_minutes_and_for_the_chat_that_was_told_it(stage: Stage) -> None:
    cleo, once = stage.browser(), pass_of(await told(stage, "U3"))
    assert await asks(cleo, once) == 1
    assert (await stage.messages())[-1].channel == "U3", "not the account that she proved first"
    assert await asks(cleo, once) == 1
    late = pass_of(await told(stage, "42", Provider.TELEGRAM, name="signin", argument="", private=True))
    stage.clock.move(minutes=10)
    assert await asks(cleo, late) == 1


async def test_a_pass_alone_signs_nobody_in_and_is_stored_as_a_hash(stage: Stage) -> None:
    thief, word = stage.browser(), pass_of(await told(stage, "U1"))
    await asks(thief, word)
    for typed in (word, word.replace("-", ""), "00000000"):
        assert (await thief.send("/signin/code", {"code": typed})).status_code == 422
    async with stage.store.work() as work:
        for guess in (word, word.replace("-", "")):
            assert await work.link(guess) is None
        assert await work.claimed_links(WORKSPACE) == [], "no operator is asked to confirm anything"


async def test_a_code_of_an_operator_that_begins_a_link_is_no_pass(stage: Stage) -> None:
    await directory.offer_link(stage.context, WORKSPACE, "ana", code_hash("abcdefgh"))
    assert await asks(stage.browser(), "abcd-efgh") == 0


async def test_in_a_telegram_group_no_pass_is_told(stage: Stage) -> None:
    said = await told(stage, "42", Provider.TELEGRAM, name="signin", argument="")
    assert said == Helped(IN_PRIVATE)


async def test_a_bot_gets_no_pass(stage: Stage) -> None:
    assert isinstance(await told(stage, "U1", hint=Standing(bot=True)), Told)


async def test_whoever_claims_an_account_of_somebody_else_uses_up_none_of_their_codes(stage: Stage) -> None:
    ben = stage.browser()
    await ben.sign_in("ben")
    for _ in range(5):
        await ben.open("/accounts")
        await ben.send("/accounts", {"do": "add", "name": "slack:U1"})
    messages = await stage.messages()
    claims = [one for one in messages if one.channel == "U1"]
    assert len(claims) == 3
    assert [await asks(stage.browser(at=f"198.51.100.{n}")) for n in range(1, 5)] == [5, 6, 7, 7]
