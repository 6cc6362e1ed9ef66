"""Whether blocks fit a Slack message, by the same rules the stand-in refuses by and with room left for the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from blocks.slack import limits
from blocks.slack.check import Surface, budget, check_blocks
from blocks.slack.parts import Block

MESSAGE: Final = 12_000
"""Characters of JSON one card may use. Slack's own cap is undocumented, measured a tenth above this."""
OUTCOME_CHARACTERS: Final = 600
OUTCOME_BLOCKS: Final = 2


def fits(blocks: Sequence[Block], characters: int = MESSAGE) -> bool:
    """Whether Slack would take these blocks as one message of at most `characters`."""
    return budget(blocks) <= characters and not check_blocks(blocks, Surface.MESSAGE)


def leaves_room(content: Sequence[Block]) -> bool:
    """Whether an outcome can later stand under this content, in the place of its controls."""
    most = limits.MESSAGE_BLOCKS.number - OUTCOME_BLOCKS
    return len(content) <= most and fits(content, MESSAGE - OUTCOME_CHARACTERS)
