"""Forms as modals: all answers of a form, the words, number or day that answers, own words, a reason, a comment.

A modal names the conversation that will see the answer, shows what is asked whole, and carries a token that only its
person can use. Its input blocks are named for the form's fields, as `field:revision`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from blocks.codec import Codec
from blocks.slack import inputs, later, questions
from blocks.slack.check import check_view
from blocks.slack.connection import DECLINE
from blocks.slack.parts import Block, context, mrkdwn, option, plain, words
from blocks.slack.passages import Passage
from blocks.slack.prose import line, prose
from blocks.slack.questionnaire import (
    field_block_id,
    own_words_field,
    question_field,
    questionnaire,
    text_given,
    words_field,
)
from blocks.slack.sizes import fits_control
from blocks.slack.suggested_tasks import NONE
from blocks.slack.text import escape
from blocks.words import isolate, neutralise, one_line, who
from core.controls import Action, Control
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.base import LONGEST_REASON, Reason
from core.kinds.item_verdicts import VerdictItem, VerdictOption
from core.kinds.questions import ChoicesQuestion
from core.people import Identity
from core.records import Interaction
from core.replies import OpenForm

CALLBACK = "sayso_form"
TITLES: Mapping[Action, str] = {
    Action.WRITE: "Answer",
    Action.OTHER: "Other answer",
    Action.REASON: "Reason",
    Action.COMMENT: "Reply in words",
    Action.FORM: "Answer",
    Action.JUDGE: "Reason",
    Action.PUT_OFF: later.TITLE,
    Action.DELEGATE: later.TITLE,
}
ABOUT_TIME = frozenset({Action.PUT_OFF, Action.DELEGATE})
"""One form takes either: a time, or a person."""
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
    """The view for a form; nobody but `person` can submit its token. Closing it is told too.

    What a person has filled in so far can be more than Slack takes beside the questions: then the form begins anew.
    """
    view = _view(form, codec, person, sight)
    if form.fields and check_view(view):
        return _view(OpenForm(form.interaction, form.control), codec, person, sight)
    return view


def _view(form: OpenForm, codec: Codec, person: Identity, sight: Sight) -> Block:
    interaction, control = form.interaction, form.control
    if control.action in ABOUT_TIME:
        return _frame(control, later.tokens(control, codec, person), sight, later.fields(interaction, sight.mrkdwn))
    blocks = [
        context(mrkdwn(_who_sees(interaction, control.action, sight))),
        *_asked(interaction, control),
        *_fields(form, codec, person),
    ]
    return _frame(control, {"token": codec.pack(control, str(person))}, sight, blocks)


def _frame(control: Control, tokens: Mapping[str, str], sight: Sight, blocks: list[Block]) -> Block:
    kept = {**tokens, "channel": sight.channel}
    return {
        "type": "modal",
        "callback_id": CALLBACK,
        "title": plain(TITLES[control.action]),
        "submit": plain("Submit"),
        "close": plain("Cancel"),
        "notify_on_close": True,
        "private_metadata": json.dumps(kept, separators=(",", ":")),
        "blocks": blocks,
    }


def _who_sees(interaction: Interaction, action: Action, sight: Sight) -> str:
    asker = escape(who(interaction.creator))
    if action is Action.COMMENT and reject_label(interaction) is None:
        return f"Your words go to {asker} and decide nothing. The question stays open in {sight.mrkdwn}."
    if action is Action.COMMENT:
        return f"Your words go to {asker}. As a reason they are also shown in {sight.mrkdwn}, with the decision."
    if len(interaction.to) > 1:
        return f"Your answer will be shown in {sight.mrkdwn} and wherever else this was asked."
    return f"Your answer will be shown in {sight.mrkdwn}."


def reject_label(interaction: Interaction) -> str | None:
    """What rejecting is called, where words may be sent as its reason."""
    payload = interaction.content.payload
    match payload:
        case Confirmation():
            return None if payload.reason is Reason.NONE else payload.reject_label
        case SuggestedTasks():
            return NONE
        case ConnectionRequest():
            return DECLINE
        case Questions() | Checklist() | ItemVerdicts():
            return None
        case _:
            assert_never(payload)


def _asked(interaction: Interaction, control: Control) -> list[Block]:
    title = line(words(one_line(interaction.content.title) or "…", "bold"))
    payload = interaction.content.payload
    if control.action is Action.COMMENT:
        return prose(title)
    match payload:
        case Questions() if control.action is not Action.FORM:
            return [*prose(title), *questions.asked_in_form(payload.questions[control.question])]
        case ItemVerdicts():
            return prose(title, *_judged(*_verdict_of(payload, control)))
        case Questions() | Confirmation() | Checklist() | SuggestedTasks() | ConnectionRequest():
            return prose(title)
        case _:
            assert_never(payload)


def _judged(item: VerdictItem, verdict: VerdictOption) -> list[Passage]:
    """What the reason is for: the verdict and the item."""
    said = words(one_line(item.label) or "…")
    return [line(words(f"{one_line(verdict.label) or '…'}: ", "bold"), said)]


def _verdict_of(payload: ItemVerdicts, control: Control) -> tuple[VerdictItem, VerdictOption]:
    return payload.items[control.option], payload.verdicts[control.question]


def _fields(form: OpenForm, codec: Codec, person: Identity) -> list[Block]:
    if form.control.action is Action.COMMENT:
        typed = words_field(form, "comment", "Your words", LONGEST_COMMENT)
        rejects = reject_label(form.interaction)
        return [typed] if rejects is None else [typed, _meant_as(form, rejects)]
    payload = form.interaction.content.payload
    match payload:
        case Questions():
            return _answers(form, codec, person, payload)
        case Confirmation():
            optional = payload.reason is not Reason.REQUIRED
            label = neutralise(payload.reason_label).strip() or "Reason"
            return [words_field(form, "reason", label, LONGEST_REASON, optional=optional)]
        case ItemVerdicts():
            optional = _verdict_of(payload, form.control)[1].reason is not Reason.REQUIRED
            return [words_field(form, "reason", "Reason", LONGEST_REASON, optional=optional)]
        case SuggestedTasks() | ConnectionRequest() | Checklist():
            return [words_field(form, "reason", "Reason", LONGEST_REASON, optional=True)]
        case _:
            assert_never(payload)


def _answers(form: OpenForm, codec: Codec, person: Identity, payload: Questions) -> list[Block]:
    if form.control.action is Action.FORM:
        return questionnaire(form, codec, person, payload)
    index = form.control.question
    question = payload.questions[index]
    if form.control.action is not Action.OTHER:
        return question_field(form, codec, person, question)
    # Own words; beside the options where both count together.
    beside = question_field(form, codec, person, question) if isinstance(question, ChoicesQuestion) else []
    return [*beside, own_words_field(form, index)]


def _meant_as(form: OpenForm, rejects: str) -> Block:
    """Whether the words stay a comment or decide, as the reason of a reject."""
    comment = option("A comment", "comment", "decides nothing; the question stays open")
    label = neutralise(rejects) if fits_control(rejects) else "Reject"
    reject = option(label, "reject", "decides, with your words as the reason")
    chosen = reject if text_given(form.fields, "as") == "reject" else comment
    element: Block = {"type": "radio_buttons", "action_id": inputs.VALUE, "options": [comment, reject]}
    return inputs.field(field_block_id("as", form.interaction), "Send it as", {**element, "initial_option": chosen})
