"""A card that takes several people: whoever has voted is not reminded any more, and the others are."""

from __future__ import annotations

import pytest

from bot.waking import wake
from core.controls import Action
from core.use_cases.fires import FIRES
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA
from tests.use_cases.clockwork import Clockwork, asked


@pytest.fixture
def clockwork(b: Bench) -> Clockwork:
    return Clockwork(b)


async def test_whoever_voted_is_not_reminded_any_more_where_others_still_are(b: Bench, clockwork: Clockwork) -> None:
    everybody = {"answerers": ["person:ana", "person:ben", "person:opal"], "quorum": 2}
    chats = ["slack:T1.C1", "slack:T1.U1", "slack:T1.U2"]
    id = await asked(b, {"every": "10m", "max": 3, "gaps": "even"}, to=chats, audience=everybody)
    await b.press(ANA, id, Action.ACCEPT, on=2)
    assert await clockwork.tick(minutes=10) == 2, "the channel, and Ben"
    called = {sent.card.publication: [one.name for one in sent.calls] for sent in clockwork.sent}
    assert called == {1: ["Ben", "Opal"], 3: []}


@pytest.mark.parametrize("late", [False, True], ids=["before it is due", "when it is owed already"])
async def test_a_vote_ends_what_its_person_asked_to_be_reminded_of(
    b: Bench, clockwork: Clockwork, *, late: bool
) -> None:
    two = {"answerers": ["person:ana", "person:ben"], "quorum": 2}
    id = await asked(b, {"every": "10h", "max": 1}, to=["slack:T1.U1", "slack:T1.U2"], audience=two)
    await b.press(ANA, id, Action.SNOOZE, option=0, on=1)
    if late:
        b.clock.move(minutes=15)
        await wake(b.context, b.store.dues, FIRES, lambda *_: None)
    await b.press(ANA, id, Action.ACCEPT, on=1)
    assert await clockwork.tick(minutes=15) == 0
    assert await clockwork.tick(hours=10) == 1, "Ben alone"
