"""What a kind adds to a card: what is asked, what can be chosen, and what stands beneath it."""

from __future__ import annotations

from dataclasses import dataclass

from blocks.telegram.keyboard import Button, Keyboard, Row


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a page shows. All text is HTML.

    `line` is what must be read where it is chosen, `noted` the same with what became of it, fullest first; one of them
    is shown where there is room.
    """

    rows: Keyboard = ()
    line: str = ""
    noted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """A long list that is searched by typing. `found` are the entries it is narrowed to; None: all are shown."""

    start: Button
    end: Button
    found: tuple[int, ...] | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a kind shows while it waits. All text is HTML.

    `paragraphs` are always shown, `how` says what to do, `notes` how far it is, fullest first: one of them is shown.
    `entries` are what can be chosen, over as many pages as they need, `per_row` of their buttons in a row; `listed`:
    the buttons do not say it all, so the lines of a page stand in its text. `alone`: each entry has a page of its own.
    Beneath every page stand `submit`, `beside` (which may share rows) and `ways` to other pages of the form.
    `brief`: the body stands elsewhere in the form and may be left out. `own_words`: own words are an answer here.
    """

    paragraphs: tuple[str, ...] = ()
    how: tuple[str, ...] = ()
    notes: tuple[str, ...] = ("",)
    entries: tuple[Entry, ...] = ()
    per_row: int = 1
    listed: bool = False
    alone: bool = False
    search: Search | None = None
    submit: Keyboard = ()
    beside: tuple[Button, ...] = ()
    ways: Row = ()
    brief: bool = False
    own_words: bool = False
