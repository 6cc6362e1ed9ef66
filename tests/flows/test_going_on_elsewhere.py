"""Whatever somebody has half done when its process is killed goes on at another one, as if nothing had happened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from tests.flows.crashing import Crashing, crashing
from tests.flows.killable import Nursery
from tests.flows.page import begin_signing_in, sign_in
from tests.flows.rig import ANA, CHANNEL, NOBODY, TG_ANA, TG_BEA
from tests.flows.test_crashes_filling_in import ANSWER, FORM, Hand, ended
from tests.flows.test_crashes_shared import both_started, lone

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
TYPED = "It fell ov"
"""What was typed when the process died, and saved as a draft."""
SENT = {
    "q0": "It fell over", "q1": ["eu", "af"], "q2": "false", "q3": "3",
}  # fmt: skip


def browser(r: Crashing) -> httpx2.AsyncClient:
    """A browser at the one address that all processes are behind."""
    said = {"sec-fetch-site": "same-origin", "origin": r.to_us.url, "user-agent": "Mozilla/5.0 Firefox/145.0"}
    return httpx2.AsyncClient(base_url=r.to_us.url, headers=said, timeout=30, verify=NOBODY)


async def test_a_session_a_draft_a_modal_and_a_form_in_telegram_go_on_in_another_process(
    nursery: Nursery, fresh_database: Callable[[], str], tmp_path: Path
) -> None:
    async with crashing(nursery, fresh_database(), tmp_path, processes=2) as r, browser(r) as http, browser(r) as bea:
        await both_started(r)  # the first one fetches from Telegram
        r.to_us.upstream = r.api.base_url = r.lives[0].url
        here, there = f"slack:{CHANNEL}", f"telegram:{r.group}"
        page, modal, form = [
            await r.posted((await r.ask(title=title, to=to, payload=FORM))["id"])
            for title, to in (("Page", [there]), ("Modal", [here]), ("Form", [here, there]))
        ]

        ana = await sign_in(r, http, TG_ANA)
        assert await ana.press(page["id"], "draft", {"q0": TYPED, "q1": "eu"}) == 200
        entering = await begin_signing_in(r, bea, TG_BEA)
        person, where = r.slack.person(ANA), {"channel": CHANNEL, "ts": modal["publications"][0]["message"]}
        assert (await person.press("Answer…", **where, watch=5)).modal is not None
        await person.fill_in({"What happened?": "It fell over", "Where?": ["Africa", "Europe"]})
        hand = Hand(r, form)
        for step in (hand.tap("Answer"), hand.write("It fell over"), hand.tap("Africa"), hand.shows("☑ Africa")):
            await step()

        await lone(r, 1)

        drawn = await ana.read(page["id"])
        assert TYPED in drawn
        assert "is filled in below. It is not sent yet." in drawn
        assert await ana.press(page["id"], "submit", SENT) == 200
        assert "Page" in await (await entering.finish()).read(page["id"])
        await person.fill_in({"Is it bad?": "No", "How many hosts?": "3"})
        assert (await person.submit()).errors == {}
        for step in (hand.tap("Europe"), hand.tap("Next"), hand.tap("No"), hand.write("3"), hand.tap("Submit")):
            await step()
        for card in (page, modal, form):
            settled = await ended(r, card["id"], "answered")
            assert settled["outcome"]["answer"] == ANSWER
        r.expect_quiet_log()
