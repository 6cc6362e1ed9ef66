"""The processes of one run: the Slack stand-in, the service and the bare route, all on one database."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.wire import Answer, Wire, request, with_json
from tests.flows.rig import KEY, eventually, free_port

ROOT = Path(__file__).parents[2]
PEOPLE = tuple(f"U0BENCH{number}" for number in range(8))
CHANNELS = tuple(f"C0BENCH{number}" for number in range(16))
"""Cards are posted one after the other in a conversation, and side by side in several."""
SECRET_KEY = "b" * 64


@dataclass(frozen=True)
class Running:
    """Where everything listens, and what Slack signs with. `stand_in` is what the stand-in's process told, `ready` how
    many seconds the service took from its start until it was, and `pid` its process. `pressed` are the messages that
    were pressed: their redraws keep Slack's pace, so they look open for a while."""

    service: int
    baseline: int
    stand_in: Mapping[str, str]
    pid: int
    ready: float
    pressed: set[str] = field(default_factory=set)

    @property
    def slack(self) -> int:
        """The stand-in's port."""
        return _port_of(self.stand_in)

    @property
    def memory(self) -> int:
        """The service's resident memory, in bytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def _port_of(stand_in: Mapping[str, str]) -> int:
    return int(stand_in["control_url"].split(":")[2].split("/")[0])


@contextlib.asynccontextmanager
async def running(database: str, folder: Path) -> AsyncIterator[Running]:
    """Start all three; their logs are in `folder`. They are ended when the block is left."""
    async with contextlib.AsyncExitStack() as stack:
        spoken = await stack.enter_async_context(_process(folder, "bot.sandbox.slack", "--no-pace"))
        assert spoken.stdout is not None
        stand_in: dict[str, str] = json.loads(await asyncio.wait_for(spoken.stdout.readline(), 30))
        service, baseline = free_port(), free_port()
        settings = {
            "SLACK_BOT_TOKEN": stand_in["bot_token"],
            "SLACK_SIGNING_SECRET": stand_in["signing_secret"],
            "SLACK_API_URL": stand_in["api_url"],
            "SAYSO_DATABASE_URL": database,
            "SAYSO_SECRET_KEY": SECRET_KEY,
            "SAYSO_API_KEY": KEY,
            "SAYSO_PORT": str(service),
            "SAYSO_LOG": "json",
            "SAYSO_DRAIN": "0s",
        }
        await _people(_port_of(stand_in))
        begun = time.perf_counter()
        started = await stack.enter_async_context(_process(folder, "tests.benchmarks.unpaced", settings=settings))
        await eventually(lambda: _answers(service, "/readyz"), 30)
        found = Running(service, baseline, stand_in, started.pid, time.perf_counter() - begun)
        await stack.enter_async_context(
            _process(folder, "tests.benchmarks.baseline", str(baseline), settings={"SAYSO_DATABASE_URL": database})
        )
        await eventually(lambda: _answers(baseline, "/openapi.json"), 30)
        yield found


@contextlib.asynccontextmanager
async def _process(
    folder: Path, module: str, *arguments: str, settings: Mapping[str, str] | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    with (folder / f"{module}.log").open("wb") as log:
        started = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, *arguments),
            cwd=folder,
            env={**inherited, "PYTHONPATH": str(ROOT), **(settings or {})},
            stdout=asyncio.subprocess.PIPE if settings is None else log,
            stderr=log,
        )
    try:
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            started.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(started.wait(), 15)
        except TimeoutError:
            started.kill()
            await started.wait()


async def _answers(port: int, path: str) -> bool:
    with contextlib.suppress(OSError):
        return (await get(port, path)).status == 200
    return False


async def get(port: int, path: str) -> Answer:
    """One GET."""
    wire = await Wire.open(port)
    answer = await wire.send(request("GET", path))
    await wire.close()
    return answer


async def _people(slack: int) -> None:
    wire = await Wire.open(slack)
    for id_ in PEOPLE:
        body: dict[str, Any] = {"name": id_.lower(), "user_id": id_}
        assert (await wire.send(with_json("POST", "/_control/users", body))).status == 200
    for id_ in CHANNELS:
        body = {"name": id_.lower(), "members": PEOPLE, "channel_id": id_}
        assert (await wire.send(with_json("POST", "/_control/channels", body))).status == 200
    await wire.close()
