"""What a person has filled in but not submitted, and prompts that wait for words."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.controls import Action
from core.people import Value

HOLD = timedelta(minutes=2)
"""How long one person holds a shared form after their last touch."""


class Draft(Value):
    """`scope` is where it lives: `review:per_1`, `slack:T1.U1` (a person's modal), `telegram:42` (a private chat) or
    `telegram:-100` (a group, where one person at a time holds it). `fields` as in `core.fields.Fields`.

    `step` is the question shown of a form that is filled in one by one (their number: the summary; None: closed),
    `search` what the options are narrowed to. `live`: others are shown that this person is answering.
    """

    interaction: str
    scope: str
    person: str
    name: str
    revision: int
    fields: dict[str, str | tuple[str, ...]]
    updated_at: datetime
    step: int | None = None
    search: str = ""
    live: bool = True

    @property
    def is_shared(self) -> bool:
        """Whether it lives in a group, where one person at a time holds it. Telegram numbers groups below zero."""
        provider, _, place = self.scope.partition(":")
        return provider == "telegram" and place.rpartition(".")[2].startswith("-")

    def is_held(self, now: datetime) -> bool:
        """Whether the hold of a shared form still stands."""
        return self.updated_at + HOLD > now


class Prompt(Value):
    """A message of ours whose reply is taken as the words for `action` (one of `OPENS_FORM`).

    `question` and `option` are those of the control that asked. `person` is the only one whose reply counts; None:
    whoever the audience admits (the card itself).
    """

    provider: str
    account: str
    channel: str
    message: str
    workspace: str
    interaction: str
    publication: int
    revision: int
    action: Action
    question: int = 0
    option: int = 0
    person: str | None = None
