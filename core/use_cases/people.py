"""Who is acting: the person an identity is proved for, made a member when nobody added them."""

from __future__ import annotations

import re

from core.audience import check_somebody
from core.people import Identity, Person, Role, Standing
from core.ports import Context, Work

_GAPS = re.compile(r"[^a-z0-9]+")


def handle_of(identity: Identity) -> str:
    """The handle that an account gets by itself, such as `slack-u0123`: at most 64 characters that a handle may have.

    It is made of the account and never of its display name. Audiences admit by handle and askers read it in answers,
    so whoever calls themselves `boss` must not become `person:boss` by pressing a button.
    """
    return f"{identity.provider}-{_GAPS.sub('-', identity.user.lower()).strip('-')}"[:60].rstrip("-")


async def recognise(work: Work, context: Context, workspace: str, identity: Identity, standing: Standing) -> Person:
    """The person this identity is proved for; a presser nobody added becomes a member with an automatic handle. Whoever
    acted first while their chat did not say what they are called has a name as soon as it does.

    `NotAnAnswerer` for bots and anonymous senders, who must not become anybody. `Raced` when two first presses of one
    identity meet: try again and find the person.
    """
    check_somebody(standing)
    known = await work.person_by_identity(workspace, identity)
    if known is not None:
        if not (known.automatic and known.name == known.handle and standing.name):
            return known
        named = known.model_copy(update={"name": standing.name})
        await work.name_person(named)
        return named
    stem = handle_of(identity)
    handle, number = stem, 1
    while await work.person_by_handle(workspace, handle) is not None:
        number += 1
        handle = f"{stem}-{number}"
    person = Person(
        id=context.ids.new("per"),
        workspace=workspace,
        handle=handle,
        name=standing.name or handle,
        role=Role.MEMBER,
        identities=(identity,),
        automatic=True,
    )
    await work.add_person(person)
    return person
