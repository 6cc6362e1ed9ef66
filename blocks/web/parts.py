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
    """One line of text, or a day. `offers` are values that can be picked while it is written, each with what it is."""

    widget: ClassVar = "line"
    value: str
    type: Literal["text", "date"] = "text"
    keyboard: Literal["text", "numeric", "decimal"] = "text"
    offers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Area:
    """Several lines of text."""

    widget: ClassVar = "area"
    value: str
    rows: int = ROWS


@dataclass(frozen=True)
class Choice:
    """One thing to choose. `value` is what the form carries for it, `note` says who chose it before, and when; `depth`
    counts what it is a part of. `reasoned`: whoever chooses it may or must say why."""

    value: str
    label: str
    description: str = ""
    marks: tuple[str, ...] = ()
    chosen: bool = False
    note: str = ""
    depth: int = 0
    reasoned: bool = False


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


@dataclass(frozen=True)
class Judging:
    """A verdict to choose for one item, and the field for its reason if one of the verdicts takes any."""

    widget: ClassVar = "judging"
    choices: tuple[Choice, ...]
    reason: Field | None = None


@dataclass(frozen=True)
class Judged:
    """A verdict that stands, in place of a control: `note` says who gave it, when and through what."""

    widget: ClassVar = "judged"
    verdict: str
    note: str
    reason: str = ""


@dataclass(frozen=True)
class Row:
    """A task that may be chosen. `name` is what its fields and its tick box are called, `needs` the title of the task
    that it is a part of, `current` what it would be created with, `edits` the fields to change that."""

    name: str
    choice: Choice
    needs: str
    current: str
    edits: tuple[Field, ...]
    faults: tuple[str, ...] = ()

    @property
    def described_by(self) -> str:
        """The ids of everything that explains the tick box."""
        parts = (("more", self.choice.description), ("needs", self.needs), ("fault", self.faults))
        return " ".join(f"{self.name}-{part}" for part, said in parts if said)

    @property
    def is_open(self) -> bool:
        """Whether something in it was changed or is wrong, so that its fields must be seen."""
        return bool(self.edits) and any(one.faults or one.touched for one in self.edits)


@dataclass(frozen=True)
class Rows:
    """Tasks of which some are chosen, each after the one it is a part of."""

    widget: ClassVar = "rows"
    rows: tuple[Row, ...]


Control = Line | Area | Pick | Judging | Judged | Rows


@dataclass(frozen=True)
class Field:
    """One field. `name` is what the form calls it, `place` its number in a form of several (`3 of 12`), `help` the
    asker's words, `hint` ours, `href` an address that says more. `touched`: it holds something else than was asked."""

    name: str
    label: str
    control: Control
    help: str = ""
    hint: str = ""
    required: bool = True
    place: str = ""
    unit: str = "Question"
    href: str = ""
    marks: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    touched: bool = False

    @property
    def described_by(self) -> str:
        """The ids of everything that explains the field."""
        parts = (("help", self.help), ("hint", self.hint), ("fault", self.faults))
        return " ".join(f"{self.name}-{part}" for part, said in parts if said)


@dataclass(frozen=True)
class Asked:
    """A question that is only read: what was asked, what could be chosen, and once it is settled what was said.
    `said` is None while nothing was; `reason` and `note` (who, when) belong to it. `word` is how a choice that was made
    is called. `folds`: a long list of what could be chosen may stand behind a disclosure."""

    label: str
    help: str = ""
    hint: str = ""
    place: str = ""
    unit: str = "Question"
    href: str = ""
    marks: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    said: tuple[str, ...] | None = None
    reason: str = ""
    note: str = ""
    word: str = "chosen"
    folds: bool = True


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
