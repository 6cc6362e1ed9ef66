"""answerCallbackQuery."""

from __future__ import annotations

from blocks.telegram.check import check
from bot.sandbox.telegram.access import refuse
from bot.sandbox.telegram.messages import Json
from bot.sandbox.telegram.parts import Parts
from bot.sandbox.telegram.refusals import QUERY_TOO_OLD, ApiError


async def answer_callback_query(parts: Parts, request: Json) -> bool:
    """Show a toast, an alert or nothing to the person who pressed; once, and not too late."""
    world = parts.world
    tap = world.taps.get(str(request.get("callback_query_id")))
    late = tap is not None and world.clock.elapsed() - tap.elapsed > world.settings.answer_window
    if tap is None or late or tap.answer is not None:
        raise ApiError(QUERY_TOO_OLD)
    refuse(check("answerCallbackQuery", request))
    world.answer(
        tap,
        str(request.get("text") or ""),
        show_alert=bool(request.get("show_alert")),
        url=request.get("url") or None,
    )
    return True
