"""What every kind of question shares: frozen payloads, options, and how faults are pointed at."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Id = Annotated[str, StringConstraints(min_length=1, max_length=160)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
LongText = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]


class Payload(BaseModel):
    """Base of every payload and its parts: frozen, strict, nothing unknown."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Option(Payload):
    """One thing to choose. `description` says more; `recommended` marks the asker's advice."""

    id: Id
    label: Label
    description: Annotated[str, StringConstraints(max_length=4_000)] | None = None
    recommended: bool = False


Options = Annotated[tuple[Option, ...], Field(min_length=1, max_length=128)]


def check_unique(ids: list[str], what: str) -> None:
    """Raise ValueError naming the first id that appears twice."""
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            raise ValueError(f"{what} ids must be unique; {one!r} appears twice")
        seen.add(one)


def pointer(*parts: str | int) -> str:
    """Spell a JSON pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
