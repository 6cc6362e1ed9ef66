"""What follows from an arrival, fetched before it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from core.outbox import Lane
from core.people import Identity
from core.publications import Publication
from core.store.foresight import Question
from core.store.statements import (
    CONNECTIONS,
    COPIES,
    INTERACTION,
    LAST_RECEIPT,
    PERSON_BY_IDENTITY,
    PROMPTS,
    WAITING_REDRAW,
)
from core.store.tables import connections, identities, interactions, outbox, people, prompts, publications, receipts
from core.store.transaction import Transaction


class ForesightWork(Transaction):
    """Foresee what will be asked: with the same parameters, or it is asked again."""

    async def foresee_posts(self, workspace: str) -> None:
        self._foresee(Question(CONNECTIONS, {"workspace": workspace}, (connections,)))

    async def foresee_answer(self, workspace: str, interaction: str, identity: Identity) -> None:
        own = {"interaction": interaction}
        who = {"workspace": workspace, **identity.model_dump()}
        self._foresee(
            Question(INTERACTION, {"workspace": workspace, "id": interaction}, (interactions,)),
            Question(COPIES, own, (publications,)),
            Question(PERSON_BY_IDENTITY, who, (people, identities)),
            Question(LAST_RECEIPT, own, (receipts,)),
        )

    async def foresee_end(self, interaction: str, copies: Sequence[Publication]) -> None:
        places = dict.fromkeys((one.provider.value, one.account, one.channel or one.place) for one in copies)
        self._foresee(
            *(
                Question(
                    PROMPTS,
                    {"provider": provider, "account": account, "channel": channel, "interaction": interaction},
                    (prompts,),
                )
                for provider, account, channel in places
            ),
            *(
                Question(WAITING_REDRAW, {"lane": Lane.REDRAW.value, "key": one.id, "publication": one.id}, (outbox,))
                for one in copies
            ),
        )
