"""The statements of an ask and of a press, built once: building one takes longer than running it.

What differs from one time to the next are their parameters, which are named after columns; those that an UPDATE looks
for begin with `own_`.
"""

from __future__ import annotations

from functools import cache

from sqlalchemy import UpdateBase, and_, bindparam, delete, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from core.store.columns import UtcDateTime
from core.store.directory import select_connections, select_people
from core.store.prepared import OFTEN
from core.store.tables import (
    CLAIMED,
    WAITING,
    agents,
    answerers,
    connections,
    drafts,
    events,
    idempotency,
    identities,
    inbox,
    interactions,
    loop_requests,
    outbox,
    people,
    prompts,
    publications,
    receipts,
    sightings,
    workspaces,
)


class Insert:
    """Rows as they are."""

    INTERACTION = insert(interactions).execution_options(**OFTEN)
    ANSWERERS = insert(answerers).execution_options(**OFTEN)
    PUBLICATION = insert(publications).execution_options(**OFTEN)
    RECEIPT = insert(receipts).execution_options(**OFTEN)
    EVENT = insert(events).execution_options(**OFTEN)
    DELIVERY = insert(outbox).inline().execution_options(**OFTEN)
    REQUEST = insert(idempotency).execution_options(**OFTEN)


TAKE_POSITIONS = (
    update(workspaces)
    .where(workspaces.c.id == bindparam("own_id"))
    .values(position=workspaces.c.position + bindparam("taken", type_=workspaces.c.position.type))
    .returning(workspaces.c.position)
    .execution_options(**OFTEN)
)
"""Takes so many positions for events, the last of which it gives, and locks the others out until the commit."""
PLACED_EVENT = (
    insert(events)
    .values(
        {
            **{
                column.name: bindparam(column.name, type_=column.type)
                for column in events.c
                if column.name != "position"
            },
            "position": select(workspaces.c.position - bindparam("behind", type_=workspaces.c.position.type))
            .where(workspaces.c.id == bindparam("workspace", type_=events.c.workspace.type))
            .scalar_subquery(),
        }
    )
    .execution_options(**OFTEN)
)
"""An event so many places `behind` the last position that its transaction took of its workspace."""
INTERACTION = (
    select(interactions)
    .where(interactions.c.workspace == bindparam("workspace"), interactions.c.id == bindparam("id"))
    .with_for_update(key_share=True)
    .execution_options(**OFTEN)
)
SAVE_INTERACTION = (
    update(interactions)
    .where(
        interactions.c.id == bindparam("own_id"),
        interactions.c.workspace == bindparam("own_workspace"),
        interactions.c.version == bindparam("own_version"),
        interactions.c.status == bindparam("own_status"),
    )
    .execution_options(**OFTEN)
)
SAVE_INTERACTION_IN_TIME = SAVE_INTERACTION.where(
    or_(interactions.c.due_at.is_(None), interactions.c.due_at > bindparam("own_now", type_=UtcDateTime()))
)
COPIES = (
    select(publications)
    .where(publications.c.interaction == bindparam("interaction"))
    .order_by(publications.c.number)
    .execution_options(**OFTEN)
)
LAST_RECEIPT = (
    select(receipts)
    .where(receipts.c.interaction == bindparam("interaction"))
    .order_by(receipts.c.seq.desc())
    .limit(1)
    .execution_options(**OFTEN)
)
PERSON_BY_IDENTITY = select_people(
    people.c.workspace == bindparam("workspace"),
    people.c.id
    == select(identities.c.person)
    .where(
        identities.c.workspace == bindparam("workspace"),
        identities.c.provider == bindparam("provider"),
        identities.c.account == bindparam("account"),
        identities.c.user == bindparam("user"),
    )
    .scalar_subquery(),
).execution_options(**OFTEN)
AGENT_BY_NAME = (
    select(agents)
    .where(agents.c.workspace == bindparam("workspace"), agents.c.name == bindparam("name"))
    .execution_options(**OFTEN)
)
CONNECTIONS = select_connections(bindparam("workspace", type_=connections.c.workspace.type)).execution_options(**OFTEN)
REQUEST = (
    select(idempotency.c.digest, idempotency.c.response)
    .where(idempotency.c.agent == bindparam("agent"), idempotency.c.key == bindparam("key"))
    .union_all(
        select(loop_requests.c.digest, loop_requests.c.response).where(
            loop_requests.c.agent == bindparam("agent"), loop_requests.c.key == bindparam("key")
        )
    )
    .execution_options(**OFTEN)
)
FREE_REQUEST = (
    delete(idempotency).where(idempotency.c.interaction == bindparam("interaction")).execution_options(**OFTEN)
)
PROMPTS = (
    select(prompts)
    .where(
        prompts.c.provider == bindparam("provider"),
        prompts.c.account == bindparam("account"),
        prompts.c.channel == bindparam("channel"),
        prompts.c.interaction == bindparam("interaction"),
    )
    .order_by(prompts.c.message)
    .execution_options(**OFTEN)
)
DROP_DRAFTS_IN_CHAT = (
    delete(drafts)
    .where(and_(drafts.c.interaction == bindparam("interaction"), ~drafts.c.scope.startswith("review:")))
    .execution_options(**OFTEN)
)
WAITING_REDRAW = (
    select(outbox.c.seq, outbox.c.due_at, outbox.c.last_error)
    .where(
        outbox.c.lane == bindparam("lane"),
        outbox.c.key == bindparam("key"),
        outbox.c.publication == bindparam("publication"),
        outbox.c.state == WAITING,
    )
    .order_by(outbox.c.seq)
    .limit(1)
    .with_for_update()
    .execution_options(**OFTEN)
)
BEING_SAID = (
    select(outbox.c.seq)
    .where(outbox.c.lane == bindparam("lane"), outbox.c.key == bindparam("key"), outbox.c.state == CLAIMED)
    .limit(1)
    .execution_options(**OFTEN)
)
DONE_ARRIVAL = update(inbox).where(inbox.c.key == bindparam("own_key")).execution_options(**OFTEN)


@cache
def note_sighting(*, on_postgres: bool) -> UpdateBase:
    """Say when somebody was seen somewhere."""
    noted = postgresql.insert(sightings) if on_postgres else sqlite.insert(sightings)
    return noted.on_conflict_do_update(
        index_elements=["person", "conversation"], set_={"seen_at": noted.excluded.seen_at}
    ).execution_options(**OFTEN)


@cache
def enter_arrival(*, on_postgres: bool) -> UpdateBase:
    """Enter an arrival. One that is there already is locked, and stays as it was; either way its state is returned."""
    entered = postgresql.insert(inbox) if on_postgres else sqlite.insert(inbox)
    kept = entered.on_conflict_do_update(index_elements=["key"], set_={"key": entered.excluded.key})
    return kept.returning(inbox.c.state).execution_options(**OFTEN)
