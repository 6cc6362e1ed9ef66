"""From an account that was proved to a session: whose it is, in which workspace."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog
from starlette.requests import Request

from bot.web.auth import Sessions
from core.errors import SaysoError
from core.installations import may_be_in
from core.people import Identity, Person
from core.ports import Context, Work
from core.reading import Records
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.signin")


class Used(SaysoError):
    """This very proof let somebody in before."""


class Entrance:
    """Lets in whoever has a proved account."""

    def __init__(self, context: Context, records: Records, sessions: Sessions) -> None:
        self._context = context
        self._records = records
        self._sessions = sessions

    async def enter(
        self,
        identity: Identity,
        request: Request,
        *,
        workspace: str | None = None,
        mark: str | None = None,
        launched: bool = False,
    ) -> str | None:
        """Sign in: the cookie of a new session, in the place of the one the browser had; None: it is nobody's here.

        `workspace` is the only one that the proof is good for, `mark` what tells it from other proofs and makes it good
        once (`Used` is raised from then on), `launched` as in `Session`.
        """
        workspaces = (workspace,) if workspace is not None else await self._records.workspaces()
        now = self._context.clock.now()

        async def inner(work: Work) -> str | None:
            if mark is not None:
                await use_up(work, identity.provider, mark, now)
            person = await _owner(work, workspaces, identity)
            if person is None:
                return None
            await self._sessions.close(work, request)
            return await self._sessions.open(work, person, str(identity), now, launched=launched)

        cookie = await transact(self._context, inner)
        if cookie is not None:
            log.info("signed in", provider=identity.provider)
        return cookie


async def use_up(work: Work, provider: str, mark: str, now: datetime) -> None:
    """Take a proof for good. Raises `Used`. What is kept of it is kept longer than any proof is fresh."""
    key = f"{provider}:proof:{mark}"
    if not await work.first_seen(key, provider, "{}", now):
        raise Used("this proof was used before")
    await work.arrival_done(key, None, now)


async def _owner(work: Work, workspaces: Sequence[str], identity: Identity) -> Person | None:
    """The person with this account. One that has people in several workspaces is taken where its chat is connected;
    where that does not tell them apart either, nobody is guessed at."""
    found = [one for workspace in workspaces if (one := await work.person_by_identity(workspace, identity)) is not None]
    if len(found) > 1:
        found = [one for one in found if await _is_connected(work, one.workspace, identity)]
    return found[0] if len(found) == 1 else None


async def _is_connected(work: Work, workspace: str, identity: Identity) -> bool:
    connections = await work.connections(workspace)
    return any(may_be_in(identity, one.provider, one.account) for one in connections)
