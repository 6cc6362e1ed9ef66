"""Many people and many changes at once: nothing accepted is lost, and cards settle to it with few edits."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.acts import Tick
from core.audience import Candidate
from core.people import Membership, Person, Standing, Via
from core.use_cases.answer import answer
from tests.blocks.slack.cards import shown
from tests.chains import first_break
from tests.flows.rig import CHANNEL, Rig, eventually, rig, sqlite_at

BURST, SPARE = 3, 2
"""Edits of one message that may come at once, and how many more than one a second the clock's edges may add."""
LETTERS = "ABCDEFGHIJKLMNOPQRST"


def _items(count: int) -> list[dict[str, Any]]:
    return [{"id": f"i{number}", "label": f"Item {LETTERS[number]}"} for number in range(count)]


def _edits(r: Rig) -> tuple[list[Any], list[Any]]:
    return r.slack.platform.journal.of("chat.update"), r.telegram.journal.of("editMessageText")


def _check_pace(r: Rig) -> None:
    """Neither provider had to slow the service down, and no message was edited faster than people can read."""
    slack, telegram = _edits(r)
    assert [one.status for one in (*slack, *telegram) if one.status == 429] == []
    for edits in (slack, telegram):
        seconds = edits[-1].at - edits[0].at
        assert len(edits) <= BURST + seconds + SPARE


def _boxes(card: Any) -> list[str]:
    """The labels of what is ticked on a Slack card."""
    groups = [block["elements"][0] for block in card.blocks if block.get("block_id", "").startswith("ticks.")]
    return sorted(option["text"]["text"] for one in groups for option in one.get("initial_options", ()))


async def _until_shown(r: Rig, asked: dict[str, Any], ticked: list[str]) -> None:
    async def look() -> bool:
        slack, telegram = r.slack_message(asked["publications"][0]), r.telegram_message(asked["publications"][1])
        in_telegram = sorted(one.removeprefix("☑ ") for one in telegram.buttons if one.startswith("☑"))
        return _boxes(slack) == ticked and in_telegram == ticked

    await eventually(look, 20)


async def test_fifty_changes_lead_to_few_edits_of_which_the_last_is_right(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path), pace=True) as r:
        made = await r.ask(
            kind="checklist", payload={"items": _items(5)}, to=[f"slack:{CHANNEL}", f"telegram:{r.group}"]
        )
        card = await r.posted(made["id"])
        who = Person(id="per_x", workspace=WORKSPACE, handle="x", name="X")
        place = f"slack:{card['publications'][0]['account']}.{CHANNEL}"
        candidate = Candidate(who, None, Standing(), {place: Membership.YES})
        begun = time.monotonic()
        for number in range(51):
            item, context = (f"i{number % 5}",), r.apps[0].context
            act = Tick(1, tick=item) if number // 5 % 2 == 0 else Tick(1, untick=item)
            await answer(context, WORKSPACE, made["id"], act, candidate, Via.API)
        took = time.monotonic() - begun
        await _until_shown(r, card, ["Item A"])
        _check_pace(r)
        assert len(_edits(r)[0]) <= BURST + took + SPARE
        assert [one["type"] for one in await r.receipts(made["id"])].count("ticked") == 51


async def _crowd(r: Rig, size: int) -> tuple[str, int, list[str], list[int]]:
    """A channel and a group with as many people in them, the same in both."""
    users = [
        r.slack.workspace.add_user(f"u{number}", f"U {number}", user_id=f"U{number:03}X") for number in range(size)
    ]
    ids = [one.id for one in users]
    channel = r.slack.workspace.add_channel("crowd", ids)
    numbers = [500 + number for number in range(size)]
    for number in numbers:
        r.telegram.scene.create_user(f"T {number}", user_id=number)
    group = r.telegram.scene.create_group("Crowd", numbers)
    return channel.id, group.id, ids, numbers


