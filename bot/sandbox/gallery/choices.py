"""Formats that offer options: one of few, one of many, several, and own words instead."""

from __future__ import annotations

from bot.sandbox.gallery.format import of_questions, options

CHOICE = of_questions(
    "choice",
    "closed choice",
    "deploys",
    {
        "title": "Release 4.2",
        "body": "The canary has been **clean** for two hours:\n\n- error rate `0.02 %`\n- p95 `210 ms`",
        "recommendation": "Ship it: nothing got worse, and support is staffed until 18:00.",
    },
    (
        {
            "id": "when",
            "prompt": "When do we ship?",
            "type": "choice",
            "options": options(
                {"now": "Ship it now", "monday": "Wait for Monday", "no": "Do not ship"},
                now={"recommended": True},
                no={"description": "4.2 is dropped and its fixes go into 4.3"},
            ),
        },
    ),
    {"when": {"value": "now"}},
)

REGIONS = {
    "af-south-1": "Cape Town",
    "ap-east-1": "Hong Kong",
    "ap-northeast-1": "Tokyo",
    "ap-northeast-2": "Seoul",
    "ap-south-1": "Mumbai",
    "ap-southeast-1": "Singapore",
    "ap-southeast-2": "Sydney",
    "ca-central-1": "Montréal",
    "eu-central-1": "Frankfurt",
    "eu-north-1": "Stockholm",
    "eu-south-1": "Milan",
    "eu-south-2": "Zaragoza",
    "eu-west-1": "Dublin",
    "eu-west-2": "London",
    "eu-west-3": "Paris",
    "il-central-1": "Tel Aviv",
    "me-central-1": "Dubai",
    "sa-east-1": "São Paulo",
    "us-east-1": "Virginia",
    "us-east-2": "Ohio",
    "us-west-1": "California",
    "us-west-2": "Oregon",
}

LONG_CHOICE = of_questions(
    "long_choice",
    "long single choice",
    "platform",
    {
        "title": "A home for the Iberian customers' data",
        "body": "Their contracts ask for a region inside the EU. Prices differ by less than 3 %.",
        "recommendation": "Zaragoza: 11 ms from Madrid, and it has all the services we use.",
    },
    (
        {
            "id": "region",
            "prompt": "In which region shall the cluster be built?",
            "type": "choice",
            "options": options({id: f"{city} ({id})" for id, city in REGIONS.items()}),
        },
    ),
    {"region": {"value": "eu-south-2"}},
)

CHOICES = of_questions(
    "choices",
    "multiple choices",
    "pricing",
    {
        "title": "Who hears of the price change first?",
        "body": "Prices rise by **4 %** on 1 March. Letters to the chosen groups leave tonight, all others in a week.",
    },
    (
        {
            "id": "groups",
            "prompt": "Which customers get tonight's letter?",
            "help": "The mail system can serve three groups before midnight.",
            "type": "choices",
            "min": 1,
            "max": 3,
            "options": options(
                {
                    "enterprise": "Enterprise",
                    "renewing": "Renewing within 60 days",
                    "partners": "Resellers",
                    "education": "Schools",
                    "trial": "Trials",
                    "rest": "Everybody else",
                },
                enterprise={"recommended": True},
                renewing={"recommended": True, "description": "412 accounts, whose offers are being written now"},
            ),
        },
    ),
    {"groups": {"values": ["enterprise", "renewing"]}},
)

CUSTOM = of_questions(
    "custom",
    "choices with a custom answer",
    "support",
    {
        "title": "Order 10482 arrived broken",
        "body": "Mara Weiss sent a photo of a cracked lamp shade. She has been a customer for **six years**.\n\n"
        "> I love the lamp. Can this be put right before Saturday?",
    },
    (
        {
            "id": "remedy",
            "prompt": "What do we offer her?",
            "type": "choice",
            "custom": True,
            "options": options({"refund": "Full refund", "credit": "Store credit", "replace": "A new lamp"}),
        },
    ),
    {"remedy": {"custom": "Only a new shade, by courier, so that it is there on Friday"}},
)
