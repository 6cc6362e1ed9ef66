"""One question as a Telegram card: its prompt, what can be chosen, and the buttons to choose it with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

from blocks.telegram.asked import Asked, Entry, Search
from blocks.telegram.choosing import TICKED, UNTICKED, Offer, Offers, how_many, offers
from blocks.telegram.expected import expected, spelled
from blocks.telegram.keyboard import Button, Controls
from blocks.telegram.parts import code
from blocks.telegram.sizes import KEPT_OPTIONS, PAGE_ROWS, per_row
from blocks.telegram.text import escape
from core.controls import Action
from core.fields import Fields
from core.forms import custom_name, field_name
from core.kinds.questions import (
    CHAT_TEXT,
    BooleanQuestion,
    ChoiceQuestion,
    ChoicesQuestion,
    DateQuestion,
    NumberQuestion,
    Question,
    TextQuestion,
)
from core.searching import matching

LEAVE: Final = "Leave unanswered"
SEARCH: Final = "Search…"
SHOW_ALL: Final = "Show all"


def asked(question: Question, index: int, controls: Controls) -> Asked | None:
    """What the card shows of the question at `index`; None when it asks for a text that no chat can bring back."""
    prompt = f"<b>{escape(question.prompt)}</b>"
    about = (prompt, escape(question.help or ""), "" if question.required else "An answer is optional.")
    match question:
        case ChoiceQuestion():
            return _choice(question, index, about, controls)
        case ChoicesQuestion():
            return _choices(question, index, about, controls)
        case BooleanQuestion():
            return _boolean(question, index, about, controls)
        case TextQuestion():
            return None if question.max_length > CHAT_TEXT else _words(question, index, about, controls)
        case NumberQuestion() | DateQuestion():
            return _words(question, index, about, controls)
        case _:
            assert_never(question)


def single(question: Question, controls: Controls) -> Asked | None:
    """A card with this question alone. Its answer may be left out by a press; where several are ticked, Submit does."""
    found = asked(question, 0, controls)
    if found is None or question.required or isinstance(question, ChoicesQuestion):
        return found
    return replace(found, beside=(*found.beside, controls.submit(LEAVE)))


def nothing(question: Question) -> int:
    """The option that stands for no answer: one past the last."""
    match question:
        case ChoiceQuestion() | ChoicesQuestion():
            return len(question.options)
        case BooleanQuestion():
            return 2
        case TextQuestion() | NumberQuestion() | DateQuestion():
            return 0
        case _:
            assert_never(question)


def offered(question: Question) -> str:
    """What could be chosen, in words, for a card whose buttons are gone; nothing where that is a long list."""
    match question:
        case ChoiceQuestion() | ChoicesQuestion():
            return _offers(question).lines() if len(question.options) <= KEPT_OPTIONS.most else ""
        case BooleanQuestion():
            return "• Yes\n• No"
        case TextQuestion() | NumberQuestion() | DateQuestion():
            return ""
        case _:
            assert_never(question)


def _offers(question: ChoiceQuestion | ChoicesQuestion) -> Offers:
    initial = question.initial or ()
    suggested = (initial,) if isinstance(initial, str) else initial
    return offers(
        [
            Offer(
                option.label,
                tuple(
                    mark
                    for mark, holds in (("recommended", option.recommended), ("suggested", option.id in suggested))
                    if holds
                ),
                option.description or "",
            )
            for option in question.options
        ]
    )


def _choice(question: ChoiceQuestion, index: int, about: tuple[str, ...], controls: Controls) -> Asked:
    found = _offers(question)
    buttons = [controls.button(text, Action.ANSWER, index, option) for option, text in enumerate(found.captions)]
    return Asked(
        paragraphs=about,
        entries=_entries(found, buttons),
        per_row=per_row(found.captions),
        listed=found.listed,
        search=_search(question, index, controls),
        beside=_other(question, index, controls),
        own_words=question.custom,
    )


def _choices(question: ChoicesQuestion, index: int, about: tuple[str, ...], controls: Controls) -> Asked:
    found = _offers(question)
    ticked = _ticked(question, index, controls.card.draft)
    texts = [
        f"{TICKED if option.id in ticked else UNTICKED} {text}"
        for option, text in zip(question.options, found.captions, strict=True)
    ]
    buttons = [controls.button(text, Action.TOGGLE, index, option) for option, text in enumerate(texts)]
    none = "" if question.required or question.least == 0 else ", or none"
    return Asked(
        paragraphs=about,
        how=(f"Tick {how_many(question.least, question.most)}{none}, then press Submit.",),
        notes=_ticked_so_far(question, index, ticked, controls.card.draft),
        entries=_entries(found, buttons),
        per_row=per_row(texts),
        listed=found.listed,
        search=_search(question, index, controls),
        submit=((controls.submit("Submit", index),),),
        beside=_other(question, index, controls),
        own_words=question.custom,
    )


def _entries(found: Offers, buttons: Sequence[Button]) -> tuple[Entry, ...]:
    return tuple(Entry(((button,),), found.line(option)) for option, button in enumerate(buttons))


def _boolean(question: BooleanQuestion, index: int, about: tuple[str, ...], controls: Controls) -> Asked:
    suggested = "" if question.initial is None else f"Suggested answer: {'Yes' if question.initial else 'No'}"
    buttons = [controls.button(text, Action.ANSWER, index, option) for option, text in enumerate(("Yes", "No"))]
    return Asked(
        paragraphs=(*about, suggested), entries=tuple(Entry(((button,),)) for button in buttons), per_row=len(buttons)
    )


def _words(
    question: TextQuestion | NumberQuestion | DateQuestion, index: int, about: tuple[str, ...], controls: Controls
) -> Asked:
    initial = spelled(question.initial)
    suggested = f"Suggested answer: {code(initial)}" if initial else ""
    example = ""
    if isinstance(question, TextQuestion) and question.placeholder:
        example = f"For example: {escape(question.placeholder)}"
    return Asked(
        paragraphs=(*about, suggested, example, expected(question)),
        how=("Reply to this message with your answer.",),
        submit=((controls.button("Answer…", Action.WRITE, index),),),
    )


def _search(question: ChoiceQuestion | ChoicesQuestion, index: int, controls: Controls) -> Search:
    start = controls.button(SEARCH, Action.SEARCH, index)
    end = controls.button(SHOW_ALL, Action.SEARCH, index, 1)
    wanted = controls.card.search.strip()
    if not wanted:
        return Search(start, end)
    found = matching([option.label for option in question.options], wanted)
    said = f"{len(found)} of {len(question.options)} options contain “{escape(wanted)}”."
    return Search(start, end, found, said)


def _other(question: ChoiceQuestion | ChoicesQuestion, index: int, controls: Controls) -> tuple[Button, ...]:
    return (controls.button("Other…", Action.OTHER, index),) if question.custom else ()


def _ticked(question: ChoicesQuestion, index: int, draft: Fields | None) -> Sequence[str]:
    if draft is None:
        return question.initial or ()
    ticked = draft.get(field_name(index), ())
    return (ticked,) if isinstance(ticked, str) else ticked


def _ticked_so_far(
    question: ChoicesQuestion, index: int, ticked: Sequence[str], draft: Fields | None
) -> tuple[str, ...]:
    """What the buttons in sight may not show: ticks on other pages, and own words that wait for Submit."""
    words = (draft or {}).get(custom_name(index), "")
    own = words if isinstance(words, str) and words.strip() else ""
    labels = [option.label for option in question.options if option.id in ticked]
    is_long = len(question.options) > PAGE_ROWS.most
    full = [f"Ticked: {escape(', '.join(labels))}"] if labels and is_long else []
    short = [f"{len(labels)} ticked."] if labels and is_long else []
    if own:
        full.append(f"Own words: {escape(own)}")
        short.append("Own words are noted.")
    return ("\n".join(full), "\n".join(short)) if full else ("",)
