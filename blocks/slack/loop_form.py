"""The form of a work order in Slack: the words of a result, or why it is declined or needs nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from blocks.codec import Codec
from blocks.slack import inputs
from blocks.slack.limits import TEXT_INPUT_MAX_LENGTH
from blocks.slack.modal import CALLBACK, Sight
from blocks.slack.parts import Block, context, mrkdwn, plain, words
from blocks.slack.prose import line, prose
from blocks.slack.text import escape
from blocks.words import listed, one_line, who
from core.loops.controls import REASON_FIELD, RESULT_FIELD, LoopAction
from core.loops.replies import OpenLoopForm
from core.people import Identity
from core.sentences.values import Status

TITLES: Final[Mapping[LoopAction, str]] = {
    LoopAction.DONE: "Done",
    LoopAction.DECLINE: "Decline",
    LoopAction.NO_ACTION: "No action",
}
ASKS: Final[Mapping[LoopAction, tuple[str, str]]] = {
    LoopAction.DONE: (RESULT_FIELD, "What came of it"),
    LoopAction.DECLINE: (REASON_FIELD, "Why it is declined"),
    LoopAction.NO_ACTION: (REASON_FIELD, "Why nothing needs to be done"),
}
STATUS_HINT: Final = f"It may begin with {listed([one.value for one in Status], 'or')}."


def loop_form(form: OpenLoopForm, codec: Codec, person: Identity, sight: Sight) -> Block:
    """The view for a result or a reason; nobody but `person` can submit its token. What is sent ends the work order, or
    the share of it that the control names."""
    loop, control = form.loop, form.control
    field, label = ASKS[control.action]
    share = f" (slot {control.slot})" if control.slot is not None else ""
    given = form.fields.get(field)
    asked = inputs.text(
        # A new state of the work order asks anew: nothing typed under an older one is kept.
        f"{field}:{loop.version}",
        label,
        given if isinstance(given, str) else None,
        TEXT_INPUT_MAX_LENGTH.number,
        multiline=True,
    )
    if control.action is LoopAction.DONE:
        asked["hint"] = plain(STATUS_HINT)
    told = f"Your words go to {escape(who(loop.sender))} and will be shown in {sight.mrkdwn}."
    return {
        "type": "modal",
        "callback_id": CALLBACK,
        "title": plain(TITLES[control.action]),
        "submit": plain("Submit"),
        "close": plain("Cancel"),
        "private_metadata": json.dumps(
            {"token": codec.pack_loop(control, str(person)), "channel": sight.channel}, separators=(",", ":")
        ),
        "blocks": [
            context(mrkdwn(told)),
            *prose(line(words(one_line(loop.title) or "…", "bold"), words(f" {loop.name}{share}"))),
            asked,
        ],
    }
