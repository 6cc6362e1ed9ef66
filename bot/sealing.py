"""Secrets at rest: sealed with a key of the service, opened again with it or with the one before it.

What is sealed reads `s1.<key>.<nonce and ciphertext>`. `<key>` names the key, so that a wrong one is told from damage,
and what was made with the key before is known to need sealing anew. A seal holds for one name (`slack:T1`): moved to
another row it does not open.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from core.errors import Misconfigured

VERSION: Final = "s1"
NONCE: Final = 12
"""Bytes. With a random nonce for each, a key is good for billions of seals."""


class Sealer:
    """Seals with the first of its keys (32 bytes each) and opens with any."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._ciphers = {_name_of(key): AESGCM(key) for key in reversed(keys)}
        self._current = _name_of(keys[0])

    def seal(self, name: str, values: Mapping[str, str]) -> str:
        """Seal named secrets for `name`."""
        nonce = secrets.token_bytes(NONCE)
        text = json.dumps(dict(values), separators=(",", ":")).encode()
        sealed = nonce + self._ciphers[self._current].encrypt(nonce, text, self._bound_to(name))
        return f"{VERSION}.{self._current}.{base64.urlsafe_b64encode(sealed).decode()}"

    def open(self, name: str, sealed: str) -> dict[str, str]:
        """The secrets again. Raises `Misconfigured` when no key of ours opens them."""
        version, _, rest = sealed.partition(".")
        key, _, text = rest.partition(".")
        cipher = self._ciphers.get(key)
        if version != VERSION or cipher is None:
            raise Misconfigured(
                f"The credentials of {name} were sealed with another SAYSO_SECRET_KEY: set that one as "
                "SAYSO_SECRET_KEY_PREVIOUS, or connect the account again."
            )
        try:
            raw = base64.urlsafe_b64decode(text)
            opened = json.loads(cipher.decrypt(raw[:NONCE], raw[NONCE:], self._bound_to(name)))
        except (InvalidTag, ValueError, binascii.Error):
            raise Misconfigured(f"The credentials of {name} are damaged: connect the account again.") from None
        return {str(one): str(value) for one, value in opened.items()}

    @property
    def prefix(self) -> str:
        """What everything begins with that is sealed with the first key."""
        return f"{VERSION}.{self._current}."

    def is_current(self, sealed: str) -> bool:
        """Whether it was made with the first key."""
        return sealed.startswith(f"{VERSION}.{self._current}.")

    def _bound_to(self, name: str) -> bytes:
        return f"sayso {VERSION} {name}".encode()


def _name_of(key: bytes) -> str:
    return hashlib.sha256(b"name of " + key).hexdigest()[:12]
