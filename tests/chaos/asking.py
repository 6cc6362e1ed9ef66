"""What is asked and ordered in a chaos run: every kind that people settle in a chat, in all kinds of places."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final

import httpx2

from tests.chaos.town import Town
from tests.flows.rig import ANA, TG_ANA, choice, confirmation, question

ALLOWED: Final = (f"slack:{ANA}", f"telegram:{TG_ANA}")
FORM: Final = {
    "questions": [
        choice("Red", "Blue"),
        {"id": "q2", "prompt": "Is it bad?", "type": "boolean"},
        {"id": "q3", "prompt": "What happened?", "type": "text"},
    ]
}
ITEMS: Final = {"items": [{"id": one, "label": f"Item {one}"} for one in ("a", "b", "c")]}
ASKERS: Final = 4
"""Programs that ask at once."""
IN_BOTH: Final = 40
"""Every so many-th card is asked in a Slack channel and a Telegram group, the others in somebody's own Telegram chat:
Slack takes fifty edits a minute for a whole workspace, and each card wants two or three."""
ORDERS_IN_SLACK: Final = 12


class Asking:
    """Programs that ask for decisions and order work, over so many `seconds`. `first` is where they begin to count,
    a multiple of 1,000; every `in_both`-th card goes to both chats."""

    def __init__(self, town: Town, seconds: float, *, first: int = 0, in_both: int = IN_BOTH) -> None:
        self._town = town
        self._seconds = seconds
        self._first = first
        self._in_both = in_both

    async def all(self, cards: int, orders: int) -> None:
        """Ask and order so much."""
        beyond = self._first + cards
        askers = [self._ask(range(self._first + one, beyond, ASKERS)) for one in range(ASKERS)]
        await asyncio.gather(*askers, self._order(orders))

    async def _ask(self, numbers: range) -> None:
        for number in numbers:
            await self.one(number)
            await asyncio.sleep(2 * self._seconds / len(numbers) * self._town.chance.random())

    async def one(self, number: int) -> None:
        """Ask one card, again while nobody answers."""
        town, title = self._town, f"Card {number:05d}"
        is_shared = number % self._in_both == 0
        place = number // self._in_both % town.places
        both = [f"slack:{town.channels[place]}", f"telegram:{town.groups[place]}"]
        about: dict[str, Any] = {
            "title": title,
            "to": both if is_shared else f"telegram:{town.telegram_people[number % town.people]}",
            "continuation": {"webhook": town.r.asker.url},
            "policy": self._policy(number),
        }
        if is_shared and number // self._in_both % 4 == 1:
            about["audience"] = {"answerers": list(ALLOWED)}
            town.restricted.add(title)
        answer = await self._sent("/v1/interactions", self._body(number, about), f"card-{number}")
        assert answer.status_code == 201, answer.text
        town.cards[title] = answer.json()["id"]
        if number % 17 == 6:
            withdrawn = await self._sent(f"/v1/interactions/{town.cards[title]}/withdraw", {"revision": 1})
            assert withdrawn.status_code in (200, 409), withdrawn.text

    def _policy(self, number: int) -> dict[str, Any]:
        policy: dict[str, Any] = {}
        if number % 11 == 2:
            policy["expires_in"] = f"{self._town.chance.randint(5, 20)}s"
        if number % 11 in (3, 7):
            policy["nudges"] = {"every": "10s", "gaps": "even", "max": 2}
        return policy

    async def _order(self, count: int) -> None:
        for number in range(self._first, self._first + count):
            await self._order_one(number)
            await asyncio.sleep(2 * self._seconds / count * self._town.chance.random())

    async def _order_one(self, number: int) -> None:
        town, name = self._town, f"wo-{number:04d}"
        body: dict[str, Any] = {
            "to": self._place_of(number),
            "id": name,
            "title": f"Order {number:05d}",
            "nudges": {"every": "10s", "max": 2},
            "continuation": {"webhook": town.r.asker.url},
            **({"due": "15s"} if number % 3 == 1 else {}),
        }
        answer = await self._sent("/v1/loops", body, f"order-{number}")
        assert answer.status_code == 201, answer.text
        town.orders[body["title"]] = name
        if number % 5 == 4:
            await self._sent(f"/v1/loops/{name}/claim", {})
            await self._sent(f"/v1/loops/{name}/result", {"status": "OK", "summary": "done by a program"})

    def _place_of(self, number: int) -> str:
        town = self._town
        if number % 8 == 0 and number - self._first < 8 * ORDERS_IN_SLACK:
            return f"slack:{town.channels[number // 8 % town.places]}"
        if number % 4 == 1:
            return f"telegram:{town.groups[number // 4 % town.places]}"
        return f"telegram:{town.telegram_people[number % town.people]}"

    async def end_orders(self) -> None:
        """End what nobody ends, over and over: what somebody claimed is theirs, so that may be refused."""
        town = self._town
        while True:
            for name in list(town.orders.values()):
                now = await self._got(f"/v1/loops/{name}")
                if now is not None and now.get("outcome") is None:
                    await self._sent(f"/v1/loops/{name}/result", {"status": "OK", "summary": "done by a program"})
            await asyncio.sleep(2)

    async def take_back_unseen(self) -> None:
        """Withdraw, over and over, what nobody may ever have seen, as its copies tell whoever asked: where a chat
        cannot be searched, a post and its replacement can both be lost."""
        while True:
            found = await self._got("/v1/interactions?status=pending&limit=100")
            for card in found["items"] if found else ():
                if {one["state"] for one in card["publications"]} == {"unknown"}:
                    await self._sent(f"/v1/interactions/{card['id']}/withdraw", {"revision": card["revision"]})
            await asyncio.sleep(5)

    async def _got(self, path: str) -> dict[str, Any] | None:
        with contextlib.suppress(httpx2.HTTPError):
            answer = await self._town.r.api.get(path)
            found: dict[str, Any] = answer.json() if answer.status_code == 200 else {}
            return found or None
        return None

    async def _sent(self, path: str, body: dict[str, Any], key: str = "") -> httpx2.Response:
        """Ask again while nobody answers, as a client would."""
        headers = {"Idempotency-Key": key} if key else {}
        while True:
            with contextlib.suppress(httpx2.HTTPError):
                answer = await self._town.r.api.post(path, json=body, headers=headers)
                if answer.status_code < 500:
                    return answer
            await asyncio.sleep(0.1)

    def _body(self, number: int, about: dict[str, Any]) -> dict[str, Any]:
        # Every kind comes to every sort of place: the count of kinds and that of the places have no factor in common.
        match (number // self._in_both if number % self._in_both == 0 else number) % 7:
            case 0 | 1:
                return confirmation(reason="none", **about)
            case 2:
                return question(payload=FORM, **about)
            case 3:
                return question(kind="checklist", payload={**ITEMS, "min": 2}, **about)
            case 4:
                return question(kind="item_verdicts", payload=ITEMS, **about)
            case _:
                return question(**about)
