"""What one format is: a request as a product would send it, what a person answers, and what is saved of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Act:
    """One call that answers by API: `POST /v1/interactions/{id}/{name}` with this body and the revision."""

    name: str
    body: Json


@dataclass(frozen=True)
class Format:
    """One way to ask.

    `room` is the conversation it is asked in. `request` is the body of `POST /v1/interactions` without `to` and
    `audience`. `acts` answer it by API. However it is answered, `status`, `answer` and `reason` are what its outcome
    must then say, apart from what `essence` leaves out.
    """

    id: str
    name: str
    room: str
    request: Json
    acts: tuple[Act, ...]
    answer: Json
    status: str = "answered"
    reason: str | None = None


def of_questions(id: str, name: str, room: str, request: Json, questions: tuple[Json, ...], answer: Json) -> Format:
    """A format of kind `questions`, whose saved answer is what was given."""
    asked = {**request, "kind": "questions", "payload": {"questions": list(questions)}}
    return Format(id, name, room, asked, (Act("respond", {"answers": dict(answer)}),), answer)


def options(labels: Mapping[str, str], **more: Json) -> list[dict[str, Any]]:
    """Options by id; `more` holds further members of one, under its id."""
    return [{"id": id, "label": label, **more.get(id, {})} for id, label in labels.items()]


def essence(answer: Any) -> Any:
    """A saved answer without what differs each time: who did a part of it, when, and the ids of created tasks."""
    if isinstance(answer, Mapping):
        kept = {name: essence(value) for name, value in answer.items() if name not in ("by", "at")}
        return {"key": kept["key"]} if kept.keys() == {"key", "id"} else kept
    return [essence(one) for one in answer] if isinstance(answer, list) else answer
