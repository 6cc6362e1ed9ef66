"""Reply prompts (ForceReply): which one, if any, a person's client shows above the text field."""

from __future__ import annotations

from dataclasses import dataclass

from blocks.telegram.entities import covered
from bot.sandbox.telegram.messages import Message
from bot.sandbox.telegram.places import Private
from bot.sandbox.telegram.world import World


@dataclass(frozen=True, slots=True)
class Prompt:
    """An open reply: what is sent next answers `message_id`."""

    message_id: int
    text: str
    placeholder: str


def prompt_for(world: World, user_id: int, chat_id: int, topic: int | None = None) -> Prompt | None:
    """Return the latest prompt aimed at the person, unless they have written or closed it since."""
    for message in reversed(world.history(chat_id)):
        if message.topic != topic:
            continue
        if message.author == user_id and message.service is None:
            return None
        if message.prompt is not None and _is_aimed_at(world, message, user_id):
            if (chat_id, message.id, user_id) in world.dismissed:
                return None
            return Prompt(message.id, message.text, message.prompt.placeholder)
    return None


def _is_aimed_at(world: World, message: Message, user_id: int) -> bool:
    """Everybody, or when selective the people mentioned and the author of the message replied to."""
    if message.prompt is None or not message.prompt.selective:
        return True
    if isinstance(world.place(message.chat_id), Private):
        return True
    replied = world.message(message.chat_id, message.reply_to)
    if replied is not None and replied.author == user_id:
        return True
    username = (world.users[user_id].username or "").lower()
    for entity in message.content.entities:
        if entity.type == "text_mention" and entity.argument == str(user_id):
            return True
        if entity.type == "mention" and username and covered(message.text, entity).lower() == f"@{username}":
            return True
    return False
