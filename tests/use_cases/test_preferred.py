"""Somebody with accounts in both chats gets what is for them alone in the one that they prefer."""

from __future__ import annotations

import pytest

from core.addresses import Provider
from core.errors import Invalid
from core.kinds import Kind
from core.people import Identity, Person, Standing
from core.ports import Connection
from core.replies import Helped, Told
from core.use_cases.commanded import Setting, prefer_command
from core.use_cases.settings import set_preferred, set_times
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, HERE
from tests.use_cases.clockwork import Clockwork, asked

ANA_ONLY = {"answerers": ["person:ana"]}


async def _say(b: Bench, words: str, identity: Identity = ANA.identities[0]) -> str:
    asked = Setting(prefer_command, words, "/prefer", "/zone")
    reply = await prefer_command(b.context, HERE, identity, Standing(name="Zoe"), asked)
    assert isinstance(reply, Helped | Told)
    return reply.text


async def _connected(b: Bench) -> None:
    async with b.store.work() as work:
        for provider, account in ((Provider.SLACK, "T1"), (Provider.TELEGRAM, "sayso_bot")):
            await work.add_connection(
                Connection(f"con_{account}", HERE, provider, account, account, "bot"), b.clock.now()
            )
        await work.commit()


async def _ana(b: Bench) -> Person:
    async with b.store.work() as work:
        found = await work.person(HERE, ANA.id)
    assert found is not None
    return found


async def test_a_card_a_list_and_a_reminder_for_somebody_come_in_the_chat_they_prefer(b: Bench) -> None:
    await _connected(b)
    clockwork = Clockwork(b)
    for provider in (Provider.TELEGRAM, Provider.SLACK):
        await set_preferred(b.context, HERE, ANA.id, provider)
        to_person = await b.open(Kind.CONFIRMATION, to="person:ana")
        assert [one.provider for one in await b.copies(to_person)] == [provider]

        id = await asked(b, {"every": "10m", "max": 1}, to=["slack:T1.U1", "telegram:sayso_bot.42"], audience=ANA_ONLY)
        before = len(clockwork.sent)
        await clockwork.tick(minutes=10)
        async with b.store.work() as work:
            reminded = [one.publication for one in await work.reminders(id)]
        copies = {one.id: one.provider for one in await b.copies(id)}
        assert [copies[one] for one in reminded] == [provider], "once, though she has the card in both chats"
        assert len(clockwork.sent) == before + 1

        _, at = await set_times(b.context, HERE, ANA.id, None, "09:00")
        assert at is not None
        await clockwork.tick(seconds=(at - b.clock.now()).total_seconds())
        assert clockwork.digests[-1].provider == provider.value


async def test_people_choose_it_themselves_and_are_told_how_it_is(b: Bench) -> None:
    assert await _say(b, "") == "What is for you alone comes in Slack. /prefer telegram changes it."
    assert await _say(b, "Telegram") == "What is for you alone comes in Telegram. /prefer slack changes it."
    assert [one.provider for one in (await _ana(b)).identities] == ["telegram", "slack"]
    assert await _say(b, "pigeons") == "Write /prefer slack or telegram. Nothing has changed."
    stranger = Identity(provider="telegram", user="999")
    assert await _say(b, "", stranger) == "What is for you alone comes in Telegram."
    assert "no account in Slack is known for this person" in await _say(b, "slack", stranger)


async def test_nobody_prefers_a_chat_in_which_they_are_not_known(b: Bench) -> None:
    only = Person(id="per_zoe", workspace=HERE, handle="zoe", name="Zoe", identities=(ANA.identities[1].model_copy(
        update={"user": "77"}),))  # fmt: skip
    async with b.store.work() as work:
        await work.add_person(only)
        await work.commit()
    with pytest.raises(Invalid) as refused:
        await set_preferred(b.context, HERE, only.id, Provider.SLACK)
    assert refused.value.faults[0].pointer == "/prefer"
