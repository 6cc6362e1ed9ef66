"""Forgetting a person: what waits for them goes on without them, and a pseudonym takes their place in all that is kept.

All of it is done in short transactions that may be done again, so that nobody waits and whoever is cut off starts anew.
"""

from __future__ import annotations

from core.audit import About, Changed
from core.errors import Invalid, NotFound
from core.loops.access import PersonSpeaks
from core.loops.acts import NoAction
from core.loops.values import Loop
from core.loops.wording import forgotten_words
from core.people import Membership, Person, Role, Standing, Via
from core.ports import Context, Work
from core.pseudonyms import GONE, Chat, Pseudonym, accounts_of, names_of, pseudonym
from core.use_cases.auditing import note
from core.use_cases.deliver import fail_copy
from core.use_cases.left_alone import settle_left_alone
from core.use_cases.loop_moving import move_in
from core.use_cases.loops_left import tell_of
from core.use_cases.recording import take_out
from core.use_cases.retaining import Rest, no_rest
from core.use_cases.transact import transact

BATCH = 50
"""Rows in one transaction."""
SENDER_GONE = "Whoever ordered it was forgotten."
RECIPIENT_GONE = "Whoever was to do it, or had it, was forgotten."


async def forget_person(context: Context, workspace: str, handle: str, *, rest: Rest = no_rest) -> str:
    """Put a pseudonym in the place of a person wherever they are named, and remove them; return the pseudonym.

    Open cards in their own chats are taken out of there and go to their fallbacks; those that only they could answer
    are settled as undeliverable. Of work that they were to do, or have, the sender and the operators are told; what
    they ordered in their own chat ends. Raises `NotFound`, and `Invalid` for the last operator.
    """

    async def found(work: Work) -> Person:
        person = await work.person_by_handle(workspace, handle)
        if person is None:
            raise NotFound(f"There is nobody with the handle {handle}.")
        await _check_others(work, person)
        return person

    person = await transact(context, found)
    alias = pseudonym(person)

    async def removed(work: Work) -> None:
        await _check_others(work, person)
        current = await work.person(workspace, person.id) or person
        await work.remove_person(workspace, person.id)
        for identity in current.identities:
            await work.forget_standing(workspace, identity)
        await settle_left_alone(work, context, workspace, [*names_of(current), f"person:{alias}"])
        await note(work, context, workspace, Changed.PERSON_FORGOTTEN, About(type="person", id=person.id, name=alias))

    await _leave(context, person)
    # Once before, so that whoever is cut off finds them again; once more for what they did meanwhile, when where they
    # were is not known any more.
    before = await _chats(context, person)
    await _redact(context, Pseudonym(person, alias, before), rest)
    await transact(context, removed)
    chats = tuple(dict.fromkeys((*before, *await _chats(context, person))))
    await _redact(context, Pseudonym(person, alias, chats), rest)
    return alias


async def _check_others(work: Work, person: Person) -> None:
    operators = await work.locked_operators(person.workspace)
    current = await work.person(person.workspace, person.id) or person
    if current.role is Role.OPERATOR and set(operators) <= {person.id}:
        raise Invalid.at("/handle", f"{person.handle} is the last operator; make somebody else one first")


async def _leave(context: Context, person: Person) -> None:
    """Let what waits for them in their own chats, or for their work, go on without them."""

    async def taken_out(work: Work) -> int:
        copies = await work.open_copies_to(person.workspace, person, 1)
        for one in copies:
            copy = await work.publication(one.id) or one
            if copy.channel and copy.message:
                at = (copy.channel, copy.message)
                await take_out(work, context, copy.workspace, copy.provider, copy.account, at, context.clock.now())
            await fail_copy(work, context, copy, GONE)
        return len(copies)

    while await transact(context, taken_out):
        pass
    for loop in await transact(context, lambda work: work.loops_of_person(person.workspace, person)):

        async def left(work: Work, id: str = loop.id) -> None:
            current = await work.loop(person.workspace, id)
            if current is not None and current.is_open:
                await _leave_loop(work, context, current, person)

        await transact(context, left)


async def _leave_loop(work: Work, context: Context, loop: Loop, person: Person) -> None:
    card, accounts = loop.card, accounts_of(person)
    own_chat = card is not None and any(one.is_at(card.provider, card.account, card.place) for one in accounts)
    if own_chat and card is not None and card.channel and card.message:
        at = (card.channel, card.message)
        await take_out(work, context, loop.workspace, card.provider, card.account, at, context.clock.now())
    if own_chat and loop.sender.id == person.id:
        speaker = PersonSpeaks(person, None, Standing(), Membership.YES, Via.TIMER)
        await move_in(work, context, loop, NoAction(SENDER_GONE), speaker)
    else:
        await tell_of(work, context, loop, RECIPIENT_GONE, forgotten_words(loop))


async def _chats(context: Context, person: Person) -> tuple[Chat, ...]:
    return await transact(context, lambda work: work.chats_of(person))


async def _redact(context: Context, who: Pseudonym, rest: Rest) -> None:
    after: str | None = ""
    while after is not None:

        async def some(work: Work, mark: str = after) -> str | None:
            return await work.redact_person(who, context.clock.now(), mark, BATCH)

        after = await transact(context, some)
        await rest()
