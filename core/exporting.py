"""An export: a workspace as lines of JSON, each linked to the one before it, the last one signed.

A line is `{"link": …, "n": …, "type": …, "value": …}` in the one spelling of `spelled`. `link` is the sha256 (hex) of
the link before, a line feed and the same line without `link`, so that a line that was changed, moved, doubled or taken
out shows where it is. The manifest at the end counts the lines and is signed. `docs/keeping.md` describes the values.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from core.canonical import canonical, rfc3339
from core.events import Event
from core.loops.places import Alert, Conversation, Saying
from core.loops.values import Loop
from core.loops.wire import snapshot as loop_snapshot
from core.people import Agent, Person
from core.publications import Publication
from core.receipts import Receipt
from core.records import Interaction
from core.retention import Proof, Purged
from core.signing import Signer, SigningKey, published
from core.snapshot import snapshot
from core.tasks import Task

FORMAT: Final = "sayso-export"
VERSION: Final = 2
KNOWN: Final = (1, VERSION)
"""What can be verified. Exports of version 1 say nothing of redactions, and their receipts are of the format before."""
START: Final = ""
"""The link before the first line."""


@dataclass(frozen=True)
class Asked:
    """An interaction with all that belongs to it."""

    interaction: Interaction
    publications: Sequence[Publication]
    receipts: Sequence[Receipt]
    tasks: Sequence[Task]


@dataclass(frozen=True)
class Ordered:
    """A work order with its receipts, and where it is talked about."""

    loop: Loop
    conversation: Conversation | None
    receipts: Sequence[Receipt]


@dataclass(frozen=True)
class Gone:
    """What is left of something purged."""

    purged: Purged
    proofs: Sequence[Proof]


Part = Person | Agent | Conversation | Asked | Ordered | Alert | Saying | Gone | Event


class ExportReads(Protocol):
    """The part of `core.reading.Records` that reads a whole workspace."""

    def everything(self, workspace: str, since: datetime | None, until: datetime | None) -> AsyncIterator[Part]:
        """People, agents and conversations; then what was asked, ordered, raised, said and purged, of what was created
        from `since` on and before `until`, each by id; then the events about it, in the order of commit. All of one
        moment, and never more than a few hundred rows at once."""


@dataclass(frozen=True)
class Export:
    """What an export is of. `base` is the address of the service, with a slash at the end."""

    workspace: str
    at: datetime
    base: str
    keys: Sequence[SigningKey]
    since: datetime | None = None
    until: datetime | None = None

    def header(self) -> dict[str, Any]:
        """The value of the first line."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "workspace": self.workspace,
            "exported_at": rfc3339(self.at),
            "since": rfc3339(self.since) if self.since else None,
            "until": rfc3339(self.until) if self.until else None,
            "keys": published(self.keys),
        }


def spelled(value: Mapping[str, Any]) -> bytes:
    """The one spelling of a line: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")


def link_after(link: str, line: Mapping[str, Any]) -> str:
    """The link of a line (without its own) after another."""
    return hashlib.sha256(link.encode("ascii") + b"\n" + spelled(line)).hexdigest()


def manifest_signed(manifest: Mapping[str, Any]) -> bytes:
    """What the signature of a manifest is made of."""
    kept = {name: value for name, value in manifest.items() if name not in ("key", "signature")}
    return canonical({"format": "sayso-manifest-1", **kept})


class Writer:
    """Spells lines one after the other."""

    def __init__(self, export: Export, signer: Signer) -> None:
        self._export = export
        self._signer = signer
        self._link = START
        self._n = 0
        self._counts: Counter[str] = Counter()

    def first(self) -> bytes:
        """The header."""
        return self._line("header", self._export.header())

    def lines(self, part: Part) -> Iterator[bytes]:
        """The lines of one part."""
        for type_, value in values_of(part, self._export.base):
            yield self._line(type_, value)

    def last(self) -> bytes:
        """The manifest."""
        manifest: dict[str, Any] = {"lines": self._n, "counts": dict(self._counts), "link": self._link}
        made = self._signer.sign(manifest_signed(manifest))
        return self._line("manifest", {**manifest, "key": made.key, "signature": made.signature})

    def _line(self, type_: str, value: Mapping[str, Any]) -> bytes:
        self._n += 1
        self._counts[type_] += 1
        line = {"n": self._n, "type": type_, "value": value}
        self._link = link_after(self._link, line)
        return spelled({**line, "link": self._link}) + b"\n"


def values_of(part: Part, base: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The type and value of each line of a part."""
    match part:
        case Person():
            yield "person", {**part.model_dump(mode="json"), "identities": [str(one) for one in part.identities]}
        case Agent():
            yield "agent", part.model_dump(mode="json")
        case Conversation():
            yield "conversation", part.model_dump(mode="json")
        case Asked(interaction=asked):
            shown = snapshot(asked, part.publications, f"{base}review/{asked.id}")
            yield "interaction", without_addresses({**shown, "receipts": len(part.receipts)})
            yield from (("receipt", {"of": asked.id, **one.wire()}) for one in part.receipts)
            yield from (("task", one.wire()) for one in part.tasks)
        case Ordered(loop=loop):
            shown = loop_snapshot(loop, part.conversation, f"{base}loops/{loop.name}")
            chain = {"key": loop.id, "receipts": len(part.receipts)}
            yield "loop", without_addresses({**shown, **chain})
            yield from (("receipt", {"of": loop.id, **one.wire()}) for one in part.receipts)
        case Alert():
            yield "alert", without_addresses(part.model_dump(mode="json"))
        case Saying():
            yield "saying", part.model_dump(mode="json")
        case Gone():
            yield "purged", part.purged.wire()
            yield from (("proof", one.wire()) for one in part.proofs)
        case Event():
            yield "event", {"position": part.position, **part.wire(), "data": without_addresses(part.data)}


def without_addresses(value: Any) -> Any:
    """The same where a webhook's address says no more than its host: paths and queries of such addresses let in
    whoever knows them."""
    if isinstance(value, dict):
        return {
            name: host_of(one) if name == "webhook" and isinstance(one, str) else without_addresses(one)
            for name, one in value.items()
        }
    return [without_addresses(one) for one in value] if isinstance(value, list) else value


def host_of(address: str) -> str:
    """The scheme and host of an address."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.hostname or ''}"
