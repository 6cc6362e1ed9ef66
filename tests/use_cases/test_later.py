"""What people can do about time instead of answering: put it off, hand it on, ask whom it waits for."""

from __future__ import annotations

import pytest

from core.addresses import Provider
from core.controls import Action
from core.errors import Invalid
from core.kinds import Kind
from core.nudging import plan_of
from core.outbox import AskWords
from core.people import Identity, Person, Standing, Target
from core.receipts import ReceiptType
from core.replies import Saved, Told, Wrong
from core.use_cases.escalate import escalate_in
from core.use_cases.settings import set_times
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, HERE, PRIVATE, identity_on
from tests.use_cases.clockwork import Clockwork, asked


@pytest.fixture
def clockwork(b: Bench) -> Clockwork:
    return Clockwork(b)


async def test_whoever_puts_it_off_is_left_alone_and_reminded_then(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m", "gaps": "even", "max": 9}, to="slack:T1.U1")
    reply = await b.press(ANA, id, Action.SNOOZE, option=1)
    assert isinstance(reply, Saved)
    assert reply.text.startswith("I will remind you on ")
    assert await clockwork.tick(minutes=10) == 0
    assert await clockwork.tick(minutes=49) == 0
    assert await clockwork.tick(minutes=1) == 1, "and the one of the card that waited for it is not sent as well"
    assert "snoozed" in await b.types(id)


async def test_putting_off_works_without_any_policy_and_for_one_of_many(b: Bench, clockwork: Clockwork) -> None:
    id = await b.open(Kind.CONFIRMATION)
    await b.press(ANA, id, Action.SNOOZE, option=0)
    await b.press(BEN, id, Action.SNOOZE, option=1)
    assert await clockwork.tick(minutes=15) == 1
    assert [one.name for one in clockwork.sent[0].calls] == ["Ana"]
    await b.press(ANA, id, Action.ACCEPT)
    assert await clockwork.tick(hours=2) == 0
    assert await b.store.dues.next_due() is None


async def test_whoever_comes_too_late_is_told_when_that_was_in_their_own_zone(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION)
    await set_times(b.context, HERE, BEN.id, "Asia/Tokyo", None)
    await b.press(ANA, id, Action.ACCEPT)
    told = await b.press(BEN, id, Action.ACCEPT)
    assert isinstance(told, Told)
    assert "Ana" in told.text
    assert "JST" in told.text
    assert "UTC" not in told.text


async def test_another_time_is_asked_for_in_words(b: Bench, clockwork: Clockwork) -> None:
    id = await b.open(Kind.CONFIRMATION, to=PRIVATE)
    before = await b.get(id)
    assert isinstance(await b.press(ANA, id, Action.PUT_OFF), Told)
    await b.reply_to_prompt(ANA, "when I feel like it")
    assert await b.get(id) == before
    assert isinstance(await b.reply_to_prompt(ANA, "in 20 min"), Saved)
    assert await clockwork.tick(minutes=19) == 0
    assert await clockwork.tick(minutes=1) == 1
    assert (await b.get(id)).is_pending, "words about time are no answer"


async def test_it_is_handed_to_somebody_who_may_answer_then(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, audience={"answerers": ["person:ana"]})
    assert isinstance(await b.press(BEN, id, Action.ACCEPT), Told)
    control = await b.control(id, Action.DELEGATE)
    to_ben = Target(identity=identity_on(BEN, Provider.SLACK), standing=Standing(name="Ben"))
    assert isinstance(await b.submit(BEN, control, {}, target=to_ben), Told), "only whoever may answer hands it on"
    assert isinstance(await b.submit(ANA, control, {}, target=to_ben), Saved)
    assert [one.place for one in await b.copies(id)] == ["C1", "U2"]
    assert isinstance(await b.press(BEN, id, Action.ACCEPT), Saved)
    delegated = next(one for one in await b.receipts(id) if one.type is ReceiptType.DELEGATED)
    assert (delegated.by.handle, delegated.data["to"]) == ("ana", "person:ben")


CLOSED_TO = [
    # why | what the provider says of them
    ("a bot", Standing(bot=True)),
    ("a deactivated account", Standing(deleted=True)),
    ("a guest", Standing(guest=True)),
    ("somebody of another workspace", Standing(external=True)),
]


@pytest.mark.parametrize("standing", [row[1] for row in CLOSED_TO], ids=[row[0] for row in CLOSED_TO])
async def test_it_is_not_handed_to(b: Bench, standing: Standing) -> None:
    id = await b.open(Kind.CONFIRMATION)
    stranger = Target(identity=Identity(provider="slack", account="T1", user="U9"), standing=standing)
    reply = await b.submit(ANA, await b.control(id, Action.DELEGATE), {}, target=stranger)
    assert isinstance(reply, Wrong)
    assert reply.fields == ("to",)
    assert "delegated" not in await b.types(id)


@pytest.mark.parametrize("standing", [row[1] for row in CLOSED_TO[1:]], ids=[row[0] for row in CLOSED_TO[1:]])
async def test_nor_by_the_handle_that_the_account_got_by_itself(b: Bench, standing: Standing) -> None:
    id = await b.open(Kind.CONFIRMATION)
    account, handle = await _acted_once(b, id, standing)
    reply = await b.submit(ANA, await b.control(id, Action.DELEGATE), {"to": handle})
    assert isinstance(reply, Wrong)
    assert reply.fields == ("to",)
    assert [one.place for one in await b.copies(id)] == ["C1"], "and the card is not brought to them"
    assert isinstance(await b.press(account, id, Action.ACCEPT, standing=standing), Told)
    assert (await b.get(id)).is_pending


@pytest.mark.parametrize("standing", [row[1] for row in CLOSED_TO[1:]], ids=[row[0] for row in CLOSED_TO[1:]])
@pytest.mark.parametrize("vouched", [True, False], ids=["added by an operator", "whom nobody added"])
async def test_whoever_it_was_handed_to_is_judged_again_at_the_answer(
    b: Bench, standing: Standing, vouched: bool
) -> None:
    id = await asked(b, {"every": "30m"}, audience={"answerers": ["person:ana"]})
    identity = identity_on(BEN, Provider.SLACK) if vouched else Identity(provider="slack", account="T1", user="U9")
    who = Person(id="per_gus", workspace=HERE, handle="gus", name="Gus", identities=(identity,))
    handed = Target(identity=identity, standing=Standing(name="Gus"))
    assert isinstance(await b.submit(ANA, await b.control(id, Action.DELEGATE), {}, target=handed), Saved)
    for action in (Action.ACCEPT, Action.REJECT, Action.SNOOZE, Action.DELEGATE):
        assert isinstance(await b.press(who, id, action, standing=standing), Told)
    assert (await b.get(id)).is_pending
    assert isinstance(await b.press(who, id, Action.ACCEPT), Saved), "who is a member again may answer again"


async def test_a_guest_to_whom_it_was_handed_on_and_whom_the_policy_then_brought_in_answers(b: Bench) -> None:
    nudges = {"every": "30m", "max": 1, "escalate_to": ["person:ben"]}
    id = await asked(b, nudges, audience={"answerers": ["person:ana"]})
    to_ben = Target(identity=identity_on(BEN, Provider.SLACK), standing=Standing(name="Ben"))
    assert isinstance(await b.submit(ANA, await b.control(id, Action.DELEGATE), {}, target=to_ben), Saved)
    assert isinstance(await b.press(BEN, id, Action.ACCEPT, standing=Standing(guest=True)), Told)
    async with b.store.work() as work:
        before = await work.interaction(HERE, id)
        assert before is not None
        await escalate_in(work, b.context, before, await work.publications(id))
        await work.commit()
    assert isinstance(await b.press(BEN, id, Action.ACCEPT, standing=Standing(guest=True)), Saved)


async def test_somebody_an_operator_added_is_not_handed_it_by_handle_once_all_their_accounts_are_closed_to(
    b: Bench,
) -> None:
    id = await b.open(Kind.CONFIRMATION)
    gus = Person(
        id="per_gus",
        workspace=HERE,
        handle="gus",
        name="Gus",
        identities=(Identity(provider="slack", account="T1", user="U9"),),
    )
    async with b.store.work() as work:
        await work.add_person(gus)
        await work.keep_standing(HERE, gus.identities[0], Standing(guest=True), b.clock.now())
        await work.commit()
    reply = await b.submit(ANA, await b.control(id, Action.DELEGATE), {"to": "gus"})
    assert isinstance(reply, Wrong)
    assert reply.fields == ("to",)
    async with b.store.work() as work:
        await work.forget_standing(HERE, gus.identities[0])
        await work.commit()
    assert isinstance(await b.submit(ANA, await b.control(id, Action.DELEGATE), {"to": "gus"}), Saved)
    assert isinstance(await b.press(gus, id, Action.ACCEPT, standing=Standing(guest=True)), Told)


async def test_somebody_nobody_added_is_not_handed_it_while_it_is_unknown_what_they_are(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION)
    account, handle = await _acted_once(b, id, Standing(guest=True))
    async with b.store.work() as work:
        await work.forget_standing(HERE, account.identities[0])
        await work.commit()
    assert isinstance(await b.submit(ANA, await b.control(id, Action.DELEGATE), {"to": handle}), Wrong)
    assert "delegated" not in await b.types(id)


async def test_a_member_whom_nobody_added_is_handed_it_by_that_handle(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION)
    _, handle = await _acted_once(b, id, Standing(guest=True))
    async with b.store.work() as work:
        await work.keep_standing(HERE, Identity(provider="slack", account="T1", user="U9"), Standing(), b.clock.now())
        await work.commit()
    assert isinstance(await b.submit(ANA, await b.control(id, Action.DELEGATE), {"to": handle}), Saved)


async def _acted_once(b: Bench, id: str, standing: Standing) -> tuple[Person, str]:
    """Somebody whom nobody added and who is refused, with the handle that the refused press left them."""
    identity = Identity(provider="slack", account="T1", user="U9")
    who = Person(id="per_gus", workspace=HERE, handle="gus", name="Gus", identities=(identity,))
    async with b.store.work() as work:
        await work.keep_standing(HERE, identity, standing, b.clock.now())
        await work.commit()
    assert isinstance(await b.press(who, id, Action.ACCEPT, standing=standing), Told)
    async with b.store.work() as work:
        known = await work.person_by_identity(HERE, identity)
    assert known is not None
    assert known.automatic
    return who, known.handle


async def test_handles_are_offered_when_one_is_not_known(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, to=PRIVATE)
    await b.press(ANA, id, Action.DELEGATE)
    await b.reply_to_prompt(ANA, "@nobody")
    (again,) = [one for one in await b.owed() if isinstance(one, AskWords)]
    assert "ana, ben, opal" in again.fault
    await b.press(ANA, id, Action.DELEGATE)
    assert isinstance(await b.reply_to_prompt(ANA, "@Ben"), Saved)


async def test_whom_it_waits_for_is_told(b: Bench) -> None:
    audience = {"answerers": ["person:ana", "person:ben"], "quorum": 2}
    id = await asked(b, {"every": "30m", "max": 1}, audience=audience)
    await b.press(ANA, id, Action.ACCEPT)
    await b.press(BEN, id, Action.SNOOZE, option=1)
    reply = await b.press(BEN, id, Action.AWAITED)
    assert isinstance(reply, Told)
    assert reply.text.startswith("Waiting for Ben. 1 of 2 have accepted. Ben is reminded at ")
    assert "Next reminder:" in reply.text


async def test_nobody_is_promised_a_reminder_that_comes_after_the_end(b: Bench, clockwork: Clockwork) -> None:
    id = await asked(b, {"every": "10m"}, to="slack:T1.U1", policy={"expires_in": "30m"})
    for option in (1, 2):
        reply = await b.press(ANA, id, Action.SNOOZE, option=option)
        assert reply == Told("this expires before then, on 2 Dec 2026, 14:35 UTC; name an earlier time")
    assert "snoozed" not in await b.types(id)
    assert isinstance(await b.press(ANA, id, Action.SNOOZE, option=0), Saved)
    assert await clockwork.tick(minutes=15) == 1


async def test_a_card_handed_on_keeps_room_for_those_it_is_escalated_to(b: Bench, clockwork: Clockwork) -> None:
    named = [f"slack:T1.U{number}" for number in range(100, 198)]
    nudges = {"every": "10m", "max": 1, "escalate_to": ["person:opal"]}
    id = await asked(b, nudges, audience={"answerers": [*named, "person:ana"]})
    full = await b.submit(ANA, await b.control(id, Action.DELEGATE), {"to": "ben"})
    assert isinstance(full, Wrong)
    assert full.faults[0].detail == "at most 100 answerers can be named on one card"
    await clockwork.tick(minutes=10)
    await clockwork.tick(minutes=20)
    card = await b.get(id)
    assert (len(card.audience.answerers), card.audience.answerers[-1]) == (100, "person:opal")


async def test_more_who_could_answer_than_a_card_can_name_are_refused_when_it_is_asked(b: Bench) -> None:
    named = [f"slack:T1.U{number}" for number in range(100, 200)]
    with pytest.raises(Invalid) as refused:
        await asked(b, {"every": "10m", "escalate_to": ["person:opal"]}, audience={"answerers": named})
    assert [one.pointer for one in refused.value.faults] == ["/policy/nudges/escalate_to"]
    assert await asked(b, {"every": "10m", "escalate_to": [named[0]]}, audience={"answerers": named})


@pytest.mark.parametrize(("ends", "first"), [("20m", "30m"), ("30m", "30m"), ("31m", "30m"), (None, "30m")])
async def test_others_who_could_never_be_told_are_refused_when_it_is_asked(
    b: Bench, ends: str | None, first: str
) -> None:
    nudges, policy = {"every": first, "escalate_to": ["person:opal"]}, {"expires_in": ends}
    if ends in ("20m", "30m"):
        with pytest.raises(Invalid) as refused:
            await asked(b, nudges, policy=policy)
        (fault,) = refused.value.faults
        assert (fault.pointer, fault.detail.split(",")[0]) == (
            "/policy/nudges/escalate_to",
            "they would never be told",
        )
        return
    id = await asked(b, nudges, policy=policy)
    assert plan_of(await b.get(id)).escalation is not None
