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
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import requests

from bot.answers import Answer, By
from bot.resending import session
from bot.whereabouts import Whereabouts

__all__ = ["Answer", "ApiError", "By", "CannotReach", "Client", "ask"]

LONGEST_POLL = 60.0
PATIENCE = 300.0
"""Seconds that a service may be away while somebody waits for an answer."""


class ApiError(Exception):
    """The service refused. `slug` is the stable name of the problem, `errors` the faults, `outcome` what stands."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.slug = str(problem.get("type", "")).rpartition("/")[2]
        self.detail = str(problem.get("detail") or problem.get("title") or f"status {status}")
        self.errors: tuple[Mapping[str, str], ...] = tuple(problem.get("errors") or ())
        self.outcome: Mapping[str, Any] | None = problem.get("outcome")
        super().__init__(self.detail)


class CannotReach(Exception):
    """The service could not be reached, or what answered was not it."""


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
        self._url = url.rstrip("/") if url else known.url
        found = key or known.key
        if not found:
            raise ValueError("give a key, or set SAYSO_API_KEY")
        self._timeout = timeout
        self._troubled = troubled
        self._in_trouble = False
        self._again = session(found, self._note_trouble, repeatable=True)
        self._once = session(found, self._note_trouble, repeatable=False)

    def _note_trouble(self, status: int | None) -> None:
        if self._troubled is not None and not self._in_trouble:
            self._in_trouble = True
            what = "does not answer" if status is None else f"answers {status}"
            self._troubled(f"{self._url} {what}; trying again")

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

        `content` holds the other fields of a request (`kind`, `payload`, `body`, `recommendation`, `audience`,
        `policy`, `continuation`, `supersedes`, `supersede_key`) or, instead of kind and payload, `questions`: a list
        of them. With neither it is a confirmation. Raises `ApiError`, `CannotReach`.
        """
        asked = self.start(title, to=to, idempotency_key=idempotency_key, **content)
        return self.wait(asked.id, wait)

    def start(
        self, title: str, *, to: str | Sequence[str], idempotency_key: str | None = None, **content: Any
    ) -> Answer:
        """Ask without waiting."""
        body = {"title": title, "to": to if isinstance(to, str) else list(to), **_kind_and_payload(content)}
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return Answer.of(self._call("POST", "/v1/interactions", body, headers=headers))

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
        return Answer.of(self._call("GET", f"/v1/interactions/{id}", params={"wait": f"{wait:.3f}"}, waits=wait))

    def respond(self, id: str, answers: Mapping[str, Any], *, revision: int) -> Answer:
        """Answer questions that name this key's agent: `{"q1": {"value": "yes"}}`."""
        return self._act(id, "respond", {"answers": dict(answers), "revision": revision})

    def accept(self, id: str, *, revision: int) -> Answer:
        """Accept a confirmation that names this key's agent."""
        return self._act(id, "accept", {"revision": revision})

    def reject(self, id: str, *, revision: int, reason: str | None = None) -> Answer:
        """Reject a confirmation that names this key's agent."""
        return self._act(id, "reject", {"revision": revision, "reason": reason})

    def withdraw(self, id: str, *, reason: str | None = None) -> Answer:
        """Take a question back."""
        return self._act(id, "withdraw", {"reason": reason})

    def reply(self, id: str, text: str) -> Answer:
        """Tell the conversation what came of it."""
        return Answer.of(self._call("POST", f"/v1/interactions/{id}/reply", {"text": text}, through=self._once))

    def _act(self, id: str, name: str, body: Mapping[str, Any]) -> Answer:
        # The same act of the same agent is the same outcome, so it may be sent again.
        return Answer.of(self._call("POST", f"/v1/interactions/{id}/{name}", body))

    def _call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        waits: float = 0,
        through: requests.Session | None = None,
    ) -> dict[str, Any]:
        try:
            response = (through or self._again).request(
                method,
                self._url + path,
                json=body,
                params=params,
                headers=headers,
                timeout=(self._timeout, self._timeout + waits),
                allow_redirects=False,
            )
            said = response.json()
        except requests.JSONDecodeError:
            raise CannotReach(f"{self._url} answered something else than sayso") from None
        except requests.RequestException as error:
            raise CannotReach(f"{self._url} cannot be reached: {type(error).__name__}") from None
        self._in_trouble = False
        if response.ok and isinstance(said, dict) and "outcome" in said:
            return said
        if isinstance(said, dict) and "type" in said and not response.ok:
            raise ApiError(response.status_code, said)
        raise CannotReach(f"{self._url} answered something else than sayso")


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
