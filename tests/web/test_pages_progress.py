"""Cards that are answered bit by bit, on their page and without any script: checklists and item verdicts."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.acts import Judge, Patch, Tick
from core.audience import Candidate
from core.kinds import EXAMPLES, Kind
from core.kinds.checklist import Checklist, selected
from core.kinds.item_verdicts import Given
from core.people import Membership, Standing, Via
from core.records import Status
from core.use_cases.answer import answer
from core.use_cases.change import change
from tests.blocks.web.visits import with_content
from tests.web.calling import CHANNEL
from tests.web.visiting import BEN, BUILDER, Browser, Stage, staged

ITEMS = [{"id": id, "label": f"Item {id}"} for id in "abc"]
IN_SLACK = Candidate(BEN, BEN.identities[0], Standing(), {CHANNEL: Membership.YES})


def asked(kind: Kind, **payload: Any) -> dict[str, Any]:
    return {**EXAMPLES[kind], "to": CHANNEL, "payload": {"items": ITEMS, **payload}}


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


@pytest.fixture
async def ana(stage: Stage) -> Browser:
    browser = stage.browser()
    await browser.sign_in()
    return browser


async def in_slack(stage: Stage, id: str, act: Tick | Judge) -> None:
    await answer(stage.context, WORKSPACE, id, act, IN_SLACK, Via.SLACK, "slack:evt")


async def ticked(stage: Stage, id: str) -> tuple[str, ...]:
    card = await stage.card(id)
    assert isinstance(card.content.payload, Checklist)
    return selected(card.content.payload, card.ticks)


def checked(html: str) -> list[str]:
    return re.findall(r'name="ticks" value="(\w+)" checked', html)


async def test_ticks_are_saved_and_the_card_stays_open(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.CHECKLIST))
    assert await ana.press(id, "ticks", ticks=["a", "c"]) == 200
    assert "Saved: 2 of 3 ticked." in ana.text
    assert "Ticked by Ana, 2 Dec 2026, 10:00 UTC, on this page." in ana.text
    assert checked(ana.text) == ["a", "c"]
    assert (await stage.card(id)).is_pending
    assert await ticked(stage, id) == ("a", "c")


async def test_only_ones_own_changes_are_saved_so_a_simultaneous_tick_is_not_lost(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.CHECKLIST))
    await in_slack(stage, id, Tick(1, ("a",)))
    await ana.open(f"/review/{id}")
    await in_slack(stage, id, Tick(1, ("c",), ("a",)))
    assert (await ana.send(f"/review/{id}", {"do": "ticks", "had": ["a"], "ticks": ["a", "b"]})).status_code == 200
    assert await ticked(stage, id) == ("b", "c"), "Ben's tick of c and untick of a stand beside Ana's tick of b"
    receipts = await stage.store.records.receipts(WORKSPACE, id)
    assert [(one.by.handle, one.data["tick"], one.data["untick"]) for one in receipts[1:]] == [
        ("ben", ["a"], []),
        ("ben", ["c"], ["a"]),
        ("ana", ["b"], []),
    ]


async def test_the_same_form_sent_twice_changes_nothing_more(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.CHECKLIST))
    for _ in range(2):
        await ana.send(f"/review/{id}", {"do": "ticks", "ticks": ["a"], "revision": "1", **await token(ana, id)})
    assert len(await stage.store.records.receipts(WORKSPACE, id)) == 2


async def token(browser: Browser, id: str) -> dict[str, Any]:
    found = re.search(r'name="token" value="(\w+)"', (await browser.http.get(f"/review/{id}")).text)
    assert found
    return {"token": found[1], "had": []}


async def test_a_list_is_completed_with_what_is_ticked_then(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.CHECKLIST, min=2, accept_label="All done"))
    await ana.open(f"/review/{id}")
    await in_slack(stage, id, Tick(1, ("c",)))
    assert (await ana.send(f"/review/{id}", {"do": "accept", "ticks": ["a"]})).status_code == 200
    card = await stage.card(id)
    assert card.outcome is not None
    assert (card.status, card.outcome.answer and card.outcome.answer["selected"]) == (Status.COMPLETED, ["a", "c"])
    assert "2 of 3 ticked" in ana.text
    assert "Ticked by Ben, 2 Dec 2026, 10:00 UTC, in Slack." in ana.text


async def test_too_few_ticks_complete_nothing_but_are_saved(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.CHECKLIST, min=2))
    assert await ana.press(id, "accept", ticks=["a"]) == 422
    assert '<a href="#ticks">Tick at least 2 (now 1).</a>' in ana.text
    assert (checked(ana.text), await ticked(stage, id)) == (["a"], ("a",))
    await in_slack(stage, id, Tick(1, (), ("a",)))
    await ana.open(f"/review/{id}")
    assert checked(ana.text) == [], "what was saved is no draft that would come back"


async def test_ticks_that_are_not_saved_stay_with_other_words(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.CHECKLIST))
    assert await ana.press(id, "comment", ticks=["a"], comment="Is c done?") == 200
    assert (checked(ana.text), await ticked(stage, id)) == (["a"], ())
    await in_slack(stage, id, Tick(1, ("b",)))
    await ana.open(f"/review/{id}")
    assert checked(ana.text) == ["a", "b"]


async def test_ticks_on_a_changed_list_are_kept_for_the_items_that_are_left(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.CHECKLIST))
    await ana.open(f"/review/{id}")
    new = with_content(await stage.card(id), payload={"items": [{"id": "n", "label": "New"}, *ITEMS[1:]], "min": 1})
    await change(stage.context, WORKSPACE, id, Patch(1, new.content), BUILDER)
    assert (await ana.send(f"/review/{id}", {"do": "ticks", "ticks": ["a", "b"]})).status_code == 409
    assert "<li>item 1 is new</li>" in ana.text
    assert "<li>how many items must be ticked, or the label of the button</li>" in ana.text
    assert (checked(ana.text), await ticked(stage, id)) == (["b"], ())


async def test_verdicts_are_saved_as_far_as_they_were_given(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.ITEM_VERDICTS))
    fields = {"v0": "approve", "v0.reason": "not sent", "v1": "", "v2": "", "v2.reason": "half a thought"}
    assert await ana.press(id, "verdicts", **fields) == 200
    assert "Saved: 1 of 3 decided." in ana.text
    assert "Ana, 2 Dec 2026, 10:00 UTC, on this page" in ana.text
    assert 'name="v0"' not in ana.text
    assert 'value="half a thought"' in ana.text
    (given,) = (await stage.card(id)).verdicts
    assert (given.item, given.verdict, given.reason) == ("a", "approve", None)


async def test_a_missing_reason_keeps_every_verdict_that_was_chosen(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.ITEM_VERDICTS))
    assert await ana.press(id, "verdicts", v0="approve", v2="reject", **{"v2.reason": " "}) == 422
    assert '<a href="#v2.reason">Item 3: A reason is required.</a>' in ana.text
    assert 'id="v0" name="v0" value="approve" checked' in ana.text
    assert (await stage.card(id)).verdicts == ()
    assert await ana.press(id, "verdicts", v0="approve", v2="reject", **{"v2.reason": "too risky"}) == 200
    assert len((await stage.card(id)).verdicts) == 2


async def test_the_first_verdict_stands_and_whoever_came_later_is_told(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.ITEM_VERDICTS))
    await ana.open(f"/review/{id}")
    await in_slack(stage, id, Judge(1, (Given("a", "defer"),)))
    assert (await ana.send(f"/review/{id}", {"do": "verdicts", "v0": "approve", "v1": "approve"})).status_code == 200
    assert "Not all of it counted" in ana.text
    assert "Ben has decided this item already: Defer. The first verdict stands." in ana.text
    assert {one.item: one.verdict for one in (await stage.card(id)).verdicts} == {"a": "defer", "b": "approve"}
    await ana.open(f"/review/{id}")
    assert "Your draft" not in ana.text


async def test_the_last_verdict_completes_the_card(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.ITEM_VERDICTS))
    await in_slack(stage, id, Judge(1, (Given("a", "reject", "too <risky>"),)))
    assert await ana.press(id, "verdicts", v1="approve", v2="defer") == 200
    assert (await stage.card(id)).status is Status.COMPLETED
    assert "1 Approve, 1 Reject, 1 Defer" in ana.text
    assert "too &lt;risky&gt;" in ana.text


async def test_200_items_are_decided_with_one_form(stage: Stage, ana: Browser) -> None:
    many = [{"id": f"i{number}", "label": f"Item {number}"} for number in range(200)]
    id = await stage.ask(asked(Kind.ITEM_VERDICTS, items=many))
    assert await ana.press(id, "verdicts", **{f"v{number}": "approve" for number in range(199)}) == 200
    assert "199 of 200 decided" in ana.text
    assert await ana.press(id, "verdicts", v199="reject", **{"v199.reason": "the last one"}) == 200
    assert (await stage.card(id)).status is Status.COMPLETED
    assert "199 Approve, 1 Reject" in ana.text


async def test_no_verdict_at_all_is_told(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.ITEM_VERDICTS))
    assert await ana.press(id, "verdicts") == 422
    assert "Give at least one verdict." in ana.text


async def test_a_draft_of_verdicts_survives_and_leaves_with_them(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(asked(Kind.ITEM_VERDICTS))
    assert await ana.press(id, "draft", v0="reject", **{"v0.reason": "hm"}) == 200
    assert 'id="v0-2" name="v0" value="reject" checked' in ana.text
    assert await ana.press(id, "verdicts", v0="reject", **{"v0.reason": "hm"}) == 200
    assert await stage.store.records.draft(WORKSPACE, id, "review:per_ana") is None


@pytest.mark.parametrize(("kind", "button"), [(Kind.CHECKLIST, "verdicts"), (Kind.ITEM_VERDICTS, "accept"),
                                              (Kind.ITEM_VERDICTS, "reject"), (Kind.CHECKLIST, "reject-words"),
                                              (Kind.CHECKLIST, "connect")])  # fmt: skip
async def test_buttons_of_other_kinds_do_nothing(stage: Stage, ana: Browser, kind: Kind, button: str) -> None:
    id = await stage.ask(asked(kind))
    assert await ana.press(id, button, ticks=["a"], v0="approve", comment="x") == 403
    assert (await stage.card(id)).version == 1
