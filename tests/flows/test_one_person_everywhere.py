"""Somebody whom nobody added, in two chats: two voices until they prove that they are one, and one from then on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2

from core.receipts import ReceiptType
from tests.flows.page import browser, sign_in
from tests.flows.rig import ANA, BEA, CHANNEL, TG_ANA, Rig, confirmation, eventually, rig, sqlite_at

_FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')


async def post(http: httpx2.AsyncClient, page: str, path: str, fields: Mapping[str, str]) -> httpx2.Response:
    """Send the last form of a page that goes to `path`."""
    form = [one for one in page.split("<form")[1:] if f'action="{path}"' in one][-1].partition("</form>")[0]
    answer = await http.post(path, data={**dict(_FIELD.findall(form)), **fields}, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    return answer


async def code_in_slack(r: Rig) -> str:
    """The code that the bot sent Ana in Slack."""

    async def look() -> str | None:
        everything = [one for channel in r.slack.platform.world.messages.values() for one in channel.values()]
        found = [re.search(r"type this code there: (\d{4}) (\d{4})", one.text) for one in everything]
        return next((one[1] + one[2] for one in found if one), None)

    found: str = await eventually(look)
    return found


async def ask_for_two(r: Rig) -> tuple[dict[str, Any], int]:
    """A card in both chats that takes two different people; and where its copy in Telegram is."""
    to = [f"slack:{CHANNEL}", f"telegram:{r.group}"]
    asked = await r.posted(
        (await r.ask(**confirmation(to=to, reason="none", audience={"answerers": ["conversation"], "quorum": 2})))["id"]
    )
    return asked, int(asked["publications"][1]["message"])


async def press_in_both(r: Rig, asked: dict[str, Any], there: int) -> None:
    await r.slack.person(ANA).press("Deploy", channel=CHANNEL, ts=asked["publications"][0]["message"])
    await r.telegram.human.press(TG_ANA, r.group, "Deploy", message_id=there)


async def test_two_accounts_are_two_voices_until_both_are_proved_to_be_one_persons(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r, browser(r) as http:
        before, there = await ask_for_two(r)
        await press_in_both(r, before, there)
        settled = await r.shown_settled(before["id"])
        assert settled["status"] == "accepted", "nothing says that these two are one"
        receipts = await r.receipts(before["id"])

        team = r.slack.platform.settings.team_id
        await sign_in(r, http, TG_ANA)
        page = await http.get("/accounts")
        page = await post(http, page.text, "/accounts", {"do": "code", "name": f"slack:{ANA}"})
        page = await post(http, page.text, "/accounts/code", {"code": await code_in_slack(r)})
        assert f"It answered here before, as slack-{ANA.lower()}" in page.text
        page = await post(http, page.text, "/accounts/confirm", {"do": "link"})
        assert "The account is linked" in page.text
        assert f"{team}.{ANA}" in page.text

        assert await r.receipts(before["id"]) == receipts, "what was decided stays as it is recorded"
        after, there = await ask_for_two(r)
        await press_in_both(r, after, there)
        now = await r.get(after["id"])
        assert now["status"] == "pending", "the same person twice is one voice"
        votes = [one for one in await r.receipts(after["id"]) if one["type"] == ReceiptType.VOTED.value]
        assert {one["by"]["handle"] for one in votes} == {f"telegram-{TG_ANA}"}
        await r.slack.person(BEA).press("Deploy", channel=CHANNEL, ts=after["publications"][0]["message"])
        assert (await r.shown_settled(after["id"]))["status"] == "accepted"
