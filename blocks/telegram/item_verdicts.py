"""Items to judge as a Telegram card: one item on each page, with its verdicts as buttons or what was decided.

As with a confirmation, the way to give a verdict without its optional reason stands on the card, and not on the prompt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from blocks.telegram.asked import Asked, Entry
from blocks.telegram.keyboard import Button, Controls, Keyboard, caption, in_rows
from blocks.telegram.links import check_link
from blocks.telegram.pages import shown
from blocks.telegram.parts import name
from blocks.telegram.text import escape, linked, moment, quoted
from core.controls import Action
from core.kinds.base import Reason
from core.kinds.item_verdicts import ItemVerdicts, Verdict, VerdictItem, VerdictOption
from core.records import Interaction
from core.standing import so_far
from core.telling import verdict_counts

_ELSEWHERE: Final = "The reason is too long to show here; it stands on the full form."


def asked(payload: ItemVerdicts, controls: Controls) -> Asked:
    """What the card shows."""
    interaction, blank = controls.card.interaction, controls.blank
    given = {one.item: one for one in interaction.verdicts}
    here = shown(payload.items, controls.card.page)  # each item has a page of its own
    count, told = f"<b>{so_far(interaction)}</b>", escape(verdict_counts(payload, interaction.verdicts))
    required = [f"“{escape(label(one))}”" for one in payload.verdicts if one.reason is Reason.REQUIRED]
    verb = "asks" if len(required) == 1 else "ask"
    return Asked(
        how=(f"{' and '.join(required)} {verb} for a reason." if required else "",),
        notes=(f"{count}: {told}", count) if told else (count,),
        entries=tuple(
            _entry(payload, index, given.get(item.id), controls if index == here else blank)
            for index, item in enumerate(payload.items)
        ),
        listed=True,
        alone=True,
    )


def label(option: VerdictOption) -> str:
    """What stands on the button that gives a verdict."""
    return caption(option.label) or caption(option.id) or "…"


def no_reason_label(option: VerdictOption) -> str:
    """What stands on the button that gives a verdict without its optional reason."""
    return f"{label(option)} (no reason)"


def ended(interaction: Interaction, payload: ItemVerdicts) -> Iterator[str]:
    """What was decided of each item, as HTML, fullest first."""
    given = {one.item: one for one in interaction.verdicts}
    count, told = f"{so_far(interaction)}.", escape(verdict_counts(payload, interaction.verdicts))
    counts = f"{count} {told}." if told else count
    for is_full in (True, False):
        yield "\n".join([counts, *(_ended(payload, item, given.get(item.id), is_full) for item in payload.items)])
    yield counts


def _entry(payload: ItemVerdicts, index: int, decided: Verdict | None, controls: Controls) -> Entry:
    line = _item(payload.items[index])
    if decided is None:
        return Entry(_buttons(payload, index, controls), line)
    stands = f"{line}\n\n{_decided(payload, decided)}"
    if not decided.reason:
        return Entry((), line, (stands,))
    return Entry((), line, (f"{stands}\n{quoted(decided.reason)}", f"{stands}\n{_ELSEWHERE}"))


def _buttons(payload: ItemVerdicts, index: int, controls: Controls) -> Keyboard:
    verdicts: list[Button] = []
    silent: list[Button] = []
    for number, option in enumerate(payload.verdicts):
        action = Action.VERDICT if option.reason is Reason.NONE else Action.JUDGE
        verdicts.append(controls.button(label(option), action, number, index))
        if option.reason is Reason.OPTIONAL:
            silent.append(controls.button(no_reason_label(option), Action.VERDICT, number, index))
    return (*in_rows(verdicts), *in_rows(silent))


def _item(item: VerdictItem) -> str:
    """An item in words."""
    words, address = _labelled(item, f"<b>{escape(item.label)}</b>")
    mark = " (recommended)" if item.recommended else ""
    more = f"\n{escape(item.description)}" if item.description else ""
    return f"{words}{mark}{more}{address}"


def _labelled(item: VerdictItem, words: str) -> tuple[str, str]:
    """The label as `words` with the address behind it, where Telegram takes that as a link; else the address after it,
    on a line of its own."""
    if item.href is None:
        return words, ""
    if check_link(item.href) is None:
        return linked(item.href, words), ""
    return words, f"\n{escape(item.href)}"


def _decided(payload: ItemVerdicts, decided: Verdict) -> str:
    return f"<b>{_said(payload, decided)}</b> – {name(decided.by)}, {moment(decided.at)}"


def _said(payload: ItemVerdicts, decided: Verdict) -> str:
    option = payload.option(decided.verdict)
    return escape(label(option) if option else decided.verdict)


def _ended(payload: ItemVerdicts, item: VerdictItem, decided: Verdict | None, is_full: bool) -> str:
    words, more = escape(item.label), ""
    if is_full:
        words, address = _labelled(item, words)
        more = f": {escape(item.description)}{address}" if item.description else address
    if decided is None:
        return f"• {words}{more}\n   No verdict"
    said = f"• {words}{more}\n   <b>{_said(payload, decided)}</b> – {name(decided.by)}"
    return f"{said}: {escape(decided.reason)}" if is_full and decided.reason else said
