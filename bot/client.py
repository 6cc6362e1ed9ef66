"""Ask people from Python: `Client(url, key).ask(...)` waits for the answer, `await ask(...)` does so without blocking.

    from bot.client import Client

    sayso = Client("https://sayso.example.com", "sk_…")
    if sayso.ask("Delete the staging database?", to="slack:C0123").accepted:
        ...

A request that may not have arrived is sent again under the same Idempotency-Key, so nobody is asked twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bot.answers import Answer, By, Task, Verdict
from bot.reaching import ApiError, CannotReach, Service
from bot.whereabouts import NO_KEY, Whereabouts

__all__ = ["Answer", "ApiError", "By", "CannotReach", "Client", "Task", "Verdict", "ask"]

LONGEST_POLL = 60.0
PATIENCE = 300.0
"""Seconds that a service may be away while somebody waits for an answer."""


class Client:
    """One service and one key; what is not given is looked for in the environment and `.env` (`Whereabouts`). `timeout`
    is in seconds, for each request. `troubled` is told, once until the service answers again, when a request will be
    tried again. Threads may share it."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = 10.0,
        troubled: Callable[[str], None] | None = None,
    ) -> None:
        known = Whereabouts()
        found = key or known.key
        if not found:
            raise ValueError(NO_KEY)
        self._service = Service(url.rstrip("/") if url else known.url, found, timeout, troubled)

    def ask(
        self,
        title: str,
        *,
        to: str | Sequence[str],
        wait: float | None = None,
        idempotency_key: str | None = None,
        **content: Any,
    ) -> Answer:
        """Ask, and wait until it settles or `wait` seconds are over (None: as long as it takes).

        `content` holds the other fields of a request: `kind` (a confirmation if left out) and its `payload`, or
        instead of these two `questions`, a list of them; `body`, `recommendation`, `audience`, `policy`,
        `continuation`, `supersedes`, `supersede_key`. Raises `ApiError`, `CannotReach`.
        """
        asked = self.start(title, to=to, idempotency_key=idempotency_key, **content)
        return self.wait(asked.id, wait)

    def start(
        self, title: str, *, to: str | Sequence[str], idempotency_key: str | None = None, **content: Any
    ) -> Answer:
        """Ask without waiting."""
        body = {"title": title, "to": to if isinstance(to, str) else list(to), **_kind_and_payload(content)}
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return Answer.of(self._service.call("POST", "/v1/interactions", body, headers=headers))

    def wait(self, id: str, seconds: float | None = None, *, stop: threading.Event | None = None) -> Answer:
        """Wait until an interaction settles, for `seconds` at most; the answer says whether it did. To stop waiting
        changes nothing: it can still be answered, and waited for again."""
        stop = stop or threading.Event()
        deadline = None if seconds is None else time.monotonic() + seconds
        away_since: float | None = None
        while True:
            left = LONGEST_POLL if deadline is None else max(0.0, min(LONGEST_POLL, deadline - time.monotonic()))
            try:
                found = self.get(id, wait=left)
                away_since = None
            except CannotReach:
                now = time.monotonic()
                away_since = away_since or now
                if now - away_since > PATIENCE or (deadline is not None and now >= deadline):
                    raise
                stop.wait(1)
                continue
            if found.settled or stop.is_set() or (deadline is not None and time.monotonic() >= deadline):
                return found

    def get(self, id: str, *, wait: float = 0) -> Answer:
        """How an interaction stands; with `wait`, as soon as it settles within so many seconds."""
        return Answer.of(
            self._service.call("GET", f"/v1/interactions/{id}", params={"wait": f"{wait:.3f}"}, waits=wait)
        )

    def respond(self, id: str, answers: Mapping[str, Any], *, revision: int) -> Answer:
        """Answer questions that name this key's agent: `{"q1": {"value": "yes"}}`."""
        return self._act(id, "respond", {"answers": dict(answers), "revision": revision})

    def accept(
        self,
        id: str,
        *,
        revision: int,
        selected: Sequence[str] | None = None,
        edits: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Answer:
        """Accept what names this key's agent: a confirmation, a checklist as it is ticked or with exactly `selected`
        ticked, or the `selected` of suggested tasks, changed by `edits`: `{"key": {"title": "Another"}}`."""
        body: dict[str, Any] = {"revision": revision}
        if selected is not None:
            body["selected"] = list(selected)
        if edits:
            body["edits"] = {key: dict(edit) for key, edit in edits.items()}
        return self._act(id, "accept", body)

    def reject(self, id: str, *, revision: int, reason: str | None = None) -> Answer:
        """Reject what names this key's agent: a confirmation, all suggested tasks, a connection."""
        return self._act(id, "reject", {"revision": revision, "reason": reason})

    def tick(self, id: str, *items: str, untick: Sequence[str] = (), revision: int) -> Answer:
        """Tick and untick items of a checklist that names this key's agent."""
        return self._act(id, "ticks", {"tick": list(items), "untick": list(untick), "revision": revision})

    def judge(self, id: str, verdicts: Sequence[Mapping[str, Any]], *, revision: int) -> Answer:
        """Give verdicts to items of a card that names this key's agent: `[{"item": "a", "verdict": "approve"}]`, with
        a `reason` where that verdict takes one. The first one of an item stands; `.late` says which came after."""
        return self._act(id, "verdicts", {"verdicts": [dict(one) for one in verdicts], "revision": revision})

    def connected(self, id: str, state: str) -> Answer:
        """Confirm a connection that this key asked for, with the `state` that an operator brought to `connect_url`."""
        return self._act(id, "connected", {"state": state})

    def resolve_from_comment(
        self,
        id: str,
        message: str,
        *,
        accept: bool,
        revision: int,
        selected: Sequence[str] | None = None,
        reason: str | None = None,
    ) -> Answer:
        """Settle a card that this key asked by what a person wrote under it, in the `message` that
        `interaction.commented` named; its policy must have `resolve_from_comment`."""
        body: dict[str, Any] = {
            "message": message,
            "decision": "accept" if accept else "reject",
            "revision": revision,
            "reason": reason,
        }
        return self._act(id, "resolve-from-comment", {**body, "selected": None if selected is None else list(selected)})

    def tasks(self, interaction: str | None = None) -> Iterator[Task]:
        """The tasks that people accepted, newest first, of one interaction or of all that this key may read."""
        params = {"limit": "100", **({"interaction": interaction} if interaction else {})}
        while True:
            page = self._service.call("GET", "/v1/tasks", params=params, expects="items")
            yield from map(Task.of, page["items"])
            if page["next"] is None:
                return
            params["after"] = page["next"]

    def withdraw(self, id: str, *, reason: str | None = None) -> Answer:
        """Take a question back."""
        return self._act(id, "withdraw", {"reason": reason})

    def reply(self, id: str, text: str) -> Answer:
        """Tell the conversation what came of it."""
        return Answer.of(self._service.call("POST", f"/v1/interactions/{id}/reply", {"text": text}, again=False))

    def _act(self, id: str, name: str, body: Mapping[str, Any]) -> Answer:
        # The same act of the same agent is the same outcome, so it may be sent again.
        return Answer.of(self._service.call("POST", f"/v1/interactions/{id}/{name}", body))


def _kind_and_payload(content: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(content)
    questions = fields.pop("questions", None)
    if questions is not None:
        return {**fields, "kind": "questions", "payload": {"questions": list(questions)}}
    return {"kind": "confirmation", "payload": {}, **fields}


async def ask(title: str, *, url: str | None = None, key: str | None = None, **question: Any) -> Answer:
    """`Client(url, key).ask(title, ...)` without blocking. Each question that waits holds a thread of its own.

    To cancel this stops the waiting and not the question.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Answer] = loop.create_future()
    stop = threading.Event()
    client = Client(url, key)
    wait = question.pop("wait", None)

    def tell(result: Answer | Exception) -> None:
        if done.done():
            return
        if isinstance(result, Exception):
            done.set_exception(result)
        else:
            done.set_result(result)

    def run() -> None:
        result: Answer | Exception
        try:
            result = client.wait(client.start(title, **question).id, wait, stop=stop)
        except Exception as error:  # noqa: BLE001  # it is raised where it is awaited
            result = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, result)

    threading.Thread(target=run, name="sayso-ask", daemon=True).start()
    try:
        return await done
    finally:
        stop.set()
