"""The contract of `core.reading.Records`: lists and what an agent or a person may see of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.addresses import Provider
from core.audience import Audience
from core.dues import DueKind
from core.events import EventType
from core.kinds import Kind
from core.outbox import Lane
from core.people import Agent, By, Identity, Person, Standing
from core.publications import PublicationState
from core.quiet import WorkingCalendar
from core.reading import Whole
from core.receipts import ReceiptType
from core.records import Interaction, Status
from core.store import Store
from core.urgency import Urgency
from tests.rules.making import NOW
from tests.store.making import (
    ANA,
    BEN,
    BUILDER,
    HERE,
    OPERATOR,
    SOON,
    accepted,
    add,
    ask,
    copy_of,
    event,
    line,
    owe,
    owed,
    settle_in,
)

STRANGER = Agent(id="agt_2", workspace=HERE, name="stranger")
NAMED = Agent(id="agt_3", workspace=HERE, name="reviewer")
FOR_REVIEWER = Audience(answerers=("agent:reviewer",))


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


def numbers(found: Any) -> list[int]:
    """Which cards these are, by the numbers they were made with."""
    ids = [one.interaction.id if isinstance(one, Whole) else one.id for one in found]
    return [int(id.removeprefix("int_")) for id in ids]


async def test_an_interaction_is_read_with_its_copies(store: Store) -> None:
    card = ask()
    copies = (copy_of(card, 1), copy_of(card, 2, place="C2"))
    async with store.work() as work:
        await work.add_interaction(card)
        for copy in reversed(copies):
            await work.add_publication(copy)
        await work.commit()
    assert await store.records.interaction(HERE, card.id, BUILDER) == Whole(card, copies)
    assert await store.records.interaction(HERE, "int_0", BUILDER) is None
    assert await store.records.interactions(HERE, BUILDER) == [Whole(card, copies)]


@pytest.mark.parametrize(
    ("reader", "sees"),
    [
        (BUILDER, [2, 1]),  # what it created
        (NAMED, [3, 2]),  # what names it
        (STRANGER, []),
        (OPERATOR, [3, 2, 1]),
        (None, [3, 2, 1]),  # a signed-in operator
    ],
)
async def test_a_key_sees_what_it_created_or_is_named_in(store: Store, reader: Agent | None, sees: list[int]) -> None:
    other = By(type="agent", id="agt_7", handle="other")
    cards = [ask(1), ask(2, audience=FOR_REVIEWER), ask(3, creator=other, audience=FOR_REVIEWER)]
    await add(store, *cards)
    async with store.work() as work:
        for card in cards:
            await work.announce(event(f"evt_{card.id}", card))
        await work.commit()
    records = store.records
    assert numbers(await records.interactions(HERE, reader)) == sees
    alone = [await records.interaction(HERE, card.id, reader) for card in reversed(cards)]
    assert numbers([one for one in alone if one]) == sees
    heard = await records.events(HERE, reader)
    assert [one.interaction for one in heard] == [ask(number).id for number in reversed(sees)]


async def test_a_list_is_paged_newest_first_and_filtered(store: Store) -> None:
    await add(
        store,
        *(ask(number) for number in range(1, 6)),
        ask(6, kind=Kind.QUESTIONS),
        ask(7, status=Status.EXPIRED),
    )
    look = store.records.interactions
    assert numbers(await look(HERE, None, limit=3)) == [7, 6, 5]
    assert numbers(await look(HERE, None, limit=3, after=ask(5).id)) == [4, 3, 2]
    assert numbers(await look(HERE, None, after=ask(1).id)) == []
    assert numbers(await look(HERE, None, kinds=[Kind.QUESTIONS])) == [6]
    assert numbers(await look(HERE, None, statuses=[Status.EXPIRED, Status.WITHDRAWN])) == [7]
    assert numbers(await look(HERE, None, statuses=[Status.PENDING], kinds=[Kind.CONFIRMATION], limit=2)) == [5, 4]


async def test_events_are_read_from_a_position_on_and_by_type(store: Store) -> None:
    await add(store, ask())
    assert await store.records.last_position(HERE) == 0
    async with store.work() as work:
        for number, type_ in enumerate(("created", "commented", "accepted"), 1):
            await work.announce(event(f"evt_{number}", ask(), EventType(f"interaction.{type_}")))
        await work.commit()
    look = store.records.events
    assert [one.position for one in await look(HERE, None)] == [1, 2, 3]
    assert [one.id for one in await look(HERE, None, after=1, limit=1)] == ["evt_2"]
    assert [one.id for one in await look(HERE, None, types=["interaction.accepted"])] == ["evt_3"]
    assert await look(HERE, None, after=3) == []
    assert await store.records.last_position(HERE) == 3
    assert (await store.records.event(HERE, "evt_2")) == (await look(HERE, None, after=1, limit=1))[0]


BOT_CHAT = {"provider": Provider.TELEGRAM, "account": "saybot"}


WAITS: list[tuple[tuple[str, ...], dict[str, Any], Person, bool, str]] = [
    (("person:ana",), {}, ANA, True, "named by handle"),
    (("person:ana",), {}, BEN, False, "someone else is named"),
    (("role:operator",), {}, BEN, True, "named by role"),
    (("role:operator",), {}, ANA, False, "has another role"),
    (("slack:U1",), {}, ANA, True, "named by a user without a team"),
    (("slack:T1.U1",), {}, ANA, True, "named by a user of a team"),
    (("slack:T2.U1",), {}, ANA, False, "the same user id in another team is someone else"),
    (("telegram:42",), {}, ANA, True, "named by a Telegram user"),
    (("telegram:saybot.42",), {}, ANA, True, "a Telegram user is the same to every bot"),
    (("agent:ana",), {}, ANA, False, "an agent of that name is not the person"),
    (("conversation",), {"place": "C9", "channel": "C9"}, ANA, True, "seen where it was asked"),
    (("conversation",), {"place": "C8"}, ANA, False, "never seen there"),
    (("conversation",), {"place": "C9"}, BEN, False, "someone else was seen there"),
    (("conversation",), {"place": "U1", "channel": "D1"}, ANA, True, "asked in a direct message"),
    (("conversation",), {"place": "42", **BOT_CHAT}, ANA, True, "asked in a private chat"),
    (("conversation",), {"place": "U1", "account": "T2"}, ANA, False, "a direct message in another team"),
    (("person:ben",), {"place": "C9"}, ANA, False, "seen there, but only others may answer"),
]


async def test_what_may_wait_on_a_person(store: Store) -> None:
    async with store.work() as work:
        await work.note_seen(HERE, ANA.id, "slack:T1.C9", NOW)
        for number, (answerers, place, *_) in enumerate(WAITS):
            card = ask(number, audience=Audience(answerers=answerers))
            await work.add_interaction(card)
            await work.add_publication(copy_of(card, **place))
        found = {who.id: numbers(await work.open_for(HERE, who, 100)) for who in (ANA, BEN)}
        await work.commit()
    for number, (_, _, who, waits, why) in enumerate(WAITS):
        assert (number in found[who.id]) is waits, why
    assert {who.id: numbers(await store.records.open_for(HERE, who)) for who in (ANA, BEN)} == found


BENS = Audience(answerers=("person:ben",))
UNSEEN: list[tuple[dict[str, Any], dict[str, Any], bool, str]] = [
    # of the card, of its copy, whether the place is one to ask about, why
    ({}, {"place": "C8"}, True, "never seen there"),
    ({}, {"place": "C9"}, False, "seen there"),
    ({"audience": BENS}, {"place": "C7"}, False, "others are asked"),
    ({"status": Status.ACCEPTED}, {"place": "C6"}, False, "over"),
    ({"dismissed_at": NOW}, {"place": "C5"}, False, "dismissed"),
    ({}, {"place": "C4", "state": PublicationState.FAILED}, False, "never to be there"),
    ({}, {"place": "-100", "provider": Provider.TELEGRAM, "account": "saybot"}, True, "a group of another chat"),
    ({}, {"place": "C8"}, True, "asked of the same place once more"),
]


async def test_places_to_ask_about_are_those_of_open_cards_where_somebody_was_not_seen(store: Store) -> None:
    async with store.work() as work:
        await work.note_seen(HERE, ANA.id, "slack:T1.C9", NOW)
        for number, (of_card, of_copy, *_) in enumerate(UNSEEN, 1):
            card = ask(number, **{"audience": Audience(), **of_card})
            await work.add_interaction(card)
            await work.add_publication(copy_of(card, **of_copy))
        await work.commit()
    places = [one.place for one in await store.records.unseen_places(HERE, ANA, 10)]
    wanted = {of_copy["place"]: why for _, of_copy, asked, why in UNSEEN if asked}
    assert (sorted(places), places[0]) == (sorted(wanted), "C8")
    assert len(await store.records.unseen_places(HERE, ANA, 1)) == 1
    nobody = ANA.model_copy(update={"identities": ()})
    assert await store.records.unseen_places(HERE, nobody, 10) == []


async def test_only_pending_cards_that_were_not_dismissed_wait_newest_first(store: Store) -> None:
    audience = Audience(answerers=("person:ana",))
    states: list[dict[str, Any]] = [{}, {"status": Status.ACCEPTED}, {"dismissed_at": NOW}, {}, {}]
    await add(store, *(ask(number, audience=audience, **state) for number, state in enumerate(states, 1)))
    assert numbers(await store.records.open_for(HERE, ANA)) == [5, 4, 1]
    assert numbers(await store.records.open_for(HERE, ANA, after=Urgency.of(None, ask(5).id), limit=1)) == [4]
    async with store.work() as work:
        assert numbers(await work.open_for(HERE, ANA, 2)) == [5, 4]
        assert await work.pending_naming(HERE, "person:ana") == [ask(number).id for number in (1, 3, 4, 5)]
        assert await work.pending_naming(HERE, "person:an") == []


async def test_what_expires_soonest_is_first_and_is_read_on_from_any_place(store: Store) -> None:
    """Two that expire at the same moment have the newest first, as have those that never do."""
    audience = Audience(answerers=("person:ana",))
    ends = (None, NOW + timedelta(hours=2), NOW + timedelta(hours=1, microseconds=7), NOW + timedelta(hours=2), None)
    await add(store, *(ask(number, audience=audience, expires_at=end) for number, end in enumerate(ends, 1)))
    found = await store.records.open_for(HERE, ANA)
    assert numbers(found) == [3, 4, 2, 5, 1]
    for at, one in enumerate(found, 1):
        place = Urgency.read(str(Urgency.of(one.expires_at, one.id)))
        assert numbers(await store.records.open_for(HERE, ANA, after=place)) == numbers(found)[at:]


async def test_the_past_of_a_person_is_what_they_acted_on_by_whatever_account(store: Store) -> None:
    before = [ask(number) for number in range(1, 5)]
    await add(store, *before)
    earlier = By(type="person", id="per_automatic", handle="x", identity="telegram:42")
    acted = [None, earlier, By(type="person", id=BEN.id, handle="ben", identity="slack:T1.U2"), None]
    async with store.work() as work:
        for number, (card, by) in enumerate(zip(before, acted, strict=True), 1):
            await work.record(line(f"rcp_{number}", ReceiptType.ACCEPTED, by), card.id)
            if number != 4:
                await work.save_interaction(card, accepted(card), NOW)
        await work.commit()
    assert numbers(await store.records.past_for(HERE, ANA)) == [2, 1]
    assert numbers(await store.records.past_for(HERE, ANA, after=ask(2).id)) == [1]
    has_acted = [await store.records.has_acted(HERE, card.id, ANA) for card in before]
    assert has_acted == [True, True, False, True]


def stuck(number: int, **changes: Any) -> Interaction:
    return ask(number, expires_at=NOW - timedelta(minutes=number), **changes)


async def test_the_counts_say_how_things_stand(store: Store) -> None:
    empty = await store.records.counts(NOW)
    assert (empty.pending, empty.overdue, empty.overdue_since, empty.waiting, empty.late_since) == (0, 0, None, {}, {})
    await add(store, ask(1), stuck(2), stuck(3), stuck(4, status=Status.EXPIRED))
    await owe(store, owed(1, "a", after=-9), owed(2, "b", after=-5), owed(3, "c", Lane.HEAR, after=60))
    async with store.work() as work:
        await work.add_publication(copy_of(ask(1), state=PublicationState.UNKNOWN))
        await work.first_seen("k", "slack", "{}", NOW)
        await work.commit()
    (claimed,) = await store.outbox.claim([Lane.TALK], NOW, SOON, "w", 1)
    async with store.work() as work:
        await work.postpone(claimed, SOON, "busy")
        for kind, subject, after in ((DueKind.NUDGE, "a", -7), (DueKind.NUDGE, "b", -9), (DueKind.LOOP, "c", 5)):
            await work.set_due(kind, subject, HERE, NOW + timedelta(seconds=after))
        await work.commit()
    counts = await store.records.counts(NOW)
    assert counts.undone_since == {DueKind.NUDGE: NOW - timedelta(seconds=9)}
    assert (await store.records.counts(NOW, "elsewhere")).undone_since == {}
    assert (counts.pending, counts.overdue, counts.overdue_since) == (3, 2, NOW - timedelta(minutes=3))
    assert (counts.unknown_posts, counts.waiting_arrivals, counts.abandoned, counts.retrying) == (1, 1, 0, 1)
    assert counts.waiting == {Lane.TALK: 2, Lane.HEAR: 1}
    assert counts.late_since == {Lane.TALK: NOW - timedelta(seconds=5)}


async def test_whoever_has_an_account_is_listed_with_all_of_them_in_the_order_they_were_proved(store: Store) -> None:
    late = Identity(provider="slack", account="T0", user="U0")
    async with store.work() as work:
        await work.add_identity(ANA.id, HERE, late)
        await work.commit()
    assert await store.records.people(HERE) == (
        ANA.model_copy(update={"identities": (*ANA.identities, late)}),
        BEN,
    )
    assert await store.records.person_by_handle(HERE, "ben") == BEN
    assert await store.records.person(HERE, "per_0") is None


async def test_zones_and_the_calendar_are_read_as_they_were_written(store: Store) -> None:
    account, calendar = ANA.identities[0], WorkingCalendar(zone="Europe/Madrid", days=("mon",), hours="09:00-18:00")
    assert await store.records.calendar(HERE) is None
    assert await store.records.profile_zone(HERE, account) is None
    async with store.work() as work:
        await work.save_calendar(HERE, calendar)
        await work.keep_standing(HERE, account, Standing(timezone="Asia/Tokyo"), NOW)
        await work.commit()
    assert await store.records.calendar(HERE) == calendar
    assert await store.records.calendar("ws_elsewhere") is None
    assert await store.records.profile_zone(HERE, account) == "Asia/Tokyo"
    assert await store.records.profile_zone("ws_elsewhere", account) is None
    assert await store.records.person_by_identity(HERE, account) == ANA
    assert await store.records.person_by_identity("ws_elsewhere", account) is None
