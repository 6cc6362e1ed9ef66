"""The API for programs, as one application: its routes, its errors, its OpenAPI document and its reference."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from bot.web import acting, asking, changing, conversing, errors, kept, ordering, progressing, reference, stream
from bot.web.calls import ApiServices


def build_api(services: ApiServices) -> FastAPI:
    """Put the API together. Mount it at `/` after everything else: what it does not know is 404 as a problem."""
    # Its log records for collectors quote what was wrong in a request; ours go to standard error and quote nothing.
    quiet: TelemetryConfig = {"logs": False}
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, telemetry=quiet)
    app.state.services = services
    app.include_router(asking.router)
    app.include_router(acting.router)
    app.include_router(changing.router)
    app.include_router(kept.router)
    app.include_router(ordering.router)
    app.include_router(progressing.router)
    app.include_router(conversing.router)
    app.include_router(stream.router)
    app.state.reference = reference.Reference(app, services.base_url)
    app.include_router(reference.router)
    errors.install(app)
    return app
