"""Checking one chain of receipts, or of the proofs that are left of them, as it stands in an export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from core.canonical import digest
from core.proving import Keyring, proof_fault, proved
from core.retention import signed_part as purge_signed_part

CONTENT: Final = ("kind", "title", "body", "recommendation", "payload")


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
        self.unproved = 0
        self._ordered: str | None = None
        """The digest of what a work order orders by now; None where nothing proves that."""

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
        if self._type == "purged":
            wrong, signed = proof_fault(self.subject, line, self._keys)
            self.unsigned += not signed
            yield from (wrong,) if wrong else ()
            return
        found = proved(self.subject, line, self._keys)
        self.unsigned += found.unsigned
        self.redacted += bool(line["redacted"])
        self.unproved += found.unproved
        if line["seq"] == 1:
            self._ordered = found.ordered if line["redacted"] else str(line["digest"])
        yield from found.faults

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
        if self._type == "loop" and self._ordered not in (None, _ordered(value)):
            yield f"what {self.subject} orders is not what its receipts are of"


def _revision(one: tuple[int, str]) -> int:
    return one[0]


def _ordered(loop: Mapping[str, Any]) -> str:
    """The digest of what a work order orders, as `Loop.digest` makes it."""
    fields = {name: loop[name] for name in ("title", "body", "priority", "sender")}
    return digest({**fields, "name": loop["id"], "due_at": loop["due"], "recipient": loop["to"]})
