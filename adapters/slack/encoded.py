"""Forms as they are sent: `application/x-www-form-urlencoded`."""

from __future__ import annotations

from binascii import a2b_qp
from urllib.parse import parse_qsl

MOST_FIELDS = 200
_PAYLOAD = b"payload="


def read_form(body: bytes) -> dict[str, str]:
    """The fields of a form, the last of each name. Raises `ValueError` for what is no UTF-8, or has too many."""
    payload = _sole_payload(body)
    if payload is not None:
        return {"payload": payload}
    return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS))


def _sole_payload(body: bytes) -> str | None:
    """What an interaction consists of, which is long and mostly escapes: read by the decoder of quoted-printable, which
    knows the same escapes by another sign and is in C. None where it would read anything else than the standard does:
    each escape that it takes is shorter by two, and it joins lines and has its own sign."""
    if not body.startswith(_PAYLOAD) or not body.isascii():
        return None
    value = body[len(_PAYLOAD) :].replace(b"+", b" ")
    if any(sign in value for sign in (b"&", b"=", b"\n", b"\r")):
        return None
    read = a2b_qp(value.replace(b"%", b"="))
    return read.decode("utf-8", "replace") if len(read) == len(value) - 2 * value.count(b"%") else None
