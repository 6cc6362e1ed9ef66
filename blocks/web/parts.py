"""What a form is made of: fields with their controls, buttons, and what is only read.

Text from outside is neutralised here; the templates escape it. Values of fields are given back as they were typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from blocks.words import neutralise
from core.fields import Fields
from core.replies import Wrong

LONGEST_WORDS = 3_000
"""The most characters of words that decide nothing, and of an operator's note."""
ROWS = 4
MANY_ROWS = 12


@dataclass(frozen=True)
class Line:
    """One line of text, or a day."""

    widget: ClassVar = "line"
    value: str
    type: Literal["text", "date"] = "text"
    keyboard: Literal["text", "numeric", "decimal"] = "text"


@dataclass(frozen=True)
class Area:
    """Several lines of text."""

    widget: ClassVar = "area"
    value: str
    rows: int = ROWS


@dataclass(frozen=True)
class Choice:
    """One thing to choose. `value` is what the form carries for it."""

    value: str
    label: str
    description: str = ""
    marks: tuple[str, ...] = ()
    chosen: bool = False


@dataclass(frozen=True)
class OwnWords:
    """The field for words of one's own beside the options. `control` tells whether it is a line or an area."""

    name: str
    control: Line | Area
    chosen: bool
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pick:
    """Options: `radio` for one, `checkbox` for several, `select` for one of many short ones. `short`: the labels are
    short enough to stand in columns."""

    widget: ClassVar = "pick"
    kind: Literal["radio", "checkbox", "select"]
    choices: tuple[Choice, ...]
    own: OwnWords | None = None
    short: bool = False


Control = Line | Area | Pick


@dataclass(frozen=True)
class Field:
    """One field. `name` is what the form calls it, `place` its number in a form of several (`3 of 12`), `help` the
    asker's words, `hint` ours."""

    name: str
    label: str
    control: Control
    help: str = ""
    hint: str = ""
    required: bool = True
    place: str = ""
    faults: tuple[str, ...] = ()

    @property
    def described_by(self) -> str:
        """The ids of everything that explains the field."""
        parts = (("help", self.help), ("hint", self.hint), ("fault", self.faults))
        return " ".join(f"{self.name}-{part}" for part, said in parts if said)


@dataclass(frozen=True)
class Asked:
    """A question that is only read: what was asked, what could be chosen, and once it is settled what was said.
    `said` is None while nothing was."""

    label: str
    help: str = ""
    hint: str = ""
    place: str = ""
    choices: tuple[Choice, ...] = ()
    said: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Button:
    """A button that submits the form. `act` is what the form's `do` says then."""

    act: str
    label: str
    main: bool = False
    hint: str = ""


@dataclass(frozen=True)
class Complaint:
    """One line of the summary of faults, and the field it leads to."""

    target: str
    text: str


def shown(text: str | None) -> str:
    """Text from outside, fit to be shown with its own line ends."""
    return neutralise(text or "").strip()


def typed(filled: Fields, name: str) -> str:
    """What was typed into a field."""
    value = filled.get(name, "")
    return value if isinstance(value, str) else "\n".join(value)


def faults_at(wrong: Wrong | None, name: str) -> tuple[str, ...]:
    """The sentences about one field."""
    if wrong is None:
        return ()
    return tuple(sentence(fault.detail) for fault, at in zip(wrong.faults, wrong.fields, strict=True) if at == name)


def sentence(text: str) -> str:
    """Outside words as a sentence: a capital first, a full stop last."""
    whole = shown(text)
    return f"{whole[:1].upper()}{whole[1:]}{'' if whole.endswith(('.', '!', '?')) else '.'}"


def line_or_area(value: str, *, multiline: bool, rows: int = ROWS) -> Line | Area:
    """A field for text. Text with line ends never gets into a single line, where they would be lost."""
    return Area(value, rows) if multiline or "\n" in value else Line(value)
