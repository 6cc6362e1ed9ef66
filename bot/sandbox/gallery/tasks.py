"""Tasks that are suggested, and created once somebody picks them."""

from __future__ import annotations

from bot.sandbox.gallery.format import Act, Format

TASKS = Format(
    "suggested_tasks",
    "suggested tasks",
    "postmortem",
    {
        "kind": "suggested_tasks",
        "title": "Follow-ups from the checkout outage",
        "body": "From this morning's review. What you pick lands on the team's board.",
        "payload": {
            "tasks": [
                {
                    "key": "alert",
                    "title": "Alert when payments queue up",
                    "description": "more than 200 waiting for a minute",
                    "assignee": "bea",
                    "priority": "high",
                    "recommended": True,
                },
                {"key": "runbook", "title": "Say in the runbook what to do then", "parent": "alert", "assignee": "ana"},
                {"key": "pool", "title": "Size the connection pool from load", "priority": "medium"},
                {"key": "drill", "title": "Rehearse a failover in January"},
            ]
        },
    },
    (Act("accept", {"selected": ["alert", "runbook"]}),),
    {
        "selected": ["alert", "runbook"],
        "skipped": ["pool", "drill"],
        "created": [{"key": "alert"}, {"key": "runbook"}],
    },
    status="accepted",
)
