"""The control API: the stand-in driven from another process or from the page, in JSON under `/_control`.

Whatever changes something is a POST with a JSON body; a page of another origin cannot send one unasked.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from bot.sandbox.slack.courier import Sort
from bot.sandbox.slack.faults import FaultKind
from bot.sandbox.slack.journal import Attempt
from bot.sandbox.slack.person import Person
from bot.sandbox.slack.seen import Seen
from bot.sandbox.slack.signing import Signature
from bot.sandbox.slack.watching import Watching
from bot.sandbox.slack.world import Channel, Json, User

if TYPE_CHECKING:
    from bot.sandbox.slack.stand_in import SlackStandIn


def _choose(person: Person, options: list[str], **where: Any) -> Awaitable[Seen]:
    return person.choose(*options, **where)


ACTS: Final[Mapping[str, Callable[..., Awaitable[Seen]]]] = MappingProxyType(
    {
        "press": Person.press,
        "choose": _choose,
        "tick": Person.tick,
        "untick": Person.untick,
        "fill": Person.fill,
        "fill_in": Person.fill_in,
        "submit": Person.submit,
        "close": Person.close,
        "command": Person.command,
        "home": Person.open_home,
        "write": Person.write,
        "edit": Person.edit,
        "delete": Person.delete,
        "freeze": Person.freeze,
        "refresh": Person.refresh,
    }
)


class Control:
    """Answers `/_control/…` for one stand-in."""

    def __init__(self, stand_in: SlackStandIn) -> None:
        self._stand_in = stand_in
        self._platform = stand_in.platform

    def routes(self) -> Mount:
        """Return every route, those of `Watching` included."""
        doing: dict[str, Callable[..., Awaitable[Any]]] = {
            "/users": self.add_user,
            "/users/{user_id}": self.change_user,
            "/teams": self.add_team,
            "/channels": self.add_channel,
            "/channels/{channel_id}/join": self.join,
            "/channels/{channel_id}/leave": self.leave,
            "/channels/{channel_id}/archive": self.archive,
            "/settings": self.change_settings,
            "/faults": self.plan_fault,
            "/faults/clear": self.clear_faults,
            "/away": self.leave_for,
            "/advance": self.advance,
            "/sockets/refresh": self.refresh_sockets,
            "/uninstall": self.uninstall,
            "/deliver": self.deliver,
            "/replay": self.replay,
            "/people/{user}/{act}": self.act,
        }
        return Mount(
            "/_control",
            routes=[
                *Watching(self._platform).routes(),
                *(Route(path, _posted(do), methods=["POST"]) for path, do in doing.items()),
            ],
        )

    async def act(self, user: str, act: str, **arguments: Any) -> Json:
        """Let a person do something; see `Person` for the arguments of each act."""
        if act not in ACTS:
            raise LookupError(f"people can {', '.join(ACTS)}, not {act}")
        person = self._stand_in.person(user)
        seen: Seen = await _call(ACTS[act], person, **arguments)
        return seen.json

    async def add_user(self, name: str, **facts: Any) -> Json:
        """Add an account."""
        return _user(self._stand_in.workspace.add_user(name, **facts))

    async def change_user(self, user_id: str, **facts: Any) -> Json:
        """Change an account."""
        return _user(self._stand_in.workspace.change_user(user_id, **facts))

    async def add_team(self, name: str, team_id: str = "") -> Json:
        """Add another workspace."""
        return asdict(self._stand_in.workspace.add_team(name, team_id))

    async def add_channel(self, name: str, **facts: Any) -> Json:
        """Add a channel."""
        return _channel(self._stand_in.workspace.add_channel(name, **facts))

    async def join(self, channel_id: str, user: str) -> Json:
        """Put somebody into a channel."""
        return _channel(self._stand_in.workspace.join(channel_id, user))

    async def leave(self, channel_id: str, user: str) -> Json:
        """Take somebody out of a channel."""
        return _channel(self._stand_in.workspace.leave(channel_id, user))

    async def archive(self, channel_id: str, archived: bool = True) -> Json:
        """Archive a channel, or bring it back."""
        return _channel(self._stand_in.workspace.archive(channel_id, archived=archived))

    async def change_settings(self, **changes: Any) -> Json:
        """Change `request_url`, `pace`, `scopes`, `interactivity` or `socket_mode`, whichever are given."""
        unknown = changes.keys() - {"request_url", "pace", "scopes", "interactivity", "socket_mode"}
        if unknown:
            raise ValueError(f"no such setting: {', '.join(sorted(unknown))}")
        if "request_url" in changes:
            self._stand_in.request_url = changes["request_url"]
        if "pace" in changes:
            self._platform.pace.on = bool(changes["pace"])
        if "scopes" in changes:
            self._stand_in.workspace.grant(*changes["scopes"])
        if "interactivity" in changes:
            self._platform.interactivity = bool(changes["interactivity"])
        if "socket_mode" in changes:
            await self._platform.sockets.enable(enabled=bool(changes["socket_mode"]))
        return {"request_url": self._stand_in.request_url, "pace": self._platform.pace.on}

    async def plan_fault(self, kind: str, method: str = "*", **how: Any) -> Json:
        """Let the next calls of a method go wrong."""
        self._stand_in.fail(FaultKind(kind), method, **how)
        return {"planned": len(list(self._platform.faults))}

    async def clear_faults(self) -> Json:
        """Let nothing go wrong any more."""
        self._platform.faults.clear()
        return {}

    async def leave_for(self, seconds: float, refuse: bool = False) -> Json:
        """Be unreachable for a while."""
        await self._stand_in.away(seconds, refuse=refuse)
        return {}

    async def advance(self, seconds: float) -> Json:
        """Let everything that expires be older."""
        self._platform.clock.advance(seconds)
        return {"elapsed": self._platform.clock.elapsed()}

    async def refresh_sockets(self, reason: str = "refresh_requested", close: bool = False) -> Json:
        """Ask the app's Socket Mode connections to reconnect."""
        await self._platform.sockets.refresh(reason, close=close)
        return {"open": self._platform.sockets.count}

    async def uninstall(self, team_id: str = "") -> Json:
        """Remove the app from a workspace."""
        self._stand_in.workspace.uninstall(team_id)
        return {}

    async def deliver(self, payload: Json, sort: str = Sort.INTERACTION, signature: str = Signature.GOOD) -> Json:
        """Send any payload to the app."""
        return _attempt(await self._stand_in.deliver(payload, Sort(sort), signature=Signature(signature)))

    async def replay(self, times: int = 1, number: int | None = None, retry: bool = False) -> Json:
        """Send an earlier delivery again."""
        attempts = await self._stand_in.replay(times, number=number, retry=retry)
        return {"attempts": [_attempt(attempt) for attempt in attempts]}


def _posted(do: Callable[..., Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return JSONResponse({"error": "send application/json"}, status_code=415)
        try:
            body = json.loads(await request.body() or b"{}")
        except ValueError:
            return JSONResponse({"error": "that is no JSON"}, status_code=400)
        if not isinstance(body, dict):
            return JSONResponse({"error": "send a JSON object"}, status_code=400)
        try:
            return JSONResponse(await _call(do, **request.path_params, **body))
        except LookupError as error:
            return JSONResponse({"error": str(error)}, status_code=404)
        except ValueError as error:
            return JSONResponse({"error": str(error)}, status_code=422)

    return answer


async def _call(do: Callable[..., Awaitable[Any]], *first: Any, **arguments: Any) -> Any:
    try:
        inspect.signature(do).bind(*first, **arguments)
    except TypeError as error:
        raise ValueError(str(error)) from error
    return await do(*first, **arguments)


def _user(user: User) -> Json:
    return asdict(user)


def _channel(channel: Channel) -> Json:
    return {
        **asdict(channel),
        "members": sorted(channel.members),
        "connected_team_ids": sorted(channel.connected_team_ids),
    }


def _attempt(attempt: Attempt) -> Json:
    return asdict(attempt)
