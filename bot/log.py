"""Logs: one line per arrival, decision and delivery, with ids and never content. Secrets cannot reach them."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, Final

import structlog
from structlog.typing import ExcInfo

from bot.config import LogStyle
from bot.failures import traced
from bot.outage import Outage
from core.redaction import without_secrets

QUIET: dict[str, int] = {
    # These print whole addresses (with a bot's token in it), bodies or every request at INFO.
    "httpx": logging.WARNING,
    "httpcore": logging.WARNING,
    "slack_bolt": logging.WARNING,
    "slack_sdk": logging.WARNING,
    "telegram": logging.WARNING,
    "apscheduler": logging.ERROR,  # it warns of each look that was left out because the one before still goes on
    "alembic": logging.WARNING,  # at INFO it says at every start how it works, even where there is nothing to do
    "uvicorn.access": logging.WARNING,
    "aiohttp.access": logging.WARNING,
    "urllib3": logging.WARNING,
    "psycopg": logging.ERROR,  # it warns of what was not sent after a statement that failed, which is raised anyway
}


_STEERING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Signs that a terminal obeys instead of showing them; line feeds and tabs are none."""
_MANY_LINES: Final = frozenset({"exception", "stack"})
"""What may go on over several lines: the rest is one, whatever it holds."""


def hide_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace whatever looks like a secret in any text of a line, however deep, and spell out what would begin another
    line or steer a terminal."""
    for name, value in event.items():
        if not name.startswith("_"):  # structlog's own, taken out before anything is written
            event[name] = _shown(value, lines=name in _MANY_LINES)
    return event


def _shown(value: Any, *, lines: bool = False) -> Any:
    match value:
        case None | bool() | int() | float():
            return value
        case Mapping():
            return {_shown(str(name)): _shown(one) for name, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_shown(one) for one in value]
        case _:
            text = without_secrets(value if isinstance(value, str) else repr(value))
            return _STEERING.sub(_spelled, text if lines else text.replace("\n", "\\n"))


def _spelled(sign: re.Match[str]) -> str:
    return f"\\x{ord(sign[0]):02x}"


def drop_colours(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Leave out the second copy of a line that uvicorn adds for terminals, escape codes and all."""
    event.pop("color_message", None)
    return event


def _failure(exc_info: ExcInfo) -> str:
    return traced(exc_info[1])


def set_up(style: LogStyle, *, quiet: bool = False) -> None:
    """Send every log, ours and the libraries', to standard error in one form; `quiet`: only warnings."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(_failure),
        hide_secrets,
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if style is LogStyle.JSON
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[Outage(), *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), drop_colours, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING if quiet else logging.INFO)
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)
