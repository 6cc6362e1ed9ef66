"""`export` and `verify`: everything kept of a workspace as one file, and checking such a file with nothing else."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import typer

from blocks.words import how_many
from bot.commands.database import with_signing
from bot.commands.printing import say_json
from bot.commands.workspaces import OF, workspace_called
from bot.config import load
from bot.signing import Signing, is_signed
from core.errors import Invalid, NotFound
from core.exporting import Export, Writer
from core.ports import Context
from core.store import Store
from core.verifying import Report
from core.verifying import verify as check_all

STDOUT = "-"
FROM = typer.Option("", metavar="TIME", help="Only what was asked or ordered from then on, such as 2026-01-31.")
BEFORE = typer.Option("", metavar="TIME", help="Only what was asked or ordered before then.")
NOUNS: Final[Mapping[str, tuple[str, ...]]] = {
    "person": ("person", "people"),
    "agent": ("agent",),
    "conversation": ("conversation",),
    "interaction": ("card",),
    "receipt": ("receipt",),
    "task": ("task",),
    "loop": ("work order",),
    "alert": ("alert",),
    "saying": ("thing said", "things said"),
    "purged": ("purged card or work order", "purged cards and work orders"),
    "proof": ("proof of a purged receipt", "proofs of purged receipts"),
    "event": ("event",),
}
"""What the types of lines are called."""
LONGEST_LINE = 64 * 1024 * 1024
"""Bytes. The longest that a card can make is some hundreds of thousands."""


def export(
    since: str = FROM,
    until: str = BEFORE,
    to: str = typer.Option(STDOUT, metavar="FILE", help="Where to; standard output if left out."),
    workspace: str = OF,
) -> None:
    """Write everything kept of a workspace as JSON Lines: people, cards with their receipts, work orders, events.

    Keys, secrets and tokens are not in it. Lines are linked, and the last is signed: see `sayso verify`.
    """
    settings = load()
    first, last = moment(since, "--since"), moment(until, "--until")

    async def work(store: Store, context: Context, signing: Signing) -> None:
        keys = signing.vouched(await store.records.signing_keys())
        known = await workspace_called(store, workspace)
        what = Export(known, context.clock.now(), f"{settings.base_url}/", keys, first, last)
        writer = Writer(what, signing)
        with _opened(to) as file:
            file.write(writer.first())
            async for part in store.records.everything(known, first, last):
                file.writelines(writer.lines(part))
            file.write(writer.last())

    with_signing(work, settings)


def verify(
    file: str = typer.Argument(help="The export; - for standard input.", metavar="FILE"),
    key: str = typer.Option(
        "", metavar="PUBLIC", help="The public key that it must be signed with, from `sayso key list`."
    ),
    strict: bool = typer.Option(False, "--strict", help="Receipts without a signature are faults too."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Check an export offline: every line, every chain of receipts, every signature, and what is missing.

    Exits with 0 when all holds, 1 when anything is wrong, and says in which line; 2 when it is no export.
    """
    report = _check(file, key or None)
    holds = report.holds and not (strict and report.unsigned)
    if as_json:
        say_json(_wire(report, holds=holds))
    else:
        for fault in report.faults:
            typer.echo(f"line {fault.line}: {fault.what}")
        typer.echo(_summary(report, holds=holds, trusted=bool(key)))
    raise typer.Exit(0 if holds else 1)


def moment(text: str, option: str) -> datetime | None:
    """Read a moment; one without a zone is in UTC."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter("write a time such as 2026-01-31 or 2026-01-31T12:00:00Z", param_hint=option) from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found


@contextlib.contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """The file to write, readable by this user alone, in its place only once it is whole."""
    if name == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:
        raise Invalid.at("/to", f"{name} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _check(name: str, trusted: str | None) -> Report:
    if name == STDOUT:
        return check_all(_lines(sys.stdin.buffer), is_signed, trusted)
    try:
        with Path(name).open("rb") as file:
            return check_all(_lines(file), is_signed, trusted)
    except FileNotFoundError:
        raise NotFound(f"There is no file {name}.") from None
    except OSError as error:
        raise Invalid.at("/file", f"{name} cannot be read: {error.strerror}") from None


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        yield line


def _summary(report: Report, *, holds: bool, trusted: bool) -> str:
    counted = ((count, NOUNS[name]) for name, count in report.counts.items() if name in NOUNS)
    counts = ", ".join(how_many(count, *noun) for count, noun in counted)
    parts = [f"{'All holds' if holds else 'Not all holds'}: {counts or 'nothing'}."]
    if report.unsigned:
        parts.append(f"{report.unsigned} not signed.")
    if report.redacted:
        parts.append(f"{how_many(report.redacted, 'receipt')} without the person they named.")
    if report.unproved:
        parts.append(f"Nothing proves what {report.unproved} of those say: they are from before that was signed.")
    if report.public is not None:
        own = "" if trusted else "; whose that is, compare with `sayso key list` or give it with --key"
        parts.append(f"Signed with {report.public}{own}.")
    return " ".join(parts)


def _wire(report: Report, *, holds: bool) -> dict[str, object]:
    return {
        "holds": holds,
        "faults": [{"line": fault.line, "what": fault.what} for fault in report.faults],
        "counts": dict(report.counts),
        "unsigned": report.unsigned,
        "redacted": report.redacted,
        "unproved": report.unproved,
        "key": report.key,
        "public": report.public,
    }
