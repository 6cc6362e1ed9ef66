"""Presses on inline buttons, and what the bot answered to each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TapAnswer:
    """What answerCallbackQuery showed: a toast, an alert, or nothing; `after` seconds from the press."""

    text: str
    show_alert: bool
    url: str | None
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """One press. `answer` is None while the client still shows its progress mark."""

    id: str
    user_id: int
    chat_id: int
    message_id: int
    data: str
    elapsed: float
    answer: TapAnswer | None = None

    @property
    def text(self) -> str | None:
        """What the person was shown, None while unanswered."""
        return self.answer.text if self.answer else None
