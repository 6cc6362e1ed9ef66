"""Presses in Slack that must not count: each is told why in plain words, and nothing changes."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.slack.faults import FaultKind
from bot.sandbox.slack.seen import Seen
from tests.flows.refusing import ENDINGS, Ending, expect_unchanged, redrawn
from tests.flows.rig import ANA, BEA, CHANNEL, Rig, confirmation, rig, sqlite_at
from tests.flows.trouble import PushedClock

TEXT = {"questions": [{"id": "q1", "prompt": "What happened?", "type": "text"}]}


def words(seen: Seen) -> str:
    """What the presser is told in private."""
    return " ".join(message["text"] for message in seen.private)


def told(r: Rig, who: str) -> list[str]:
    return [message.text for message in r.slack.person(who).private()]


def last_sent(r: Rig, kind: str) -> dict[str, Any]:
    """The latest payload of this type that Slack sent, to be tampered with; under a trigger of its own."""
    sent = [one.payload for one in r.slack.platform.journal.deliveries if one.payload.get("type") == kind]
    payload: dict[str, Any] = copy.deepcopy(sent[-1])
    payload["trigger_id"] = f"{payload['trigger_id']}0"
    return payload


@pytest.mark.parametrize("ending", ENDINGS)
async def test_a_press_on_a_card_that_is_over_is_told_how_it_ended(ending: Ending, tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(**dict(ending.ask)))["id"])
        await ending.end(r, asked["id"])
        await r.shown_settled(asked["id"])
        async with expect_unchanged(r, asked["id"]):
            seen = await r.slack.person(ANA).press("Yes", version=0, watch=2)
        assert (seen.status, seen.trouble) == (200, None)
        assert ending.says in words(seen)
        assert "Nothing has changed" in words(seen)
        assert (await r.receipts(asked["id"]))[-1]["type"] == "late_answer"


async def test_the_clock_beats_a_press_even_before_the_timer_has_come_round(tmp_path: Path) -> None:
    clock = PushedClock()
    async with rig(sqlite_at(tmp_path), clock=clock) as r:
        asked = await r.posted((await r.ask(policy={"expires_in": "2m", "starts": "asked"}))["id"])
        clock.push(121)
        seen = await r.slack.person(ANA).press("Yes", watch=2)
        assert "time to answer" in words(seen)
        now = await r.get(asked["id"])
        assert (now["status"], now["outcome"]["answer"], now["outcome"]["via"]) == ("expired", None, "timer")
        assert len(await r.events("interaction.expired")) == 1


async def test_a_press_on_what_was_shown_before_a_change_is_refused_and_the_card_redrawn(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask())["id"])
        changed = {"revision": 1, "body": "The canary is **burning**."}
        assert (await r.api.patch(f"/v1/interactions/{asked['id']}", json=changed)).status_code == 200
        await redrawn(r, asked, "burning")
        async with expect_unchanged(r, asked["id"]):
            seen = await r.slack.person(ANA).press("Yes", version=0, watch=2)
        assert "changed after it was drawn" in words(seen)
        await r.slack.person(ANA).press("Yes")
        assert (await r.get(asked["id"], wait=5))["status"] == "answered"


async def test_whoever_the_audience_does_not_name_is_told_so(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(audience={"answerers": [f"slack:{BEA}"]}))["id"])
        async with expect_unchanged(r, asked["id"]):
            seen = await r.slack.person(ANA).press("Yes", watch=2)
        assert "for other people" in words(seen)
        assert "Bea" not in words(seen)
        await r.slack.person(BEA).press("Yes")
        assert (await r.get(asked["id"], wait=5))["outcome"]["by"]["identity"].endswith(BEA)


PEOPLE: list[tuple[str, dict[str, Any], str]] = [
    ("a guest", {"is_restricted": True}, "Guests and people from other workspaces"),
    ("a guest of one channel", {"is_restricted": True, "is_ultra_restricted": True}, "Guests and people from other"),
    ("a bot", {"is_bot": True}, "Bots cannot answer"),
]


async def test_guests_and_bots_are_refused_by_what_slack_says_of_them(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask())["id"])
        for number, (who, facts, says) in enumerate(PEOPLE):
            id_ = r.slack.workspace.add_user(f"visitor{number}", user_id=f"U9{number}", **facts).id
            r.slack.workspace.join(CHANNEL, id_)
            async with expect_unchanged(r, asked["id"]):
                seen = await r.slack.person(id_).press("Yes", watch=2)
            assert says in words(seen), who


async def test_somebody_of_another_workspace_is_refused_in_a_shared_channel_unless_guests_may(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        other = r.slack.workspace.add_team("Globex").id
        stranger = r.slack.workspace.add_user("hank", user_id="U7HANK", team_id=other).id
        shared = r.slack.workspace.add_channel("shared", [ANA, stranger], shared_with=[other]).id
        asked = await r.posted((await r.ask(to=f"slack:{shared}"))["id"])
        async with expect_unchanged(r, asked["id"]):
            seen = await r.slack.person(stranger).press("Yes", watch=2)
        assert "other workspaces cannot answer" in words(seen)
        open_to = await r.posted((await r.ask(to=f"slack:{shared}", title="Open", audience={"guests": True}))["id"])
        await r.slack.person(stranger).press("Yes", ts=open_to["publications"][0]["message"], channel=shared)
        now = await r.get(open_to["id"], wait=5)
        assert now["outcome"]["by"]["identity"] == f"slack:{other}.{stranger}"


async def test_when_slack_does_not_say_who_it_is_nobody_is_guessed(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask())["id"])
        r.slack.fail(FaultKind.ERROR, "users.info", error="internal_error")
        async with expect_unchanged(r, asked["id"]):
            seen = await r.slack.person(ANA).press("Yes", watch=2)
        assert "could not check who you are" in words(seen)
        await r.slack.person(ANA).press("Yes")
        assert (await r.get(asked["id"], wait=5))["status"] == "answered"


async def test_a_token_that_was_made_up_or_bent_does_nothing(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask())["id"])
        first = await r.slack.person(ANA).press("Reply in words…", watch=2)
        assert first.modal is not None
        genuine = last_sent(r, "block_actions")["actions"][0]["value"]
        bent = genuine[:-1] + ("A" if genuine[-1] != "A" else "B")
        for number, value in enumerate(("x", bent, genuine[:20], "A" * 48, "💥" * 12)):
            payload = last_sent(r, "block_actions")
            payload["trigger_id"] = f"forged.{number}"
            payload["actions"][0]["value"] = value
            async with expect_unchanged(r, asked["id"]):
                assert (await r.slack.deliver(payload)).status == 200
            assert len(told(r, ANA)) == number + 1
            assert "did not come from me" in told(r, ANA)[-1]


async def test_a_genuine_token_does_nothing_on_another_message_or_in_another_channel(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        first = await r.posted((await r.ask(**confirmation(title="First")))["id"])
        second = await r.posted((await r.ask(**confirmation(title="Second")))["id"])
        elsewhere = r.slack.workspace.add_channel("elsewhere", [ANA]).id
        await r.slack.person(ANA).press("Reply in words…", ts=first["publications"][0]["message"], channel=CHANNEL)
        accept = next(
            one["value"] for block in r.slack_message(first["publications"][0]).blocks
            for one in block.get("elements", ()) if one.get("text", {}).get("text") == "Deploy"
        )  # fmt: skip
        moved = [
            ("on another card", {"channel": CHANNEL, "message": second["publications"][0]["message"]}),
            ("in another channel", {"channel": elsewhere, "message": first["publications"][0]["message"]}),
        ]
        for why, at in moved:
            payload = last_sent(r, "block_actions")
            payload["trigger_id"] = f"moved.{at['channel']}"
            payload["actions"][0]["value"] = accept
            payload["channel"]["id"] = payload["container"]["channel_id"] = at["channel"]
            payload["message"]["ts"] = payload["container"]["message_ts"] = at["message"]
            async with expect_unchanged(r, first["id"]), expect_unchanged(r, second["id"]):
                assert (await r.slack.deliver(payload)).status == 200, why
            assert "belongs to another message" in told(r, ANA)[-1], why


async def test_somebody_elses_form_cannot_be_sent_in(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(payload=TEXT))["id"])
        ana = r.slack.person(ANA)
        await ana.press("Answer…", watch=2)
        await ana.fill("the disk was full", on="modal")
        await ana.submit()
        assert (await r.get(asked["id"], wait=5))["status"] == "answered"
        second = await r.posted((await r.ask(payload=TEXT, title="Second"))["id"])
        await ana.press("Answer…", watch=2)
        await ana.fill("still typing", on="modal")
        stolen = last_sent(r, "view_submission")
        assert ana.modal is not None
        stolen["view"] = copy.deepcopy(ana.modal)
        stolen["user"] = {**stolen["user"], "id": BEA, "name": "bea", "username": "bea"}
        async with expect_unchanged(r, second["id"]):
            answer = await r.slack.deliver(stolen)
        assert answer.status == 200
        assert answer.body["response_action"] == "update"
        assert "nothing was done" in str(answer.body).lower()
        await ana.submit()
        assert (await r.get(second["id"], wait=5))["outcome"]["by"]["identity"].endswith(ANA)
