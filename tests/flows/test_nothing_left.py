"""What was purged or forgotten stands in no table any more: a mark in every text is looked for in every column."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.startup import OPERATOR, WORKSPACE
from core.kinds import EXAMPLES, Kind
from core.loops.asking import AlertBody, Order
from core.use_cases.alerts import raise_alert
from core.use_cases.forgetting import forget_person
from core.use_cases.loops import dispatch
from core.use_cases.retaining import purge
from core.use_cases.transact import transact
from tests.flows.rig import ANA, CHANNEL, TG_ANA, TG_BEA, Rig, confirmation, eventually, question, rig, sqlite_at
from tests.flows.trouble import PushedClock

MARK = "xyzzy"
NAME = "Zephyrine"
TEXT = {"questions": [{"id": "q1", "prompt": f"What happened, {MARK}?", "type": "text"}]}


def where(folder: Path, needle: str) -> set[str]:
    """The columns in which it stands."""
    found: set[str] = set()
    with contextlib.closing(sqlite3.connect(folder / "sayso.sqlite3")) as connection:
        connection.row_factory = sqlite3.Row
        tables = [row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):  # the names are the database's own
                found |= {f"{table}.{name}" for name, value in dict(row).items() if needle in str(value)}
    return found


def marked(value: Any) -> Any:
    """The same with the mark in every text that people read."""
    if isinstance(value, dict):
        texts = {"title", "label", "description", "prompt", "purpose", "account", "accept_label", "reject_label"}
        return {
            key: f"{one} {MARK}" if key in texts and isinstance(one, str) else marked(one) for key, one in value.items()
        }
    return [marked(one) for one in value] if isinstance(value, list) else value


@pytest.fixture
async def clock() -> PushedClock:
    return PushedClock()


@pytest.fixture
async def r(tmp_path: Path, clock: PushedClock) -> AsyncIterator[Rig]:
    async with rig(sqlite_at(tmp_path), clock=clock) as made:
        yield made


async def settled_with_words(r: Rig) -> None:
    """Everything that can be said of cards and work orders, in both chats, all of it over at the end."""
    both = [f"slack:{CHANNEL}", f"telegram:{r.group}"]
    about = {"title": f"Title {MARK}", "body": f"Body {MARK}", "recommendation": f"Do {MARK}"}
    state = {"continuation": {"state": {"note": MARK}}}
    headers = {"Idempotency-Key": f"key-{MARK}"}
    answer = await r.api.post("/v1/interactions", json=confirmation(to=both, **about, **state), headers=headers)
    accepted = answer.json()["id"]
    await r.posted(accepted)
    await r.slack.person(ANA).press("Deploy")
    await r.api.post(f"/v1/interactions/{accepted}/reply", json={"text": f"Done {MARK}"})
    text = (await r.ask(to=f"telegram:{r.group}", payload=TEXT, **{**about, "title": f"Text {MARK}"}))["id"]
    await r.posted(text)
    await r.telegram.human.press(TG_ANA, r.group, "Answer…")
    await eventually(lambda: prompted(r))
    r.telegram.human.answer_prompt(TG_ANA, r.group, f"words {MARK}")
    await r.shown_settled(text)
    for kind in Kind:
        example = EXAMPLES[kind]
        made = marked({**example, "to": both, "kind": kind.value})
        assert MARK in str(made["payload"]), kind
        asked = await r.posted((await r.ask(**made))["id"])
        (card,) = [one for one in r.telegram.world.history(r.group) if asked["title"] in one.content.text]
        r.telegram.human.write(TG_BEA, r.group, f"A remark {MARK}", reply_to=card.id)
        await heard(r, asked["id"])
        ended = {"revision": 1, "reason": f"because {MARK}"}
        answer = await r.api.post(f"/v1/interactions/{asked['id']}/withdraw", json=ended)
        assert answer.status_code == 200, answer.text
        await r.shown_settled(asked["id"])


async def prompted(r: Rig) -> bool:
    return r.telegram.human.prompt(TG_ANA, r.group) is not None


async def heard(r: Rig, id: str) -> None:
    """Wait until a remark about a card is one."""

    async def look() -> bool:
        return any(one["data"]["interaction"]["id"] == id for one in await r.events("interaction.commented"))

    await eventually(look)


async def ordered_with_words(r: Rig) -> None:
    context = r.apps[0].context
    operator = await transact(context, lambda work: work.agent_by_name(WORKSPACE, OPERATOR))
    assert operator is not None
    body = {"to": f"slack:{CHANNEL}", "title": f"Order {MARK}", "body": f"Do {MARK}", "id": "wo-1"}
    answer = await r.api.post("/v1/loops", json=body, headers={"Idempotency-Key": "order"})
    assert answer.status_code == 201, answer.text
    await dispatch(context, Order.model_validate({**body, "id": "wo-2", "to": f"telegram:{r.group}"}), operator)
    await raise_alert(context, AlertBody(to=f"slack:{CHANNEL}", severity="high", message=f"Alert {MARK}"), operator)

    async def card() -> Any:
        found = await transact(context, lambda work: work.loop_named(WORKSPACE, "wo-1"))
        return found.card.message if found is not None and found.card is not None else None

    ts = await eventually(card)
    ana = r.slack.person(ANA)
    await ana.write(f"I look into {MARK}.", channel=CHANNEL, thread_ts=ts)
    await ana.write(f"[RESULT wo-1] OK all {MARK} healthy", channel=CHANNEL, thread_ts=ts)

    async def other() -> Any:
        found = await transact(context, lambda work: work.loop_named(WORKSPACE, "wo-2"))
        return found.card.message if found is not None and found.card is not None else None

    message = int(await eventually(other))
    r.telegram.human.write(TG_ANA, r.group, f"[DECLINE wo-2] no {MARK}", reply_to=message)

    async def ended() -> bool:
        closed = {one["type"] for one in await r.events()}
        return {"loop.closed", "loop.declined"} <= closed

    await eventually(ended)


async def test_what_was_purged_stands_nowhere(r: Rig, clock: PushedClock, tmp_path: Path) -> None:
    await settled_with_words(r)
    await ordered_with_words(r)
    await drained(tmp_path)
    before = where(tmp_path, MARK)
    assert {"interactions.content", "events.data", "receipts.line", "sayings.text", "loops.title"} <= before
    clock.push(2 * 86_400)
    context = r.apps[0].context
    swept = await purge(context, [WORKSPACE], clock.now())
    assert (swept.interactions, swept.loops) == (8, 2)
    assert where(tmp_path, MARK) == set()


async def drained(folder: Path) -> None:
    async def look() -> bool:
        with contextlib.closing(sqlite3.connect(folder / "sayso.sqlite3")) as connection:
            (waiting,) = connection.execute(
                "SELECT count(*) FROM outbox WHERE state IN ('waiting', 'claimed')"
            ).fetchone()
            return bool(waiting == 0)

    await eventually(look, 30)


USER, NUMBER = "U9ZEPHYR", 987_654_321


async def test_whoever_was_forgotten_is_named_nowhere(r: Rig, tmp_path: Path) -> None:
    r.slack.workspace.add_user(NAME.lower(), NAME, user_id=USER)
    r.slack.workspace.join(CHANNEL, USER)
    r.telegram.scene.create_user(NAME, user_id=NUMBER)
    r.telegram.human.start(NUMBER)
    r.group = r.telegram.scene.create_group("Zoo", [TG_ANA, NUMBER]).id
    both = [f"slack:{CHANNEL}", f"telegram:{r.group}"]
    for who in ("slack", "telegram"):
        await r.posted((await r.ask(**confirmation(title=f"Settled in {who}", to=both)))["id"])
        if who == "slack":
            await r.slack.person(USER).press("Deploy")
        else:
            await r.telegram.human.press(NUMBER, r.group, "Deploy")
    alone = {"audience": {"answerers": [f"slack:{USER}", f"telegram:{NUMBER}"]}}
    mine = await r.posted((await r.ask(title="For one", to=[f"slack:{USER}", f"telegram:{NUMBER}"], **alone))["id"])
    assert len(mine["publications"]) == 2
    headers = {"Idempotency-Key": "once"}
    named = question(title="Named", to=f"telegram:{r.group}", payload=TEXT, **alone)
    begun = (await r.api.post("/v1/interactions", json=named, headers=headers)).json()["id"]
    await r.posted(begun)
    await r.telegram.human.press(NUMBER, r.group, "Answer…")
    order = {"to": f"slack:{CHANNEL}", "title": "Look", "id": "wo-1"}
    assert (await r.api.post("/v1/loops", json=order, headers={"Idempotency-Key": "o"})).status_code == 201
    context = r.apps[0].context

    async def card() -> Any:
        found = await transact(context, lambda work: work.loop_named(WORKSPACE, "wo-1"))
        return found.card.message if found is not None and found.card is not None else None

    await r.slack.person(USER).press("Claim", channel=CHANNEL, ts=await eventually(card))
    listed = await r.apps[0].store.records.people(WORKSPACE)
    gone = [one for one in listed if any(it.user in (USER, str(NUMBER)) for it in one.identities)]
    assert len(gone) == 2
    for number, to in enumerate((f"slack:{USER}", f"telegram:{NUMBER}", *(f"person:{one.handle}" for one in gone))):
        order = {"to": to, "title": "Do it alone", "id": f"wo-1{number}"}
        answer = await r.api.post("/v1/loops", json=order, headers={"Idempotency-Key": f"o{number}"})
        assert answer.status_code == 201, answer.text
    cards = [one for one in r.telegram.world.history(NUMBER) if "For one" in one.content.text]
    r.telegram.human.write(NUMBER, NUMBER, "What is this?", reply_to=cards[0].id)
    await heard(r, mine["id"])
    await drained(tmp_path)
    for one in gone:
        await forget_person(context, WORKSPACE, one.handle)
    await drained(tmp_path)
    traces = (NAME, NAME.lower(), USER, str(NUMBER), *(one.handle for one in gone))
    assert {trace: where(tmp_path, trace) for trace in traces} == {trace: set() for trace in traces}
    there = [one.content.text for one in r.telegram.world.history(NUMBER) if one.author == r.telegram.bot_id]
    assert not [one for one in there if "For one" in one], "what nobody is to answer any more is taken out"
    again = await r.ask(title="Once more", to=[f"telegram:{r.group}", f"slack:{CHANNEL}"])
    assert len((await r.posted(again["id"]))["publications"]) == 2, "and everybody else is asked as before"
