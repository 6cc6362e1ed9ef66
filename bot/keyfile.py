"""The secret that a single machine makes and keeps in its data directory, and keys derived from a secret."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from core.errors import Misconfigured

NAME = "secret-key"
_SIZE = 32


def derive(secret: bytes, purpose: str) -> bytes:
    """32 bytes for one purpose; one purpose's key tells nothing of another's or of the secret."""
    return hmac.digest(hashlib.sha256(secret).digest(), b"sayso " + purpose.encode(), "sha256")


def kept_key(folder: Path) -> bytes:
    """Read the key kept in `folder`, or make it there, readable by this user alone.

    Processes that start together agree on one: whoever links theirs first wins. Raises `Misconfigured`.
    """
    path = folder / NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _place(path, secrets.token_hex(_SIZE))
        return bytes.fromhex(path.read_text("ascii").strip())
    except OSError as error:
        raise Misconfigured(
            f"SAYSO_SECRET_KEY is not set and no key can be kept in {folder}: {error.strerror}."
        ) from None
    except ValueError:
        raise Misconfigured(f"The key kept in {path} is damaged; restore it, or set SAYSO_SECRET_KEY.") from None


def _place(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        pass  # another process was first; its key is the one
    finally:
        draft.unlink()
