"""One human under two ids: what becomes of their votes when an automatic member turns out to be someone known."""

from __future__ import annotations

from core.people import Person
from core.records import Interaction, Vote


def with_votes_of(interaction: Interaction, old: str, person: Person) -> Interaction:
    """The interaction with the votes that `old` gave as votes of `person`, who counts once: the later vote stands.

    Raises ValueError for a settled interaction, whose outcome stays as it was recorded.
    """
    if not interaction.is_pending:
        raise ValueError(f"{interaction.id} is settled; its votes stay as they are")
    votes: dict[str | None, Vote] = {}
    for vote in sorted(interaction.votes, key=lambda one: one.at):
        if vote.by.type == "person" and vote.by.id in (old, person.id):
            by = vote.by.model_copy(update={"id": person.id, "handle": person.handle, "name": person.name})
            votes[person.id] = vote.model_copy(update={"by": by})
        else:
            votes[f"{vote.by.type}:{vote.by.id}"] = vote
    return interaction.model_copy(update={"votes": tuple(votes.values()), "version": interaction.version + 1})
