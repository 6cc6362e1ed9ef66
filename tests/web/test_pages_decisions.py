"""Suggested tasks, connections, and words as the reason of a no, on their page and without any script."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.startup import WORKSPACE
from core.acts import Patch
from core.errors import Invalid
from core.kinds import EXAMPLES, Kind
from core.records import Status
from core.use_cases.change import change, confirm_connection
from tests.blocks.web.visits import with_content
from tests.web.calling import CHANNEL
from tests.web.visiting import BUILDER, Browser, Stage, confirmation, staged

TASKS = {**EXAMPLES[Kind.SUGGESTED_TASKS], "to": CHANNEL}
CONNECTION = {**EXAMPLES[Kind.CONNECTION], "to": CHANNEL}


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


@pytest.fixture
async def ana(stage: Stage) -> Browser:
    browser = stage.browser()
    await browser.sign_in()
    return browser


@pytest.fixture
async def ben(stage: Stage) -> Browser:
    browser = stage.browser()
    await browser.sign_in("ben")
    return browser


async def test_chosen_tasks_are_created_as_they_were_changed(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(TASKS)
    edits = {"t1.title": "Write all of it", "t1.assignee": "", "t0.priority": "high", "t2.title": "not chosen"}
    assert await ben.press(id, "accept", tasks=["alerts", "runbook"], **edits) == 200
    assert (await stage.card(id)).status is Status.ACCEPTED
    made = {one.key: one for one in await stage.store.records.tasks(WORKSPACE, None, interaction=id)}
    assert {key: (one.title, one.assignee, one.priority) for key, one in made.items()} == {
        "alerts": ("Alert on queue depth", None, "high"),
        "runbook": ("Write all of it", None, None),
    }
    assert made["runbook"].parent == made["alerts"].id
    assert f"created as {made['runbook'].id}" in ben.text
    assert "Suggested as “Write the runbook”" in ben.text
    assert "not chosen" not in ben.text


async def test_a_task_without_what_it_is_part_of_is_told_beside_it(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(TASKS)
    assert await ben.press(id, "accept", tasks=["runbook"], **{"t1.title": " ", "t1.priority": "x" * 161}) == 422
    text = ben.text
    assert '<a href="#t1.title">Title of “Write the runbook”: Write from 1 to 240 characters.</a>' in text
    assert '<a href="#t1.priority">Priority of “Write the runbook”: Write at most 160 characters.</a>' in text
    assert await ben.press(id, "accept", tasks=["runbook"]) == 422
    assert '<a href="#t1">“Write the runbook” needs “Alert on queue depth”: choose both.</a>' in ben.text
    assert 'aria-describedby="t1-needs t1-fault" aria-invalid="true"' in ben.text
    assert re.findall(r'name="tasks" value="(\w+)" checked', ben.text) == ["runbook"], "what was chosen is kept"
    assert await ben.press(id, "accept", tasks=None) == 422
    assert "Choose at least one task, or reject them all." in ben.text
    assert (await stage.card(id)).is_pending


async def test_no_task_at_all_is_a_no_with_a_reason(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(TASKS)
    assert await ben.press(id, "reject", tasks=["alerts"], reason="we have <them>") == 200
    card = await stage.card(id)
    assert card.outcome is not None
    assert (card.status, card.outcome.reason) == (Status.REJECTED, "we have <them>")
    assert "we have &lt;them&gt;" in ben.text
    assert await stage.store.records.tasks(WORKSPACE, None, interaction=id) == []


async def test_a_draft_of_tasks_survives_a_change_of_the_card(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(TASKS)
    assert (
        await ben.press(id, "draft", tasks=["drill"], **{"t2.title": "Rehearse it twice", "t0.priority": "low"}) == 200
    )
    new = {"tasks": [{"key": "new", "title": "New"}, *TASKS["payload"]["tasks"][1:]]}
    new["tasks"][1] = {**new["tasks"][1], "parent": None}
    changed = with_content(await stage.card(id), payload=new)
    await change(stage.context, WORKSPACE, id, Patch(1, changed.content), BUILDER)
    await ben.open(f"/review/{id}")
    for line in ("task 1 is new", "task 2", "1 task was taken out"):
        assert f"<li>{line}</li>" in ben.text
    assert 'id="t2.title" name="t2.title" type="text" value="Rehearse it twice"' in ben.text
    assert re.findall(r'name="tasks" value="(\w+)" checked', ben.text) == ["drill"]
    assert '<p class="answer" dir="auto">low</p>' in ben.text, "words for a task that is gone are shown, not lost"


WORDS: tuple[tuple[dict[str, Any], str], ...] = (
    (confirmation(), "Keep it"),
    (TASKS, "None of these"),
    (CONNECTION, "Decline"),
)


@pytest.mark.parametrize(("asked", "label"), WORDS, ids=[row[-1] for row in WORDS])
async def test_words_can_be_sent_as_the_reason_of_a_no(
    stage: Stage, ben: Browser, asked: dict[str, Any], label: str
) -> None:
    id = await stage.ask(asked)
    assert await ben.press(id, "reject-words", comment=" ") == 422
    assert '<a href="#comment">Write at least one character.</a>' in ben.text
    assert f"Send as the reason for “{label}”" in ben.text
    assert await ben.press(id, "reject-words", comment="Not before Monday", reason="another") == 200
    outcome = (await stage.card(id)).outcome
    assert outcome is not None
    assert (outcome.status, outcome.reason) == (Status.REJECTED, "Not before Monday")


async def test_a_card_that_takes_no_reason_takes_no_words_as_one(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation(payload={"reason": "none"}))
    assert await ben.press(id, "reject-words", comment="why") == 422
    assert "Send as the reason" not in ben.text
    assert (await stage.card(id)).is_pending


async def set_out(browser: Browser, id: str, **fields: Any) -> Any:
    await browser.open(f"/review/{id}")
    return await browser.send(f"/review/{id}", {"do": "connect", **fields}, follow_redirects=False)


async def test_an_operator_is_sent_on_with_a_state_that_proves_it_once(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(CONNECTION)
    led = [await set_out(ana, id) for _ in range(2)]
    assert [one.status_code for one in led] == [303, 303]
    addresses = [urlsplit(one.headers["location"]) for one in led]
    assert {(one.scheme, one.netloc, one.path) for one in addresses} == {("https", "agent.example", "/connect/github")}
    old, new = (parse_qs(one.query)["state"][0] for one in addresses)
    assert old != new
    assert len(new) >= 43
    card = await stage.card(id)
    assert card.is_pending
    assert card.connecting is not None
    assert new not in card.model_dump_json(), "only its digest is kept"
    await ana.open(f"/review/{id}")
    assert "Ana set out to connect it just now" in ana.text
    assert new not in ana.text
    with pytest.raises(Invalid):
        await confirm_connection(stage.context, WORKSPACE, id, old, BUILDER)
    await confirm_connection(stage.context, WORKSPACE, id, new, BUILDER)
    await ana.open(f"/review/{id}")
    assert "github connected" in ana.text
    assert "Ana granted on this page; agent builder confirmed it." in ana.text


async def test_the_page_lets_browsers_follow_to_the_other_side(stage: Stage, ana: Browser, ben: Browser) -> None:
    id = await stage.ask(CONNECTION)
    for browser, allowed in ((ana, True), (ben, False)):
        page = await browser.open(f"/review/{id}")
        assert ("form-action 'self' https:" in page.headers["content-security-policy"]) is allowed
        assert ("Connect</button>" in page.text) is allowed


async def test_only_operators_set_out_and_only_on_what_they_saw(stage: Stage, ana: Browser, ben: Browser) -> None:
    id = await stage.ask(CONNECTION)
    assert (await set_out(ben, id)).status_code == 403
    assert "Only operators can do this." in ben.text
    assert "Only an operator can grant this, on this page: Ana. You can decline it." in ben.text
    assert (await set_out(ana, id, revision="2")).status_code == 409
    assert (await set_out(ana, id, token="0" * 64)).status_code == 403
    await ana.http.post(f"/review/{id}", data={"do": "connect"}, headers={"sec-fetch-site": "cross-site"})
    assert (await stage.card(id)).connecting is None
    assert await ben.press(id, "reject", reason="not with that account") == 200
    assert (await set_out(ana, id)).status_code == 409
    assert "not with that account" in ana.text


async def test_an_operator_who_was_not_asked_may_grant_but_not_decline(stage: Stage, ana: Browser) -> None:
    id = await stage.ask({**CONNECTION, "audience": {"answerers": ["person:ben"]}})
    await ana.open(f"/review/{id}")
    assert 'value="reject"' not in ana.text
    assert await ana.press(id, "reject") == 403
    assert (await set_out(ana, id)).status_code == 303
