"""One human under two ids: what becomes of what they did and have when an automatic member turns out to be someone
known."""

from __future__ import annotations

from core.loops.outcomes import Mark
from core.loops.values import Loop
from core.people import By, Person
from core.records import Interaction, Vote


def with_acts_of(interaction: Interaction, old: Person, person: Person) -> Interaction:
    """The interaction with the votes, ticks and verdicts that `old` gave as those of `person`, who counts once: the
    later vote stands. Where it was `old` who may answer by name, it is `person`.

    Raises ValueError for a settled interaction, whose outcome stays as it was recorded.
    """
    if not interaction.is_pending:
        raise ValueError(f"{interaction.id} is settled; its votes stay as they are")
    votes: dict[str, Vote] = {}
    for vote in sorted(interaction.votes, key=lambda one: one.at):
        by = _renamed(vote.by, old, person)
        votes[f"{by.type}:{by.id}"] = vote.model_copy(update={"by": by})
    granted = interaction.connecting
    before, after = f"person:{old.handle}", f"person:{person.handle}"
    named = dict.fromkeys(after if one == before else one for one in interaction.audience.answerers)
    return interaction.model_copy(
        update={
            "audience": interaction.audience.model_copy(update={"answerers": tuple(named)}),
            "delegations": tuple(
                one.model_copy(
                    update={"by": _renamed(one.by, old, person), "to": after if one.to == before else one.to}
                )
                for one in interaction.delegations
            ),
            "votes": tuple(votes.values()),
            "ticks": tuple(one.model_copy(update={"by": _renamed(one.by, old, person)}) for one in interaction.ticks),
            "verdicts": tuple(
                one.model_copy(update={"by": _renamed(one.by, old, person)}) for one in interaction.verdicts
            ),
            "connecting": granted.model_copy(update={"by": _renamed(granted.by, old, person)}) if granted else None,
            "version": interaction.version + 1,
        }
    )


def with_work_of(loop: Loop, old: Person, person: Person) -> Loop:
    """The loop with the work that `old` has taken as that of `person`, who may then end it. Who ordered it of whom is
    what was ordered, and stays.

    Raises ValueError for one that has ended.
    """
    if not loop.is_open:
        raise ValueError(f"{loop.name} has ended; who had the work stays as it is recorded")

    def taken(mark: Mark | None) -> Mark | None:
        return mark.model_copy(update={"by": _renamed(mark.by, old, person)}) if mark is not None else None

    return loop.model_copy(
        update={
            "claimed": taken(loop.claimed),
            "slots": tuple(one.model_copy(update={"claimed": taken(one.claimed)}) for one in loop.slots),
            "version": loop.version + 1,
        }
    )


def _renamed(by: By, old: Person, person: Person) -> By:
    if by.type != "person" or by.id not in (old.id, person.id):
        return by
    return by.model_copy(update={"id": person.id, "handle": person.handle, "name": person.name})
