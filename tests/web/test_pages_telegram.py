"""Our pages inside Telegram, and signing in with Telegram: whom they let in, where, how often, and what they refuse."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.startup import WORKSPACE
from bot.web.bots import ProvingBot
from core.people import Identity, Person
from core.ports import Work
from core.use_cases.transact import transact
from tests.web.visiting import BASE, Browser, Stage, confirmation, fields_of, staged

CLEO, EVE = 42, 66
"""Cleo has the account 42; 66 is nobody's here."""
ELSEWHERE = "wsp_elsewhere"
APP = "/telegram/app"


@dataclass
class Scene:
    """The pages, the deployment's own bot, and one that another tenant brought."""

    stage: Stage
    own: TelegramStandIn
    theirs: TelegramStandIn
    bots: list[ProvingBot] = field(default_factory=list)

    def stamp(self) -> str:
        return str(int(self.stage.clock.now().timestamp()))

    def proof(self, user: int = CLEO, bot: TelegramStandIn | None = None) -> str:
        """What Telegram tells the Mini App of a bot that somebody opens now."""
        return (bot or self.own).saying_who.init_data(user, auth_date=self.stamp())

    def login(self, user: int = CLEO, bot: TelegramStandIn | None = None) -> str:
        """What somebody is sent back with who logged in at Telegram now."""
        return (bot or self.own).saying_who.login_result(user, auth_date=int(self.stamp()))

    async def open_app(
        self, browser: Browser, proof: str, bot: TelegramStandIn | None = None, to: str = "/loops"
    ) -> int:
        """Open the page as Telegram does, and hand the proof on as its script does."""
        path = f"{APP}/{(bot or self.own).bot_id}"
        await browser.open(f"{path}?{urlencode({'next': to})}")
        return (await browser.send(path, {"proof": proof})).status_code

    async def set_out(self, browser: Browser, to: str = "/loops") -> str:
        """Press the button; the state that comes back with whoever logs in."""
        await browser.open(f"/signin?again&{urlencode({'next': to})}")
        left = await browser.send("/signin/telegram", {"next": to}, follow_redirects=False)
        assert left.status_code == 303, left.text
        asked = parse_qs(urlsplit(left.headers["location"]).query)
        assert left.headers["location"].startswith("https://oauth.telegram.org/auth?")
        assert (asked["bot_id"], asked["origin"]) == ([str(self.own.bot_id)], [BASE])
        back = urlsplit(asked["return_to"][0])
        assert f"{back.scheme}://{back.netloc}{back.path}" == f"{BASE}/signin/telegram/return"
        return parse_qs(back.query)["state"][0]

    async def come_back(self, browser: Browser, state: str, proof: str) -> int:
        """Come back as Telegram sends people, and hand the proof on as the page's script does."""
        await browser.open(f"/signin/telegram/return?{urlencode({'state': state})}")
        return (await browser.send("/signin/telegram/return", {"proof": proof})).status_code


@pytest.fixture
async def scene(sqlite_store_url: str) -> AsyncIterator[Scene]:
    own = TelegramStandIn(StandInSettings())
    theirs = TelegramStandIn(StandInSettings(bot_id=7_000_000_002, bot_username="their_bot"))
    for bot in (own, theirs):
        for number, name in ((CLEO, "Cleo"), (EVE, "Eve")):
            bot.scene.create_user(name, user_id=number)
    bots = [
        ProvingBot(str(own.bot_id), WORKSPACE, own.bot_token, own=True),
        ProvingBot(str(theirs.bot_id), ELSEWHERE, theirs.bot_token),
    ]
    async with staged(sqlite_store_url, bots=lambda: bots, telegram_site="https://oauth.telegram.org") as stage:

        async def add(work: Work) -> None:
            await work.add_workspace(ELSEWHERE, "elsewhere", stage.clock.now())

        await transact(stage.context, add)
        yield Scene(stage, own, theirs, bots)


def where(browser: Browser) -> str:
    assert browser.page is not None
    return urlsplit(str(browser.page.url)).path


async def test_whoever_opens_it_inside_telegram_is_in_and_where_the_button_leads(scene: Scene) -> None:
    cleo = scene.stage.browser()
    assert await scene.open_app(cleo, scene.proof()) == 200
    assert where(cleo) == "/loops"
    assert "Cleo" in cleo.text


async def test_the_page_runs_our_script_alone_and_nobody_frames_it_but_telegram(scene: Scene) -> None:
    page = await scene.stage.browser().open(f"{APP}/{scene.own.bot_id}?next=/loops")
    rules = page.headers["content-security-policy"].split("; ")
    assert "script-src 'self'" in rules
    assert "frame-ancestors https://web.telegram.org" in rules
    assert "telegram.org" not in page.text, "nothing of Telegram's is loaded"
    for other in ("/signin", "/signin/telegram/return", "/signin/code"):
        headers = (await scene.stage.browser().open(other)).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


