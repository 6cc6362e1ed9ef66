"""What a card's page says of time: put off, escalated, handed on, and in whose zone it is told."""

from __future__ import annotations

from datetime import timedelta

from blocks.web import entry, render
from blocks.web.page import Times
from core.kinds import Kind
from core.people import By
from core.policy import Nudges, Policy
from core.records import Interaction
from core.reminding import Delegation, Reminding, Snooze
from tests.blocks.web.visits import visit
from tests.rules.making import NOW, card

ANA = By(type="person", id="per_ana", handle="ana", name="Ana\nLima")
TOKYO = Times(zone="Asia/Tokyo")


def timed(**changes: object) -> Interaction:
    policy = Policy(expires_in="24h", nudges=Nudges(every="30m", escalate_to=("person:opal", "role:operator")))
    return card(Kind.CONFIRMATION).model_copy(
        update={"policy": policy, "started_at": NOW, "expires_at": NOW + timedelta(hours=24), **changes}
    )


def facts(interaction: Interaction, times: Times = TOKYO) -> dict[str, str]:
    return {fact.label: fact.text for fact in render(interaction, visit(times=times)).facts}


def test_the_expiry_is_told_in_the_readers_zone() -> None:
    local = (NOW + timedelta(hours=33)).strftime("%H:%M JST")
    assert local in facts(timed())["Open until"]
    assert local in entry(timed(), NOW, "Asia/Tokyo").until


def test_who_was_brought_in_and_by_whom_is_told_while_it_waits_and_afterwards() -> None:
    handed = Delegation(by=ANA, to="person:ben", name="Ben <b>\u202e", at=NOW - timedelta(minutes=5))
    reminding = Reminding(escalated_at=NOW - timedelta(hours=1))
    told = facts(timed(delegations=(handed,), reminding=reminding))
    assert told["Nobody had answered"] == "Escalated to opal and any operator, 1 h ago"
    assert "\u202e" not in told["Handed on"]
    assert told["Handed on"].endswith("5 min ago")
    assert not {"Handed on", "Nobody had answered"} & facts(timed()).keys()


def test_the_section_is_for_those_who_may_answer_a_card_that_is_open() -> None:
    form = render(timed(), visit(times=TOKYO)).form
    assert form is not None
    assert form.later is not None
    assert [button.label for button in form.later.snoozes] == ["In 15 minutes", "In 1 hour", "Tomorrow 9:00"]
    assert "Asia/Tokyo" in form.later.until.hint
    refused = render(timed(), visit(refusal="No.", operator=True)).form
    assert refused is not None
    assert refused.later is None
    assert render(timed(expires_at=NOW), visit(times=TOKYO)).form is None


def test_news_that_does_not_stand_any_more_is_not_told() -> None:
    until = NOW + timedelta(hours=1)
    put_off = Times(zone="UTC", until=until, done="put-off")
    assert render(timed(), visit(times=put_off)).notice.startswith("You will be reminded on")
    assert render(timed(), visit(times=Times(done="put-off"))).notice == ""
    assert render(timed(), visit(times=Times(done="hand-on"))).notice == ""
    assert render(timed(expires_at=NOW), visit(times=put_off)).notice == ""


def test_a_line_of_a_list_says_when_its_reader_is_reminded_next() -> None:
    snoozed = Reminding(snoozes=(Snooze(by=ANA, until=NOW + timedelta(minutes=15)),))
    later = NOW + timedelta(minutes=20)
    assert entry(timed(), NOW).next.startswith("Next reminder")
    assert entry(timed(reminding=snoozed), NOW, person="per_ana").next.startswith("You asked to be reminded on")
    assert entry(timed(reminding=snoozed), NOW, person="per_ben").next.startswith("Next reminder")
    assert entry(timed(reminding=snoozed), later, person="per_ana").next.startswith("Next reminder")
    assert entry(timed(policy=Policy()), NOW).next == ""
