"""What must be true after a service went back to copies of its database: what each copy knew is still so, is shown, and
was not done again; what it did not know is told to be lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from core.events import LOOP_WEBHOOK_TYPES, WEBHOOK_TYPES
from core.ids import made_at
from core.use_cases.checking import LOST
from tests.chaos.copies import Known
from tests.chaos.reckoning import each_subject, ends_by_subject, is_signed, of_signatures
from tests.chaos.reckoning_cards import of_card
from tests.chaos.reckoning_orders import of_order
from tests.chaos.sights import Reminded, Sights
from tests.chaos.town import TITLE, Town, controls

SKEW: Final = timedelta(seconds=2)
"""How much earlier than its event something that it was part of began."""
PRESSED: Final = 12
"""So many lost cards are pressed in each chat."""


@dataclass(frozen=True)
class Back:
    """A copy that was `taken` and later `used`: what it `knew`, and what was in the chats when it was used."""

    taken: datetime
    used: datetime
    knew: Known
    saw: Sights = field(repr=False)
    reminded: Mapping[tuple[str, int], frozenset[tuple[str, str, str]]] = field(repr=False)

    def lost(self, id: str) -> bool:
        """Whether something with this id may have been made after the copy and before it was used."""
        at = made_at(id)
        return at is not None and self.taken - SKEW <= at <= self.used


async def breaches(
    town: Town, backs: Sequence[Back], reminded: Reminded, followed: Sequence[str], folder: Path
) -> tuple[list[str], list[dict[str, Any]]]:
    """Every promise that was not kept, one line each; and the events."""
    r, events = town.r, await town.r.events()
    ends, sights = ends_by_subject(events), Sights.of(town)

    async def of_one_card(title: str, id: str) -> list[str]:
        now, chain = await r.get(id), await r.receipts(id)
        found = of_card(town, title, now, chain, ends[id], sights, backs=len(backs))
        return [*found, *_of_trail(id, chain, backs)]

    async def of_one_order(title: str, name: str) -> list[str]:
        now = (await r.api.get(f"/v1/loops/{name}")).json()
        chain = (await r.api.get(f"/v1/loops/{name}/receipts")).json()["items"]
        found = of_order(title, now, chain, ends[name], sights, backs=len(backs))
        return [*found, *_of_trail(name, chain, backs)]

    found = await each_subject(town.cards, of_one_card) + await each_subject(town.orders, of_one_order)
    found += _of_agents(backs, events, followed)
    found += _of_webhooks(town, backs, events)
    for number, back in enumerate(backs):
        found += [f"copy {number}: {what}" for what in _of_copy(town, back, sights, reminded)]
    found += await _of_the_lost(town)
    return found + await of_signatures(r, folder), events


def _of_trail(id: str, chain: Sequence[dict[str, Any]], backs: Sequence[Back]) -> Iterator[str]:
    """What each copy knew of it is still there, and where it was open the next line says that it was restored."""
    hashes = [line["hash"] for line in chain]
    newest = True
    for back in reversed(backs):
        knew = back.knew.chains.get(id)
        if knew is None:
            return
        # What was written since an earlier copy went with it when a later one was put in its place.
        if newest and tuple(hashes[: len(knew)]) != knew:
            yield "what the last copy knew of its trail is not its beginning now"
        said = [line["type"] for line in chain[len(knew) :]]
        if newest and id in back.knew.waiting and said[:1] != ["restored"]:
            yield f"it was open in the last copy, and what came after that is {said}"
        if newest and id not in back.knew.waiting and "restored" in said:
            yield "it had ended in the last copy, and was restored"
        newest = False


def _of_agents(backs: Sequence[Back], events: Sequence[dict[str, Any]], followed: Sequence[str]) -> Iterator[str]:
    """Whoever follows the list has heard all that is in it, and beside that only what was lost. Ids of copies that were
    used within a minute cannot be told apart, so after those it may hear something twice, under the same id."""
    listed = [event["id"] for event in events]
    yield from (f"event {id} is listed {count} times" for id, count in Counter(listed).items() if count > 1)
    missed = set(listed) - set(followed)
    if missed:
        yield f"the follower of the list missed {len(missed)} of {len(listed)} events"
    beside = [id for id in followed if id not in set(listed)]
    yield from (f"the follower heard {id}, which is nobody's" for id in beside if not _lost(backs, id))


def _of_webhooks(town: Town, backs: Sequence[Back], events: Sequence[dict[str, Any]]) -> Iterator[str]:
    """All that is owed was heard, signed and as the list has it, and beside that only what was lost."""
    owed = {one["id"]: one for one in events if one["type"] in WEBHOOK_TYPES | LOOP_WEBHOOK_TYPES}
    for heard in town.r.asker.heard:
        body, listed = json.loads(heard.body), owed.get(heard.id)
        if not is_signed(heard):
            yield f"heard {body['type']} {heard.id} without its signature"
        if listed is None and not _lost(backs, heard.id):
            yield f"heard {body['type']} under {heard.id}, which is the id of nothing that is owed or was lost"
        if listed is not None and (body["type"], body["data"]) != (listed["type"], listed["data"]):
            yield f"heard {body['type']} {heard.id} otherwise than the list has it"
    never = owed.keys() - {one.id for one in town.r.asker.heard}
    yield from (f"{owed[id]['type']} {id} was never heard" for id in never)


def _lost(backs: Sequence[Back], id: str) -> bool:
    return any(back.lost(id) for back in backs)


def _of_copy(town: Town, back: Back, sights: Sights, reminded: Reminded) -> Iterator[str]:
    """What it knew to be in the chats was not put there again, however often the service went back since."""
    for title, provider in back.knew.posted:
        before, after = (_count(one, title, provider) for one in (back.saw, sights))
        if after > before:
            yield f"{title} was posted already, and there are {after} in {provider} where {before} were"
    for which in back.knew.said:
        new = reminded.messages.get(which, set()) - back.reminded.get(which, frozenset())
        if new:
            yield f"reminder {which} was sent already, and came again at {sorted(new)}"


def _count(sights: Sights, title: str, provider: str) -> int:
    return sum(copy.at[0] == provider for copy in sights.copies.get(title, []))


async def _of_the_lost(town: Town) -> list[str]:
    """Whoever presses what was asked after a copy is told that it was lost, and its message stays as it is."""
    found: list[str] = []
    town.see()
    buttons = {one.ts: [button for button in controls(one) if button["type"] == "button"] for one in town.live_in_slack}
    for message in [one for one in town.live_in_slack if _is_lost(town, one) and buttons[one.ts]][:PRESSED]:
        pressed = buttons[message.ts][0]
        me = town.r.slack.person(town.slack_people[0])
        seen = await me.press(action_id=pressed["action_id"], channel=message.channel, ts=message.ts, watch=2)
        told = " ".join(str(one["text"]) for one in seen.private)
        if LOST not in told:
            found.append(f"a press on what was lost in Slack was told {told!r}: {message.text[:80]}")
    there = [(chat, one) for chat, all_ in town.live_in_telegram.items() for one in all_ if _is_lost(town, one)]
    for chat, message in there[:PRESSED]:
        who = chat if chat in town.telegram_people else town.telegram_people[0]
        tap = await town.r.telegram.human.press(who, chat, message.buttons[-1], message_id=message.id, wait=10)
        if tap.text != LOST:
            found.append(f"a press on what was lost in Telegram was told {tap.text!r}: {message.text[:80]}")
    return found


def _is_lost(town: Town, message: Any) -> bool:
    title = TITLE.search(message.text) or TITLE.search(str(message.blocks))
    return title is not None and title[0] not in town.cards and title[0] not in town.orders
