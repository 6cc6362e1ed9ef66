"""How Ana gives each format's answer in Slack, with the controls that she finds there."""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.sandbox.gallery import Format
from tests.flows.formats import labels_of, new_ticks, payload_of, questions_of, reject_label, typed, verdicts_of
from tests.flows.rig import ANA, CHANNEL, Rig, eventually

VERDICTS = ("Approve", "Reject", "Defer")


async def in_slack(r: Rig, one: Format, asked: dict[str, Any]) -> None:
    """Answer the card that was posted."""
    hand = _Hand(r, one, asked)
    match one.request["kind"]:
        case "questions":
            await (hand.form() if len(questions_of(one)) > 1 else hand.question())
        case "checklist":
            await hand.checklist()
        case "item_verdicts":
            await hand.verdicts()
        case "suggested_tasks":
            await hand.tasks()
        case _:
            await hand.write(one.reason or "", reject_label(one))


class _Hand:
    def __init__(self, r: Rig, one: Format, asked: dict[str, Any]) -> None:
        self.rig, self.one, self.asked = r, one, asked
        self.ana = r.slack.person(ANA)
        self.here: dict[str, Any] = {"channel": CHANNEL, "ts": asked["publications"][0]["message"]}

    async def write(self, words: str, button: str = "", action_id: str = "") -> None:
        await self.ana.press(button, action_id=action_id, **self.here, watch=5)
        await self.ana.fill(words, on="modal")
        await self._send()

    async def _send(self) -> None:
        assert (await self.ana.submit()).errors == {}

    async def form(self) -> None:
        await self.ana.press("Answer…", **self.here, watch=5)
        await self.ana.fill_in(
            {question["prompt"]: typed(question, given) for question, given in questions_of(self.one)}
        )
        await self._send()

    async def question(self) -> None:
        ((question, given),) = questions_of(self.one)
        if question["type"] == "text":
            await self.write(given["value"], "Answer…")
        elif "custom" in given:
            await self.write(given["custom"], "Other…")
        elif question["type"] == "choices":
            for label in labels_of(question, given):
                await self.ana.tick(label, **self.here)
            await self.ana.press("Submit", **self.here)
        elif len(question["options"]) <= 5:
            await self.ana.press(*labels_of(question, given), **self.here)
        else:
            await self.ana.choose(*labels_of(question, given), **self.here)

    async def checklist(self) -> None:
        for label in new_ticks(self.one):
            await self.ana.tick(label, **self.here)
        await self.ana.press(payload_of(self.one)["accept_label"], **self.here)

    async def verdicts(self) -> None:
        for index, (_, verdict, reason) in enumerate(verdicts_of(self.one)):
            await eventually(partial(self._decided, index))
            place = VERDICTS.index(verdict)
            if reason is None:
                await self.ana.press(action_id=f"verdict.{place}.{index}", **self.here)
            else:
                await self.write(reason, action_id=f"judge.{place}.{index}")

    async def _decided(self, count: int) -> bool:
        return len((await self.rig.get(self.asked["id"]))["progress"]["verdicts"]) == count

    async def tasks(self) -> None:
        for title in new_ticks(self.one):
            await self.ana.tick(title, **self.here)
        await self.ana.press("Create tasks", **self.here)
