"""The deployment's signing key: made once, kept sealed in the database, followed by every process as it is replaced.

Ed25519 of `cryptography`. One signature takes some fifty microseconds.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bot.sealing import Sealer
from core.audit import About, Changed
from core.errors import Misconfigured
from core.ports import Context, Work
from core.signing import Signed, SigningKey, key_id
from core.use_cases.auditing import note
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.signing")

LOOK: Final = 30.0
"""Seconds between looks: for how long another process may go on signing with a key that was replaced."""
_SALT: Final = 16
_PRIVATE: Final = "private"
_BEFORE: Final = "before"
"""What the private side of a key is sealed with: the ids of the keys before it, so that whoever can write to the
database, but has not the service's key, adds none of their own to those that are believed."""


class NoKey(Misconfigured):
    """A receipt was to be signed before the key was opened, which is a mistake of the program."""


@dataclass(frozen=True)
class _Open:
    """An open key. It is replaced whole, as threads sign meanwhile. `before` are the ids of the keys before it."""

    key: SigningKey
    private: Ed25519PrivateKey
    before: frozenset[str]


class Signing:
    """A `core.signing.Signer` whose key is opened by `open` and followed by `run`."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer
        self._open: _Open | None = None

    @property
    def key(self) -> SigningKey:
        """The key in use."""
        return self._opened_now.key

    @property
    def _opened_now(self) -> _Open:
        if self._open is None:
            raise NoKey("The signing key is not open yet.")
        return self._open

    def check(self, public: str, message: bytes, signature: str) -> bool:
        """A `core.signing.Check`."""
        return is_signed(public, message, signature)

    def vouched(self, keys: Sequence[SigningKey]) -> tuple[SigningKey, ...]:
        """Of what stands in the database, the keys that this deployment made: the one in use and those before it."""
        own = self._opened_now
        return tuple(one for one in keys if one.id == own.key.id or one.id in own.before)

    def salt(self) -> str:
        """128 bits that nobody can guess, in hex."""
        return secrets.token_hex(_SALT)

    def sign(self, message: bytes) -> Signed:
        """Sign a message."""
        own = self._opened_now
        return Signed(own.key.id, base64.b64encode(own.private.sign(message)).decode())

    async def open(self, context: Context) -> None:
        """Open the key in use; make the first one; seal it anew where it was with the service's key before this one.

        Raises `Misconfigured` when it cannot be opened.
        """
        self.follow(await transact(context, lambda work: self._current(work, context)))

    def follow(self, key: SigningKey) -> None:
        """Sign with this one from now on. Raises `Misconfigured` when it cannot be opened."""
        if self._open is not None and self._open.key.id == key.id:
            return
        opened = self._opened(key)
        raw = base64.b64decode(opened[_PRIVATE])
        before = frozenset(opened.get(_BEFORE, "").split())
        self._open = _Open(key, Ed25519PrivateKey.from_private_bytes(raw), before)

    async def rotate(self, context: Context) -> SigningKey:
        """Put a new key in use; the private side of the one before is forgotten. No key need be open."""

        async def replaced(work: Work) -> SigningKey:
            before = await work.signing_key()
            key = self._made(context, before.number + 1 if before else 1, await self._known(work, before))
            await work.add_signing_key(key)
            was = {"key": before.id} if before is not None else None
            about = About(type="key", id=key.id)
            await note(work, context, None, Changed.KEY_ROTATED, about, before=was, after={"key": key.id})
            return key

        key = await transact(context, replaced)
        self.follow(key)
        return key

    async def run(self, context: Context, stop: asyncio.Event) -> None:
        """Follow the key until `stop` is set."""
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), LOOK)
            try:
                await self.open(context)
            except Exception:
                # The database may be away for a moment; the key that is open still signs.
                log.exception("signing key not looked at")

    async def _current(self, work: Work, context: Context) -> SigningKey:
        key = await work.signing_key()
        if key is None:
            key = self._made(context, 1, ())
            await work.add_signing_key(key)
        elif key.sealed is not None:
            opened = self._opened(key)
            if _BEFORE not in opened or not self._sealer.is_current(key.sealed):
                # A key that was sealed without them takes those for true that it finds, once.
                named = opened | ({} if _BEFORE in opened else {_BEFORE: " ".join(await _others(work, key))})
                key = replace(key, sealed=self._sealer.seal(_name(key.id), named))
                await work.reseal_signing_key(key)
        return key

    async def _known(self, work: Work, latest: SigningKey | None) -> Sequence[str]:
        """The ids of all keys until now, as the latest says. Where it cannot be opened any more, and is replaced for
        that, nobody knows better than the database."""
        if latest is None:
            return ()
        try:
            before = self._opened(latest)[_BEFORE].split()
        except (Misconfigured, KeyError):
            before = await _others(work, latest)
        return (*before, latest.id)

    def _made(self, context: Context, number: int, before: Sequence[str]) -> SigningKey:
        private = Ed25519PrivateKey.generate()
        public = private.public_key().public_bytes_raw()
        id_ = key_id(public)
        secret = base64.b64encode(private.private_bytes_raw()).decode()
        sealed = self._sealer.seal(_name(id_), {_PRIVATE: secret, _BEFORE: " ".join(before)})
        return SigningKey(id_, number, base64.b64encode(public).decode(), context.clock.now(), sealed)

    def _opened(self, key: SigningKey) -> dict[str, str]:
        try:
            return self._sealer.open(_name(key.id), key.sealed or "")
        except Misconfigured:
            raise Misconfigured(
                f"The key {key.id} that signs receipts was sealed with another SAYSO_SECRET_KEY: set that one as "
                "SAYSO_SECRET_KEY_PREVIOUS, or put a new key in use with `sayso key rotate`."
            ) from None


def is_signed(public: str, message: bytes, signature: str) -> bool:
    """A `core.signing.Check`."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signature, validate=True), message)
    except (InvalidSignature, ValueError, binascii.Error):
        return False
    return True


async def _others(work: Work, key: SigningKey) -> list[str]:
    return [one for one in await work.signing_key_ids() if one != key.id]


def _name(key: str) -> str:
    return f"signing key {key}"
