"""Who is acting: the person an identity is proved for, made a member when nobody added them."""

from __future__ import annotations

import re
import unicodedata

from core.people import Identity, Person, Role, Standing
from core.ports import Context, Work

_GAPS = re.compile(r"[^a-z0-9]+")


def handle_from(name: str, fallback: str) -> str:
    """A handle made of a display name: lower-case ASCII letters and digits joined by `-`, at most 32 characters."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    return _GAPS.sub("-", plain).strip("-")[:32].strip("-") or fallback


async def recognise(work: Work, context: Context, workspace: str, identity: Identity, standing: Standing) -> Person:
    """The person this identity is proved for; a presser nobody added becomes a member with an automatic handle.

    `Raced` when two first presses of one identity meet: try again and find the person.
    """
    known = await work.person_by_identity(workspace, identity)
    if known is not None:
        return known
    stem = handle_from(standing.name, f"{identity.provider}-{identity.user.lower()}")
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
