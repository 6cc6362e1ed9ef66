"""The contract of `core.ports.Work`: a conversation that got a new id takes along what belongs to it."""

from __future__ import annotations

from typing import Any

from core.addresses import Provider
from core.audience import Audience
from core.controls import Action
from core.drafts import Draft, Prompt
from core.outbox import AskWords, Lane, Say
from core.publications import Publication, PublicationState
from core.records import Interaction, Status
from core.store import Store
from tests.rules.making import NOW
from tests.store.making import ANA, HERE, SOON, add, ask, copy_of, owe, owed, settle_in

GROUP, SUPERGROUP = "-100", "-1004503599627370"
HERE_WE_TALK: dict[str, Any] = {"provider": "telegram", "account": "saybot"}


def copy(card: Interaction, number: int = 1, place: str = GROUP, **changes: Any) -> Publication:
    values = {"provider": Provider.TELEGRAM, "account": "saybot", "place": place, "channel": place, **changes}
    return copy_of(card, number, **values)


async def move(store: Store) -> tuple[Publication, ...]:
    async with store.work() as work:
        moved = await work.move_channel("telegram", "saybot", GROUP, SUPERGROUP)
        await work.commit()
    return moved


async def test_pending_copies_are_queued_anew_and_the_rest_stays_where_it_is(store: Store) -> None:
    await settle_in(store)
    pending, settled = ask(1), ask(2, status=Status.ACCEPTED)
    posted = copy(pending, 1, message="5", state=PublicationState.POSTED, thread=None, attempt_at=NOW, page=1)
    stays = [
        copy(pending, 2, message="6", state=PublicationState.FAILED),
        copy(pending, 3, place="-200", message="5"),
        copy(pending, 4, account="otherbot", message="5"),
        copy(settled, 1, message="7", state=PublicationState.SETTLED),
    ]
    await add(store, pending, settled)
    async with store.work() as work:
        for one in (posted, *stays):
            await work.add_publication(one)
        await work.commit()
    (moved,) = await move(store)
    gone = {"place": SUPERGROUP, "channel": None, "message": None, "attempt_at": None}
    assert moved == posted.model_copy(update={**gone, "state": PublicationState.QUEUED})
    async with store.work() as work:
        assert await work.publication(posted.id) == moved
        assert [await work.publication(one.id) for one in stays] == stays
        # Messages are numbered anew there: another may have the old number already.
        await work.add_publication(copy(pending, 5, place=SUPERGROUP, message="5"))
    assert await move(store) == ()


async def test_words_that_are_owed_go_to_the_new_id_also_those_being_sent(store: Store) -> None:
    await settle_in(store)
    say = Say(**HERE_WE_TALK, channel=GROUP, thread="3", reply_to="5", text="hello")
    prompt = AskWords(
        **HERE_WE_TALK,
        channel=GROUP,
        thread=None,
        reply_to="5",
        interaction=ask().id,
        publication=1,
        revision=1,
        action=Action.REASON,
        person=ANA.id,
        user="42",
        name="Ana",
    )
    elsewhere = Say(provider="telegram", account="otherbot", channel=GROUP, text="hello")
    await owe(store, owed(1, "a", task=say), owed(2, "b", task=prompt), owed(3, "c", task=elsewhere))
    (first,) = await store.outbox.claim([Lane.TALK], NOW, SOON, "w", 1)
    await move(store)
    async with store.work() as work:
        assert await work.postpone(first, NOW, "moved")
        await work.commit()
    tasks = [claimed.delivery.task for claimed in await store.outbox.claim([Lane.TALK], NOW, SOON, "w", 9)]
    there = {"channel": SUPERGROUP, "thread": None, "reply_to": None}
    assert tasks == [say.model_copy(update=there), prompt.model_copy(update=there), elsewhere]


async def test_drafts_and_who_was_seen_go_along_and_prompts_end(store: Store) -> None:
    await settle_in(store)
    card = ask(audience=Audience(answerers=("conversation",)))
    was, now = f"telegram:saybot.{GROUP}", f"telegram:saybot.{SUPERGROUP}"
    draft = Draft(
        interaction=card.id, scope=was, person=ANA.id, name="Ana", revision=1, fields={"q0": ("a",)}, updated_at=NOW
    )
    prompt = Prompt(
        **HERE_WE_TALK,
        channel=GROUP,
        message="9",
        workspace=HERE,
        interaction=card.id,
        publication=1,
        revision=1,
        action=Action.COMMENT,
    )
    await add(store, card)
    async with store.work() as work:
        await work.add_publication(copy(card, message="5", state=PublicationState.POSTED))
        await work.save_draft(draft)
        await work.save_draft(draft.model_copy(update={"scope": f"telegram:otherbot.{GROUP}"}))
        await work.add_prompt(prompt)
        await work.note_seen(HERE, ANA.id, was, NOW)
        await work.note_seen(HERE, "per_ben", was, NOW)
        await work.note_seen(HERE, "per_ben", now, NOW)
        await work.commit()
    await move(store)
    async with store.work() as work:
        assert await work.draft(card.id, now) == draft.model_copy(update={"scope": now})
        assert await work.draft(card.id, was) is None
        assert await work.draft(card.id, f"telegram:otherbot.{GROUP}")
        assert await work.prompt_at("telegram", "saybot", GROUP, "9") is None
        assert await work.prompt_at("telegram", "saybot", SUPERGROUP, "9") is None
        assert [one.id for one in await work.open_for(HERE, ANA, 10)] == [card.id]
