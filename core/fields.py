"""A form as filled in: what modal, reply prompt and web page all speak."""

from __future__ import annotations

from collections.abc import Mapping

Fields = Mapping[str, str | tuple[str, ...]]
"""The names of the fields:

- questions: `q0` is the first question's value (option ids as a tuple for `choices`), `q0.custom` own words for it;
- checklist: `ticks`, the ids ticked;
- item verdicts: `v0` is the verdict id for the first item, `v0.reason` its reason;
- suggested tasks: `tasks`, the keys chosen; `t0.title`, `t0.assignee`, `t0.priority` what the first is changed to;
- what a client shows of a touched group of boxes: `core.touches`, by the group's name;
- every kind: `reason` of a reject, `comment` words that decide nothing, `as` what a comment is meant as
  (`comment`, or `reject` where the card takes a reason), `until` and `to` a time and a person, in words.
"""
