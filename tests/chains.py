"""Whether a chain of receipts is whole, for tests of whatever writes one."""

from __future__ import annotations

from collections.abc import Sequence

from core.receipts import Receipt, hash_of


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
