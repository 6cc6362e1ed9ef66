"""A pseudonym in the place of a person, in any value that names them: what was decided stays, and nobody is named."""

from __future__ import annotations

from typing import Any, Final

from core.people import Person

FORGOTTEN: Final = "forgotten"
_NAMING: Final = frozenset({"handle", "identity", "name"})


def pseudonym(person: Person) -> str:
    """The handle that takes the place of theirs. It is made of their id, which no other row explains once they are
    gone."""
    return f"{FORGOTTEN}-{person.id.rpartition('_')[2][-12:]}"


def names_of(person: Person) -> tuple[str, ...]:
    """Every address that is this person alone."""
    accounts = (name for one in person.identities for name in (str(one), f"{one.provider}:{one.user}"))
    return tuple(dict.fromkeys((f"person:{person.handle}", *accounts)))


def without(value: Any, person: Person, alias: str) -> Any:
    """The same value without the person. Where they act, their id stays, which is a pseudonym by itself, and their
    handle becomes the alias; where they are addressed, the address does. Words that somebody wrote are left as they
    are."""
    names = frozenset(names_of(person))
    return _without(value, person.id, names, alias)


def _without(value: Any, id: str, names: frozenset[str], alias: str) -> Any:
    if isinstance(value, dict):
        found = {key: _without(one, id, names, alias) for key, one in value.items()}
        if value.get("id") == id and _NAMING & value.keys():
            found |= {key: alias if key == "handle" else None for key in _NAMING & value.keys()}
        if value.get("identity") in names:
            found["identity"] = None
        return found
    if isinstance(value, list):
        return [_without(one, id, names, alias) for one in value]
    return f"person:{alias}" if isinstance(value, str) and value in names else value
