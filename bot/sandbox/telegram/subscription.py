"""How the bot gets its updates: getUpdates, setWebhook, deleteWebhook and getWebhookInfo."""

from __future__ import annotations

from urllib.parse import urlsplit

from blocks.telegram import limits
from blocks.telegram.check import check
from blocks.telegram.links import is_local
from bot.sandbox.telegram import refusals
from bot.sandbox.telegram.access import refuse
from bot.sandbox.telegram.arguments import texts
from bot.sandbox.telegram.messages import Json
from bot.sandbox.telegram.parts import Parts
from bot.sandbox.telegram.refusals import ApiError
from bot.sandbox.telegram.updates import DEFAULT
from bot.sandbox.telegram.webhook import Webhook

DEFAULT_CONNECTIONS = 40


async def get_updates(parts: Parts, request: Json) -> list[Json]:
    """Return what the bot has not confirmed yet, waiting for it if asked to."""
    if parts.webhook.hook is not None:
        raise ApiError(refusals.WEBHOOK_ACTIVE)
    _allow(parts, request)
    return await parts.polling.get(
        request.get("offset") or 0,
        limits.UPDATES_BATCH.number if request.get("limit") is None else request["limit"],
        request.get("timeout") or 0,
    )


async def set_webhook(parts: Parts, request: Json) -> bool:
    """Deliver to an address from now on, or with an empty one stop."""
    url = str(request.get("url") or "")
    if not url:
        return await delete_webhook(parts, request)
    if seconds := parts.pace.spend_webhook():
        raise ApiError(refusals.too_many_requests(seconds))
    refuse(check("setWebhook", request))
    _check_address(url, loopback=parts.settings.loopback_webhooks)
    _drop_if_asked(parts, request)
    _allow(parts, request)
    parts.polling.stop()
    connections = min(max(request.get("max_connections") or DEFAULT_CONNECTIONS, 1), limits.WEBHOOK_CONNECTIONS.number)
    secret = str(request.get("secret_token") or "")
    await parts.webhook.set(Webhook(url=url, secret=secret, max_connections=connections))
    return True


async def delete_webhook(parts: Parts, request: Json) -> bool:
    """Stop delivering; what waits stays for getUpdates unless it is to be dropped."""
    _drop_if_asked(parts, request)
    await parts.webhook.set(None)
    return True


async def get_webhook_info(parts: Parts, _request: Json) -> Json:
    """Return where updates go and how that went; `url` is empty while the bot polls."""
    hook, failed = parts.webhook.hook, parts.webhook.last_error
    found: Json = {
        "url": hook.url if hook else "",
        "has_custom_certificate": False,
        "pending_update_count": len(parts.queue),
    }
    if failed is not None:
        found |= {"last_error_date": failed[0], "last_error_message": failed[1]}
    if hook is not None:
        found |= {"max_connections": hook.max_connections, "ip_address": hook.ip_address}
    if parts.queue.allowed != DEFAULT:
        found["allowed_updates"] = sorted(parts.queue.allowed)
    return found


def _allow(parts: Parts, request: Json) -> None:
    given = request.get("allowed_updates")
    parts.queue.allow(texts(given) if isinstance(given, list) else None)


def _drop_if_asked(parts: Parts, request: Json) -> None:
    if request.get("drop_pending_updates"):
        parts.queue.clear()


def _check_address(url: str, *, loopback: bool) -> None:
    try:
        address = urlsplit(url if "://" in url else f"https://{url}")
        port = address.port
    except ValueError as error:
        raise ApiError(refusals.WEBHOOK_URL_INVALID) from error
    if address.scheme not in ("http", "https") or not address.hostname:
        raise ApiError(refusals.WEBHOOK_URL_INVALID)
    if loopback and is_local(url):
        return
    if address.scheme != "https":
        raise ApiError(refusals.WEBHOOK_NOT_HTTPS)
    if (port or 443) not in limits.WEBHOOK_PORTS:
        raise ApiError(refusals.WEBHOOK_PORT)
