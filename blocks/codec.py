"""Control tokens: 48 URL-safe characters that name one control of one revision, sealed with the service's key.

A token confers nothing and says nothing to a reader without the database. It is sealed for the place it is
used in: `holder` is empty for a control on a card, and the identity of the person for a form only they have.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import struct

from core.controls import Action, Control
from core.errors import Forged, Invalid
from core.ids import id_bytes, id_from_bytes
from core.loops.controls import SUBJECTS, LoopAction, LoopControl

_LAYOUT = struct.Struct(">B16sBHHBB4s")
_VERSION = 1
_LOOP_LAYOUT = struct.Struct(">B16sBI?5x")
_LOOP_VERSION = 2
"""Controls of loops and alerts: as long as the others, and never taken for one of them."""
_SEAL = 8
LENGTH = 48
FORGED = "This control did not come from me, so nothing was done. Please use the buttons on the card itself."


class Codec:
    """Packs control tokens with a secret key of at least 32 bytes, and unpacks those made with it or with an `older`
    one: cards outlive a change of keys."""

    def __init__(self, key: bytes, *older: bytes) -> None:
        if min(map(len, (key, *older))) < 32:
            raise ValueError("a control key has at least 32 bytes")
        self._keys = (key, *older)

    def pack(self, control: Control, holder: str = "") -> str:
        """Spell a control as a token."""
        body = _LAYOUT.pack(
            _VERSION,
            id_bytes("int", control.interaction),
            control.action,
            control.publication,
            control.revision,
            control.question,
            control.option,
            bytes.fromhex(control.seen),
        )
        return self._spell(body, holder)

    def pack_loop(self, control: LoopControl, holder: str = "") -> str:
        """Spell a control of a loop or an alert as a token."""
        subject = id_bytes(SUBJECTS[control.action], control.subject)
        body = _LOOP_LAYOUT.pack(_LOOP_VERSION, subject, control.action, control.slot or 0, control.slot is not None)
        return self._spell(body, holder)

    def unpack_any(self, token: str, holder: str = "") -> Control | LoopControl:
        """Read a token of either kind; `Forged` when this key did not make it for this holder."""
        body = self._open(token, holder)
        return self._loop_control(body) if body[0] == _LOOP_VERSION else self._control(body)

    def unpack(self, token: str, holder: str = "") -> Control:
        """Read a token; `Forged` when this key did not make it for this holder, or made it for a loop."""
        return self._control(self._open(token, holder))

    def _spell(self, body: bytes, holder: str) -> str:
        return base64.urlsafe_b64encode(body + _seal(self._keys[0], body, holder)).decode("ascii").rstrip("=")

    def _open(self, token: str, holder: str) -> bytes:
        if len(token) != LENGTH:
            raise Forged(FORGED)
        try:
            raw = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True)
        except (binascii.Error, UnicodeEncodeError):
            raise Forged(FORGED) from None
        body, seal = raw[: _LAYOUT.size], raw[_LAYOUT.size :]
        if not any(hmac.compare_digest(seal, _seal(key, body, holder)) for key in self._keys):
            raise Forged(FORGED)
        return body

    def _loop_control(self, body: bytes) -> LoopControl:
        try:
            _, subject, number, slot, has_slot = _LOOP_LAYOUT.unpack(body)
            action = LoopAction(number)
            return LoopControl(id_from_bytes(SUBJECTS[action], subject), action, slot if has_slot else None)
        except (ValueError, Invalid):
            raise Forged(FORGED) from None

    def _control(self, body: bytes) -> Control:
        try:
            version, interaction, action, publication, revision, question, option, seen = _LAYOUT.unpack(body)
            if version != _VERSION:
                raise Forged(FORGED)
            return Control(
                interaction=id_from_bytes("int", interaction),
                publication=publication,
                revision=revision,
                seen=seen.hex(),
                action=Action(action),
                question=question,
                option=option,
            )
        except (ValueError, Invalid):
            raise Forged(FORGED) from None


def _seal(key: bytes, body: bytes, holder: str) -> bytes:
    return hmac.digest(key, body + b"\x00" + holder.encode("utf-8"), "sha256")[:_SEAL]
