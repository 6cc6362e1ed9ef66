"""Whether a chain of receipts is whole, for tests of whatever writes one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.receipts import Receipt, hash_of


def receipts_of(lines: Sequence[Mapping[str, Any]]) -> list[Receipt]:
    """Receipts as the API shows them, none of which is redacted."""
    assert not any(line["redacted"] for line in lines)
    return [
        Receipt.model_validate({name: value for name, value in line.items() if name != "redacted"}) for line in lines
    ]


def first_break(chain: Sequence[Receipt]) -> int | None:
    """Return the `seq` at which the chain does not hold, or None when it is whole. Signatures are not looked at."""
    previous: Receipt | None = None
    for expected, receipt in enumerate(chain, start=1):
        prev = previous.hash if previous else None
        if receipt.seq != expected or receipt.prev != prev:
            return expected
        if receipt.redaction is None and hash_of(receipt, receipt.seq, prev, receipt.salt) != receipt.hash:
            return expected
        previous = receipt
    return None
