"""What the doctor asks of a database, on both kinds."""

from __future__ import annotations

from datetime import timedelta

from core.addresses import Provider
from core.examining import Deliveries
from core.people import By, Identity, Via
from core.store import Store
from core.upkeep import Attempt
from tests.rules.making import NOW
from tests.store.making import BUILDER, ELSEWHERE, HERE, add, ask, event, line, settle_in

EARLIER = NOW - timedelta(hours=1)


async def test_the_newest_try_of_each_event_says_how_an_agent_s_webhook_fares(store: Store) -> None:
    await settle_in(store)
    card = ask(1, creator=By(type="agent", id=BUILDER.id, handle=BUILDER.name))
    await add(store, card)
    async with store.work() as work:
        for name in ("taken", "refused", "unheard", "old"):
            await work.announce(event(f"evt_{name}", card))
        await work.commit()
    async with store.work() as work:
        await work.note_attempt(Attempt("evt_old", 1, EARLIER - timedelta(days=2), 500))
        await work.note_attempt(Attempt("evt_taken", 1, EARLIER, 503))
        await work.note_attempt(Attempt("evt_taken", 2, NOW, 204))
        await work.note_attempt(Attempt("evt_refused", 1, NOW, 500))
        await work.note_attempt(Attempt("evt_unheard", 1, NOW, None, "ConnectTimeout"))
        await work.commit()
    since = NOW - timedelta(days=1)
    assert await store.records.deliveries(HERE, since) == (Deliveries("builder", 3, 2, "ConnectTimeout"),)
    assert await store.records.deliveries(ELSEWHERE, since) == ()


async def test_a_press_is_what_came_through_the_chat_and_not_what_its_people_did_on_a_page(store: Store) -> None:
    await settle_in(store)
    card = ask()
    await add(store, card)
    ana = By(type="person", id="per_ana", handle="ana", identity="slack:T1.U1")

    async def record(id: str, via: Via, by: By, minutes: int) -> None:
        async with store.work() as work:
            written = line(id, by=by).model_copy(update={"via": via, "at": NOW + timedelta(minutes=minutes)})
            await work.record(written, card.id)
            await work.commit()

    assert await store.records.last_press(HERE, Provider.SLACK) is None
    await record("rcp_1", Via.REVIEW, ana, 0)
    assert await store.records.last_press(HERE, Provider.SLACK) is None
    await record("rcp_2", Via.SLACK, ana, 1)
    await record("rcp_3", Via.REVIEW, ana, 2)
    await record("rcp_4", Via.TELEGRAM, ana.model_copy(update={"identity": "telegram:42"}), 3)
    assert await store.records.last_press(HERE, Provider.SLACK) == NOW + timedelta(minutes=1)
    assert await store.records.last_press(HERE, Provider.TELEGRAM) == NOW + timedelta(minutes=3)
    assert await store.records.last_press(ELSEWHERE, Provider.SLACK) is None


async def test_bots_that_speak_for_agents_are_counted_by_chat(store: Store) -> None:
    await settle_in(store)
    async with store.work() as work:
        await work.link_account(HERE, BUILDER.id, Identity(provider="telegram", user="777"), NOW)
        await work.commit()
    assert await store.records.bots_linked(HERE, Provider.TELEGRAM) == 1
    assert await store.records.bots_linked(HERE, Provider.SLACK) == 0
    assert await store.records.bots_linked(ELSEWHERE, Provider.TELEGRAM) == 0


async def test_only_a_server_has_a_clock_of_its_own(store: Store, store_url: str) -> None:
    clock = await store.records.clock()
    assert (clock is None) == store_url.startswith("sqlite")
    assert clock is None or clock.tzinfo is not None
