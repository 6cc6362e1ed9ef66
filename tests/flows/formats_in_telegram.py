"""How Ana gives each format's answer in a Telegram group, with the controls that she finds there."""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.sandbox.gallery import Format
from tests.flows.formats import labels_of, new_ticks, payload_of, questions_of, reject_label, typed, verdicts_of
from tests.flows.rig import TG_ANA, Rig


async def in_telegram(r: Rig, one: Format, asked: dict[str, Any]) -> None:
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
            await hand.tap(reject_label(one))
            await hand.write(one.reason or "")


class _Hand:
    def __init__(self, r: Rig, one: Format, asked: dict[str, Any]) -> None:
        self.rig, self.one = r, one
        self.card = int(asked["publications"][0]["message"])

    def _named(self, words: str) -> str:
        """The button that ends with these words."""
        buttons = self.rig.telegram.world.messages[self.rig.group][self.card].buttons
        return next((label for label in buttons if label.endswith(words)), "")

    def _shows(self, words: str) -> bool:
        return words in self.rig.telegram.world.messages[self.rig.group][self.card].text

    def _is_ticked(self, label: str) -> bool:
        return self._named(label).startswith("☑")

    async def tap(self, label: str) -> None:
        await self.rig.telegram.until(partial(self._named, label), 10)
        await self.rig.telegram.human.press(TG_ANA, self.rig.group, self._named(label), message_id=self.card)

    async def tick(self, label: str) -> None:
        await self.tap(label)
        await self.rig.telegram.until(partial(self._is_ticked, label), 10)

    async def write(self, words: str) -> None:
        human = self.rig.telegram.human
        await self.rig.telegram.until(partial(human.prompt, TG_ANA, self.rig.group), 10)
        human.answer_prompt(TG_ANA, self.rig.group, words)

    async def form(self) -> None:
        await self.tap("Answer")
        for question, given in questions_of(self.one):
            match question["type"]:
                case "choices":
                    for label in labels_of(question, given):
                        await self.tick(label)
                    await self.tap("Next")
                case "choice" | "boolean":
                    await self.tap(typed(question, given))
                case _:
                    await self.write(typed(question, given))
        await self.tap("Submit")

    async def question(self) -> None:
        ((question, given),) = questions_of(self.one)
        if question["type"] == "text":
            await self.tap("Answer…")
            await self.write(given["value"])
        elif "custom" in given:
            await self.tap("Other…")
            await self.write(given["custom"])
        elif question["type"] == "choices":
            for label in labels_of(question, given):
                await self.tick(label)
            await self.tap("Submit")
        else:
            (label,) = labels_of(question, given)
            if self._named("Search…"):
                await self.tap("Search…")
                await self.write(label)
            await self.tap(label)

    async def checklist(self) -> None:
        for label in new_ticks(self.one):
            await self.tick(label)
        await self.tap(payload_of(self.one)["accept_label"])

    async def verdicts(self) -> None:
        for label, verdict, reason in verdicts_of(self.one):
            await self.rig.telegram.until(partial(self._shows, label), 10)
            await self.tap(verdict)
            if reason is not None:
                await self.write(reason)

    async def tasks(self) -> None:
        for title in new_ticks(self.one):
            await self.tick(title)
        await self.tap("Create tasks")
