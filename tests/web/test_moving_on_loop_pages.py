"""Work orders moved from their pages: by buttons and words, in one's own time, a page at a time."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.errors import Raced
from core.loops import Claim, Decline, LoopState
from core.loops.values import Loop
from core.use_cases.loops import move
from tests.web.test_pages_loops import order, signed_in
from tests.web.visiting import BUILDER, Browser, Stage, fields_of, staged


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


async def kept(stage: Stage, name: str = "wo-1") -> Loop:
    found = await stage.store.records.loop(WORKSPACE, name, None)
    assert found is not None
    return found.loop


MOVES = [
    # a button, its words, what the order then is, and how the page tells the words
    ("acknowledge", "", LoopState.ACKNOWLEDGED, ""),
    ("claim", "", LoopState.CLAIMED, ""),
    ("done", "OK all 14 <b>are</b> healthy", LoopState.CLOSED, "all 14 &lt;b&gt;are&lt;/b&gt; healthy"),
    ("decline", "the node is down", LoopState.DECLINED, "the node is down"),
    ("no-action", "it was a test", LoopState.NO_ACTION, "it was a test"),
]


@pytest.mark.parametrize(("button", "words", "state", "told"), MOVES)
async def test_a_member_moves_it_and_the_page_comes_back_by_get(
    stage: Stage, button: str, words: str, state: LoopState, told: str
) -> None:
    await order(stage, "wo-1")
    ben = await signed_in(stage, "ben")
    await ben.open("/loops/wo-1")
    page = await ben.send("/loops/wo-1", {"do": button, button: words})
    assert (page.status_code, str(page.url.path), page.url.query) == (200, "/loops/wo-1", b"saved")
    assert "Saved." in page.text
    assert told in page.text
    loop = await kept(stage)
    assert loop.state is state
    mark = loop.outcome or loop.claimed or loop.acknowledged
    assert mark is not None
    assert (mark.by.handle, mark.via.value) == ("ben", "review")


@pytest.mark.parametrize("button", ["done", "decline", "no-action"])
async def test_words_that_are_missing_are_asked_for_beside_their_field(stage: Stage, button: str) -> None:
    await order(stage, "wo-1")
    ben = await signed_in(stage, "ben")
    await ben.open("/loops/wo-1")
    page = await ben.send("/loops/wo-1", {"do": button, button: " "})
    assert page.status_code == 422
    assert f'id="{button}-fault"' in page.text
    assert page.text.count('aria-invalid="true"') == 1
    assert (await kept(stage)).state is LoopState.OPEN


async def test_who_comes_too_late_is_told_who_has_it_and_who_ended_it(stage: Stage) -> None:
    await order(stage, "wo-1")
    ben = await signed_in(stage, "ben")
    await ben.open("/loops/wo-1")
    await move(stage.context, WORKSPACE, "wo-1", Claim(), BUILDER)
    page = await ben.send("/loops/wo-1", {"do": "claim"})
    assert page.status_code == 409
    assert "builder has wo-1 since " in page.text
    await move(stage.context, WORKSPACE, "wo-1", Decline("no"), BUILDER)
    page = await ben.http.post("/loops/wo-1", data={"do": "acknowledge", "token": await _token(ben)})
    assert page.status_code == 409
    assert "wo-1 was declined by builder at " in page.text


async def _token(browser: Browser) -> str:
    return fields_of(browser.text)[0][1]


async def test_a_share_is_claimed_by_its_number_or_as_the_next_free_one(stage: Stage) -> None:
    await order(stage, "wo-1", slots=3)
    ben = await signed_in(stage, "ben")
    await ben.open("/loops/wo-1")
    await ben.send("/loops/wo-1", {"do": "claim", "slot": "3"})
    assert [slot.claimed is not None for slot in (await kept(stage)).slots] == [False, False, True]
    assert "Claimed by Ben on " in ben.text


async def test_the_slot_that_was_chosen_is_still_chosen_after_a_refusal(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in one form of several: the others keep what they begin with."""
    await order(stage, "wo-1", slots=4)
    ben = await signed_in(stage, "ben")
    await ben.open("/loops/wo-1")
    await ben.send("/loops/wo-1", {"do": "claim", "slot": "1"})
    await move(stage.context, WORKSPACE, "wo-1", Claim(3), BUILDER)
    taken = await ben.send("/loops/wo-1", {"do": "decline", "decline": "too much", "slot": "3"})
    assert taken.status_code == 409
    assert re.findall(r'<option value="(\d)" selected>', taken.text) == ["3"]
    assert ">Claim (2 of 4 free)</button>" in taken.text, "what is chosen beside it need not be the next"
    assert '<option value="3" selected>Slot 3,' in taken.text.partition('id="decline-slot"')[2]

    async def raced(*_: object) -> None:
        raise Raced

    monkeypatch.setattr("bot.web.loop_pages.move_as", raced)
    busy = await ben.send("/loops/wo-1", {"do": "claim", "slot": "4"})
    assert busy.status_code == 503
    assert re.findall(r'<option value="(\d)" selected>', busy.text) == ["4"]
    assert "too much" not in busy.text


