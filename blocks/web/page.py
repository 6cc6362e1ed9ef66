"""The page of a card as a whole, the visit it is drawn for, and one line of a list of cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from blocks.web.parts import Asked, Button, Complaint, Field
from core.fields import Fields
from core.publications import Publication
from core.reading import Announced
from core.receipts import Receipt
from core.replies import Wrong
from core.tasks import Task


class Tone(StrEnum):
    """How a state is coloured. The words say the same."""

    OPEN = "open"
    GOOD = "good"
    BAD = "bad"
    OVER = "over"


@dataclass(frozen=True)
class Remark:
    """Words that a person sent before, without deciding."""

    text: str
    at: datetime


@dataclass(frozen=True)
class Times:
    """What is known of a person's time: their `zone`, until when they asked to be left alone with this card, to whom
    they last handed it, whom it waits for, and the `people` (handle and name) it could be handed to. `done` is what
    they did about it just now."""

    zone: str = "UTC"
    until: datetime | None = None
    handed_to: str = ""
    waiting: str = ""
    people: tuple[tuple[str, str], ...] = ()
    done: str = ""


@dataclass(frozen=True)
class Visit:
    """What one page is drawn for. `refusal` is why this person may not answer, None when they may; `filled` what
    they typed before, on this or an earlier page, and `drafted_at` since when that is kept; `wrong` what was wrong with
    it; `changed` and `unplaced` as in `blocks.web.changes`. `saved`: what they did just now is saved; `late` says what
    of it came too late. `answering` are the names of others who are filling it in, `operators` of those who may grant a
    connection, `tasks` what was created. `signed_in_at` is when this person signed in."""

    person: str
    operator: bool
    refusal: str | None
    now: datetime
    filled: Fields | None = None
    drafted_at: datetime | None = None
    wrong: Wrong | None = None
    changed: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    saved: bool = False
    late: tuple[str, ...] = ()
    answering: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    announced: tuple[Announced, ...] = ()
    copies: tuple[Publication, ...] = ()
    tasks: tuple[Task, ...] = ()
    times: Times = Times()
    signed_in_at: datetime | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    """What the places it was asked in are called, by address, where that is known."""


@dataclass(frozen=True)
class Fact:
    """A line of small print. `at` is the moment it speaks of, if any."""

    label: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True)
class Happened:
    """A line of a history."""

    at: datetime
    text: str


@dataclass(frozen=True)
class Detail:
    """One thing to know before deciding, in one line or several."""

    label: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Progress:
    """How far a card that is answered bit by bit has come."""

    done: int
    total: int
    text: str


@dataclass(frozen=True)
class Ending:
    """How it ended. `sentence` says who, when and through what, `decided` what was chosen or written,
    `default` explains an answer that nobody gave, `successor` is the newer card's id."""

    sentence: str
    decided: tuple[str, ...]
    reason_label: str
    reason: str
    votes: tuple[str, ...]
    successor: str | None
    default: str
    receipt: str


@dataclass(frozen=True)
class Later:
    """What may be done about time instead of answering. `waiting` says whom the card waits for, `asked` until when
    this person is left alone with it."""

    snoozes: tuple[Button, ...]
    until: Field
    to: Field
    waiting: str
    asked: str

    @property
    def is_open(self) -> bool:
        """Whether something in it is wrong and must be seen."""
        return bool(self.until.faults or self.to.faults)


@dataclass(frozen=True)
class Form:
    """What this person may do. `fields` and `buttons` answer; `comment` is for words that decide nothing; `closing`
    and `note` are an operator's. `guarded`: Enter in a field must not send a form that has more fields. `had` is what
    was ticked when it was drawn, as the form spells it. `rejects` is the label under which the words may be sent as the
    reason of a reject. `aside` stands before the buttons. `long`: the buttons stay in sight. `shared`: what is
    filled in is everybody's and is saved before the card is decided. `leaves`: a button leads to another site.
    `later` is in forms of its own."""

    revision: int
    seen: str
    fields: tuple[Field, ...] = ()
    buttons: tuple[Button, ...] = ()
    visible_to: str = ""
    comment: Field | None = None
    closing: tuple[Button, ...] = ()
    note: Field | None = None
    guarded: bool = False
    complaints: tuple[Complaint, ...] = ()
    drafted_at: datetime | None = None
    spacious: str = ""
    had: tuple[str, ...] = ()
    rejects: str = ""
    aside: tuple[str, ...] = ()
    long: bool = False
    shared: bool = False
    leaves: bool = False
    later: Later | None = None


@dataclass(frozen=True)
class Page:
    """A card on its own page. `body` is safe HTML. `notice` confirms what this person did before, `refusal` is why they
    may not answer, `unsent` what they had filled in (each with its question) when somebody else was first. `sign_in`
    says why they must sign in again before they answer; empty when they need not. `zone` is that of the reader."""

    interaction: str
    title: str
    state: str
    tone: Tone
    body: str
    recommendation: str
    facts: tuple[Fact, ...]
    notice: str = ""
    refusal: str = ""
    sign_in: str = ""
    asked: tuple[Asked, ...] = ()
    form: Form | None = None
    ending: Ending | None = None
    changed: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    unsent: tuple[tuple[str, str], ...] = ()
    remarks: tuple[Remark, ...] = ()
    late: tuple[str, ...] = ()
    asker: str = ""
    answering: str = ""
    progress: Progress | None = None
    details: tuple[Detail, ...] = ()
    zone: str = "UTC"
    history: tuple[Happened, ...] = ()
    told: tuple[Happened, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A card or a work order in a list. `path` leads to its page, `about` is when it was asked and by whom, or how it
    ended; `until` when it expires or is due, `next` when it is reminded of."""

    path: str
    title: str
    state: str
    tone: Tone
    about: str
    until: str
    next: str = ""
