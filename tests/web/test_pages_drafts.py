"""What is filled in and not sent: kept for its person, found again, forgotten once it is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from bot.startup import WORKSPACE
from bot.web.filling import Fillings
from core.acts import Patch
from core.errors import Raced
from core.outbox import Lane
from core.publications import PublicationState
from core.use_cases.change import change
from tests.blocks.web.visits import with_content
from tests.web.visiting import ANA, BUILDER, Browser, Stage, confirmation, question, staged

WORDS = question(
    payload={"questions": [{"id": "w", "type": "text", "prompt": "W?", "multiline": True, "min_length": 9}]}
)
MIXED = question(
    payload={
        "questions": [
            {
                "id": "c",
                "type": "choices",
                "prompt": "C?",
                "custom": True,
                "options": [{"id": "a\r\nb/ %", "label": "A"}],
            },
            {"id": "d", "type": "date", "prompt": "D?"},
        ]
    }
)


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


async def signed_in(stage: Stage, name: str = "ana") -> Browser:
    browser = stage.browser()
    await browser.sign_in(name)
    return browser


async def send(browser: Browser, id: str, **fields: Any) -> int:
    await browser.open(f"/review/{id}")
    return (await browser.send(f"/review/{id}", fields)).status_code


async def text(browser: Browser, id: str) -> str:
    return (await browser.open(f"/review/{id}")).text


async def kept(stage: Stage, id: str, person: str = "per_ana") -> Any:
    return await stage.store.records.draft(WORKSPACE, id, f"review:{person}")


async def test_a_draft_survives_a_reload_another_browser_and_a_restart(sqlite_store_url: str, stage: Stage) -> None:
    id = await stage.ask(MIXED)
    ana = await signed_in(stage)
    assert await send(ana, id, do="draft", q0="a%0D%0Ab%2F%20%25", **{"q0.custom": "mine", "q1": "2026-12-02"}) == 200
    again = await signed_in(stage)
    for browser in (ana, again):
        page = await text(browser, id)
        assert 'value="a%0D%0Ab%2F%20%25" checked' in page
        assert 'name="q0.custom" type="text" value="mine"' in page
        assert 'type="date" value="2026-12-02"' in page
        assert "is filled in below. It is not sent yet." in page
    async with staged(sqlite_store_url, furnish=False) as restarted:
        after = restarted.browser()
        after.http.cookies = again.http.cookies
        assert 'value="mine"' in await text(after, id)


async def test_a_draft_decides_nothing_and_leaves_no_receipt(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    assert await send(await signed_in(stage), id, do="draft", q0="half a th") == 200
    assert (await stage.card(id)).version == 1
    assert len(await stage.store.records.receipts(WORKSPACE, id)) == 1


async def test_a_draft_is_its_persons_alone(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    assert await send(await signed_in(stage), id, do="draft", q0="half a thought") == 200
    ben = await signed_in(stage, "ben")
    assert "half a thought" not in await text(ben, id)


async def test_what_was_refused_is_kept_like_a_draft(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    ana = await signed_in(stage)
    assert await send(ana, id, do="submit", q0="short") == 422
    assert "short</textarea>" in await text(ana, id)


async def test_a_sent_draft_is_forgotten(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    ana = await signed_in(stage)
    await send(ana, id, do="draft", q0="half a thought")
    assert await kept(stage, id) is not None
    assert await send(ana, id, do="submit", q0="a whole thought") == 200
    assert await kept(stage, id) is None


async def test_an_emptied_draft_is_forgotten(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    ana = await signed_in(stage)
    await send(ana, id, do="draft", q0="half a thought")
    await send(ana, id, do="draft", q0="")
    assert await kept(stage, id) is None
    assert "not sent yet" not in await text(ana, id)


async def test_a_draft_follows_the_questions_of_a_changed_card(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    ana = await signed_in(stage)
    await send(ana, id, do="draft", q0="half a thought")
    before = await stage.card(id)
    asked = WORDS["payload"]["questions"][0]
    new = {"questions": [{"id": "n", "type": "date", "prompt": "N?"}, asked]}
    await change(stage.context, WORKSPACE, id, Patch(1, with_content(before, payload=new).content), BUILDER)
    page = await text(ana, id)
    assert "<li>question 1 is new</li>" in page
    assert '<textarea id="q1"' in page
    assert "half a thought</textarea>" in page
    await send(ana, id, do="draft", q1="half a thought")
    assert "question 1 is new" not in await text(ana, id)


async def test_a_draft_on_a_changed_card_is_kept_and_shown_with_what_changed(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    ana = await signed_in(stage)
    await ana.open(f"/review/{id}")
    before = await stage.card(id)
    await change(stage.context, WORKSPACE, id, Patch(1, with_content(before, title="New").content), BUILDER)
    page = await ana.send(f"/review/{id}", {"do": "draft", "q0": "half a thought"})
    assert page.status_code == 409
    assert "<li>the title</li>" in page.text
    assert "half a thought</textarea>" in page.text
    assert "half a thought</textarea>" in await text(ana, id)


async def test_a_draft_for_a_card_that_somebody_else_settled_is_shown_back(stage: Stage) -> None:
    id = await stage.ask(confirmation())
    ana, ben = await signed_in(stage), await signed_in(stage, "ben")
    await send(ana, id, do="draft", reason="not before Monday")
    assert await send(ben, id, do="accept") == 200
    page = await text(ana, id)
    assert "You had filled in this; it was not sent" in page
    assert "not before Monday" in page


async def test_an_answer_that_was_saved_stays_saved_when_the_draft_cannot_be_dropped(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: object) -> None:
        raise Raced("too much at once")

    id = await stage.ask(confirmation())
    ana = await signed_in(stage)
    await send(ana, id, do="draft", reason="hm")
    monkeypatch.setattr("core.store.work.drafts.DraftsWork.drop_draft", busy)
    assert await send(ana, id, do="accept") == 200
    assert ana.page is not None
    assert "Saved: Delete it" in ana.page.text


async def test_nothing_is_kept_for_a_card_that_is_settled(stage: Stage) -> None:
    id = await stage.ask(confirmation())
    ana, ben = await signed_in(stage), await signed_in(stage, "ben")
    await ana.open(f"/review/{id}")
    assert await send(ben, id, do="accept") == 200
    page = await ana.send(f"/review/{id}", {"do": "draft", "reason": "not before Monday"})
    assert page.status_code == 409
    assert "not before Monday" in page.text
    assert await kept(stage, id) is None


async def test_nothing_is_kept_for_a_card_whose_time_is_over(stage: Stage) -> None:
    id = await stage.ask(confirmation(policy={"expires_in": "30s", "starts": "asked"}))
    ana = await signed_in(stage)
    await ana.open(f"/review/{id}")
    stage.clock.move(seconds=31)
    page = await ana.send(f"/review/{id}", {"do": "draft", "reason": "not before Monday"})
    assert page.status_code == 409
    assert "not before Monday" in page.text
    assert await kept(stage, id) is None


async def test_a_card_that_is_settled_in_the_very_moment_keeps_nothing(stage: Stage) -> None:
    id = await stage.ask(confirmation())
    before = await stage.card(id)
    ben = await signed_in(stage, "ben")
    assert await send(ben, id, do="accept") == 200
    await Fillings(stage.context, stage.store.records).keep(before, ANA, {"reason": "hm"})
    assert await kept(stage, id) is None


async def test_a_draft_that_could_not_be_kept_is_not_called_kept(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(*_: object) -> None:
        raise Raced("too much at once")

    id = await stage.ask(WORDS)
    ana = await signed_in(stage)
    await ana.open(f"/review/{id}")
    monkeypatch.setattr("core.store.work.drafts.DraftsWork.save_draft", busy)
    page = await ana.send(f"/review/{id}", {"do": "draft", "q0": "half a thought"})
    assert page.status_code == 503
    assert "half a thought</textarea>" in page.text
    assert "Nothing has changed; please try again" in page.text


async def test_whoever_fills_it_in_just_now_is_shown_to_others_for_two_minutes(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    ana, ben = await signed_in(stage), await signed_in(stage, "ben")
    await send(ben, id, do="draft", q0="half a thought")
    assert "Ben is answering…" in await text(ana, id)
    assert "answering just now" not in await text(ben, id)
    stage.clock.move(minutes=2)
    assert "answering just now" not in await text(ana, id)
    await send(ben, id, do="draft", q0="half a thought and more")
    await send(ben, id, do="submit", q0="a whole thought")
    assert "answering just now" not in await text(ana, id)


async def test_copies_in_chats_are_redrawn_when_somebody_begins_and_ends_to_fill_it_in(stage: Stage) -> None:
    id = await stage.ask(WORDS)
    async with stage.store.work() as work:
        (copy,) = await work.publications(id)
        await work.save_publication(copy.model_copy(update={"state": PublicationState.POSTED, "message": "1.2"}))
        await work.commit()
    ben = await signed_in(stage, "ben")

    async def redraws() -> int:
        now = stage.clock.now()
        claimed = await stage.store.outbox.claim([Lane.REDRAW], now, now + timedelta(minutes=1), "test", 10)
        async with stage.store.work() as work:
            for one in claimed:
                await work.finish(one)
            await work.commit()
        return len(claimed)

    await send(ben, id, do="draft", q0="half a thought")
    assert await redraws() == 1
    await send(ben, id, do="draft", q0="half a thought and more")
    assert await redraws() == 0, "the copies say so already"
    await send(ben, id, do="draft", q0="")
    assert await redraws() == 1


async def test_an_operator_who_was_not_asked_is_not_shown_as_answering(stage: Stage) -> None:
    id = await stage.ask(confirmation(audience={"answerers": ["person:ben"]}))
    await send(await signed_in(stage), id, do="draft", note="no longer needed")
    assert "answering just now" not in await text(await signed_in(stage, "ben"), id)
