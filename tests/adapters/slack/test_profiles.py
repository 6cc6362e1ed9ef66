"""Who somebody is and where they belong, asked of the stand-in."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.slack.profiles import standing_of
from adapters.slack.settings import Installation
from bot.sandbox.slack.faults import FaultKind
from core.errors import ChannelError
from core.people import Identity, Membership, Standing
from tests.adapters.slack.rooms import Room, room
from tests.blocks.slack.cards import card, choice, questions

ASKED = card(questions(choice("Yes", "No"), body="Body."))


@pytest.fixture
async def own() -> AsyncIterator[Room]:
    async with room() as made:
        yield made


def ana(account: str = "T0ACME", user: str = "UANA") -> Identity:
    return Identity(provider="slack", account=account, user=user)


FACTS: list[tuple[str, dict[str, object], dict[str, object]]] = [
    ("a member", {}, {}),
    ("a guest of several channels", {"is_restricted": True}, {"guest": True}),
    ("a guest of one channel", {"is_ultra_restricted": True}, {"guest": True}),
    ("a bot", {"is_bot": True}, {"bot": True}),
    ("a deactivated account", {"deleted": True}, {"deleted": True, "timezone": None}),
]


@pytest.mark.parametrize(("why", "facts", "wanted"), FACTS, ids=[row[0] for row in FACTS])
async def test_slack_says_who_somebody_is(
    own: Room, why: str, facts: dict[str, object], wanted: dict[str, object]
) -> None:
    own.slack.workspace.add_user("eve", "Eve", user_id="UEVE", **facts)
    found = await own.adapter.channel.standing(ana(user="UEVE"))
    assert found == Standing(**{"name": "eve", "timezone": "Europe/Madrid", **wanted}), why  # type: ignore[arg-type]  # as above


async def test_somebody_of_another_workspace_is_external(own: Room) -> None:
    other = own.slack.workspace.add_team("Other")
    own.slack.workspace.add_user("zoe", user_id="UZOE", team_id=other.id)
    own.slack.workspace.add_channel("shared", ["UZOE"], shared_with=[other.id], channel_id="CSHARE")
    assert (await own.adapter.channel.standing(ana(other.id, "UZOE"))).external


@pytest.mark.parametrize(
    ("named", "came_from", "external"),
    [
        ("T0ACME", "T0ACME", False),
        ("T0OTHER", "T0ACME", True),  # what Slack says wins
        (None, "T0ACME", False),  # a profile without a team is no stranger's
        (None, "T0OTHER", True),
    ],
)
def test_where_a_profile_names_no_team_the_one_the_account_came_from_counts(
    named: str | None, came_from: str, external: bool
) -> None:
    here = Installation(team="T0ACME", team_name="Acme", bot_user="UBOT", bot_id="B0", bot_name="sayso")
    profile = {"id": "UANA", "name": "ana", **({"team_id": named} if named else {})}
    assert standing_of(profile, came_from, here).external is external


async def test_who_slack_does_not_tell_of_is_not_known(own: Room) -> None:
    assert await own.adapter.channel.standing(ana(user="UNONE")) == Standing(known=False)
    own.slack.fail(FaultKind.STATUS, "users.info", status=500, count=2)
    assert await own.adapter.channel.standing(ana()) == Standing(known=False)


async def test_a_read_is_repeated_once_when_slack_fails(own: Room) -> None:
    own.slack.fail(FaultKind.STATUS, "users.info", status=500)
    assert (await own.adapter.channel.standing(ana())).known


async def test_membership_is_asked_now(own: Room) -> None:
    channel = own.adapter.channel
    assert await channel.membership(ana(), "CGEN") is Membership.YES
    assert await channel.membership(ana(user="UCID"), "CGEN") is Membership.NO
    own.slack.workspace.leave("CGEN", "UANA")
    assert await channel.membership(ana(), "CGEN") is Membership.NO


async def test_everybody_of_a_large_channel_is_looked_at(own: Room) -> None:
    crowd = [f"U{number:06}" for number in range(2_500)]
    for user in (*crowd, "UZZZ"):
        own.slack.workspace.add_user(user.lower(), user_id=user)
    own.slack.workspace.add_channel("crowd", [*crowd, "UZZZ"], channel_id="CCROWD")
    assert await own.adapter.channel.membership(ana(user="UZZZ"), "CCROWD") is Membership.YES
    assert len(own.calls("conversations.members")) == 3


async def test_a_direct_conversation_has_one_member(own: Room) -> None:
    direct = (await own.post(ASKED, "UANA")).channel
    channel = own.adapter.channel
    assert await channel.membership(ana(), direct) is Membership.YES
    assert await channel.membership(ana(user="UBEN"), direct) is Membership.NO
    assert await channel.membership(ana(), "UANA") is Membership.YES
    assert await channel.membership(ana(), "UBEN") is Membership.NO


async def test_membership_that_cannot_be_asked_is_undetermined(own: Room) -> None:
    own.slack.workspace.grant("chat:write")
    assert await own.adapter.channel.membership(ana(), "CGEN") is Membership.UNDETERMINED
    assert await own.adapter.channel.membership(ana(), "CNONE") is Membership.UNDETERMINED


async def test_a_channel_has_a_name_and_so_has_a_person(own: Room) -> None:
    channel = own.adapter.channel
    assert await channel.place_name("CGEN") == "#general"
    assert await channel.place_name("UANA") == "ana"
    assert await channel.place_name((await own.post(ASKED, "UANA")).channel) == ""
    with pytest.raises(ChannelError):
        await channel.place_name("CNONE")
