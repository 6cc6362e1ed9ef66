"""A form as filled in: what modal, reply prompt and web page all speak."""

from __future__ import annotations

from collections.abc import Mapping

Fields = Mapping[str, str | tuple[str, ...]]
"""`q0` is the first question's value (option ids as a tuple for `choices`), `q0.custom` own words for it,
`reason` a reject's reason, `comment` words that decide nothing."""
