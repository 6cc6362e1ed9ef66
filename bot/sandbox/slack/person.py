"""One person at their Slack client: what tests, the control API and the page let people do with controls and forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from bot.sandbox.slack.controls import SLOTS, Control, entry, offered
from bot.sandbox.slack.payloads import action_json, view_closed, view_submission
from bot.sandbox.slack.places import Place, ViewPlace, Wanted, find_place, the_control
from bot.sandbox.slack.seen import NotOnScreen, Seen
from bot.sandbox.slack.submission import CONNECTING, apply_answer, client_errors
from bot.sandbox.slack.talking import Talking
from bot.sandbox.slack.views import View

On = Literal["message", "modal", "home"]
PRESSED: Final = frozenset({"button", "overflow", "icon_button", "workflow_button"})
CHOSEN: Final = frozenset(kind for kind, slot in SLOTS.items() if slot.field.startswith("selected_option"))


class Person(Talking):
    """Acts as one account. Controls are named by what is written on them, or by their ids.

    Without `channel` and `ts` the newest message in front of the person that has the control is meant. `watch`
    is how many seconds to go on looking for a modal or a private message after the app's answer. `version` acts on
    a message as it was before later edits (0 is as posted): what somebody does whose client has not redrawn it yet.
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
        """Press a button, or choose `option` from an overflow menu."""
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
        version: int | None = None,
        watch: float = 0.0,
    ) -> Seen:
        """Set a select, radio buttons or checkboxes to exactly these options, by label or value."""
        wanted = Wanted(label, action_id, block_id, options, CHOSEN, version)
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
        version: int | None = None,
        watch: float = 0.0,
    ) -> Seen:
        """Type into a text, number or address field, or set a date, a time, people or conversations."""
        wanted = Wanted(label, action_id, block_id, types=frozenset(SLOTS) - CHOSEN, version=version)
        place, control = self._find(wanted, channel, ts, on)
        self._check_picked(control.element["type"], value)
        return await self._enter(place, control, value, watch)

    async def tick(self, box: str, **where: Any) -> Seen:
        """Tick one checkbox by its label or value, beside what is ticked in its group already."""
        return await self._set_box(box, True, **where)

    async def untick(self, box: str, **where: Any) -> Seen:
        """Take one tick back."""
        return await self._set_box(box, False, **where)

    def ticked(self, *, channel: str, ts: str) -> list[str]:
        """The labels of every box that is ticked on a message, as this person sees it."""
        place = find_place(self.platform, self.user, Wanted(), channel=channel, ts=ts)
        held = [one for one in place.entries().values() if one["type"] == "checkboxes"]
        return [option["text"]["text"] for one in held for option in one["selected_options"]]

    async def fill_in(self, fields: Mapping[str, Any]) -> Seen:
        """Fill in fields of the modal, each by its label: words, a day, an option, or a list of options."""
        for label, value in fields.items():
            place = ViewPlace(self.platform, self.user, self._modal())
            control = the_control(place, Wanted(label, types=frozenset(SLOTS)))
            if control.element["type"] in CHOSEN:
                await self.choose(*([value] if isinstance(value, str) else value), label=label, on="modal")
            else:
                await self.fill(value, label, on="modal")
        return self.seen(sent=False)

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

    async def _set_box(
        self,
        box: str,
        on_now: bool,
        *,
        channel: str = "",
        ts: str = "",
        on: On = "message",
        version: int | None = None,
        watch: float = 0.0,
    ) -> Seen:
        wanted = Wanted(options=(box,), types=frozenset({"checkboxes"}), version=version)
        place, control = self._find(wanted, channel, ts, on)
        option, before = _option(control, box), place.entries()[control.key]["selected_options"]
        rest = [one for one in before if one["value"] != option["value"]]
        if (len(rest) < len(before)) is on_now:
            raise NotOnScreen(f"{box!r} is {'ticked' if on_now else 'not ticked'} already")
        return await self._enter(place, control, [*rest, option] if on_now else rest, watch)

    async def _enter(self, place: Place, control: Control, value: Any, watch: float) -> Seen:
        state = entry(control.element, value)
        place.type(control.key, state)
        if not control.dispatches:
            return self.seen(sent=False)
        held = {name: kept for name, kept in state.items() if name != "type"}
        action = action_json(control, held, self.platform.mint.stamp())
        return await self.act(place.name, place.press(action), watch=watch)

    def _check_picked(self, kind: str, value: Any) -> None:
        """What a picker cannot give nobody can send: an account that is not there, a moment that is no moment."""
        if value is None:
            return
        if kind == "datetimepicker" and not (type(value) is int and len(str(value)) == 10):
            raise NotOnScreen(f"a moment is picked as 10 digits of seconds, not as {value!r}")
        if kind in ("users_select", "multi_users_select"):
            for one in [value] if isinstance(value, str) else value:
                account = self.platform.world.users.get(one)
                if account is None or account.deleted:
                    raise NotOnScreen(f"the list of people has no {one!r}")

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
