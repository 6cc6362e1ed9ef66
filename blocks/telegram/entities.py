"""Formatted text as Telegram stores it: plain text, and entities that say where it is formatted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from blocks.telegram.limits import MESSAGE_ENTITIES, utf16_length

CODE: Final = frozenset({"code", "pre"})
QUOTES: Final = frozenset({"blockquote", "expandable_blockquote"})
# Only these count towards the limit of entities; bold and its like may repeat for ever.
COUNTED: Final = CODE | QUOTES | {"text_link", "text_mention", "date_time"}


@dataclass(frozen=True, slots=True)
class Entity:
    """One stretch of formatted text. `offset` and `length` are UTF-16 units; `argument` depends on the type.

    `argument` is the url of a `text_link`, the language of a `pre`, the id of a `custom_emoji`, the Unix
    time of a `date_time`, the user id of a `text_mention`; empty otherwise.
    """

    type: str
    offset: int
    length: int
    argument: str = ""

    @property
    def end(self) -> int:
        """The first UTF-16 unit after it."""
        return self.offset + self.length

    def covers(self, other: Entity) -> bool:
        """Say whether `other` lies within this one."""
        return self.offset <= other.offset and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Formatted:
    """What a person reads: text without markup, and its formatting in order of appearance."""

    text: str
    entities: tuple[Entity, ...] = ()


def covered(text: str, entity: Entity) -> str:
    """Return the part of `text` that `entity` formats."""
    return _part(text.encode("utf-16-le", "surrogatepass"), entity)


def _part(units: bytes, entity: Entity) -> str:
    return units[2 * entity.offset : 2 * entity.end].decode("utf-16-le", "surrogatepass")


def normalise(text: str, entities: Iterable[Entity]) -> Formatted:
    """Return what the server keeps of a text and its formatting.

    Whitespace at the end goes, and spaces and line breaks at the start. Of the entities it drops those of
    nothing but whitespace, those inside code, quotes inside quotes, and whatever exceeds
    `MESSAGE_ENTITIES`.
    """
    units = text.encode("utf-16-le", "surrogatepass")
    visible = [e for e in entities if e.length > 0 and (e.type in CODE or _part(units, e).strip())]
    kept = _trim(text, _sort(visible))
    return Formatted(kept.text, tuple(_within_limit(_unnested(kept.entities))))


def _sort(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    """Outer before inner; a quote before whatever formats all of it."""
    return tuple(sorted(entities, key=lambda e: (e.offset, -e.length, e.type not in QUOTES)))


def _trim(text: str, entities: tuple[Entity, ...]) -> Formatted:
    kept = text.rstrip()
    first = entities[0].offset if entities else len(kept)
    lead = 0
    # Formatted whitespace at the start stays; what is cut is ASCII, so characters are UTF-16 units here.
    while lead < min(first, len(kept)) and kept[lead] in " \n":
        lead += 1
    kept = kept[lead:]
    whole = utf16_length(kept)
    moved = (replace(e, offset=e.offset - lead, length=min(e.end - lead, whole) - e.offset + lead) for e in entities)
    return Formatted(kept, tuple(e for e in moved if e.length > 0))


def _unnested(entities: Iterable[Entity]) -> list[Entity]:
    """Drop what stands inside code, and quotes inside quotes. Outer entities come first, so the last one
    decides.
    """
    kept: list[Entity] = []
    code = quote = Entity("", 0, 0)
    for entity in entities:
        if code.covers(entity) or (entity.type in QUOTES and quote.covers(entity)):
            continue
        kept.append(entity)
        if entity.type in CODE:
            code = entity
        elif entity.type in QUOTES:
            quote = entity
    # Code excludes every other formatting of the same stretch, even one that was opened around it.
    coded = {(entity.offset, entity.end) for entity in kept if entity.type in CODE}
    return [e for e in kept if e.type in CODE | QUOTES or (e.offset, e.end) not in coded]


def _within_limit(entities: Iterable[Entity]) -> Iterable[Entity]:
    counted = 0
    for entity in entities:
        counted += entity.type in COUNTED
        if entity.type not in COUNTED or counted <= MESSAGE_ENTITIES.number:
            yield entity
