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

# All but the first: only for viewers whom a guard lets in.
ROUTERS = (
    session.door,
    session.router,
    conferences.router,
    conferences.bin_router,
    conferences.files_router,
    systems.files_router,
    systems.results_router,
    runs.checks_router,
    runs.router,
    results.router,
    papers.router,
    papers.views_router,
    papers.recommendations_router,
    access.router,
    access.area_chairs_router,
    access.server_router,
    ballots.router,
    ballots.results_router,
    ballots.own_ballot_router,
)
