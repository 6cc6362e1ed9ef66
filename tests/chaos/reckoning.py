"""What must be true once the trouble is over: every promise is looked at, every breach is told, none hides another."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.flows.crashing import Crashing, expect_whole
from tests.flows.storm import Storm

ENDS = frozenset(
    f"interaction.{one}"
    for one in ("answered", "accepted", "rejected", "completed", "expired", "withdrawn", "undeliverable", "superseded")
)
AT_ONCE = 8


async def breaches(storm: Storm, restricted: set[str], allowed: tuple[str, ...]) -> list[str]:
    """Every promise that was not kept, one line each. Of people, only those whose identity ends with one of `allowed`
    may have settled `restricted` titles.
    """
    events = await storm.r.events()
    ends: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        if event["type"] in ENDS:
            ends.setdefault(event["data"]["interaction"]["id"], []).append(event)
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(title: str, id: str) -> list[str]:
        async with turns:
            now, chain = await storm.r.get(id), await storm.r.receipts(id)
        found = [*_of_card(now, chain), *_of_events(storm.r, id, now, ends.get(id, [])), *_of_copies(storm, title, now)]
        by = (now["outcome"] or {}).get("by") or {}
        if title in restricted and by.get("type") == "person" and not str(by["identity"]).endswith(allowed):
            found.append(f"settled by somebody who may not: {by}")
        return [f"{title}: {what}" for what in found]

    told = await asyncio.gather(*(one(title, id) for title, id in storm.cards.items()))
    listed = Counter(event["id"] for event in events)
    found = [line for lines in told for line in lines]
    found += [f"event {id} is listed {count} times" for id, count in listed.items() if count > 1]
    return found


def _of_card(now: dict[str, Any], chain: list[dict[str, Any]]) -> Iterator[str]:
    if now["outcome"] is None:
        yield "not settled"
        return
    terminal = [line for line in chain if f"interaction.{line['type']}" in ENDS]
    if [line["id"] for line in terminal] != [now["outcome"]["receipt"]]:
        yield f"terminal receipts {[line['type'] for line in terminal]}, status {now['status']}"
    if not all(line["signature"] for line in chain):
        yield "a receipt is not signed"
    try:
        expect_whole(chain)
    except AssertionError:
        yield "the chain of receipts does not verify"


def _of_events(r: Crashing, id: str, now: dict[str, Any], ends: list[dict[str, Any]]) -> Iterator[str]:
    if [one["type"] for one in ends] != [f"interaction.{now['status']}"]:
        yield f"events of ending {[one['type'] for one in ends]}, status {now['status']}"
    heard = {one.id for one in r.asker.of(id)}
    if heard != {one["id"] for one in ends}:
        yield f"webhooks heard under {sorted(heard)}, owed {[one['id'] for one in ends]}"


def _of_copies(storm: Storm, title: str, now: dict[str, Any]) -> Iterator[str]:
    """The copies that the database knows are in the chats, and those in the chats offer nothing any more."""
    world, telegram = storm.r.slack.platform.world, storm.r.telegram.world
    known = {(one["provider"], one["channel"], one["message"]) for one in now["publications"] if one["message"]}
    shown: set[tuple[str, str, str]] = set()
    for channel in storm.channels:
        for message in world.messages.get(channel, {}).values():
            if title in str(message.blocks):
                shown.add(("slack", channel, message.ts))
                if any(block["type"] == "actions" for block in message.blocks):
                    yield "a copy in Slack still offers controls"
    for group in storm.groups:
        for sent in telegram.history(group):
            if title in sent.content.text:
                shown.add(("telegram", str(group), str(sent.id)))
                if sent.content.keyboard:
                    yield "a copy in Telegram still offers controls"
    if known - shown:
        yield f"copies known and not in chat: {sorted(known - shown)}"
    for provider, count in Counter(one[0] for one in shown).items():
        # Telegram cannot be asked whether a post arrived whose answer was lost: one replacement is what is promised.
        if count > (1 if provider == "slack" else 2):
            yield f"{count} copies in {provider}"


def limits_exceeded(r: Crashing) -> Counter[str]:
    """How often a stand-in said "too many" by itself, not because it was told to, by method."""
    slack = [one for one in r.slack.platform.journal.calls if one.status == 429 and one.fault is None]
    telegram = [one for one in r.telegram.journal.calls if one.status == 429 and one.fault is None]
    return Counter([*(f"slack {one.method}" for one in slack), *(f"telegram {one.method}" for one in telegram)])


def tracebacks(r: Crashing) -> list[str]:
    """The last line of every traceback that a replica printed."""
    return [line for life in r.lives for line in _in(life.log)]


def _in(log: Path) -> Iterator[str]:
    for line in log.read_text().splitlines():
        if "Traceback" in line:
            yield line[-600:]
