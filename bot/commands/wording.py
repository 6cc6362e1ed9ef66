"""What a shell prints of an answer: the answer alone, in lines that a script can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.answers import Answer


def in_words(answer: Answer) -> list[str]:
    """The answer alone, a line for each thing that was chosen or decided. For every other end its name, and why if
    that is known."""
    made = _ANSWERS.get((str(answer.raw.get("kind")), answer.status))
    if made is not None:
        return made(answer)
    return [answer.status, *([answer.reason] if answer.reason else [])]


def _answers(answer: Answer) -> list[str]:
    """Each value; with its question in front where there were several."""
    asked = answer.raw["payload"]["questions"]
    lines: list[str] = []
    for question in asked:
        given = (answer.answer or {}).get(question["id"])
        if given is not None:
            front = f"{question['id']}: " if len(asked) > 1 else ""
            lines += [f"{front}{value}" for value in _values(question, given)]
    return lines


def _values(question: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    labels = {option["id"]: option["label"] for option in question.get("options", ())}
    chosen = [*given.get("values", ()), *([given["value"]] if given.get("value") is not None else ())]
    own = [given["custom"]] if given.get("custom") is not None else []
    return [*(labels.get(one, _plain(one)) for one in chosen), *own]


def _plain(value: Any) -> str:
    """As JSON spells it: a shell has no other word for true."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _ticked(answer: Answer) -> list[str]:
    labels = _labels(answer, "items")
    return [labels[id] for id in answer.selected]


def _judged(answer: Answer) -> list[str]:
    items, verdicts = _labels(answer, "items"), _labels(answer, "verdicts")
    return [
        f"{items[item]}: {verdicts[one.verdict]}{f' ({one.reason})' if one.reason else ''}"
        for item, one in answer.verdicts.items()
    ]


def _created(answer: Answer) -> list[str]:
    """The id of each task and the name that the asker gave it; the title may have been edited."""
    return [f"{id} {key}" for key, id in answer.created.items()]


def _labels(answer: Answer, field: str) -> dict[str, str]:
    return {one["id"]: one["label"] for one in answer.raw["payload"][field]}


_ANSWERS: Mapping[tuple[str, str], Callable[[Answer], list[str]]] = {
    ("questions", "answered"): _answers,
    ("checklist", "completed"): _ticked,
    ("item_verdicts", "completed"): _judged,
    ("suggested_tasks", "accepted"): _created,
}
"""By kind and status, where the status alone does not say it all."""
