"""How controls of a Slack message carry their tokens.

A button's `value` is its token. The options of one select, radio or checkbox control differ only in the tail of their
tokens, and a message of 100 options has no room for the same head 100 times: the head stands once, at the end of
the control's `action_id`, and each option's `value` is its own tail with the seal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from blocks.codec import Codec
from blocks.slack.parts import Block, button, option
from core.cards import Card
from core.controls import Action, Control

HEAD = 28
"""Characters of a token that are the same for all options of one question on one copy: version, interaction, action,
publication and the first half of the revision are 21 bytes."""


def control(card: Card, action: Action, question: int = 0, chosen: int = 0) -> Control:
    """The control of this copy, as it is shown now."""
    interaction = card.interaction
    return Control(
        interaction=interaction.id,
        publication=card.publication,
        revision=interaction.revision,
        seen=card.seen,
        action=action,
        question=question,
        option=chosen,
    )


def press(codec: Codec, label: str, what: Control, style: str | None = None) -> Block:
    """A button that stands for one control."""
    action_id = f"{what.action.name.lower()}.{what.question}.{what.option}"
    return button(label, action_id, codec.pack(what), style)


@dataclass(frozen=True)
class Choice:
    """One option as it is drawn: its label, its index as asked, and what is said below the label."""

    label: str
    place: int
    remark: str = ""


def choose(codec: Codec, kind: str, choices: Sequence[Choice], first: Control, holder: str = "") -> Block:
    """An element of `kind` (`radio_buttons`, `checkboxes`, `static_select`, `multi_static_select`) whose options are
    the controls `first` with the index of each choice."""
    tokens = [codec.pack(replace(first, option=one.place), holder) for one in choices]
    return {
        "type": kind,
        "action_id": f"{first.action.name.lower()}.{first.question}.{tokens[0][:HEAD]}",
        "options": [option(one.label, token[HEAD:], one.remark) for one, token in zip(choices, tokens, strict=True)],
    }


def labelled(labels: Sequence[str]) -> list[Choice]:
    """Choices in the order as asked."""
    return [Choice(label, place) for place, label in enumerate(labels)]


def token_of(action_id: str, value: str) -> str:
    """The whole token of an option of a control made by `choose`. What was not made there gives no valid token."""
    return action_id.rpartition(".")[2] + value


def is_pick(action_id: str) -> bool:
    """Whether an element holds options that count only when something else is pressed."""
    return action_id.startswith("pick.")


def block_id(name: str, card: Card) -> str:
    """A block's id: new with every revision, so that nothing picked under an older content is kept."""
    return f"{name}:{card.interaction.revision}"
