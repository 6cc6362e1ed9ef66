"""The small language the Block Kit rules are written in.

A `Rule` looks at one JSON value and yields what Slack would refuse about it, with the JSON pointer of the
part. Rules are built from the functions here and kept in tables: `check_objects`, `check_elements`,
`check_blocks`.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from blocks.slack import limits
from blocks.slack.limits import Limit, Unit

type_error = "must provide {}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One refusal: where (JSON pointer), what (Slack's wording) and the Web API error it leads to."""

    pointer: str
    message: str
    error: str = "invalid_blocks"

    @property
    def line(self) -> str:
        """The fault as Slack puts it in `response_metadata.messages`."""
        return f"[ERROR] {self.message} [json-pointer:{self.pointer}]"


Rule = Callable[[object, str], Iterator[Fault]]
Whole = Callable[[Mapping[str, object], str], Iterator[Fault]]


def measured(value: str, limit: Limit) -> int:
    """Return the length of `value` in the unit of `limit`."""
    return limits.size(value) if limit.unit is Unit.BYTES else limits.length(value)


def string(limit: Limit | None = None) -> Rule:
    """A string within `limit`."""

    def rule(value: object, at: str) -> Iterator[Fault]:
        if not isinstance(value, str):
            yield Fault(at, type_error.format("a string"))
        elif limit is not None:
            count = measured(value, limit)
            if count > limit.number:
                yield Fault(at, f"must be less than {limit.number + 1} {limit.unit}")
            elif count < limit.minimum:
                yield Fault(at, f"must be more than {limit.minimum - 1} {limit.unit}")

    return rule


def matching(accepts: Callable[[str], bool], shape: str) -> Rule:
    """A string of a given shape, named in words for the message."""

    def rule(value: object, at: str) -> Iterator[Fault]:
        if not isinstance(value, str) or not accepts(value):
            yield Fault(at, f"must match {shape}")

    return rule


def flag(value: object, at: str) -> Iterator[Fault]:
    """A boolean."""
    if not isinstance(value, bool):
        yield Fault(at, type_error.format("a boolean"))


def whole(limit: Limit | None = None) -> Rule:
    """A whole number within `limit`, or not negative when Slack publishes no limit."""

    def rule(value: object, at: str) -> Iterator[Fault]:
        if not isinstance(value, int) or isinstance(value, bool):
            yield Fault(at, type_error.format("an integer"))
        elif limit is not None and value > limit.number:
            yield Fault(at, f"must be less than or equal to {limit.number}")
        elif value < (least := limit.minimum if limit is not None else 0):
            yield Fault(at, f"must be greater than or equal to {least}")

    return rule


def one_of(*values: str) -> Rule:
    """One of a closed set of words."""

    def rule(value: object, at: str) -> Iterator[Fault]:
        if value not in values:
            yield Fault(at, f"must be a valid enum value ({', '.join(values)})")

    return rule


def anything(_value: object, _at: str) -> Iterator[Fault]:
    """A value that is checked elsewhere, or that Slack checks in ways it does not publish."""
    return iter(())


def is_public_address(address: str) -> bool:
    """Return whether Slack could open `address` for everybody: absolute http(s) with a public-looking host.

    Slack publishes no rule for its `invalid url`. Loopback, private and single-label hosts are counted as
    invalid: such a button works on one machine at most.
    """
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or any(c.isspace() or c in '<>"' for c in address):
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        labels = host.rstrip(".").split(".")
        return len(labels) > 1 and all(labels) and labels[-1] not in ("localhost", "local", "internal")


def url(limit: Limit) -> Rule:
    """A web address within `limit` that everybody can open."""

    def rule(value: object, at: str) -> Iterator[Fault]:
        yield from string(limit)(value, at)
        if isinstance(value, str) and value and not is_public_address(value):
            yield Fault(at, "invalid url")

    return rule


def items(each: Rule, limit: Limit | None = None) -> Rule:
    """An array within `limit` whose members all keep one rule."""

    def rule(value: object, at: str) -> Iterator[Fault]:
        if not isinstance(value, Sequence) or isinstance(value, str | bytes):
            yield Fault(at, type_error.format("an array"))
            return
        if limit is not None:
            yield from count(len(value), limit, at)
        for index, member in enumerate(value):
            yield from each(member, f"{at}/{index}")

    return rule


def count(found: int, limit: Limit, at: str) -> Iterator[Fault]:
    """Refuse a number of items outside `limit`."""
    if found > limit.number:
        yield Fault(at, f"no more than {limit.number} items allowed")
    elif found < limit.minimum:
        yield Fault(at, f"no less than {limit.minimum} items allowed")


def fields(
    required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None, *also: Whole, of_type: str = ""
) -> Rule:
    """An object with exactly these fields; `also` are rules about several fields together."""
    known: dict[str, Rule] = {**required, **(optional or {})}
    if of_type:
        known["type"] = one_of(of_type)

    def rule(value: object, at: str) -> Iterator[Fault]:
        if not isinstance(value, Mapping):
            yield Fault(at, type_error.format("an object"))
            return
        for name in required:
            if value.get(name) is None:
                yield Fault(at, f"missing required field: {name}")
        for name, member in value.items():
            if name not in known:
                yield Fault(at, f"invalid additional property: {name}")
            elif member is not None:
                yield from known[name](member, f"{at}/{name}")
        for check in also:
            yield from check(value, at)

    return rule


def by_type(table: Mapping[str, Rule], allowed: frozenset[str] | None = None) -> Rule:
    """An object whose `type` picks its rule; only `allowed` types may stand here."""

    def rule(value: object, at: str) -> Iterator[Fault]:
        if not isinstance(value, Mapping):
            yield Fault(at, type_error.format("an object"))
            return
        kind = value.get("type")
        if kind is None:
            yield Fault(at, "missing required field: type")
        elif not isinstance(kind, str) or kind not in table or (allowed is not None and kind not in allowed):
            yield Fault(f"{at}/type", f"unsupported type: {kind}")
        else:
            yield from table[kind](value, at)

    return rule


def exactly_one(*names: str) -> Whole:
    """Exactly one of these fields."""

    def check(value: Mapping[str, object], at: str) -> Iterator[Fault]:
        if sum(value.get(name) is not None for name in names) != 1:
            yield Fault(at, f"must define either {' or '.join(f'`{name}`' for name in names)}, and only one")

    return check


def at_least_one(*names: str) -> Whole:
    """At least one of these fields."""

    def check(value: Mapping[str, object], at: str) -> Iterator[Fault]:
        if all(value.get(name) is None for name in names):
            yield Fault(at, f"must define {' or '.join(f'`{name}`' for name in names)}")

    return check
