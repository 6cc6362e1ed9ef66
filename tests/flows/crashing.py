"""A service that is killed and started again, between gates; and what must be true of it whatever happened."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from tests.flows.gate import Gate
from tests.flows.killable import Killable, Nursery
from tests.flows.processes import balancer
from tests.flows.receiver import Receiver, receiving
from tests.flows.rig import CHANNEL, KEY, NOBODY, Rig, free_port, settings_for, stand_ins


@dataclass
class Crashing(Rig):
    """The rig around real processes. Gates stand before Slack, before Telegram and before the service itself."""

    lives: list[Killable] = field(default_factory=list)
    to_slack: Gate = field(default_factory=Gate)
    to_telegram: Gate = field(default_factory=Gate)
    to_us: Gate = field(default_factory=Gate)
    asker: Receiver = field(default_factory=Receiver)

    @property
    def service(self) -> Killable:
        """The process; the first of them where there are several."""
        return self.lives[0]

    def cards_in_slack(self, title: str) -> list[Any]:
        """The messages of the channel with this title."""
        messages = self.slack.platform.world.messages[CHANNEL].values()
        return [one for one in messages if not one.deleted and title in json.dumps(one.blocks)]

    def cards_in_telegram(self, title: str) -> list[Any]:
        """The messages of the group with this title."""
        return [one for one in self.telegram.world.history(self.group) if title in one.content.text]

    async def expect_consistent(self, id: str, status: str) -> dict[str, Any]:
        """It settled once, as `status`: one outcome, one receipt, one event, and every copy shows it."""
        settled = await self.shown_settled(id, 40)
        chain = await self.receipts(id)
        expect_whole(chain)
        ends = [one for one in chain if one["type"] == status]
        assert settled["status"] == status
        assert [one["id"] for one in ends] == [settled["outcome"]["receipt"]]
        events = [one for one in await self.events(f"interaction.{status}") if one["data"]["interaction"]["id"] == id]
        assert len(events) == 1
        for copy in settled["publications"]:
            self.expect_shown(copy, settled["title"])
        return settled

    def expect_shown(self, copy: dict[str, Any], title: str) -> None:
        """This copy is where the database says, the only one, and offers nothing any more."""
        if copy["message"] is None:
            return
        if copy["provider"] == "slack":
            (message,) = self.cards_in_slack(title)
            assert message.ts == copy["message"]
            assert not [block for block in message.blocks if block["type"] in ("actions", "input")]
        else:
            (sent,) = self.cards_in_telegram(title)
            assert str(sent.id) == copy["message"]
            assert not sent.content.keyboard

    def expect_quiet_log(self) -> None:
        """Nothing that was done to it made any process print a traceback."""
        for life in self.lives:
            text = life.log.read_text()
            assert "Traceback" not in text, text[text.index("Traceback") - 500 :][:4000]


def expect_whole(chain: Sequence[dict[str, Any]]) -> None:
    """The chain of receipts as a stranger checks it: hashes of canonical JSON, each with the one before."""
    before = None
    for number, line in enumerate(chain, start=1):
        said_beside = {"hash", "key", "signature", "redacted", "redaction", *(() if line["salt"] else ("salt",))}
        rest = {name: value for name, value in line.items() if name not in said_beside}
        spelled = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        assert line["seq"] == number
        assert line["prev"] == before
        assert line["hash"] == "sha256:" + hashlib.sha256(spelled).hexdigest()
        before = line["hash"]


@contextlib.asynccontextmanager
async def crashing(
    nursery: Nursery, database: str, folder: Path, *, processes: int = 1, pace: bool = False, **changes: Any
) -> AsyncIterator[Crashing]:
    """Everything but a running service: start `service` (or each of `lives`, which take turns) when the test begins.

    With `pace` the stand-ins hold to the platforms' limits.
    """
    async with contextlib.AsyncExitStack() as stack:
        slack, telegram, group = await stack.enter_async_context(stand_ins(pace=pace))
        gates = [await stack.enter_async_context(Gate().serve()) for _ in range(3)]
        for gate, upstream in zip(gates, (slack.url, telegram.api_url), strict=False):
            gate.upstream = upstream
        lives = []
        for number in range(processes):
            given = settings_for(slack, telegram, database, free_port(), **changes)
            given |= {"slack_api_url": f"{gates[0].url}/api/", "telegram_api_url": gates[1].url}
            lives.append(Killable(nursery, given, folder / f"service-{number}.log"))
            stack.push_async_callback(lives[-1].kill)
        url = lives[0].url
        if processes > 1:
            url = f"http://127.0.0.1:{await stack.enter_async_context(balancer([one.port for one in lives]))}"
        gates[2].upstream = url
        slack.request_url = f"{gates[2].url}/slack/events"
        asker = await stack.enter_async_context(receiving())
        headers = {"Authorization": f"Bearer {KEY}"}
        calling = httpx2.AsyncClient(base_url=url, headers=headers, timeout=70, verify=NOBODY)
        api = await stack.enter_async_context(calling)
        before_slack, before_telegram, before_us = gates
        yield Crashing(slack, telegram, api, url, group, [], lives, before_slack, before_telegram, before_us, asker)


@contextlib.contextmanager
def writing_held(folder: Path) -> Iterator[None]:
    """Nothing can be written to the SQLite database inside the block."""
    connection = sqlite3.connect(folder / "sayso.sqlite3", isolation_level=None, timeout=5)
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
    finally:
        connection.rollback()
        connection.close()
