"""Modals and Home views: what each person has open, and how stacks behave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from blocks.slack import limits
from bot.sandbox.slack.controls import Entries, filled, named, state_values
from bot.sandbox.slack.mint import Mint
from bot.sandbox.slack.refusal import Refused
from bot.sandbox.slack.world import Installation, Json, World


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One open modal, or somebody's Home.

    `typed` is what the person entered, `errors` what the app refused, by block id.
    """

    id: str
    user: str
    app: Installation
    app_id: str
    content: Json
    hash: str
    root_id: str
    previous_id: str | None = None
    typed: Entries = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def blocks(self) -> Sequence[Json]:
        """The blocks as Slack keeps them."""
        blocks: Sequence[Json] = self.content["blocks"]
        return blocks

    @property
    def payload(self) -> Json:
        """The view as methods answer it and payloads carry it."""
        content = self.content
        return {
            "id": self.id,
            "team_id": self.app.team_id,
            "type": content["type"],
            "blocks": list(self.blocks),
            "private_metadata": content.get("private_metadata", ""),
            "callback_id": content.get("callback_id", ""),
            "state": {"values": state_values(filled(self.blocks, self.typed))},
            "hash": self.hash,
            "title": content.get("title") or {"type": "plain_text", "text": "View Title", "emoji": True},
            "clear_on_close": bool(content.get("clear_on_close")),
            "notify_on_close": bool(content.get("notify_on_close")),
            "close": content.get("close"),
            "submit": content.get("submit"),
            "previous_view_id": self.previous_id,
            "root_view_id": self.root_id,
            "app_id": self.app_id,
            "external_id": content.get("external_id", ""),
            "app_installed_team_id": self.app.team_id,
            "bot_id": self.app.bot_id,
        }


class Views:
    """Every open modal and every Home, by person."""

    def __init__(self, world: World, mint: Mint, app_id: str) -> None:
        self._world = world
        self._mint = mint
        self._app_id = app_id
        self._stacks: dict[str, list[View]] = {}
        self._homes: dict[str, View] = {}

    def stack(self, user: str) -> Sequence[View]:
        """Return the modals `user` has open, the visible one last."""
        return tuple(self._stacks.get(user, ()))

    def top(self, user: str) -> View | None:
        """Return the modal `user` looks at, or None."""
        stack = self._stacks.get(user)
        return stack[-1] if stack else None

    def home(self, user: str) -> View | None:
        """Return what the app last published for `user`, or None."""
        return self._homes.get(user)

    def find(self, view_id: str = "", external_id: str = "") -> View | None:
        """Return an open view by either id."""
        everything = [view for stack in self._stacks.values() for view in stack] + list(self._homes.values())
        for view in everything:
            if view.id == view_id or (external_id and view.content.get("external_id") == external_id):
                return view
        return None

    def open(self, app: Installation, user: str, content: Mapping[str, Any]) -> View:
        """Open a modal as a new stack; whatever `user` had open from this app is gone."""
        self._check_external_id(content, None)
        view = self._new(app, user, content)
        self._stacks[user] = [view]
        self._world.changed()
        return view

    def push(self, app: Installation, user: str, content: Mapping[str, Any]) -> View:
        """Open a modal above the visible one."""
        stack = self._stacks.get(user) or []
        if not stack:
            raise Refused("invalid_trigger_id")
        if len(stack) >= limits.VIEW_STACK.number:
            raise Refused("push_limit_reached")
        self._check_external_id(content, None)
        view = self._new(app, user, content, below=stack[-1])
        stack.append(view)
        self._world.changed()
        return view

    def update(self, view: View, content: Mapping[str, Any], expected_hash: str | None = None) -> View:
        """Redraw a view. Typed input stays where block and action ids are the same."""
        if expected_hash and expected_hash != view.hash:
            raise Refused("hash_conflict")
        self._check_external_id(content, view)
        kept = self._kept(content)
        return self._put(replace(view, content=kept, hash=self._mint.view_hash(), errors={}))

    def publish(self, app: Installation, user: str, content: Mapping[str, Any], expected_hash: str | None) -> View:
        """Draw somebody's Home."""
        current = self._homes.get(user)
        if current is not None:
            return self.update(current, content, expected_hash)
        self._check_external_id(content, None)
        self._homes[user] = view = self._new(app, user, content)
        self._world.changed()
        return view

    def type(self, view: View, key: tuple[str, str], entry: Json) -> View:
        """Keep what the person entered into one field."""
        return self._put(replace(view, typed={**view.typed, key: entry}))

    def show_errors(self, view: View, errors: Mapping[str, str]) -> None:
        """Show the app's complaints beside the fields."""
        self._put(replace(view, errors=dict(errors)))

    def close(self, view: View) -> None:
        """Close one view; the one below becomes visible."""
        stack = self._stacks.get(view.user, [])
        self._stacks[view.user] = [other for other in stack if other.id != view.id]
        self._world.changed()

    def clear(self, user: str) -> None:
        """Close everything `user` has open."""
        self._stacks.pop(user, None)
        self._world.changed()

    def _new(self, app: Installation, user: str, content: Mapping[str, Any], below: View | None = None) -> View:
        view_id = self._mint.name("V")
        return View(
            id=view_id,
            user=user,
            app=app,
            app_id=self._app_id,
            content=self._kept(content),
            hash=self._mint.view_hash(),
            root_id=below.root_id if below else view_id,
            previous_id=below.id if below else None,
        )

    def _kept(self, content: Mapping[str, Any]) -> Json:
        return {**content, "blocks": named(content["blocks"], self._mint)}

    def _put(self, view: View) -> View:
        if view.content["type"] == "home":
            self._homes[view.user] = view
        else:
            stack = self._stacks.get(view.user, [])
            self._stacks[view.user] = [view if other.id == view.id else other for other in stack]
        self._world.changed()
        return view

    def _check_external_id(self, content: Mapping[str, Any], view: View | None) -> None:
        external_id = str(content.get("external_id") or "")
        other = self.find(external_id=external_id) if external_id else None
        if other is not None and (view is None or other.id != view.id):
            raise Refused("duplicate_external_id")
