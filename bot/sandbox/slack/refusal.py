"""How the stand-in says no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from blocks.slack.check import Fault


class Refused(Exception):
    """A Web API error: `{"ok": false, "error": …}` with what Slack adds to that error."""

    def __init__(
        self, error: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **more: object
    ) -> None:
        super().__init__(error)
        self.error = error
        self.status = status
        self.headers = dict(headers or {})
        self.more = more

    @property
    def body(self) -> dict[str, object]:
        """The JSON that is answered."""
        return {"ok": False, "error": self.error, **self.more}


def refuse_faults(faults: Iterable[Fault]) -> None:
    """Raise the error of the first fault, with every fault's pointer beside it."""
    found = list(faults)
    if not found:
        return
    error = found[0].error
    raise Refused(
        error,
        errors=[fault.line.removeprefix("[ERROR] ") for fault in found],
        response_metadata={"messages": [fault.line for fault in found]},
    )
