"""A chat is connected, goes away and comes back: by an operator's invitation, or where anybody may install.

A Slack workspace belongs to one workspace of ours for good: whoever installs the app there again revives it, and an
invitation into another one is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.addresses import Provider
from core.audit import SERVICE, About, Changed
from core.errors import Refused
from core.installations import INVITATION_GOOD_FOR, STATE_GOOD_FOR, Installation, InstallState, Invitation, Mark
from core.people import Identity, Person, Role
from core.ports import Connection, Context, Work
from core.use_cases.auditing import note
from core.use_cases.people import handle_of
from core.use_cases.transact import transact


class NotInvited(Refused):
    """There is no invitation to connect this account with, or not any more."""


class ConnectedElsewhere(Refused):
    """The account belongs to another workspace already."""


NOT_INVITED = "This link does not work: it was used already, or is older than a day. Ask the operator for another one."
TAKEN = "This account is connected to another workspace of this service already, so nothing was changed."


@dataclass(frozen=True)
class Granted:
    """What a provider granted. `installer` is whoever allowed it, None where nobody says."""

    provider: Provider
    account: str
    name: str
    bot_user: str
    sealed: str = field(repr=False)
    facts: Mapping[str, str] = field(default_factory=dict)
    expires_at: datetime | None = None
    installer: Identity | None = None


async def invite(context: Context, workspace: str, code_hash: str) -> Invitation:
    """Keep an invitation, as the hash of its code."""
    now = context.clock.now()
    made = Invitation(code_hash, workspace, now, now + INVITATION_GOOD_FOR)

    async def inner(work: Work) -> None:
        await work.add_invitation(made)
        await note(work, context, workspace, Changed.INVITED, About(type="workspace", id=workspace))

    await transact(context, inner)
    return made


async def look_at(context: Context, code_hash: str) -> Invitation:
    """The invitation with this hash, which stays as it is. Raises `NotInvited`."""

    async def inner(work: Work) -> Invitation:
        return await _good(work, code_hash, context.clock.now())

    return await transact(context, inner)


async def begin(context: Context, state_hash: str, invitation: str | None) -> None:
    """Remember somebody who is sent to Slack. `invitation` is the hash of the link they used. Raises `NotInvited`."""

    async def remember(work: Work) -> None:
        now = context.clock.now()
        if invitation is not None:
            await _good(work, invitation, now)
        await work.add_install_state(InstallState(state_hash, now + STATE_GOOD_FOR, invitation))

    await transact(context, remember)


async def install(context: Context, granted: Granted, invitation: str | None, *, is_open: bool) -> Installation:
    """Connect an account, or connect it again. `invitation` is the hash of the link that was used; `is_open`: an
    account that is new here may come without one, and gets a workspace of its own.

    Raises `NotInvited`, `ConnectedElsewhere`.
    """
    return await transact(context, lambda work: _install(work, context, granted, invitation, is_open=is_open))


async def connect(context: Context, granted: Granted, workspace: str) -> Installation:
    """Connect an account to a workspace as its operator says. Raises `ConnectedElsewhere`."""

    async def inner(work: Work) -> Installation:
        await work.installation(granted.provider, granted.account)
        known = await work.connection_at(granted.provider, granted.account)
        if known is not None and known.workspace != workspace:
            raise ConnectedElsewhere(TAKEN)
        return await _put(work, context, granted, known, workspace)

    return await transact(context, inner)


async def _install(
    work: Work, context: Context, granted: Granted, invitation: str | None, *, is_open: bool
) -> Installation:
    now = context.clock.now()
    await work.installation(granted.provider, granted.account)  # whoever else installs it now waits
    known = await work.connection_at(granted.provider, granted.account)
    if invitation is not None:
        workspace = await _invited_to(work, invitation, granted, known, now)
    elif known is not None and is_open:
        workspace = known.workspace
    elif is_open:
        workspace = await _found(work, context, granted, now)
    else:
        raise NotInvited(NOT_INVITED)
    return await _put(work, context, granted, known, workspace)


async def _put(
    work: Work, context: Context, granted: Granted, known: Connection | None, workspace: str
) -> Installation:
    now = context.clock.now()
    await _connect(work, context, granted, known, workspace, now)
    installation = Installation(
        provider=granted.provider,
        account=granted.account,
        workspace=workspace,
        name=granted.name,
        bot_user=granted.bot_user,
        sealed=granted.sealed,
        facts=granted.facts,
        installed_at=now,
        expires_at=granted.expires_at,
    )
    await work.put_installation(installation)
    by = SERVICE.model_copy(update={"identity": str(granted.installer)}) if granted.installer is not None else None
    after = {"scopes": granted.facts.get("scopes", "")}
    await note(work, context, workspace, Changed.CHAT_CONNECTED, _about(installation), after=after, by=by)
    await work.hurry(granted.provider, granted.account, now)
    return installation


async def _invited_to(work: Work, code: str, granted: Granted, known: Connection | None, now: datetime) -> str:
    """The workspace of an invitation, which is used up by this."""
    invitation = await _good(work, code, now)
    if known is not None and known.workspace != invitation.workspace:
        raise ConnectedElsewhere(TAKEN)
    await work.save_invitation(replace(invitation, used_at=now, account=granted.account))
    return invitation.workspace


async def _good(work: Work, code: str, now: datetime) -> Invitation:
    invitation = await work.invitation(code)
    if invitation is None or not invitation.is_good(now):
        raise NotInvited(NOT_INVITED)
    return invitation


async def _found(work: Work, context: Context, granted: Granted, now: datetime) -> str:
    """A workspace for an account that is new here, with whoever installed it as its operator."""
    workspace = context.ids.new("wsp")
    name = granted.name or granted.account
    await work.add_workspace(workspace, name, now)
    by = SERVICE.model_copy(update={"identity": str(granted.installer)}) if granted.installer is not None else None
    await note(
        work, context, workspace, Changed.WORKSPACE_ADDED, About(type="workspace", id=workspace, name=name), by=by
    )
    if granted.installer is not None:
        handle = handle_of(granted.installer)
        await work.add_person(
            Person(
                id=context.ids.new("per"),
                workspace=workspace,
                handle=handle,
                name=handle,
                role=Role.OPERATOR,
                identities=(granted.installer,),
            )
        )
    return workspace


async def _connect(
    work: Work, context: Context, granted: Granted, known: Connection | None, workspace: str, now: datetime
) -> None:
    if known is not None:
        await work.save_connection(replace(known, name=granted.name, bot_user=granted.bot_user, problem=None))
        return
    connection = Connection(
        id=context.ids.new("con"),
        workspace=workspace,
        provider=granted.provider,
        account=granted.account,
        name=granted.name,
        bot_user=granted.bot_user,
    )
    await work.add_connection(connection, now)


async def end(context: Context, provider: Provider, account: str, mark: Mark, why: str) -> bool:
    """The app was removed there: its credentials are forgotten, everything else is kept. False when it was installed
    again meanwhile, or `mark` is not how it stands."""

    async def inner(work: Work) -> bool:
        before = await work.installation(provider, account)
        if before is None or before.mark != mark or not before.is_live:
            return False
        now = context.clock.now()
        ended = replace(before, sealed=None, expires_at=None, ended_at=now, problem=why)
        known = await work.connection_at(provider, account)
        if known is not None:
            await work.save_connection(replace(known, problem=why))
        await work.hurry(provider, account, now)
        if not await work.renew_installation(before, ended):
            return False
        await note(work, context, before.workspace, Changed.CHAT_ENDED, _about(before), after={"why": why})
        return True

    return await transact(context, inner)


async def remove(context: Context, provider: Provider, account: str) -> bool:
    """Forget an account that was connected here, with its credentials. False when there is none."""

    async def inner(work: Work) -> bool:
        before = await work.installation(provider, account)
        if before is None or not await work.drop_installation(provider, account):
            return False
        await note(
            work, context, before.workspace, Changed.CHAT_ENDED, _about(before), after={"why": "an operator removed it"}
        )
        return True

    return await transact(context, inner)


async def add_workspace(context: Context, name: str) -> str:
    """Make a workspace: a tenant of its own. Returns its id."""
    made = context.ids.new("wsp")

    async def inner(work: Work) -> None:
        await work.add_workspace(made, name, context.clock.now())
        await note(work, context, made, Changed.WORKSPACE_ADDED, About(type="workspace", id=made, name=name))

    await transact(context, inner)
    return made


def _about(installation: Installation) -> About:
    return About(type="chat", id=f"{installation.provider.value}:{installation.account}", name=installation.name)
