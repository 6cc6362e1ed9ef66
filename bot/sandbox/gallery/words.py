"""Formats that are answered in words: free text, and text that must match a pattern."""

from __future__ import annotations

from bot.sandbox.gallery.format import of_questions

TEXT = of_questions(
    "text",
    "text",
    "status-page",
    {
        "title": "A note for the status page",
        "body": "Checkout was slow for **26 minutes** this afternoon; the cause is found and fixed.\n\n"
        "- 14:05 UTC: payments begin to time out\n- 14:31 UTC: all clear after the pool was enlarged",
        "recommendation": "Say when it was, who noticed and that it is over. Leave the cause to the report.",
    },
    (
        {
            "id": "note",
            "prompt": "What shall customers read?",
            "help": "It goes to status.acme.example as you write it.",
            "type": "text",
            "multiline": True,
            "max_length": 500,
            "placeholder": "Between … and …, some customers …",
        },
    ),
    {"note": {"value": "Between 14:05 and 14:31 UTC some customers could not pay. All payments work again."}},
)

PATTERN = of_questions(
    "pattern",
    "pattern-validated text",
    "database",
    {
        "title": "Change ticket for the orders table",
        "body": "The migration adds the column `orders.gift_note` (nullable, no lock, about 4 minutes) on production.",
    },
    (
        {
            "id": "ticket",
            "prompt": "Which ticket approves this change?",
            "type": "text",
            "pattern": r"(OPS|CHG)-\d{3,6}",
            "pattern_hint": "A ticket looks like OPS-1234 or CHG-20917.",
            "placeholder": "OPS-1234",
            "max_length": 20,
        },
    ),
    {"ticket": {"value": "CHG-20917"}},
)
