"""The sentences that agents and people say in brackets, heard and said: `[CLAIM 7f]`, `[RESULT 7f] OK done`.

`parse` hears every sentence in a text, `around` is the rest of that text, `spell` says a sentence. `speakable`,
`speakable_title`, `speakable_update` and `split_status` make what somebody typed fit to be said. Whether a sentence
names a loop that is known, and whether its speaker may say it, is judged elsewhere; a name within the text is never
evidence of who spoke.

`values` has what can be said, `forms` how, as a table; `tokens` and `rests` have the fields within. `hidden`, `footers`
and `nesting` tell what does not count; `reading` and `parser` follow the table one way, `speller` the other.
"""

from __future__ import annotations

from core.sentences.parser import around, parse
from core.sentences.rests import split_status, split_title
from core.sentences.speller import spell
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
    Reference,
    Result,
    RuntimeContext,
    Sentence,
    Span,
    Status,
    SubagentUpdate,
    ToolCall,
    WorkOrder,
)
from core.sentences.wording import speakable, speakable_title, speakable_update

__all__ = [
    "Ack",
    "Claim",
    "ContractFooter",
    "Decline",
    "Directive",
    "FleetAlert",
    "JobMarker",
    "NoAction",
    "Nudge",
    "Reference",
    "Result",
    "RuntimeContext",
    "Sentence",
    "Span",
    "Status",
    "SubagentUpdate",
    "ToolCall",
    "WorkOrder",
    "around",
    "parse",
    "speakable",
    "speakable_title",
    "speakable_update",
    "spell",
    "split_status",
    "split_title",
]
