"""One human under two ids: what becomes of what they did and have when it turns out that two members are one."""

from __future__ import annotations

from collections.abc import Iterable

from core.loops.outcomes import Mark
from core.loops.values import Loop
from core.people import By, Person, Role
from core.policy import Policy
from core.records import Interaction, Vote
from core.reminding import Snooze


def one_of(person: Person, old: Person) -> Person:
    """`person`, who was `old` as well: what they may do they may still do, and what they set about their times stands
    unless they set it for themselves."""
    is_operator = Role.OPERATOR in (person.role, old.role)
    return person.model_copy(
        update={
            "role": Role.OPERATOR if is_operator else person.role,
            "timezone": person.timezone or old.timezone,
            "digest": person.digest or old.digest,
        }
    )


def with_acts_of(interaction: Interaction, old: Person, person: Person) -> Interaction:
    """The interaction with the votes, ticks and verdicts that `old` gave as those of `person`, who counts once: the
    later vote stands, and the longer time to be left alone. Where `old` asked, may answer, is brought in or is fallen
    back on by name, it is `person`.

    Raises ValueError for a settled interaction, whose outcome stays as it was recorded.
    """
    if not interaction.is_pending:
        raise ValueError(f"{interaction.id} is settled; its votes stay as they are")
    votes: dict[str, Vote] = {}
    for vote in sorted(interaction.votes, key=lambda one: one.at):
        by = _renamed(vote.by, old, person)
        votes[f"{by.type}:{by.id}"] = vote.model_copy(update={"by": by})
    snoozes: dict[str | None, Snooze] = {}
    for snooze in sorted(interaction.reminding.snoozes, key=lambda one: one.until):
        by = _renamed(snooze.by, old, person)
        snoozes[by.id] = snooze.model_copy(update={"by": by})
    granted = interaction.connecting
    named = addressed_to(interaction.audience.answerers, old, person)
    return interaction.model_copy(
        update={
            "creator": _renamed(interaction.creator, old, person),
            "audience": interaction.audience.model_copy(update={"answerers": named}),
            "policy": _policy(interaction.policy, old, person),
            "delegations": tuple(
                one.model_copy(
                    update={"by": _renamed(one.by, old, person), "to": addressed_to([one.to], old, person)[0]}
                )
                for one in interaction.delegations
            ),
            "reminding": interaction.reminding.model_copy(update={"snoozes": tuple(snoozes.values())}),
            "votes": tuple(votes.values()),
            "ticks": tuple(one.model_copy(update={"by": _renamed(one.by, old, person)}) for one in interaction.ticks),
            "verdicts": tuple(
                one.model_copy(update={"by": _renamed(one.by, old, person)}) for one in interaction.verdicts
            ),
            "connecting": granted.model_copy(update={"by": _renamed(granted.by, old, person)}) if granted else None,
            "version": interaction.version + 1,
        }
    )


def addressed_to(addresses: Iterable[str], old: Person, person: Person) -> tuple[str, ...]:
    """The addresses, each once, with `person` where `old` was named."""
    before, after = f"person:{old.handle}", f"person:{person.handle}"
    return tuple(dict.fromkeys(after if one == before else one for one in addresses))


def _policy(policy: Policy, old: Person, person: Person) -> Policy:
    nudges = policy.nudges
    if nudges is not None:
        nudges = nudges.model_copy(update={"escalate_to": addressed_to(nudges.escalate_to, old, person)})
    # As long as it was: how many of them were tried is counted.
    fallback = tuple(addressed_to([one], old, person)[0] for one in policy.fallback)
    return policy.model_copy(update={"nudges": nudges, "fallback": fallback})


def with_work_of(loop: Loop, old: Person, person: Person) -> Loop:
    """The loop with the work that `old` was to do, has or ordered as that of `person`, who is reminded of it, told of
    it and may end it. Its digest names who they are now.

    Raises ValueError for one that has ended.
    """
    if not loop.is_open:
        raise ValueError(f"{loop.name} has ended; who had the work stays as it is recorded")

    def marked(mark: Mark | None) -> Mark | None:
        return mark.model_copy(update={"by": _renamed(mark.by, old, person)}) if mark is not None else None

    return loop.model_copy(
        update={
            "sender": _renamed(loop.sender, old, person),
            "recipient": addressed_to([loop.recipient], old, person)[0],
            "acknowledged": marked(loop.acknowledged),
            "claimed": marked(loop.claimed),
            "started": marked(loop.started),
            "slots": tuple(
                one.model_copy(
                    update={"claimed": marked(one.claimed), "done": marked(one.done), "freed": marked(one.freed)}
                )
                for one in loop.slots
            ),
            "version": loop.version + 1,
        }
    )


def _renamed(by: By, old: Person, person: Person) -> By:
    if by.type != "person" or by.id not in (old.id, person.id):
        return by
    return by.model_copy(update={"id": person.id, "handle": person.handle, "name": person.name})
