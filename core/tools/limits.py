"""How much one message, one conversation and one caller get of operations and of whatever else people have to read. A
program that goes round in circles is stopped before people drown in what it says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Limit:
    """At most so many, and what whoever wants more is told: why, and what they can do."""

    most: int
    told: str

    def reached(self, had: int) -> bool:
        """Whether so many are as many as there may be."""
        return had >= self.most

    @property
    def words(self) -> str:
        """What is told, with the number."""
        return self.told.format(most=self.most)


CALLS_IN_A_MESSAGE = Limit(
    # Each result is a message of its own below it, and people read them.
    10,
    "One message may run at most {most} operations, because people read what comes of each; the others were not run. "
    "Send the rest in another message.",
)
SENTENCES_IN_A_MESSAGE = Limit(
    # More than anybody says at once, and few enough for one transaction and for one reply that names what was wrong.
    100,
    "Of one message at most {most} sentences count; the rest was not heard. Send it in another message.",
)
CARDS_IN_A_MESSAGE = Limit(
    # Each stands in the conversation by itself, and the chat takes about one a second.
    20,
    "One message may open at most {most} work orders and alerts, because people see a card of each; the others were "
    "not opened. Send the rest in another message.",
)
FOLLOW_UPS_WAITING = Limit(
    # More than anybody in one thread can keep in mind; each will call people there.
    25,
    "At most {most} follow-ups may wait in one conversation, because each speaks up there; the others were not made. "
    "Cancel one with followup.cancel, or wait until one was said.",
)
FOLLOW_UPS_IN_AN_HOUR = Limit(
    # One every other minute is no reminder any more: it is a program that goes round in circles.
    30,
    "One caller may make at most {most} follow-ups within an hour in all conversations; the others were not made. "
    "Make them later, or fewer.",
)
