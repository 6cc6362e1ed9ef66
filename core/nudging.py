"""The plan of an interaction's reminders: when each is due, when others are brought in, and what of it is left.

The plan follows from the policy and two moments alone, so what was missed is known after any outage, and no clock that
jumps makes anything happen twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.durations import parse_duration
from core.policy import Nudges, Policy
from core.quiet import Window, parse_quiet, working, zone_of
from core.quiet import WorkingCalendar as Calendar
from core.records import Interaction

GROWTH = 2
LONGEST_GAP = timedelta(days=1)
"""Gaps double up to a day, unless the first is longer already."""
USUAL_MOST = 3
"""How many reminders there are when the policy gives no number."""
CAP = 3
"""Reminders that one recipient gets within `CAP_SPAN`; what would be more becomes one message."""
CAP_SPAN = timedelta(hours=1)


@dataclass(frozen=True)
class Plan:
    """`reminders` in order, and when others are told (None: never)."""

    reminders: tuple[datetime, ...]
    escalation: datetime | None

    def left(self, done_to: datetime | None, *, escalated: bool) -> datetime | None:
        """The next moment at which something is to be done."""
        rest = [at for at in self.reminders if done_to is None or at > done_to]
        if self.escalation is not None and not escalated:
            rest.append(self.escalation)
        return min(rest, default=None)


def plan(policy: Policy, started_at: datetime, expires_at: datetime | None) -> Plan:
    """The whole plan of a question whose clock started at `started_at`."""
    nudges = policy.nudges
    if nudges is None:
        return Plan((), None)
    moments, after = _series(nudges, started_at)
    if expires_at is not None:
        moments |= {expires_at - parse_duration(offset) for offset in nudges.at}
        moments = {at for at in moments if started_at < at < expires_at}
    reminders = tuple(sorted(moments))
    if not nudges.escalate_to:
        return Plan(reminders, None)
    last = reminders[-1] if reminders else None
    if after is None or (expires_at is not None and after >= expires_at):
        # Nothing comes after the last reminder in time, so it goes to the others as well.
        after = last
    return Plan(reminders, after)


def _series(nudges: Nudges, start: datetime) -> tuple[set[datetime], datetime | None]:
    """The reminders in growing gaps, and when the one after the last would be."""
    if nudges.every is None:
        return set(), None
    first = gap = parse_duration(nudges.every)
    longest = max(first, LONGEST_GAP)
    moments, at = set[datetime](), start
    for _ in range(nudges.max or USUAL_MOST):
        at += gap
        moments.add(at)
        gap = min(gap * GROWTH, longest) if nudges.gaps == "growing" else first
    return moments, at + gap


def unreachable(policy: Policy) -> int:
    """How many of the policy's reminders can never happen, because the question expires before them."""
    if policy.nudges is None or policy.expires_in is None:
        return 0
    start = datetime.fromtimestamp(0, tz=zone_of("UTC"))
    ends = policy.expiry(start)
    wanted, _ = _series(policy.nudges, start)
    offsets = {start + parse_duration(policy.expires_in) - parse_duration(offset) for offset in policy.nudges.at}
    return sum(not (start < at and (ends is None or at < ends)) for at in wanted | offsets)


def never_escalates(policy: Policy) -> bool:
    """Whether nobody is ever brought in, because the question expires before that or the policy names nobody."""
    start = datetime.fromtimestamp(0, tz=zone_of("UTC"))
    return plan(policy, start, policy.expiry(start)).escalation is None


def windows(nudges: Nudges | None, zones: Sequence[str], calendar: Calendar | None) -> tuple[Window, ...]:
    """Everything for which a recipient in these `zones` is left alone. With none known, they are in the calendar's."""
    usual = calendar.zone if calendar else "UTC"
    own = tuple(dict.fromkeys(zones)) or (usual,)
    found: list[Window] = []
    if nudges is not None and nudges.quiet is not None:
        hours, fixed = parse_quiet(nudges.quiet)
        found += [Window(zone=zone, quiet=hours) for zone in ([fixed] if fixed else [zone_of(name) for name in own])]
    if nudges is not None and nudges.days:
        found += [Window(zone=zone_of(name), days=frozenset(nudges.days)) for name in own]
    if calendar is not None and (nudges is None or nudges.working):
        found.append(working(calendar))
    return tuple(found)


def plan_of(interaction: Interaction) -> Plan:
    """The reminders of an interaction; none before its clock starts."""
    if interaction.started_at is None:
        return Plan((), None)
    return plan(interaction.policy, interaction.started_at, interaction.expires_at)


def begun_as_of(interaction: Interaction, now: datetime) -> Interaction:
    """The interaction as it stands at `now`: one that began at a moment that is still to come, while a clock was ahead,
    began now and has all of its time before it, and what its plan did at such a moment it did at none."""
    began = _begun(interaction, now)
    done_to = began.reminding.done_to
    if done_to is None or done_to <= now:
        return began
    reached = max((at for at in plan_of(began).reminders if at <= now), default=None)
    return began.model_copy(update={"reminding": began.reminding.model_copy(update={"done_to": reached})})


def _begun(interaction: Interaction, now: datetime) -> Interaction:
    latest, changes = interaction.policy.expiry(now), dict[str, object]()
    if interaction.started_at is not None and interaction.started_at > now:
        changes["started_at"] = now
    for name, ends in (("expires_at", interaction.expires_at), ("undelivered_until", interaction.undelivered_until)):
        if latest is not None and ends is not None and ends > latest:
            changes[name] = latest
    if "expires_at" in changes:
        # Cards say when they expire.
        changes["version"] = interaction.version + 1
    return interaction.model_copy(update=changes) if changes else interaction


def next_nudge(interaction: Interaction) -> datetime | None:
    """When the plan wants something next; None: never, as things stand."""
    if not interaction.is_pending or interaction.dismissed_at is not None:
        return None
    reminding = interaction.reminding
    return plan_of(interaction).left(reminding.done_to, escalated=reminding.escalated_at is not None)
