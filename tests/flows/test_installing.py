"""People install the Slack app in their workspaces, are asked there, and take it away again; over real sockets."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from bot.app import build
from bot.config import load
from bot.sandbox.slack.faults import FaultKind
from bot.startup import WORKSPACE
from core.addresses import Provider
from tests.flows.installed import BEN, BETA, CID, GAMMA, installable, raw_bytes
from tests.flows.rig import KEY, NOBODY, eventually, sqlite_at

# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
OTHER_KEY = "sk_" + "o" * 43


async def test_two_workspaces_of_two_tenants_install_ask_answer_and_one_leaves_and_comes_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    async with installable(sqlite_at(tmp_path)) as place:
        other = await place.tenant("wsp_other", OTHER_KEY)
        done = await place.browser().install(await place.invite(WORKSPACE, "one"), BETA)
        assert done.status_code == 200
        assert f"slack:{BETA}" in done.text
        assert "is connected to <bdi>sayso</bdi>" in done.text
        assert (await place.browser().install(await place.invite(other, "two"), GAMMA)).status_code == 200
        place.room(BETA, "C0BETA", BEN)
        place.room(GAMMA, "C0GAMMA", CID)
        ours, theirs = place.rig(KEY), place.rig(OTHER_KEY)
        async with ours.api, theirs.api:
            # The only account of a workspace needs no name; another tenant's is nobody's.
            one = await ours.ask(to="slack:C0BETA")
            two = await theirs.ask(to=f"slack:{GAMMA}.C0GAMMA")
            assert [copy["account"] for copy in (await ours.posted(one["id"]))["publications"]] == [BETA]
            await theirs.posted(two["id"])
            await place.slack.person(BEN).press("Yes", channel="C0BETA")
            await place.slack.person(CID).press("No", channel="C0GAMMA")
            assert (await ours.shown_settled(one["id"]))["outcome"]["by"]["identity"] == f"slack:{BETA}.{BEN}"
            assert (await theirs.shown_settled(two["id"]))["outcome"]["by"]["identity"] == f"slack:{GAMMA}.{CID}"
            assert (await theirs.api.get(f"/v1/interactions/{one['id']}")).status_code == 404

            stolen = await theirs.ask(to=f"slack:{BETA}.C0BETA", title="Theirs")
            refused = await theirs.get(stolen["id"], wait=5)
            assert refused["status"] == "undeliverable"
            assert "is not connected to this service" in refused["outcome"]["reason"]

            # The app leaves one workspace: what was not sent will not be, what was stays open, others go on.
            open_one = await ours.ask(to="slack:C0BETA", title="Stays")
            await ours.posted(open_one["id"])
            place.slack.workspace.uninstall(BETA)

            async def dead() -> bool:
                (known,) = place.app.chats.accounts(WORKSPACE)
                return known.account == BETA and "installed again" in (known.problem or "")

            await eventually(dead)
            async with httpx2.AsyncClient(base_url=place.url, verify=NOBODY) as anybody:
                ready, metrics, alive = [(await anybody.get(path)).text for path in ("/readyz", "/metrics", "/healthz")]
            assert json.loads(ready)["chats"] == {"slack": 1}
            assert 'sayso_connections_dead{provider="slack"} 1.0' in metrics
            assert not any(word in ready + metrics + alive for word in (BETA, "installed again"))
            lost = await ours.ask(to="slack:C0BETA", title="Lost")
            assert (await ours.get(lost["id"], wait=5))["status"] == "undeliverable"
            aside = await ours.ask(to="slack:C0BETA", title="Aside", policy={"fallback": ["review"]})
            assert (await ours.get(open_one["id"]))["status"] == "pending"
            assert (await ours.get(aside["id"]))["status"] == "pending"
            three = await theirs.ask(to="slack:C0GAMMA", title="Goes on")
            await theirs.posted(three["id"])
            kept = await place.app.store.records.installation_at(Provider.SLACK, BETA)
            assert kept
            assert kept.sealed is None

            # Installed again, in the same tenant: what was open is answered where it was asked.
            assert (await place.browser().install(await place.invite(WORKSPACE, "three"), BETA)).status_code == 200
            assert (await ours.api.get("/readyz")).json()["chats"] == {}
            await place.slack.person(BEN).press("Yes", channel="C0BETA")
            assert (await ours.shown_settled(open_one["id"]))["status"] == "answered"
            again = await ours.ask(to="slack:C0BETA", title="Again")
            await ours.posted(again["id"])
    tokens = [app.token for app in place.slack.platform.world.installations.values()]
    assert len(tokens) == 4
    secrets = [place.slack.settings.client_secret, "an-operators-code", *tokens]
    kept_bytes, logged = raw_bytes(place.database), f"{caplog.text}{capsys.readouterr()}"
    assert "account in use" in logged
    assert BETA.encode() in kept_bytes
    for secret in secrets:
        assert secret.encode() not in kept_bytes
        assert secret not in logged


async def test_nobody_installs_without_a_link_and_a_link_is_good_once(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        stranger = place.browser()
        for address in ("/slack/install", "/slack/install?invite=made-up"):
            turned = await stranger.go(f"{place.url}{address}")
            assert turned.status_code == 403
            assert "operator" in turned.text
        link = await place.invite()
        for _ in range(2):  # looking at a link, or going to Slack with it, uses nothing up
            assert (await stranger.leave(link)).status_code == 303
        assert (await place.browser().install(link, BETA)).status_code == 200
        used = await place.browser().go(link)
        assert used.status_code == 403
        assert "used already" in used.text
        # Two who went to Slack with one link: the second finds it used when they come back.
        shared = await place.invite(code="shared")
        first, second = place.browser(), place.browser()
        sent = [(await one.leave(shared)).headers["location"] for one in (first, second)]
        back = [(await place.http.get(f"{to}&team={GAMMA}")).headers["location"] for to in sent]
        assert (await first.go(back[0])).status_code == 200
        late = await second.go(back[1])
        assert late.status_code == 403
        assert "used already" in late.text


async def test_a_state_is_good_once_for_a_short_time_and_in_one_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        link, own = await place.invite(), place.browser()
        sent = await own.leave(link)
        cookie = sent.headers["set-cookie"]
        name, _, state = cookie.partition(";")[0].partition("=")
        for word in ("Secure", "HttpOnly", "SameSite=Lax", "Max-Age=600"):
            assert word in cookie
        asked = parse_qs(urlsplit(sent.headers["location"]).query)
        assert asked["redirect_uri"] == [f"{place.url}/slack/oauth_redirect"]
        assert link.rpartition("=")[2] not in sent.headers["location"]
        back = (await place.http.get(f"{sent.headers['location']}&team={BETA}")).headers["location"]

        other = place.browser()
        assert (await other.go(back)).status_code == 400  # a browser that never went
        other.cookies[name] = "forged"
        assert (await other.go(back)).status_code == 400
        other.cookies[name] = "forged"
        assert (await other.go(f"{place.url}/slack/oauth_redirect?code=x&state=forged")).status_code == 401
        assert (await own.go(f"{place.url}/slack/oauth_redirect?error=access_denied&state=x")).status_code == 200
        own.cookies[name] = state
        assert (await own.go(back)).status_code == 200
        own.cookies[name] = state
        replayed = await own.go(back)
        assert replayed.status_code == 401
        assert "used already" in replayed.text

        monkeypatch.setattr("core.use_cases.installing.STATE_GOOD_FOR", -place.app.context.clock.now().resolution)
        late = await place.browser().install(await place.invite(code="late"), GAMMA)
        assert late.status_code == 401
        assert await place.app.store.records.installation_at(Provider.SLACK, GAMMA) is None


async def test_what_slack_does_not_grant_or_does_not_say_connects_nothing(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        link = await place.invite()
        one = place.browser()
        state = parse_qs(urlsplit((await one.leave(link)).headers["location"]).query)["state"][0]
        made_up = await one.go(f"{place.url}/slack/oauth_redirect?code=made-up&state={state}")
        assert made_up.status_code == 401
        place.slack.fail(FaultKind.DROP_AFTER, "oauth.v2.access")
        lost = await place.browser().install(link, BETA)
        assert lost.status_code == 503
        assert "Begin again" in lost.text
        assert await place.app.store.records.installations() == ()
        assert (await place.browser().install(link, BETA)).status_code == 200  # the link is still good


async def test_a_token_of_the_settings_works_beside_what_people_install_and_over_sockets(tmp_path: Path) -> None:
    own: dict[str, Any] = {"slack_bot_token": "xoxb-own", "slack_app_token": "xapp-own"}
    async with installable(sqlite_at(tmp_path), bot_token="xoxb-own", app_token="xapp-own", **own) as place:
        place.slack.request_url = None
        await place.slack.platform.sockets.wait_for(2)
        await place.browser().install(await place.invite(), BETA)
        place.slack.workspace.add_user("ana", user_id="U0ANA")
        place.slack.workspace.add_channel("acme", ["U0ANA"], channel_id="C0ACME")
        place.room(BETA, "C0BETA", BEN)
        rig = place.rig()
        async with rig.api:
            for team, channel, user in (("T0ACME", "C0ACME", "U0ANA"), (BETA, "C0BETA", BEN)):
                asked = await rig.ask(to=f"slack:{team}.{channel}")
                await rig.posted(asked["id"])
                await place.slack.person(user).press("Yes", channel=channel)
                by = (await rig.shown_settled(asked["id"]))["outcome"]["by"]
                assert by["identity"] == f"slack:{team}.{user}"


async def test_a_dead_token_of_the_settings_stands_in_nobodys_way(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path), waits=False, slack_bot_token="xoxb-dead") as place:
        for team, channel, user in ((BETA, "C0BETA", BEN), ("T0ACME", "C0ACME", "U0ANA")):
            if team != BETA:
                place.slack.workspace.add_user("ana", user_id=user)
            await place.browser().install(await place.invite(code=team), team)
            place.room(team, channel, user)
            rig = place.rig()
            async with rig.api:
                asked = await rig.ask(to=f"slack:{team}.{channel}")
                await rig.posted(asked["id"])
                await place.slack.person(user).press("Yes", channel=channel)
                assert (await rig.shown_settled(asked["id"]))["status"] == "answered"


async def test_a_process_that_did_not_install_it_takes_presses_at_once(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path), processes=2) as place:
        await place.browser().install(await place.invite(), BETA)
        place.room(BETA, "C0BETA", BEN)
        rig = place.rig()
        async with rig.api:
            asked = await rig.ask(to="slack:C0BETA")
            await rig.posted(asked["id"])
            place.slack.request_url = f"http://127.0.0.1:{place.apps[1].settings.sayso_port}/slack/events"
            await place.slack.person(BEN).press("Yes", channel="C0BETA")
            assert (await rig.shown_settled(asked["id"]))["status"] == "answered"


async def test_without_a_client_id_nothing_is_installed_from_here(tmp_path: Path) -> None:
    given = {"sayso_database_url": sqlite_at(tmp_path), "sayso_secret_key": "s" * 64, "slack_signing_secret": "s" * 32}
    client = {"slack_client_id": "1.2", "slack_client_secret": "secret"}
    for more, paths in (({"slack_bot_token": "xoxb-1"}, set()), (client, {"/slack/install", "/slack/oauth_redirect"})):
        app = build(load({**given, **more}))
        assert app.slack
        assert {route.path for route in app.slack.routes()} == {"/slack/events", *paths}
        await app.store.close()


async def test_a_workspace_never_changes_hands(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        other = await place.tenant("wsp_other", OTHER_KEY)
        await place.browser().install(await place.invite(WORKSPACE, "one"), BETA)
        taken = await place.browser().install(await place.invite(other, "two"), BETA)
        assert taken.status_code == 409
        assert "another workspace" in taken.text
        kept = await place.app.store.records.installation_at(Provider.SLACK, BETA)
        assert kept
        assert (kept.workspace, kept.generation) == (WORKSPACE, 1)


async def test_an_app_that_left_while_nobody_listened_is_found_out_when_something_is_sent(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        await place.browser().install(await place.invite(), BETA)
        place.room(BETA, "C0BETA", BEN)
        place.slack.request_url = "http://127.0.0.1:9/nowhere"
        place.slack.workspace.uninstall(BETA)
        rig = place.rig()
        async with rig.api:
            asked = await rig.ask(to="slack:C0BETA")

            async def ended() -> bool:
                kept = await place.app.store.records.installation_at(Provider.SLACK, BETA)
                return kept is not None and kept.ended_at is not None and "account_inactive" in (kept.problem or "")

            await eventually(ended)
            # What waited to be tried again is over at once.
            assert (await rig.get(asked["id"], wait=5))["status"] == "undeliverable"


async def test_a_token_that_is_merely_over_ends_no_installation(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path), token_rotation=True, token_seconds=60) as place:
        await place.browser().install(await place.invite(), BETA)
        place.room(BETA, "C0BETA", BEN)
        place.slack.platform.clock.advance(61)
        rig = place.rig()
        async with rig.api:
            asked = await rig.ask(to="slack:C0BETA")

            async def dead() -> bool:
                (known,) = place.app.chats.accounts(WORKSPACE)
                return "token_expired" in (known.problem or "")

            await eventually(dead)
            assert await place.app.renewal.look() == 1
            kept = await place.app.store.records.installation_at(Provider.SLACK, BETA)
            assert kept
            assert kept.is_live
            assert (await rig.get(asked["id"]))["status"] == "pending"


async def test_who_comes_too_often_is_told_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.web.installing.TRIES", 2)
    async with installable(sqlite_at(tmp_path), sayso_install="open") as place:
        visits = [await place.browser().go(f"{place.url}/slack/install") for _ in range(3)]
        assert [one.status_code for one in visits] == [200, 200, 429]
        assert int(visits[2].headers["retry-after"]) > 0
