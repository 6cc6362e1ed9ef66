"""Somebody nobody added, whose chat says only later what they are called."""

from __future__ import annotations

import pytest

from core.addresses import Provider
from core.people import Identity, Person, Standing
from core.use_cases.people import recognise
from core.use_cases.transact import transact
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, HERE, identity_on

ZED = Identity(provider="slack", account="T1", user="U9ZED")


async def seen(b: Bench, who: Identity, name: str) -> Person:
    return await transact(b.context, lambda work: recognise(work, b.context, HERE, who, Standing(name=name)))


@pytest.mark.parametrize(
    ("called", "name"),
    [
        (["", "Zed"], "Zed"),  # the chat was silent at first
        (["Zed", ""], "Zed"),  # or is now
        (["Zed", "boss"], "Zed"),  # what they call themselves later renames nobody
        (["", ""], "slack-u9zed"),
    ],
)
async def test_a_name_is_learnt_once(b: Bench, called: list[str], name: str) -> None:
    people = [await seen(b, ZED, one) for one in called]
    assert {one.id for one in people} == {people[0].id}
    assert people[-1].name == name
    kept = await b.store.records.person(HERE, people[0].id)
    assert kept is not None
    assert (kept.name, kept.handle) == (name, "slack-u9zed")


async def test_whom_an_operator_added_is_called_as_the_operator_said(b: Bench) -> None:
    assert (await seen(b, identity_on(ANA, Provider.SLACK), "Somebody")).name == ANA.name
