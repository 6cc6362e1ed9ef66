"""Who may connect a Slack workspace, and what becomes of what Slack grants: sealed, kept, and used at once."""

from __future__ import annotations

import secrets
from typing import Final

from adapters.slack.installing import Granted, Tenant
from bot.config import Installing
from bot.kept import Kept
from bot.sealing import Sealer
from bot.web.security import hashed
from core.addresses import Provider
from core.errors import Forbidden
from core.people import Identity
from core.ports import Context
from core.reading import Records
from core.use_cases import installing
from core.use_cases.transact import transact

CREDENTIAL: Final = "bot"
REFRESH: Final = "refresh"
"""What the sealed credentials of an installation are called."""
UNINVITED: Final = (
    "Connecting a Slack workspace to this service takes a link from its operator, who makes one with "
    "`sayso workspace link`. Please ask them for it."
)
_NOBODYS: Final = "-"
"""What somebody without an invitation is known by."""


class SlackDoor:
    """Lets people through who have an operator's link, or everybody where `rule` says so."""

    def __init__(self, context: Context, records: Records, kept: Kept, sealer: Sealer, rule: Installing) -> None:
        self._context = context
        self._records = records
        self._kept = kept
        self._sealer = sealer
        self._is_open = rule is Installing.OPEN

    async def look(self, invitation: str) -> Tenant | None:
        """Where this code (may be empty) leads; None: to a tenant of its own. Raises `Forbidden`, `NotInvited`."""
        if not invitation:
            if not self._is_open:
                raise Forbidden(UNINVITED)
            return None
        found = await installing.look_at(self._context, hashed(invitation))
        return await self._tenant(found.workspace)

    async def open(self, invitation: str) -> str:
        """Remember somebody who is sent to Slack with this code (may be empty), and return their state. Raises
        `Forbidden`, `NotInvited`."""
        if not invitation and not self._is_open:
            raise Forbidden(UNINVITED)
        state = secrets.token_urlsafe(32)
        await installing.begin(self._context, hashed(state), hashed(invitation) if invitation else None)
        return state

    async def admit(self, state: str) -> str | None:
        """Take their state back, once. None: it is not good."""
        now = self._context.clock.now()
        taken = await transact(self._context, lambda work: work.take_install_state(hashed(state), now))
        return None if taken is None else taken.invitation or _NOBODYS

    async def keep(self, granted: Granted, admitted: str) -> Tenant:
        """Keep what Slack granted to somebody who was admitted; which tenant it is of now. Raises `NotInvited`,
        `ConnectedElsewhere`."""
        secret = {CREDENTIAL: granted.token, **({REFRESH: granted.refresh} if granted.refresh else {})}
        facts = {
            "bot_id": granted.bot_id,
            "bot_name": granted.bot_name,
            "app": granted.app,
            "enterprise": granted.enterprise,
            "scopes": granted.scopes,
            "url": granted.url,
        }
        who = granted.installer
        installed = await installing.install(
            self._context,
            installing.Granted(
                provider=Provider.SLACK,
                account=granted.account,
                name=granted.name,
                bot_user=granted.bot_user,
                sealed=self._sealer.seal(f"slack:{granted.account}", secret),
                facts=facts,
                expires_at=granted.expires_at,
                installer=Identity(provider="slack", account=granted.account, user=who) if who else None,
            ),
            None if admitted == _NOBODYS else admitted,
            is_open=self._is_open,
        )
        await self._kept.find(Provider.SLACK, granted.account)
        return await self._tenant(installed.workspace)

    async def _tenant(self, workspace: str) -> Tenant:
        names = dict(await self._records.workspace_names())
        chats = await self._records.connections(workspace)
        connected = tuple((one.name, one.account) for one in chats if one.provider is Provider.SLACK)
        return Tenant(workspace, names.get(workspace, workspace), connected)
