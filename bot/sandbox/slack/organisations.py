"""Payloads of an app that is installed for a whole organisation: they name it, and no workspace of the installation."""

from __future__ import annotations

from bot.sandbox.slack.world import Installation, Json, User, World


def addressed(payload: Json, app: Installation, world: World) -> Json:
    """The payload of an interaction or a command as an installation gets it."""
    if app.enterprise_id is None:
        return payload
    organisation = {"id": app.enterprise_id, "name": world.teams[app.enterprise_id].name}
    if "command" in payload:
        more = {"enterprise_id": organisation["id"], "enterprise_name": organisation["name"]}
        return {**payload, **more, "is_enterprise_install": str(app.of_all).lower()}
    team = None if app.of_all else payload["team"]
    return {**payload, "team": team, "enterprise": organisation, "is_enterprise_install": app.of_all}


def receiver(payload: Json, user_team: str, world: World) -> Installation | None:
    """The installation that a payload is for: of the message or the view that was acted on, else of the person."""
    bot = (payload.get("message") or payload.get("view") or {}).get("bot_id")
    apps = sorted(world.installations.values(), key=lambda app: not app.active)
    of_bot = next((app for app in apps if bot and app.bot_id == bot), None)
    return of_bot or next((app for app in apps if world.covers(app, user_team)), None)


def of_organisation(user: User, world: World) -> Json:
    """What users.info says besides of somebody in a workspace of an organisation."""
    team = world.teams.get(user.team_id)
    if team is None or team.enterprise_id is None:
        return {}
    organisation = world.teams[team.enterprise_id]
    return {
        "enterprise_user": {
            "id": user.id,
            "enterprise_id": organisation.id,
            "enterprise_name": organisation.name,
            "is_admin": False,
            "is_owner": False,
            "teams": [user.team_id],
        }
    }
