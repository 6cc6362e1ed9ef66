"""The plan of reminders: when each is due, when others are brought in, and what of it is left after an outage."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.durations import parse_duration
from core.nudging import plan, unreachable
from core.policy import Nudges, Policy
from tests.rules.making import NOW

PLANS = [
    # why | policy | minutes after the start of each reminder | of the escalation
    ("no reminders", {}, [], None),
    ("the first gap, then twice, then twice again", {"every": "30m"}, [30, 90, 210], None),
    ("as many as wanted", {"every": "30m", "max": 1}, [30], None),
    ("even gaps", {"every": "30m", "gaps": "even", "max": 3}, [30, 60, 90], None),
    ("gaps grow to a day", {"every": "10h", "max": 4}, [600, 1800, 3240, 4680], None),
    ("a first gap over a day stays", {"every": "2d", "max": 2}, [2880, 5760], None),
    ("others come after one gap more", {"every": "30m", "max": 2, "escalate_to": ["role:operator"]}, [30, 90], 210),
    ("before the end", {"at": ["1h", "10m"], "ends": "1d"}, [1380, 1430], None),
    ("before it, others with the last", {"at": ["1h"], "ends": "1d", "escalate_to": ["person:ana"]}, [1380], 1380),
    (
        "both, in order, one moment once",
        {"every": "30m", "max": 2, "at": ["30m", "1h"], "ends": "2h"},
        [30, 60, 90],
        None,
    ),
    ("what would be after the end is not", {"every": "30m", "ends": "1h"}, [30], None),
    ("then others come with the last in time", {"every": "30m", "ends": "1h", "escalate_to": ["person:ana"]}, [30], 30),
    ("what would be before the start is not", {"at": ["2h"], "ends": "1h"}, [], None),
]


@pytest.mark.parametrize(
    ("given", "reminders", "escalation"), [row[1:] for row in PLANS], ids=[row[0] for row in PLANS]
)
def test_the_plan(given: dict[str, object], reminders: list[int], escalation: int | None) -> None:
    nudges = {name: value for name, value in given.items() if name != "ends"}
    policy = Policy.model_validate({"nudges": nudges or None, "expires_in": given.get("ends")})
    made = plan(policy, NOW, policy.expiry(NOW))
    assert [(at - NOW) / timedelta(minutes=1) for at in made.reminders] == reminders
    assert made.escalation == (None if escalation is None else NOW + timedelta(minutes=escalation))


def test_reminders_that_can_never_come_are_counted() -> None:
    assert unreachable(Policy(expires_in="1h", nudges=Nudges(every="30m", at=("2h",)))) == 3
    assert unreachable(Policy(expires_in="1d", nudges=Nudges(every="30m", at=("2h",)))) == 0
    assert unreachable(Policy(nudges=Nudges(every="30m"))) == 0


DURATIONS = st.builds("{}{}".format, st.integers(1, 600), st.sampled_from("smhd"))
NUDGES = st.builds(
    Nudges,
    every=st.none() | DURATIONS,
    gaps=st.sampled_from(["growing", "even"]),
    max=st.none() | st.integers(1, 50),
    at=st.lists(DURATIONS, max_size=10).map(tuple),
    escalate_to=st.sampled_from([(), ("role:operator",)]),
)


@given(nudges=NUDGES, ends=st.none() | DURATIONS, steps=st.lists(st.floats(0, 10**7), max_size=30))
def test_whenever_the_service_looks_each_moment_is_left_exactly_until_it_is_done(
    nudges: Nudges, ends: str | None, steps: list[float]
) -> None:
    policy = Policy(nudges=nudges, expires_in=ends)
    made = plan(policy, NOW, policy.expiry(NOW))
    assert list(made.reminders) == sorted(set(made.reminders))
    limit = NOW + parse_duration(ends) if ends else None
    assert all(at > NOW and (limit is None or at < limit) for at in made.reminders)
    done_to: datetime | None = None
    escalated = False
    reminded = 0
    for now in sorted(NOW + timedelta(seconds=step) for step in steps):
        due = made.left(done_to, escalated=escalated)
        if due is None or due > now:
            continue
        reached = [at for at in made.reminders if at <= now]
        if reached and reached[-1] != done_to:
            done_to, reminded = reached[-1], reminded + 1
        escalated = escalated or (made.escalation is not None and made.escalation <= now)
        after = made.left(done_to, escalated=escalated)
        assert after is None or after > now, "once done, nothing of the past is left"
    assert reminded <= len(made.reminders)
