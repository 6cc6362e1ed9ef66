"""Input blocks of modals: one per field of a form, by the type of its question."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import assert_never

from blocks.codec import Codec
from blocks.slack.controls import Choice, choose
from blocks.slack.demands import decimal
from blocks.slack.limits import PLACEHOLDER, TEXT_INPUT_MAX_LENGTH, length
from blocks.slack.parts import Block, context, option, plain
from blocks.slack.sizes import ONE_IN_A_FORM, SEVERAL, control_for
from blocks.slack.text import plain as outside
from blocks.words import neutralise
from core.controls import Control
from core.forms import NO, YES, parse_number
from core.kinds.questions import (
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    TextQuestion,
    parse_day,
)

PlainQuestion = TextQuestion | NumberQuestion | DateQuestion | BooleanQuestion
VALUE = "value"
"""The action id of every input: a field's name is its block id."""
YOURS = "Your answer"


def field(block_id: str, label: str, element: Block, *, optional: bool = False) -> Block:
    """An input block around one element."""
    made: Block = {"type": "input", "block_id": block_id, "label": plain(label), "element": element}
    return {**made, **({"optional": True} if optional else {})}


def text(
    block_id: str, label: str, initial: str | None, most: int, *, multiline: bool, optional: bool = False
) -> Block:
    """A field for words, at most `most` characters."""
    element = {"type": "plain_text_input", "action_id": VALUE, "multiline": multiline, "max_length": most}
    if initial:
        element["initial_value"] = initial
    return field(block_id, label, element, optional=optional)


def answer(block_id: str, question: PlainQuestion, given: str | None, label: str = YOURS) -> list[Block]:
    """The field of a question without options of its own, holding `given` or what the asker filled in."""
    optional = not question.required
    match question:
        case TextQuestion():
            return _text(block_id, question, given, label)
        case NumberQuestion():
            return [field(block_id, label, _number(question, given), optional=optional)]
        case DateQuestion():
            day = given if given and parse_day(given) else question.initial
            element: Block = {"type": "datepicker", "action_id": VALUE, **({"initial_date": day} if day else {})}
            return [field(block_id, label, element, optional=optional)]
        case BooleanQuestion():
            return [field(block_id, label, _yes_or_no(question, given), optional=optional)]
        case _:
            assert_never(question)


def offered(
    question: ChoiceQuestion | ChoicesQuestion,
    remarks: Sequence[str],
    picked: Collection[str],
    codec: Codec,
    first: Control,
    holder: str,
    none: str = "",
) -> Block:
    """The element of a question with options, those in `picked` chosen and each with its remark below it. `first` is
    the PICK control of its option 0; `none` is the label of a last option that stands for none of them."""
    many = isinstance(question, ChoicesQuestion)
    sizes = SEVERAL if many else ONE_IN_A_FORM
    choices = [
        Choice(neutralise(one.label), place, remark)
        for place, (one, remark) in enumerate(zip(question.options, remarks, strict=True))
    ]
    values = [one.id for one in question.options]
    if none and control_for(len(choices) + 1, sizes):
        choices.append(Choice(none, len(choices)))
        values.append("")
    kind = control_for(len(choices), sizes) or sizes[-1].element
    element = choose(codec, kind, choices, first, holder)
    if kind == "multi_static_select" and isinstance(question, ChoicesQuestion) and not question.custom:
        element["max_selected_items"] = question.most
    chosen = [made for made, value in zip(element["options"], values, strict=True) if value in picked]
    if chosen:
        element |= {"initial_options": chosen} if many else {"initial_option": chosen[0]}
    return element


def _text(block_id: str, question: TextQuestion, given: str | None, label: str) -> list[Block]:
    initial = given or question.initial
    multiline = question.multiline or "\n" in (initial or "")
    # An empty text may be an answer: then Slack must let it be sent.
    optional = not question.required or question.min_length == 0
    most = min(question.max_length, TEXT_INPUT_MAX_LENGTH.number)
    made = text(block_id, label, initial, most, multiline=multiline, optional=optional)
    element = made["element"]
    if question.min_length:
        element["min_length"] = question.min_length
    if question.pattern_hint:
        made["hint"] = outside(question.pattern_hint)
    example = neutralise(question.placeholder or "").strip()
    if not example:
        return [made]
    if length(example) > PLACEHOLDER.number:
        return [context(plain(f"For example: {example}")), made]
    element["placeholder"] = plain(example)
    return [made]


def _number(question: NumberQuestion, given: str | None) -> Block:
    element: Block = {
        "type": "number_input",
        "action_id": VALUE,
        "is_decimal_allowed": not question.integer,
    }
    typed = parse_number(given) if given else question.initial
    for name, number in (("initial_value", typed), ("min_value", question.min), ("max_value", question.max)):
        if isinstance(number, int | float):
            element[name] = decimal(number)
    return element


def _yes_or_no(question: BooleanQuestion, given: str | None) -> Block:
    yes, no = option("Yes", YES), option("No", NO)
    element: Block = {"type": "radio_buttons", "action_id": VALUE, "options": [yes, no]}
    chosen = {YES: True, NO: False}.get(given or "", question.initial)
    if chosen is not None:
        element["initial_option"] = yes if chosen else no
    return element
