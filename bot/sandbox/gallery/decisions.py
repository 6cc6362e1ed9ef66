"""Formats that ask for a yes or a no."""

from __future__ import annotations

from bot.sandbox.gallery.format import Act, Format

WHY_NOT = "Finance still reads it for the audit, until the 14th."

CONFIRMATION = Format(
    "confirmation",
    "confirmation",
    "staging",
    {
        "kind": "confirmation",
        "title": "Delete the staging database?",
        "body": "`staging-2` was last written to **41 days** ago and costs 310 € a month. "
        "A backup is kept for 30 days.",
        "recommendation": "Delete it.",
        "payload": {
            "accept_label": "Delete it",
            "reject_label": "Keep it",
            "reason": "required",
            "reason_label": "Why is it still needed?",
        },
    },
    (Act("reject", {"reason": WHY_NOT}),),
    {"accepted": False},
    status="rejected",
    reason=WHY_NOT,
)

NOT_NOW = "Not before the audit. Ask again after the 14th."

CONNECTION = Format(
    "connection",
    "connection request",
    "integrations",
    {
        "kind": "connection",
        "title": "The release bot wants to use GitHub",
        "body": "Without it, release notes are written by hand.",
        "payload": {
            "service": "github",
            "purpose": "Read merged pull requests, and write the notes of a release.",
            "scopes": ["pull_requests:read", "releases:write"],
            "account": "acme-shop",
            "connect_url": "https://release-bot.acme.example/connect/github",
        },
    },
    (Act("reject", {"reason": NOT_NOW}),),
    {"connected": False},
    status="rejected",
    reason=NOT_NOW,
)