async def test_an_account_that_is_nobodys_here_is_told_so_and_not_let_in(scene: Scene) -> None:
    for way in ("app", "login"):
        eve = scene.stage.browser()
        if way == "app":
            assert await scene.open_app(eve, scene.proof(EVE)) == 403
        else:
            assert await scene.come_back(eve, await scene.set_out(eve), scene.login(EVE)) == 403
        assert "sayso person add HANDLE --telegram 66" in eve.text
        await eve.open("/inbox")
        assert where(eve) == "/signin"


async def test_one_proof_lets_in_once_and_reloading_the_page_is_harmless(scene: Scene) -> None:
    proof = scene.proof()
    cleo, thief = scene.stage.browser(), scene.stage.browser()
    assert await scene.open_app(cleo, proof) == 200
    assert await scene.open_app(cleo, proof) == 200, "the same page, loaded anew"
    assert where(cleo) == "/loops"
    assert await scene.open_app(thief, proof) == 401
    assert "Open the page once more" in thief.text
    await thief.open("/inbox")
    assert where(thief) == "/signin"
    await cleo.send("/signout", {})
    assert await scene.open_app(cleo, proof) == 401, "signing out ends what it opened"


async def test_of_two_who_hand_on_one_proof_at_once_one_is_let_in(scene: Scene) -> None:
    proof, browsers = scene.proof(), [scene.stage.browser() for _ in range(4)]
    assert sorted(await asyncio.gather(*(scene.open_app(one, proof) for one in browsers))) == [200, 401, 401, 401]


async def test_an_old_proof_or_one_of_another_bot_opens_nothing(scene: Scene) -> None:
    old = scene.proof()
    scene.stage.clock.move(minutes=6)
    for proof in (old, scene.proof(bot=scene.theirs), scene.proof().replace("42", "43"), "", "x" * 50_000):
        browser = scene.stage.browser()
        assert await scene.open_app(browser, proof) == 401
        await browser.open("/inbox")
        assert where(browser) == "/signin"


async def test_a_tenants_bot_lets_in_people_of_its_own_tenant_alone(scene: Scene) -> None:
    """Whoever has a bot's token can say that anybody opened it."""
    mallory = scene.stage.browser()
    assert await scene.open_app(mallory, scene.proof(bot=scene.theirs), scene.theirs) == 403
    identity = Identity(provider="telegram", user=str(CLEO))
    own = Person(id="per_cleo2", workspace=ELSEWHERE, handle="cleo", name="Cleo Elsewhere", identities=(identity,))
    await transact(scene.stage.context, lambda work: work.add_person(own))
    there, here = scene.stage.browser(), scene.stage.browser()
    assert await scene.open_app(there, scene.proof(bot=scene.theirs), scene.theirs) == 200
    assert "Cleo Elsewhere" in there.text
    assert await scene.open_app(here, scene.proof()) == 200
    assert "Cleo Elsewhere" not in here.text


async def test_a_bot_that_is_not_connected_has_no_page(scene: Scene) -> None:
    browser = scene.stage.browser()
    assert (await browser.open(f"{APP}/123?next=/inbox")).status_code == 404
    scene.bots.clear()
    assert (await browser.open(f"{APP}/{scene.own.bot_id}")).status_code == 404
    assert "Telegram" not in (await browser.open("/signin")).text
    assert (await browser.send("/signin/telegram", {})).status_code == 404
    assert (await browser.open("/signin/telegram/return?state=x")).status_code == 404


async def test_a_proof_counts_only_from_our_own_page_in_that_browser(scene: Scene) -> None:
    path, proof = f"{APP}/{scene.own.bot_id}", scene.proof()
    mallory, cleo = scene.stage.browser(), scene.stage.browser()
    await mallory.open(path)
    cleo.page = mallory.page
    assert (await cleo.send(path, {"proof": proof})).status_code == 403, "a form of another browser"
    crossing = scene.stage.browser(**{"sec-fetch-site": "cross-site"})
    await crossing.open(path)
    assert (await crossing.send(path, {"proof": proof})).status_code == 403
    assert await scene.open_app(mallory, proof) == 200, "nothing used it up"


async def test_a_proof_takes_the_place_of_whoever_was_signed_in(scene: Scene) -> None:
    browser = scene.stage.browser()
    await browser.sign_in("ana")
    assert "Ana" in browser.text
    assert await scene.open_app(browser, scene.proof()) == 200
    assert "Cleo" in browser.text
    assert "Ana" not in browser.text


