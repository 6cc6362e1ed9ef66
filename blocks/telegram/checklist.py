"""A checklist as a Telegram card: items that are ticked by a press, who ticked them, and the button that ends it."""

from __future__ import annotations

from collections.abc import Iterator

from blocks.telegram.asked import Asked, Entry
from blocks.telegram.choosing import TICKED, UNTICKED, Offer, Offers, how_many, offers
from blocks.telegram.keyboard import Controls, caption
from blocks.telegram.parts import name
from blocks.telegram.text import escape
from core.controls import Action
from core.kinds.checklist import Checklist, Tick, Ticks, selected
from core.records import Interaction
from core.standing import so_far


def asked(payload: Checklist, controls: Controls) -> Asked:
    """What the card shows."""
    found, interaction = _offers(payload), controls.card.interaction
    ticked, ticks = set(selected(payload, interaction.ticks)), _last(interaction.ticks)
    end = caption(payload.accept_label) or "Submit"
    entries = []
    for index, (item, text) in enumerate(zip(payload.items, found.captions, strict=True)):
        is_on = item.id in ticked
        sign = TICKED if is_on else UNTICKED
        button = controls.button(f"{sign} {text}", Action.UNTICK if is_on else Action.TICK, option=index)
        line, tick = found.line(index, sign), ticks.get(item.id)
        entries.append(Entry(((button,),), line, (_noted(line, tick),) if tick is not None and tick.on else ()))
    return Asked(
        how=(f"{_how(payload)} Every tick is saved at once. “{escape(end)}” ends it.",),
        notes=(f"{so_far(interaction)}.",),
        entries=tuple(entries),
        per_row=found.per_row,
        listed=found.listed,
        submit=((controls.submit(end),),),
    )


def ended(interaction: Interaction, payload: Checklist) -> Iterator[str]:
    """What was ticked when it ended, as HTML, fullest first."""
    found, count = _offers(payload), f"{so_far(interaction)}."
    ticked, ticks = set(selected(payload, interaction.ticks)), _last(interaction.ticks)

    def line(index: int, words: str) -> str:
        tick = ticks.get(payload.items[index].id)
        return _noted(words, tick) if tick is not None and tick.on else words

    signs = [TICKED if item.id in ticked else UNTICKED for item in payload.items]
    yield "\n".join([count, *(line(index, found.line(index, sign)) for index, sign in enumerate(signs))])
    yield "\n".join(
        [
            count,
            *(line(at, f"{TICKED} {escape(one.label)}") for at, one in enumerate(payload.items) if one.id in ticked),
        ]
    )


def _offers(payload: Checklist) -> Offers:
    return offers(
        [
            Offer(item.label, ("recommended",) if item.recommended else (), item.description or "")
            for item in payload.items
        ]
    )


def _last(ticks: Ticks) -> dict[str, Tick]:
    return {tick.item: tick for tick in ticks}


def _noted(line: str, tick: Tick) -> str:
    return f"{line} – {name(tick.by)}"


def _how(payload: Checklist) -> str:
    if payload.min == 0 and payload.most == len(payload.items):
        return "Tick what applies."
    if payload.most == len(payload.items) and payload.min < payload.most:
        return f"Tick at least {payload.min}."
    return f"Tick {how_many(payload.min, payload.most)}."
