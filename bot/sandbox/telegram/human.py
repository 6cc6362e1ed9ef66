"""What people do in their clients: start the bot, write, reply, edit, delete, press, block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from blocks.telegram import limits
from blocks.telegram.entities import normalise
from bot.sandbox.telegram.buttons import find_buttons, the_button
from bot.sandbox.telegram.detect import detect, notified
from bot.sandbox.telegram.feed import Feed
from bot.sandbox.telegram.impossible import Impossible
from bot.sandbox.telegram.messages import Content, Guise, Message
from bot.sandbox.telegram.people import ADMINS, PRESENT, Status
from bot.sandbox.telegram.permits import check_reader, check_writer
from bot.sandbox.telegram.prompts import Prompt, prompt_for
from bot.sandbox.telegram.scene import Scene
from bot.sandbox.telegram.sending import thread_of
from bot.sandbox.telegram.taps import Tap
from bot.sandbox.telegram.world import World

_PAYLOAD: Final = re.compile(r"[A-Za-z0-9_-]*")
ANSWERED_WITHIN: Final = 5.0


class Human:
    """One pair of hands for every person there is. A chat with the bot has the person's own id."""

    def __init__(self, world: World, feed: Feed, scene: Scene) -> None:
        self._world = world
        self._feed = feed
        self._scene = scene

    def start(self, user_id: int, payload: str = "") -> Message:
        """Open the chat with the bot (unblocking it) and press Start; `payload` is that of a deep link."""
        _check_payload(payload)
        self._scene.user(user_id)
        private = self._world.privates.get(user_id)
        if private is None:
            raise Impossible("a bot cannot start a bot")
        if private.blocked:
            self.unblock(user_id)
        self._world.put_place(replace(self._world.privates[user_id], started=True))
        return self.write(user_id, user_id, f"/start {payload}".strip())

    def start_in_group(self, user_id: int, chat_id: int, payload: str = "") -> Message:
        """Follow a `?startgroup=` link: add the bot to a group and send it the payload there."""
        _check_payload(payload)
        bot = self._world.bot
        if self._world.status(chat_id, bot.id) not in PRESENT:
            self._scene.set_status(chat_id, bot.id, Status.MEMBER, by=user_id)
        return self.write(user_id, chat_id, f"/start@{bot.username} {payload}".strip())

    def block(self, user_id: int) -> None:
        """Block the bot; it is told when it was known."""
        self._set_blocked(user_id, blocked=True)

    def unblock(self, user_id: int) -> None:
        """Let the bot write again."""
        self._set_blocked(user_id, blocked=False)

    def write(
        self,
        user_id: int,
        chat_id: int,
        text: str,
        *,
        reply_to: int | None = None,
        topic: int | None = None,
        guise: Guise = Guise.SELF,
        channel: int | None = None,
    ) -> Message:
        """Send a text, as oneself, as an anonymous administrator, or as a `channel`.

        A text too long for one message goes as several, as clients send it; the first of them is returned and
        only it is the reply.
        """
        place = check_writer(self._world, user_id, chat_id, topic, guise)
        if reply_to is not None and self._world.message(chat_id, reply_to) is None:
            raise Impossible(f"there is no message {reply_to} to reply to")
        sent: list[Message] = []
        for part in _parts(text):
            replied = None if sent else reply_to
            content = _typed(part)
            message = self._world.post(
                chat_id,
                user_id,
                content,
                guise=guise,
                channel=channel,
                reply_to=replied,
                topic=topic,
                thread=thread_of(self._world, place, replied),
                notified=notified(self._world, chat_id, user_id, content, replied),
            )
            self._feed.message(message)
            sent.append(message)
        return sent[0]

    def edit(self, user_id: int, chat_id: int, message_id: int, text: str) -> Message:
        """Change an own message."""
        message = self._own(user_id, chat_id, message_id)
        edited = self._world.revise(message, _typed(text))
        self._feed.message(edited, edited=True)
        return edited

    def delete(self, user_id: int, chat_id: int, message_id: int) -> None:
        """Delete a message for everybody: an own one, any in a private chat, or any as administrator. Bots
        hear nothing.
        """
        message = self._message(chat_id, message_id)
        allowed = user_id in (message.author, chat_id)
        if not allowed and self._world.status(chat_id, user_id) not in ADMINS:
            raise Impossible("only its author or an administrator deletes a message")
        self._world.delete(message)

    def prompt(self, user_id: int, chat_id: int, topic: int | None = None) -> Prompt | None:
        """Return the reply prompt that the person's client shows above the text field, if any."""
        return prompt_for(self._world, user_id, chat_id, topic)

    def dismiss_prompt(self, user_id: int, chat_id: int, topic: int | None = None) -> None:
        """Close the reply prompt without answering."""
        if shown := self.prompt(user_id, chat_id, topic):
            self._world.dismissed.add((chat_id, shown.message_id, user_id))
            self._world.touch()

    def answer_prompt(self, user_id: int, chat_id: int, text: str, topic: int | None = None) -> Message:
        """Type into the reply prompt that is shown and send."""
        shown = self.prompt(user_id, chat_id, topic)
        if shown is None:
            raise Impossible("no reply prompt is shown")
        return self.write(user_id, chat_id, text, reply_to=shown.message_id, topic=topic)

    async def press(
        self,
        user_id: int,
        chat_id: int,
        button: str | None = None,
        *,
        data: str | None = None,
        message_id: int | None = None,
        version: int | None = None,
        forged: bool = False,
        wait: float = ANSWERED_WITHIN,
    ) -> Tap:
        """Press a button by its label or its data, and return the press as answered within `wait` real
        seconds.

        Without `message_id` the newest message in the chat with that button is meant. `version` presses a
        message as it was before later edits (0 is as sent): what somebody does whose client has not redrawn
        it yet. `forged` sends `data` although no such button was ever shown, as a client of somebody's own
        making can.
        """
        check_reader(self._world, user_id, chat_id)
        message = self._world.messages.get(chat_id, {}).get(message_id or 0)
        if forged:
            sent = data or ""
        else:
            if message_id is None:
                shown = (m for m in reversed(self._world.history(chat_id)) if find_buttons(m.content, button, data))
                message = next(shown, None)
            sent = the_button(message, button, data, version)
        number = message.id if message else message_id or 0
        tap = self._world.tap(user_id, chat_id, number, sent)
        self._world.users[user_id] = replace(self._world.users[user_id], met=True)
        self._feed.tap(tap)
        return await self.answered(tap.id, wait)

    async def answered(self, tap_id: str, wait: float = ANSWERED_WITHIN) -> Tap:
        """Return a press once it is answered, or as it stands after `wait` real seconds."""
        try:
            await self._world.until(lambda: self._world.taps[tap_id].answer, wait)
        except TimeoutError:
            return self._world.taps[tap_id]
        return self._world.taps[tap_id]

    def _set_blocked(self, user_id: int, *, blocked: bool) -> None:
        user = self._scene.user(user_id)
        private = self._world.privates[user_id]
        if private.blocked is blocked:
            return
        self._world.put_place(replace(private, blocked=blocked))
        before, after = (Status.MEMBER, Status.KICKED) if blocked else (Status.KICKED, Status.MEMBER)
        if private.started:
            self._feed.private_status(user, before, after)

    def _message(self, chat_id: int, message_id: int) -> Message:
        found = self._world.message(chat_id, message_id)
        if found is None:
            raise Impossible(f"there is no message {message_id} in chat {chat_id}")
        return found

    def _own(self, user_id: int, chat_id: int, message_id: int) -> Message:
        found = self._message(chat_id, message_id)
        if found.author != user_id or found.service is not None:
            raise Impossible("only its author edits a message")
        return found


def _typed(text: str) -> Content:
    found = detect(normalise(text, ()))
    if not found.text:
        raise Impossible("an empty message cannot be sent")
    return Content(text=found.text, entities=found.entities)


def _parts(text: str) -> Iterator[str]:
    """Cut a text as clients do: every part as long as a message may be."""
    part: list[str] = []
    length = 0
    for character in text.strip():
        width = limits.utf16_length(character)
        if length + width > limits.MESSAGE_TEXT.number:
            yield "".join(part)
            part, length = [], 0
        part.append(character)
        length += width
    yield "".join(part)


def _check_payload(payload: str) -> None:
    if len(payload) > limits.START_PAYLOAD.number or not _PAYLOAD.fullmatch(payload):
        raise Impossible("a deep link carries at most 64 of A-Z, a-z, 0-9, _ and -")
