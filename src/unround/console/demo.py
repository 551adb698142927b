"""A sample conference for `unround serve --demo`: simulated, run twice, one run shared."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import polars as pl
from sqlalchemy.orm import Session

from unround import simulate
from unround.console.access import area_chairs
from unround.console.context import Console
from unround.console.jobs.queue import enqueue
from unround.console.schemas.runs import ConstraintForm, NewRun
from unround.console.storage.orm import ConferenceRow, RunRow, new_id, now
from unround.console.storage.uploads import add_files
from unround.errors import UnroundError
from unround.formats.synthetic import named
from unround.formats.systems import plain

NAME = "Sample conference"
PAPERS, SEED = 60, 1
LEVELS = tuple(range(1, 11))
RUNS = (
    ("Trust the rankings, λ by validation", ConstraintForm(conflicts="rankings"), "auto"),
    ("Trust the scores, λ = 4", ConstraintForm(conflicts="scores"), "4"),
)
WAIT = 300.0  # seconds


def add_sample(console: Console) -> str:
    """Make the sample conference and its runs; return its id."""
    with TemporaryDirectory(dir=console.settings.work) as folder:
        made = named(simulate.thurstone(PAPERS, scale=LEVELS, seed=SEED), SEED)
        paths = plain.write_conference(made, Path(folder))
        _contradict(paths[1])
        conference = ConferenceRow(id=new_id(), name=NAME, created=now(), key=token_hex(32))
        contents = [(path.name, path.read_bytes()) for path in paths]
        with (
            add_files(console.settings.uploads, conference.id, contents) as rows,
            console.database.writing() as session,
        ):
            session.add(conference)
            session.flush()
            session.add_all(rows)
    files = [row.id for row in rows]
    requests = (
        NewRun(files=files, name=name, method=method, lam=lam) for name, method, lam in RUNS
    )
    runs = [
        enqueue(console.database, console.supervisor, RunRow, conference.id, request, "demo")
        for request in requests
    ]
    for run in runs:
        if not console.supervisor.wait(run.id, WAIT):
            raise UnroundError("the sample conference could not be computed in time")
    with console.database.writing() as session:
        _share(session, conference.id, runs[0].id)
    return conference.id


def _contradict(rankings: Path) -> None:
    """Reverse the rankings of a few reviewers, so that there are contradictions to show."""
    table = pl.read_csv(rankings)
    people = table["reviewer"].unique().sort()
    reversed_ = table["reviewer"].is_in(people.gather_every(12).to_list())
    turned = (pl.col("rank").max() + 1 - pl.col("rank")).over("reviewer")
    table.with_columns(
        pl.when(reversed_).then(turned).otherwise(pl.col("rank")).alias("rank")
    ).write_csv(rankings)


def _share(session: Session, conference: str, run: str) -> None:
    """Take the area chairs that the papers name, and share the run with them."""
    row = session.get_one(RunRow, run)
    if row.status != "done":
        raise UnroundError(
            f"the sample conference could not be computed: the run ended as {row.status}"
        )
    owner = session.get_one(ConferenceRow, conference)
    people = area_chairs.named_in_run(session, run)
    area_chairs.replace(session, owner, people, edition=owner.edition, who="demo")
    row.shared = True
