"""Forms of several questions, their being open, and words in threads, in Slack through the whole service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.blocks.slack.cards import shown
from tests.flows.rig import ANA, BEA, CHANNEL, Rig, eventually, rig, sqlite_at

FORM = {
    "questions": [
        {"id": "what", "prompt": "What happened?", "type": "text", "pattern": "[A-Z].*", "pattern_hint": "A capital"},
        {"id": "when", "prompt": "When?", "type": "date"},
        {
            "id": "where",
            "prompt": "Where?",
            "type": "choices",
            "min": 2,
            "options": [{"id": name.lower(), "label": name} for name in ("Europe", "Asia", "Africa")],
        },
    ]
}
TEXT = {"questions": [{"id": "what", "prompt": "What happened?", "type": "text", "min_length": 3}]}


async def asked(r: Rig, payload: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    made = await r.ask(kind="questions", title="The outage", payload=payload)
    card = await r.posted(made["id"])
    return card, {"channel": CHANNEL, "ts": card["publications"][0]["message"]}


async def test_a_form_of_several_questions_is_closed_opened_again_refused_corrected_and_saved(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        card, here = await asked(r, FORM)
        ana, bea = r.slack.person(ANA), r.slack.person(BEA)

        def says(words: str) -> Any:
            async def look() -> bool:
                return words in shown(list(r.slack_message(card["publications"][0]).blocks))

            return look

        await ana.press("Answer…", **here, watch=2)
        await eventually(says("answering"))
        await ana.close()

        async def nobody() -> bool:
            return not await says("answering")()

        await eventually(nobody)
        await ana.press("Answer…", **here, watch=2)
        await ana.fill_in({"What happened?": "it fell", "When?": "2026-11-30", "Where?": ["Asia"]})
        seen = await ana.submit()
        assert sorted(name.partition(":")[0] for name in seen.errors) == ["q0", "q2"]
        assert "choose at least 2" in " ".join(seen.errors.values())
        await ana.fill_in({"What happened?": "It fell", "Where?": ["Europe", "Asia"]})
        seen = await ana.submit()
        assert (seen.modal, seen.trouble) == (None, None)
        ended = await r.shown_settled(card["id"])
        assert ended["outcome"]["answer"] == {
            "what": {"value": "It fell"}, "when": {"value": "2026-11-30"}, "where": {"values": ["europe", "asia"]}
        }  # fmt: skip
        assert bea.private() == []


async def test_a_reply_in_its_thread_answers_a_question_in_words(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        card, here = await asked(r, TEXT)
        thread: dict[str, Any] = {"channel": CHANNEL, "thread_ts": here["ts"]}
        bea = r.slack.person(BEA)
        await bea.write("an agent wrote this", **thread, through="A0OTHER")
        await bea.write("beside it", channel=CHANNEL)
        assert (await r.get(card["id"]))["status"] == "pending"
        await bea.write("no", **thread)
        (private,) = bea.private()
        assert "at least 3 characters" in shown(list(private.blocks))
        assert private.thread_ts == here["ts"]
        await bea.write("a disk & a fan", **thread)
        ended = await r.shown_settled(card["id"])
        assert ended["outcome"]["answer"] == {"what": {"value": "a disk & a fan"}}
        assert ended["outcome"]["by"]["identity"].endswith(BEA)
