"""The contract of `core.ports.Work`: arrivals, drafts and prompts, remembered requests, leases, and forgetting."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.access import Session, SignIn
from core.controls import Action
from core.drafts import Draft, Prompt
from core.errors import Raced
from core.outbox import Lane
from core.records import Status
from core.store import Store
from core.upkeep import ARRIVAL_LEASE, INBOX_KEPT, OUTBOX_KEPT, REMEMBERED, SEEN_KEPT, Attempt
from tests.rules.making import NOW
from tests.store.making import (
    ANA,
    BUILDER,
    HERE,
    SOON,
    accepted,
    add,
    ask,
    event,
    forget_all,
    line,
    owe,
    owed,
    settle_in,
)


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def test_a_redelivery_is_known_with_what_was_told_then(store: Store) -> None:
    async with store.work() as work:
        assert await work.first_seen("slack:A1:Ev1", "slack", '{"n": 1}', NOW)
        await work.arrival_done("slack:A1:Ev1", "Saved.", NOW)
        await work.commit()
    for _ in range(4):
        async with store.work() as work:
            assert not await work.first_seen("slack:A1:Ev1", "slack", "{}", SOON)
            assert await work.arrival_reply("slack:A1:Ev1") == "Saved."


async def test_an_arrival_whose_handling_was_rolled_back_is_new_again(store: Store) -> None:
    async with store.work() as work:
        assert await work.first_seen("k", "slack", "{}", NOW)
        await work.arrival_done("k", None, NOW)
    async with store.work() as work:
        assert await work.first_seen("k", "slack", "{}", NOW)
        assert await work.arrival_reply("k") is None


async def test_an_arrival_that_was_only_stored_is_handled_later_by_whoever_takes_it_up(store: Store) -> None:
    raw = '{"update_id": 7, "text": "\\u0000"}'
    async with store.work() as work:
        assert await work.first_seen("k", "telegram", raw, NOW)
        await work.commit()
    later = NOW + ARRIVAL_LEASE
    async with store.work() as work:
        assert await work.waiting_arrivals(later - timedelta(seconds=1), SOON, 10) == []
        (taken,) = await work.waiting_arrivals(later, later + ARRIVAL_LEASE, 10)
        assert (taken.key, taken.provider, taken.raw, taken.received_at, taken.takes) == ("k", "telegram", raw, NOW, 2)
        assert await work.waiting_arrivals(later, later + ARRIVAL_LEASE, 10) == []
        await work.commit()
    async with store.work() as work:
        assert await work.first_seen("k", "telegram", raw, later)
        await work.arrival_done("k", None, later)
        await work.commit()
    async with store.work() as work:
        assert await work.waiting_arrivals(later + 2 * ARRIVAL_LEASE, SOON, 10) == []


async def test_arrivals_left_behind_come_oldest_first_and_no_more_than_asked(store: Store) -> None:
    for number in (3, 1, 2):
        async with store.work() as work:
            await work.first_seen(f"k{number}", "slack", "{}", NOW + timedelta(seconds=number))
            await work.commit()
    async with store.work() as work:
        later = NOW + 2 * ARRIVAL_LEASE
        assert [one.key for one in await work.waiting_arrivals(later, later + ARRIVAL_LEASE, 2)] == ["k1", "k2"]
        assert [one.key for one in await work.waiting_arrivals(later, later + ARRIVAL_LEASE, 2)] == ["k3"]


def draft(scope: str = "telegram:saybot.-100", **changes: Any) -> Draft:
    fields: dict[str, str | tuple[str, ...]] = {"q0": ("a", "b"), "q0.custom": "own words"}
    values = {"person": ANA.id, "name": "Ana", "revision": 1, "fields": fields, "updated_at": NOW}
    return Draft.model_validate({"interaction": ask().id, "scope": scope, **values, **changes})


async def test_a_draft_is_kept_replaced_and_dropped_per_scope(store: Store) -> None:
    await add(store, ask())
    async with store.work() as work:
        await work.save_draft(draft())
        await work.save_draft(draft("review:per_ana"))
        changed = draft(fields={}, updated_at=SOON)
        await work.save_draft(changed)
        assert await work.draft(ask().id, changed.scope) == changed
        await work.drop_draft(ask().id, changed.scope)
        assert await work.draft(ask().id, changed.scope) is None
        assert await work.draft(ask().id, "review:per_ana") == draft("review:per_ana")


async def test_live_drafts_lapse_wherever_they_are(store: Store) -> None:
    await add(store, ask())
    async with store.work() as work:
        for scope in ("telegram:saybot.-100", "telegram:42", "review:per_ana"):
            await work.save_draft(draft(scope))
        await work.save_draft(draft("slack:T1.U9", live=False))
        await work.save_draft(draft("telegram:saybot.-200", updated_at=SOON))
        await work.commit()
    lapsed = await store.records.lapsed_drafts(SOON, 10)
    assert sorted(one.scope for one in lapsed) == ["review:per_ana", "telegram:42", "telegram:saybot.-100"]
    assert len(await store.records.lapsed_drafts(SOON, 1)) == 1


async def test_a_prompt_is_found_by_its_message(store: Store) -> None:
    await add(store, ask())
    prompt = Prompt(
        provider="telegram",
        account="saybot",
        channel="-4503599627370495",
        message="9",
        workspace=HERE,
        interaction=ask().id,
        publication=1,
        revision=2,
        action=Action.REASON,
        person=ANA.id,
    )
    async with store.work() as work:
        await work.add_prompt(prompt)
        await work.add_prompt(prompt.model_copy(update={"question": 1}))
        assert await work.prompt_at("telegram", "saybot", "-4503599627370495", "9") == prompt.model_copy(
            update={"question": 1}
        )
        assert await work.prompt_at("telegram", "otherbot", "-4503599627370495", "9") is None


async def test_prompts_are_found_by_their_conversation_and_forgotten_one_by_one(store: Store) -> None:
    await add(store, ask())
    place = ("telegram", "saybot", "-100")
    first = Prompt(
        provider=place[0],
        account=place[1],
        channel=place[2],
        message="1",
        workspace=HERE,
        interaction=ask().id,
        publication=1,
        revision=1,
        action=Action.WRITE,
    )
    second = first.model_copy(update={"message": "2", "person": ANA.id})
    async with store.work() as work:
        for prompt in (second, first, first.model_copy(update={"channel": "-101"})):
            await work.add_prompt(prompt)
        assert await work.prompts_in(ask().id, *place) == (first, second)
        assert await work.prompts_in("int_other", *place) == ()
        await work.drop_prompt(first)
        assert await work.prompts_in(ask().id, *place) == (second,)
        assert await work.prompts_in(ask().id, *place[:2], "-101") != ()


async def test_an_idempotency_key_gives_the_first_answer_until_its_interaction_settles(store: Store) -> None:
    before = ask()
    await add(store, before)
    answer = {"id": before.id, "z": 1, "a": [1.0, None, "é"]}
    async with store.work() as work:
        assert await work.remembered(BUILDER.id, "k") is None
        await work.remember(BUILDER.id, "k", "sha256:1", answer, before.id, NOW)
        await work.commit()
    async with store.work() as work:
        known = await work.remembered(BUILDER.id, "k")
        assert known == ("sha256:1", answer)
        assert list(known[1]) == ["id", "z", "a"]
        assert await work.remembered("agt_2", "k") is None
        await work.save_interaction(before, accepted(before), NOW)
        assert await work.remembered(BUILDER.id, "k") is None


async def test_an_idempotency_key_is_taken_once(store: Store) -> None:
    await add(store, ask())
    async with store.work() as work:
        await work.remember(BUILDER.id, "k", "sha256:1", {}, ask().id, NOW)
        await work.remember(BUILDER.id, "k", "sha256:2", {}, ask().id, NOW)
        with pytest.raises(Raced):
            await work.commit()


async def test_a_lease_has_one_owner_and_its_generation_only_grows(store: Store) -> None:
    async with store.work() as work:
        assert await work.take_lease("telegram:saybot", "p1", NOW, SOON) == 1
        assert await work.take_lease("telegram:saybot", "p2", NOW, SOON) is None
        assert await work.take_lease("telegram:other", "p2", NOW, SOON) == 1
        names = ["telegram:saybot", "telegram:other", "telegram:nobody"]
        assert await work.lease_holders(names, NOW) == {"telegram:saybot": "p1", "telegram:other": "p2"}
        assert await work.lease_holders(names[1:], NOW) == {"telegram:other": "p2"}
        assert await work.lease_holders(names, SOON) == {}
        # extended by its owner, also when it had lapsed and nobody took it
        assert await work.take_lease("telegram:saybot", "p1", SOON, SOON + ARRIVAL_LEASE) == 1
        assert await work.take_lease("telegram:saybot", "p2", SOON + ARRIVAL_LEASE, SOON + 2 * ARRIVAL_LEASE) == 2
        await work.drop_lease("telegram:saybot", "p1")
        assert await work.take_lease("telegram:saybot", "p1", SOON, SOON) is None
        await work.drop_lease("telegram:saybot", "p2")
        assert await work.take_lease("telegram:saybot", "p1", NOW, SOON) == 3
        await work.commit()


async def test_attempts_at_a_webhook_are_kept_in_order(store: Store) -> None:
    await add(store, ask())
    async with store.work() as work:
        await work.announce(event("evt_1", ask()))
        await work.commit()
    outcomes = ((NOW, None, "timed out"), (SOON, 503, None), (SOON, 204, None))
    tries = [Attempt("evt_1", number, *outcome) for number, outcome in enumerate(outcomes, 1)]
    async with store.work() as work:
        for attempt in tries:
            await work.note_attempt(attempt)
        await work.commit()
    assert await store.records.attempts("evt_1") == tries


async def test_what_is_past_its_time_is_forgotten_and_nothing_else(store: Store) -> None:
    await add(store, ask(), ask(2, status=Status.ACCEPTED))
    await owe(store, owed(1, "a"), owed(2, "b"))
    async with store.work() as work:
        await work.save_draft(draft())
        await work.save_draft(draft(interaction=ask(2).id))
        await work.first_seen("done", "slack", "{}", NOW)
        await work.arrival_done("done", None, NOW)
        await work.first_seen("waiting", "slack", "{}", NOW)
        await work.remember(BUILDER.id, "k", "sha256:1", {}, ask().id, NOW)
        await work.add_signin(SignIn("sgn_1", HERE, ANA.id, "browser", "code", NOW, NOW))
        await work.add_session(Session("token", HERE, ANA.id, "csrf", NOW, NOW + INBOX_KEPT))
        await work.commit()
    (claimed,) = await store.outbox.claim([Lane.TALK], NOW, NOW, "w", 1)
    async with store.work() as work:
        await work.finish(claimed)
        await work.commit()
    forgotten = []
    for days in (INBOX_KEPT, INBOX_KEPT + ARRIVAL_LEASE, REMEMBERED, REMEMBERED + ARRIVAL_LEASE, OUTBOX_KEPT * 9):
        async with store.work() as work:
            forgotten.append(await forget_all(work, NOW + days))
            await work.commit()
    # the done arrival and the session; then the key, the sign-in, the done delivery and the settled card's draft
    assert forgotten == [0, 2, 0, 4, 0]
    async with store.work() as work:
        assert await work.first_seen("waiting", "slack", "{}", NOW)
        assert await work.draft(ask().id, draft().scope)
    assert (await store.records.counts(NOW)).waiting == {Lane.TALK: 1}


async def test_prompts_of_settled_cards_and_old_sightings_are_forgotten(store: Store) -> None:
    await add(store, ask(), ask(2, status=Status.ACCEPTED))
    prompt = Prompt(
        provider="telegram", account="saybot", channel="42", message="1", workspace=HERE, interaction=ask().id,
        publication=1, revision=1, action=Action.REASON,
    )  # fmt: skip
    late = prompt.model_copy(update={"message": "2", "interaction": ask(2).id})
    async with store.work() as work:
        await work.add_prompt(prompt)
        await work.add_prompt(late)
        await work.record(line("rcp_2"), ask(2).id)
        await work.note_seen(HERE, ANA.id, "telegram:saybot.42", NOW)
        await work.commit()
    moment = timedelta(seconds=1)
    for after, forgotten in ((REMEMBERED, 0), (REMEMBERED + moment, 1), (SEEN_KEPT, 0), (SEEN_KEPT + moment, 1)):
        async with store.work() as work:
            assert await forget_all(work, NOW + after) == forgotten, after
            await work.commit()
    async with store.work() as work:
        assert await work.prompt_at("telegram", "saybot", "42", "1") == prompt, "its card is open still"
        assert await work.prompt_at("telegram", "saybot", "42", "2") is None
    assert await store.records.last_seen(HERE, ANA.identities[0], "telegram:saybot.42") is None


async def test_live_drafts_are_listed_and_all_from_chats_dropped_together(store: Store) -> None:
    await add(store, ask())
    stepped = draft("telegram:42", step=2, search="ma")
    async with store.work() as work:
        await work.save_draft(stepped)
        await work.save_draft(draft("slack:T1.U1", live=False))
        assert await work.live_drafts(ask().id) == (stepped,)
        await work.save_draft(draft("review:per_1", live=False))
        await work.drop_drafts(ask().id)
        assert await work.draft(ask().id, "slack:T1.U1") is None
        assert await work.draft(ask().id, "review:per_1") is not None