async def test_a_declined_order_is_dispatched_again_from_its_page_once(stage: Stage) -> None:
    await order(stage, "wo-1", due="45m")
    ben = await signed_in(stage, "ben")
    assert "Dispatch again" not in (await ben.open("/loops/wo-1")).text
    await ben.send("/loops/wo-1", {"do": "decline", "decline": "the node is down"})
    assert 'value="dispatch-again"' in ben.text
    stale = await ben.open("/loops/wo-1")
    made = await ben.send("/loops/wo-1", {"do": "dispatch-again"})
    assert (made.url.path, made.status_code) == ("/loops/wo-1-again", 200)
    assert 'after <a href="/loops/wo-1">wo-1</a>' in made.text
    following = await kept(stage, "wo-1-again")
    assert (following.state, following.sender.handle, following.parent) == (LoopState.OPEN, "ben", "wo-1")
    ben.page = stale
    again = await ben.send("/loops/wo-1", {"do": "dispatch-again"})
    assert again.status_code == 409
    assert "wo-1 was dispatched again as wo-1-again." in again.text
    assert 'as <a href="/loops/wo-1-again">wo-1-again</a>' in again.text
    assert 'value="dispatch-again"' not in again.text


async def test_an_escalated_order_is_dispatched_again_by_its_sender_and_operators_alone(stage: Stage) -> None:
    await order(stage, "wo-1")
    ana, ben = await signed_in(stage, "ana"), await signed_in(stage, "ben")
    await ana.open("/loops/wo-1")
    early = await ana.send("/loops/wo-1", {"do": "dispatch-again"})
    assert early.status_code == 409
    assert "neither declined nor escalated" in early.text
    async with stage.context.work() as work:
        loop = await work.loop_named(WORKSPACE, "wo-1")
        assert loop is not None
        await work.save_loop(loop, loop.model_copy(update={"escalated_at": stage.clock.now()}))
        await work.commit()
    assert 'value="dispatch-again"' not in (await ben.open("/loops/wo-1")).text
    assert (await ben.send("/loops/wo-1", {"do": "dispatch-again"})).status_code == 403
    assert 'value="dispatch-again"' in (await ana.open("/loops/wo-1")).text
    made = await ana.send("/loops/wo-1", {"do": "dispatch-again"})
    assert made.url.path == "/loops/wo-1-again"
    assert (await kept(stage)).state is LoopState.NO_ACTION


@pytest.mark.parametrize(
    ("fields", "status"), [({"token": "forged"}, 403), ({"do": "destroy"}, 422), ({"do": None}, 422)]
)
async def test_a_form_that_is_not_ours_changes_nothing(stage: Stage, fields: dict[str, Any], status: int) -> None:
    await order(stage, "wo-1")
    ben = await signed_in(stage, "ben")
    await ben.open("/loops/wo-1")
    assert (await ben.send("/loops/wo-1", {"do": "claim", **fields})).status_code == status
    assert (await kept(stage)).state is LoopState.OPEN


async def test_strangers_and_those_elsewhere_move_nothing(stage: Stage) -> None:
    await order(stage, "wo-1")
    cleo = await signed_in(stage, "cleo")
    assert (await cleo.send("/loops/wo-1", {"do": "claim"})).status_code == 404
    held = await stage.browser().send("/loops/wo-1", {"do": "done", "done": "all of it"})
    assert held.status_code == 401
    assert "all of it" in held.text
    assert "Title of" not in held.text
    assert (await kept(stage)).state is LoopState.OPEN


async def test_the_body_is_markdown_and_what_is_hostile_in_it_stays_text(stage: Stage) -> None:
    await order(stage, "wo-1", body="**all** of [them](javascript:alert(1)) <script>alert(1)</script>\n\n- one")
    page = (await (await signed_in(stage, "ana")).open("/loops/wo-1")).text
    assert "<strong>all</strong>" in page
    assert "<script" not in page
    assert 'href="javascript' not in page


async def test_a_long_list_goes_on_from_page_to_page(stage: Stage) -> None:
    for number in range(23):
        await order(stage, f"wo-{number}")
    ana = await signed_in(stage, "ana")
    first = (await ana.open("/loops")).text
    older = re.search(r"/loops\?open=lop_\w+", first)
    assert older
    second = (await ana.open(older[0])).text
    names = [set(re.findall(r"/loops/(wo-\d+)\"", page)) for page in (first, second)]
    assert [len(one) for one in names] == [20, 3]
    assert not names[0] & names[1]
    assert (await ana.open("/loops?open=wo-1")).status_code == 400


async def test_times_are_told_in_the_zone_of_who_reads_them(stage: Stage) -> None:
    await order(stage, "wo-1", due="45m")
    ana = await signed_in(stage, "ana")
    await ana.open("/inbox")
    await ana.send("/inbox", {"zone": "Asia/Kathmandu"})
    for path in ("/loops", "/loops/wo-1"):
        page = (await ana.open(path)).text
        assert "Due 2 Dec 2026, 16:30 +0545" in page
        assert "Times are in your time zone, Asia/Kathmandu." in page
