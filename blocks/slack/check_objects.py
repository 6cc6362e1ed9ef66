"""Rules for Block Kit's composition objects: text, option, option group, confirmation, image source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from blocks.slack import limits
from blocks.slack.check_fields import (
    Fault,
    Rule,
    Whole,
    anything,
    by_type,
    exactly_one,
    fields,
    flag,
    items,
    one_of,
    string,
    url,
)
from blocks.slack.limits import Limit

STYLE = one_of("primary", "danger")


def plain(limit: Limit) -> Rule:
    """A plain_text object."""
    return by_type({"plain_text": _text_object("plain_text", limit)})


def text(limit: Limit = limits.TEXT) -> Rule:
    """A plain_text or mrkdwn object."""
    return by_type({kind: _text_object(kind, limit) for kind in ("plain_text", "mrkdwn")})


def _text_object(kind: str, limit: Limit) -> Rule:
    switch = {"emoji": flag} if kind == "plain_text" else {"verbatim": flag}
    return fields({"type": one_of(kind), "text": string(limit)}, switch)


def option(marked_up: bool = False, link: bool = False) -> Rule:
    """One option; `marked_up` where a label may be mrkdwn, `link` where it may carry an address."""
    written = text if marked_up else plain
    optional: dict[str, Rule] = {"description": written(limits.OPTION_DESCRIPTION)}
    if link:
        optional["url"] = url(limits.OPTION_URL)
    return fields({"text": written(limits.OPTION_TEXT), "value": string(limits.OPTION_VALUE)}, optional)


OPTIONS = items(option(), limits.SELECT_OPTIONS)
OPTION_GROUPS = items(fields({"label": plain(limits.GROUP_LABEL), "options": OPTIONS}), limits.SELECT_GROUPS)

CONFIRM = fields(
    {
        "title": plain(limits.CONFIRM_TITLE),
        "text": text(limits.CONFIRM_TEXT),
        "confirm": plain(limits.CONFIRM_CONFIRM),
        "deny": plain(limits.CONFIRM_DENY),
    },
    {"style": STYLE},
)

CONVERSATION_FILTER = fields(
    {},
    {
        "include": items(one_of("im", "mpim", "private", "public")),
        "exclude_external_shared_channels": flag,
        "exclude_bot_users": flag,
    },
)
DISPATCH = fields(
    {"trigger_actions_on": items(one_of("on_enter_pressed", "on_character_entered"))},
)

IMAGE_SOURCE: dict[str, Rule] = {
    "image_url": url(limits.IMAGE_URL),
    "slack_file": fields({}, {"id": string(), "url": anything}, exactly_one("id", "url")),
}


def image(kind: str, **more: Rule) -> Rule:
    """An image block or element: one source and its description."""
    return fields(
        {"type": one_of(kind), "alt_text": string(limits.IMAGE_ALT_TEXT)},
        {**IMAGE_SOURCE, **more},
        exactly_one("image_url", "slack_file"),
    )


def offered(value: Mapping[str, object]) -> list[object]:
    """Return every option of an element, groups flattened."""
    found: list[object] = []
    options, groups = value.get("options"), value.get("option_groups")
    if isinstance(options, Sequence) and not isinstance(options, str):
        found.extend(options)
    if isinstance(groups, Sequence) and not isinstance(groups, str):
        for group in groups:
            if isinstance(group, Mapping):
                found.extend(offered(group))
    return found


def initial_is_offered(name: str) -> Whole:
    """The initial option (or each of them) equals an offered one exactly, description and format included."""

    def check(value: Mapping[str, object], at: str) -> Iterator[Fault]:
        initial = value.get(name)
        chosen = initial if isinstance(initial, list) else [] if initial is None else [initial]
        choices = offered(value)
        if any(one not in choices for one in chosen):
            yield Fault(f"{at}/{name}", "must exactly match one of the provided options")

    return check
