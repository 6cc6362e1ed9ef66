"""The inbox: what waits on a person, what they had a part in, a page at a time."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest

from bot.startup import WORKSPACE
from core.acts import Withdraw
from core.kinds import EXAMPLES, Kind
from core.loops import NoAction
from core.use_cases.change import change
from tests.web.test_pages_loops import order
from tests.web.visiting import BUILDER, Browser, Stage, confirmation, question, staged

FOR_BEN = {"audience": {"answerers": ["person:ben"]}, "to": "review"}
LINK = re.compile(r'<a href="/review/(int_\w+)">')


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


@pytest.fixture
async def ben(stage: Stage) -> Browser:
    browser = stage.browser()
    await browser.sign_in("ben")
    return browser


async def lists(browser: Browser, path: str = "/inbox") -> tuple[list[str], list[str]]:
    """The ids under both headings."""
    page = await browser.open(path)
    assert page.status_code == 200
    waiting, past = page.text.split('<h2 id="past">')
    return LINK.findall(waiting), LINK.findall(past)


async def test_home_leads_to_the_inbox(stage: Stage, ben: Browser) -> None:
    assert (await ben.open("/")).url.path == "/inbox"
    assert await lists(ben) == ([], [])
    assert "Nothing waits for you." in (await ben.open("/inbox")).text


async def test_what_waits_is_listed_by_urgency_and_moves_when_it_is_answered(stage: Stage, ben: Browser) -> None:
    older = await stage.ask(question(**FOR_BEN, title="Older <one>"))
    newer = await stage.ask(question(**FOR_BEN, policy={"expires_in": "24h"}))
    assert await lists(ben) == ([newer, older], [])
    page = (await ben.open("/inbox")).text
    assert "Older &lt;one&gt;" in page
    assert "Open until 3 Dec 2026" in page
    await ben.open(f"/review/{older}")
    await ben.send(f"/review/{older}", {"do": "submit", "q0": "yes"})
    assert await lists(ben) == ([newer], [older])
    assert "Ben answered this on" in (await ben.open("/inbox")).text


async def test_others_cards_and_ended_ones_are_not_listed(stage: Stage, ben: Browser) -> None:
    await stage.ask(question(audience={"answerers": ["person:ana"]}))
    gone = await stage.ask(question(**FOR_BEN))
    over = await stage.ask(question(**FOR_BEN, policy={"expires_in": "30s", "starts": "asked"}))
    assert await lists(ben) == ([over, gone], [])
    await change(stage.context, WORKSPACE, gone, Withdraw(), BUILDER)
    stage.clock.move(seconds=31)
    assert await lists(ben) == ([], [])


async def test_a_conversations_card_waits_on_whoever_belongs_there_also_if_they_never_acted(
    stage: Stage, ben: Browser
) -> None:
    id = await stage.ask(confirmation())
    stage.slack.members.discard("U2")
    assert await lists(ben) == ([], [])
    stage.slack.members.add("U2")
    assert await lists(ben) == ([id], [])
    stage.slack.members.clear()
    assert await lists(ben) == ([], [])
    stage.slack.away = True
    assert await lists(ben) == ([], [])
    page = (await ben.open("/inbox")).text
    assert "it could not be checked just now whether they are yours" in page
    assert "Nothing waits for you" not in page


async def test_a_connection_waits_on_operators_who_alone_can_grant_it(stage: Stage, ben: Browser) -> None:
    wanted = {**EXAMPLES[Kind.CONNECTION], "to": "review", "audience": {"answerers": ["person:ben"]}}
    id = await stage.ask(wanted)
    ana = stage.browser()
    await ana.sign_in("ana")
    assert await lists(ana) == ([id], []), "Ana operates here"
    assert await lists(ben) == ([id], []), "Ben may decline it"
    await stage.ask(confirmation(**FOR_BEN))
    assert await lists(ana) == ([id], []), "other cards are no concern of hers"


async def test_long_lists_come_in_pages_that_miss_and_repeat_nothing(stage: Stage, ben: Browser) -> None:
    ids = [await stage.ask(question(**FOR_BEN)) for _ in range(45)]
    found: list[str] = []
    path = "/inbox"
    for _ in range(3):
        found += (await lists(ben, path))[0]
        older = re.search(r'href="(/inbox\?open=\.\w+)">More<', (await ben.open(path)).text)
        path = older[1] if older else ""
    assert found == ids[::-1]
    assert path == ""


async def test_a_page_that_is_just_full_is_the_last(stage: Stage, ben: Browser) -> None:
    for _ in range(20):
        await stage.ask(question(**FOR_BEN))
    assert len((await lists(ben))[0]) == 20
    assert ">More<" not in (await ben.open("/inbox")).text


async def test_the_past_has_pages_of_its_own(stage: Stage, ben: Browser) -> None:
    ids = [await stage.ask(confirmation(**FOR_BEN)) for _ in range(22)]
    for id in ids:
        await ben.open(f"/review/{id}")
        await ben.send(f"/review/{id}", {"do": "accept"}, follow_redirects=False)
    first = (await lists(ben))[1]
    rest = (await lists(ben, f"/inbox?past={first[-1]}"))[1]
    assert [*first, *rest] == ids[::-1]
    assert len(first) == 20


NONE = "0" * 26
MISTYPED = ["open=x", "past=int_", "open=", f"open=.{NONE[1:]}!", f"open={'9' * 19}.{NONE}", f"open={'9' * 18}.{NONE}"]


@pytest.mark.parametrize("query", [*MISTYPED, "past=%00"])
async def test_a_mistyped_place_in_a_list_is_said_to_be_one(stage: Stage, ben: Browser, query: str) -> None:
    page = await ben.open(f"/inbox?{query}")
    assert page.status_code == 400
    assert "This address is mistyped" in page.text


async def test_work_orders_and_questions_are_one_list_with_the_most_urgent_first(stage: Stage, ben: Browser) -> None:
    await order(stage, "wo-1", to="person:ben", due="30m")
    await stage.ask(question(**FOR_BEN, title="Soon", policy={"expires_in": "1h", "starts": "asked"}))
    await order(stage, "wo-2", to="person:ben", title="Whenever <b>you</b> like")
    await order(stage, "wo-3", to="person:ana")
    page = (await ben.open("/inbox")).text
    places = [page.index(words) for words in ("/loops/wo-1", "Soon", "/loops/wo-2")]
    assert places == sorted(places)
    assert "Whenever &lt;b&gt;you&lt;/b&gt; like" in page
    assert "Work order: open" in page
    assert "Due 2 Dec 2026, 10:30 UTC" in page
    assert "/loops/wo-3" not in page


async def test_the_pages_go_through_one_order_of_both_kinds(stage: Stage, ben: Browser) -> None:
    """The oldest card is the most urgent, and of the work orders the last one: neither waits for its page."""
    for number in range(45):
        hours = 90 - number
        if number % 3:
            await order(stage, f"wo-{hours}", to="person:ben", due=f"{hours}h")
        else:
            ends = {"expires_in": f"{hours}h", "starts": "asked"} if number else {"expires_in": "1h", "starts": "asked"}
            await stage.ask(question(**FOR_BEN, title=f"Card {hours if number else 1}h", policy=ends))
    await order(stage, "wo-none", to="person:ben")
    found: list[str] = []
    path, pages = "/inbox", 0
    while path:
        page = (await ben.open(path)).text.split('<h2 id="past">')[0]
        found += re.findall(r">(?:Card |Title of wo-)(\w+?)h?</span>", page)
        more = re.search(r'href="(/inbox\?open=[\d.]+\w+)">More<', page)
        path, pages = more[1] if more else "", pages + 1
    assert found == ["1", *(str(hours) for hours in range(46, 90)), "none"]
    assert pages == 3


async def test_a_work_order_that_is_done_leaves_the_list(stage: Stage, ben: Browser) -> None:
    await order(stage, "wo-1", NoAction("It recovered"), to="person:ben")
    assert "Nothing waits for you." in (await ben.open("/inbox")).text
