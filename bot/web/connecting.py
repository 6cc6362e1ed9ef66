"""Sending an operator to the other side, where a connection is granted."""

from __future__ import annotations

import secrets

from starlette.responses import RedirectResponse

from blocks.web.connection import host_of, leading_to
from bot.web.desk import Opened
from core.acts import SetOut
from core.errors import Forbidden
from core.kinds import ConnectionRequest
from core.kinds.connection import digest_of
from core.ports import Context
from core.signed_in import check_signed_in
from core.use_cases.change import operate


async def set_out(context: Context, opened: Opened, revision: int) -> RedirectResponse:
    """Note that this operator sets out, and send them there with a state of their own. Only its digest is kept: the
    other side proves by it that they arrived. Raises any `Refused`."""
    interaction, visitor = opened.interaction, opened.visitor
    payload = interaction.content.payload
    if not isinstance(payload, ConnectionRequest) or host_of(payload.connect_url) is None:
        raise Forbidden("This card has no such button, so nothing was done.")
    check_signed_in(interaction.policy, visitor.session.created_at, context.clock.now())
    state = secrets.token_urlsafe(32)
    act = SetOut(revision, digest_of(state))
    await operate(context, interaction.workspace, interaction.id, act, visitor.person, visitor.identity)
    return RedirectResponse(leading_to(payload.connect_url, state), 303)
