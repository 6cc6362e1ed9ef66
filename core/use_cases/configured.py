"""Settings that decide who is believed and what is kept: a value that was not in use before leaves a line in the audit.

Of a secret nothing is kept but a digest that takes the service's key to make. Every process says now and then which
values it runs with. A value is noted when a process begins to run with it, once, however many do; and again when it
came back for good. While two values are in use side by side, as in a deployment that replaces one process after the
other, neither is noted again, however often its processes start.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from core.audit import About, Actor, Changed
from core.ports import Context, Work
from core.use_cases.auditing import note
from core.use_cases.transact import transact

LOOK: Final = timedelta(minutes=10)
"""How often each process says what it runs with."""
IN_USE: Final = 3 * LOOK
"""For how long a value counts as in use that no process has named since."""
DIGEST: Final = "digest:"
PLAIN: Final = "plain:"
"""What the mark of a secret, and of what is none, begins with."""
_ALL: Final = "settings"
_EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Configured:
    """A setting as one process has it. `mark` is what is kept of the value and never empty, `known_as` the marks that
    the same value has or had before the service's key was changed; `workspace` is whose operators read of it, None: the
    whole deployment's."""

    name: str
    mark: str
    known_as: Sequence[str] = ()
    workspace: str | None = None


async def note_settings(context: Context, settings: Sequence[Configured], by: Actor) -> Sequence[str]:
    """Say what a process runs with; the names of what was noted as changed. The first look ever notes nothing."""

    async def inner(work: Work) -> list[str]:
        # One process at a time, so that of many that start together one notes.
        now = context.clock.now()
        await work.take_lease(_ALL, _ALL, now, now)
        return [one.name for one in settings if await _look(work, context, one, by, now)]

    return await transact(context, inner)


async def _look(work: Work, context: Context, mine: Configured, by: Actor, now: datetime) -> bool:
    noted, own = f"{_ALL} {mine.name}", f"{_ALL} {mine.name} {_short(mine.mark)}"
    last = (await work.lease_holders([noted], _EVER)).get(noted)
    in_use = await work.lease_holders([noted, own], now - IN_USE)
    await work.take_lease(own, _ALL, now, now)
    is_same = last is None or last == mine.mark or last in mine.known_as
    if not is_same and noted in in_use and own in in_use:
        return False
    if last is not None:
        await work.drop_lease(noted, last)
    await work.take_lease(noted, mine.mark, now, now)
    if last is None or is_same:
        return False
    about = About(type="setting", id=mine.name, name=mine.name)
    before, after = {"value": _shown(last)}, {"value": _shown(mine.mark)}
    await note(work, context, mine.workspace, Changed.SETTING, about, before=before, after=after, by=by)
    return True


def _shown(mark: str) -> str:
    """What a line says of a value: of a secret enough to tell it from another one, and nothing to guess it by."""
    if mark.startswith(PLAIN):
        return mark.removeprefix(PLAIN) or "not set"
    return f"a secret, {mark.removeprefix(DIGEST)[:8]}"


def _short(mark: str) -> str:
    return hashlib.sha256(mark.encode()).hexdigest()[:16]
