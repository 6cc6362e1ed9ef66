"""The protocol as a table: one row per structure, which the parser and the speller both follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.sentences.rests import ORDER, RESULT, Rest, plain
from core.sentences.shapes import BLANK
from core.sentences.tokens import TOKENS, Reach
from core.sentences.values import (
    Ack,
    Claim,
    ContractFooter,
    Decline,
    Directive,
    FleetAlert,
    JobMarker,
    NoAction,
    Nudge,
    Result,
    RuntimeContext,
    Sentence,
    SubagentUpdate,
    ToolCall,
    WorkOrder,
)

FIELD = re.compile(r"\{(\w+)\}")
_TAG = re.compile(r"\[([A-Za-z-]+(?: [A-Z][a-z]+)?)")
_WORD = re.compile(r"\s+|\w[\w-]*|.")


@dataclass(frozen=True)
class Part:
    """A stretch of a template: a pattern, and behind it the field whose end no pattern can find, if there is one."""

    pattern: re.Pattern[str]
    open_field: str | None = None


@dataclass(frozen=True)
class Form:
    """How one structure is said: `template` with its fields in braces, then `marks` in any order, then the rest.

    `roomy` is another way to write the template, for a field that needs lines of its own.
    """

    make: type[Sentence]
    template: str
    marks: tuple[str, ...] = ()
    rest: Rest | None = None
    roomy: str | None = None

    @cached_property
    def tag(self) -> str:
        """The words that the sentence begins with."""
        found = _TAG.match(self.template)
        return found[1] if found else ""

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The template as patterns. Capitals do not matter, nor do spaces beside brackets."""
        return tuple(_parts(self.template, self.tag))


MARKS = {"claimed_sender": "from", "priority": "priority", "due": "due"}
"""The word of every mark, by the field it fills: `[from ana] [priority high] [due 2026-03-01T09:00:00Z]`."""

FOOTER = Form(
    ContractFooter,
    "Reply: [ACK {reference}] seen | [CLAIM {reference}] mine | [RESULT {reference}] done"
    " | [DECLINE {reference}] | [NO-ACTION {reference}].",
)
"""Written like every other form; read by `footers`, since whatever resembles it must not count."""

FORMS: tuple[Form, ...] = (
    # An order without a title is no order, so what follows it is its title whatever it looks like.
    Form(WorkOrder, "[WO:{id}]", marks=("claimed_sender", "priority", "due"), rest=ORDER),
    # An acknowledgement says all in its brackets; what follows is conversation.
    Form(Ack, "[ACK:{reference}]", marks=("claimed_sender",)),
    # So does a claim.
    Form(Claim, "[CLAIM {reference}]"),
    # Evidence may be long: a summary has paragraphs and code.
    Form(Result, "[RESULT {reference}]", rest=RESULT),
    # A reason is optional to the parser; the loop asks for one.
    Form(Decline, "[DECLINE {reference}]", rest=plain("reason", yields=True)),
    # The same.
    Form(NoAction, "[NO-ACTION {reference}]", rest=plain("reason", yields=True)),
    # Only the JSON says where it ends: its strings may hold brackets.
    Form(ToolCall, "[TOOL {op} {arguments}]"),
    # A marker stands before the task when it is given out and before the result when it comes back.
    Form(JobMarker, "[JOB {reference}]", rest=plain("task", yields=True)),
    # The colon announces the prompt, so what follows is the prompt.
    Form(
        Nudge,
        "[NUDGE {reference}] [nudge {count}/{most}] Deadline {deadline}:",
        rest=plain("prompt", yields=False),
    ),
    # The same with the message.
    Form(FleetAlert, "[fleet-alert] {severity}:", rest=plain("message", yields=False)),
    # May quote other sentences, which then are not said.
    Form(Directive, "[Directive: {text}]", roomy="[Directive:\n{text}\n]"),
    # Its address may hold brackets in pairs.
    Form(RuntimeContext, "[Runtime Context: {url}]"),
    # The relayed output, when it is attached, may quote anything.
    Form(
        SubagentUpdate,
        "[SUBAGENT-UPDATE] Subagent '{title}' ({short_id}) has posted new output.",
        rest=plain("details", yields=False),
    ),
)
"""Everything that is said in brackets."""


def mark_pattern(name: str) -> re.Pattern[str]:
    """The pattern of a mark behind the template, its value in the group `value`."""
    word, value = re.escape(MARKS[name]), TOKENS[name].extent
    joint = f"(?:{BLANK}*+:{BLANK}*+|{BLANK}++)"
    return re.compile(rf"{BLANK}*+\[{BLANK}*+(?ai:{word}){joint}(?P<value>{value}){BLANK}*+\]")


def _parts(template: str, tag: str) -> Iterator[Part]:
    pattern = rf"\[{BLANK}*+(?ai:{f'{BLANK}++'.join(map(re.escape, tag.split()))})"
    pieces = FIELD.split(template.removeprefix(f"[{tag}"))  # words, field, words … words
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            # Between a tag and its id a colon is as good as a space.
            either = index == 0 and piece in {":", " "}
            pattern += f"(?:{BLANK}*+:{BLANK}*+|{BLANK}++)" if either else _words(piece)
            continue
        extent = TOKENS[piece].extent
        if isinstance(extent, Reach):
            yield Part(re.compile(pattern), piece)
            pattern = ""
        else:
            pattern += f"(?P<{piece}>{extent})"
    yield Part(re.compile(pattern.removesuffix(f"{BLANK}*+")))


def _words(words: str) -> str:
    """The pattern for fixed words of a template."""
    pattern = ""
    for found in _WORD.finditer(words):
        match found[0]:
            case "[" | "]" | "(" | ")" | ":" as sign:
                pattern += rf"{BLANK}*+{re.escape(sign)}{BLANK}*+"
            case "'":
                pattern += "['‘’]"  # chats make them curly
            case ".":
                pattern += r"\.?+"
            case word if word.isspace():
                beside = {words[found.start() - 1 : found.start()], words[found.end() : found.end() + 1]}
                pattern += f"{BLANK}*+" if beside & set("[]():") else f"{BLANK}++"
            case word:
                pattern += f"(?ai:{re.escape(word)})"
    return pattern
