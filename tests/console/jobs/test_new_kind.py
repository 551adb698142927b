"""The recipe for a new kind of job: its entry in JOBS, the schema of its answer, and its route."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from pydantic import BaseModel

from tests.console.conftest import owner_of
from tests.console.hosting import waited_for
from tests.console.sample import make_sample
from unround.console import app
from unround.console.api.guards import ChairResults
from unround.console.api.routes import ROUTERS
from unround.console.api.routing import Reading, new_router
from unround.console.jobs import worker
from unround.console.jobs.job import JobResult
from unround.console.jobs.kinds import JOBS, JobSpec, finished_run
from unround.console.jobs.queue import answer
from unround.console.server import open_console
from unround.console.storage.run_files import open_folder
from unround.progress import StageProgress


class TitleCount(BaseModel):
    titles: int | None


def count_titles(
    _request: dict[str, Any], given: dict[str, Any], _progress: StageProgress
) -> JobResult:
    """Count the papers of a run that have a title."""
    papers = open_folder(given["run"]).run.papers
    return JobResult("done", {"found": {"titles": papers["title"].count()}})


TITLES = JobSpec(count_titles, finished_run)
router = new_router("results", "/runs/{run}")


@router.get("/titles")
def get_title_count(visit: Reading, access: ChairResults) -> TitleCount:
    """Return how many papers have a title; none until they are counted."""
    console = visit.console
    found = answer(console.database, console.supervisor, "titles", access.run, {})
    return TitleCount(titles=None if found is None else found["titles"])


def work() -> None:
    """Be a worker that knows the new kind."""
    JOBS["titles"] = TITLES
    worker.main()


def test_a_new_kind_of_job_is_queued_computed_and_answered(
    new_settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(JOBS, "titles", TITLES)
    monkeypatch.setattr(app, "ROUTERS", (*ROUTERS, router))
    program = f"from {__name__} import work; work()"
    with open_console(new_settings(), (sys.executable, "-c", program)) as console:
        chair = owner_of(console)
        conference = chair.new_conference()
        files = chair.upload(conference, make_sample().files)
        run = chair.run(conference, files, method={"conflicts": "scores"})["id"]
        path = f"/api/runs/{run}/titles"
        assert waited_for(lambda: chair.read(path)["titles"]) == 18
