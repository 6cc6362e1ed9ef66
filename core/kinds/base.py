"""What every kind of question shares: frozen payloads, options, and how faults are pointed at."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

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


def misplaced(words: str, *at: str | int) -> PydanticCustomError:
    """The ValueError of a check over a whole object that is about one place in it; `at` is the path from there."""
    return PydanticCustomError("misplaced", "{words}", {"words": words, "at": at})


def check_unique(ids: list[str], what: str, at: str, *inner: str) -> None:
    """Raise ValueError naming the first id that appears twice and where: `at`, its index, and `inner`."""
    seen: set[str] = set()
    for index, one in enumerate(ids):
        if one in seen:
            raise misplaced(f"{what} ids must be unique; {one!r} appears twice", at, index, *inner)
        seen.add(one)


def pointer(*parts: str | int) -> str:
    """Spell a JSON pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
