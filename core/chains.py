"""Checking one chain of receipts, or of the proofs that are left of them, as it stands in an export."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from core.canonical import digest
from core.receipts import signed_part
from core.retention import signed_part as purge_signed_part
from core.signing import ALGORITHM, Check, key_id

CONTENT: Final = ("kind", "title", "body", "recommendation", "payload")
FOLLOWS_WITHIN: Final = timedelta(hours=1)
"""For how long a process that missed it may go on signing with a key that was replaced."""
HASHED: Final = (
    "id", "seq", "type", "by", "via", "provider_event", "revision", "digest", "policy", "at", "data", "prev",
)  # fmt: skip


@dataclass(frozen=True)
class Keyring:
    """The keys that an export names, by id, as they are published."""

    keys: Mapping[str, Mapping[str, Any]]
    check: Check

    def public(self, id: str) -> str | None:
        """The public side of a key."""
        return str(self.keys[id]["public"]) if id in self.keys else None

    def faults(self) -> Iterator[str]:
        """Keys that are not what they say."""
        for id, key in self.keys.items():
            try:
                raw = base64.b64decode(key["public"], validate=True)
            except (ValueError, binascii.Error):
                raw = b""
            if len(raw) != 32 or key["algorithm"] != ALGORITHM or key_id(raw) != id:
                yield f"{id} is not the name of the key that stands beside it"

    def wrong(self, named: Mapping[str, Any], message: bytes, signature: str | None, at: str | None = None) -> str:
        """What is wrong with a signature that names its key; empty: nothing. `at` is when it says it was made."""
        key = self.keys.get(named["key"]) if named["key"] is not None else None
        if key is None:
            return f"the key {named['key']} is none of this export's"
        if not self.check(str(key["public"]), message, signature or ""):
            return "the signature is not good"
        if at is not None and key["until"] is not None:
            until = datetime.fromisoformat(key["until"]) + FOLLOWS_WITHIN
            if datetime.fromisoformat(at) > until:
                return f"the key {named['key']} had been replaced by then"
        return ""


class ChainCheck:
    """Follows one chain. Every method says what is wrong, for the line that it was given."""

    def __init__(self, type_: str, value: Mapping[str, Any], keys: Keyring) -> None:
        self._value = value
        self._type = type_
        self._keys = keys
        self.subject = str(value["key"] if type_ == "loop" else value["id"])
        self._prev: str | None = None
        self._seq = 0
        self._latest: tuple[int, str] = (0, "")
        self._ids: set[str] = set()
        self.unsigned = 0
        self.redacted = 0

    def begun(self) -> Iterator[str]:
        """What is wrong with the line that the chain is about."""
        value = self._value
        if self._type == "interaction" and digest({name: value[name] for name in CONTENT}) != value["digest"]:
            yield "the content is not that of its digest"
        if self._type == "purged" and value["key"] is None:
            self.unsigned += 1
        elif self._type == "purged":
            wrong = self._keys.wrong(value, purge_signed_part(value), value["signature"], value["purged_at"])
            if wrong:
                yield wrong

    def taken(self, line: Mapping[str, Any]) -> Iterator[str]:
        """What is wrong with the next receipt or proof."""
        if line.get("of", line.get("subject")) != self.subject:
            yield f"this is of another chain than {self.subject}"
            return
        self._seq += 1
        if line["seq"] != self._seq:
            yield f"this is number {line['seq']} of its chain, and number {self._seq} is missing before it"
            self._seq = int(line["seq"])
        elif line["prev"] != self._prev:
            yield "it does not name the hash of the one before it"
        self._prev = line["hash"]
        self._latest = max(self._latest, (int(line["revision"]), str(line["digest"])), key=_revision)
        self._ids.add(line["id"])
        if self._type != "purged":
            yield from self._hashed(line)
        if line["signature"] is None:
            self.unsigned += 1
        elif wrong := self._keys.wrong(line, signed_part(self.subject, line), line["signature"], line["at"]):
            yield wrong

    def _hashed(self, line: Mapping[str, Any]) -> Iterator[str]:
        if line["redacted"]:
            self.redacted += 1
            return
        fields = {name: line[name] for name in HASHED}
        if digest(fields if line["salt"] is None else {**fields, "salt": line["salt"]}) != line["hash"]:
            yield "the receipt is not that of its hash"

    def ended(self) -> Iterator[str]:
        """What is wrong with the whole of it."""
        value = self._value
        if value["receipts"] != self._seq:
            yield f"the chain of {self.subject} had {value['receipts']} receipts, and there are {self._seq}"
            return
        if self._type == "purged":
            if self._prev != value["head"]:
                yield f"the chain of {self.subject} does not end with its last receipt"
            return
        outcome = value["outcome"]
        if outcome is not None and outcome["receipt"] not in self._ids:
            yield f"the receipt of the outcome of {self.subject} is missing"
        if self._type == "interaction" and self._seq and self._latest != (value["revision"], value["digest"]):
            yield f"the receipts of {self.subject} are of other content"
        if self._type == "loop" and self._seq and not self.redacted and _ordered(value) != self._latest[1]:
            yield f"what {self.subject} orders is not what its receipts are of"


def _revision(one: tuple[int, str]) -> int:
    return one[0]


def _ordered(loop: Mapping[str, Any]) -> str:
    """The digest of what a work order orders, as `Loop.digest` makes it."""
    fields = {name: loop[name] for name in ("title", "body", "priority", "sender")}
    return digest({**fields, "name": loop["id"], "due_at": loop["due"], "recipient": loop["to"]})
