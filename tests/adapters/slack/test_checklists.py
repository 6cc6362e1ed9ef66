"""Boxes of a checklist in Slack: what each person's client shows, and what their touch says, over HTTP and sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from typing import Any

import pytest

from adapters.inbound import Pressed
from core.cards import Card
from core.channels import Posted
from core.controls import Action
from core.fields import Fields
from core.people import Identity
from core.publications import PublicationState
from core.touches import is_overtaken, remember, shown_before
from tests.adapters.slack.rooms import Room, publication, room
from tests.blocks.slack.cards import CODEC, card, checklist, numbered, tick

LABELS = numbered(12)


def ticked(*items: int) -> Card:
    return card(checklist(*LABELS), ticks=tuple(tick(item) for item in items))


@pytest.fixture(params=["http", "socket"])
async def own(request: pytest.FixtureRequest) -> AsyncIterator[Room]:
    async with room(socket=request.param == "socket") as made:
        yield made


async def redraw(own: Room, posted: Posted, shown: Card) -> None:
    copy = publication(channel=posted.channel, message=posted.message, state=PublicationState.POSTED)
    await own.adapter.channel.redraw(shown, copy)


def touches(own: Room) -> list[tuple[list[int], list[int]]]:
    """What was ticked and unticked by each press, once all of them are saved."""
    found: list[tuple[list[int], list[int]]] = []
    kept: dict[Identity, Fields] = {}
    for arrival in own.intake.arrived:
        assert isinstance(arrival, Pressed)
        assert arrival.touch is not None
        assert CODEC.unpack(arrival.token).action is Action.TICKS
        picked = [CODEC.unpack(token) for token in arrival.picked]
        assert {one.action for one in picked} <= {Action.TICK}
        now, before = frozenset(one.option for one in picked), kept.get(arrival.sender, {})
        if not is_overtaken(before, arrival.touch):
            shown = shown_before(before, arrival.touch)
            found.append((sorted(now - shown), sorted(shown - now)))
            kept[arrival.sender] = remember(before, arrival.touch, now)
    return found


def here(posted: Posted) -> dict[str, Any]:
    return {"channel": posted.channel, "ts": posted.message}


def names(items: Collection[int]) -> list[str]:
    return [LABELS[item] for item in items]


async def test_a_touch_says_what_its_person_changed(own: Room) -> None:
    posted = await own.post(ticked(1, 11))
    assert own.ana.ticked(**here(posted)) == names([1, 11])
    await own.ana.tick(LABELS[0], **here(posted))
    await redraw(own, posted, ticked(1, 11, 0))
    await own.ana.untick(LABELS[1], **here(posted))
    await own.ana.untick(LABELS[11], **here(posted))
    assert touches(own) == [([0], []), ([], [1]), ([], [11])]


async def test_two_people_who_see_different_lists_take_nothing_from_each_other(own: Room) -> None:
    posted = await own.post(ticked())
    await own.ben.freeze()
    await own.ana.tick(LABELS[2], **here(posted))
    await redraw(own, posted, ticked(2))
    assert own.ben.ticked(**here(posted)) == []
    await own.ben.tick(LABELS[5], **here(posted))
    assert touches(own) == [([2], []), ([5], [])], "Ben takes back nothing: he has not seen Ana's tick"
    await own.ben.refresh()
    await redraw(own, posted, ticked(2, 5))
    assert own.ben.ticked(**here(posted)) == own.ana.ticked(**here(posted)) == names([2, 5])
    await own.ben.untick(LABELS[2], **here(posted))
    assert touches(own)[-1] == ([], [2]), "what he has seen he may take back"


async def test_a_redraw_shows_everybody_what_is_ticked_whatever_they_touched(own: Room) -> None:
    posted = await own.post(ticked())
    await own.ana.tick(LABELS[0], **here(posted))
    await redraw(own, posted, ticked(0))
    await own.ana.untick(LABELS[0], **here(posted))
    back = card(checklist(*LABELS), ticks=(tick(0, on=False),))
    await redraw(own, posted, back)
    assert own.ana.ticked(**here(posted)) == own.ben.ticked(**here(posted)) == []
    await own.ana.tick(LABELS[3], **here(posted))
    assert touches(own)[-1] == ([3], [])


async def test_submit_says_nothing_of_the_boxes(own: Room) -> None:
    """Each is saved when it is ticked, so what one person's client shows counts no more than another's."""
    posted = await own.post(ticked(1))
    await own.ana.press("Submit", **here(posted))
    (arrival,) = own.intake.arrived
    assert isinstance(arrival, Pressed)
    assert CODEC.unpack(arrival.token).action is Action.SUBMIT
    assert (arrival.picked, arrival.touch) == ((), None)


async def test_a_tick_taken_back_before_the_list_is_drawn_again_is_taken_back(own: Room) -> None:
    posted = await own.post(ticked(4))
    await own.ana.tick(LABELS[0], **here(posted))
    await own.ana.untick(LABELS[0], **here(posted))
    await own.ana.untick(LABELS[4], **here(posted))
    await own.ana.tick(LABELS[4], **here(posted))
    assert touches(own) == [([0], []), ([], [0]), ([], [4]), ([4], [])]


async def test_a_tick_says_nothing_anew_of_what_the_same_person_ticked_before(own: Room) -> None:
    """Somebody else may have taken that back since."""
    posted = await own.post(ticked())
    await own.ana.tick(LABELS[0], **here(posted))
    await own.ana.tick(LABELS[1], **here(posted))
    await own.ben.tick(LABELS[2], **here(posted))
    assert touches(own) == [([0], []), ([1], []), ([2], [])]


async def test_a_tick_that_is_overtaken_by_a_later_one_changes_nothing_after_it(own: Room) -> None:
    posted = await own.post(ticked())
    await own.ana.tick(LABELS[0], **here(posted))
    late = dict(own.slack.platform.journal.deliveries[-1].payload)
    await own.ana.tick(LABELS[1], **here(posted))
    assert (await own.slack.deliver({**late, "trigger_id": "9.9.9"})).status == 200
    assert touches(own) == [([0], []), ([1], [])]


async def test_a_tick_delivered_again_is_the_same_act(own: Room) -> None:
    posted = await own.post(ticked())
    await own.ana.tick(LABELS[0], **here(posted))
    await own.slack.replay(1)
    assert len({arrival.key for arrival in own.intake.arrived}) == 1
