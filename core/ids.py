"""Prefixed, sortable ids: `int_` and 26 characters for the 128 bits of a UUIDv7. Making one takes time and randomness
as arguments; only the shell has those."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.errors import Invalid

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32 in lower case: it sorts as the bits do."""
LENGTH = 26
_LETTERS = frozenset(ALPHABET)
_DIGITS = str.maketrans(ALPHABET, "0123456789abcdefghijklmnopqrstuv")
"""To the letters that Python reads as base 32."""


def make_id(prefix: str, milliseconds: int, randomness: int) -> str:
    """An id for `milliseconds` since 1970 and 74 random bits, laid out as RFC 9562 version 7."""
    high, low = randomness >> 62 & 0xFFF, randomness & (1 << 62) - 1
    bits = (milliseconds & (1 << 48) - 1) << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low
    return id_from_bytes(prefix, bits.to_bytes(16, "big"))


def id_from_bytes(prefix: str, raw: bytes) -> str:
    """Spell 16 bytes as an id."""
    bits = int.from_bytes(raw, "big")
    return f"{prefix}_" + "".join(ALPHABET[bits >> 5 * place & 31] for place in reversed(range(LENGTH)))


def id_bytes(prefix: str, text: str) -> bytes:
    """Read an id back to 16 bytes; `Invalid` when it is none with this prefix."""
    head, _, tail = text.partition("_")
    if head != prefix or len(tail) != LENGTH or not _LETTERS.issuperset(tail):
        raise Invalid.at("", f"not an id that starts with {prefix}_")
    bits = int(tail.translate(_DIGITS), 32)
    if bits >> 128:
        raise Invalid.at("", f"not an id that starts with {prefix}_")
    return bits.to_bytes(16, "big")


def made_at(text: str) -> datetime | None:
    """When an id was made, to the millisecond; None for what is no id."""
    try:
        raw = id_bytes(text.partition("_")[0], text)
    except Invalid:
        return None
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int.from_bytes(raw[:6], "big"))
