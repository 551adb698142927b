"""The API, one module per noun. A new router is listed in `ROUTERS`, and nowhere else."""

from __future__ import annotations

from unround.console.api.routes import (
    access,
    ballots,
    conferences,
    papers,
    results,
    runs,
    session,
    systems,
)

ROUTERS = (
    session.router,
    conferences.router,
    conferences.chairs,
    conferences.bin_router,
    conferences.files_router,
    systems.files_router,
    systems.results_router,
    runs.checks_router,
    runs.router,
    results.router,
    results.chairs,
    results.audits_router,
    papers.router,
    papers.views_router,
    papers.recommendations_router,
    papers.area_chairs,
    access.router,
    access.area_chairs_router,
    access.server_router,
    ballots.router,
    ballots.results_router,
    ballots.own_ballot_router,
)
