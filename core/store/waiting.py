"""Which pending interactions may wait on a person, as one condition shared by the work and the read side."""

from __future__ import annotations

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, exists, func, or_, select

from core.kinds import Kind
from core.people import Identity, Person, Role
from core.publications import PublicationState
from core.store.tables import PENDING, answerers, interactions, publications, sightings
from core.store.urgency import less_urgent, most_urgent_first
from core.urgency import Urgency


def select_open_for(workspace: str, person: Person, after: Urgency | None, limit: int) -> Select[tuple[object, ...]]:
    """Pending, not dismissed interactions that name this person, or are for a conversation where they were seen or
    that is their own, and to operators the connections that only they can grant; in the order of their urgency."""
    table = interactions.c
    return (
        select(interactions)
        .where(
            table.workspace == workspace,
            table.status == PENDING,
            table.dismissed_at.is_(None),
            or_(
                _is_for(*_names(person)),
                and_(_is_for("conversation"), _is_where_they_are(workspace, person)),
                *([table.kind == Kind.CONNECTION.value] if person.role is Role.OPERATOR else []),
            ),
            *less_urgent(table.expires_at, table.id, "int", after),
        )
        .order_by(*most_urgent_first(table.expires_at, table.id))
        .limit(limit)
    )


def select_unseen(workspace: str, person: Person, limit: int) -> Select[tuple[object, ...]]:
    """A copy in each conversation of a chat of this person's that something pending is asked of as a whole, and where
    they were not seen yet; those asked last first."""
    copies = publications.c
    newest = (
        select(func.max(copies.id))
        .join(interactions, interactions.c.id == copies.interaction)
        .where(
            copies.workspace == workspace,
            copies.state != PublicationState.FAILED.value,
            copies.provider.in_({identity.provider for identity in person.identities}),
            copies.conversation.not_in(_seen(workspace, person)),
            interactions.c.status == PENDING,
            interactions.c.dismissed_at.is_(None),
            _is_for("conversation"),
        )
        .group_by(copies.conversation)
    )
    return select(publications).where(copies.id.in_(newest)).order_by(copies.id.desc()).limit(limit)


def _is_for(*names: str) -> ColumnElement[bool]:
    return (
        exists()
        .where(answerers.c.interaction == interactions.c.id, answerers.c.answerer.in_(names))
        .correlate(interactions)
    )


def _names(person: Person) -> list[str]:
    """Every spelling of an answerer that names this person, as `rows.answerer_key` stores them."""
    names = [f"person:{person.handle}"]
    if person.role is Role.OPERATOR:
        names.append("role:operator")
    for identity in person.identities:
        names.append(f"{identity.provider}:{identity.user}")
        if identity.account:
            names.append(str(identity))
    return names


def _is_where_they_are(workspace: str, person: Person) -> ColumnElement[bool]:
    seen = _seen(workspace, person)
    own = [_is_own(identity) for identity in person.identities if identity.provider in ("slack", "telegram")]
    return (
        exists()
        .where(
            publications.c.interaction == interactions.c.id,
            or_(publications.c.conversation.in_(seen), *own),
        )
        .correlate(interactions)
    )


def _seen(workspace: str, person: Person) -> ScalarSelect[str]:
    return (
        select(sightings.c.conversation)
        .where(sightings.c.workspace == workspace, sightings.c.person == person.id)
        .scalar_subquery()
    )


def _is_own(identity: Identity) -> ColumnElement[bool]:
    """A direct message: addressed to the user, whichever of the workspace's connections carries it."""
    same = [publications.c.provider == identity.provider, publications.c.place == identity.user]
    if identity.provider == "slack":
        same.append(publications.c.account.in_([identity.account, ""]))
    return and_(*same)
