"""What a person is told after they acted, before any provider's wording or widget."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.controls import Control
from core.errors import Fault
from core.fields import Fields
from core.records import Interaction
from core.waiting import Entry


@dataclass(frozen=True)
class Saved:
    """The act was committed (or had been, by the same person). `text` says so in one sentence.

    `unseen`: no card will show it (it was saved before, or the words went to the asker), so where a saved act is
    otherwise shown by its card alone, this one must be told."""

    text: str
    unseen: bool = False


@dataclass(frozen=True)
class Told:
    """Nothing was decided; `text` says why in plain words, safe to show to this person."""

    text: str


@dataclass(frozen=True)
class OpenForm:
    """Show a form for `control` (one of `OPENS_FORM`), filled with `fields`. Opening it decides nothing."""

    interaction: Interaction
    control: Control
    fields: Fields = field(default_factory=dict)


@dataclass(frozen=True)
class Wrong:
    """What was submitted does not pass; the person may correct it. Pointers are into the answer
    (`/answers/q1/value`, `/reason`, `/text`); `fields` names the form field of each."""

    faults: tuple[Fault, ...]
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Quiet:
    """Acknowledge and say nothing."""


@dataclass(frozen=True)
class Listed:
    """What waits on the sender, the most urgent first, for a list with links; deciding happens on the cards themselves.

    `zone` (an IANA name) is where they read times; `cut`: more may wait than could be looked at."""

    cards: tuple[Entry, ...]
    zone: str = "UTC"
    cut: bool = False


@dataclass(frozen=True)
class Helped:
    """Words about what the app does, in answer to a command, and what waits on the sender where that is said too."""

    text: str
    listed: Listed | None = None


Reply = Saved | Told | OpenForm | Wrong | Quiet | Listed | Helped
