"""Every format is answered once in Slack, once in Telegram, once on the review page and once by API: what is saved is
the same to the letter, whichever surface gave it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from bot.sandbox.gallery import FORMATS, Format
from bot.sandbox.gallery.format import essence
from bot.startup import WORKSPACE
from bot.web.keys import hash_key, make_key, make_webhook_secret
from core.people import AgentRole, Identity, Role
from core.use_cases.agents import add_agent
from core.use_cases.directory import add_person
from tests.flows.formats_in_slack import in_slack
from tests.flows.formats_in_telegram import in_telegram
from tests.flows.page import browser, sign_in
from tests.flows.rig import ANA, CHANNEL, NOBODY, TG_ANA, Rig, rig, sqlite_at

OWN_WORDS = "%"


def fields_on_page(one: Format) -> tuple[str, dict[str, Any]]:
    """The button and the fields of the review page that give the format's answer."""
    payload, answer = one.request["payload"], one.answer
    match one.request["kind"]:
        case "questions":
            fields: dict[str, Any] = {}
            for index, question in enumerate(payload["questions"]):
                given, name = answer[question["id"]], f"q{index}"
                if "custom" in given:
                    fields |= {name: OWN_WORDS, f"{name}.custom": given["custom"]}
                elif question["type"] == "choices":
                    fields[name] = [quote(one) for one in given["values"]]
                elif question["type"] == "choice":
                    fields[name] = quote(given["value"])
                elif question["type"] == "boolean":
                    fields[name] = "true" if given["value"] else "false"
                else:
                    fields[name] = str(given["value"])
            return "submit", fields
        case "checklist":
            return "accept", {"ticks": answer["selected"]}
        case "item_verdicts":
            given = list(answer["verdicts"].values())
            fields = {f"v{index}": verdict["verdict"] for index, verdict in enumerate(given)}
            fields |= {f"v{index}.reason": verdict["reason"] or "" for index, verdict in enumerate(given)}
            return "verdicts", fields
        case "suggested_tasks":
            return "accept", {"tasks": answer["selected"]}
        case _:
            return "reject", {"reason": one.reason}


async def _asked(api: httpx2.AsyncClient, r: Rig, one: Format, to: str, *answerers: str) -> dict[str, Any]:
    audience = {"answerers": list(answerers or ("conversation",))}
    said = await api.post("/v1/interactions", json={**one.request, "to": to, "audience": audience})
    assert said.status_code == 201, said.text
    return await r.posted(said.json()["id"])


async def _agent(r: Rig, name: str) -> httpx2.AsyncClient:
    key = make_key()
    await add_agent(r.apps[0].context, WORKSPACE, name, AgentRole.AGENT, hash_key(key), make_webhook_secret())
    return httpx2.AsyncClient(base_url=r.url, headers={"Authorization": f"Bearer {key}"}, timeout=30, verify=NOBODY)


async def _saved(r: Rig, one: Format, id: str, via: str, who: str) -> dict[str, Any]:
    now = await r.shown_settled(id)
    outcome = now["outcome"]
    assert (now["status"], outcome["reason"], outcome["via"]) == (one.status, one.reason, via)
    assert outcome["by"]["handle"] == who
    assert outcome["receipt"] in {line["id"] for line in await r.receipts(id)}
    saved: dict[str, Any] = essence(outcome["answer"])
    return saved


ONE_OF_EACH_KIND = tuple({one.request["kind"]: one for one in FORMATS}.values())
"""The last of each kind: of questions, the form with one of every type. The others are asked in the long run."""


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "formats",
    [pytest.param(ONE_OF_EACH_KIND, id="one of each kind"), pytest.param(FORMATS, id="all", marks=pytest.mark.slow)],
)
async def test_each_format_is_saved_the_same_whichever_surface_gave_it(
    tmp_path: Path, formats: tuple[Format, ...]
) -> None:
    async with AsyncExitStack() as stack:
        r = await stack.enter_async_context(rig(sqlite_at(tmp_path)))
        accounts = (
            Identity(provider="slack", account=r.slack.platform.settings.team_id, user=ANA),
            Identity(provider="telegram", user=str(TG_ANA)),
        )
        await add_person(r.apps[0].context, WORKSPACE, "ana", "Ana", Role.MEMBER, accounts)
        checker = await stack.enter_async_context(await _agent(r, "checker"))
        visitor = await sign_in(r, await stack.enter_async_context(browser(r)), TG_ANA)
        for one in formats:
            expected = one.answer
            slack = await _asked(r.api, r, one, f"slack:{CHANNEL}")
            await in_slack(r, one, slack)
            assert await _saved(r, one, slack["id"], "slack", "ana") == expected, one.id
            telegram = await _asked(r.api, r, one, f"telegram:{r.group}")
            await in_telegram(r, one, telegram)
            assert await _saved(r, one, telegram["id"], "telegram", "ana") == expected, one.id
            page = await _asked(r.api, r, one, "review", "person:ana")
            assert await visitor.press(page["id"], *fields_on_page(one)) == 200
            assert await _saved(r, one, page["id"], "review", "ana") == expected, one.id
            api = await _asked(r.api, r, one, "review", "agent:checker")
            for act in one.acts:
                said = await checker.post(f"/v1/interactions/{api['id']}/{act.name}", json={**act.body, "revision": 1})
                assert said.status_code == 200, said.text
            assert await _saved(r, one, api["id"], "api", "checker") == expected, one.id
