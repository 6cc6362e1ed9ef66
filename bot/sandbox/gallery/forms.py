"""Forms of several questions."""

from __future__ import annotations

from bot.sandbox.gallery.format import of_questions, options

MIXED = of_questions(
    "mixed",
    "mixed form",
    "team-days",
    {
        "title": "Team days in Lisbon",
        "body": "The house by the river holds its offer until **Friday**. The rest can be changed until a week before.",
        "recommendation": "Take it: it is the only one with room for everybody.",
    },
    (
        {
            "id": "house",
            "prompt": "Which house?",
            "type": "choice",
            "options": options({"river": "By the river", "old": "In the old town", "none": "Neither"}),
        },
        {"id": "people", "prompt": "How many of us come?", "type": "number", "integer": True, "min": 2, "max": 24},
        {"id": "from", "prompt": "First day", "type": "date"},
        {
            "id": "food",
            "prompt": "What must the kitchen know?",
            "type": "choices",
            "required": False,
            "custom": True,
            "options": options({"vegan": "Vegan", "halal": "Halal", "gluten": "No gluten"}),
        },
        {"id": "bus", "prompt": "Shall a bus fetch us from the airport?", "type": "boolean"},
        {
            "id": "wish",
            "prompt": "What would make it worth the trip?",
            "type": "text",
            "multiline": True,
            "required": False,
            "max_length": 600,
        },
    ),
    {
        "house": {"value": "river"},
        "people": {"value": 17},
        "from": {"value": "2027-05-11"},
        "food": {"values": ["vegan", "gluten"]},
        "bus": {"value": True},
        "wish": {"value": "A whole day without laptops."},
    },
)
