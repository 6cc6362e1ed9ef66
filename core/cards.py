"""What a surface is given to show: an interaction, and what this copy needs besides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from core.fields import Fields
from core.records import Interaction


@dataclass(frozen=True)
class Card:
    """One copy of an interaction, ready to render.

    `publication` is the copy's number, `page` the keyboard page it shows, `review_url` its full form.
    `link_ok`: the address is public https, so a chat may carry it as a control; otherwise it is printed.
    `draft` and `holder` are what is filled in here and the name of who holds a shared form; `step` is the question
    shown of a form that is filled in one by one (their number: the summary; None: it is closed) and `search` what its
    options are narrowed to. `answering` are the names of everybody who is filling it in just now, here or elsewhere.
    `menu`: it shows what can be done about time in place of its controls. `message_url`, in a list, is where the reader
    finds a copy in the chat they read it in.
    """

    interaction: Interaction
    publication: int
    review_url: str
    link_ok: bool
    page: int = 0
    draft: Fields | None = None
    holder: str | None = None
    step: int | None = None
    search: str = ""
    answering: tuple[str, ...] = ()
    menu: bool = False
    message_url: str | None = None

    @cached_property
    def seen(self) -> str:
        """What each control on it says was shown: `Content.seen`, which reads everything, so once for all of them."""
        return self.interaction.content.seen()