async def test_twenty_people_tick_one_list_at_once_in_both_chats(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path), pace=True) as r:
        channel, group, slack, telegram = await _crowd(r, 20)
        r.group = group
        to = [f"slack:{channel}", f"telegram:{group}"]
        made = await r.ask(kind="checklist", payload={"items": _items(8), "min": 1}, to=to)
        card = await r.posted(made["id"])
        here: dict[str, Any] = {"channel": channel, "ts": card["publications"][0]["message"]}
        message = int(card["publications"][1]["message"])

        async def in_slack(number: int) -> bool:
            seen = await r.slack.person(slack[number]).tick(f"Item {LETTERS[number % 8]}", version=0, **here)
            return seen.trouble is None

        async def in_telegram(number: int) -> bool:
            label = f"☐ Item {LETTERS[(number + 3) % 8]}"
            tap = await r.telegram.human.press(telegram[number], group, label, message_id=message, version=0)
            return "Saved" in str(tap.text)

        acts: list[Awaitable[bool]] = [in_slack(n) for n in range(20)]
        acts += [in_telegram(n) for n in range(20)]
        assert all(await asyncio.gather(*acts))
        await _until_shown(r, card, sorted(f"Item {LETTERS[n]}" for n in range(8)))
        _check_pace(r)
        lines = await r.receipts(made["id"])
        ticked = [id for one in lines if one["type"] == "ticked" for id in one["data"]["tick"]]
        assert Counter(ticked) == {f"i{n}": 1 for n in range(8)}  # whoever came second changed nothing
        now = await r.get(made["id"])
        by = {one["id"]: one["by"]["identity"] for one in now["progress"]["ticks"]}
        assert by == {one["data"]["tick"][0]: one["by"]["identity"] for one in lines if one["type"] == "ticked"}
        await r.slack.person(slack[0]).press("Submit", **here)
        settled = await r.shown_settled(made["id"], 20)
        assert settled["outcome"]["answer"]["selected"] == [f"i{n}" for n in range(8)]
        chain = await _chain(r, made["id"])
        assert first_break(chain) is None


async def _chain(r: Rig, id: str) -> Any:
    async with r.apps[0].context.work() as work:
        return await work.receipts(id)


async def test_twenty_people_judge_at_once_and_each_item_has_its_first_verdict(tmp_path: Path) -> None:
    verdicts = [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]
    async with rig(sqlite_at(tmp_path), pace=True) as r:
        channel, group, slack, telegram = await _crowd(r, 20)
        to = [f"slack:{channel}", f"telegram:{group}"]
        made = await r.ask(kind="item_verdicts", payload={"items": _items(6), "verdicts": verdicts}, to=to)
        card = await r.posted(made["id"])
        here: dict[str, Any] = {"channel": channel, "ts": card["publications"][0]["message"]}
        message = int(card["publications"][1]["message"])

        async def in_slack(number: int) -> None:
            action = f"verdict.{number % 2}.{number % 6}"
            await r.slack.person(slack[number]).press(action_id=action, version=0, **here)

        async def in_telegram(number: int) -> None:
            label = "Yes" if number % 2 else "No"
            await r.telegram.human.press(telegram[number], group, label, message_id=message, version=0)

        await asyncio.gather(*(in_slack(n) for n in range(20)), *(in_telegram(n) for n in range(20)))
        settled = await r.shown_settled(made["id"], 20)
        _check_pace(r)
        answer_ = settled["outcome"]["answer"]["verdicts"]
        assert set(answer_) == {f"i{n}" for n in range(6)}
        lines = await r.receipts(made["id"])
        judged: dict[str, tuple[str, str]] = {}
        for one in lines:
            for item, given in one["data"].get("verdicts", {}).items() if one["type"] == "judged" else ():
                assert item not in judged
                judged[item] = given["verdict"], one["by"]["identity"]
        assert judged == {item: (one["verdict"], one["by"]["identity"]) for item, one in answer_.items()}
        assert [one["type"] for one in lines].count("completed") == 1
        late = [one["by"]["identity"] for one in lines if one["type"] == "late_answer"]
        assert len(late) == len(set(late))
        words = shown(list(r.slack_message(settled["publications"][0]).blocks))
        assert all(f"Item {LETTERS[n]}" in words for n in range(6))
        events = [one["type"] for one in await r.events() if one["data"]["interaction"]["id"] == made["id"]]
        assert events == ["interaction.created", *["interaction.progressed"] * 5, "interaction.completed"]
        assert [before["seq"] + 1 for before, _ in pairwise(lines)] == [after["seq"] for _, after in pairwise(lines)]


pytestmark = pytest.mark.timeout(120)
