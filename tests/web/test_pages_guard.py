"""What keeps other sites, broken clients and curious ones away from the pages."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.web.drawing import HERE
from bot.web.security import MOST_FIELDS
from bot.web.turnstile import Turnstile, network
from core.errors import RateLimited
from tests.web.visiting import BASE, Browser, Stage, confirmation, fields_of, staged

ID = "int_00000000000000000000000000"
POSTS = ("/signin", "/signin/code", "/signout", "/inbox", f"/review/{ID}")
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


@pytest.fixture
async def ana(stage: Stage) -> Browser:
    browser = stage.browser()
    await browser.sign_in()
    return browser


ORIGINS: tuple[tuple[dict[str, str], bool, str], ...] = (
    ({"sec-fetch-site": "same-origin"}, True, "our own page"),
    ({"sec-fetch-site": "none"}, True, "the person reloads"),
    ({"sec-fetch-site": "cross-site"}, False, "another site"),
    ({"sec-fetch-site": "same-site"}, False, "a neighbour"),
    ({"sec-fetch-site": "same-origin, cross-site"}, False, "two at once"),
    ({"sec-fetch-site": "cross-site", "origin": BASE}, False, "what the browser decided counts"),
    ({"origin": BASE}, True, "an older browser on our own page"),
    ({"origin": "https://evil.example"}, False, "an older browser elsewhere"),
    ({"origin": "https://sayso.example.com.evil.example"}, False, "a name that begins like ours"),
    ({"origin": "https://evil-sayso.example.com"}, False, "a name that ends like ours"),
    ({"origin": "null"}, False, "a page without an origin"),
    ({"origin": ""}, False, "an empty origin"),
    ({}, False, "nothing at all"),
    ({"origin": "http://127.0.0.1:8080", "host": "127.0.0.1:8080"}, True, "reached by another address"),
    ({"origin": "http://evil.example", "host": "127.0.0.1:8080"}, False, "another site, at that address"),
)  # fmt: skip


@pytest.mark.parametrize(("headers", "own", "reason"), ORIGINS, ids=[reason for *_, reason in ORIGINS])
async def test_forms_are_taken_from_our_own_pages_only(
    stage: Stage, headers: dict[str, str], own: bool, reason: str
) -> None:
    browser = stage.browser()
    for name in ("sec-fetch-site", "origin"):
        del browser.http.headers[name]
    for path in POSTS:
        answer = await browser.http.post(path, data={"name": "ana"}, headers=headers)
        assert ("was not sent from a page of this service" in answer.text) is not own
        assert own or answer.status_code == 403


async def test_a_form_of_another_session_decides_nothing_and_keeps_what_was_typed(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(confirmation())
    await ana.open(f"/review/{id}")
    for token in ("", "0" * 64, "é"):
        page = await ana.send(f"/review/{id}", {"do": "reject", "reason": "my <words>", "token": token})
        assert page.status_code == 403
        assert "my &lt;words&gt;</textarea>" in page.text
        assert (await stage.card(id)).is_pending
    assert "Rejected" in (await ana.send(f"/review/{id}", {"do": "reject", "reason": "my words"})).text


async def test_another_persons_token_is_no_token(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(confirmation())
    ben = stage.browser()
    await ben.sign_in("ben")
    theirs = dict(fields_of((await ben.open(f"/review/{id}")).text))["token"]
    await ana.open(f"/review/{id}")
    assert (await ana.send(f"/review/{id}", {"do": "accept", "token": theirs})).status_code == 403
    assert (await stage.card(id)).is_pending


BROKEN: tuple[tuple[str, bytes, int, str], ...] = (
    ("application/json", b'{"do": "accept"}', 415, "not a form"),
    ("", b"do=accept", 415, "no type"),
    ("text/plain", b"do=accept", 415, "what cross-site scripts may send"),
    ("multipart/form-data", b"--x\r\n", 400, "no boundary"),
    ("multipart/form-data; boundary=x", b"\x00\xff nonsense", 400, "not what the type says"),
    ("multipart/form-data; boundary=" + "x" * 300, b"--x", 400, "a boundary beyond reason"),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--\r\n',
        400,
        "a file, which no form here has",
    ),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\nc\r\n--x--\r\n", 400, "no name"),
    (FORM, b"a=1&" * (MOST_FIELDS + 1), 400, "more fields than any form"),
    (FORM, b"a=" + b"b" * 1_000_000, 413, "more than a megabyte"),
)


@pytest.mark.parametrize(("kind", "body", "status", "reason"), BROKEN, ids=[reason for *_, reason in BROKEN])
async def test_what_is_no_form_gets_a_page_that_says_so(
    stage: Stage, ana: Browser, kind: str, body: bytes, status: int, reason: str
) -> None:
    answer = await ana.http.post(f"/review/{ID}", content=body, headers={"content-type": kind} if kind else {})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>" in answer.text
    assert (await ana.open("/inbox")).status_code == 200


PART = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n--x--\r\n'
HARMLESS: tuple[tuple[str, bytes], ...] = (
    (FORM, b"%zz=%&&&==&a;b&\xff=\xfe&do=%00"),
    ("multipart/form-data; boundary=x; charset=hex", PART % (b"\xff", b"\xff")),
    ("multipart/form-data; boundary=x; charset=utf-7", PART % (b"do", b"+ADw-")),
)


@pytest.mark.parametrize(("kind", "body"), HARMLESS)
async def test_odd_bytes_are_only_odd_words(stage: Stage, ana: Browser, kind: str, body: bytes) -> None:
    answer = await ana.http.post(f"/review/{ID}", content=body, headers={"content-type": kind})
    assert answer.status_code == 404, "it was read, and the card is not there"


async def _everything(stage: Stage) -> AsyncIterator[tuple[str, Any]]:
    browser = stage.browser()
    id = await stage.ask(confirmation())
    for path in ("/", "/inbox", "/signin", "/signin/code", "/signout", f"/review/{id}", "/review/nothing"):
        yield path, await browser.http.get(path)
    for path in POSTS:
        yield path, await browser.http.post(path, data={"x": "y"})
    await browser.sign_in()
    for path in ("/inbox", f"/review/{id}", f"/review/{ID}", "/inbox?open=x"):
        yield path, await browser.http.get(path)


async def test_every_answer_tells_the_browser_to_be_strict_and_to_keep_nothing(stage: Stage) -> None:
    seen = set()
    async for path, answer in _everything(stage):
        seen.add(answer.status_code)
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        scripts = {"script-src": "'self'", "connect-src": "'self'"} if 'src="/static/review.js' in answer.text else {}
        assert policy == {
            "default-src": "'none'",
            **scripts,
            "style-src": "'self'",
            "img-src": "'self'",
            "form-action": "'self'",
            "base-uri": "'none'",
            "frame-ancestors": "'none'",
        }, path
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.text.count("<script") == (1 if scripts else 0)
        assert " style=" not in answer.text
    assert {200, 303, 400, 401, 403, 404, 405} <= seen


async def test_other_methods_are_refused_in_plain_words(stage: Stage) -> None:
    browser = stage.browser()
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        answer = await browser.http.request(method, "/inbox")
        assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD, POST")
    assert (await browser.http.get("/signout")).headers["allow"] == "POST"


async def test_the_style_sheet_may_be_kept_for_good_because_its_address_changes_with_it(stage: Stage) -> None:
    browser = stage.browser()
    page = await browser.open("/signin")
    assert re.search(r'href="/static/sayso\.css\?v=[0-9a-f]{12}"', page.text)
    for name in ("sayso.css", "sayso.svg", "review.js"):
        answer = await browser.http.get(f"/static/{name}")
        assert answer.content == (HERE / "static" / name).read_bytes()
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await browser.http.get("/static/base.html")).status_code == 404


async def test_links_and_forms_work_under_a_path(sqlite_store_url: str) -> None:
    async with staged(sqlite_store_url, "https://example.com/tools/sayso") as stage:
        browser = stage.browser("https://example.com")
        page = await browser.http.get("/signin")
        assert 'action="/tools/sayso/signin"' in page.text
        assert '"/tools/sayso/static/sayso.css?' in page.text
        assert (await browser.http.get("/inbox")).headers["location"] == "/tools/sayso/signin?next=/inbox"


async def test_a_failure_of_ours_is_a_page_too(stage: Stage, ana: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(*_: Any, **__: Any) -> None:
        raise OSError("the disk is gone <secret>")

    monkeypatch.setattr(type(stage.store.records), "past_for", lost)
    page = await ana.open("/inbox")
    assert page.status_code == 500
    assert "Something broke here" in page.text
    assert "secret" not in page.text


def test_a_turnstile_counts_networks_in_windows() -> None:
    now = 0.0
    turnstile = Turnstile(2, 60, now=lambda: now)
    for address in ("2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.1", "192.0.2.2"):
        turnstile.check(address)
    now = 20.0
    with pytest.raises(RateLimited) as limited:
        turnstile.check("2001:db8::ffff")
    assert limited.value.retry_after == 40
    now = 60.0
    turnstile.check("2001:db8::1")


NETWORKS = (
    ("192.0.2.1", "192.0.2.1"),
    ("::ffff:192.0.2.1", "192.0.2.1"),
    ("2001:db8:0:1:2::3", "2001:db8:0:1::/64"),
    ("testclient", "testclient"),
    ("", ""),
)


@pytest.mark.parametrize(("address", "expected"), NETWORKS)
def test_a_network_is_what_one_customer_has(address: str, expected: str) -> None:
    assert network(address) == expected
