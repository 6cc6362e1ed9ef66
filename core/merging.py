"""One human under two ids: what becomes of their acts when an automatic member turns out to be someone known."""

from __future__ import annotations

from core.people import By, Person
from core.records import Interaction, Vote


def with_acts_of(interaction: Interaction, old: str, person: Person) -> Interaction:
    """The interaction with the votes, ticks and verdicts that `old` gave as those of `person`, who counts once: the
    later vote stands.

    Raises ValueError for a settled interaction, whose outcome stays as it was recorded.
    """
    if not interaction.is_pending:
        raise ValueError(f"{interaction.id} is settled; its votes stay as they are")

    def renamed(by: By) -> By:
        if by.type != "person" or by.id not in (old, person.id):
            return by
        return by.model_copy(update={"id": person.id, "handle": person.handle, "name": person.name})

    votes: dict[str, Vote] = {}
    for vote in sorted(interaction.votes, key=lambda one: one.at):
        by = renamed(vote.by)
        votes[f"{by.type}:{by.id}"] = vote.model_copy(update={"by": by})
    granted = interaction.connecting
    return interaction.model_copy(
        update={
            "votes": tuple(votes.values()),
            "ticks": tuple(one.model_copy(update={"by": renamed(one.by)}) for one in interaction.ticks),
            "verdicts": tuple(one.model_copy(update={"by": renamed(one.by)}) for one in interaction.verdicts),
            "connecting": granted.model_copy(update={"by": renamed(granted.by)}) if granted else None,
            "version": interaction.version + 1,
        }
    )
