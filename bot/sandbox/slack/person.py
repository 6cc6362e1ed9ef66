"""One person at their Slack client: what tests, the control API and the page let people do."""

from __future__ import annotations

from typing import Any, Final, Literal

from bot.sandbox.slack.acting import Acting
from bot.sandbox.slack.controls import SLOTS, Control, entry, offered
from bot.sandbox.slack.courier import Sort
from bot.sandbox.slack.hooks import say
from bot.sandbox.slack.payloads import action_json, slash_command, view_closed, view_submission
from bot.sandbox.slack.places import Place, ViewPlace, Wanted, find_place, the_control
from bot.sandbox.slack.seen import NotOnScreen, Seen
from bot.sandbox.slack.submission import CONNECTING, apply_answer, client_errors
from bot.sandbox.slack.typed import as_typed
from bot.sandbox.slack.views import View
from bot.sandbox.slack.world import Channel, Json, Message

On = Literal["message", "modal", "home"]
PRESSED: Final = frozenset({"button", "overflow", "icon_button", "workflow_button"})
CHOSEN: Final = frozenset(kind for kind, slot in SLOTS.items() if slot.field.startswith("selected_option"))


class Person(Acting):
    """Acts as one account. Controls are named by what is written on them, or by their ids.

    Without `channel` and `ts` the newest message in front of the person that has the control is meant. `watch`
    is how many seconds to go on looking for a modal or a private message after the app's answer.
    """

    async def press(
        self,
        label: str = "",
        *,
        action_id: str = "",
        block_id: str = "",
        channel: str = "",
        ts: str = "",
        on: On = "message",
        option: str = "",
        version: int | None = None,
        watch: float = 0.0,
    ) -> Seen:
        """Press a button, or choose `option` from an overflow menu.

        `version` presses a message as it was before later edits (0 is as posted): what somebody does whose
        client has not redrawn it yet.
        """
        options = (option,) if option else ()
        wanted = Wanted(label, action_id, block_id, options, PRESSED, version)
        place, control = self._find(wanted, channel, ts, on)
        value: dict[str, Any] = {}
        if option:
            value["selected_option"] = _option(control, option)
        action = action_json(control, value, self.platform.mint.stamp())
        return await self.act(place.name, place.press(action), watch=watch, opened=control.element.get("url"))

    async def choose(
        self,
        *options: str,
        label: str = "",
        action_id: str = "",
        block_id: str = "",
        channel: str = "",
        ts: str = "",
        on: On = "message",
        watch: float = 0.0,
    ) -> Seen:
        """Set a select, radio buttons or checkboxes to exactly these options, by label or value."""
        wanted = Wanted(label, action_id, block_id, options, CHOSEN)
        place, control = self._find(wanted, channel, ts, on)
        chosen = [_option(control, option) for option in options]
        if not SLOTS[control.element["type"]].many:
            return await self._enter(place, control, chosen[0] if chosen else None, watch)
        return await self._enter(place, control, chosen, watch)

    async def fill(
        self,
        value: Any,
        label: str = "",
        *,
        action_id: str = "",
        block_id: str = "",
        channel: str = "",
        ts: str = "",
        on: On = "message",
        watch: float = 0.0,
    ) -> Seen:
        """Type into a text, number or address field, or set a date, a time, people or conversations."""
        wanted = Wanted(label, action_id, block_id, types=frozenset(SLOTS) - CHOSEN)
        place, control = self._find(wanted, channel, ts, on)
        return await self._enter(place, control, value, watch)

    async def submit(self, *, watch: float = 0.0) -> Seen:
        """Press the modal's submit button; the client's own checks come first."""
        view = self._modal()
        if view.content.get("submit") is None:
            raise NotOnScreen("this modal has no submit button")
        complaints = client_errors(view)
        if complaints:
            self.platform.views.show_errors(view, complaints)
            return self.seen(sent=False)
        world = self.platform.world
        payload = view_submission(self.platform.settings.app_id, self.user, world.teams[self.user.team_id], view)
        payload["trigger_id"] = self.platform.triggers.issue(self.id, view.app.team_id)
        before = self.sight()
        attempt = await self.send(payload)
        if attempt.problem is not None:
            return self.trouble(f"modal {view.id}", attempt.problem, CONNECTING, attempt)
        wrong = apply_answer(self.platform, self.platform.views.find(view.id) or view, attempt.body)
        if wrong is not None:
            return self.trouble(f"modal {view.id}", wrong, CONNECTING, attempt)
        await self.look(before, watch)
        return self.seen(before, attempt)

    async def close(self, *, everything: bool = False) -> Seen:
        """Close the visible modal, or with `everything` the whole stack; the app hears if it asked to."""
        view = self._modal()
        if everything:
            view = self.platform.views.stack(self.id)[0]
            self.platform.views.clear(self.id)
        elif view.content.get("clear_on_close"):
            self.platform.views.clear(self.id)
        else:
            self.platform.views.close(view)
        if not view.content.get("notify_on_close"):
            return self.seen(sent=False)
        world = self.platform.world
        payload = view_closed(
            self.platform.settings.app_id, self.user, world.teams[view.app.team_id], view, cleared=everything
        )
        return await self.act(f"modal {view.id}", payload)

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

    async def write(self, text: str, *, channel: str = "", thread_ts: str | None = None) -> Seen:
        """Write a message as typed (`@name` mentions); by default to the app in the direct conversation."""
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
            )
        )
        status = await self._announce(message, where)
        return self.seen(sent=status is not None, status=status, ts=message.ts)

    async def _announce(self, message: Message, where: Channel) -> int | None:
        event, kind = self.platform.message_event(message, where)
        found = list(await self.platform.emit_and_wait(event, where, kind=kind))
        for app in self.platform.world.installations.values():
            if f"<@{app.bot_user_id}>" in message.text and app.bot_user_id in where.members:
                mention = {**event, "type": "app_mention"}
                mention.pop("channel_type")
                self.platform.emit(mention, where)
        return found[0] if found else None

    def _find(self, wanted: Wanted, channel: str, ts: str, on: On) -> tuple[Place, Control]:
        place: Place
        if on == "message":
            place = find_place(self.platform, self.user, wanted, channel=channel, ts=ts)
        elif on == "modal":
            place = ViewPlace(self.platform, self.user, self._modal())
        else:
            home = self.platform.views.home(self.id)
            if home is None:
                raise NotOnScreen("the app has published no Home for this person")
            place = ViewPlace(self.platform, self.user, home)
        return place, the_control(place, wanted)

    async def _enter(self, place: Place, control: Control, value: Any, watch: float) -> Seen:
        state = entry(control.element, value)
        place.type(control.key, state)
        if not control.dispatches:
            return self.seen(sent=False)
        held = {name: kept for name, kept in state.items() if name != "type"}
        action = action_json(control, held, self.platform.mint.stamp())
        return await self.act(place.name, place.press(action), watch=watch)

    def _modal(self) -> View:
        view = self.platform.views.top(self.id)
        if view is None:
            raise NotOnScreen(f"{self.user.name} has no modal open")
        return view


def _option(control: Control, wanted: str) -> dict[str, Any]:
    for option in offered(control.element):
        if wanted in (option["value"], option["text"]["text"]):
            return option
    raise NotOnScreen(f"no option {wanted!r}")
