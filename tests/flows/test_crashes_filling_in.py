"""Killed between any two steps of what takes several, in both chats: nothing filled in is lost or counted twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.telegram.impossible import Impossible
from tests.flows.crashing import Crashing, crashing, expect_whole
from tests.flows.killable import Nursery
from tests.flows.rig import ANA, BEA, CHANNEL, TG_ANA, eventually, sqlite_at

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

FORM = {
    "questions": [
        {"id": "what", "prompt": "What happened?", "type": "text"},
        {"id": "where", "prompt": "Where?", "type": "choices", "options": [
            {"id": "eu", "label": "Europe"}, {"id": "as", "label": "Asia"}, {"id": "af", "label": "Africa"}]},
        {"id": "bad", "prompt": "Is it bad?", "type": "boolean"},
        {"id": "hosts", "prompt": "How many hosts?", "type": "number"},
    ]
}  # fmt: skip
ANSWER = {
    "what": {"value": "It fell over"},
    "where": {"values": ["eu", "af"]},
    "bad": {"value": False},
    "hosts": {"value": 3},
}
VERDICTS = {"items": [{"id": one, "label": f"Item {one}"} for one in ("a", "b", "c")]}
CHECKS = {"items": [{"id": one, "label": f"Item {one}"} for one in ("a", "b", "c")], "min": 2}
Step = Callable[[], Awaitable[Any]]


class Hand:
    """Ana in the Telegram group, on one card."""

    def __init__(self, r: Crashing, asked: dict[str, Any]) -> None:
        self.r = r
        self.card = int(asked["publications"][1]["message"])

    def tap(self, words: str) -> Step:
        """Press the button that ends with these words, once it is there, until it is taken."""

        async def tapped() -> bool:
            message = self.r.telegram.world.messages[self.r.group][self.card]
            label = next((one for one in message.buttons if one.endswith(words)), None)
            if label is None:
                return False
            try:
                await self.r.telegram.human.press(TG_ANA, self.r.group, label, message_id=self.card)
            except Impossible:  # it was drawn anew in this moment
                return False
            return True

        return lambda: eventually(tapped, 20)

    def write(self, words: str) -> Step:
        """Reply to the prompt that is there or comes."""

        async def written() -> bool:
            human = self.r.telegram.human
            if not human.prompt(TG_ANA, self.r.group):
                return False
            human.answer_prompt(TG_ANA, self.r.group, words)
            return True

        return lambda: eventually(written, 20)

    def shows(self, words: str, *, again: str = "") -> Step:
        """The card says this. `again`: a process that dies between sending a prompt and noting it asks once more."""

        async def look() -> bool:
            message = self.r.telegram.world.messages[self.r.group][self.card]
            if words in message.text or any(words in one for one in message.buttons):
                return True
            if again and self.r.telegram.human.prompt(TG_ANA, self.r.group):
                self.r.telegram.human.answer_prompt(TG_ANA, self.r.group, again)
            return False

        return lambda: eventually(look, 20)


async def begun(r: Crashing, **asked: Any) -> dict[str, Any]:
    """Asked and posted in both chats."""
    await r.service.start()
    both = [f"slack:{CHANNEL}", f"telegram:{r.group}"]
    return await r.posted((await r.ask(to=both, title="Card", **asked))["id"])


async def ended(r: Crashing, id: str, status: str) -> dict[str, Any]:
    """It settled once, as `status`, and both copies show it; the prompts beneath name the card as well."""
    settled = await r.shown_settled(id, 40)
    chain = await r.receipts(id)
    expect_whole(chain)
    assert settled["status"] == status
    assert [one["id"] for one in chain if one["type"] == status] == [settled["outcome"]["receipt"]]
    return settled


async def walk(r: Crashing, *steps: Sequence[Step]) -> None:
    """Do the steps of each pair, the process killed right after the first of them and started for the second."""
    for acts, *seen in steps:
        await acts()
        await r.service.kill()
        await r.service.start()
        for look in seen:
            await look()


async def test_a_form_of_several_questions_in_telegram(nursery: Nursery, tmp_path: Path) -> None:
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as r:
        asked = await begun(r, payload=FORM)
        hand = Hand(r, asked)
        await walk(
            r,
            (hand.tap("Answer"), hand.shows("What happened?")),
            (hand.write("It fell over"), hand.shows("Where?", again="It fell over")),
            (hand.tap("Africa"), hand.shows("☑ Africa")),
            (hand.tap("Europe"), hand.shows("☑ Europe")),
            (hand.tap("Next"), hand.shows("Is it bad?")),
            (hand.tap("No"), hand.shows("How many hosts?")),
            (hand.write("3"), hand.shows("Submit", again="3")),
            (hand.tap("Submit"),),
        )
        settled = await ended(r, asked["id"], "answered")
        assert settled["outcome"]["answer"] == ANSWER
        r.expect_quiet_log()


async def test_an_open_form_in_slack_is_sent_to_the_next_process(nursery: Nursery, tmp_path: Path) -> None:
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as r:
        asked = await begun(r, payload=FORM)
        ana, here = r.slack.person(ANA), {"channel": CHANNEL, "ts": asked["publications"][0]["message"]}

        async def opened() -> None:
            assert (await ana.press("Answer…", **here, watch=5)).modal is not None

        async def refused() -> None:
            await ana.fill_in({"What happened?": "It fell over", "Where?": ["Africa", "Europe"], "Is it bad?": "No"})
            seen = await ana.submit()
            assert [name.partition(":")[0] for name in seen.errors] == ["q3"]

        async def sent() -> None:
            await ana.fill_in({"How many hosts?": "3"})
            assert (await ana.submit()).errors == {}

        await walk(r, (opened,), (refused,), (sent,))
        settled = await ended(r, asked["id"], "answered")
        assert settled["outcome"]["answer"] == ANSWER
        r.expect_quiet_log()


async def test_ticks_of_two_people_in_both_chats(nursery: Nursery, tmp_path: Path) -> None:
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as r:
        asked = await begun(r, kind="checklist", payload=CHECKS)
        hand, here = Hand(r, asked), {"channel": CHANNEL, "ts": asked["publications"][0]["message"]}

        async def ticked() -> None:
            await r.slack.person(BEA).tick("Item b", **here)

        await walk(
            r,
            (hand.tap("Item a"), hand.shows("☑ Item a")),
            (ticked, hand.shows("☑ Item b")),
            (hand.tap("Item c"), hand.shows("☑ Item c")),
            (hand.tap("Item a"), hand.shows("☐ Item a")),
            (hand.tap("Submit"),),
        )
        settled = await ended(r, asked["id"], "completed")
        assert settled["outcome"]["answer"]["selected"] == ["b", "c"]
        assert [one["type"] for one in await r.receipts(asked["id"])].count("ticked") == 4
        r.expect_quiet_log()


async def test_verdicts_with_a_reason_asked_for_in_between(nursery: Nursery, tmp_path: Path) -> None:
    async with crashing(nursery, sqlite_at(tmp_path), tmp_path) as r:
        asked = await begun(r, kind="item_verdicts", payload=VERDICTS)
        hand = Hand(r, asked)
        await walk(
            r,
            (hand.tap("Approve"), hand.shows("Item b")),
            (hand.tap("Reject"),),
            (hand.write("too early"), hand.shows("Item c", again="too early")),
            (hand.tap("Defer"),),
        )
        settled = await ended(r, asked["id"], "completed")
        given = settled["outcome"]["answer"]["verdicts"]
        assert {key: (one["verdict"], one["reason"]) for key, one in given.items()} == {
            "a": ("approve", None), "b": ("reject", "too early"), "c": ("defer", None)
        }  # fmt: skip
        r.expect_quiet_log()
