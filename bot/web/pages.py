"""The pages for people, as routes: sign-in, inbox, and every card in full."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.telegram.settings import APP_PATH
from bot.authority import Authority
from bot.listing import Listing
from bot.openid import RelyingParty
from bot.place_names import PlaceNames
from bot.web.accounts import CODE, AccountPages
from bot.web.audit import AuditPage
from bot.web.auth import Sessions
from bot.web.bots import Bots, no_bots
from bot.web.claims import CONFIRM, HERE, Claims
from bot.web.codes import Codes
from bot.web.coming_back import ComingBack
from bot.web.desk import Desk
from bot.web.doors import Door
from bot.web.drawing import Drawing
from bot.web.elsewhere import Elsewhere
from bot.web.entrance import Entrance
from bot.web.filling import Fillings
from bot.web.inbox import InboxPage
from bot.web.launching import Launching
from bot.web.linking import Linking
from bot.web.loop_pages import LoopPages
from bot.web.review import ReviewPages
from bot.web.security import HOME, Guard
from bot.web.signin import EVENLY, SignInPages
from bot.web.status import Accounts, StatusPage
from bot.web.telegram_login import TelegramLogin
from bot.web.trips import Trips
from bot.web.visits import Visits
from core.ports import Context
from core.reading import Records


def build_pages(
    context: Context,
    records: Records,
    authority: Authority,
    listing: Listing,
    names: PlaceNames,
    accounts: Accounts,
    *,
    base_url: str,
    key: bytes,
    parties: Sequence[RelyingParty] = (),
    bots: Bots = no_bots,
    telegram_site: str | None = None,
    evenly: float = EVENLY,
) -> list[Route]:
    """Everything a person opens in a browser. `base_url` is where that finds the service (a path in it is put in front
    of every link), `accounts` are the connected chats, `key` signs forms and seals codes, `parties` are whom people may
    sign in with, `bots` the Telegram bots that may let somebody in, `telegram_site` where people log in at Telegram
    (None: they cannot), `evenly` is how many seconds asking for a code takes."""
    guard = Guard(base_url, key)
    drawing = Drawing(guard)
    sessions = Sessions(context, records, authority, guard)
    codes = Codes(context, records, sessions, guard)
    trips, entrance = Trips(context, records, guard, base_url), Entrance(context, records, sessions)
    claims = Claims(context, guard)
    coming = ComingBack(trips, claims, sessions, drawing)
    telegram = TelegramLogin(context, bots, telegram_site, trips, coming, entrance, sessions, guard, drawing)
    offered = [one.party for one in parties]
    signin = SignInPages(
        context,
        sessions,
        codes,
        guard,
        drawing,
        parties=offered,
        telegram=lambda: telegram.site,
        evenly=evenly,
    )
    launching = Launching(context, bots, entrance, sessions, guard, drawing)
    elsewhere = Elsewhere(parties, trips, coming, entrance, sessions, guard, drawing)
    accounts_page = AccountPages(context, records, claims, offered, telegram, sessions, guard, drawing)
    linking = Linking(elsewhere.parties, telegram, claims, trips, sessions, guard, drawing)
    inbox = InboxPage(context, records, listing, sessions, guard, drawing)
    desk, fillings = Desk(records, authority), Fillings(context, records)
    visits = Visits(context, records, names)
    review = ReviewPages(context, desk, sessions, fillings, visits, guard, drawing)

    loops = LoopPages(context, records, authority, sessions, guard, drawing)

    status = StatusPage(records, context.clock, accounts, sessions, drawing)

    async def home(_: Request) -> Response:
        return drawing.go(HOME)

    return [
        Route("/", Door(drawing, get=home)),
        Route("/inbox", Door(drawing, get=inbox.show, post=inbox.keep)),
        Route("/loops", Door(drawing, get=loops.show_all)),
        Route("/loops/{name}", Door(drawing, get=loops.show, post=loops.act)),
        Route("/audit", Door(drawing, get=AuditPage(records, sessions, drawing).show)),
        Route("/status", Door(drawing, get=status.show)),
        Route("/review/{id}", Door(drawing, get=review.show, post=review.act)),
        Route("/signin", Door(drawing, get=signin.show, post=signin.ask)),
        Route("/signin/code", Door(drawing, get=signin.show_code, post=signin.enter)),
        Route("/signin/telegram", Door(drawing, post=telegram.leave)),
        Route("/signin/telegram/return", Door(drawing, get=telegram.show_return, post=telegram.come_back)),
        Route(f"{APP_PATH}/{{number:int}}", Door(drawing, get=launching.show, post=launching.enter)),
        Route("/signin/{provider}", Door(drawing, post=elsewhere.leave)),
        Route("/signin/{provider}/return", Door(drawing, get=elsewhere.come_back)),
        Route(HERE, Door(drawing, get=accounts_page.show, post=accounts_page.change)),
        Route(CODE, Door(drawing, get=accounts_page.show_code, post=accounts_page.enter_code)),
        Route(CONFIRM, Door(drawing, get=accounts_page.show_sides, post=accounts_page.confirm)),
        Route(f"{HERE}/link/{{provider}}", Door(drawing, post=linking.leave)),
        Route("/signout", Door(drawing, post=signin.leave)),
        Route("/static/{name}", drawing.static),
    ]
