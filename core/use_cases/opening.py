"""Asking for words: by a prompt where the chat has no modal, else by a form filled with what is known."""

from __future__ import annotations

from collections.abc import Sequence

from core.audience import Candidate
from core.controls import ASIDE, Action, Control
from core.errors import Forged
from core.kinds import Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.item_verdicts import standing_on
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.replies import OpenForm, Reply, Told
from core.use_cases.arrivals import Press
from core.use_cases.drafting import note_answering, own_draft
from core.use_cases.picking import NOT_HERE, item_of, picked_fields, question_of, verdict_of
from core.use_cases.prompting import ask_words
from core.use_cases.stepping import fills_draft

WRITE_HERE = "Reply to my message with your words."


def check_form(interaction: Interaction, control: Control) -> None:
    """Raise `Forged` unless the card has the form that the control opens."""
    payload = interaction.content.payload
    match control.action:
        case Action.WRITE | Action.OTHER | Action.SEARCH:
            question_of(interaction, control)
        case Action.JUDGE if isinstance(payload, ItemVerdicts):
            item_of(payload, control)
            verdict_of(payload, control)
        case Action.REASON if isinstance(payload, Confirmation | SuggestedTasks | ConnectionRequest):
            pass
        case Action.FORM if isinstance(payload, Questions):
            pass
        case Action.COMMENT | Action.PUT_OFF | Action.DELEGATE:
            pass
        case _:
            raise Forged(NOT_HERE)


async def open_form(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    arrival: Press,
    candidate: Candidate,
) -> Reply:
    """Ask for words: by a prompt where the chat has no modal, else by a form filled with what is known."""
    control, payload = arrival.control, interaction.content.payload
    check_form(interaction, control)
    if control.action is Action.JUDGE and isinstance(payload, ItemVerdicts):
        stands = standing_on(payload, interaction.verdicts, item_of(payload, control))
        if stands is not None:
            return Told(f"{stands}.")
    if arrival.prompts:
        # In a group the words go into a form that one person holds, so whoever cannot have it is not asked.
        if fills_draft(interaction, control):
            await own_draft(work, interaction, arrival.conversation, candidate, context.clock.now())
        elif control.action not in ASIDE:
            await note_answering(work, context, interaction, publications, candidate)
        await ask_words(
            work, context, interaction, publications, control, control.action, control.question, candidate,
            arrival.message,
        )  # fmt: skip
        return Told(WRITE_HERE)
    picked = picked_fields(interaction, arrival.picked)
    if control.action in ASIDE:
        return OpenForm(interaction, control, picked)
    draft = await own_draft(work, interaction, str(arrival.identity), candidate, context.clock.now())
    fields = {**draft.fields, **picked}
    await note_answering(work, context, interaction, publications, candidate, fields)
    # A reason belongs to one verdict on one item, so that of another is not shown again.
    return OpenForm(interaction, control, {} if control.action is Action.JUDGE else fields)