async def test_a_tap_in_the_chat_is_no_sign_in_where_one_is_demanded(scene: Scene) -> None:
    asked = confirmation(policy={"sign_in": "required"}, audience={"answerers": ["person:cleo"]})
    id = await scene.stage.ask(asked)
    cleo = scene.stage.browser()
    assert await scene.open_app(cleo, scene.proof(), to=f"/review/{id}") == 200
    assert f"/signin?again&amp;next=/review/{id}" in cleo.text
    assert await cleo.press(id, "accept") == 403
    assert (await scene.stage.card(id)).is_pending
    assert await scene.come_back(cleo, await scene.set_out(cleo, f"/review/{id}"), scene.login()) == 200, "this is one"
    assert await cleo.press(id, "accept") == 200
    assert not (await scene.stage.card(id)).is_pending


async def test_nobody_is_led_away_from_here(scene: Scene) -> None:
    for to in ("https://evil.example.com", "//evil.example.com", "javascript:1"):
        browser = scene.stage.browser()
        assert await scene.open_app(browser, scene.proof(), to=to) == 200
        assert str(browser.page.url if browser.page else "") == f"{BASE}/inbox"


async def test_telegram_signs_in_whoever_has_the_account_and_leads_to_where_they_wanted(scene: Scene) -> None:
    cleo = scene.stage.browser()
    assert "Sign in with Telegram" in (await cleo.open("/signin")).text
    assert await scene.come_back(cleo, await scene.set_out(cleo), scene.login()) == 200
    assert where(cleo) == "/loops"
    assert "Cleo" in cleo.text


async def test_a_way_back_leads_in_once_in_its_own_browser_and_for_ten_minutes(scene: Scene) -> None:
    cleo, thief = scene.stage.browser(), scene.stage.browser()
    state, proof = await scene.set_out(cleo), scene.login()
    await thief.open("/signin")
    assert await scene.come_back(thief, state, proof) == 400, "of another browser"
    assert await scene.come_back(thief, await scene.set_out(thief), scene.login(EVE)) == 403
    assert await scene.come_back(cleo, state, proof) == 200
    assert await scene.come_back(cleo, state, scene.login()) == 400, "used already"
    assert await scene.come_back(thief, await scene.set_out(thief), proof) == 400, (
        "a stolen proof with a way of one's own"
    )
    late = await scene.set_out(cleo)
    scene.stage.clock.move(minutes=11)
    assert await scene.come_back(cleo, late, scene.login()) == 400


async def test_what_telegram_did_not_sign_signs_nobody_in(scene: Scene) -> None:
    old = scene.login()
    scene.stage.clock.move(minutes=6)
    for proof in (old, scene.login(bot=scene.theirs), scene.proof(), "false", "", "x" * 50_000):
        browser = scene.stage.browser()
        assert await scene.come_back(browser, await scene.set_out(browser), proof) == 401
        await browser.open("/inbox")
        assert where(browser) == "/signin"


async def test_setting_out_takes_a_form_of_this_browser(scene: Scene) -> None:
    mallory, cleo = scene.stage.browser(), scene.stage.browser()
    await mallory.open("/signin")
    cleo.page = mallory.page
    assert (await cleo.send("/signin/telegram", {}, follow_redirects=False)).status_code == 403
    crossing = scene.stage.browser(**{"sec-fetch-site": "cross-site"})
    await crossing.open("/signin")
    assert (await crossing.send("/signin/telegram", {})).status_code == 403


async def test_without_a_public_https_address_there_is_the_code_alone(sqlite_store_url: str) -> None:
    bots = [ProvingBot("7000000001", WORKSPACE, "7000000001:x", own=True)]
    async with staged(sqlite_store_url, bots=lambda: bots) as stage:
        browser = stage.browser()
        assert "Sign in with" not in (await browser.open("/signin")).text
        assert (await browser.send("/signin/telegram", {})).status_code == 404


async def test_a_tap_in_the_chat_changes_no_account(scene: Scene) -> None:
    """Whoever holds an unlocked telephone would have an account of theirs answer as its owner for good."""
    thief = scene.stage.browser()
    assert await scene.open_app(thief, scene.proof(), to="/accounts") == 200
    assert "Sign in again" in thief.text
    assert 'value="unlink"' not in thief.text
    token = {"token": dict(fields_of(thief.text))["token"]}
    for path, data in (
        ("/accounts", {"do": "code", "name": "telegram:66"}),
        ("/accounts", {"do": "unlink", "account": "telegram:42"}),
        ("/accounts/link/telegram", {}),
    ):
        assert (await thief.http.post(path, data={**token, **data})).status_code == 403
    assert all("says at" not in one.text for one in await scene.stage.messages())
