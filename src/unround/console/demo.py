"""A sample conference for a first look: made up, run twice, with area chairs, one run shared."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import polars as pl
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from unround import simulate
from unround.console.access import area_chairs as assigning
from unround.console.context import Console
from unround.console.schemas import ConstraintForm, NewRun
from unround.console.serializers import file_info
from unround.console.storage import orm as tables
from unround.console.storage.ids import new_id, now
from unround.errors import UnroundError
from unround.formats.synthetic import named
from unround.formats.systems import plain
from unround.report.area_chairs import area_chairs_of

NAME = "Sample conference"
PAPERS, SEED = 60, 1
LEVELS = tuple(range(1, 11))
RUNS = (
    ("Rankings rule, λ by validation", ConstraintForm(conflicts="rankings"), "auto"),
    ("Scores rule, λ = 4", ConstraintForm(conflicts="scores"), "4"),
)
WAIT = 300.0


def add_sample(console: Console) -> str:
    """Make the sample conference and its runs; the id of the conference."""
    with TemporaryDirectory(dir=console.settings.work) as folder:
        made = named(simulate.thurstone(PAPERS, scale=LEVELS, seed=SEED), SEED)
        paths = plain.write_conference(made, Path(folder))
        _contradict(paths[1])
        with console.database.writing() as session:
            conference = tables.Conference(id=new_id(), name=NAME, created=now(), key=token_hex(32))
            session.add(conference)
            session.flush()
            files = [_stored(session, console, conference.id, path) for path in paths]
    runs = [_started(console, conference.id, files, *settings) for settings in RUNS]
    for run in runs:
        if not console.supervisor.wait(run, WAIT):
            raise UnroundError("the sample conference could not be computed in time")
    with console.database.writing() as session:
        _opened(session, conference.id, runs[0])
    return conference.id


def _contradict(rankings: Path) -> None:
    """A few reviewers turn their rankings round, as people do."""
    table = pl.read_csv(rankings)
    people = table["reviewer"].unique().sort()
    swayed = table["reviewer"].is_in(people.gather_every(12).to_list())
    turned = (pl.col("rank").max() + 1 - pl.col("rank")).over("reviewer")
    table.with_columns(
        pl.when(swayed).then(turned).otherwise(pl.col("rank")).alias("rank")
    ).write_csv(rankings)


def _stored(session: Session, console: Console, conference: str, path: Path) -> tables.File:
    """A file as if it had been uploaded."""
    content = path.read_bytes()
    row = tables.File(
        id=new_id(),
        conference=conference,
        name=path.name,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        uploaded=now(),
    )
    shutil.copyfile(path, console.settings.uploads / row.id)
    os.chmod(console.settings.uploads / row.id, 0o600)
    session.add(row)
    return row


def _started(
    console: Console,
    conference: str,
    files: Sequence[tables.File],
    name: str,
    method: ConstraintForm,
    lam: str,
) -> str:
    wanted = NewRun(files=[file.id for file in files], name=name, method=method, lam=lam)
    row = tables.Run(
        id=new_id(),
        conference=conference,
        name=name,
        status="queued",
        created=now(),
        shared=False,
        request=wanted.model_dump(mode="json"),
        inputs=[file_info(file).model_dump(mode="json") for file in files],
    )
    with console.database.writing() as session:
        session.add(row)
    console.supervisor.submit("run", row.id)
    return row.id


def _opened(session: Session, conference: str, run: str) -> None:
    """Area chairs as the papers name them, and a run for them to see."""
    ended = session.scalar(select(tables.Run.status).where(tables.Run.id == run))
    if ended != "done":
        raise UnroundError(f"the sample conference could not be computed: the run ended as {ended}")
    papers = session.execute(
        select(tables.Paper.paper, tables.Paper.area_chair).where(tables.Paper.run == run)
    )
    kinds = {"paper": pl.String, "area_chair": pl.String}
    table = pl.DataFrame([tuple(paper) for paper in papers], schema=kinds, orient="row")
    row = session.get_one(tables.Conference, conference)
    assigning.replace(session, row, area_chairs_of(table))
    session.execute(update(tables.Run).where(tables.Run.id == run).values(shared=True))
