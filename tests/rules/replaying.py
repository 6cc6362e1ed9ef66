"""Acts done one after another, and what their receipts alone say of how the card stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from hypothesis import strategies as st

from core.acts import Act
from core.errors import Refused
from core.events import EventType
from core.interactions import decide, voided_by_patch
from core.people import By
from core.receipts import ReceiptDraft, ReceiptType
from core.records import Interaction
from tests.rules.making import NOW, by, stamp

PEOPLE = st.sampled_from(["ana", "ben", "cleo"]).map(by)
Done = tuple[By, Act]


@dataclass
class Story:
    """What was done to a card: how it stands, everything that was written down, and which acts were refused."""

    card: Interaction
    receipts: list[ReceiptDraft] = field(default_factory=list)
    events: list[EventType] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    def of(self, *types: ReceiptType) -> list[ReceiptDraft]:
        """The receipts of these types, in order."""
        return [one for one in self.receipts if one.type in types]


def told(card: Interaction, acts: Iterable[Done]) -> Story:
    """Do the acts, a minute after one another. What is refused or repeated must leave nothing."""
    story = Story(card)
    for number, (who, act) in enumerate(acts):
        before = story.card
        one = stamp(who, now=NOW + timedelta(minutes=number), receipt=f"rcp_{number}", more=60)
        voided = len(voided_by_patch(before)) if act.name == "patch" else 60
        more = tuple(f"rcp_{number}.{index}" for index in range(voided))
        one = replace(one, more_receipts=more, tasks=tuple(f"tsk_{number}.{index}" for index in range(50)))
        try:
            decision = decide(before, act, one)
        except Refused as refused:
            story.refused.append(refused)
            continue
        if decision.repeated:
            assert (decision.after, decision.receipts, decision.events, decision.tasks) == (before, (), (), ())
            continue
        assert decision.after.version == before.version + 1
        story.card = decision.after
        story.receipts += decision.receipts
        story.events += decision.events
    ids = [line.id for line in story.receipts]
    assert len(ids) == len(set(ids))
    return story
