"""Formats that are worked through item by item, by several people if need be: ticks and verdicts."""

from __future__ import annotations

from bot.sandbox.gallery.format import Act, Format

CHECKLIST = Format(
    "checklist",
    "checklist",
    "launch",
    {
        "kind": "checklist",
        "title": "Before 4.2 goes to everybody",
        "body": "It goes out at **16:00 UTC**, or not today.",
        "payload": {
            "items": [
                {"id": "canary", "label": "The canary was clean for two hours", "checked": True},
                {
                    "id": "notes",
                    "label": "Release notes are reviewed",
                    "description": "by somebody who did not write them",
                },
                {"id": "oncall", "label": "The on-call engineer knows"},
                {"id": "flag", "label": "The old checkout can be switched back on", "recommended": True},
            ],
            "min": 3,
            "accept_label": "Ready for launch",
        },
    },
    (Act("ticks", {"tick": ["notes", "flag"]}), Act("accept", {})),
    {"selected": ["canary", "notes", "flag"], "ticks": [{"id": "notes"}, {"id": "flag"}]},
    status="completed",
)

WHY_NOT = "Drops Python 3.11, which the workers still run on."

VERDICTS = Format(
    "item_verdicts",
    "item verdicts",
    "dependencies",
    {
        "kind": "item_verdicts",
        "title": "Three updates for Monday",
        "body": "The tests pass with each of them. What is approved is merged tonight.",
        "payload": {
            "items": [
                {
                    "id": "pydantic",
                    "label": "pydantic 2.12.3 → 2.12.4",
                    "description": "bug fixes only",
                    "recommended": True,
                },
                {
                    "id": "pillow",
                    "label": "pillow 11.3 → 12.0",
                    "description": "major version",
                    "href": "https://pillow.readthedocs.io/en/stable/releasenotes/12.0.0.html",
                },
                {"id": "redis", "label": "redis 7.0 → 7.1"},
            ]
        },
    },
    (
        Act(
            "verdicts",
            {
                "verdicts": [
                    {"item": "pydantic", "verdict": "approve"},
                    {"item": "pillow", "verdict": "reject", "reason": WHY_NOT},
                    {"item": "redis", "verdict": "defer"},
                ]
            },
        ),
    ),
    {
        "verdicts": {
            "pydantic": {"verdict": "approve", "reason": None},
            "pillow": {"verdict": "reject", "reason": WHY_NOT},
            "redis": {"verdict": "defer", "reason": None},
        }
    },
    status="completed",
)
