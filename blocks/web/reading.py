"""From a posted form to the fields that every surface speaks, and back to the spelling the form carries.

Option ids may hold anything, while a browser rewrites line ends and drops what it cannot show: so a form carries them
percent-encoded. Nothing but the form's own names is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never
from urllib.parse import quote, unquote

from core.errors import Fault
from core.fields import Fields
from core.forms import custom_name, field_name
from core.kinds import AnyPayload, Confirmation, Questions
from core.kinds.base import pointer
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion

OWN_WORDS = "%"
"""The value of the choice `Other`: no id is spelled like it."""
ALWAYS = ("comment", "note", "seen")
"""Fields that every form has: words that decide nothing, an operator's note, and what was shown (see `changes`)."""


def own_words_name(index: int) -> str:
    """The field that says `Other` was chosen for the question at `index`, whether or not words were typed."""
    return f"q{index}.other"


def spelled(id: str) -> str:
    """An option's id as the form carries it."""
    return quote(id, safe="", errors="surrogatepass")


def read_form(payload: AnyPayload, posted: Mapping[str, Sequence[str]]) -> dict[str, str | tuple[str, ...]]:
    """The fields of a posted form. Unknown names are left out; line ends are one character."""
    fields: dict[str, str | tuple[str, ...]] = {}
    for name in (*_names(payload), *ALWAYS):
        if posted.get(name):
            fields[name] = _unwound(posted[name][-1])
    if not isinstance(payload, Questions):
        return fields
    for index, question in enumerate(payload.questions):
        name = field_name(index)
        values = posted.get(name, ())
        match question:
            case ChoicesQuestion():
                ids = tuple(unquote(value, errors="surrogatepass") for value in values if value != OWN_WORDS)
                fields[name] = tuple(dict.fromkeys(ids))
            case ChoiceQuestion():
                fields.pop(name, None)
                if values and values[-1] != OWN_WORDS:
                    fields[name] = unquote(values[-1], errors="surrogatepass")
            case _:
                continue
        if OWN_WORDS in values:
            fields[own_words_name(index)] = "yes"
    return fields


def _names(payload: AnyPayload) -> Iterator[str]:
    match payload:
        case Questions():
            for index, question in enumerate(payload.questions):
                yield field_name(index)
                if isinstance(question, ChoiceQuestion | ChoicesQuestion) and question.custom:
                    yield custom_name(index)
        case Confirmation():
            yield "reason"
        case _:
            assert_never(payload)


def _unwound(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_blank(fields: Fields) -> bool:
    """Whether nothing was filled in."""
    return not any(value for name, value in fields.items() if name != "seen")


def form_faults(payload: AnyPayload, fields: Fields) -> tuple[Fault, ...]:
    """What only a form can have wrong: `Other` chosen and nothing written."""
    if not isinstance(payload, Questions):
        return ()
    return tuple(
        Fault(pointer("answers", question.id, "custom"), "write your own words, or choose something else")
        for index, question in enumerate(payload.questions)
        if fields.get(own_words_name(index)) and not str(fields.get(custom_name(index), "")).strip()
    )
