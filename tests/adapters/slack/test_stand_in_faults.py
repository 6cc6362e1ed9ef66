"""Failures on demand and rate limits, as slack_sdk meets them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.sandbox.slack import FaultKind, SlackStandIn
from tests.adapters.slack.apps import client_of, error_of, serving


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with serving() as stand_in:
        stand_in.workspace.add_user("ana", user_id="UANA")
        stand_in.workspace.add_channel("general", ["UANA"], channel_id="CGEN")
        yield stand_in


@pytest.fixture
def client(slack: SlackStandIn) -> AsyncWebClient:
    return client_of(slack)


def said(slack: SlackStandIn) -> list[str]:
    return [message.text for message in slack.person("UANA").messages("CGEN")]


async def test_a_dropped_answer_leaves_the_post_done_and_a_default_client_doubles_it(
    slack: SlackStandIn, client: AsyncWebClient
) -> None:
    slack.fail(FaultKind.DROP_AFTER, "chat.postMessage")
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client.chat_postMessage(channel="CGEN", text="once")
    assert said(slack) == ["once"]
    slack.fail(FaultKind.DROP_AFTER, "chat.postMessage")
    default = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url)
    await default.chat_postMessage(channel="CGEN", text="twice")
    assert said(slack) == ["once", "twice", "twice"]
    assert [call.status for call in slack.platform.journal.of("chat.postMessage")] == [None, None, 200]


async def test_a_dropped_request_leaves_nothing_done(slack: SlackStandIn, client: AsyncWebClient) -> None:
    slack.fail(FaultKind.DROP_BEFORE, "chat.postMessage")
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client.chat_postMessage(channel="CGEN", text="never")
    assert said(slack) == []


async def test_a_limited_call_says_how_long_to_wait(slack: SlackStandIn, client: AsyncWebClient) -> None:
    slack.fail(FaultKind.RATE_LIMITED, "chat.postMessage", seconds=7)
    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel="CGEN", text="x")
    assert refused.value.response["error"] == "ratelimited"
    assert refused.value.response.status_code == 429
    assert refused.value.response.headers["Retry-After"] == "7"
    assert said(slack) == []


async def test_the_sdks_own_handler_waits_and_succeeds(slack: SlackStandIn) -> None:
    slack.fail(FaultKind.RATE_LIMITED, "chat.postMessage", seconds=0)
    handlers = [AsyncRateLimitErrorRetryHandler(max_retry_count=1)]
    patient = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=handlers)  # type: ignore[arg-type]  # the SDK asks for its base class invariantly
    await patient.chat_postMessage(channel="CGEN", text="x")
    assert said(slack) == ["x"]


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_a_broken_server_answers_no_json(slack: SlackStandIn, client: AsyncWebClient, status: int) -> None:
    slack.fail(FaultKind.STATUS, "chat.postMessage", status=status)
    with pytest.raises(SlackApiError) as refused:
        await client.chat_postMessage(channel="CGEN", text="x")
    assert refused.value.response.status_code == status
    assert said(slack) == []


async def test_an_error_by_name_comes_as_often_as_asked(slack: SlackStandIn, client: AsyncWebClient) -> None:
    slack.fail(FaultKind.ERROR, count=2, error="fatal_error")
    assert await error_of(client.auth_test()) == "fatal_error"
    assert await error_of(client.chat_postMessage(channel="CGEN", text="x")) == "fatal_error"
    assert (await client.auth_test())["ok"]


async def test_a_slow_answer_was_done_before_the_client_gave_up(slack: SlackStandIn) -> None:
    slack.fail(FaultKind.SLOW, "chat.postMessage", seconds=30)
    hasty = AsyncWebClient(token=slack.bot_token, base_url=slack.api_url, retry_handlers=[], timeout=1)
    calling = asyncio.create_task(hasty.chat_postMessage(channel="CGEN", text="done"))
    while not said(slack):
        await slack.platform.world.after(slack.platform.world.version, 1)
    assert not calling.done()
    slack.platform.clock.advance(30)
    assert (await calling)["ok"]


async def test_a_platform_that_is_away_closes_every_connection_and_comes_back(
    slack: SlackStandIn, client: AsyncWebClient
) -> None:
    await slack.away(60)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await client.chat_postMessage(channel="CGEN", text="x")
    slack.platform.clock.advance(60)
    assert (await client.chat_postMessage(channel="CGEN", text="back"))["ok"]
    assert said(slack) == ["back"]
    assert [call.fault for call in slack.platform.journal.of("chat.postMessage")] == ["away", None]


async def test_a_platform_that_refuses_connections_listens_again_on_the_same_port(
    slack: SlackStandIn, client: AsyncWebClient
) -> None:
    await slack.away(60, refuse=True)
    with pytest.raises(aiohttp.ClientConnectorError):
        await client.auth_test()
    slack.platform.clock.advance(60)
    for _ in range(100):
        try:
            answer = await client.auth_test()
        except aiohttp.ClientConnectorError:
            await asyncio.sleep(0.01)
        else:
            assert answer["ok"]
            break
    else:
        pytest.fail("it never came back")


async def test_response_urls_fail_on_demand_too(slack: SlackStandIn) -> None:
    key = slack.platform.triggers.open_url(user="UANA", team_id=slack.team_id, channel="CGEN")
    hook = AsyncWebhookClient(f"{slack.url}/actions/{key}", retry_handlers=[])
    slack.fail(FaultKind.RATE_LIMITED, "response_url", seconds=3)
    slack.fail(FaultKind.STATUS, "response_url", status=503)
    slack.fail(FaultKind.ERROR, "response_url", status=404, error="expired_url")
    slack.fail(FaultKind.DROP_BEFORE, "response_url")
    slack.fail(FaultKind.DROP_AFTER, "response_url")
    limited = await hook.send(text="1")
    assert (limited.status_code, limited.headers["Retry-After"]) == (429, "3")
    assert (await hook.send(text="2")).status_code == 503
    gone = await hook.send(text="gone")
    assert (gone.status_code, gone.body) == (404, "expired_url")
    for text in ("3", "4"):
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await hook.send(text=text)
    assert [message.text for message in slack.person("UANA").private()] == ["4"]


async def test_one_channel_takes_a_short_burst_and_then_a_post_a_second() -> None:
    async with serving(pace=True) as slack:
        slack.workspace.add_channel("one", channel_id="CONE")
        slack.workspace.add_channel("two", channel_id="CTWO")
        client = client_of(slack)
        for _ in range(4):
            await client.chat_postMessage(channel="CONE", text="x")
        with pytest.raises(SlackApiError) as refused:
            await client.chat_postMessage(channel="CONE", text="x")
        assert refused.value.response.headers["Retry-After"] == "1"
        assert (await client.chat_postMessage(channel="CTWO", text="another channel"))["ok"]
        slack.platform.clock.advance(1)
        assert (await client.chat_postMessage(channel="CONE", text="a second later"))["ok"]
        assert await error_of(client.chat_postMessage(channel="CONE", text="x")) == "ratelimited"
        slack.platform.pace.on = False
        assert (await client.chat_postMessage(channel="CONE", text="no limits"))["ok"]


async def test_edits_are_limited_by_their_tier_per_minute() -> None:
    async with serving(pace=True) as slack:
        slack.workspace.add_channel("one", channel_id="CONE")
        client = client_of(slack)
        ts = (await client.chat_postMessage(channel="CONE", text="x"))["ts"]
        for _ in range(50):
            await client.chat_update(channel="CONE", ts=ts, text="y")
        with pytest.raises(SlackApiError) as refused:
            await client.chat_update(channel="CONE", ts=ts, text="z")
        assert 0 < int(refused.value.response.headers["Retry-After"]) <= 60
        assert (await client.auth_test())["ok"], "other methods have their own count"
        slack.platform.clock.advance(60)
        assert (await client.chat_update(channel="CONE", ts=ts, text="z"))["ok"]


async def test_an_unlisted_distributed_app_reads_one_page_of_fifteen_a_minute() -> None:
    async with serving(pace=True, distributed=True) as slack:
        slack.workspace.add_user("ana", user_id="UANA")
        slack.workspace.add_channel("one", ["UANA"], channel_id="CONE")
        for n in range(20):
            await slack.person("UANA").write(str(n), channel="CONE")
        client = client_of(slack)
        page = await client.conversations_history(channel="CONE", limit=100)
        assert len(page["messages"]) == 15
        assert await error_of(client.conversations_history(channel="CONE")) == "ratelimited"


async def test_the_journal_keeps_when_what_was_called(slack: SlackStandIn, client: AsyncWebClient) -> None:
    before = time.time()
    await client.chat_postMessage(channel="CGEN", text="x")
    await error_of(client.chat_postMessage(channel="CNOPE", text="x"))
    first, second = slack.platform.journal.of("chat.postMessage")
    assert (first.number, second.number) == (1, 2)
    assert before <= first.at <= second.at <= time.time()
    assert (first.args["text"], first.ok, second.ok) == ("x", True, False)
    assert slack.platform.journal.of("chat.postMessage", done=True) == [first]
    assert second.result["error"] == "channel_not_found"
