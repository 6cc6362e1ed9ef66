"""Work orders and alerts as Telegram messages: what is asked, how it stands, and what can be pressed.

Nothing is ever cut. What does not fit whole is left to the page of the work order, and the message says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from blocks.codec import Codec
from blocks.markdown import parse
from blocks.orders import LABELS, NOT_WHOLE, PAGE, claim_example, label_of, slot_label, slots_to_choose
from blocks.telegram.keyboard import Button, Keyboard, in_rows
from blocks.telegram.parts import code, fits, joined, name
from blocks.telegram.text import escape, html, inside, moment, quoted
from blocks.words import through, who
from core.loops.cards import AlertCard, LoopCard
from core.loops.controls import LoopAction, LoopControl
from core.loops.outcomes import LoopOutcome, LoopState, Mark
from core.loops.owed import OfferAgain
from core.loops.values import Loop
from core.loops.wording import footer_words, order_words

MOST_TO_CHOOSE: Final = 8
"""Slots that have a button each; to claim another of more, one says so."""
FULL_FORM: Final = "on the page"
_ENDED: Final[Mapping[LoopState, str]] = {
    LoopState.CLOSED: "✅ <b>Closed</b>",
    LoopState.DECLINED: "❌ <b>Declined</b>",
    LoopState.NO_ACTION: "⏭ <b>Closed without action</b>",
}


def loop_text(card: LoopCard) -> str:
    """A work order as it stands, as HTML in one message: as much of it as fits whole, its page for the rest."""
    shortest = ""
    for shortest in _faces(card):
        if fits(shortest):
            break
    return shortest


def loop_keyboard(card: LoopCard, codec: Codec) -> Keyboard:
    """What can be pressed as things stand, and the way to the page where the chat may carry it."""
    loop = card.loop
    rows = in_rows([_press(LoopControl(loop.id, action), codec, label_of(action, loop)) for action in card.controls])
    choice = slots_to_choose(loop, MOST_TO_CHOOSE)
    claims = [LoopControl(loop.id, LoopAction.CLAIM, slot.number) for slot in choice]
    rows = (*rows, *in_rows([_press(one, codec, slot_label(slot)) for one, slot in zip(claims, choice, strict=True)]))
    return (*rows, (Button(PAGE, url=card.url),)) if card.link_ok else rows


def alert_text(card: AlertCard) -> str:
    """An alert as HTML; once there is an order for it, which one."""
    alert = card.alert
    head = f"🚨 <b>{inside(alert.severity)}</b>, from {name(alert.by)}"
    order = f"Work order {code(alert.order)}" if alert.order else ""
    address = f"{order}: {escape(card.url)}" if order and card.url and not card.link_ok else order
    whole = joined((head, escape(alert.message), address))
    return whole if fits(whole) else joined((head, address or "This is too long to show whole here."))


def alert_keyboard(card: AlertCard, codec: Codec) -> Keyboard:
    """The way to an order: to open one, or to the one there is."""
    rows = in_rows([_press(LoopControl(card.alert.id, action), codec) for action in card.controls])
    return (*rows, (Button(PAGE, url=card.url),)) if card.link_ok and card.url else rows


def offer_keyboard(offer: OfferAgain, codec: Codec) -> Keyboard:
    """The one button of what somebody is told of their order."""
    return in_rows([_press(LoopControl(offer.loop, LoopAction.DISPATCH_AGAIN), codec)])


def _press(control: LoopControl, codec: Codec, label: str | None = None) -> Button:
    return Button(label or LABELS[control.action], data=codec.pack_loop(control))


def _faces(card: LoopCard) -> Iterator[str]:
    """The message, fullest first."""
    loop = card.loop
    title, body = f"<b>{inside(loop.title)}</b>", html(parse(loop.body))
    small, steps = _small_print(card), "\n".join(_steps(loop))
    if loop.outcome is not None:
        whole, short = _ended(loop.outcome, whole=True), _ended(loop.outcome, whole=False)
        yield joined((title, body, small, steps, whole))
        yield joined((title, NOT_WHOLE, small, steps, whole))
        yield joined((title, body, small, short, NOT_WHOLE))
        yield joined((title, NOT_WHOLE, small, short))
        return
    for sentences in _sentences(card):
        yield joined((title, body, small, steps, sentences))
    for sentences in _sentences(card)[-1:]:
        yield joined((title, NOT_WHOLE, small, steps, sentences))
    yield joined((title, NOT_WHOLE, small))


def _sentences(card: LoopCard) -> list[str]:
    """The order as a sentence, fullest first, in a quote: agents read it, and people need not."""
    if not card.sentences:
        return [""]
    loop = card.loop
    said = (card.sentences, order_words(loop.model_copy(update={"body": ""})), footer_words(loop))
    return [quoted(one) for one in said]


def _small_print(card: LoopCard) -> str:
    """Its name, who sent it, when it is due, how urgent it is, and its page in words where it has no button."""
    loop = card.loop
    label = loop.sender_label or ""
    claimed = f" (as {inside(label)})" if label and label != who(loop.sender) else ""
    lines = [f"{code(loop.name)} from {name(loop.sender)}{claimed}"]
    if loop.due_at is not None:
        overdue = " (overdue)" if loop.overdue_at is not None and loop.is_open else ""
        lines.append(f"Due {moment(loop.due_at)}{overdue}")
    if loop.priority:
        lines.append(f"Priority {escape(loop.priority)}")
    if not card.link_ok:
        lines.append(f"Page: {escape(card.url)} (opens only on the computer or network where I run)")
    return "\n".join(lines)


def _steps(loop: Loop) -> Iterator[str]:
    """Who did what and when; of the slots, how many are done."""
    told: tuple[tuple[str, Mark | None], ...] = (
        ("Acknowledged", loop.acknowledged),
        ("Claimed", loop.claimed),
        ("Started", loop.started),
    )
    marks = [f"{what} by {name(mark.by)}, {moment(mark.at)}" for what, mark in told if mark is not None]
    yield from marks or (["Waiting to be acknowledged"] if loop.is_open else [])
    if loop.slots:
        done, example = sum(slot.done is not None for slot in loop.slots), claim_example(loop, MOST_TO_CHOOSE)
        yield f"{done} of {len(loop.slots)} slots done, {len(loop.free_slots)} free"
        if example:
            yield f"For a certain slot, say {code(example)}"


def _ended(outcome: LoopOutcome, *, whole: bool) -> str:
    """How it ended, who ended it, when and where; `whole`: with what they said of it."""
    result = f" ({escape(outcome.result.value)})" if outcome.result else ""
    by = f"{name(outcome.by)} {through(outcome.via, FULL_FORM)}"
    line = f"{_ENDED[outcome.status]}{result} by {by}, {moment(outcome.at)}"
    words = outcome.summary or outcome.reason or ""
    return joined((line, quoted(words) if whole and words else ""))
