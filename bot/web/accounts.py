"""A person's own accounts: which they have, linking another one, and taking one away.

Linking takes proof of both: a session that began a moment ago with one of them, and a sign-in with the other one, or a
code sent to it. Then its person sees both by name and says that they are one. Nothing else makes two accounts one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from bot.openid import Party
from bot.web.auth import Sessions, Visitor
from bot.web.claims import HERE, Claim, Claims, confirm_at
from bot.web.codes import DIGITS
from bot.web.drawing import Drawing
from bot.web.security import Guard, Posted, policy, read_posted
from bot.web.signin import LONGEST_NAME, WRONG_CODE, digits_in, offered
from bot.web.signing import ASKS, OLD_FORM, TRIES, WINDOW, address, one
from bot.web.telegram_login import TelegramLogin
from bot.web.turnstile import Turnstile
from core.errors import Forbidden, Invalid, NotFound
from core.people import Identity, Person
from core.ports import Context, Work
from core.reading import Records
from core.use_cases import accounts
from core.use_cases.transact import transact

CODE: Final = f"{HERE}/code"
LABELS: Final = {"slack": "Slack", "telegram": "Telegram", "oidc": ""}
NOT_FRESH: Final = "Accounts are changed only within 15 minutes of signing in. Sign in again to change yours."
OVER: Final = "This was confirmed or left already, took more than ten minutes, or is another session's. Begin again."
NO_ACCOUNT: Final = "Type an account in a chat, such as telegram:42."


@dataclass(frozen=True)
class AccountView:
    """One account. `value` is what the form says of it, `own` that the session began with it."""

    chat: str
    spelled: str
    name: str
    value: str
    own: bool


@dataclass(frozen=True)
class Sides:
    """Two accounts that are to be one person's, and what that means. `problem`: why they cannot be."""

    mine: AccountView
    other: AccountView
    meaning: str
    problem: str = ""


