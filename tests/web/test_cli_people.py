"""`sayso person`: people and the accounts that are proved to be theirs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bot.greeting import code_hash
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.dues import DueKind
from core.people import Identity
from core.ports import Connection, Context
from core.store import Store
from core.use_cases.directory import LINK_GOOD_FOR
from tests.web.calling import ANA
from tests.web.shells import Shell, in_store


def test_people_are_added_with_accounts_that_are_theirs_alone(shell: Shell) -> None:
    assert (
        shell("person", "add", "ana", "--name", "Ana", "--slack", "T1.U1", "--telegram", "42", "--role", "operator")
        == 0
    )
    assert "slack:T1.U1, telegram:42" in shell.out
    assert shell("person", "list", "--json") == 0
    (ana,) = json.loads(shell.out)
    assert (ana["handle"], ana["name"], ana["role"]) == ("ana", "Ana", "operator")
    assert ana["identities"] == ["slack:T1.U1", "telegram:42"]
    assert shell("person", "add", "ana") == 2
    assert shell("person", "add", "ben", "--slack", "T1.U1") == 2
    assert "someone else" in shell.err
    assert shell("person", "list") == 0
    assert "ben" not in shell.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["Ana"], "a handle is"),
        (["ana", "--slack", "U1"], "TEAM.USER"),
        (["ana", "--telegram", "@ana"], "not its @name"),
        (["ana", "--role", "admin"], "admin"),
    ],
)
def test_a_wrong_person_is_refused_in_words(shell: Shell, arguments: list[str], words: str) -> None:
    assert shell("person", "add", *arguments) == 2
    assert words in shell.err


async def test_an_unknown_presser_turns_out_to_be_the_person_who_is_added(shell: Shell) -> None:
    await shell.aside("migrate")
    identity = Identity(provider="slack", account="T1", user="U7")

    async def press(store: Store, _: Context) -> None:
        async with store.work() as work:
            await work.add_person(
                ANA.model_copy(update={"id": "per_auto", "handle": "ana", "identities": (identity,), "automatic": True})
            )
            await work.commit()

    await in_store(press)
    assert await shell.aside("person", "add", "ana", "--slack", "T1.U7", "--name", "Ana") == 0
    people = await in_store(lambda store, _: store.records.people(WORKSPACE))
    assert [(one.id, one.automatic, one.identities) for one in people] == [("per_auto", False, (identity,))]


async def test_two_who_were_added_are_refused_one_account_and_become_one_when_an_operator_says_so(shell: Shell) -> None:
    assert await shell.aside("person", "add", "ana", "--slack", "T1.U1") == 0
    assert await shell.aside("person", "add", "bea", "--telegram", "42", "--role", "operator") == 0
    assert await shell.aside("person", "set", "bea", "--digest", "09:00") == 0
    assert await shell.aside("person", "add", "eve", "--telegram", "42") == 2
    assert "bea; two who were added become one by `sayso person merge`" in shell.err
    assert await shell.aside("person", "merge", "bea", "nobody", "--yes") == 1
    assert await shell.aside("person", "merge", "ana", "ana", "--yes") == 2
    assert await shell.aside("person", "merge", "bea", "ana", "--yes") == 0
    assert shell.out == "ana (operator): slack:T1.U1, telegram:42\n"
    (person,) = await in_store(lambda store, _: store.records.people(WORKSPACE))
    assert (person.handle, person.digest) == ("ana", "09:00")

    async def list_due(store: Store, _: Context) -> bool:
        async with store.work() as work:
            return await work.due(DueKind.DIGEST, person.id) is not None

    assert await in_store(list_due)
    assert await shell.aside("audit") == 0
    assert "changed the role of ana" in shell.out
    assert "person: bea → ana" in shell.out


async def test_a_link_is_used_once_and_counts_only_when_an_operator_confirms(shell: Shell) -> None:
    await shell.aside("person", "add", "ana")
    assert await shell.aside("person", "link", "ana") == 1
    assert "TELEGRAM_BOT_TOKEN" in shell.err

    async def connect(store: Store, context: Context) -> None:
        connection = Connection("con_1", WORKSPACE, Provider.TELEGRAM, "sayso_bot", "sayso", "77")
        async with store.work() as work:
            await work.add_connection(connection, context.clock.now())
            await work.commit()

    await in_store(connect)
    assert await shell.aside("person", "link", "ana") == 0
    address, _, code = shell.out.strip().partition("?start=")
    assert address == "https://t.me/sayso_bot"
    assert f"@sayso_bot instead: /start {code}\n" in shell.err
    assert "sayso person confirm ana" in shell.err
    assert await shell.aside("person", "confirm", "ana") == 1
    account = Identity(provider="telegram", user="4242")

    async def use(store: Store, context: Context) -> None:
        async with store.work() as work:
            link = await work.link(code_hash(code))
            assert link is not None
            assert link.expires_at - link.created_at == LINK_GOOD_FOR
            used = replace(link, used_at=context.clock.now(), claimed=account, claimed_name="Ana")
            await work.save_link(used)
            await work.commit()

    await in_store(use)
    people = await in_store(lambda store, _: store.records.people(WORKSPACE))
    assert people[0].identities == ()
    assert await shell.aside("person", "confirm", "ana", "--account", "telegram:1") == 1
    assert await shell.aside("person", "confirm", "ana", "--account", "telegram:4242") == 0
    assert "telegram:4242" in shell.out
    assert await shell.aside("person", "confirm", "ana", "--account", "telegram:4242") == 1
    assert await shell.aside("person", "link", "nobody") == 1


def test_a_role_is_changed_and_the_audit_says_who_did_it(shell: Shell) -> None:
    assert shell("person", "add", "ana", "--role", "operator") == 0
    assert shell("person", "set", "ana", "--role", "member") == 2
    assert "the last operator" in shell.err
    assert shell("person", "add", "ben") == 0
    assert shell("person", "set", "ben", "--role", "operator") == 0
    assert shell("audit", "--since", "1h") == 0
    newest = shell.out.splitlines()[0]
    assert "changed the role of ben" in newest
    assert "role: member → operator" in newest
    assert "cli " in newest
    assert shell("audit", "--json") == 0
    assert [one["what"] for one in json.loads(shell.out)] == ["person.role", "person.added", "person.added"]
    assert shell("audit", "--since", "soon") == 2
