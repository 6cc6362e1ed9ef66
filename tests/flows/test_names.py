"""What somebody calls themselves gives them nothing."""

from __future__ import annotations

from pathlib import Path

from tests.flows.rig import ANA, CHANNEL, question, rig, sqlite_at


async def test_whoever_calls_themselves_boss_does_not_become_the_boss(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        r.slack.workspace.add_user("boss", "Boss", user_id="U9EVE")
        r.slack.workspace.join(CHANNEL, "U9EVE")
        asked = await r.posted((await r.ask())["id"])
        await r.slack.person("U9EVE").press("Yes")
        settled = await r.shown_settled(asked["id"])
        assert settled["outcome"]["by"]["handle"] == "slack-u9eve"
        for body in (
            question(audience={"answerers": ["person:boss"]}),
            question(to="person:boss"),
            question(to="review", audience={"answerers": ["person:boss"]}),
        ):
            answer = await r.api.post("/v1/interactions", json=body)
            assert (answer.status_code, "nobody with the handle boss" in answer.text) == (422, True)


async def test_two_accounts_of_one_name_are_two_people(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        r.slack.workspace.add_user("ana2", "Ana", user_id="U9EVE")
        r.slack.workspace.join(CHANNEL, "U9EVE")
        handles = []
        for user in (ANA, "U9EVE"):
            asked = await r.posted((await r.ask())["id"])
            await r.slack.person(user).press("Yes", channel=CHANNEL, ts=asked["publications"][0]["message"])
            handles.append((await r.get(asked["id"], wait=5))["outcome"]["by"]["handle"])
        assert handles == ["slack-u1ana", "slack-u9eve"]
