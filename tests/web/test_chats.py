"""What is known of connected accounts: one whose app was removed stays ended until it is installed again."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from bot.chats import Chats
from bot.startup import WORKSPACE
from core.addresses import Provider
from core.channels import Channel
from core.ports import Connection, Context
from core.reading import Records
from tests.web.calling import MovingClock

OURS = Connection("con_1", WORKSPACE, Provider.SLACK, "T1", "Acme", "UBOT")


class Clocked:
    """Enough of a context: what time it is."""

    clock = MovingClock()


def test_a_call_that_was_under_way_when_the_app_was_removed_does_not_bring_it_back() -> None:
    chats = Chats(cast("Context", Clocked()), cast("Records", None), WORKSPACE)
    chats.note_ended(OURS, "the app was removed")
    chats.note_dead(Provider.SLACK, "T1", None)
    (known,) = chats.accounts(WORKSPACE)
    assert known.problem == "the app was removed"
    chats.adopt(OURS, cast("Channel", None))
    assert chats.accounts(WORKSPACE)[0].problem is None


def test_what_is_wrong_before_anybody_knows_the_account_is_told_in_its_own_workspace() -> None:
    chats = Chats(cast("Context", Clocked()), cast("Records", None), WORKSPACE)
    chats.note_ended(OURS, "the app was removed")
    chats.note_ended(replace(OURS, account="T2", workspace="wsp_other"), "the app was removed there")
    chats.problems["slack socket"] = "an app token is wrong"
    assert [(one.name, one.problem) for one in chats.accounts(WORKSPACE)] == [
        ("Socket Mode", "an app token is wrong"),
        ("Acme", "the app was removed"),
    ]
    assert [one.problem for one in chats.accounts("wsp_other")] == ["the app was removed there"]
    assert chats.troubled() == {Provider.SLACK: 3}
