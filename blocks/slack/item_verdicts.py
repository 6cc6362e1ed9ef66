"""Items to judge: each with its verdicts as buttons below it, and what was decided in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from blocks.codec import Codec
from blocks.slack.controls import block_id, control, press
from blocks.slack.fit import fits
from blocks.slack.pages import Room, Weight, paged, place_of, shown_page, turns
from blocks.slack.parts import Block, actions, words
from blocks.slack.passages import Passage
from blocks.slack.prose import line, prose, quotation
from blocks.slack.sizes import JUDGED_PAGE, fits_control
from blocks.slack.small_print import small_print
from blocks.words import neutralise, one_line, who
from core.cards import Card
from core.controls import Action, Control
from core.ids import make_id
from core.kinds.base import Reason
from core.kinds.item_verdicts import ItemVerdicts, Verdict, VerdictItem
from core.records import Interaction
from core.standing import so_far
from core.telling import verdict_counts

_ACTIONS: Final = {
    Reason.NONE: Action.VERDICT,
    Reason.OPTIONAL: Action.JUDGE,
    Reason.REQUIRED: Action.JUDGE,
}
_LONGEST_NAME = 80
_ANY: Final = Codec(bytes(32))
_ITEM: Final = Control(make_id("int", 0, 0), publication=0, revision=65_535, seen="0" * 8, action=Action.VERDICT)
"""Any control of any card: their tokens are equally long."""
_ELSEWHERE: Final = "The reason is too long to show whole here; it is on the full form."


def why_review(payload: ItemVerdicts) -> str | None:
    """Why items cannot be judged in Slack whatever their length; None when they can."""
    if all(fits_control(option.label) for option in payload.verdicts):
        return None
    return "A button would be longer than Slack shows whole, so the items are on their own page."


def answering(card: Card, codec: Codec, payload: ItemVerdicts, rest: Sequence[Block]) -> list[Block] | None:
    """The page of items that this copy shows, with how many are decided. `rest` is what else the card has; None: an
    item does not fit beside it."""
    pages = paged(_weights(payload), JUDGED_PAGE.most, Room.beside(card, rest))
    if pages is None:
        return None
    number = shown_page(card, pages)
    given = {one.item: one for one in card.interaction.verdicts}
    first = control(card, Action.VERDICT)

    def drawn(*, reasons: bool) -> list[Block]:
        shown = _head(card.interaction, payload, pages[number])
        for index in pages[number]:
            one = payload.items[index]
            decided = given.get(one.id)
            if decided is None:
                shown += _open(codec, payload, replace(first, option=index))
            else:
                shown += prose(*_decided(payload, one, decided, reasons=reasons))
        row = turns(card, codec, number, len(pages))
        return [*shown, actions(block_id("pages", card), *row)] if row else shown

    whole = drawn(reasons=True)
    return whole if fits([*rest, *small_print(card), *whole]) else drawn(reasons=False)


def ended(interaction: Interaction, payload: ItemVerdicts, *, whole: bool) -> list[Passage]:
    """What was decided about each item; `whole`: with its reason, and what the item says beyond its label."""
    given = {one.item: one for one in interaction.verdicts}
    counts = verdict_counts(payload, interaction.verdicts)
    passages = [line(*_counted(interaction, counts))]
    for one in payload.items:
        decided = given.get(one.id)
        if whole:
            passages += _decided(payload, one, decided, reasons=True) if decided else _told(one)
        else:
            # In one style, lines of text take no more of a message than their letters.
            told = f" — {_label(payload, decided)} · {_name(decided)}" if decided else ""
            passages.append(line(words(f"{one_line(one.label) or '…'}{told}")))
    return passages


def _head(interaction: Interaction, payload: ItemVerdicts, page: range) -> list[Block]:
    return prose(line(*_counted(interaction, place_of(page, len(payload.items)))))


def _counted(interaction: Interaction, more: str) -> list[Block]:
    """How many are decided, and what else there is to say of all of them."""
    return [words(so_far(interaction), "bold"), *([words(f" · {more}")] if more else [])]


@lru_cache(maxsize=16)
def _weights(payload: ItemVerdicts) -> tuple[Weight, ...]:
    """What each item takes while it is undecided, the same on every copy and page of a card and in all its states."""
    return tuple(Weight.of(_open(_ANY, payload, replace(_ITEM, option=index))) for index in range(len(payload.items)))


def _open(codec: Codec, payload: ItemVerdicts, item: Control) -> list[Block]:
    """An item that waits for its verdict. One that needs no reason is given by the press itself."""
    buttons = [
        press(codec, neutralise(option.label), replace(item, action=_ACTIONS[option.reason], question=number))
        for number, option in enumerate(payload.verdicts)
    ]
    name = f"item.{item.option}:{item.revision}"
    return [*prose(*_told(payload.items[item.option])), actions(name, *buttons)]


def _told(one: VerdictItem, *decided: Block) -> list[Passage]:
    """An item in words, with what was decided beside its label; its address is behind the label."""
    label = words(one_line(one.label) or "…", "bold")
    named = label if one.href is None else {**label, "type": "link", "url": one.href}
    recommended = [words(" (recommended)", "italic")] if one.recommended else []
    passages = [line(named, *recommended, *decided)]
    described = neutralise(one.description or "").strip()
    return [*passages, line(words(described))] if described else passages


def _decided(payload: ItemVerdicts, one: VerdictItem, decided: Verdict, *, reasons: bool) -> list[Passage]:
    """An item that has its verdict, with the reason for it or where that is."""
    told = _told(one, *_verdict(payload, decided))
    reason = neutralise(decided.reason or "").strip()
    if not reason:
        return told
    return [*told, quotation(words(reason)) if reasons else line(words(_ELSEWHERE))]


def _verdict(payload: ItemVerdicts, decided: Verdict) -> list[Block]:
    """`— Reject · Ana`."""
    return [words(" — "), words(_label(payload, decided), "bold"), words(f" · {_name(decided)}")]


def _label(payload: ItemVerdicts, decided: Verdict) -> str:
    option = payload.option(decided.verdict)
    return one_line(option.label if option else decided.verdict)


def _name(decided: Verdict) -> str:
    name = who(decided.by)
    return name if len(name) <= _LONGEST_NAME else "someone"
