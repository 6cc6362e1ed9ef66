"""What a format's request and answer say, for those who give that answer by hand."""

from __future__ import annotations

from typing import Any

from bot.sandbox.gallery import Format


def payload_of(one: Format) -> dict[str, Any]:
    """What is asked."""
    payload: dict[str, Any] = one.request["payload"]
    return payload


def questions_of(one: Format) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each question with the answer to it."""
    return [(question, one.answer[question["id"]]) for question in payload_of(one)["questions"]]


def labels_of(question: dict[str, Any], given: dict[str, Any]) -> list[str]:
    """The labels of the options that are chosen."""
    wanted = given.get("values", [given.get("value")])
    return [option["label"] for option in question["options"] if option["id"] in wanted]


def new_ticks(one: Format) -> list[str]:
    """What is to be ticked of a checklist or of tasks, beyond what is ticked from the start."""
    payload = payload_of(one)
    items = payload["items"] if "items" in payload else payload["tasks"]
    return [
        item.get("label") or item["title"]
        for item in items
        if (item.get("id") or item["key"]) in one.answer["selected"]
        if not item.get("checked" if "items" in payload else "recommended")
    ]


def verdicts_of(one: Format) -> list[tuple[str, str, str | None]]:
    """Each item's label, the label of its verdict, and the reason."""
    given = one.answer["verdicts"]
    return [
        (item["label"], given[item["id"]]["verdict"].capitalize(), given[item["id"]]["reason"])
        for item in payload_of(one)["items"]
    ]


def typed(question: dict[str, Any], given: dict[str, Any]) -> Any:
    """What is entered into the field of a question: words, the label of an option, or several of them."""
    match question["type"]:
        case "choice":
            return labels_of(question, given)[0]
        case "choices":
            return labels_of(question, given)
        case "boolean":
            return "Yes" if given["value"] else "No"
        case _:
            return str(given["value"])


def reject_label(one: Format) -> str:
    """The button that says no."""
    label: str = payload_of(one).get("reject_label", "Decline")
    return label
