"""Taps and replies in Telegram that must not count: each is told why in plain words, and nothing changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.telegram.messages import Guise
from bot.sandbox.telegram.people import Status
from bot.sandbox.telegram.taps import Tap
from tests.flows.refusing import ENDINGS, Ending, expect_unchanged, redrawn
from tests.flows.rig import TG_ANA, TG_BEA, TG_CARL, Rig, confirmation, rig, sqlite_at
from tests.flows.trouble import PushedClock

TEXT = {"questions": [{"id": "q1", "prompt": "What happened?", "type": "text"}]}
LONGEST_ALERT = 200


def words(tap: Tap) -> str:
    """What the presser is shown: an alert, because what they wanted was not done."""
    assert tap.answer is not None
    assert tap.answer.show_alert
    assert len(tap.answer.text) <= LONGEST_ALERT
    return tap.answer.text


async def asked_here(r: Rig, **changes: Any) -> dict[str, Any]:
    return await r.posted((await r.ask(to=f"telegram:{r.group}", **changes))["id"])


async def press_old(r: Rig, who: int, asked: dict[str, Any], label: str = "Yes") -> Tap:
    """Press the card as it was when it was posted."""
    message = int(asked["publications"][0]["message"])
    return await r.telegram.human.press(who, r.group, label, message_id=message, version=0)


@pytest.mark.parametrize("ending", ENDINGS)
async def test_a_tap_on_a_card_that_is_over_is_told_how_it_ended(ending: Ending, tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await asked_here(r, **dict(ending.ask))
        await ending.end(r, asked["id"])
        await r.shown_settled(asked["id"])
        async with expect_unchanged(r, asked["id"]):
            told = words(await press_old(r, TG_ANA, asked))
        assert ending.says in told
        assert "Nothing has changed" in told
        assert (await r.receipts(asked["id"]))[-1]["type"] == "late_answer"


@pytest.mark.parametrize("ending", ENDINGS)
async def test_a_reply_to_a_card_that_is_over_is_told_how_it_ended(ending: Ending, tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await asked_here(r, payload=TEXT, **dict(ending.ask))
        await ending.end(r, asked["id"])
        await r.shown_settled(asked["id"])
        async with expect_unchanged(r, asked["id"]):
            r.telegram.human.write(TG_ANA, r.group, "late", reply_to=int(asked["publications"][0]["message"]))
            await r.telegram.until(lambda: said(r, ending.says))


def said(r: Rig, text: str) -> bool:
    return any(text in one.text for one in r.telegram.world.history(r.group) if one.author == r.telegram.bot_id)


async def test_the_clock_beats_a_tap_even_before_the_timer_has_come_round(tmp_path: Path) -> None:
    clock = PushedClock()
    async with rig(sqlite_at(tmp_path), clock=clock) as r:
        asked = await asked_here(r, policy={"expires_in": "10m", "starts": "asked"})
        clock.push(601)
        assert "time to answer" in words(await r.telegram.human.press(TG_ANA, r.group, "Yes"))
        now = await r.get(asked["id"])
        assert (now["status"], now["outcome"]["answer"], now["outcome"]["via"]) == ("expired", None, "timer")
        assert len(await r.events("interaction.expired")) == 1


async def test_a_tap_on_what_was_shown_before_a_change_is_refused(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await asked_here(r)
        changed = {"revision": 1, "body": "The canary is **burning**."}
        assert (await r.api.patch(f"/v1/interactions/{asked['id']}", json=changed)).status_code == 200
        await redrawn(r, asked, "burning")
        async with expect_unchanged(r, asked["id"]):
            assert "changed after it was drawn" in words(await press_old(r, TG_ANA, asked))
        await r.telegram.human.press(TG_ANA, r.group, "Yes")
        assert (await r.get(asked["id"], wait=5))["status"] == "answered"


async def test_words_for_what_was_changed_meanwhile_are_refused(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await asked_here(r, payload=TEXT)
        await r.telegram.human.press(TG_ANA, r.group, "Answer…")
        await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, r.group))
        changed = {"revision": 1, "title": "Release 4.3"}
        assert (await r.api.patch(f"/v1/interactions/{asked['id']}", json=changed)).status_code == 200
        async with expect_unchanged(r, asked["id"]):
            r.telegram.human.answer_prompt(TG_ANA, r.group, "for the old one")
            await r.telegram.until(lambda: said(r, "changed after it was drawn"))


async def test_whoever_the_audience_does_not_name_is_told_so(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await asked_here(r, audience={"answerers": [f"telegram:{TG_BEA}"]})
        async with expect_unchanged(r, asked["id"]):
            told = words(await r.telegram.human.press(TG_ANA, r.group, "Yes"))
        assert "for other people" in told
        assert "Bea" not in told
        await r.telegram.human.press(TG_BEA, r.group, "Yes")
        assert (await r.get(asked["id"], wait=5))["outcome"]["by"]["identity"] == f"telegram:{TG_BEA}"


async def test_an_anonymous_administrator_and_a_channel_are_nobody_in_words_but_a_tap_is_the_persons_own(
    tmp_path: Path,
) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        r.telegram.scene.set_status(r.group, TG_CARL, Status.ADMINISTRATOR, by=TG_ANA)
        asked = await asked_here(r, payload=TEXT)
        message = int(asked["publications"][0]["message"])
        async with expect_unchanged(r, asked["id"]):
            r.telegram.human.write(TG_CARL, r.group, "it was me", reply_to=message, guise=Guise.ANONYMOUS_ADMIN)
            await r.telegram.until(lambda: said(r, "writing anonymously"))
        spoken = [one.text for one in r.telegram.world.history(r.group) if "anonymously" in one.text]
        assert not any("Release" in text for text in spoken)  # it names no content
        closed = await r.posted((await r.ask(**confirmation(title="Deploy it", to=f"telegram:{r.group}")))["id"])
        tap = await r.telegram.human.press(TG_CARL, r.group, "Deploy")
        assert tap.answer is not None
        assert tap.answer.text == "Saved: Deploy"
        assert (await r.get(closed["id"], wait=5))["outcome"]["by"]["identity"] == f"telegram:{TG_CARL}"


async def test_data_that_was_made_up_or_bent_does_nothing(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await asked_here(r)
        message = r.telegram_message(asked["publications"][0])
        genuine = message.content.keyboard[0][0]["callback_data"]
        bent = genuine[:-1] + ("A" if genuine[-1] != "A" else "B")
        for data in ("x", bent, genuine[:20], "A" * 48, "💥" * 12):
            async with expect_unchanged(r, asked["id"]):
                tap = await r.telegram.human.press(TG_ANA, r.group, data=data, message_id=message.id, forged=True)
            assert "did not come from me" in words(tap)


async def test_a_prompt_meant_for_somebody_else_is_not_answered(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await asked_here(r, payload=TEXT)
        await r.telegram.human.press(TG_ANA, r.group, "Answer…")
        await r.telegram.until(lambda: r.telegram.human.prompt(TG_ANA, r.group))
        shown = r.telegram.human.prompt(TG_ANA, r.group)
        assert shown is not None
        async with expect_unchanged(r, asked["id"]):
            r.telegram.human.write(TG_BEA, r.group, "mine", reply_to=shown.message_id)
            await r.telegram.until(lambda: said(r, "waits for someone else"))
        r.telegram.human.answer_prompt(TG_ANA, r.group, "the disk was full")
        assert (await r.get(asked["id"], wait=5))["outcome"]["by"]["identity"] == f"telegram:{TG_ANA}"


async def test_what_somebody_wrote_and_then_edited_counts_as_it_was_sent(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await asked_here(r, payload=TEXT)
        sent = r.telegram.human.write(
            TG_ANA, r.group, "the disk was full", reply_to=int(asked["publications"][0]["message"])
        )
        now = await r.get(asked["id"], wait=5)
        async with expect_unchanged(r, asked["id"]):
            r.telegram.human.edit(TG_ANA, r.group, sent.id, "it was the network")
            await r.telegram.human.press(TG_BEA, r.group, "Answer…", version=0, message_id=_message(asked))
        assert now["outcome"]["answer"] == {"q1": {"value": "the disk was full"}}


def _message(asked: dict[str, Any]) -> int:
    return int(asked["publications"][0]["message"])
