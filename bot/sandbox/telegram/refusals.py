"""The server's answers to requests that the world stands against, word for word."""

from __future__ import annotations

from typing import Final

from blocks.telegram.refusal import Refusal, bad_request


class ApiError(Exception):
    """A request fails with this answer."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.description)
        self.refusal = refusal


def _forbidden(reason: str) -> Refusal:
    return Refusal(403, f"Forbidden: {reason}")


def _conflict(reason: str) -> Refusal:
    return Refusal(409, f"Conflict: {reason}")


def upgraded(new_chat_id: int) -> Refusal:
    """Return the refusal of a write to a group that is now supergroup `new_chat_id`."""
    return Refusal(
        400,
        "Bad Request: group chat was upgraded to a supergroup chat",
        parameters={"migrate_to_chat_id": new_chat_id},
    )


def too_many_requests(seconds: int) -> Refusal:
    """Return the refusal of flood control: nothing was done, `seconds` to wait."""
    return Refusal(429, f"Too Many Requests: retry after {seconds}", parameters={"retry_after": seconds})


def bad_webhook(reason: str) -> Refusal:
    """Return the refusal of a webhook address."""
    return bad_request(f"bad webhook: {reason}", "/url")


UNAUTHORIZED: Final = Refusal(401, "Unauthorized")
TOKEN_INVALID: Final = Refusal(401, "Unauthorized: invalid token specified")
METHOD_NOT_FOUND: Final = Refusal(404, "Not Found: method not found")

CHAT_ID_EMPTY: Final = bad_request("chat_id is empty", "/chat_id")
CHAT_NOT_FOUND: Final = bad_request("chat not found", "/chat_id")
USER_NOT_FOUND: Final = bad_request("user not found", "/user_id")
MEMBERS_HIDDEN: Final = bad_request("member list is inaccessible")
NO_ADMINS_IN_PRIVATE: Final = bad_request("there are no administrators in the private chat")
NO_RIGHT_TO_SEND: Final = bad_request("not enough rights to send text messages to the chat")
NEED_ADMIN_IN_CHANNEL: Final = bad_request("need administrator rights in the channel chat")

BLOCKED: Final = _forbidden("bot was blocked by the user")
DEACTIVATED: Final = _forbidden("user is deactivated")
NOT_STARTED: Final = _forbidden("bot can't initiate conversation with a user")
TO_A_BOT: Final = _forbidden("the bot can't send messages to the bot")
GROUP_DELETED: Final = _forbidden("the group chat was deleted")

THREAD_NOT_FOUND: Final = bad_request("message thread not found", "/message_thread_id")
TOPIC_CLOSED: Final = bad_request("TOPIC_CLOSED", "/message_thread_id")
REPLY_NOT_FOUND: Final = bad_request("message to be replied not found", "/reply_parameters/message_id")
QUOTE_INVALID: Final = bad_request("QUOTE_TEXT_INVALID", "/reply_parameters/quote")
EDIT_NOT_FOUND: Final = bad_request("message to edit not found", "/message_id")
DELETE_NOT_FOUND: Final = bad_request("message to delete not found", "/message_id")
DELETE_NO_ID: Final = bad_request("message identifier is not specified", "/message_id")
CANNOT_EDIT: Final = bad_request("message can't be edited", "/message_id")
DELETE_NO_IDS: Final = bad_request("message identifiers are not specified", "/message_ids")
DELETE_TOO_MANY: Final = bad_request("too many message identifiers specified", "/message_ids")
CANNOT_DELETE: Final = bad_request("message can't be deleted", "/message_id")
NO_TEXT_TO_EDIT: Final = bad_request("there is no text in the message to edit", "/message_id")
NOT_MODIFIED: Final = bad_request(
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
QUERY_TOO_OLD: Final = bad_request(
    "query is too old and response timeout expired or query ID is invalid", "/callback_query_id"
)
WRONG_ACTION: Final = bad_request("wrong parameter action in request", "/action")
MARKUP_UNREADABLE: Final = bad_request("can't parse reply keyboard markup JSON object", "/reply_markup")

WEBHOOK_ACTIVE: Final = _conflict(
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)
TERMINATED_BY_POLL: Final = _conflict(
    "terminated by other getUpdates request; make sure that only one bot instance is running"
)
TERMINATED_BY_WEBHOOK: Final = _conflict("terminated by setWebhook request")
WEBHOOK_URL_INVALID: Final = bad_request("invalid webhook URL specified", "/url")
WEBHOOK_NOT_HTTPS: Final = bad_webhook("An HTTPS URL must be provided for webhook")
WEBHOOK_PORT: Final = bad_webhook("Webhook can be set up only on ports 80, 88, 443 or 8443")


def kicked(kind: str) -> Refusal:
    """Return the refusal of a `kind` chat that threw the bot out."""
    return _forbidden(f"bot was kicked from the {kind} chat")


def not_a_member(kind: str) -> Refusal:
    """Return the refusal of a `kind` chat that the bot is not in."""
    return _forbidden(f"bot is not a member of the {kind} chat")
