"""A provider that is full or broken: the card arrives once it can, once and in order, and nobody is hammered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.rig import ANA, TG_ANA, Rig, eventually, rig, sqlite_at
from tests.flows.trouble import PushedClock, cards, fail, gaps, place, posts

BOTH = pytest.mark.parametrize("provider", ["slack", "telegram"])
EITHER = pytest.mark.parametrize("provider", ["slack", pytest.param("telegram", marks=pytest.mark.slow)])
"""What sends and tries again is the same for both, and tests/adapters asks each what it makes of its provider's words:
the other is tried with a whole service in the long run, but for when to come again, which each says in its own way."""


@BOTH
async def test_a_provider_that_asks_to_wait_is_called_again_only_after_that(provider: str, tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        fail(r, provider, "rate_limited", seconds=2.0)
        asked = await r.ask(to=place(r, provider))
        await r.posted(asked["id"])
        assert len(cards(r, provider)) == 1
        (gap,) = gaps(posts(r, provider))
        assert gap >= 2.0


@EITHER
async def test_cards_to_one_conversation_arrive_in_the_order_they_were_asked(provider: str, tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        fail(r, provider, "rate_limited", seconds=1.0)
        titles = [f"Step {number}" for number in range(5)]
        asked = [await r.ask(title=title, to=place(r, provider)) for title in titles]
        for one in asked:
            await r.posted(one["id"])
        shown = [str(card) for card in cards(r, provider, "Step")]
        assert [next(title for title in titles if title in text) for text in shown] == titles
        # While the first one waited, none of the others was tried.
        assert len(posts(r, provider, "Step")) == len(titles) + 1


@EITHER
async def test_a_provider_that_goes_on_failing_is_tried_until_it_works(provider: str, tmp_path: Path) -> None:
    clock = PushedClock()
    async with rig(sqlite_at(tmp_path), clock=clock) as r:
        fail(r, provider, "status", status=500, count=3)
        asked = await r.ask(to=place(r, provider))
        for times in (1, 2, 3):

            async def tried(times: int = times) -> bool:
                return len(posts(r, provider)) >= times

            await eventually(tried)
            clock.push(60)
        await r.posted(asked["id"])
        assert len(posts(r, provider)) == 4
        assert len(cards(r, provider)) == 1


@EITHER
async def test_after_one_failure_the_card_is_there_within_seconds(provider: str, tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        fail(r, provider, "status", status=502)
        asked = await r.ask(to=place(r, provider))
        await r.posted(asked["id"], 12)
        assert len(cards(r, provider)) == 1
        (gap,) = gaps(posts(r, provider))
        assert gap >= 5.0  # it is looked for first, where that is possible


async def test_a_post_whose_answer_was_dropped_is_found_in_slack(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        fail(r, "slack", "drop_after")
        asked = await r.ask()
        now = await r.posted(asked["id"])
        (card,) = cards(r, "slack")
        assert now["publications"][0]["message"] == card.ts
        assert len(posts(r, "slack")) == 1
        await r.slack.person(ANA).press("Yes")
        await r.shown_settled(asked["id"])


async def test_a_post_whose_answer_was_dropped_is_found_in_a_direct_message_and_in_a_thread(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        fail(r, "slack", "drop_after", count=2)
        direct = await r.ask(title="Direct", to=f"slack:{ANA}")
        root = await r.slack.person(ANA).write("deploying", channel="C0123")
        threaded = await r.ask(title="Threaded", to=f"slack:C0123/{root.ts}")
        for asked in (direct, threaded):
            await r.posted(asked["id"])
        assert len(posts(r, "slack", "Direct")) == len(posts(r, "slack", "Threaded")) == 1


async def test_a_request_that_was_dropped_is_made_again_once_it_cannot_turn_up_any_more(tmp_path: Path) -> None:
    clock = PushedClock()
    async with rig(sqlite_at(tmp_path), clock=clock) as r:
        fail(r, "slack", "drop_before")
        asked = await r.ask()
        await eventually(lambda: _is(r, asked["id"], "unknown"))
        later = await r.posted((await r.ask(title="Later"))["id"])
        assert later["publications"][0]["state"] == "posted"  # it holds up nobody
        assert len(posts(r, "slack")) == 1
        clock.push(30)
        await r.posted(asked["id"])
        assert len(cards(r, "slack")) == 1


async def test_in_telegram_one_replacement_is_posted_and_both_copies_settle(tmp_path: Path) -> None:
    clock = PushedClock()
    async with rig(sqlite_at(tmp_path), clock=clock) as r:
        fail(r, "telegram", "drop_after")
        asked = await r.ask(to=place(r, "telegram"))
        await eventually(lambda: _is(r, asked["id"], "unknown"))
        assert len(posts(r, "telegram")) == 1
        clock.push(60)
        await r.posted(asked["id"])
        lost, replacement = cards(r, "telegram")
        tap = await r.telegram.human.press(TG_ANA, r.group, "Yes", message_id=lost.id)
        assert tap.answer is not None
        assert tap.answer.text == "Saved: Yes"
        now = await r.shown_settled(asked["id"])
        assert {one["message"] for one in now["publications"]} == {str(lost.id), str(replacement.id)}
        await r.telegram.until(lambda: not any(card.buttons for card in cards(r, "telegram")))
        assert len(await r.events("interaction.answered")) == 1


async def test_a_lost_copy_that_turns_up_after_the_end_is_told_and_settled_too(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        fail(r, "telegram", "drop_after")
        asked = await r.ask(to=[place(r, "telegram"), place(r, "slack")])
        await eventually(lambda: _is(r, asked["id"], "unknown"))
        await r.slack.person(ANA).press("No")
        (lost,) = cards(r, "telegram")
        tap = await r.telegram.human.press(TG_ANA, r.group, "Yes", message_id=lost.id)
        assert tap.answer is not None
        assert "answered this" in tap.answer.text
        await r.telegram.until(lambda: not cards(r, "telegram")[0].buttons)
        now = await r.shown_settled(asked["id"])
        assert now["outcome"]["answer"] == {"q1": {"value": "no"}}


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.parametrize("refuse", [False, True], ids=["unanswered", "refused"])
async def test_after_a_minute_away_everything_arrives_in_order_and_nobody_was_hammered(
    tmp_path: Path, *, refuse: bool
) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        await r.slack.away(60, refuse=refuse)
        await r.telegram.away(60, refuse=refuse)
        titles = [f"Step {number}" for number in range(3)]
        asked = [await r.ask(title=title, to=[place(r, "slack"), place(r, "telegram")]) for title in titles]
        for one in asked:
            await r.posted(one["id"], 180)
        for provider in ("slack", "telegram"):
            shown = [str(card) for card in cards(r, provider, "Step")]
            assert [next(title for title in titles if title in text) for text in shown] == titles
        away = [one for one in r.slack.platform.journal.calls if one.fault == "away"]
        assert len(away) < 30  # for the three cards together, in a minute
        assert all(gap > 1 for gap in gaps([one for one in away if one.method == "chat.postMessage"]))


async def _is(r: Rig, id: str, state: str) -> bool:
    return any(one["state"] == state for one in (await r.get(id))["publications"])
