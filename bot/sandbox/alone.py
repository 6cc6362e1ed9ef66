"""A stand-in in a process of its own: what both tell whoever started them, and how they end."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from collections.abc import Mapping
from typing import Any


def parser_of(prog: str, description: str | None) -> argparse.ArgumentParser:
    """The options that both have."""
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--person", action="append", default=[], metavar="NAME", help="somebody; may be repeated")
    parser.add_argument("--no-pace", action="store_true", help="no rate limits")
    parser.add_argument("--env", action="store_true", help="print lines for .env instead of JSON")
    return parser


async def tell_and_wait(told: Mapping[str, Any], settings: Mapping[str, str], *, as_env: bool) -> None:
    """Print where it is, as JSON or as settings with the rest in comments, and wait for SIGTERM or SIGINT."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    lines = [json.dumps(told)]
    if as_env:
        rest = {name: value for name, value in told.items() if value not in settings.values()}
        lines = [*(f"# {name}: {_plain(value)}" for name, value in rest.items()), *map("=".join, settings.items())]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    await stopped.wait()


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
