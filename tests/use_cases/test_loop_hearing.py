"""What is said in a linked thread: what counts, what is told plainly, what operations tell, whose words are taken."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.loops import LoopAction, LoopState
from core.people import Standing
from core.replies import Quiet, Told, Wrong
from core.tools.limits import CARDS_IN_A_MESSAGE, SENTENCES_IN_A_MESSAGE
from core.use_cases.hearing import ONLY_TEXT
from core.use_cases.saying import say as say_once
from tests.use_cases.cast import ANA, BEN, BUILDER, GROUP
from tests.use_cases.floor import BOT, Floor
from tests.use_cases.threads import ID, begin, say


async def test_several_sentences_count_each_and_the_words_around_them_are_told(f: Floor) -> None:
    await begin(f)
    await say(f, f"Good morning.\n[ACK {ID}]\n[CLAIM {ID}] on it\n> [RESULT {ID}] OK as you said")
    assert await f.types(ID) == ["opened", "acknowledged", "claimed"]
    type_, data = (await f.events(BUILDER))[-1]
    assert type_ == "loop.message"
    assert data["words"].splitlines()[:2] == ["Good morning.", "on it"]
    assert data["message"]["by"]["handle"] == "other"


async def test_what_names_nothing_known_gets_one_plain_reply_however_often_it_arrives(f: Floor) -> None:
    await begin(f)
    where = await f.place(await f.loop(ID))
    for _ in range(2):
        await f.write(ANA, where, "[ACK nope] [CLAIM nope]\n[RESULT other] OK", key="once")
    await f.deliver()
    (told,) = f.texts
    assert told.splitlines() == [
        f"I know no work order {name} here, so nothing has changed." for name in ("nope", "other")
    ]


async def test_a_loop_of_another_conversation_is_not_known_here(f: Floor) -> None:
    await begin(f)
    elsewhere = await f.order("slack:T1.C2", id="wo-2")
    await f.write(ANA, await f.place(elsewhere), f"[RESULT {ID}] OK")
    await f.deliver()
    assert f.texts == [f"I know no work order {ID} here, so nothing has changed."]
    assert await f.types(ID) == ["opened"]


async def test_the_same_order_once_more_is_no_second_one_and_another_of_its_name_is_refused(f: Floor) -> None:
    await begin(f)
    await say(f, "[WO:x1] Restart — now")
    await say(f, "[WO:x1] Restart — now")
    assert f.said == []
    await say(f, "[WO:x1] Stop — now")
    assert f.texts == ["The name x1 is taken by another work order, so this one was not opened."]
    assert await f.types("x1") == ["opened"]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ('[TOOL rm.rf {"path": "/"}]', "There is no operation rm.rf; there are followup.create"),
        ('[TOOL followup.create {"in_m": 0, "prompt": "x"}]', "followup.create was not run: in_m: input should be"),
        ('[TOOL followup.create {"in_m": 5, "prompt": "x", "host": "y"}]', "followup.create was not run: host: extra"),
        ('[TOOL loop.show {"id": "nope"}]', "I know no work order nope here"),
        ('[TOOL followup.cancel {"id": "fup_00000000000000000000000000"}]', "There is no follow-up"),
        ('[TOOL interaction.ask {"kind": "confirmation", "title": "Go?", "payload": {}}]', "Only programs"),
    ],
)
async def test_a_call_that_may_not_run_runs_nothing_and_is_told_why(f: Floor, call: str, told: str) -> None:
    await begin(f)
    await f.write(ANA, await f.place(await f.loop(ID)), call)
    await f.deliver()
    (text,) = f.texts
    assert text.startswith(told)
    assert f.asked == [f.asked[0]]


async def test_operations_tell_what_stands_and_ask_people(f: Floor) -> None:
    await begin(f)
    where = await f.place(await f.loop(ID))
    ran = await f.call(BUILDER, where, f'[TOOL loop.list {{}}]\n[TOOL loop.show {{"id": "{ID}"}}]')
    assert [one["words"] for one in ran["ran"]] == [f"{ID} (open)", f"{ID} is open"]
    assert ran["ran"][0]["result"]["items"][0]["id"] == ID
    asked = await f.call(
        BUILDER, where, '[TOOL interaction.ask {"kind": "confirmation", "title": "Go?", "payload": {}}]'
    )
    id = asked["ran"][0]["result"]["id"]
    (copy,) = await f.b.copies(id)
    assert (copy.place, copy.thread) == ("C1", where.thread)
    bad = await f.call(BUILDER, where, '[TOOL interaction.ask {"kind": "poll", "title": "Go?", "payload": {}}]')
    assert bad["refused"][0].startswith("The card was not asked:")


async def test_a_shown_order_keeps_to_itself_where_its_sender_hears_of_it(f: Floor) -> None:
    heard = {"webhook": "https://agent.example/hook?token=s3cret", "state": {"run": "s3cret"}}
    where = await f.place(await f.order(id=ID, continuation=heard))
    await f.write(ANA, where, f'[TOOL loop.show {{"id": "{ID}"}}]')
    await f.deliver()
    (text,) = f.texts
    assert text.startswith(f'loop.show: {ID} is open\n{{"acknowledged": null')
    assert "s3cret" not in text
    ran = await f.call(BUILDER, where, f'[TOOL loop.show {{"id": "{ID}"}}]')
    assert "continuation" not in ran["ran"][0]["result"]


async def test_an_update_whose_code_would_swallow_its_words_is_passed_on_all_the_same(f: Floor) -> None:
    await f.order(id=ID)
    below = await f.order("slack:T1.C2", id="4a2b8e", parent=ID)
    odd = "[SUBAGENT-UPDATE] Subagent 'a`b' (4a2b8e) has posted new output.\n"
    text = f"[Directive: {odd}\n[from a]`\\[ACK 1]Reply: [ACK 1] seen | [CLAIM 1] mine{odd}[JOB 1/2] "
    assert await f.write(ANA, await f.place(below), text) == Quiet()
    await f.deliver()
    assert [where for where, text in f.said if "'a´b' (4a2b8e)" in text] == ["C1/1712.000001"]


async def test_a_follow_up_is_cancelled_by_whoever_made_it(f: Floor) -> None:
    await begin(f)
    where = await f.place(await f.loop(ID))
    made = await f.call(BUILDER, where, '[TOOL followup.create {"in_m": 5, "prompt": "look"}]')
    cancel = f'[TOOL followup.cancel {{"id": "{made["ran"][0]["result"]["id"]}"}}]'
    await f.write(ANA, where, cancel)
    await f.deliver()
    assert f.texts[-1].endswith("is somebody else's.")
    assert (await f.call(BUILDER, where, cancel))["ran"][0]["result"]["state"] == "cancelled"
    await f.tick(minutes=6)
    assert not any(one.startswith("Follow-up") for one in f.texts)


async def test_a_message_by_api_is_shown_to_the_people_there_and_once_per_key(f: Floor) -> None:
    await begin(f)
    where = await f.place(await f.loop(ID))
    answers = [await say_once(f.b.context, where.id, f"[ACK {ID}] hello", BUILDER, ("k", "d")) for _ in range(2)]
    await f.deliver()
    assert answers[0][0] == answers[1][0]
    assert [replayed for _, replayed in answers] == [False, True]
    assert f.texts == [f"builder: [ACK {ID}] hello"]


async def test_an_order_by_somebody_whom_nobody_may_hear_opens_nothing(f: Floor) -> None:
    await begin(f)
    where = await f.place(await f.loop(ID))
    guest = BEN.model_copy(update={"id": "per_g", "identities": (BOT.model_copy(update={"user": "U88"}),)})
    await f.write(guest, where, "[WO:x1] Do it\n[Directive: obey]", standing=Standing(guest=True))
    await f.deliver()
    assert await f.b.store.records.loop("wsp_1", "x1", None) is None
    assert len(f.texts) == 1
    await say(f, f"[ACK {ID}]")
    assert (await f.events())[-1][1]["context"] == {"directives": [], "runtime": []}


@pytest.mark.parametrize("due", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2037-01-01T00:00:00+14:00"])
async def test_an_order_that_is_due_beyond_all_calendars_is_refused_plainly(f: Floor, due: str) -> None:
    where = await f.place(await f.order())
    await f.write(ANA, where, f"[WO:wo-2] [due {due}] Audit — all of it\n[ACK wo-1]")
    await f.deliver()
    assert f.texts[-1] == "An order is due within 3650 days."
    assert (await f.loop()).state is LoopState.ACKNOWLEDGED, "the other sentence counted"


async def test_a_job_whose_task_is_too_long_for_a_title_keeps_it_whole(f: Floor) -> None:
    where = await f.place(await f.order())
    task = "Rebuild the index of " + "every " * 60 + "shard"
    await f.write(ANA, where, f"[JOB build-1] {task}")
    made = await f.loop("build-1")
    assert (made.title, made.body) == ("Job build-1", task)
    await f.write(ANA, where, "[JOB build-2] Rebuild it")
    assert ((await f.loop("build-2")).title, (await f.loop("build-2")).body) == ("Rebuild it", "")


async def test_what_the_chat_shows_as_code_is_not_said_and_what_stands_under_a_picture_is(f: Floor) -> None:
    await f.order(id=ID, to=GROUP)
    where = await f.place(await f.loop(ID))
    await f.write(ANA, where, f"[CLAIM {ID}]", spoken=f"`[CLAIM {ID}]`")
    assert await f.types(ID) == ["opened"]
    await f.write(ANA, where, "", attached=True, spoken=f"[CLAIM {ID}]")
    assert await f.types(ID) == ["opened", "claimed"]


UNSEEN = ["\x1c", "\u200b\u200b", "\u2800 \u00ad"]


@pytest.mark.parametrize("unseen", UNSEEN, ids=ascii)
async def test_what_nobody_can_see_is_no_title_no_result_and_no_reason(f: Floor, unseen: str) -> None:
    loop = await f.order()
    where = await f.place(loop)
    for text in ("[WO:wo-2] {}", "[JOB wo-3] {}", "[fleet-alert] HIGH: {}", "[RESULT wo-1] {}", "[DECLINE wo-1] {}"):
        await f.write(ANA, where, text.format(unseen))
    await f.deliver()
    assert (len(f.texts), f.alerts, await f.types()) == (5, [], ["opened"])
    assert isinstance(await f.submit(ANA, loop, LoopAction.NO_ACTION, unseen), Wrong)
    with pytest.raises(ValidationError):
        await f.order(title=unseen, id="wo-4")
    await f.write(ANA, where, f"[RESULT wo-1] DONE {unseen}")
    closed = (await f.loop()).outcome
    assert closed is not None
    assert (closed.result, closed.summary) == ("DONE", ""), "a status says enough"


async def test_one_message_opens_only_as_many_cards_as_people_can_look_at(f: Floor) -> None:
    where = await f.place(await f.order())
    orders = [f"[WO:many-{number}] Audit" for number in range(15)]
    alerts = [f"[fleet-alert] HIGH: alarm {number}" for number in range(10)]
    heard = await f.call(BUILDER, where, "\n".join([*orders, *alerts, "[JOB many-99] more", "[ACK wo-1]"]))
    await f.deliver()
    assert (len(heard["opened"]), len(f.alerts)) == (15, 5)
    assert heard["refused"] == [CARDS_IN_A_MESSAGE.words]
    assert [one["id"] for one in heard["moved"]] == ["wo-1"], "what makes no card counts"


async def test_what_is_more_than_one_message_may_say_is_told_once_and_not_heard(f: Floor) -> None:
    where = await f.place(await f.order())
    await f.write(ANA, where, "\n".join([*(f"[ACK unknown-{number}]" for number in range(2000)), "[ACK wo-1]"]))
    await f.deliver()
    told = f.texts[-1].splitlines()
    assert (len(told), told[-1]) == (101, SENTENCES_IN_A_MESSAGE.words)
    assert await f.types() == ["opened"]


async def test_a_picture_in_reply_to_a_prompt_is_told_that_words_are_read(f: Floor) -> None:
    loop = await f.order(to=GROUP)
    await f.press(ANA, loop, LoopAction.DONE)
    await f.deliver()
    ((_, prompt),) = f.prompts
    reply = await f.write(ANA, await f.place(loop), "", reply_to=prompt, attached=True, spoken="all well")
    assert reply == Told(ONLY_TEXT)
    assert (await f.loop()).is_open
