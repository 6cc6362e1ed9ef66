"""What the sender of a work order and the operators are told where they are: a refusal, an escalation."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from core.addresses import ChatAddress, PersonAddress
from core.errors import Invalid
from core.loops.owed import OfferAgain
from core.loops.values import Loop
from core.outbox import Lane, Say
from core.people import Person
from core.ports import Context, Work
from core.use_cases.destinations import resolve
from core.use_cases.recording import owe


async def tell_sender(
    work: Work, context: Context, loop: Loop, text: str, now: datetime, *, offers: bool = False
) -> None:
    """Tell a person who ordered it; a program hears of it by event. `offers`: they can dispatch it again from there."""
    sender = await _sender(work, loop)
    if sender is not None:
        await tell(work, context, loop.workspace, [sender], text, now, offered=loop if offers else None)


async def tell_all(work: Work, context: Context, loop: Loop, text: str, now: datetime) -> None:
    """Tell the sender and the operators, each once. Any of them can dispatch it again from there."""
    await tell(work, context, loop.workspace, await brought_in(work, loop), text, now, offered=loop)


async def brought_in(work: Work, loop: Loop) -> tuple[Person, ...]:
    """The people whom a loop is taken to: the sender, where that is one, and the operators."""
    sender = await _sender(work, loop)
    people = [*([sender] if sender else []), *await work.operators(loop.workspace)]
    return tuple({one.id: one for one in people}.values())


async def tell(
    work: Work,
    context: Context,
    workspace: str,
    people: Iterable[Person],
    text: str,
    now: datetime,
    *,
    offered: Loop | None = None,
) -> None:
    """Tell people in the chat they prefer; whoever has none finds it on the page of loops. `offered`: the order that
    they may dispatch again."""
    for person in people:
        place = await _chat_of(work, workspace, person)
        if place is None:
            continue
        words: Say | OfferAgain = Say(
            provider=place.provider.value, account=place.account or "", channel=place.place, text=text
        )
        if offered is not None:
            words = OfferAgain(loop=offered.id, **words.model_dump(include={"provider", "account", "channel", "text"}))
        conversation = str(ChatAddress(place.provider, place.account, place.place))
        await owe(work, context, workspace, Lane.POST, conversation, words, now)


async def _sender(work: Work, loop: Loop) -> Person | None:
    if loop.sender.type != "person" or loop.sender.id is None:
        return None
    return await work.person(loop.workspace, loop.sender.id)


async def _chat_of(work: Work, workspace: str, person: Person) -> ChatAddress | None:
    try:
        (place,) = await resolve(work, workspace, [PersonAddress(person.handle)], [""])
    except Invalid:
        return None
    return place if place.account else None
