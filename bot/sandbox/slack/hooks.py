"""Response URLs: how the app answers one interaction or command without a token."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from blocks.slack.check import check_message
from bot.sandbox.serving import Connections
from bot.sandbox.slack.controls import named
from bot.sandbox.slack.cut import Cut
from bot.sandbox.slack.faults import Failure, FaultKind
from bot.sandbox.slack.journal import Call
from bot.sandbox.slack.platform import Platform
from bot.sandbox.slack.refusal import Refused, refuse_faults
from bot.sandbox.slack.triggers import ResponseUrl
from bot.sandbox.slack.world import Json, Message

METHOD: Final = "response_url"
NOT_DONE: Final = frozenset(FaultKind) - {FaultKind.DROP_AFTER, FaultKind.SLOW}


class Hooks:
    """Answers posts to `/actions/…`, the addresses handed out as `response_url`."""

    def __init__(self, platform: Platform, connections: Connections) -> None:
        self._platform = platform
        self._connections = connections

    async def answer(self, request: Request) -> Response:
        """Do what one post asks for."""
        platform = self._platform
        if platform.faults.is_away:
            self._note({}, None, {}, "away")
            return Cut(self._connections)
        failure = platform.faults.take(METHOD)
        if failure is not None and failure.kind in NOT_DONE:
            return self._failed(failure)
        body: Json = {}
        try:
            body = await _read(request)
            respond(platform, request.path_params["key"], body)
        except Refused as refused:
            self._note(body, refused.status, refused.body, None)
            return _refusal(refused)
        if failure is not None and failure.kind is FaultKind.DROP_AFTER:
            self._note(body, None, {"ok": True}, failure.kind)
            return Cut(self._connections)
        self._note(body, 200, {"ok": True}, failure.kind if failure else None)
        if failure is not None:
            await platform.clock.sleep(failure.seconds)
        return PlainTextResponse("ok")

    def _failed(self, failure: Failure) -> Response:
        if failure.kind is FaultKind.DROP_BEFORE:
            self._note({}, None, {}, failure.kind)
            return Cut(self._connections)
        status, headers = failure.status, {}
        if failure.kind is FaultKind.RATE_LIMITED:
            status, headers = 429, {"Retry-After": f"{failure.seconds:g}"}
        self._note({}, status, {}, failure.kind)
        said = "ratelimited" if failure.kind is FaultKind.RATE_LIMITED else failure.error
        return PlainTextResponse(said, status_code=status, headers=headers)

    def _note(self, args: Mapping[str, Any], status: int | None, result: Json, fault: str | None) -> None:
        journal, clock = self._platform.journal, self._platform.clock
        journal.calls.append(
            Call(
                number=journal.number_call(),
                at=clock.wall(),
                elapsed=clock.elapsed(),
                method=METHOD,
                args=args,
                status=status,
                result=result,
                fault=fault,
            )
        )


def respond(platform: Platform, key: str, body: Json) -> None:
    """Apply one answer to an interaction, spending one of its uses."""
    wait = platform.pace.spend_post(f"response_url:{key}")
    if wait is not None:
        raise Refused("ratelimited", status=429, headers={"Retry-After": str(wait)})
    url = platform.triggers.spend_url(key)
    source = _source(platform, url)
    if body.get("delete_original"):
        if source is None:
            raise Refused("invalid_payload", status=400)
        platform.world.delete_message(source)
        return
    try:
        refuse_faults(check_message(body))
    except Refused as refused:
        refused.status = 400  # a web hook says so in the status, unlike the Web API
        raise
    if body.get("replace_original") and source is not None:
        platform.world.edit_message(
            source,
            at=platform.mint.stamp(),
            changes={
                "text": str(body.get("text") or ""),
                "blocks": named(body.get("blocks") or (), platform.mint),
            },
        )
        return
    say(platform, url, body)


def say(platform: Platform, url: ResponseUrl, body: Json) -> Message:
    """Put a new message where the interaction happened: for that person alone unless `in_channel`."""
    app = platform.app_in(url.team_id)
    in_channel = body.get("response_type") == "in_channel" and not url.is_ephemeral
    return platform.world.put_message(
        Message(
            channel=url.channel,
            ts=platform.mint.stamp(),
            user=app.bot_user_id,
            team_id=app.team_id,
            text=str(body.get("text") or ""),
            blocks=named(body.get("blocks") or (), platform.mint),
            bot_id=app.bot_id,
            app_id=platform.settings.app_id,
            thread_ts=body.get("thread_ts") or url.thread_ts,
            only_for=None if in_channel else url.user,
        )
    )


def _source(platform: Platform, url: ResponseUrl) -> Message | None:
    if url.message_ts is None:
        return None
    if url.is_ephemeral:
        return platform.world.ephemerals.get(url.message_ts)
    return platform.world.message(url.channel, url.message_ts)


async def _read(request: Request) -> Json:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise Refused("invalid_payload", status=400) from error
    if not isinstance(body, dict):
        raise Refused("invalid_payload", status=400)
    return body


def _refusal(refused: Refused) -> Response:
    if refused.status == 429:
        return PlainTextResponse("ratelimited", status_code=429, headers=refused.headers)
    return JSONResponse(refused.body, status_code=refused.status)
