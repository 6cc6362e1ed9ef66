"""Cards and visits for the tests of the page."""

from __future__ import annotations

from typing import Any

from blocks.web import Page, Visit, render
from blocks.web.parts import Field, Pick
from core.content import Content
from core.errors import Fault
from core.kinds import Kind
from core.records import Interaction
from core.replies import Wrong
from tests.rules.making import NOW, card


def visit(**changes: Any) -> Visit:
    """Ana, who may answer and is no operator."""
    return Visit(**{"person": "per_ana", "operator": False, "refusal": None, "now": NOW, **changes})


def asking(*questions: dict[str, Any], **changes: Any) -> Interaction:
    """A card with these questions; ids and prompts are filled in."""
    filled = [{"id": f"id{number}", "prompt": f"Number {number}?", **one} for number, one in enumerate(questions)]
    return card(Kind.QUESTIONS, payload={"questions": filled}, **changes)


def with_content(interaction: Interaction, **changes: Any) -> Interaction:
    old = interaction.content.model_dump()
    return interaction.model_copy(update={"content": Content.model_validate({**old, **changes})})


def options(*labels: str, **first: Any) -> list[dict[str, Any]]:
    return [{"id": label.lower(), "label": label, **(first if not at else {})} for at, label in enumerate(labels)]


def fields(interaction: Interaction, **changes: Any) -> tuple[Field, ...]:
    form = render(interaction, visit(**changes)).form
    assert form is not None
    return form.fields


def picked(field: Field) -> list[str]:
    """The values that are chosen in a field."""
    assert isinstance(field.control, Pick)
    return [choice.value for choice in field.control.choices if choice.chosen]


def wrong(**faults: str) -> Wrong:
    """Faults by field name, with `__` for the dot."""
    return Wrong(
        tuple(Fault("", detail) for detail in faults.values()), tuple(name.replace("__", ".") for name in faults)
    )


def page(interaction: Interaction, **changes: Any) -> Page:
    return render(interaction, visit(**changes))
