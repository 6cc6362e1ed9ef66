"""What the chats show at the end, by the title of what it is about: copies, and what was said about them."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from tests.blocks.slack.cards import shown
from tests.chaos.town import TITLE, Town, is_live_in_slack, is_live_in_telegram

OF_CARD: Final = re.compile(r"Reminder (\d) of")
OF_ORDER: Final = re.compile(r"\[NUDGE (wo-\d+)\].*?\[nudge (\d)/", re.DOTALL)


@dataclass(frozen=True)
class Copy:
    """One message that shows a card or an order. `at` is its provider, conversation and id."""

    at: tuple[str, str, str]
    text: str
    is_live: bool


@dataclass(frozen=True)
class Sights:
    """`copies` are by title; `said` is every other message of ours; `names` are what people are called in their chat,
    by `slack:U1` or `telegram:42`."""

    copies: Mapping[str, list[Copy]]
    said: list[str] = field(repr=False)
    names: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, town: Town) -> Sights:
        """Look at everything once."""
        copies: dict[str, list[Copy]] = defaultdict(list)
        said: list[str] = []
        for message in town.in_slack():
            text = shown(list(message.blocks))
            title = TITLE.match(text)
            if title is not None and message.thread_ts in (None, message.ts):
                at = ("slack", message.channel, message.ts)
                copies[title[0]].append(Copy(at, text, is_live_in_slack(message)))
            else:
                said.append(message.text)
        for chat in town.chats:
            for message in town.in_telegram(chat):
                title = TITLE.match(message.text)
                if title is not None and message.reply_to is None:
                    at = ("telegram", str(chat), str(message.id))
                    copies[title[0]].append(Copy(at, message.text, is_live_in_telegram(message)))
                else:
                    said.append(message.text)
        return cls(copies, said, _names(town))


def _names(town: Town) -> dict[str, str]:
    slack = town.r.slack.platform.world.users
    telegram = town.r.telegram.world.users
    found = {f"slack:{id}": slack[id].name for id in town.slack_people}
    return found | {f"telegram:{id}": telegram[id].first_name for id in town.telegram_people}


def whose(by: Mapping[str, Any]) -> str:
    """`slack:U1` of the identity `slack:T1.U1`: the account that somebody acted with."""
    provider, _, user = str(by["identity"]).partition(":")
    return f"{provider}:{user.rpartition('.')[2]}"


def ending(word: str, sights: Sights, outcome: Mapping[str, Any]) -> str:
    """The line that says how something ended, as every copy must show it."""
    at = datetime.fromisoformat(outcome["at"])
    moment = f"{at.day} {at:%b %Y, %H:%M} UTC"
    by, via = outcome["by"], outcome["via"]
    if by["type"] == "timer":
        return f"{word}, {moment}"
    if by["type"] == "agent":
        return f"{word} by agent {by['handle']} through the API, {moment}"
    where = {"slack": "Slack", "telegram": "Telegram"}[via]
    return f"{word} by {sights.names[whose(by)]} in {where}, {moment}"


@dataclass
class Reminded:
    """Every message that ever reminded of something, by the title of a card or the name of an order and the number of
    the reminder: later the message may say how it ended."""

    town: Town
    messages: dict[tuple[str, int], set[tuple[str, str, str]]] = field(default_factory=lambda: defaultdict(set))
    _seen: set[tuple[str, str, str]] = field(default_factory=set)

    async def watch(self) -> None:
        """Go on looking, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(0.1)

    def look(self) -> None:
        """Look at what is new."""
        for one in self.town.in_slack():
            if self._is_new(("slack", one.channel, one.ts)):
                self._note(("slack", one.channel, one.ts), f"{one.text} {shown(list(one.blocks))}")
        for chat in self.town.chats:
            for said in self.town.in_telegram(chat):
                if self._is_new(("telegram", str(chat), str(said.id))):
                    self._note(("telegram", str(chat), str(said.id)), said.text)

    def _is_new(self, at: tuple[str, str, str]) -> bool:
        is_new = at not in self._seen
        self._seen.add(at)
        return is_new

    def _note(self, at: tuple[str, str, str], said: str) -> None:
        title, of_card = TITLE.search(said), OF_CARD.search(said)
        if title is not None and of_card is not None:
            self.messages[title[0], int(of_card[1])].add(at)
        for name, number in OF_ORDER.findall(said):
            self.messages[name, int(number)].add(at)

    def now(self) -> dict[tuple[str, int], frozenset[tuple[str, str, str]]]:
        """All until this moment."""
        self.look()
        return {which: frozenset(there) for which, there in self.messages.items()}
