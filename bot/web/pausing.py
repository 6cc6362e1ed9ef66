"""What the buttons about time on a card's page do. None of them answers it."""

from __future__ import annotations

from blocks.web.later import HAND_ON, PUT_OFF, SNOOZE, TO, UNTIL
from blocks.web.parts import typed
from bot.web.desk import Opened
from bot.web.security import Posted
from core.fields import Fields
from core.people import Target, Via
from core.ports import Context
from core.use_cases.later import hand_on, put_off


def time_fields(posted: Posted) -> dict[str, str]:
    """The fields about time of a posted form."""
    return {name: posted[name][-1] for name in (UNTIL, TO) if posted.get(name)}


async def take_time(context: Context, opened: Opened, button: str, fields: Fields) -> str:
    """Do what one of `TIMES` says, and name what was done: `PUT_OFF` or `HAND_ON`. Raises a `Refused`; `Invalid` at
    `/until` or `/to`."""
    interaction, candidate = opened.interaction, opened.candidate
    workspace, id = interaction.workspace, interaction.id
    if button == HAND_ON:
        await hand_on(context, workspace, id, candidate, Via.REVIEW, Target(handle=typed(fields, TO)))
        return HAND_ON
    option = int(button.removeprefix(SNOOZE)) if button != PUT_OFF else None
    await put_off(context, workspace, id, candidate, Via.REVIEW, option=option, words=typed(fields, UNTIL))
    return PUT_OFF
