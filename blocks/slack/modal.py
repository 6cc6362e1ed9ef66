"""Forms as modals: the words, number or day that answers, own words, a reason, a comment.

A modal names the conversation that will see the answer, shows what is asked whole, and carries a token that only its
person can use. Its input blocks are named for the form's fields, as `field:revision`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from blocks.codec import Codec
from blocks.slack import inputs, questions
from blocks.slack.parts import Block, context, mrkdwn, plain, words
from blocks.slack.prose import line, prose
from blocks.slack.text import escape
from blocks.words import isolate, neutralise, one_line, who
from core.controls import Action
from core.fields import Fields
from core.forms import custom_name, field_name
from core.kinds import Confirmation, Questions
from core.kinds.confirmation import LONGEST_REASON, Reason
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion, Question
from core.people import Identity
from core.records import Interaction
from core.replies import OpenForm

CALLBACK = "sayso_form"
TITLES: Mapping[Action, str] = {
    Action.WRITE: "Answer",
    Action.OTHER: "Other answer",
    Action.REASON: "Reason",
    Action.COMMENT: "Reply in words",
}
LONGEST_COMMENT = 3_000


@dataclass(frozen=True)
class Sight:
    """Where the form was opened: the channel's id and the app's name, to say who will see the answer."""

    channel: str
    app: str

    @property
    def mrkdwn(self) -> str:
        """The conversation, as a link to it or in words."""
        if self.channel.startswith(("C", "G")):
            return f"<#{self.channel}>"
        return f"your direct message with {escape(isolate(self.app)) or 'me'}"


def modal(form: OpenForm, codec: Codec, person: Identity, sight: Sight) -> Block:
    """The view for a form; nobody but `person` can submit its token."""
    interaction, control = form.interaction, form.control
    token = codec.pack(control, str(person))
    return {
        "type": "modal",
        "callback_id": CALLBACK,
        "title": plain(TITLES[control.action]),
        "submit": plain("Submit"),
        "close": plain("Cancel"),
        "private_metadata": json.dumps({"token": token, "channel": sight.channel}, separators=(",", ":")),
        "blocks": [
            context(mrkdwn(_who_sees(interaction, control.action, sight))),
            *_asked(interaction, control.action, control.question),
            *_fields(form, codec, person),
        ],
    }


def field_block_id(name: str, interaction: Interaction) -> str:
    """The block id of a form field: new with every revision."""
    return f"{name}:{interaction.revision}"


def _who_sees(interaction: Interaction, action: Action, sight: Sight) -> str:
    if action is Action.COMMENT:
        asker = escape(who(interaction.creator))
        return f"Your words go to {asker} and decide nothing. The question stays open in {sight.mrkdwn}."
    if len(interaction.to) > 1:
        return f"Your answer will be shown in {sight.mrkdwn} and wherever else this was asked."
    return f"Your answer will be shown in {sight.mrkdwn}."


def _asked(interaction: Interaction, action: Action, index: int) -> list[Block]:
    title = prose(line(words(one_line(interaction.content.title) or "…", "bold")))
    payload = interaction.content.payload
    match payload:
        case Questions():
            if action is Action.COMMENT or index >= len(payload.questions):
                return title
            return [*title, *questions.asked(payload.questions[index])]
        case Confirmation():
            return title
        case _:
            assert_never(payload)


def _fields(form: OpenForm, codec: Codec, person: Identity) -> list[Block]:
    interaction, control = form.interaction, form.control
    payload = interaction.content.payload
    if control.action is Action.COMMENT:
        return [_own_words(interaction, form.fields, "comment", "Your words", LONGEST_COMMENT)]
    match payload:
        case Confirmation():
            label = neutralise(payload.reason_label)
            optional = payload.reason is not Reason.REQUIRED
            return [_own_words(interaction, form.fields, "reason", label, LONGEST_REASON, optional=optional)]
        case Questions():
            question = payload.questions[control.question]
            if control.action is Action.OTHER:
                return _other(form, codec, person, question)
            if isinstance(question, ChoiceQuestion | ChoicesQuestion):
                return [_options(form, codec, person, question)]
            name = field_name(control.question)
            return inputs.answer(field_block_id(name, interaction), question, _text(form.fields, name))
        case _:
            assert_never(payload)


def _other(form: OpenForm, codec: Codec, person: Identity, question: Question) -> list[Block]:
    """Own words; beside the options where both count together."""
    interaction, control = form.interaction, form.control
    name = custom_name(control.question)
    typed = _own_words(interaction, form.fields, name, "Your own words", LONGEST_REASON)
    return [_options(form, codec, person, question), typed] if isinstance(question, ChoicesQuestion) else [typed]


def _options(form: OpenForm, codec: Codec, person: Identity, question: ChoiceQuestion | ChoicesQuestion) -> Block:
    name = field_name(form.control.question)
    initial = (question.initial,) if isinstance(question.initial, str) else question.initial or ()
    given = form.fields.get(name, initial)
    picked = (given,) if isinstance(given, str) else given
    first = replace(form.control, action=Action.PICK, option=0)
    return inputs.options(field_block_id(name, form.interaction), question, picked, codec, first, str(person))


def _own_words(
    interaction: Interaction, fields: Fields, name: str, label: str, most: int, *, optional: bool = False
) -> Block:
    return inputs.text(
        field_block_id(name, interaction), label, _text(fields, name), most, multiline=True, optional=optional
    )


def _text(fields: Fields, name: str) -> str | None:
    value = fields.get(name)
    return "".join(value) if isinstance(value, tuple) else value
