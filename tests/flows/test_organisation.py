"""The app is installed for a whole organisation: one token, and people and channels of all its workspaces."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from bot.startup import WORKSPACE
from tests.flows.installed import ORG, installable
from tests.flows.rig import NOBODY, eventually, sqlite_at

# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
ONE, TWO, ANN, BOB = "T0ONE", "T0TWO", "U0ANN", "U0BOB"


async def test_an_organisation_installs_once_and_answers_everywhere_in_it(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        world = place.slack.workspace
        for team, user in ((ONE, ANN), (TWO, BOB)):
            world.add_team(team.lower(), team, enterprise_id=ORG)
            world.add_user(user.lower(), user_id=user, team_id=team, is_stranger=False)
        world.add_team("Elsewhere", "T0ELSE")
        world.add_user("eve", user_id="U0EVE", team_id="T0ELSE")
        done = await place.browser().install(await place.invite(), ORG)
        assert done.status_code == 200
        assert f"slack:{ORG}" in done.text
        place.room(ONE, "C0ONE", ANN, "U0EVE")
        place.room(TWO, "C0TWO", BOB)
        rig = place.rig()
        async with rig.api:
            one = await rig.ask(to="slack:C0ONE", title="One")
            two = await rig.ask(to=f"slack:{ORG}.C0TWO", title="Two", audience={"answerers": [f"slack:{TWO}.{BOB}"]})
            private = await rig.ask(to=f"slack:{BOB}", title="Private")
            for asked in (one, two, private):
                await rig.posted(asked["id"])
            # Somebody of another company sees the card through a shared channel, and may not answer.
            eve = await place.slack.person("U0EVE").press("Yes", channel="C0ONE", watch=5)
            assert eve.private
            assert (await rig.get(one["id"]))["status"] == "pending"
            await place.slack.person(ANN).press("Yes", channel="C0ONE")
            await place.slack.person(BOB).press("No", channel="C0TWO")
            await place.slack.person(BOB).press("Yes")
            for asked, user in ((one, f"{ONE}.{ANN}"), (two, f"{TWO}.{BOB}"), (private, f"{TWO}.{BOB}")):
                assert (await rig.shown_settled(asked["id"]))["outcome"]["by"]["identity"] == f"slack:{user}"
            words = await rig.ask(
                to="slack:C0ONE",
                title="Words",
                payload={"questions": [{"id": "q1", "prompt": "Why?", "type": "text"}]},
            )
            await rig.posted(words["id"])
            ann = place.slack.person(ANN)
            opened = await ann.press("Answer…", channel="C0ONE", watch=5)
            assert opened.modal
            await ann.fill_in({"Your answer": "Because"})
            await ann.submit()
            assert (await rig.shown_settled(words["id"]))["outcome"]["answer"] == {"q1": {"value": "Because"}}
            assert (await ann.command("/sayso")).status == 200
            await ann.open_home()
            assert ann.home is not None
            (bob,) = [one for one in await place.app.store.records.people(WORKSPACE) if one.identities[0].user == BOB]
            named = await rig.ask(
                to=f"person:{bob.handle}", title="By name", audience={"answerers": [f"person:{bob.handle}"]}
            )
            await rig.posted(named["id"])
            await place.slack.person(BOB).press("Yes")
            assert (await rig.shown_settled(named["id"]))["status"] == "answered"
            # The code to sign in goes to the account that is meant, with its team in front or without. One address gets
            # no third within an hour.
            for name in (f"slack:{BOB}", f"slack:{TWO}.{BOB}"):
                browser = httpx2.AsyncClient(base_url=place.url, verify=NOBODY, headers={"Origin": place.url})
                async with browser:
                    page = await browser.get("/signin")
                    token = page.text.partition('name="token" value="')[2].partition('"')[0]
                    before = len(place.slack.person(BOB).messages(place.slack.person(BOB).conversation("").id))
                    sent = await browser.post("/signin", data={"token": token, "name": name, "next": "/inbox"})
                    assert sent.status_code == 303

                    async def told(before: int = before) -> bool:
                        bob_there = place.slack.person(BOB)
                        return len(bob_there.messages(bob_there.conversation("").id)) > before

                    await eventually(told)
