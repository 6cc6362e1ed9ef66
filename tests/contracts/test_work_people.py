"""The contract of `core.ports.Work`: people and identities, agents and keys, connections, sign-ins, sessions, links."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.access import Link, Session, SignIn
from core.addresses import Provider
from core.controls import Action
from core.drafts import Draft, Prompt
from core.errors import Invalid, Raced
from core.people import Agent, AgentRole, By, Identity, Person, Role, Standing, Via
from core.ports import Connection
from core.records import Vote
from core.store import Store
from tests.rules.making import NOW
from tests.store.making import ANA, BEN, BUILDER, ELSEWHERE, HERE, SOON, add, ask, settle_in

GUEST = Identity(provider="slack", account="T1", user="U7")
PASSER_BY = Person(id="per_x", workspace=HERE, handle="x", name="X", identities=(GUEST,), automatic=True)


@pytest.fixture(autouse=True)
async def _lived_in(store: Store) -> None:
    await settle_in(store)


async def test_a_person_is_found_by_id_handle_and_every_identity_in_their_workspace_only(store: Store) -> None:
    async with store.work() as work:
        assert await work.person(HERE, ANA.id) == ANA
        assert await work.person_by_handle(HERE, "ana") == ANA
        for identity in ANA.identities:
            assert await work.person_by_identity(HERE, identity) == ANA
            assert await work.person_by_identity(ELSEWHERE, identity) is None
        assert await work.person(ELSEWHERE, ANA.id) is None
        assert await work.person_by_handle(ELSEWHERE, "ana") is None
        assert await work.person_by_identity(HERE, Identity(provider="slack", account="T2", user="U1")) is None


@pytest.mark.parametrize(
    "newcomer",
    [
        ANA.model_copy(update={"id": "per_2", "identities": ()}),  # the handle is taken
        ANA.model_copy(update={"id": "per_2", "handle": "other"}),  # the identities are
    ],
)
async def test_a_handle_or_identity_that_is_taken_is_a_race(store: Store, newcomer: Person) -> None:
    async with store.work() as work:
        with pytest.raises(Raced):
            await work.add_person(newcomer)


async def test_the_same_handle_and_account_may_exist_in_another_workspace(store: Store) -> None:
    twin = ANA.model_copy(update={"id": "per_2", "workspace": ELSEWHERE})
    async with store.work() as work:
        await work.add_person(twin)
        assert await work.person_by_handle(ELSEWHERE, "ana") == twin
        assert await work.person_by_handle(HERE, "ana") == ANA


async def test_a_person_can_be_renamed_promoted_and_removed(store: Store) -> None:
    changed = ANA.model_copy(update={"handle": "anna", "name": "Anna", "role": Role.OPERATOR})
    async with store.work() as work:
        await work.save_person(changed)
        assert await work.person(HERE, ANA.id) == changed
        await work.note_seen(HERE, ANA.id, "slack:T1.C1", NOW)
        await work.add_session(Session("token", HERE, ANA.id, "csrf", NOW, SOON))
        await work.add_signin(SignIn("sgn_1", HERE, ANA.id, "browser", "code", NOW, SOON))
        await work.add_link(Link("code", HERE, ANA.id, NOW, SOON))
        await work.remove_person(ELSEWHERE, ANA.id)
        assert await work.person(HERE, ANA.id) == changed
        await work.remove_person(HERE, ANA.id)
        await work.commit()
    assert await store.records.people(HERE) == (BEN,)
    assert await store.records.session("token", NOW) is None


async def test_an_identity_is_attached_once(store: Store) -> None:
    async with store.work() as work:
        await work.add_identity(ANA.id, HERE, GUEST)
        await work.add_identity(ANA.id, HERE, GUEST)
        found = await work.person(HERE, ANA.id)
    assert found
    assert found.identities == (*ANA.identities, GUEST)


async def test_someone_elses_identity_is_not_taken(store: Store) -> None:
    async with store.work() as work:
        with pytest.raises(Invalid, match="someone else"):
            await work.add_identity(BEN.id, HERE, ANA.identities[0])


def vote(by: Person, *, accepted: bool, after: int) -> Vote:
    who = By(type="person", id=by.id, handle=by.handle, identity=f"of {by.id}", name=by.name)
    return Vote(by=who, via=Via.SLACK, accepted=accepted, at=NOW + timedelta(seconds=after))


async def test_an_automatic_member_becomes_the_person_they_turn_out_to_be_and_counts_once(store: Store) -> None:
    once = ask(1, votes=(vote(PASSER_BY, accepted=True, after=1),))
    twice = ask(2, votes=(vote(ANA, accepted=True, after=1), vote(PASSER_BY, accepted=False, after=2)))
    others = ask(3, votes=(vote(BEN, accepted=True, after=1),))
    async with store.work() as work:
        await work.add_person(PASSER_BY)
        await work.note_seen(HERE, PASSER_BY.id, "slack:T1.C9", NOW)
        await work.commit()
    await add(store, once, twice, others)
    async with store.work() as work:
        await work.add_identity(ANA.id, HERE, GUEST)
        await work.commit()
    async with store.work() as work:
        assert await work.person(HERE, PASSER_BY.id) is None
        found = [await work.interaction(HERE, one.id) for one in (once, twice, others)]
        votes = [[(vote.by.id, vote.accepted) for vote in one.votes] for one in found if one]
        assert votes == [[(ANA.id, True)], [(ANA.id, False)], [(BEN.id, True)]]
        assert [one.version for one in found if one] == [2, 2, 1]
        await work.note_seen(HERE, ANA.id, "slack:T1.C9", NOW)


async def test_what_an_automatic_member_had_filled_in_goes_on_as_the_persons(store: Store) -> None:
    draft = Draft(
        interaction=ask().id, scope="slack:T1.U7", person=PASSER_BY.id, name="X", revision=1, fields={}, updated_at=NOW
    )
    prompt = Prompt(
        provider="telegram", account="saybot", channel="-100", message="9", workspace=HERE, interaction=ask().id,
        publication=1, revision=1, action=Action.REASON, person=PASSER_BY.id,
    )  # fmt: skip
    await add(store, ask())
    async with store.work() as work:
        await work.add_person(PASSER_BY)
        await work.save_draft(draft)
        await work.add_prompt(prompt)
        await work.commit()
    async with store.work() as work:
        await work.add_identity(ANA.id, HERE, GUEST)
        await work.commit()
    async with store.work() as work:
        kept, asked = await work.draft(ask().id, draft.scope), await work.prompt_at("telegram", "saybot", "-100", "9")
    assert kept == draft.model_copy(update={"person": ANA.id, "name": ANA.name})
    assert asked == prompt.model_copy(update={"person": ANA.id})


async def test_agents_are_found_by_name_and_id_in_their_workspace_only(store: Store) -> None:
    async with store.work() as work:
        assert await work.agent(HERE, BUILDER.id) == BUILDER
        assert await work.agent_by_name(HERE, "builder") == BUILDER
        assert await work.agent(ELSEWHERE, BUILDER.id) is None
        assert await work.agent_by_name(ELSEWHERE, "builder") is None
        with pytest.raises(Raced):
            await work.add_agent(BUILDER.model_copy(update={"id": "agt_2"}), "hash-2", "whsec_2", NOW)


async def test_a_rotated_key_and_secret_stay_good_for_as_long_as_was_said(store: Store) -> None:
    day = timedelta(hours=24)
    async with store.work() as work:
        await work.rotate_agent(BUILDER.id, "hash-2", "whsec_2", NOW, NOW + day)
        await work.commit()
    records = store.records
    for moment, good in ((NOW, True), (NOW + day - timedelta(seconds=1), True), (NOW + day, False)):
        assert (await records.agent_by_key("hash-of-builders-key", moment) == BUILDER) is good
        assert await records.agent_by_key("hash-2", moment) == BUILDER
        assert await records.webhook_secrets(BUILDER.id, moment) == (
            ("whsec_2", "whsec_builder") if good else ("whsec_2",)
        )
    async with store.work() as work:
        await work.rotate_agent(BUILDER.id, "hash-3", "whsec_3", NOW, NOW + 2 * day)
        await work.commit()
    assert await records.agent_by_key("hash-of-builders-key", NOW + day) is None, "an end once set is not put off"


async def test_a_revoked_agent_is_out_at_once_and_its_name_stays_taken(store: Store) -> None:
    async with store.work() as work:
        await work.revoke_agent(ELSEWHERE, BUILDER.id, NOW)
        await work.commit()
    assert await store.records.agent_by_key("hash-of-builders-key", NOW) == BUILDER
    async with store.work() as work:
        await work.revoke_agent(HERE, BUILDER.id, NOW)
        await work.commit()
    gone = BUILDER.model_copy(update={"revoked": True})
    assert await store.records.agent_by_key("hash-of-builders-key", NOW) is None
    assert await store.records.webhook_secrets(BUILDER.id, NOW) == ()
    assert await store.records.agents(HERE) == (gone,)
    async with store.work() as work:
        assert await work.agent_by_name(HERE, "builder") == gone
        with pytest.raises(Raced):
            await work.add_agent(Agent(id="agt_2", workspace=HERE, name="builder"), "hash-2", "whsec_2", NOW)


async def test_an_account_is_connected_to_one_workspace(store: Store) -> None:
    chat = Connection("con_1", HERE, Provider.SLACK, "T1", "Sayso", "U0")
    async with store.work() as work:
        await work.add_connection(chat, NOW)
        await work.commit()
    async with store.work() as work:
        with pytest.raises(Raced):
            await work.add_connection(replace(chat, id="con_2", workspace=ELSEWHERE), NOW)
    broken = replace(chat, name="Says", problem="the token was revoked")
    async with store.work() as work:
        assert await work.connections(HERE) == (chat,)
        await work.save_connection(broken)
        await work.commit()
    assert await store.records.connections(HERE) == (broken,)
    assert await store.records.connections(ELSEWHERE) == ()
    assert await store.records.connection_at("slack", "T1") == broken
    assert await store.records.connection_at("telegram", "T1") is None


async def test_what_a_provider_said_of_an_account_is_kept_until_it_says_that_it_changed(store: Store) -> None:
    standing = Standing(guest=True, name="Ana", timezone="Europe/Madrid")
    async with store.work() as work:
        await work.keep_standing(HERE, GUEST, Standing(), NOW)
        await work.keep_standing(HERE, GUEST, standing, SOON)
        await work.commit()
    assert await store.records.standing(HERE, GUEST) == (standing, SOON)
    assert await store.records.standing(ELSEWHERE, GUEST) is None
    async with store.work() as work:
        await work.forget_standing(HERE, GUEST)
        await work.commit()
    assert await store.records.standing(HERE, GUEST) is None


async def test_a_sign_in_keeps_its_tries_and_its_use(store: Store) -> None:
    signin = SignIn("sgn_1", HERE, ANA.id, "browser", "code", NOW, SOON, identity="slack:T1.U1")
    nobody = SignIn("sgn_2", HERE, None, "browser", "code", NOW, SOON)
    async with store.work() as work:
        await work.add_signin(signin)
        await work.add_signin(nobody)
        await work.save_signin(replace(signin, tries=1, used_at=NOW))
        assert await work.signin("sgn_1") == replace(signin, tries=1, used_at=NOW)
        assert await work.signin("sgn_2") == nobody
        assert await work.signins_since(HERE, ANA.id, NOW) == 1
        assert await work.signins_since(HERE, ANA.id, SOON) == 0
        assert await work.signins_since(ELSEWHERE, ANA.id, NOW) == 0


async def test_a_session_is_good_until_it_expires_or_is_revoked(store: Store) -> None:
    sessions = [Session(f"token{n}", HERE, ANA.id, "csrf", NOW, SOON, identity="slack:T1.U1") for n in range(3)]
    async with store.work() as work:
        for session in sessions:
            await work.add_session(session)
        await work.revoke_session("token0", NOW)
        await work.commit()
    look = store.records.session
    assert [await look(session.token, NOW) for session in sessions] == [None, sessions[1], sessions[2]]
    assert await look("token1", SOON) is None


async def test_a_claimed_link_waits_for_its_confirmation(store: Store) -> None:
    link = Link("code", HERE, ANA.id, NOW, SOON)
    used: dict[str, Any] = {"used_at": NOW, "claimed": GUEST, "claimed_name": "Ana \N{SNOWMAN}"}
    async with store.work() as work:
        await work.add_link(link)
        assert await work.link("code") == link
        assert await work.claimed_links(HERE) == []
        await work.save_link(replace(link, **used))
        assert await work.claimed_links(HERE) == [replace(link, **used)]
        assert await work.claimed_links(ELSEWHERE) == []
        await work.save_link(replace(link, **used, confirmed_at=SOON))
        assert await work.claimed_links(HERE) == []


async def test_an_operators_key_is_kept_as_one(store: Store) -> None:
    boss = Agent(id="agt_2", workspace=HERE, name="boss", role=AgentRole.OPERATOR)
    async with store.work() as work:
        await work.add_agent(boss, "hash-2", "whsec_2", NOW)
        await work.commit()
    assert await store.records.agent_by_key("hash-2", NOW) == boss
    assert [one.name for one in await store.records.agents(HERE)] == ["boss", "builder"]
