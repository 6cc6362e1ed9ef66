"""One service over HTTP as its clients reach it: a request is sent again where that is harmless, and whatever comes
back is either what was wanted or an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import requests

from bot.resending import session


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


class Service:
    """Where it is and the key to it. `timeout` is in seconds, for each request; `troubled` is told, once until the
    service answers again, when a request will be tried again. Threads may share it."""

    def __init__(self, url: str, key: str, timeout: float, troubled: Callable[[str], None] | None) -> None:
        self._url = url
        self._timeout = timeout
        self._troubled = troubled
        self._in_trouble = False
        self._again = session(key, self._note_trouble, repeatable=True)
        self._once = session(key, self._note_trouble, repeatable=False)

    def _note_trouble(self, status: int | None) -> None:
        if self._troubled is not None and not self._in_trouble:
            self._in_trouble = True
            what = "does not answer" if status is None else f"answers {status}"
            self._troubled(f"{self._url} {what}; trying again")

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        waits: float = 0,
        again: bool = True,
        expects: str = "outcome",
    ) -> dict[str, Any]:
        """Send a request and return the object it answers, which has a field `expects`. `waits` are seconds that the
        service may take on top; `again`: it may be sent twice. Raises `ApiError`, `CannotReach`."""
        try:
            response = (self._again if again else self._once).request(
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
        except requests.exceptions.SSLError:
            raise CannotReach(f"{self._url} speaks no https, or shows no certificate that is trusted here") from None
        except requests.RequestException as error:
            raise CannotReach(f"{self._url} cannot be reached: {type(error).__name__}") from None
        self._in_trouble = False
        if response.ok and isinstance(said, dict) and expects in said:
            return said
        if isinstance(said, dict) and "type" in said and not response.ok:
            raise ApiError(response.status_code, said)
        raise CannotReach(f"{self._url} answered something else than sayso")
