"""What proves one receipt: its hash, its signature, and where somebody was forgotten in it, the signature on that.

Whoever forgets somebody looks at a line in the same way as whoever checks an export does.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from core.canonical import canonical, digest
from core.receipts import FORMAT, FORMAT_BEFORE, Receipt, Redaction, signed_part
from core.signing import ALGORITHM, Check, Signer, key_id

FOLLOWS_WITHIN: Final = timedelta(hours=1)
"""For how long a process that missed it may go on signing with a key that was replaced."""
HASHED: Final = (
    "id", "seq", "type", "by", "via", "provider_event", "revision", "digest", "policy", "at", "data", "prev",
)  # fmt: skip
BROKEN: Final = ""
"""The signature of a line that did not hold any more when somebody was forgotten in it."""


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


@dataclass(frozen=True)
class Proved:
    """What is wrong with a line, and what was not proved of it. `unsigned`: it has no signature. `unproved`: somebody
    was forgotten in it, and nothing proves what it says since. `ordered`: what its redaction says of a work order."""

    faults: tuple[str, ...] = ()
    unsigned: bool = False
    unproved: bool = False
    ordered: str | None = None


def proved(subject: str, line: Mapping[str, Any], keys: Keyring) -> Proved:
    """Look at a receipt of the chain of `subject`, in the API's shape."""
    format_, wrong = _format_of(subject, line, keys)
    signed = (wrong,) if wrong else ()
    if not line["redacted"]:
        kept = () if _hash_of(line) == line["hash"] else ("the receipt is not that of its hash",)
        return Proved((*kept, *signed), unsigned=format_ is None)
    # Exports from before redactions were signed do not speak of them.
    redaction = line.get("redaction")
    if redaction is None or redaction["signature"] is None:
        # Whoever signed the line in today's format would have signed the redaction too.
        hidden = ("somebody was forgotten in it without a signature: nothing proves what it says",)
        return Proved((*(hidden if format_ == FORMAT else ()), *signed), unsigned=format_ is None, unproved=True)
    if redaction["signature"] == BROKEN:
        return Proved(("it was not that of its hash or signature when somebody was forgotten in it", *signed))
    wrong = keys.wrong(redaction, redacted_part(subject, line), redaction["signature"], redaction["at"])
    bent = (f"somebody was forgotten in it, and of that {wrong}",) if wrong else ()
    return Proved((*bent, *signed), unsigned=format_ is None, ordered=redaction["ordered"])


def proof_fault(subject: str, proof: Mapping[str, Any], keys: Keyring) -> tuple[str, bool]:
    """What is wrong with the proof of a purged receipt (empty: nothing), and whether it has a signature."""
    format_, wrong = _format_of(subject, proof, keys)
    return wrong, format_ is not None


def redacted_part(subject: str, line: Mapping[str, Any]) -> bytes:
    """What the signature on a redaction is made of: whose chain it is, the whole line as it stands since, the hash of
    what it was, and when. `line` is in the API's shape."""
    kept = {name: line[name] for name in (*HASHED, "hash")}
    done = {"redacted_at": line["redaction"]["at"], "ordered": line["redaction"]["ordered"]}
    return canonical({"format": "sayso-redaction-1", "of": subject, **kept, **done})


def redaction_of(
    subject: str, before: Receipt, after: Receipt, done: Redaction, keys: Keyring, signer: Signer
) -> Redaction:
    """What is to stand beside a line that was `before`, and is `after` without somebody, as is `done`.

    It is signed only where the line was still what its hash and signature say, or the last redaction: what was bent
    before is not made good by forgetting. What an older program redacted without a signature stays so.
    """
    found = proved(subject, before.wire(), keys)
    if found.unproved:
        return Redaction(at=done.at)
    if found.faults:
        return Redaction(at=done.at, signature=BROKEN)
    whole = done.model_copy(update={"ordered": done.ordered or found.ordered})
    signed = signer.sign(redacted_part(subject, after.model_copy(update={"redaction": whole}).wire()))
    return whole.model_copy(update={"key": signed.key, "signature": signed.signature})


def _format_of(subject: str, line: Mapping[str, Any], keys: Keyring) -> tuple[str | None, str]:
    """In which format a line was signed, and what is wrong with that. None and nothing: it is not signed."""
    if line["signature"] is None:
        return None, ""
    wrong = ""
    for format_ in (FORMAT, FORMAT_BEFORE):
        wrong = keys.wrong(line, signed_part(subject, line, format_), line["signature"], line["at"])
        if not wrong:
            return format_, ""
    return FORMAT, wrong


def _hash_of(line: Mapping[str, Any]) -> str:
    fields = {name: line[name] for name in HASHED}
    return digest(fields if line["salt"] is None else {**fields, "salt": line["salt"]})
