"""People who act on whatever they have before them: they press, tick, fill in forms, answer prompts, say sentences."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from typing import Any, Final

from bot.sandbox.slack.seen import NotOnScreen
from bot.sandbox.slack.views import View
from bot.sandbox.telegram.impossible import Impossible
from tests.chaos.town import AFTERWARDS, Town, controls

SHUN: Final = frozenset({"Reply in words…", "Later…", "Back", "Close", "Skip"}) | AFTERWARDS
"""What leads away from an end."""
IN_SLACK, IN_TELEGRAM = 20.0, 3.0
"""The longest that somebody waits between two acts, in seconds. Everybody's forms in Slack are opened by one method,
and that may be called a hundred times a minute."""
FORM: Final = {"Ship now?": "Red", "Is it bad?": "Yes", "What happened?": "It fell over"}
PATIENCE: Final = 8.0
"""Seconds after which somebody presses again what shows nothing of what they did."""
PAGES: Final = re.compile(r"[‹›]|\d+/\d+$")
SENSIBLE: Final = 0.7
"""How often people do what leads on; else they do anything."""
ENOUGH: Final = 2
"""Ticks that every card takes."""
WORDS: Final = "OK it was 12 of 14"
NAME: Final = re.compile(r"wo-\d{4}(?!\d)")
SENTENCES: Final = ("[ACK {}]", "[CLAIM {}]", "[RESULT {}] OK all is well", "[DECLINE {}] not ours")


class InSlack:
    """One person in Slack, who waits at most so many seconds between two acts."""

    def __init__(self, town: Town, who: str, wait: float = IN_SLACK) -> None:
        self._town = town
        self._wait = wait
        self._me = town.r.slack.person(who)

    async def live(self) -> None:
        """Act now and then, until cancelled."""
        while True:
            await asyncio.sleep(self._wait * self._town.chance.random())
            if self._town.live_in_slack:
                with suppress(NotOnScreen):
                    await self._act(self._town.chance.choice(self._town.live_in_slack))

    async def _act(self, message: Any) -> None:
        chance, here = self._town.chance, {"channel": message.channel, "ts": message.ts}
        order = NAME.search(message.text) or NAME.search(str(message.blocks))
        if order and chance.random() < 0.2:
            self._town.acts["sentence"] += 1
            await self._me.write(
                chance.choice(SENTENCES).format(order[0]), channel=message.channel, thread_ts=message.ts
            )
            return
        there = controls(message)
        choices = [one for one in there if one["type"] == "checkboxes"]
        if choices and chance.random() < 0.7:
            self._town.acts["tick"] += 1
            await self._me.tick(chance.choice(choices[0]["options"])["text"]["text"], **here)
            return
        pressed = chance.choice([one for one in there if _label(one) and _label(one) not in SHUN] or there)
        self._town.acts["press"] += 1
        opens = _label(pressed).endswith("…") or pressed["action_id"].startswith("judge")
        await self._me.press(action_id=pressed["action_id"], **here, watch=3 if opens else 0)
        view = self._town.r.slack.platform.views.top(self._me.id)
        if view is not None:
            await self._fill(view)

    async def _fill(self, view: View) -> None:
        self._town.acts["form"] += 1
        try:
            if "Ship now?" in str(view.content):
                await self._me.fill_in(FORM)
            else:
                await self._me.fill(WORDS, on="modal")
            await self._me.submit()
        finally:
            self._town.r.slack.platform.views.clear(self._me.id)


class InTelegram:
    """One person in Telegram, who waits as long."""

    def __init__(self, town: Town, who: int, wait: float = IN_TELEGRAM) -> None:
        self._town = town
        self._wait = wait
        self._who = who
        self._acted: dict[tuple[int, int], tuple[Any, float]] = {}

    async def live(self) -> None:
        """Act now and then, until cancelled."""
        while True:
            await asyncio.sleep(self._wait * self._town.chance.random())
            own = [chat for chat in (self._who, *self._town.groups) if chat in self._town.live_in_telegram]
            if own:
                chat = (
                    self._who
                    if self._who in own and self._town.chance.random() < 0.8
                    else self._town.chance.choice(own)
                )
                there = [one for one in self._town.live_in_telegram[chat] if not self._waits_for(one)]
                with suppress(Impossible):
                    if there:
                        await self._act(chat, self._town.chance.choice(there))

    def _waits_for(self, message: Any) -> bool:
        """Whether they acted on it a moment ago, and it shows nothing of that yet."""
        shown, at = self._acted.get((message.chat_id, message.id), (None, 0.0))
        return shown == _face(message) and time.monotonic() < at + PATIENCE

    async def _act(self, chat: int, message: Any) -> None:
        chance, human = self._town.chance, self._town.r.telegram.human
        self._acted[message.chat_id, message.id] = _face(message), time.monotonic()
        if human.prompt(self._who, chat) is not None:
            self._town.acts["form"] += 1
            human.answer_prompt(self._who, chat, WORDS)
            return
        order = NAME.search(message.text)
        if order and chance.random() < (0.3 if chat == self._who else 0.05):
            self._town.acts["sentence"] += 1
            human.write(self._who, chat, chance.choice(SENTENCES).format(order[0]), reply_to=message.id)
            return
        labels = [one for one in message.buttons if one not in SHUN]
        if chance.random() < SENSIBLE:
            labels = _sensible(labels)
        if labels:
            label = chance.choice(labels)
            # Some press twice what does not answer at once; a tick would be taken back.
            for _ in range(1 if label[0] in "☐☑" else chance.choice((1, 1, 2))):
                self._town.acts["press"] += 1
                await human.press(self._who, chat, label, message_id=message.id, wait=0.3)


def _face(message: Any) -> Any:
    return message.text, tuple(message.buttons)


def _sensible(labels: list[str]) -> list[str]:
    """What somebody presses who wants to be done: what is ticked stays, what is enough is sent, and pages are turned
    where there is nothing else to do."""
    ticked = [one for one in labels if one[0] == "☑"]
    if len(ticked) >= ENOUGH and "Submit" in labels:
        return ["Submit"]
    rest = [one for one in labels if one not in ticked]
    return [one for one in rest if PAGES.match(one) is None] or rest or labels


def _label(control: dict[str, Any]) -> str:
    return str(control["text"]["text"]) if control["type"] == "button" else ""
