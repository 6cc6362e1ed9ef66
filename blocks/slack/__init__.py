"""Cards as Slack messages.

`render` decides the surface by rendering: what Slack would take whole, with room for the outcome, is native; anything
else is a review card, which shows no control that decides. Nothing is ever cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blocks.codec import Codec
from blocks.slack.content import address_line, full_form_button, title, told
from blocks.slack.controls import block_id, control, press
from blocks.slack.faces import TOO_LONG, face_of, takes_own_words
from blocks.slack.fit import fits, leaves_room
from blocks.slack.later import at_the_end, menu, short_menu
from blocks.slack.parts import FULL_FORM, Block, actions, context, words
from blocks.slack.prose import line, prose
from blocks.slack.settled import faces, notified
from blocks.slack.small_print import asked_by, small_print
from blocks.slack.text import escape
from blocks.words import one_line
from core.cards import Card
from core.controls import Action
from core.publications import Surface
from core.records import Outcome
from core.signed_in import answered_signed_in, needs_sign_in
from core.standing import so_far

REPLY: Final = "Reply in words…"


@dataclass(frozen=True)
class Rendered:
    """A card as a message: `blocks` for the Web API, `text` for notifications and screen readers, escaped and under
    the 4,000 bytes that chat.update takes."""

    surface: Surface
    blocks: list[Block]
    text: str


def render(card: Card, codec: Codec) -> Rendered:
    """Render a card as it stands now: open or settled, native or for the review page."""
    if needs_sign_in(card.interaction.policy):
        return render_review(card, codec, answered_signed_in(card.interaction.policy))
    about = [title(card.interaction.content), *told(card.interaction.content)]
    more, small = _footer(card, codec), small_print(card)
    later = menu(card, codec)
    face = face_of(card, codec, [*about, *at_the_end(more, later, card)])
    content = [*about, *face.asked]
    open_face = [*content, *at_the_end([*face.controls, *more], later, card), *small]
    if not fits(open_face):
        open_face = [*content, *at_the_end([*face.controls, *more], short_menu(card, codec), card), *small]
    why_not = face.why_review
    if why_not is None and not (fits(open_face) and leaves_room([*content, *small])):
        why_not = TOO_LONG
    if why_not is not None:
        return render_review(card, codec, why_not)
    outcome = card.interaction.outcome
    if outcome is None:
        return Rendered(Surface.NATIVE, open_face, fallback(card))
    settled = _settled(card, outcome, [*about, *(face.offered or face.kept)], [*about, *face.kept])
    return Rendered(Surface.NATIVE, settled, fallback(card))


def render_review(card: Card, codec: Codec, why: str = TOO_LONG) -> Rendered:
    """Render a card that is answered on the review page; it shows body and recommendation where they fit whole."""
    content = [title(card.interaction.content), *told(card.interaction.content)]
    outcome = card.interaction.outcome
    if outcome is not None:
        return Rendered(Surface.REVIEW, _settled(card, outcome, content), fallback(card))
    progress = so_far(card.interaction)
    told_so_far = [line(words(progress, "bold"))] if progress else []
    below = at_the_end(_footer(card, codec), menu(card, codec), card)
    rest = [*prose(*told_so_far, line(words(why))), *below, *small_print(card)]
    if not leaves_room([*content, *rest]):
        content = content[:1]
    return Rendered(Surface.REVIEW, [*content, *rest], fallback(card))


def render_words(card: Card) -> str:
    """The card without any blocks, for when Slack takes none of ours: how it stands and where the full form is."""
    return f"{fallback(card)}\n{FULL_FORM}: {escape(card.review_url)}"


def fallback(card: Card) -> str:
    """What it is about and how it stands, in one escaped line."""
    interaction = card.interaction
    return f"{escape(one_line(interaction.content.title))} — {notified(interaction)}"


def _footer(card: Card, codec: Codec) -> list[Block]:
    """What decides nothing: a reply in words, and the way to the full form."""
    row: list[Block] = []
    if not takes_own_words(card.interaction.content.payload):
        row.append(press(codec, REPLY, control(card, Action.COMMENT)))
    row += full_form_button(card)
    return [*address_line(card), *([actions(block_id("more", card), *row)] if row else [])]


def _settled(card: Card, outcome: Outcome, *contents: list[Block]) -> list[Block]:
    """The same content (fullest first) with the outcome in the place of the controls, as much of both as fits whole."""
    asked = [context(asked_by(card.interaction))]
    shortest: list[Block] = []
    for shortest in faces(card, outcome):
        for content in contents:
            blocks = [*content, *asked, *shortest]
            if fits(blocks):
                return blocks
    return [title(card.interaction.content), *asked, *shortest]
