"""A setting with another value than before leaves one line, whichever processes run with which value."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from pydantic import SecretStr

from bot.config import Settings, load
from bot.configured import THE_KEY, WATCHED, configured
from bot.startup import WORKSPACE
from core.audit import Actor, AuditLine, Changed
from core.use_cases.configured import IN_USE, LOOK, PLAIN, Configured, note_settings
from tests.use_cases.bench import Bench
from tests.use_cases.cast import HERE

BY = Actor(type="service", identity="sayso@web-1")
OLD, NEW = "an-operators-key", "another-operators-key"


def value(text: str) -> Configured:
    return Configured("SAYSO_API_KEY", f"{PLAIN}{text}", (), HERE)


async def look(b: Bench, text: str) -> int:
    """A process with this value looks; how many lines there are until now."""
    await note_settings(b.context, [value(text)], BY)
    return len(await lines(b))


async def lines(b: Bench) -> list[AuditLine]:
    found = await b.store.records.audited(None)
    return [one for one in found if one.what is Changed.SETTING]


async def test_another_value_is_noted_once_however_many_processes_start_with_it(b: Bench) -> None:
    assert await look(b, "a") == 0, "what was there when it was first looked at is no change"
    assert await look(b, "a") == 0
    await asyncio.gather(*(note_settings(b.context, [value("b")], BY) for _ in range(5)))
    (line,) = await lines(b)
    assert (line.workspace, line.actor, line.about.id) == (HERE, BY, "SAYSO_API_KEY")
    assert (line.before, line.after) == ({"value": "a"}, {"value": "b"})
    b.clock.move(seconds=IN_USE.total_seconds() * 50)
    assert await look(b, "b") == 1
    assert await look(b, "") == 2, "taken away is another value too"


async def test_processes_with_the_value_before_and_the_one_after_do_not_take_turns(b: Bench) -> None:
    await look(b, "old")
    for _ in range(20):
        assert await look(b, "new") == 1
        assert await look(b, "old") == 1
        b.clock.move(seconds=LOOK.total_seconds())


async def test_a_value_that_came_back_for_good_is_noted_once_the_other_is_gone(b: Bench) -> None:
    await look(b, "old")
    assert await look(b, "new") == 1
    passed = timedelta(0)
    while passed < IN_USE:
        assert await look(b, "old") == 1
        b.clock.move(seconds=LOOK.total_seconds())
        passed += LOOK
    assert await look(b, "old") == 2
    assert (await lines(b))[0].after == {"value": "old"}
    assert await look(b, "new") == 3, "and so is what was gone, when it is used again"


def settings(**given: object) -> Settings:
    return load({"sayso_secret_key": "s" * 64, **given})


async def noted(b: Bench, **given: object) -> set[str]:
    async with b.store.work() as work:
        await work.add_workspace(WORKSPACE, "sayso", b.clock.now())
        await work.commit()
    return set(await note_settings(b.context, configured(settings(**given)), BY))


async def test_every_watched_setting_is_noted_by_its_name_and_no_secret_is_stored(b: Bench) -> None:
    await noted(b)
    given = {
        "sayso_api_key": OLD,
        "slack_bot_token": "xoxb-secret",
        "slack_signing_secret": "signing-secret",
        "slack_client_id": "1.2",
        "slack_client_secret": "client-secret",
        "telegram_bot_token": "123456:telegram-secret",
        "telegram_webhook_secret": "webhook-secret",
        "oidc_issuer": "https://login.example.com",
        "oidc_client_id": "sayso",
        "oidc_client_secret": "oidc-secret",
        "sayso_public_url": "https://sayso.example.com",
        "sayso_install": "open",
        "sayso_webhook_allow": "10.0.0.0/8",
        "sayso_trusted_proxies": "192.0.2.0/24",
        "sayso_retention": "90d",
    }
    assert await noted(b, **given) == {one.name for one in WATCHED}
    told = [str(line) for line in await b.store.records.audited(None)]
    held = [one.mark for one in configured(settings(**given))]
    for name, one in given.items():
        if any(word in name for word in ("key", "token", "secret")):
            assert not any(str(one) in text for text in (*told, *held))
    assert any("https://login.example.com" in text for text in told)
    assert any("90d" in text for text in told)
    whose = {one.name: one.workspace for one in configured(settings(**given))}
    assert {name for name, workspace in whose.items() if workspace == WORKSPACE} == {"SAYSO_API_KEY"}


async def test_the_services_key_is_noted_when_it_is_replaced_and_nothing_else_for_that(b: Bench) -> None:
    before = SecretStr("s" * 64)
    await noted(b, sayso_api_key=OLD)
    rotated = {"sayso_secret_key": "t" * 64, "sayso_secret_key_previous": before}
    assert await noted(b, sayso_api_key=OLD, **rotated) == {THE_KEY}
    assert await noted(b, sayso_api_key=OLD) == set(), "a process that has not got the new one yet"
    b.clock.move(seconds=IN_USE.total_seconds() * 2)
    assert await noted(b, sayso_api_key=OLD, sayso_secret_key="t" * 64) == set()
    assert await noted(b, sayso_api_key=NEW, sayso_secret_key="t" * 64) == {"SAYSO_API_KEY"}
