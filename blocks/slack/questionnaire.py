"""Questions as the input blocks of a modal: one of them, or all of a form under each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from blocks.codec import Codec
from blocks.slack import inputs
from blocks.slack.demands import wanted
from blocks.slack.limits import OPTION_DESCRIPTION, length
from blocks.slack.parts import Block, plain
from blocks.slack.questions import asked_in_form, takes_own_words
from blocks.words import neutralise
from core.controls import Action
from core.fields import Fields
from core.forms import custom_name, field_name
from core.kinds.base import LONGEST_REASON, Option
from core.kinds.questions import BooleanQuestion, ChoiceQuestion, ChoicesQuestion, Question, Questions
from core.people import Identity
from core.records import Interaction
from core.replies import OpenForm

OWN_WORDS: Final = "Your own words"
INSTEAD: Final = "Other: my own words, below"
NEITHER: Final = "No answer"
EITHER: Final = "An answer is needed: choose here, or write your own below."
"""Said where two fields are one answer, which Slack can only call optional both."""
LONGEST_LABEL: Final = 300
"""A longer prompt stands above its field: labels are set in bold."""


def field_block_id(name: str, interaction: Interaction) -> str:
    """The block id of a form field: new with every revision."""
    return f"{name}:{interaction.revision}"


def text_given(fields: Fields, name: str) -> str | None:
    """What a field holds so far, as text."""
    value = fields.get(name)
    return "".join(value) if isinstance(value, tuple) else value


def words_field(form: OpenForm, name: str, label: str, most: int, *, optional: bool = False) -> Block:
    """A field for words in several lines."""
    block_id = field_block_id(name, form.interaction)
    return inputs.text(block_id, label, text_given(form.fields, name), most, multiline=True, optional=optional)


def question_field(form: OpenForm, codec: Codec, person: Identity, question: Question) -> list[Block]:
    """The field of the question that the form's control names; the question itself stands above it."""
    label = "Options" if isinstance(question, ChoiceQuestion | ChoicesQuestion) else inputs.YOURS
    return _field(form, codec, person, question, label)


def own_words_field(form: OpenForm, index: int, label: str = OWN_WORDS, *, optional: bool = False) -> Block:
    """The field for own words on a question with options."""
    return words_field(form, custom_name(index), label, LONGEST_REASON, optional=optional)


def questionnaire(form: OpenForm, codec: Codec, person: Identity, payload: Questions) -> list[Block]:
    """Every question of a form with its field, and own words as one more field where they are an answer."""
    return [
        block
        for index, question in enumerate(payload.questions)
        for block in _part(replace(form, control=replace(form.control, question=index)), codec, person, question)
    ]


def _part(form: OpenForm, codec: Codec, person: Identity, question: Question) -> Iterator[Block]:
    """One question: its prompt as the label of its field where everything fits there, else above it."""
    index = form.control.question
    # What is suggested is filled in already, so its field need not say it.
    must = "" if isinstance(question, BooleanQuestion) else wanted(question)
    either = EITHER if question.required and takes_own_words(question) else ""
    hint = "\n".join(part for part in (neutralise(question.help or "").strip(), must, either) if part)
    remarks = _remarks(question)
    prompt = neutralise(question.prompt).strip()
    compact = 0 < length(prompt) <= LONGEST_LABEL and length(hint) <= LONGEST_LABEL
    compact = compact and all(length(remark) <= OPTION_DESCRIPTION.number for remark in remarks)
    if compact:
        *above, made = _field(form, codec, person, question, prompt, remarks)
        said = "\n".join(part for part in (hint, made.get("hint", {}).get("text", "")) if part)
        yield from above
        yield {**made, "hint": plain(said)} if said else made
    else:
        yield from asked_in_form(question)
        yield from _field(form, codec, person, question, f"Answer to question {index + 1}")
    if takes_own_words(question):
        named = f"Other: {prompt}" if compact else f"Other answer to question {index + 1}"
        yield own_words_field(form, index, named, optional=True)


def _field(
    form: OpenForm, codec: Codec, person: Identity, question: Question, label: str, remarks: list[str] | None = None
) -> list[Block]:
    name = field_name(form.control.question)
    block_id = field_block_id(name, form.interaction)
    if not isinstance(question, ChoiceQuestion | ChoicesQuestion):
        return inputs.answer(block_id, question, text_given(form.fields, name), label)
    initial = (question.initial,) if isinstance(question.initial, str) else question.initial or ()
    given = form.fields.get(name, initial)
    picked = ((given,) if given else ()) if isinstance(given, str) else given
    first = replace(form.control, action=Action.PICK, option=0)
    said = remarks or [""] * len(question.options)
    element = inputs.offered(question, said, picked, codec, first, str(person), _none(question))
    return [inputs.field(block_id, label, element, optional=_may_be_empty(question))]


def _none(question: ChoiceQuestion | ChoicesQuestion) -> str:
    """What choosing none of the options is called, where one that was chosen could not be taken back otherwise."""
    if isinstance(question, ChoicesQuestion):
        return ""
    return INSTEAD if question.custom else NEITHER if not question.required else ""


def _may_be_empty(question: ChoiceQuestion | ChoicesQuestion) -> bool:
    least = question.least if isinstance(question, ChoicesQuestion) else 1
    return question.custom or not question.required or least == 0


def _remarks(question: Question) -> list[str]:
    """What options say beyond their labels, to stand below each. What is suggested is chosen already."""
    if not isinstance(question, ChoiceQuestion | ChoicesQuestion):
        return []
    return [_remark(one) for one in question.options]


def _remark(one: Option) -> str:
    parts = ["recommended" if one.recommended else "", neutralise(one.description or "").strip()]
    return " · ".join(part for part in parts if part)
