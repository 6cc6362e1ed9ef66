"""What the service refused, in the words of the command that asked for it: which option sets that, what shows more."""

from __future__ import annotations

from collections.abc import Mapping

from bot.reaching import ApiError

LISTS: Mapping[str, str] = {
    "there is nobody with the handle": "`sayso person list` shows everybody",
    "there is no agent called": "`sayso agent list` shows all of them",
}
"""What is said of a name that nobody has, and the command that shows which there are."""


def in_words_of(options: Mapping[str, str], error: ApiError) -> str:
    """What the service says, and behind it what helps here. `options` are fields of the API, as JSON pointers, that an
    option of another name sets."""
    pointers = {fault.get("pointer", "") for fault in error.errors}
    hints = [option for pointer, option in options.items() if any(one.startswith(pointer) for one in pointers)]
    hints += [shown for said, shown in LISTS.items() if said in error.detail]
    return f"{error.detail} (here: {', '.join(hints)})" if hints else error.detail
