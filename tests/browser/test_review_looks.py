"""How the pages look and hold up: for every eye, on every width, in the dark, with everything large."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from bot.startup import WORKSPACE
from core.acts import Accept, Judge, Reject, Respond
from core.audience import Candidate
from core.kinds import EXAMPLES, Kind
from core.kinds.answers import Answer
from core.kinds.item_verdicts import Given
from core.people import Membership, Standing, Via
from core.use_cases.answer import answer
from tests.browser.judge import BY_SIGHT, TAGS, violations
from tests.browser.pages_served import Service, served
from tests.web.calling import CHANNEL
from tests.web.visiting import BEN, confirmation, question

BODY = """# Plan

The canary ran **two hours**, `0.02 %` errors, see [the graph](https://example.com/a/very/long/path/to/a/graph).

1. first
2. second

> quoted

```
kubectl rollout status deployment/web --namespace production-eu-west-1 --context production --timeout=120s
```

| step | who | when | what could go wrong | how we would know of it |
|---|---|---|---|---|
| canary | ana | 10:00 | nothing | metrics |
"""
LABELS = ["Short", "x" * 200, "多" * 100, "A long label of many words that wraps on every phone there is, twice over"]
OPTIONS = [{"id": str(at), "label": label, "recommended": at == 1} for at, label in enumerate(LABELS)]
DESCRIBED = [{**OPTIONS[0], "description": "y" * 300}, *OPTIONS[1:]]
MANY = [{"id": str(number), "label": f"Option {number}"} for number in range(40)]
EVERYTHING: list[dict[str, Any]] = [
    {"id": "a", "type": "text", "prompt": "Say " + "x" * 300, "help": "Help", "multiline": True, "max_length": 9_000},
    {"id": "b", "type": "text", "prompt": "Version", "placeholder": "4.2", "pattern": r"\d", "required": False},
    {"id": "c", "type": "choice", "prompt": "One", "options": OPTIONS, "custom": True, "initial": "0"},
    {
        "id": "d",
        "type": "choices",
        "prompt": "Some",
        "options": [{**OPTIONS[0], "description": "y" * 300}, *OPTIONS[1:]],
    },
    {"id": "e", "type": "choice", "prompt": "One of many", "options": MANY, "custom": True, "required": False},
    {"id": "f", "type": "choices", "prompt": "Some of many", "options": MANY},
    {"id": "g", "type": "number", "prompt": "How many?", "integer": True, "min": 1},
    {"id": "h", "type": "date", "prompt": "When?"},
    {"id": "i", "type": "boolean", "prompt": "Sure?", "required": False},
]


@pytest_asyncio.fixture(loop_scope="session")
async def service(sqlite_store_url: str) -> AsyncIterator[Service]:
    async with served(sqlite_store_url) as running:
        yield running


async def gallery(service: Service) -> dict[str, str]:
    """A page of each kind and state, by name."""
    stage, found = service.stage, {}
    place = Candidate(BEN, BEN.identities[0], Standing(name="Ben"), {CHANNEL: Membership.YES})

    async def show(name: str, asked: dict[str, Any], act: Accept | Judge | Reject | Respond | None = None) -> None:
        id = found[name] = await stage.ask(asked)
        if act is not None:
            await answer(stage.context, WORKSPACE, id, act, place, Via.SLACK, "slack:evt")

    await show("everything", question(body=BODY, payload={"questions": EVERYTHING}))
    await show("confirmation", confirmation(recommendation="Delete it", policy={"expires_in": "2h", "starts": "asked"}))
    await show("votes", confirmation(audience={"answerers": ["conversation"], "quorum": 2}), Accept(1))
    await show("rejected", confirmation(), Reject(1, "z" * 500))
    given = {"a": Answer(value="line\nline"), "d": Answer(values=("1", "2"))}
    await show("answered", question(payload={"questions": [EVERYTHING[0], EVERYTHING[3]]}), Respond(given, 1))
    await show("others", confirmation(audience={"answerers": ["person:ben"]}, title="w" * 240))
    for kind in (Kind.CHECKLIST, Kind.SUGGESTED_TASKS, Kind.CONNECTION):
        await show(kind.value, {**EXAMPLES[kind], "to": CHANNEL})
    decided = (Given("pydantic", "approve"), Given("sqlalchemy", "reject", "z" * 500))
    await show("judged in part", {**EXAMPLES[Kind.ITEM_VERDICTS], "to": CHANNEL}, Judge(1, decided[:1]))
    await show("rules", {**EXAMPLES[Kind.ITEM_VERDICTS], "to": CHANNEL}, Judge(1, decided))
    await show("inbox", confirmation(audience={"answerers": ["person:ana"]}))
    return found


async def pages(service: Service, page: Page) -> AsyncIterator[str]:
    """Every page in turn, open in `page`: signed out, then signed in."""
    ids = await gallery(service)
    await page.goto(f"{service.base}/signin")
    yield "sign-in"
    await page.fill("#name", "nobody")
    await page.click("button.main")
    await page.wait_for_url("**/signin/code?**")
    yield "code"
    await page.fill("#code", "1")
    await page.click("button.main")
    await page.wait_for_selector("#code-fault")
    yield "wrong code"
    await service.sign_in(page)
    yield "inbox"
    await page.click("summary")
    yield "settings"
    for name, id in ids.items():
        await page.goto(service.card(id))
        for closed in await page.query_selector_all("details:not([open]) > summary"):
            await closed.click()
        yield name
    await page.goto(service.card(ids["everything"]))
    await page.check("#q2-other")
    await page.click("button[value=submit]")
    await page.wait_for_selector("[role=alert]")
    yield "faults"
    await page.goto(service.card("nothing"))
    yield "missing"


TARGETS = """() => [...document.querySelectorAll('button, select, textarea, summary, input, nav a, .cards a, .brand')]
    .filter(one => one.type !== 'hidden' && one.checkVisibility())
    .map(one => [one, (one.closest('.option') || one).getBoundingClientRect()])
    .filter(([one, box]) => box.height < 44 || box.width < 24)
    .map(([one, box]) => `${one.outerHTML.slice(0, 80)} is ${box.width} x ${box.height}`)"""

OFTEN = ("wrong code", "settings", "everything", "judged in part", "rejected")
"""A field with a mistake, a list, a form of every field, verdicts and a card that is over: the others are made of the
same parts. Judging is most of what this costs, so every page is judged in the long run."""
PHONE = "the smallest phone at night, as wide as a desk at 400 % (WCAG 1.4.10)"
SIGHTS = (
    pytest.param("dark", 320, 1, BY_SIGHT, OFTEN, True, id=PHONE),
    *(
        pytest.param(*row, id=name, marks=pytest.mark.slow)
        for *row, name in (
            ("dark", 320, 1, BY_SIGHT, (), True, f"{PHONE}, and every page is judged"),
            ("light", 1280, 1, TAGS, (), False, "a desk"),
            ("light", 320, 1, None, (), False, "a desk at 400 %"),
            ("dark", 640, 2, None, (), False, "a desk at 200 %"),
        )
    ),
)
"""The phone shows the same reflow as a desk of its width, and is harder on thumbs and contrast: it is looked at always.
What is judged of a page's text is judged of every kind of page in the tests of that kind."""


@pytest.mark.parametrize(("scheme", "width", "scale", "rules", "judged", "thumbs"), SIGHTS)
async def test_nobody_stumbles_over_any_page(
    service: Service,
    browser: Browser,
    scheme: Any,
    width: int,
    scale: float,
    rules: dict[str, Any] | None,
    judged: tuple[str, ...],
    thumbs: bool,
) -> None:
    context = await browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        device_scale_factor=scale,
        has_touch=thumbs,
        is_mobile=thumbs,
    )
    page = await context.new_page()
    seen = []
    async for name in pages(service, page):
        seen.append(name)
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} scrolls sideways"
        assert await page.evaluate("document.querySelectorAll('h1').length") == 1, name
        if thumbs:
            assert await page.evaluate(TARGETS) == [], f"{name} has something too small for a thumb"
        if rules and (not judged or name in judged):
            assert await violations(page, rules) == [], name
    assert len(seen) == 19
    assert set(judged) <= set(seen)


async def test_nothing_moves_for_those_who_asked_for_stillness(service: Service, browser: Browser) -> None:
    context = await browser.new_context(reduced_motion="reduce")
    page = await context.new_page()
    await page.goto(f"{service.base}/signin")
    moving = (
        "[...document.querySelectorAll('*')].filter(one => getComputedStyle(one).transitionDuration !== '0s').length"
    )
    assert await page.evaluate(moving) == 0


@pytest.mark.slow  # reads two styles that change seldom
async def test_dark_and_light_are_two_looks(service: Service, browser: Browser) -> None:
    colours = set()
    for scheme in ("light", "dark"):
        context = await browser.new_context(color_scheme=scheme)
        page = await context.new_page()
        await page.goto(f"{service.base}/signin")
        colours.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(colours) == 2


async def test_the_judge_finds_what_is_wrong(page: Page) -> None:
    await page.set_content("<img src='data:,'><p style='color: #ccc'>faint</p>")
    found = " ".join(await violations(page))
    assert "image-alt" in found
    assert "color-contrast" in found
