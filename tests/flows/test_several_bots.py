"""Several Telegram bots in one deployment: fetched or delivered, each for its own tenant; added and removed while the
service runs."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bot.app import App
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.sealing import Sealer
from bot.telegram import MOST_TAKES
from bot.telegram_bots import CREDENTIAL
from bot.web.keys import hash_key
from core.addresses import Provider
from core.people import AgentRole
from core.use_cases import installing
from core.use_cases.agents import add_agent
from core.use_cases.transact import transact
from tests.flows.bots import two_bots
from tests.flows.installed import raw_bytes
from tests.flows.rig import KEY, NOBODY, SIGNING_KEY, Rig, eventually, free_port, question, service, sqlite_at, unpaced
from tests.flows.test_forged_taps import buttons_of, lie

ANA = 42
OTHER_KEY = "sk_" + "o" * 43
OTHER = "wsp_other"


async def add_bot(app: App, bot: TelegramStandIn, workspace: str) -> None:
    """What `sayso telegram add` does."""
    name = bot.bot_username
    sealed = Sealer(app.settings.keys("installations")).seal(f"telegram:{name}", {CREDENTIAL: bot.bot_token})
    granted = installing.Granted(Provider.TELEGRAM, name, "second", str(bot.bot_id), sealed)
    await installing.connect(app.context, granted, workspace)
    await app.kept.look()

    async def connected() -> bool:
        return (Provider.TELEGRAM, name) in app.chats.channels

    await eventually(connected)


@contextlib.asynccontextmanager
async def tenants(folder: Path, **more: Any) -> AsyncIterator[tuple[App, Rig, Rig]]:
    """A service with a bot for each of two tenants, both of which Ana started."""
    async with contextlib.AsyncExitStack() as stack:
        first, second, api = await stack.enter_async_context(two_bots(ANA))
        port = free_port()
        given = {
            "telegram_bot_token": first.bot_token,
            "telegram_api_url": api,
            "sayso_database_url": sqlite_at(folder),
            "sayso_secret_key": "s" * 64,
            "sayso_api_key": KEY,
            "sayso_webhook_secret": SIGNING_KEY,
            "sayso_port": port,
            **more,
        }
        if "telegram_webhook_secret" in more:
            given["sayso_public_url"] = f"http://127.0.0.1:{port}"
        app = await stack.enter_async_context(service(given, unpaced()))
        async with app.context.work() as work:
            await work.add_workspace(OTHER, "other", app.context.clock.now())
            await work.commit()
        await add_agent(app.context, OTHER, "boss", AgentRole.OPERATOR, hash_key(OTHER_KEY), "whsec_" + "A" * 32)
        await add_bot(app, second, OTHER)
        rigs = []
        for bot, key in ((first, KEY), (second, OTHER_KEY)):
            headers, url = {"Authorization": f"Bearer {key}"}, f"http://127.0.0.1:{port}"
            http = httpx2.AsyncClient(base_url=url, headers=headers, timeout=70, verify=NOBODY)
            await stack.enter_async_context(http)
            rigs.append(Rig(None, bot, http, url, 0, [app]))  # type: ignore[arg-type]  # no Slack here
        yield app, rigs[0], rigs[1]


@pytest.mark.parametrize("how", ["fetched", "delivered"])
async def test_each_bot_asks_for_its_own_tenant_alone(tmp_path: Path, how: str) -> None:
    more = {"telegram_webhook_secret": "w" * 32} if how == "delivered" else {}
    async with tenants(tmp_path, **more) as (app, ours, theirs):
        one = await ours.ask(to=f"telegram:{ANA}", title="Ours")
        two = await theirs.ask(to=f"telegram:second_bot.{ANA}", title="Theirs")
        for rig, asked in ((ours, one), (theirs, two)):
            posted = await rig.posted(asked["id"])
            assert [copy["account"] for copy in posted["publications"]] == [rig.telegram.bot_username]
            assert len(rig.telegram.world.history(ANA)) >= 2  # /start, and the card
        # The same person, and a button that another tenant's card has: nothing is known of it.
        their_card = theirs.telegram_message((await theirs.get(two["id"]))["publications"][0])
        stolen_button = buttons_of(ours, await ours.get(one["id"]))[0]
        assert "do not know this card" in await lie(theirs, ANA, ANA, their_card.id, stolen_button)
        assert (await ours.get(one["id"]))["status"] == (await theirs.get(two["id"]))["status"] == "pending"
        for rig, asked, label in ((ours, one, "Yes"), (theirs, two, "No")):
            await rig.telegram.human.press(ANA, ANA, label)
            assert (await rig.shown_settled(asked["id"]))["outcome"]["answer"] == {"q1": {"value": label.lower()}}
        stolen = await theirs.ask(to=f"telegram:{ours.telegram.bot_username}.{ANA}", title="Stolen")
        assert (await theirs.get(stolen["id"], wait=5))["status"] == "undeliverable"
        assert theirs.telegram.bot_token.encode() not in raw_bytes(app.settings.database_url())

        assert await transact(app.context, lambda work: work.drop_installation(Provider.TELEGRAM, "second_bot"))
        await app.kept.look()
        gone = await theirs.ask(to=f"telegram:{ANA}", title="Gone")
        assert (await theirs.get(gone["id"], wait=5))["status"] == "undeliverable"
        still = await ours.ask(to=f"telegram:{ANA}", title="Still")
        await ours.posted(still["id"])


async def test_with_two_bots_in_one_tenant_an_address_names_one(tmp_path: Path) -> None:
    async with tenants(tmp_path) as (app, ours, _):
        await transact(app.context, lambda work: work.drop_installation(Provider.TELEGRAM, "second_bot"))
        await app.kept.look()
        await add_bot(app, _.telegram, "wsp_00000000000000000000000000")
        refused = await ours.api.post("/v1/interactions", json=question(to=f"telegram:{ANA}"))
        assert refused.status_code == 422
        assert "name one of them" in refused.text
        named = await ours.ask(to=f"telegram:second_bot.{ANA}")
        assert (await ours.posted(named["id"]))["publications"][0]["account"] == "second_bot"


async def test_an_update_that_was_stored_is_taken_up_by_its_own_bot(tmp_path: Path) -> None:
    async with tenants(tmp_path) as (app, ours, theirs):
        asked = await theirs.ask(to=f"telegram:{ANA}")
        await theirs.posted(asked["id"])
        text = theirs.telegram.world
        assert text is not ours.telegram.world
        number = theirs.telegram.bot_id
        raw = (
            '{"update_id": 9, "message": {"message_id": 900, "date": 1, "chat": {"id": 42, "type": "private"},'
            ' "from": {"id": 42, "is_bot": false, "first_name": "Ana"}, "text": "/inbox",'
            ' "entities": [{"type": "bot_command", "offset": 0, "length": 6}]}}'
        )
        long_ago = app.context.clock.now().replace(year=2020)
        async with app.context.work() as work:
            await work.first_seen(f"telegram:{number}:9", "telegram", raw, long_ago)
            await work.commit()

        async def answered() -> bool:
            await app.telegram.take_up_waiting()
            return any("Release 4.2" in one.text for one in theirs.telegram.world.history(ANA)[-1:])

        before = len(ours.telegram.world.history(ANA))
        await eventually(answered)
        assert len(ours.telegram.world.history(ANA)) == before

        # What a bot left behind that is not here any more is put aside in the end, and not tried for ever.
        async with app.context.work() as work:
            await work.first_seen("telegram:999:1", "telegram", raw, long_ago)
            await work.commit()
        async with app.context.work() as work:
            for _ in range(MOST_TAKES + 1):
                await work.waiting_arrivals(app.context.clock.now(), long_ago, 10)
            await work.commit()
        assert await app.telegram.take_up_waiting() == 1
        assert await app.telegram.take_up_waiting() == 0
