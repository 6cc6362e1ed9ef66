"""What a shell asks: from options to a kind and its payload."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from core.kinds import Kind

LONGEST_ID = 160
ONLY = "answer"
"""The id of the one question that options can ask."""
STDIN = "-"
LISTS: Mapping[Kind, tuple[str, str, str]] = {
    # Kinds that --item can fill: where the items go, and what their id and their label are called there.
    Kind.CHECKLIST: ("items", "id", "label"),
    Kind.ITEM_VERDICTS: ("items", "id", "label"),
    Kind.SUGGESTED_TASKS: ("tasks", "key", "title"),
}


@dataclass(frozen=True)
class Given:
    """The options that say what is asked."""

    kind: Kind | None = None
    choice: Sequence[str] = ()
    choices: Sequence[str] = ()
    text: bool = False
    confirm: bool = False
    item: Sequence[str] = ()
    payload: str = ""


def content_of(given: Given) -> dict[str, Any]:
    """The kind and payload that the options ask for. Raises `typer.BadParameter`."""
    names = ("choice", "choices", "text", "confirm", "item", "payload")
    used = [name for name in names if getattr(given, name)]
    if len(used) > 1:
        raise typer.BadParameter(f"give one of --{' and --'.join(used)}, not both")
    if given.payload:
        if given.kind is None:
            raise typer.BadParameter("say with --kind what this is the payload of", param_hint="--payload")
        return {"kind": given.kind.value, "payload": _read(given.payload)}
    if given.item:
        return _listed(given.kind, given.item)
    content = _simple(given)
    if given.kind is not None and given.kind.value != content["kind"]:
        more = "--item or --payload" if given.kind in LISTS else "--payload"
        raise typer.BadParameter(f"{given.kind.value} needs {more}", param_hint="--kind")
    return content


def _simple(given: Given) -> dict[str, Any]:
    if given.choice or given.choices:
        type_, labels = ("choice", given.choice) if given.choice else ("choices", given.choices)
        options = [{"id": _id(label, number, "option"), "label": label} for number, label in enumerate(labels, 1)]
        return _question(prompt="Choose one" if given.choice else "Choose", type=type_, options=options)
    if given.text:
        return _question(prompt="Answer in words", type="text", multiline=True)
    return {"kind": Kind.CONFIRMATION.value, "payload": {}}


def _question(**question: Any) -> dict[str, Any]:
    return {"kind": Kind.QUESTIONS.value, "payload": {"questions": [{"id": ONLY, **question}]}}


def _listed(kind: Kind | None, labels: Sequence[str]) -> dict[str, Any]:
    if kind is None or kind not in LISTS:
        raise typer.BadParameter(f"needs --kind {', '.join(LISTS)}", param_hint="--item")
    field, id_, label_ = LISTS[kind]
    items = [{id_: _id(label, number, "item"), label_: label} for number, label in enumerate(labels, 1)]
    return {"kind": kind.value, "payload": {field: items}}


def _id(label: str, number: int, what: str) -> str:
    """The label itself while it is short enough to be an id."""
    return label if len(label) <= LONGEST_ID else f"{what}-{number}"


def _read(name: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if name == STDIN else Path(name).read_text("utf-8")
        found = json.loads(text, parse_constant=_no_constant)
    except (OSError, UnicodeDecodeError) as error:
        words = (error.strerror if isinstance(error, OSError) else None) or "it is not text in UTF-8"
        raise typer.BadParameter(f"{name} cannot be read: {words}", param_hint="--payload") from None
    except (ValueError, RecursionError) as error:
        raise typer.BadParameter(f"{name} is not JSON: {error}", param_hint="--payload") from None
    if not isinstance(found, dict):
        raise typer.BadParameter(f"{name} is not a JSON object", param_hint="--payload")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")
