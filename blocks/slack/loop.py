"""Work orders as Slack messages: what is asked, how it stands, and what can be pressed.

Nothing is ever cut. What does not fit whole is left to the page of the work order, and the message says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from blocks.codec import Codec
from blocks.markdown import parse
from blocks.orders import LABELS, NOT_WHOLE, PAGE, label_of, slot_label, slots_to_choose
from blocks.slack.content import OPENS_WHERE, carries, heading
from blocks.slack.fit import fits
from blocks.slack.limits import CONTEXT_TEXT, MESSAGE_UPDATE_TEXT, length
from blocks.slack.loop_trail import MOST_TO_CHOOSE, ended, notified, state, trail
from blocks.slack.notice import notice
from blocks.slack.parts import Block, actions, button, context, link_button, mrkdwn, option, plain, words
from blocks.slack.prose import line, prose
from blocks.slack.text import date, escape, rich_text
from blocks.slack.text import plain as outside
from blocks.words import isolate, neutralise, one_line, who
from core.loops.cards import LoopCard
from core.loops.controls import LoopAction, LoopControl
from core.loops.owed import OfferAgain
from core.loops.values import Loop
from core.loops.wording import footer_words, order_words

CHOOSE_SLOT: Final = "Claim a certain slot"
STYLES: Final[Mapping[LoopAction, str]] = {LoopAction.DONE: "primary"}


@dataclass(frozen=True)
class Message:
    """Blocks for the Web API, and the text for notifications, escaped and under the bytes that chat.update takes."""

    blocks: list[Block]
    text: str


def render_loop(card: LoopCard, codec: Codec) -> Message:
    """A work order as it stands: as much of it as fits whole, the page for the rest."""
    text = loop_words(card)
    shortest: list[Block] = []
    for shortest in _faces(card, codec):
        if fits(shortest):
            break
    return Message(shortest, text)


def loop_words(card: LoopCard) -> str:
    """What it is about and how it stands, and below it the order as a sentence where that is short: agents read it."""
    loop = card.loop
    told = f"{escape(one_line(loop.title))} — {notified(loop)}"
    read = _sentences(card)
    spelled = [f"{told}\n{escape(one)}" for one in read]
    return next((one for one in spelled if len(one.encode()) < MESSAGE_UPDATE_TEXT.number), told)


def loop_in_words(card: LoopCard) -> str:
    """The work order without any blocks, for when Slack takes none of ours: how it stands and where its page is."""
    loop = card.loop
    return f"{escape(one_line(loop.title))} — {notified(loop)}\n{PAGE}: {escape(card.url)}"


def _faces(card: LoopCard, codec: Codec) -> Iterator[list[Block]]:
    """The message, fullest first: with the body and all that was said, then without what takes the most room."""
    loop = card.loop
    title, body = heading(loop.title), list(rich_text(parse(loop.body)))
    steps, small, row = list(trail(loop)), _small_print(card), _controls(card, codec)
    left_out = prose(line(words(NOT_WHOLE)))
    read = [[context(outside(one))] for one in _sentences(card) if length(neutralise(one)) <= CONTEXT_TEXT.number] or [
        []
    ]
    if loop.outcome is None:
        menu = _menu(loop, codec)
        if menu:
            yield [title, *body, *prose(*steps), *row, *menu, *small, *read[-1]]
        for sentences in read:
            yield [title, *body, *prose(*steps), *row, *small, *sentences]
        yield [title, *left_out, *prose(*steps), *row, *small, *read[-1]]
        yield [title, *left_out, *row, *small]
        return
    whole, short = prose(*steps, *ended(loop.outcome, whole=True)), prose(*ended(loop.outcome, whole=False))
    yield [title, *body, *whole, *row, *small]
    yield [title, *left_out, *whole, *row, *small]
    yield [title, *body, *short, *left_out, *row, *small]
    yield [title, *short, *left_out, *row, *small]


def _sentences(card: LoopCard) -> list[str]:
    """The order as a sentence, fullest first: with its body, with its title alone, and how to reply."""
    if not card.sentences:
        return []
    loop = card.loop
    return [card.sentences, order_words(loop.model_copy(update={"body": ""})), footer_words(loop)]


def _controls(card: LoopCard, codec: Codec) -> list[Block]:
    loop = card.loop
    row = [press_loop(codec, LoopControl(loop.id, action), label_of(action, loop)) for action in card.controls]
    if card.link_ok and carries(card.url):
        row.append(link_button(PAGE, "full_form", card.url))
    return [actions(f"loop:{loop.version}", *row)] if row else []


def _menu(loop: Loop, codec: Codec) -> list[Block]:
    """A menu of the free shares, for somebody who wants a certain one."""
    choice = slots_to_choose(loop, MOST_TO_CHOOSE)
    if not choice:
        return []
    tokens = [codec.pack_loop(LoopControl(loop.id, LoopAction.CLAIM, slot.number)) for slot in choice]
    options = [option(slot_label(slot), token) for slot, token in zip(choice, tokens, strict=True)]
    # The whole token is in the value: nothing of it is in the name.
    menu = {"type": "static_select", "action_id": "slot.", "placeholder": plain(CHOOSE_SLOT), "options": options}
    return [actions(f"slots:{loop.version}", menu)]


def press_loop(codec: Codec, control: LoopControl, label: str | None = None) -> Block:
    """A button for one control of a work order or an alert."""
    name = f"{control.action.name.lower()}.loop"
    return button(label or LABELS[control.action], name, codec.pack_loop(control), STYLES.get(control.action))


def render_offer(offer: OfferAgain, codec: Codec) -> Message:
    """What somebody is told of their order, and the one button."""
    again = press_loop(codec, LoopControl(offer.loop, LoopAction.DISPATCH_AGAIN))
    return Message([*notice(offer.text), actions(f"offer:{offer.loop}", again)], escape(offer.text).strip() or "…")


def _small_print(card: LoopCard) -> list[Block]:
    """Its name, who sent it, when it is due in the reader's own zone, how it stands, and its page in words."""
    loop = card.loop
    label = isolate(loop.sender_label or "")
    sender = who(loop.sender)
    claimed = f" (as {label})" if label and label != sender else ""
    lines = [plain(loop.name), outside(f"From {sender}{claimed}")]
    if loop.priority:
        lines.append(plain(f"Priority {loop.priority}"))
    if loop.due_at is not None:
        lines.append(mrkdwn(f"Due {date(loop.due_at)}"))
    if loop.outcome is None:
        stands = state(loop)
        lines.append(outside(f"{stands[:1].upper()}{stands[1:]}"))
    if not (card.link_ok and carries(card.url)):
        lines.append(outside(f"Page: {card.url} {OPENS_WHERE}"))
    return [context(*lines)]
