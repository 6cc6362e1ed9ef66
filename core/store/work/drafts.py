"""Drafts and prompts: what is filled in but not sent, and messages that wait for words."""

from __future__ import annotations

from sqlalchemy import delete, select

from core.drafts import Draft, Prompt
from core.store.rows import draft_of, prompt_of
from core.store.statements import DROP_DRAFTS_IN_CHAT, PROMPTS
from core.store.tables import drafts, prompts
from core.store.transaction import Transaction


class DraftsWork(Transaction):
    """Keep and forget drafts and prompts."""

    async def draft(self, interaction: str, scope: str) -> Draft | None:
        row = await self._one(
            select(drafts).where(drafts.c.interaction == interaction, drafts.c.scope == scope).with_for_update()
        )
        return draft_of(row) if row else None

    async def save_draft(self, draft: Draft) -> None:
        row = draft.model_dump(exclude={"fields"})
        row["fields"] = draft.model_dump(mode="json", include={"fields"})["fields"]
        written = self._upsert(drafts).values(row)
        await self._run(written.on_conflict_do_update(index_elements=["interaction", "scope"], set_=row))

    async def drop_draft(self, interaction: str, scope: str) -> None:
        await self._run(delete(drafts).where(drafts.c.interaction == interaction, drafts.c.scope == scope))

    async def live_drafts(self, interaction: str) -> tuple[Draft, ...]:
        rows = await self._all(
            select(drafts).where(drafts.c.interaction == interaction, drafts.c.live).order_by(drafts.c.scope)
        )
        return tuple(draft_of(row) for row in rows)

    async def drop_drafts(self, interaction: str) -> None:
        await self._later(DROP_DRAFTS_IN_CHAT, {"interaction": interaction})

    async def prompt_at(self, provider: str, account: str, channel: str, message: str) -> Prompt | None:
        table = prompts.c
        row = await self._one(
            select(prompts).where(
                table.provider == provider,
                table.account == account,
                table.channel == channel,
                table.message == message,
            )
        )
        return prompt_of(row) if row else None

    async def prompts_in(self, interaction: str, provider: str, account: str, channel: str) -> tuple[Prompt, ...]:
        place = {"provider": provider, "account": account, "channel": channel}
        rows = await self._all(PROMPTS, {**place, "interaction": interaction}, sees=(prompts,))
        return tuple(prompt_of(row) for row in rows)

    async def drop_prompt(self, prompt: Prompt) -> None:
        table = prompts.c
        place = (table.provider == prompt.provider, table.account == prompt.account, table.channel == prompt.channel)
        await self._run(delete(prompts).where(*place, table.message == prompt.message))

    async def add_prompt(self, prompt: Prompt) -> None:
        row = {**prompt.model_dump(), "action": int(prompt.action)}
        where = ["provider", "account", "channel", "message"]
        await self._run(self._upsert(prompts).values(row).on_conflict_do_update(index_elements=where, set_=row))
