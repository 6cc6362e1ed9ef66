"""What a program gets back from asking: the answer, who gave it, and everything else that is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

PENDING = "pending"


@dataclass(frozen=True)
class By:
    """Who settled it: a person, an agent or the timer, and the identity they used (`slack:T1.U1`)."""

    type: str
    id: str | None
    handle: str | None
    identity: str | None


@dataclass(frozen=True)
class Answer:
    """An interaction as it stands. While `status` is `pending` there is no answer yet and the rest is empty.

    `answer` has the shape of its kind, `default` is the policy's answer beside an expiry, `raw` is all the API said.
    """

    id: str
    status: str
    answer: Mapping[str, Any] | None = None
    by: By | None = None
    at: datetime | None = None
    via: str | None = None
    reason: str | None = None
    receipt: str | None = None
    default: Mapping[str, Any] | None = None
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, interaction: Mapping[str, Any]) -> Answer:
        """Read an interaction as the API shows it."""
        outcome = interaction["outcome"]
        if outcome is None:
            return cls(interaction["id"], interaction["status"], raw=interaction)
        return cls(
            id=interaction["id"],
            status=outcome["status"],
            answer=outcome["answer"],
            by=By(**outcome["by"]),
            at=datetime.fromisoformat(outcome["at"]),
            via=outcome["via"],
            reason=outcome["reason"],
            receipt=outcome["receipt"],
            default=outcome["default"],
            raw=interaction,
        )

    @property
    def settled(self) -> bool:
        """Whether it ended, with or without an answer."""
        return self.status != PENDING

    @property
    def accepted(self) -> bool:
        """Whether a confirmation was accepted. Everything else, expiry too, is no."""
        return self.status == "accepted"

    def value(self, question: str | None = None) -> Any:
        """The answer to one question: an option's id, text, a number, a date or a bool; own words where they were given
        instead; a tuple of them for a question that takes several.

        `question` may be left out when there was one. Raises `LookupError` when that question has no answer.
        """
        given = self._given(question)
        if "values" in given or (given.get("custom") is not None and self._takes_several(question)):
            own = (given["custom"],) if given.get("custom") is not None else ()
            return (*given.get("values", ()), *own)
        return given["custom"] if given.get("custom") is not None else given["value"]

    def _given(self, question: str | None) -> Mapping[str, Any]:
        answers = self.answer or {}
        name = question if question is not None else self._only()
        if name not in answers:
            raise LookupError(f"{self.id} is {self.status} and has no answer to {name!r}")
        found: Mapping[str, Any] = answers[name]
        return found

    def _only(self) -> str:
        asked = self._questions()
        if len(asked) != 1:
            raise LookupError(f"{self.id} asked {len(asked)} questions: name one of {', '.join(asked) or 'none'}")
        return next(iter(asked))

    def _questions(self) -> Mapping[str, Mapping[str, Any]]:
        return {one["id"]: one for one in self.raw.get("payload", {}).get("questions", ())}

    def _takes_several(self, question: str | None) -> bool:
        name = question if question is not None else self._only()
        return self._questions().get(name, {}).get("type") == "choices"
