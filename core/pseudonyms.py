"""A pseudonym in the place of a person, in any value that names them: what was decided stays, and nobody is named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from core.people import Person
from core.publications import PublicationState

FORGOTTEN: Final = "forgotten"
GONE: Final = "Whoever this was sent to was forgotten."
_PLACES: Final = frozenset({"channel", "place", "user"})


@dataclass(frozen=True)
class Chat:
    """What one person alone is reached at: an account, or their direct-message channel. `account` is the Slack team or
    the bot that it counts within; "": it means them wherever it stands."""

    provider: str
    account: str
    place: str

    def is_at(self, provider: object, account: object, place: object) -> bool:
        """Whether an address means it. One without an account does, and so does one within an organisation (`E…`),
        whose teams share their users."""
        if (provider, place) != (self.provider, self.place):
            return False
        return not account or not self.account or account == self.account or str(account).startswith("E")


def pseudonym(person: Person) -> str:
    """The handle that takes the place of theirs. It is made of their id, which no other row explains once they are
    gone."""
    return f"{FORGOTTEN}-{person.id.rpartition('_')[2][-12:]}"


def names_of(person: Person) -> tuple[str, ...]:
    """Every address that is this person alone, as audiences spell it."""
    accounts = (name for one in person.identities for name in (str(one), f"{one.provider}:{one.user}"))
    return tuple(dict.fromkeys((f"person:{person.handle}", *accounts)))


def accounts_of(person: Person) -> tuple[Chat, ...]:
    """Their accounts. Those of Telegram are the same whatever bot they talk to."""
    return tuple(Chat(one.provider, one.account, one.user) for one in person.identities)


@dataclass(frozen=True)
class Pseudonym:
    """Whose names give way to `alias`. `chats` are their accounts and the channels where they alone are."""

    person: Person
    alias: str
    chats: tuple[Chat, ...]

    @property
    def needles(self) -> tuple[str, ...]:
        """What any JSON that names them contains."""
        return tuple(
            dict.fromkeys((self.person.id, f"person:{self.person.handle}", *(one.place for one in self.chats)))
        )

    def without(self, value: Any) -> Any:
        """The same value without the person. Where they act, their id stays, which is a pseudonym by itself, and their
        handle becomes the alias; where they are addressed, the address does. Words that somebody wrote are left as they
        are."""
        if isinstance(value, dict):
            return self._without_names({self._word(key): self.without(one) for key, one in value.items()}, value)
        if isinstance(value, list):
            return [self.without(one) for one in value]
        return self._word(value) if isinstance(value, str) else value

    def is_theirs(self, provider: object, account: object, place: object) -> bool:
        """Whether an address is theirs alone."""
        return any(one.is_at(provider, account, place) for one in self.chats)

    def _without_names(self, found: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
        meant = [value[key] for key in ("identity", "to") if isinstance(value.get(key), str)]
        if value.get("id") == self.person.id or any(self._word(one) != one for one in meant):
            named = {"handle": self.alias, "identity": None, "name": self.alias}
            found |= {key: one for key, one in named.items() if value.get(key) is not None}
        provider, account = value.get("provider"), value.get("account")
        there = [key for key in _PLACES & value.keys() if self.is_theirs(provider, account, value[key])]
        found |= dict.fromkeys(there, self.alias)
        if there and {"place", "state"} <= value.keys():
            # The copy of a card in their own chat, which is out of reach from now on.
            found |= {"channel": None, "message": None, "state": PublicationState.FAILED.value, "reason": GONE}
        return found

    def _word(self, text: str) -> str:
        provider, _, rest = text.partition(":")
        account, _, place = rest.partition("/")[0].rpartition(".")
        theirs = text in names_of(self.person) or self.is_theirs(provider, account, place)
        return f"person:{self.alias}" if theirs else text
