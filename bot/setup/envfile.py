"""The settings file: read as the service reads it, changed line by line, written whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.errors import Misconfigured

MODE: Final = 0o600
_PLAIN: Final = re.compile(r"[\w./:@%+,=\-]*", re.ASCII)
_LINE: Final = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=")
_OFFER: Final = re.compile(r"#\s?(?P<name>[A-Z_][A-Z0-9_]*)=[^#\s]*\s*")
"""A setting that is offered in a comment, as `.env.example` does."""


def change(path: Path, settings: Mapping[str, str]) -> bool:
    """Give settings these values, leave every other line as it stands, and keep the file to this user.

    Returns whether any value changed. A file that is a link stays one. Raises `Misconfigured`.
    """
    path = path.resolve()
    try:
        before = path.read_text("utf-8") if path.exists() else ""
        after = changed(before, settings)
        is_open = path.exists() and bool(stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO))
        if after != before or is_open:
            _replace(path, after)
    except UnicodeDecodeError:
        raise Misconfigured(f"The file {path.name} is not UTF-8 text; put it aside.") from None
    except OSError as error:
        raise Misconfigured(f"The file {path} cannot be written: {error.strerror}.") from None
    return after != before


def probe(path: Path) -> None:
    """Make sure that the file can be written, and leave it as it is. Raises `Misconfigured`."""
    path = path.resolve()
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE))
        draft.unlink()
    except OSError as error:
        raise Misconfigured(f"The file {path} cannot be written: {error.strerror}.") from None


def changed(text: str, settings: Mapping[str, str]) -> str:
    """The same lines with these values: in place of what was set before, of where it was offered in a comment, or at
    the end."""
    lines, left = text.splitlines(), dict(settings)
    found: list[str] = []
    for line in lines:
        name = _named(_LINE.match(line))
        if name not in settings:
            found.append(line)
        elif name in left:
            found.append(_written(name, left.pop(name)))
        # A second line for the same setting would win over the first.
    for number, line in enumerate(found):
        name = _named(_OFFER.fullmatch(line))
        if name in left:
            found[number] = _written(name, left.pop(name))
    found += [_written(name, value) for name, value in left.items()]
    return "".join(f"{line}\n" for line in found)


def _named(match: re.Match[str] | None) -> str:
    return match["name"] if match else ""


def _written(name: str, value: str) -> str:
    if _PLAIN.fullmatch(value):
        return f"{name}={value}"
    if "\n" in value or "'" in value:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'{name}="{escaped}"'
    return f"{name}='{value}'"


def write_new(path: Path, settings: Mapping[str, str]) -> None:
    """Write a file of settings that is not there yet, for this user alone. Raises `Misconfigured`."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(changed("", settings))
    except OSError as error:
        raise Misconfigured(f"The file {path} cannot be written: {error.strerror}.") from None


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            if os.geteuid() == 0 and path.exists():
                # Root may mend what the service's own user has to read.
                before = path.stat()
                os.fchown(file.fileno(), before.st_uid, before.st_gid)
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
