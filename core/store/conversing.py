"""Which conversation a message belongs to, as one statement shared by the work and the read side."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, and_, case, or_, select

from core.store.tables import conversations, loop_prompts, loops, sayings


def select_conversation_at(
    provider: str, account: str, channel: str, thread: str | None, reply_to: str | None, *, prompts: bool
) -> Select[Any]:
    """The linked conversation of a message: its thread or topic, what it replies to, or its one-to-one chat.

    With `prompts` a reply to a prompt for words counts as well.
    """
    table = conversations.c
    here = or_(table.channel == channel, table.place == channel)
    is_thread = and_(here, table.whole, table.thread == thread) if thread is not None else None
    is_all_of_it = and_(here, table.whole, table.thread.is_(None))
    ways = [is_all_of_it] if is_thread is None else [is_thread, is_all_of_it]
    if reply_to is not None:
        said = select(sayings.c.conversation).where(
            sayings.c.provider == provider,
            sayings.c.account == account,
            sayings.c.channel == channel,
            sayings.c.message == reply_to,
        )
        shown = select(loops.c.conversation).where(
            loops.c.card_provider == provider,
            loops.c.card_account == account,
            loops.c.card_channel == channel,
            loops.c.card_message == reply_to,
        )
        ways += [and_(here, table.root == reply_to), table.id.in_(said), table.id.in_(shown)]
        if prompts:
            prompted = (
                select(loops.c.conversation)
                .join(loop_prompts, loop_prompts.c.loop == loops.c.id)
                .where(
                    loop_prompts.c.provider == provider,
                    loop_prompts.c.account == account,
                    loop_prompts.c.channel == channel,
                    loop_prompts.c.message == reply_to,
                )
            )
            ways.append(table.id.in_(prompted))
    # The thread itself first, then what is replied to, then the chat as a whole.
    nearest = case((table.thread == thread, 0), (is_all_of_it, 2), else_=1)
    return (
        select(conversations)
        .where(table.provider == provider, table.account == account, or_(*ways))
        .order_by(nearest, table.id)
        .limit(1)
    )
