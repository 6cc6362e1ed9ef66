"""What the controls about time do once their presser is admitted, and what the words of their forms mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.audience import Candidate
from core.awaited import awaited, awaited_words, clock, held_words
from core.controls import Action, Control
from core.errors import Invalid
from core.fields import Fields
from core.nudging import next_nudge
from core.people import Target, Via
from core.ports import Context, Work
from core.publications import Publication
from core.quiet import zone_of
from core.records import Interaction
from core.replies import Quiet, Reply, Saved, Told, Wrong
from core.use_cases.held import held_reminders
from core.use_cases.later import hand_on_in, put_off_in, until_of, zone_for
from core.use_cases.recipients import Lookups, named_people
from core.use_cases.recording import redraw_all

TIMED = frozenset({Action.MENU, Action.SNOOZE, Action.PUT_OFF, Action.DELEGATE, Action.AWAITED})
"""The controls that are about time."""
IN_WORDS = frozenset({Action.PUT_OFF, Action.DELEGATE})
"""Those of them that ask for words."""


@dataclass(frozen=True)
class Acting:
    """Who acts on which card, through what."""

    interaction: Interaction
    publications: Sequence[Publication]
    candidate: Candidate
    via: Via
    key: str


async def press_timed(work: Work, context: Context, acting: Acting, control: Control, message: str) -> Reply:
    """Do what a control about time stands for that asks for no words. Raises a `Refused`."""
    match control.action:
        case Action.SNOOZE:
            reply = await _put_off(work, context, acting, control, {})
            await _show_menu(work, context, acting, _copies(acting, message), shown=False)
            return reply
        case Action.AWAITED:
            return Told(await whom_it_waits_for(work, context, acting.interaction, acting.candidate))
        case Action.MENU:
            await _show_menu(work, context, acting, _copies(acting, message), shown=control.option == 0)
            return Quiet()
        case _:
            return Quiet()


def _copies(acting: Acting, message: str) -> list[Publication]:
    """The pressed copy."""
    return [one for one in acting.publications if one.message == message]


async def _show_menu(
    work: Work, context: Context, acting: Acting, copies: Sequence[Publication], *, shown: bool
) -> None:
    """Show what can be done about time on these copies, or their controls again."""
    other = [one for one in copies if one.menu is not shown]
    for copy in other:
        await work.save_publication(copy.model_copy(update={"menu": shown}))
    await redraw_all(work, context, acting.interaction, other, context.clock.now())


async def take_timed(
    work: Work, context: Context, acting: Acting, control: Control, fields: Fields, target: Target | None = None
) -> Reply:
    """Take the words of a form about time: until when, or whom to. Once they are taken, the card shows its controls
    again. Raises a `Refused` that is no fault of form."""
    reply = await _taken(work, context, acting, control, fields, target)
    if isinstance(reply, Saved):
        own = [one for one in acting.publications if one.number == control.publication]
        await _show_menu(work, context, acting, own, shown=False)
    return reply


async def _taken(
    work: Work, context: Context, acting: Acting, control: Control, fields: Fields, target: Target | None
) -> Reply:
    try:
        if control.action is Action.PUT_OFF:
            return await _put_off(work, context, acting, control, fields)
        given = fields.get("to")
        whom = target or Target(handle=given if isinstance(given, str) else "")
        _, person = await hand_on_in(
            work, context, acting.interaction, acting.publications, acting.candidate, acting.via, whom,
            provider_event=acting.key,
        )  # fmt: skip
        return Saved(f"{person.name} may answer this now as well, and is told so where I can reach them.", unseen=True)
    except Invalid as invalid:
        return Wrong(invalid.faults, tuple(one.pointer.lstrip("/") for one in invalid.faults))


async def _put_off(work: Work, context: Context, acting: Acting, control: Control, fields: Fields) -> Reply:
    until = await until_of(work, control, fields, acting.candidate.person, context.clock.now())
    await put_off_in(
        work, context, acting.interaction, acting.publications, acting.candidate, acting.via, until,
        publication=control.publication, provider_event=acting.key,
    )  # fmt: skip
    zone = zone_of(await zone_for(work, acting.candidate.person))
    return Saved(f"I will remind you on {clock(until, zone)}.", unseen=True)


async def whom_it_waits_for(work: Lookups, context: Context, interaction: Interaction, candidate: Candidate) -> str:
    """Whom a card waits for, in the words and the zone of whoever asks."""
    named = await named_people(work, interaction)
    now, zone = context.clock.now(), zone_of(await zone_for(work, candidate.person))
    coming = next_nudge(interaction)
    found = awaited(interaction, named, coming if coming is not None and coming > now else None, now)
    waiting = await held_reminders(work, interaction.workspace, [interaction], now)
    held = held_words(waiting.get(interaction.id, ()), zone)
    return f"{awaited_words(found, zone)} {held}".strip()