class AccountPages:
    """The pages of `/accounts`."""

    def __init__(
        self,
        context: Context,
        records: Records,
        claims: Claims,
        parties: Sequence[Party],
        telegram: TelegramLogin,
        sessions: Sessions,
        guard: Guard,
        drawing: Drawing,
    ) -> None:
        self._context = context
        self._records = records
        self._claims = claims
        self._parties = tuple(parties)
        self._telegram = telegram
        self._sessions = sessions
        self._guard = guard
        self._drawing = drawing
        self._asks = Turnstile(ASKS, WINDOW)
        self._tries = Turnstile(TRIES, WINDOW)

    async def show(self, request: Request) -> Response:
        """Which accounts somebody has, and how to link another one."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._sign_in()
        return await self._page(request, visitor)

    async def change(self, request: Request) -> Response:
        """Send a code to another account, or unlink one."""
        visitor, posted = await self._posted(request)
        if visitor is None:
            return self._sign_in()
        if not self._claims.is_fresh(visitor):
            return await self._page(request, visitor, status=403)
        if one(posted, "do") == "unlink":
            return await self._unlink(request, visitor, one(posted, "account"))
        self._asks.check(address(request))
        name = one(posted, "name")[:LONGEST_NAME]
        if not name.strip():
            return await self._page(request, visitor, fault=NO_ACCOUNT, status=422)
        attempt = await self._claims.send_code(visitor, name, request.headers.get("user-agent", ""))
        return self._drawing.go(f"{CODE}?{urlencode({'attempt': attempt})}")

    async def _unlink(self, request: Request, visitor: Visitor, value: str) -> Response:
        found = next((one for one in visitor.person.identities if str(one) == value), None)
        if found is None:
            raise NotFound(OVER)
        person, mine = visitor.person, visitor.identity
        try:
            await transact(self._context, lambda work: accounts.unlink(work, self._context, person, mine, found))
        except Invalid as invalid:
            return await self._page(request, visitor, fault=invalid.faults[0].detail, status=409)
        return self._drawing.go(f"{HERE}?{urlencode({'done': 'unlinked'})}")

    async def show_code(self, request: Request) -> Response:
        """Ask for the code."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._sign_in()
        return self._code_page(visitor, request.query_params.get("attempt", ""))

    async def enter_code(self, request: Request) -> Response:
        """Take the code; then both accounts are shown."""
        visitor, posted = await self._posted(request)
        if visitor is None:
            return self._sign_in()
        self._tries.check(address(request))
        attempt = one(posted, "attempt")
        token = await self._claims.take_code(visitor, attempt, digits_in(one(posted, "code")))
        if token is None:
            return self._code_page(visitor, attempt, WRONG_CODE, 422)
        return self._drawing.go(confirm_at(token))

    async def show_sides(self, request: Request) -> Response:
        """Both accounts by name, and what follows. Looking changes nothing."""
        visitor = await self._sessions.visitor(request)
        if visitor is None:
            return self._sign_in()
        token = request.query_params.get("claim", "")
        claim = await self._claims.look(visitor, token)
        if claim is None:
            return self._over(visitor)
        sides = await self._sides(visitor, claim)
        return self._drawing.page("accounts_confirm.html", visitor=visitor, sides=sides, claim=token)

    async def confirm(self, request: Request) -> Response:
        """Link the two, or leave it."""
        visitor, posted = await self._posted(request)
        if visitor is None:
            return self._sign_in()
        agreed = one(posted, "do") == "link"
        known: Visitor = visitor

        async def inner(work: Work) -> tuple[bool, str | None]:
            claim = await self._claims.take(work, known, one(posted, "claim"))
            if claim is None or not agreed:
                return claim is not None, None
            person = await accounts.link(work, self._context, known.person, known.identity, claim.identity)
            if person.id == known.person.id:
                return True, None
            # Who they were until now is no more, and the session with them.
            now = self._context.clock.now()
            return True, await self._sessions.open(work, person, str(claim.identity), now)

        try:
            taken, cookie = await transact(self._context, inner)
        except Invalid as invalid:
            return self._drawing.trouble(409, "These cannot be linked", _sentence(invalid), visitor=visitor)
        if not taken:
            return self._over(visitor)
        response = self._drawing.go(f"{HERE}?{urlencode({'done': 'linked' if agreed else 'left'})}")
        if cookie is not None:
            self._sessions.give(response, cookie)
        return response

    async def _posted(self, request: Request) -> tuple[Visitor | None, Posted]:
        """Who sends a form of one of these pages, and the form. Raises `Forbidden` for one of elsewhere."""
        self._guard.check_origin(request)
        posted, visitor = await read_posted(request), await self._sessions.visitor(request)
        if visitor is not None and not self._sessions.may_post(visitor, one(posted, "token")):
            raise Forbidden(OLD_FORM)
        return visitor, posted

    async def _page(self, request: Request, visitor: Visitor, *, fault: str = "", status: int = 200) -> Response:
        parties, sites = offered(self._parties, self._telegram.site_for(visitor.person.workspace))
        response = self._drawing.page(
            "accounts.html",
            status,
            visitor=visitor,
            accounts=[await self._view(visitor, one) for one in visitor.person.identities],
            parties=parties,
            fresh=self._claims.is_fresh(visitor),
            stale=NOT_FRESH,
            fault=fault,
            done=request.query_params.get("done", ""),
        )
        if parties:
            response.headers["Content-Security-Policy"] = policy(leaves=True, to=sites)
        return response

    def _code_page(self, visitor: Visitor, attempt: str, fault: str = "", status: int = 200) -> Response:
        return self._drawing.page(
            "accounts_code.html", status, visitor=visitor, attempt=attempt, fault=fault, digits=DIGITS
        )

    async def _sides(self, visitor: Visitor, claim: Claim) -> Sides:
        person = visitor.person
        owner = await self._records.person_by_identity(person.workspace, claim.identity)
        mine, other = await self._view(visitor, visitor.identity), await self._view(visitor, claim.identity, claim.name)
        return Sides(mine, other, *_meaning(person, owner))

    async def _view(self, visitor: Visitor, identity: Identity, name: str = "") -> AccountView:
        kept = await self._records.standing(visitor.person.workspace, identity)
        return AccountView(
            chat=LABELS[identity.provider] or identity.account,
            spelled=f"{identity.account}.{identity.user}" if identity.provider == "slack" else identity.user,
            name=name or (kept[0].name if kept is not None else ""),
            value=str(identity),
            own=identity == visitor.identity,
        )

    def _over(self, visitor: Visitor) -> Response:
        return self._drawing.trouble(400, "Nothing was linked", OVER, visitor=visitor)

    def _sign_in(self) -> Response:
        return self._drawing.go(f"/signin?next={HERE}")


def _meaning(person: Person, owner: Person | None) -> tuple[str, str]:
    """What linking means, or why it cannot be done."""
    if owner is None:
        return "Nobody has it here yet. It will be yours.", ""
    if owner.id == person.id:
        return "It is yours already.", ""
    if owner.automatic:
        return f"It answered here before, as {owner.handle}. What it did stays as it is recorded; it will be yours.", ""
    if person.automatic:
        return f"It is {owner.name}'s ({owner.handle}), and so you will be {owner.handle} here from now on.", ""
    return "", (
        f"It is {owner.name}'s ({owner.handle}), and both of you were added. If you are one, an operator says so with "
        f"`sayso person merge {owner.handle} {person.handle}`."
    )


def _sentence(invalid: Invalid) -> str:
    detail = invalid.faults[0].detail
    return f"{detail[:1].upper()}{detail[1:]}."
