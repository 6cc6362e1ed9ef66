"""Alerts: raised by a program, shown to all, and one work order opened from each."""

from __future__ import annotations

import pytest

from core.asking import AskContinuation
from core.errors import Invalid, NotFound
from core.events import LoopEventType
from core.loops import LoopAction, LoopControl
from core.loops.asking import AlertBody, AlertOrder, Order
from core.people import Standing
from core.replies import Reply, Saved, Told
from core.use_cases.alerts import order_from_alert, raise_alert
from core.use_cases.loop_arrivals import LoopPress
from core.use_cases.loop_press import press_loop
from core.use_cases.loops import dispatch
from tests.use_cases.cast import ANA, BEN, BUILDER, HERE, OTHER_AGENT, SLACK
from tests.use_cases.floor import Floor

ALARM = AlertBody(to=SLACK, severity="critical", message="VM unreachable x2 on port 22")


async def raised(f: Floor) -> str:
    answer, replayed = await raise_alert(f.b.context, ALARM, BUILDER)
    assert not replayed
    await f.deliver()
    id: str = answer["id"]
    return id


async def press(f: Floor, id: str, **changes: object) -> Reply:
    alert = await f.b.store.records.alert(HERE, id)
    assert alert is not None
    assert alert.card is not None
    values = {
        **f._arrival(ANA, alert.card.provider, alert.card.account),
        "channel": alert.card.channel or alert.card.place,
        "thread": None,
        "message": alert.card.message or "unknown",
        "control": LoopControl(id, LoopAction.ORDER),
    }
    reply = await press_loop(f.b.context, LoopPress(**{**values, **changes}))
    assert isinstance(reply, Saved | Told)
    return reply


async def test_an_alert_is_shown_announced_and_answered_by_one_order(f: Floor) -> None:
    id = await raised(f)
    assert f.alerts == [("CRITICAL", ALARM.message)]
    assert [type_ for type_, _ in await f.events()] == ["alert.raised"]
    reply = await press(f, id)
    alert = await f.b.store.records.alert(HERE, id)
    assert alert is not None
    assert alert.order is not None
    assert reply == Saved(f"The work order {alert.order} was opened.")
    assert (alert.wire()["incident"], alert.card and alert.card.message) == (True, alert.card and alert.card.message)
    loop = await f.loop(alert.order)
    assert (loop.title, loop.from_alert, loop.sender.handle) == (f"CRITICAL: {ALARM.message}", id, "ana")
    await f.deliver()
    assert "incident" in f.redrawn
    # The order's card hangs under the alert.
    assert (await f.place(loop)).thread == (alert.card.message if alert.card else None)
    again = await press(f, id)
    assert again == Told(f"the work order {alert.order} was opened from it already")


async def test_a_guest_opens_no_order_from_an_alert(f: Floor) -> None:
    id = await raised(f)
    stranger = BEN.identities[0].model_copy(update={"user": "U77"})
    reply = await press(f, id, identity=stranger, standing=Standing(guest=True))
    assert isinstance(reply, Told)
    assert [one.loop for one in await f.b.store.records.loops(HERE, None)] == []


async def test_an_order_that_names_its_alert_is_shown_on_it_and_only_who_is_there_knows_of_it(f: Floor) -> None:
    id = await raised(f)
    with pytest.raises(Invalid, match="there is no such alert"):
        await dispatch(f.b.context, Order(to="agent:other", title="Fix", alert=id), OTHER_AGENT)
    await dispatch(f.b.context, Order(to=SLACK, title="Fix", id="fix", alert=id), BUILDER)
    await f.deliver()
    assert f.redrawn == ["incident"]
    assert (await f.loop("fix")).from_alert == id


async def test_an_alert_may_come_with_its_order_and_a_key_is_answered_the_same(f: Floor) -> None:
    body = ALARM.model_copy(update={"order": AlertOrder(id="fix", due="30m")})
    first, _ = await raise_alert(f.b.context, body, BUILDER, ("k", "d"))
    assert (first["order"], first["loop"]["id"], first["incident"]) == ("fix", "fix", True)
    assert await raise_alert(f.b.context, body, BUILDER, ("k", "d")) == (first, True)
    assert len(await f.b.store.records.alerts(HERE, None)) == 1


async def test_an_order_names_the_alert_it_answers_by_call(f: Floor) -> None:
    id = await raised(f)
    with pytest.raises(NotFound):
        await order_from_alert(f.b.context, id, AlertOrder(), OTHER_AGENT)  # not there
    made = await order_from_alert(f.b.context, id, AlertOrder(id="fix"), BUILDER)
    assert (made["id"], made["alert"]) == ("fix", id)
    with pytest.raises(Invalid, match="opened from it already"):
        await dispatch(f.b.context, Order(to=SLACK, title="Fix", alert=id), BUILDER)


async def test_the_order_that_comes_with_an_alert_hangs_under_it(f: Floor) -> None:
    await raise_alert(f.b.context, ALARM.model_copy(update={"order": AlertOrder(id="fix")}), BUILDER)
    await f.deliver()
    loop = await f.loop("fix")
    (alert,) = await f.b.store.records.alerts(HERE, None)
    assert alert.card is not None
    assert loop.card is not None
    assert loop.card.thread == alert.card.message


async def test_an_alert_is_heard_by_its_raiser_where_it_is_raised_and_by_its_webhook(f: Floor) -> None:
    heard = AskContinuation(webhook="https://agent.example/hook", state={"run": 7})
    await raise_alert(f.b.context, ALARM.model_copy(update={"continuation": heard}), BUILDER)
    await f.deliver()
    (event,) = await f.b.store.records.events(HERE, BUILDER)
    assert (event.type, event.data["state"]) == (LoopEventType.ALERT, {"run": 7})
    assert [(one.event, one.agent, one.url) for one in f.heard] == [(event.id, BUILDER.id, heard.webhook)]
    assert await f.b.store.records.events(HERE, OTHER_AGENT) == []


async def test_an_alert_said_in_a_thread_is_heard_by_the_agents_there(f: Floor) -> None:
    loop = await f.order()
    await f.write(ANA, await f.place(loop), "[fleet-alert] CRITICAL: The queue stands")
    assert [type_ for type_, _ in await f.events(BUILDER)][-1] == "alert.raised"
    assert [type_ for type_, _ in await f.events(OTHER_AGENT)] == []
