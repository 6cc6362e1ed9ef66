"""What Telegram finds in text by itself: commands, mentions, links and hashtags, and who is rung for them."""

from __future__ import annotations

import re
from typing import Final

from blocks.telegram.entities import CODE, Entity, Formatted, covered
from blocks.telegram.limits import utf16_length
from bot.sandbox.telegram.messages import Content
from bot.sandbox.telegram.places import Private
from bot.sandbox.telegram.world import World

# In the order of precedence; what one finds, the next leave alone.
_PATTERNS: Final = (
    ("url", re.compile(r"(?<![\w@])https?://[^\s<>\"']*[\w/=#%&]", re.IGNORECASE)),
    ("bot_command", re.compile(r"(?<![\w/@.])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/@])")),
    ("mention", re.compile(r"(?<![\w/@.])@[A-Za-z0-9_]{3,32}(?![\w@])")),
    ("hashtag", re.compile(r"(?<![\w#])#\w*[^\W\d]\w*")),
)
_UNTOUCHED: Final = CODE | {"text_link", "text_mention"} | {kind for kind, _ in _PATTERNS}


def detect(formatted: Formatted) -> Formatted:
    """Add the entities Telegram adds by itself, outside of code and links."""
    entities = list(formatted.entities)
    for kind, pattern in _PATTERNS:
        taken = [entity for entity in entities if entity.type in _UNTOUCHED]
        for match in pattern.finditer(formatted.text):
            offset = utf16_length(formatted.text[: match.start()])
            found = Entity(kind, offset, utf16_length(match[0]))
            if not any(other.offset < found.end and found.offset < other.end for other in taken):
                entities.append(found)
    return Formatted(formatted.text, tuple(sorted(entities, key=lambda e: (e.offset, -e.length))))


def notified(world: World, chat_id: int, author: int, content: Content, reply_to: int | None) -> tuple[int, ...]:
    """Return the people a message rings for in person: by mention or because it replies to them.

    In a private chat every message rings, so nobody is singled out.
    """
    place = world.place(chat_id)
    if place is None or isinstance(place, Private):
        return ()
    names = {
        covered(content.text, entity).removeprefix("@").lower()
        for entity in content.entities
        if entity.type == "mention"
    }
    ids = {int(entity.argument) for entity in content.entities if entity.type == "text_mention"}
    replied = world.message(chat_id, reply_to)
    if replied is not None:
        ids.add(replied.author)
    return tuple(
        member.id
        for member in world.members(chat_id)
        if member.id != author and not member.is_bot
        if member.id in ids or (member.username or "").lower() in names
    )
