"""Every format that can be asked, as data: what the demo offers at a press and the gallery takes pictures of."""

from __future__ import annotations

from typing import Final

from bot.sandbox.gallery.choices import CHOICE, CHOICES, CUSTOM, LONG_CHOICE
from bot.sandbox.gallery.decisions import CONFIRMATION, CONNECTION
from bot.sandbox.gallery.format import Act, Format
from bot.sandbox.gallery.forms import MIXED
from bot.sandbox.gallery.lists import CHECKLIST, VERDICTS
from bot.sandbox.gallery.tasks import TASKS
from bot.sandbox.gallery.words import PATTERN, TEXT

__all__ = ["FORMATS", "Act", "Format"]

FORMATS: Final[tuple[Format, ...]] = (
    TEXT,
    CHOICE,
    LONG_CHOICE,
    CHOICES,
    CUSTOM,
    PATTERN,
    CONFIRMATION,
    CHECKLIST,
    VERDICTS,
    TASKS,
    CONNECTION,
    MIXED,
)
