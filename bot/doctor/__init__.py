"""`sayso doctor`: a small check for each thing that has to be right, and what to do where it is not.

No check changes anything, and none prints a secret. `SECTIONS` is the contents page; later checks use what earlier ones
learned, so the order matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from bot.config import Settings, load
from bot.doctor.accounts import ACCOUNTS
from bot.doctor.examining import Check, Examined, Finding, Level
from bot.doctor.house import HOUSE
from bot.doctor.places import check_of
from bot.doctor.reach import REACH, SERVICE
from bot.doctor.slack import SLACK
from bot.doctor.slack_app import SLACK_APP
from bot.doctor.telegram import TELEGRAM
from core.errors import Misconfigured

SECTIONS: Final[Sequence[tuple[Callable[[Settings], bool], Sequence[Check]]]] = (
    # Which checks there are, and when more than the first of each row has anything to look at.
    (lambda _: True, (*HOUSE, SERVICE)),
    (lambda settings: settings.slack_on, (*SLACK, *SLACK_APP)),
    (lambda settings: settings.telegram_on, TELEGRAM),
    (lambda settings: settings.slack_installs, ACCOUNTS),
)
_SETTINGS: Final = ("settings", "Every setting is well-formed, and they go together.")


def examine(places: Sequence[str] = (), now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Iterator[Finding]:
    """Check everything, one finding after the other; `places` are conversations to look at besides."""
    try:
        settings = load()
    except Misconfigured as error:
        yield Finding(*_SETTINGS, Level.FAILED, str(error).rstrip("."), "Set it right in .env or in the environment.")
        return
    yield Finding(*_SETTINGS, Level.OK, "all are well-formed")
    examined = Examined(settings, now)
    for is_on, (first, *rest) in SECTIONS:
        yield run(first, examined)
        for check in rest if is_on(settings) else ():
            yield run(check, examined)
    # The clock comes last: it is compared with what the others heard.
    for check in (*(check_of(place) for place in places), *REACH):
        yield run(check, examined)


def run(check: Check, examined: Examined) -> Finding:
    """Do one check. What nobody foresaw is a finding too, and hides none that come after it."""
    try:
        said = check.look(examined)
    except Exception as error:  # noqa: BLE001  # a check that breaks says so in its line
        found = f"the check itself broke ({type(error).__name__})"
        return Finding(check.name, check.means, Level.FAILED, found, "Please report this, with what `--json` prints.")
    is_well = said.level in (Level.OK, Level.OFF)
    return Finding(check.name, check.means, said.level, said.found, said.todo or ("" if is_well else check.todo))
