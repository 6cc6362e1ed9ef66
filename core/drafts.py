"""What a person has filled in but not submitted, and prompts that wait for words."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol

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
        # One of a clock that was ahead holds nobody up.
        return abs(now - self.updated_at) < HOLD


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


class DraftWork(Protocol):
    """The part of `core.ports.Work` that keeps drafts and prompts."""

    async def draft(self, interaction: str, scope: str) -> Draft | None:
        """What is filled in there."""

    async def save_draft(self, draft: Draft) -> None:
        """Insert or replace."""

    async def drop_draft(self, interaction: str, scope: str) -> None:
        """Forget."""

    async def live_drafts(self, interaction: str) -> tuple[Draft, ...]:
        """The drafts of people who are answering just now."""

    async def drop_drafts(self, interaction: str) -> None:
        """Forget all of an interaction that were filled in in a chat. What somebody typed on its page is still shown
        back to them."""

    async def prompt_at(self, provider: str, account: str, channel: str, message: str) -> Prompt | None:
        """The prompt that is this message."""

    async def add_prompt(self, prompt: Prompt) -> None:
        """Insert or replace."""

    async def prompts_in(self, interaction: str, provider: str, account: str, channel: str) -> tuple[Prompt, ...]:
        """The prompts about an interaction in one conversation."""

    async def drop_prompt(self, prompt: Prompt) -> None:
        """Forget one: a reply to it is words like any other."""
