"""After a change of the service's key: everything that a program was given is sealed anew, in short transactions."""

from __future__ import annotations

from core.ports import Context, Work
from core.use_cases.transact import transact

BATCH = 100
"""Secrets in one transaction."""


async def reseal_all(context: Context, *, batch: int = BATCH) -> None:
    """Seal all webhook secrets with the key in use that are not, but for those that no key of ours opens."""
    after: int | None = 0
    while after is not None:

        async def some(work: Work, mark: int = after) -> int | None:
            return await work.reseal_webhook_secrets(batch, mark)

        after = await transact(context, some)
