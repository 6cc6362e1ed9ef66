"""Cards that nobody is left to answer, because whoever they named has gone: they are undeliverable."""

from __future__ import annotations

from collections.abc import Sequence

from core.acts import FailDelivery
from core.addresses import ChatAddress, PersonAddress, Provider, parse_address
from core.interactions import decide
from core.people import TIMER, Identity, Person, Via
from core.ports import Context, Work
from core.use_cases.recording import record, stamp_for
from core.use_cases.transact import transact

NOBODY_LEFT = "Nobody is left who may answer this."


async def account_ended(context: Context, workspace: str, identity: Identity) -> tuple[str, ...]:
    """A chat says that an account was deactivated, and that is kept: settle what only it, and others that are gone,
    could answer. Returns the ids of the interactions that were settled."""

    async def inner(work: Work) -> tuple[str, ...]:
        person = await work.person_by_identity(workspace, identity)
        names = [f"{identity.provider}:{identity.user}", str(identity)]
        if person is not None:
            names.append(f"person:{person.handle}")
        return await settle_left_alone(work, context, workspace, names)

    return await transact(context, inner)


async def settle_left_alone(work: Work, context: Context, workspace: str, names: Sequence[str]) -> tuple[str, ...]:
    """Settle every pending interaction that names one of these answerers and has nobody left to answer it."""
    found = dict.fromkeys([id for name in names for id in await work.pending_naming(workspace, name)])
    return tuple([id for id in found if await _settle(work, context, workspace, id)])


async def _settle(work: Work, context: Context, workspace: str, id: str) -> bool:
    before = await work.interaction(workspace, id)
    if before is None or not before.is_pending:
        return False
    if not all([await _is_gone(work, workspace, answerer) for answerer in before.audience.answerers]):
        return False
    stamp = stamp_for(context, TIMER, Via.TIMER)
    if before.is_due(stamp.now):
        return False  # the timer settles it
    publications = await work.publications(id)
    await record(work, context, before, decide(before, FailDelivery(NOBODY_LEFT), stamp), publications, stamp.now)
    return True


async def _is_gone(work: Work, workspace: str, answerer: str) -> bool:
    """Whether nobody can answer as this answerer any more. A conversation, and the operators, may have others
    tomorrow."""
    kind, _, name = answerer.partition(":")
    if kind == "agent":
        agent = await work.agent_by_name(workspace, name)
        return agent is None or agent.revoked
    if answerer in ("conversation", "role:operator"):
        return False
    address = parse_address(answerer)
    if isinstance(address, PersonAddress):
        return await _has_gone(work, workspace, await work.person_by_handle(workspace, address.handle))
    accounts = await _accounts_of(work, workspace, address) if isinstance(address, ChatAddress) else []
    found = [await work.person_by_identity(workspace, account) for account in accounts]
    return bool(accounts) and all(
        [
            await _has_gone(work, workspace, person) if person else await _has_ended(work, workspace, account)
            for account, person in zip(accounts, found, strict=True)
        ]
    )


async def _accounts_of(work: Work, workspace: str, address: ChatAddress) -> list[Identity]:
    """The accounts that an address may mean. Slack counts its users within a team, Telegram does not."""
    if address.provider is Provider.TELEGRAM:
        return [Identity(provider="telegram", user=address.place)]
    teams = [one.account for one in await work.connections(workspace) if one.provider is Provider.SLACK]
    return [
        Identity(provider="slack", account=team, user=address.place)
        for team in ([address.account] if address.account else teams)
    ]


async def _has_gone(work: Work, workspace: str, person: Person | None) -> bool:
    """Whether somebody was removed, or none of their accounts is left: they answer by any of them, on the review page
    too. Who has none yet may still be given one."""
    if person is None:
        return True
    ended = [await _has_ended(work, workspace, account) for account in person.identities]
    return bool(ended) and all(ended)


async def _has_ended(work: Work, workspace: str, account: Identity) -> bool:
    standing = await work.kept_standing(workspace, account)
    return standing is not None and standing.deleted
