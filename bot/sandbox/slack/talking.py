"""What one person says: messages, replies, commands; and what they look at."""

from __future__ import annotations

from collections.abc import Sequence

from bot.sandbox.slack.acting import Acting
from bot.sandbox.slack.courier import Sort
from bot.sandbox.slack.happenings import deleted_event, edited_event
from bot.sandbox.slack.hooks import say
from bot.sandbox.slack.payloads import slash_command
from bot.sandbox.slack.seen import NotOnScreen, Seen
from bot.sandbox.slack.typed import as_typed
from bot.sandbox.slack.world import Channel, Json, Message


class Talking(Acting):
    """An account that talks, and whose client may be behind."""

    async def freeze(self) -> Seen:
        """See conversations as they are at this moment from now on, whatever is posted or edited after it."""
        self.platform.sights.freeze(self.id, self.platform.mint.stamp())
        self.platform.world.changed()
        return self.seen(sent=False)

    async def refresh(self) -> Seen:
        """See everything as it is again."""
        self.platform.sights.refresh(self.id)
        self.platform.world.changed()
        return self.seen(sent=False)

    async def write(
        self,
        text: str,
        *,
        channel: str = "",
        thread_ts: str | None = None,
        broadcast: bool = False,
        files: Sequence[str] = (),
        through: str = "",
    ) -> Seen:
        """Write a message as typed (`@name` mentions); by default to the app in the direct conversation.

        `thread_ts` is the message that it replies to, `broadcast` shows a reply in its channel too, `files` are names
        of files attached. `through` is the id of another app that writes it with this person's token.
        """
        platform = self.platform
        where = self.conversation(channel)
        if where.is_archived:
            raise NotOnScreen(f"{where.name} is archived")
        message = platform.world.put_message(
            Message(
                channel=where.id,
                ts=platform.mint.stamp(),
                user=self.id,
                team_id=self.user.team_id,
                text=as_typed(text, platform.world),
                thread_ts=platform.thread_parent(where, thread_ts) if thread_ts else None,
                broadcast=broadcast and thread_ts is not None,
                files=tuple(files),
                app_id=through or None,
                bot_id=through.replace("A", "B", 1) or None,
            )
        )
        status = await self._announce(message, where)
        return self.seen(sent=status is not None, status=status, ts=message.ts)

    async def edit(self, text: str, *, channel: str, ts: str) -> Seen:
        """Change what an own message says."""
        message, where = self._own(channel, ts)
        changes = {"text": as_typed(text, self.platform.world)}
        edited = self.platform.world.edit_message(message, at=self.platform.mint.stamp(), changes=changes)
        return await self._tell(edited_event(edited, message), message, where)

    async def delete(self, *, channel: str, ts: str) -> Seen:
        """Delete an own message."""
        message, where = self._own(channel, ts)
        self.platform.world.delete_message(message)
        return await self._tell(deleted_event(message, self.platform.mint.stamp()), message, where)

    async def command(self, command: str, text: str = "", *, channel: str = "", watch: float = 0.0) -> Seen:
        """Send a slash command from a conversation, by default the direct one with the app."""
        platform = self.platform
        where = self.conversation(channel)
        if command not in platform.settings.commands:
            return self.seen(sent=False, trouble=f"{command} is not a valid command.")
        team = platform.world.teams[where.team_id]
        key = platform.triggers.open_url(user=self.id, team_id=team.id, channel=where.id)
        form = slash_command(platform.settings.app_id, self.user, team, where, command, text)
        form["trigger_id"] = platform.triggers.issue(self.id, team.id)
        form["response_url"] = f"{platform.base_url}/actions/{key}"
        before = self.sight()
        attempt = await self.send(form, sort=Sort.COMMAND)
        if attempt.problem is not None:
            reason = "operation_timeout" if attempt.status is None else "dispatch_failed"
            shown = f"{command} failed with the error “{reason}”"
            return self.trouble(f"command {command}", attempt.problem, shown, attempt)
        if isinstance(attempt.body, dict) and (attempt.body.get("text") or attempt.body.get("blocks")):
            say(platform, platform.triggers.peek_url(key), attempt.body)
        await self.look(before, watch)
        return self.seen(before, attempt)

    async def open_home(self, *, tab: str = "home", watch: float = 0.0) -> Seen:
        """Open the app's Home (or its `messages` tab)."""
        where = self.conversation("")
        event: Json = {
            "type": "app_home_opened",
            "user": self.id,
            "channel": where.id,
            "tab": tab,
            "event_ts": self.platform.mint.stamp(),
        }
        view = self.platform.views.home(self.id)
        if view is not None and tab == "home":
            event["view"] = view.payload
        before = self.sight()
        (status, *_) = [*await self.platform.emit_and_wait(event, where), None]
        await self.look(before, watch)
        return self.seen(before, status=status)

    async def _announce(self, message: Message, where: Channel) -> int | None:
        event, kind = self.platform.message_event(message, where)
        found = list(await self.platform.emit_and_wait(event, where, kind=kind))
        for app in self.platform.world.installations.values():
            if f"<@{app.bot_user_id}>" in message.text and app.bot_user_id in where.members:
                mention = {**event, "type": "app_mention"}
                mention.pop("channel_type")
                self.platform.emit(mention, where)
        return found[0] if found else None

    def _own(self, channel: str, ts: str) -> tuple[Message, Channel]:
        where = self.conversation(channel)
        message = self.platform.world.message(channel, ts)
        if message is None or message.user != self.id:
            raise NotOnScreen(f"{self.user.name} wrote no message {ts} in {channel}")
        return message, where

    async def _tell(self, event: Json, message: Message, where: Channel) -> Seen:
        kind = self.platform.message_event(message, where)[1]
        found = list(await self.platform.emit_and_wait(event, where, kind=kind))
        return self.seen(sent=bool(found), status=found[0] if found else None, ts=message.ts)
