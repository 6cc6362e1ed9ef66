"""Where something goes: addresses turned into conversations, copies for them, and the next fallback."""

from __future__ import annotations

from collections.abc import Sequence

from core.addresses import Address, ChatAddress, PersonAddress, Provider, ReviewAddress, parse_address
from core.errors import Invalid
from core.installations import is_organisation
from core.people import Identity
from core.ports import Connection, Context, Work
from core.publications import Publication
from core.records import Interaction


async def resolve(work: Work, workspace: str, places: Sequence[Address], pointers: Sequence[str]) -> list[ChatAddress]:
    """Turn addresses into conversations: people into their chat, a missing account into the only one there is.

    A provider that is not connected is kept with an empty account: its copy fails with that reason.
    """
    if all(isinstance(place, ReviewAddress) for place in places):
        return []
    connections = await work.connections(workspace)
    targets: list[ChatAddress] = []
    for where, place in zip(pointers, places, strict=False):
        match place:
            case ReviewAddress():
                continue
            case PersonAddress():
                targets.append(await _chat_of(work, workspace, place, connections, where))
            case ChatAddress():
                targets.append(_with_account(place, connections, where))
    return list(dict.fromkeys(targets))


def _with_account(place: ChatAddress, connections: Sequence[Connection], where: str) -> ChatAddress:
    accounts = [one.account for one in connections if one.provider is place.provider]
    if place.account is None:
        if len(accounts) > 1:
            raise Invalid.at(where, f"several {place.provider.value} accounts are connected; name one of them")
        return ChatAddress(place.provider, accounts[0] if accounts else "", place.place, place.thread)
    return place


async def _chat_of(
    work: Work, workspace: str, place: PersonAddress, connections: Sequence[Connection], where: str
) -> ChatAddress:
    person = await work.person_by_handle(workspace, place.handle)
    if person is None:
        raise Invalid.at(where, f"there is nobody with the handle {place.handle}")
    connected = {one.provider.value for one in connections}
    chats = [identity for identity in person.identities if identity.provider in ("slack", "telegram")]
    for identity in sorted(chats, key=lambda one: one.provider not in connected):
        provider = Provider(identity.provider)
        account = _that_holds(identity, provider, connections) or identity.account or None
        return _with_account(ChatAddress(provider, account, identity.user), connections, where)
    raise Invalid.at(where, f"{place.handle} has no chat account here; send it to review, or link one first")


def _that_holds(identity: Identity, provider: Provider, connections: Sequence[Connection]) -> str | None:
    """The organisation through which somebody is reached whose own team is not connected by itself."""
    own = [one.account for one in connections if one.provider is provider]
    if provider is not Provider.SLACK or identity.account in own:
        return None
    return next((account for account in own if is_organisation(account)), None)


def new_publication(context: Context, interaction: Interaction, number: int, target: ChatAddress) -> Publication:
    """A copy that is owed to a conversation."""
    return Publication(
        id=context.ids.new("pub"),
        workspace=interaction.workspace,
        interaction=interaction.id,
        number=number,
        provider=target.provider,
        account=target.account or "",
        place=target.place,
        thread=target.thread,
    )


async def next_fallback(
    work: Work, context: Context, interaction: Interaction, publications: Sequence[Publication]
) -> tuple[Interaction, Publication | None, tuple[str, ...]]:
    """The copy for the next fallback address, if one is left; the interaction remembers how many were used.

    What an address meant when it was asked may be gone by now: the last value says so of each that was passed over.
    """
    used, unusable = interaction.fallbacks_used, list[str]()
    for text in interaction.policy.fallback[used:]:
        used += 1
        address = parse_address(text, "/policy/fallback")
        if isinstance(address, ReviewAddress):
            continue
        try:
            (target,) = await resolve(work, interaction.workspace, [address], ["/policy/fallback"])
        except Invalid as gone:
            unusable.append(f"{text}: {gone}")
            continue
        after = interaction.model_copy(update={"fallbacks_used": used, "version": interaction.version + 1})
        return after, new_publication(context, interaction, len(publications) + 1, target), tuple(unusable)
    return interaction, None, tuple(unusable)
