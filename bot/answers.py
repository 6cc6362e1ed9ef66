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
class Verdict:
    """What somebody decided about one item, and when."""

    verdict: str
    reason: str | None
    by: By
    at: datetime

    @classmethod
    def of(cls, verdict: Mapping[str, Any]) -> Verdict:
        """Read a verdict as the API shows it."""
        at = datetime.fromisoformat(verdict["at"])
        return cls(verdict["verdict"], verdict["reason"], By(**verdict["by"]), at)


@dataclass(frozen=True)
class Task:
    """A task that somebody accepted. `key` is the asker's name for it, `parent` the id of the task above it,
    `interaction` the card it was suggested on."""

    id: str
    interaction: str
    key: str
    title: str
    description: str | None
    parent: str | None
    assignee: str | None
    priority: str | None
    by: By
    at: datetime

    @classmethod
    def of(cls, task: Mapping[str, Any]) -> Task:
        """Read a task as the API shows it."""
        return cls(**{**task, "by": By(**task["by"]), "at": datetime.fromisoformat(task["at"])})


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
        """Whether a confirmation was accepted, suggested tasks were created, a connection was granted. Everything else,
        expiry too, is no."""
        return self.status == "accepted"

    @property
    def revision(self) -> int:
        """Which revision of the content this is; every act names the one that it saw."""
        return int(self.raw["revision"])

    @property
    def progress(self) -> Mapping[str, Any] | None:
        """What is ticked or judged so far, in the shape of the answer; None for kinds that save nothing before their
        end."""
        found: Mapping[str, Any] | None = self.raw.get("progress")
        return found

    @property
    def selected(self) -> tuple[str, ...]:
        """The items that were ticked in the end, or the keys of the tasks that were created."""
        return tuple(self._part("selected", ()))

    @property
    def skipped(self) -> tuple[str, ...]:
        """The keys of the suggested tasks that were not created."""
        return tuple(self._part("skipped", ()))

    @property
    def created(self) -> Mapping[str, str]:
        """The ids of the tasks that were created, by key. `Client.tasks` tells the rest of them."""
        return {one["key"]: one["id"] for one in self._part("created", ())}

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdicts by item, once every item has one."""
        return {item: Verdict.of(one) for item, one in self._part("verdicts", {}).items()}

    @property
    def late(self) -> Mapping[int, str]:
        """Which of the verdicts that were just given came too late, by their place, and what stands instead."""
        return {int(one["pointer"].split("/")[2]): one["detail"] for one in self.raw.get("late", ())}

    def _part(self, name: str, empty: Any) -> Any:
        """A part of the answer, of the kinds that have it."""
        return empty if self._questions() else (self.answer or {}).get(name, empty)

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
