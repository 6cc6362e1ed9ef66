"""Asking for words where a chat has no modal: a prompt whose reply is taken as what was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from core.audience import Candidate
from core.controls import Action, Control
from core.kinds.questions import DateQuestion, NumberQuestion, Question, TextQuestion
from core.outbox import AskWords, Claimed, Lane
from core.ports import Context, Work
from core.publications import Publication
from core.records import Interaction
from core.use_cases.recording import owe
from core.use_cases.transact import transact


def takes_words(question: Question) -> bool:
    """Whether a question is answered by typing."""
    return isinstance(question, TextQuestion | NumberQuestion | DateQuestion)


async def ask_words(
    work: Work,
    context: Context,
    interaction: Interaction,
    publications: Sequence[Publication],
    control: Control,
    action: Action,
    question: int,
    candidate: Candidate,
    message: str | None = None,
    *,
    refused: str | None = None,
    fault: str = "",
) -> None:
    """Owe a prompt for `action`, under the copy of `control` (or its twin that is `message`), to this person only.
    With `refused`, a message of theirs, it stands under that and says what was wrong with it."""
    copy = next((one for one in publications if message is not None and one.message == message), None)
    copy = copy or next((one for one in publications if one.number == control.publication), None)
    if copy is None or candidate.identity is None:
        return
    prompt = AskWords(
        interaction=interaction.id,
        publication=copy.number,
        revision=interaction.revision,
        action=action,
        question=question,
        option=control.option if action is control.action else 0,
        provider=copy.provider.value,
        account=copy.account,
        channel=copy.channel or copy.place,
        thread=copy.thread,
        reply_to=refused or copy.message,
        person=candidate.person.id,
        user=candidate.identity.user,
        name=candidate.person.name,
        fault=fault,
    )
    await owe(work, context, interaction.workspace, Lane.TALK, copy.conversation, prompt, context.clock.now())


async def begin_ask(context: Context, claimed: Claimed, task: AskWords) -> Interaction | None:
    """The card whose words are asked for. None: it is settled or was changed, and the delivery is over."""

    async def inner(work: Work) -> Interaction | None:
        interaction = await work.interaction(claimed.delivery.workspace, task.interaction)
        if interaction is None or not interaction.is_pending or interaction.revision != task.revision:
            await work.abandon(claimed, "the card is settled or changed")
            return None
        return interaction

    return await transact(context, inner)
