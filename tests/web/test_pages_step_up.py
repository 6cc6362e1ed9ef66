"""Cards that count an answer only soon after signing in, on their page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from core.kinds import EXAMPLES, Kind
from core.records import Status
from tests.web.calling import CHANNEL
from tests.web.visiting import Browser, Stage, confirmation, question, staged

REQUIRED = {"sign_in": "required"}


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


async def signed_in(stage: Stage, name: str = "ana") -> Browser:
    browser = stage.browser()
    await browser.sign_in(name)
    return browser


async def test_a_fresh_sign_in_answers_and_the_page_says_that_it_must_be_fresh(stage: Stage) -> None:
    id, ana = await stage.ask(confirmation(policy=REQUIRED)), await signed_in(stage)
    await ana.open(f"/review/{id}")
    assert "only from this page, within 15 minutes of signing in" in ana.text
    assert "Sign in again" not in ana.text
    assert await ana.press(id, "accept") == 200
    assert (await stage.card(id)).status is Status.ACCEPTED


async def test_an_old_sign_in_sends_nothing_keeps_what_was_typed_and_leads_to_a_new_one(stage: Stage) -> None:
    text = {"id": "q1", "prompt": "Why?", "type": "text"}
    id = await stage.ask(question(payload={"questions": [text]}, policy=REQUIRED))
    ana = await signed_in(stage)
    stage.clock.move(minutes=16)
    assert await ana.press(id, "submit", q0="because of the canary") == 403
    assert "What you typed is saved as a draft" in ana.text
    assert (await stage.card(id)).is_pending
    again = f"/signin?again&next=/review/{id}"
    assert again.replace("&", "&amp;") in ana.text
    await ana.open(again)
    assert "<h1>Sign in</h1>" in ana.text, "the open session does not stand in the way"
    await ana.send("/signin", {"name": "ana"})
    await ana.send("/signin/code", {"code": await stage.latest_code()})
    assert urlsplit(str(ana.page.url if ana.page else "")).path == f"/review/{id}"
    assert "because of the canary" in ana.text
    assert "Sign in again" not in ana.text
    assert (await ana.send(f"/review/{id}", {"do": "submit", "q0": "because of the canary"})).status_code == 200
    assert (await stage.card(id)).status is Status.ANSWERED


async def test_an_old_sign_in_can_still_read_keep_a_draft_send_words_and_put_it_off(stage: Stage) -> None:
    id, ana = await stage.ask(confirmation(policy=REQUIRED)), await signed_in(stage)
    stage.clock.move(hours=1)
    assert await ana.press(id, "draft", reason="not sure") == 200
    assert await ana.press(id, "comment", comment="which one?") == 200
    assert (await stage.card(id)).is_pending


BUTTONS: list[tuple[Kind, str, dict[str, Any]]] = [
    (Kind.QUESTIONS, "submit", {"q0": "yes"}),
    (Kind.CONFIRMATION, "reject", {"reason": "no"}),
    (Kind.CHECKLIST, "ticks", {"ticks": ["canary"]}),
    (Kind.CHECKLIST, "accept", {}),
    (Kind.SUGGESTED_TASKS, "accept", {"tasks": "alerts"}),
    (Kind.CONNECTION, "reject", {"reason": "no"}),
    (Kind.CONNECTION, "connect", {}),
]


@pytest.mark.parametrize(("kind", "button", "fields"), BUTTONS)
async def test_no_button_that_answers_does_so_after_an_old_sign_in(
    stage: Stage, kind: Kind, button: str, fields: dict[str, Any]
) -> None:
    id = await stage.ask({**EXAMPLES[kind], "to": CHANNEL, "policy": REQUIRED})
    ana = await signed_in(stage)
    before = await stage.card(id)
    stage.clock.move(minutes=20)
    assert await ana.press(id, button, follow_redirects=False, **fields) in (403, 422)
    assert "within 15 minutes of signing in" in ana.text
    after = await stage.card(id)
    assert (after.version, after.status, after.connecting) == (before.version, Status.PENDING, None)
