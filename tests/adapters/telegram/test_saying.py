"""Words and prompts, as the port to Telegram sends them to the stand-in."""

from __future__ import annotations

from typing import Any

from core.controls import Action
from core.outbox import AskWords, Say
from tests.adapters.telegram.connected import ana_in, connected, publication
from tests.blocks.telegram.cards import ID, card, choice, questions

ASKED = questions(choice("Red", "Green"))


def _say(channel: int | str, text: str, **more: Any) -> Say:
    return Say(provider="telegram", account="sayso_demo_bot", channel=str(channel), text=text, **more)


def _ask_words(user: int, channel: int, card_at: str, action: Action = Action.COMMENT) -> AskWords:
    return AskWords(
        interaction=ID, publication=1, revision=1, action=action, provider="telegram", account="sayso_demo_bot",
        channel=str(channel), thread=None, reply_to=card_at, person="per_1", user=str(user), name="Ana",
    )  # fmt: skip


async def test_words_are_said_as_written_beneath_what_they_answer() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        posted = await one.adapter.channel.post(card(ASKED), publication(ana))
        said = await one.adapter.channel.say(_say(ana, "Done: <b>1 & 2</b> for @everyone", reply_to=posted.message))
        shown = one.stand_in.world.message(ana, int(said.message))
        assert shown is not None
        assert shown.text.replace("\u2060", "") == "Done: <b>1 & 2</b> for @everyone"
        assert "mention" not in [entity.type for entity in shown.content.entities]
        assert shown.reply_to == int(posted.message)


async def test_words_arrive_although_what_they_answer_is_gone() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        said = await one.adapter.channel.say(_say(ana, "Done.", reply_to="999"))
        assert said.channel == str(ana)


async def test_words_longer_than_a_message_are_said_in_several() -> None:
    async with connected(polls=True) as one:
        ana = ana_in(one)
        await one.adapter.channel.say(_say(ana, "🦆" * 3_000))
        ducks = [message.text for message in one.stand_in.world.history(ana) if "🦆" in message.text]
        assert "".join(ducks) == "🦆" * 3_000


async def test_a_prompt_opens_the_reply_box_of_the_one_it_is_for() -> None:
    async with connected(polls=True) as one:
        ana, bob = ana_in(one), one.stand_in.scene.create_user("Bob").id
        group = one.stand_in.scene.create_group("Ops", [ana, bob])
        posted = await one.adapter.channel.post(card(ASKED), publication(group.id))
        asked = await one.adapter.channel.ask_words(_ask_words(ana, group.id, posted.message), card(ASKED))
        box = one.stand_in.human.prompt(ana, group.id)
        assert box is not None
        assert (box.message_id, box.placeholder) == (int(asked.message), "Your words")
        assert one.stand_in.human.prompt(bob, group.id) is None
