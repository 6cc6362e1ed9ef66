"""The ways of Slack, through the whole service: every control, forms and their errors, threads, lists, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adapters.slack.forms import NOT_AS_ASKED
from tests.blocks.slack.cards import elements, labels, shown
from tests.flows.rig import ANA, BEA, CHANNEL, Rig, choice, confirmation, eventually, rig, sqlite_at

TEXT = {"id": "q1", "prompt": "What happened?", "type": "text", "min_length": 3}


def form(asked: dict[str, Any]) -> dict[str, Any]:
    return {"questions": [asked]}


def many(count: int, **more: Any) -> dict[str, Any]:
    return choice(*[f"Option {number}" for number in range(1, count + 1)], **more)


def several(asked: dict[str, Any]) -> dict[str, Any]:
    return {**asked, "type": "choices"}


def blocks(r: Rig, asked: dict[str, Any]) -> list[dict[str, Any]]:
    return list(r.slack_message(asked["publications"][0]).blocks)


def words(seen: Any) -> str:
    return "\n".join(shown(message["blocks"]) for message in seen.private)


async def answer(r: Rig, asked: dict[str, Any]) -> Any:
    """The answer once it shows on the card, which then has no controls."""
    settled = await r.shown_settled(asked["id"])
    assert elements(blocks(r, settled), "actions", "button") == []
    return settled["outcome"]["answer"]


async def test_one_of_many_is_chosen_at_once(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        for count in (6, 11, 100):
            asked = await r.posted((await r.ask(payload=form(many(count))))["id"])
            await r.slack.person(ANA).choose(f"Option {count}", ts=asked["publications"][0]["message"], channel=CHANNEL)
            assert await answer(r, asked) == {"q1": {"value": f"option {count}"}}


async def test_several_are_ticked_refused_corrected_and_submitted(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        for count in (10, 40):
            asked = await r.posted((await r.ask(payload=form(several(many(count, min=2)))))["id"])
            here = {"channel": CHANNEL, "ts": asked["publications"][0]["message"]}
            await r.slack.person(ANA).choose("Option 2", **here)
            assert "choose at least 2" in words(await r.slack.person(ANA).press("Submit", **here))
            await r.slack.person(ANA).choose("Option 2", f"Option {count}", **here)
            seen = await r.slack.person(ANA).press("Submit", **here)
            assert (seen.status, seen.private) == (200, ())
            assert await answer(r, asked) == {"q1": {"values": ["option 2", f"option {count}"]}}


async def test_own_words_join_what_is_ticked(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(payload=form(several(choice("Red", "Green", custom=True)))))["id"])
        await r.slack.person(ANA).choose("Green")
        seen = await r.slack.person(ANA).press("Other…", watch=5)
        assert seen.modal is not None
        await r.slack.person(ANA).fill("teal <b> & *c*", on="modal")
        seen = await r.slack.person(ANA).submit()
        assert (seen.modal, seen.errors) == (None, {})
        assert await answer(r, asked) == {"q1": {"values": ["green"], "custom": "teal <b> & *c*"}}
        assert "Green, teal <b> & *c*" in shown(blocks(r, asked))


async def test_an_answer_in_words_is_refused_beside_its_field_corrected_and_saved(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        question = {**TEXT, "pattern": "[a-z ]+", "pattern_hint": "small"}
        asked = await r.posted((await r.ask(payload=form(question)))["id"])
        seen = await r.slack.person(ANA).press("Answer…", watch=5)
        assert f"<#{CHANNEL}>" in shown(seen.modal)
        await r.slack.person(ANA).fill("NO CAPITALS", on="modal")
        assert list((await r.slack.person(ANA).submit()).errors.values()) == [NOT_AS_ASKED]
        await r.slack.person(ANA).fill("it broke", on="modal")
        assert (await r.slack.person(ANA).submit()).modal is None
        assert await answer(r, asked) == {"q1": {"value": "it broke"}}


@pytest.mark.parametrize(
    ("asked", "typed", "value"),
    [
        ({"id": "q1", "prompt": "?", "type": "number", "min": 1, "max": 10}, "2.5", 2.5),
        pytest.param(  # read as the number is; tests/adapters has every type of field
            {"id": "q1", "prompt": "?", "type": "date"}, "2026-12-31", "2026-12-31", marks=pytest.mark.slow
        ),
    ],
)
async def test_numbers_and_days_have_fields_of_their_own(
    tmp_path: Path, asked: dict[str, Any], typed: str, value: object
) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        posted = await r.posted((await r.ask(payload=form(asked)))["id"])
        await r.slack.person(ANA).press("Answer…", watch=5)
        await r.slack.person(ANA).fill(typed, on="modal")
        await r.slack.person(ANA).submit()
        assert await answer(r, posted) == {"q1": {"value": value}}


async def test_a_reject_with_its_reason_reaches_everybody(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(**confirmation(reason="required")))["id"])
        await r.slack.person(ANA).press("Hold", watch=5)
        await r.slack.person(ANA).fill("   ", on="modal")
        assert list((await r.slack.person(ANA).submit()).errors.values()) == ["a reason is required"]
        await r.slack.person(ANA).fill("<!channel> not yet", on="modal")
        await r.slack.person(ANA).submit()
        assert await answer(r, asked) == {"accepted": False}
        now = await r.get(asked["id"])
        assert (now["status"], now["outcome"]["reason"]) == ("rejected", "<!channel> not yet")
        assert "<!channel> not yet" in shown(blocks(r, asked))


async def test_words_instead_of_a_decision_leave_it_open(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask())["id"])
        await r.slack.person(ANA).press("Reply in words…", watch=5)
        await r.slack.person(ANA).fill("which canary?", on="modal")
        assert "passed on" in words(await r.slack.person(ANA).submit(watch=5))
        (event,) = await r.events("interaction.commented")
        assert event["data"]["interaction"]["status"] == "pending"
        assert event["data"]["text"] == "which canary?"
        assert event["data"]["by"]["identity"].endswith(f".{ANA}")
        assert labels(blocks(r, asked))[:2] == ["Yes", "No"]


async def test_a_press_on_what_was_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask())["id"])
        changed = {"revision": 1, "payload": form(choice("Yes", "No", "Later"))}
        assert (await r.api.patch(f"/v1/interactions/{asked['id']}", json=changed)).status_code == 200

        async def redrawn() -> bool:
            return "Later" in labels(blocks(r, asked))

        await eventually(redrawn)
        seen = await r.slack.person(ANA).press("Yes", version=0)
        assert "changed after" in words(seen)
        assert (await r.get(asked["id"]))["status"] == "pending"
        await r.slack.person(ANA).press("Later")
        assert await answer(r, asked) == {"q1": {"value": "later"}}


async def test_the_second_presser_is_told_who_was_first_and_the_first_that_it_is_saved(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask())["id"])
        await r.slack.person(ANA).press("Yes")
        await answer(r, asked)
        late = words(await r.slack.person(BEA).press("No", version=0))
        assert "ana answered this on" in late.lower()
        assert "Yes" in late
        assert "saved already" in words(await r.slack.person(ANA).press("Yes", version=0))


async def test_a_guest_is_refused_in_private_and_in_plain_words(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        r.slack.workspace.add_user("guest", user_id="U9GUEST", is_restricted=True)
        r.slack.workspace.join(CHANNEL, "U9GUEST")
        asked = await r.posted((await r.ask())["id"])
        assert "Guests" in words(await r.slack.person("U9GUEST").press("Yes"))
        assert (await r.get(asked["id"]))["status"] == "pending"


async def test_a_card_stands_in_its_thread_and_so_does_the_result(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        parent = (await r.slack.person(ANA).write("shall we?", channel=CHANNEL)).ts
        asked = await r.posted((await r.ask(to=f"slack:{CHANNEL}/{parent}"))["id"])
        assert r.slack_message(asked["publications"][0]).thread_ts == parent
        await r.slack.person(ANA).press("Yes")
        await answer(r, asked)
        said = await r.api.post(f"/v1/interactions/{asked['id']}/reply", json={"text": "Shipped & done"})
        assert said.status_code in (200, 201, 202)

        async def result() -> bool:
            thread = r.slack.person(ANA).messages(CHANNEL, parent)
            return any("Shipped & done" in shown(list(message.blocks)) for message in thread)

        await eventually(result)


async def test_open_cards_are_listed_by_the_command_and_in_home(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        first = await r.posted((await r.ask(title="First thing"))["id"])
        await r.posted((await r.ask(title="Second thing"))["id"])
        await r.slack.person(ANA).press("Yes", channel=CHANNEL, ts=first["publications"][0]["message"])
        listed = words(await r.slack.person(ANA).command("/sayso", channel=CHANNEL))
        assert "Second thing" in listed
        assert "First thing" not in listed
        assert "/review/int_" not in listed, "it leads to the message itself"
        await r.slack.person(ANA).open_home()
        assert "Second thing" in shown(r.slack.person(ANA).home)
        assert "I bring questions" in words(await r.slack.person(ANA).command("/sayso", "help", channel=CHANNEL))


async def test_a_question_to_one_person_is_theirs_alone(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(to=f"slack:{ANA}", payload=form(TEXT)))["id"])
        channel = asked["publications"][0]["channel"]
        assert channel.startswith("D")
        seen = await r.slack.person(ANA).press("Answer…", watch=5)
        assert "your direct message with sayso" in shown(seen.modal)
        await r.slack.person(ANA).close()
        await r.slack.person(ANA).write("it broke", thread_ts=asked["publications"][0]["message"])
        assert await answer(r, asked) == {"q1": {"value": "it broke"}}


async def test_a_message_about_nothing_gets_a_hint(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        await r.slack.person(ANA).write("hello?")

        async def hint() -> str:
            return "\n".join(shown(list(one.blocks)) for one in r.slack.person(ANA).private())

        assert "To answer a question" in await eventually(hint)


async def test_who_rejected_with_a_reason_is_told_that_it_is_saved_when_they_press_again(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.posted((await r.ask(**confirmation(to=[f"slack:{CHANNEL}", f"telegram:{r.group}"])))["id"])
        await r.slack.person(ANA).press("Hold", watch=5)
        await r.slack.person(ANA).fill("not yet", on="modal")
        await r.slack.person(ANA).submit()
        await r.shown_settled(asked["id"])
        assert "saved already" in words(await r.slack.person(ANA).press("Hold", version=0, watch=5))
        assert "ana rejected this" in words(await r.slack.person(BEA).press("Hold", version=0, watch=5))
