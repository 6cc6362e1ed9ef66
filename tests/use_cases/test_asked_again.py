"""What people rejected twice in a short time is not asked again unchanged; everything else is, however often."""

from __future__ import annotations

from typing import Any

import pytest

from core.acts import Reject
from core.asking import ASK
from core.controls import Action
from core.errors import AlreadySettled
from core.kinds import EXAMPLES, Kind
from core.people import Via
from core.use_cases.answer import answer
from core.use_cases.ask import ask
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, GROUP, HERE, OTHER_AGENT


async def _rejected(b: Bench, kind: Kind = Kind.CONFIRMATION, **more: Any) -> str:
    id = await b.open(kind, **{"title": "Deploy 4.2", **more})
    await b.submit(ANA, await b.control(id, Action.REASON), {"reason": "The canary is red"})
    assert (await b.get(id)).status.value == "rejected"
    return id


async def _rejected_twice(b: Bench, kind: Kind = Kind.CONFIRMATION, **more: Any) -> str:
    """The second of two that were rejected ten minutes apart, at 14:05 and 14:15."""
    await _rejected(b, kind, **more)
    b.clock.move(minutes=10)
    return await _rejected(b, kind, **more)


@pytest.mark.parametrize("kind", [Kind.CONFIRMATION, Kind.SUGGESTED_TASKS])
async def test_what_is_asked_in_circles_gets_the_last_verdict_and_disturbs_nobody(b: Bench, kind: Kind) -> None:
    id = await _rejected_twice(b, kind)
    await b.owed()
    for _ in range(3):
        b.clock.move(minutes=6)
        with pytest.raises(AlreadySettled) as refused:
            await b.asked(kind, title="Deploy 4.2")
        assert refused.value.outcome is not None
        assert refused.value.outcome.reason == "The canary is red"
        assert refused.value.outcome.receipt == (await b.receipts(id))[-1].id
        assert f"{id}, so it is not asked again before Wed 2 Dec, 14:35 UTC." in str(refused.value)
        assert await b.owed() == []
    b.clock.move(minutes=2)
    assert (await b.asked(kind, title="Deploy 4.2")).snapshot["status"] == "pending"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"title": "Deploy 4.3"}, "something else is asked"),
        ({"body": "The canary is green now."}, "more is known"),
        ({"to": GROUP}, "it is asked elsewhere"),
        ({"audience": {"answerers": ["person:ben"]}}, "somebody else is asked"),
        ({"policy": {"reask": "allow"}}, "the asker knows of it and asks all the same"),
        ({"policy": {"reask": "1m"}}, "the asker counts it as another question sooner"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_what_is_another_question_is_asked(b: Bench, changed: dict[str, Any], why: str) -> None:
    await _rejected_twice(b)
    b.clock.move(minutes=2)
    asked = await b.asked(Kind.CONFIRMATION, **{"title": "Deploy 4.2", **changed})
    assert asked.snapshot["status"] == "pending", why


async def test_what_was_rejected_while_the_clock_was_a_month_ahead_is_asked(b: Bench) -> None:
    b.clock.move(days=30)
    await _rejected_twice(b)
    b.clock.move(days=-30)
    assert (await b.asked(Kind.CONFIRMATION, title="Deploy 4.2")).snapshot["status"] == "pending"


async def test_what_nobody_said_no_to_may_be_asked_as_often_as_anybody_likes(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, title="Deploy 4.2")
    await b.press(ANA, id, Action.ACCEPT)
    for _ in range(2):
        assert (await b.asked(Kind.CONFIRMATION, title="Deploy 4.2")).snapshot["status"] == "pending"


async def test_what_a_program_rejected_and_a_connection_that_was_declined_are_asked_again(b: Bench) -> None:
    of_agent: dict[str, Any] = {"title": "Deploy 4.2", "audience": {"answerers": ["agent:other"]}}
    for _ in range(3):
        id = await b.open(Kind.CONFIRMATION, **of_agent)
        await answer(b.context, HERE, id, Reject(1), OTHER_AGENT, Via.API)
        assert (await b.get(id)).status.value == "rejected"
    assert (await b.asked(Kind.CONFIRMATION, **of_agent)).snapshot["status"] == "pending"
    declined = await _rejected_twice(b, Kind.CONNECTION)
    anew = await b.asked(Kind.CONNECTION, title="Deploy 4.2")
    assert (anew.replayed, anew.snapshot["id"] != declined) == (False, True)


async def test_what_one_program_was_refused_another_may_ask(b: Bench) -> None:
    await _rejected_twice(b)
    body = {
        "kind": "confirmation",
        "to": "slack:T1.C1",
        "title": "Deploy 4.2",
        "payload": EXAMPLES[Kind.CONFIRMATION]["payload"],
    }
    asked = await ask(b.context, ASK.validate_python(body), OTHER_AGENT)
    assert asked.snapshot["status"] == "pending"


async def test_what_replaces_a_card_that_is_pending_is_asked(b: Bench) -> None:
    await _rejected_twice(b)
    open_one = await b.open(Kind.CONFIRMATION, title="Deploy 4.2 to the canary")
    asked = await b.asked(Kind.CONFIRMATION, title="Deploy 4.2", supersedes=open_one)
    assert asked.snapshot["status"] == "pending"


async def test_a_schedule_that_asks_the_same_every_hour_is_never_refused(b: Bench) -> None:
    asked = set[str]()
    for _ in range(4):
        asked.add(await _rejected(b))
        b.clock.move(hours=1)
    assert len(asked) == 4


async def test_a_policy_shows_for_how_long_and_keeps_nothing_that_an_older_service_could_not_read(b: Bench) -> None:
    usual = (await b.asked(Kind.CONFIRMATION)).snapshot["policy"]
    assert usual["reask"] == "30m"
    asked = await b.asked(Kind.CONFIRMATION, policy={"reask": "24h"})
    kept = await b.get(asked.snapshot["id"])
    assert kept.policy.reask == "24h"
    assert "reask" not in (await b.get((await b.asked(Kind.CONFIRMATION)).snapshot["id"])).policy.model_dump()
