"""A finished run as one viewer may see it."""

from __future__ import annotations

import gzip
import json
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import polars as pl
from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.console.access.permissions import RunAccess
from unround.console.cache import EncodedView
from unround.console.context import Console
from unround.console.errors import Absent
from unround.console.storage import results
from unround.console.storage.orm import AssignmentRow, RunFileRow, RunRow
from unround.console.views.downloads import finished_run
from unround.console.views.names import view_name
from unround.formats.files.write import read_own_csv
from unround.report.disclosure import Disclosure
from unround.report.model import View
from unround.report.scope import CHAIR, Scope
from unround.report.snapshot import Snapshot
from unround.report.view import encoded, view
from unround.runs.folder import OPTIONAL, RECORD, TEXT
from unround.runs.sureness import SURENESS
from unround.runs.tables import PAPERS, SAME, SCORES

if TYPE_CHECKING:
    from unround.console.views.whole_run import WholeRun

FILES = (SCORES, PAPERS, *OPTIONAL, RECORD)
# At most two views are made at once: more would compete for the processor with quick requests.
_ENCODERS = threading.Semaphore(2)


def encoded_view(console: Console, access: RunAccess, whole: WholeRun | None = None) -> EncodedView:
    """Return the response body of a view, from memory or from its file where possible.

    `whole` is for a caller that makes many views of a run.
    """

    def make() -> EncodedView:
        scope = _scope(console, access, whole)
        owner, name = access.key[:2], view_name(access, scope)
        found = console.stored.get(owner, name)
        if found is None:
            with _ENCODERS:
                found = EncodedView.of(encoded(_view(console, access, scope, whole)))
            console.stored.put(owner, name, found)
        return found

    return console.views.get(access.key, make)


def _view(console: Console, access: RunAccess, scope: Scope, whole: WholeRun | None) -> View:
    run, viewer = access.run, access.area_chair.id if access.area_chair else None
    if whole is not None:
        snapshot = whole.snapshot_of(viewer) if viewer else whole.snapshot
    else:
        with console.database.reading() as session:
            snapshot = load_run(session, run, viewer)
    if scope.disclosure == "scoped" and snapshot.record["settings"]["same_within"] is not None:
        same = finished_run(console, run.id).others.get(SAME, pl.DataFrame())
        snapshot = replace(snapshot, same=same)
    finished = run.finished.isoformat(timespec="seconds") if run.finished else None
    return view(
        snapshot, scope, conference=access.conference.name, name=run.name, finished=finished
    )


def load_run(session: Session, run: RunRow, area_chair: str | None) -> Snapshot:
    """Read a run, or the rows of it that an area chair's view needs."""
    record = json.loads(run_file(session, run.id, RECORD))
    snapshot = results.load(session, run.id, run.kinds or {}, record, area_chair)
    return snapshot if area_chair else replace(snapshot, sureness=_sureness(session, run.id))


def _sureness(session: Session, run: str) -> dict[str, pl.DataFrame]:
    """Read how sure a run is from its files."""
    files = select(RunFileRow.name, RunFileRow.content).where(
        RunFileRow.run == run, RunFileRow.name.in_(SURENESS)
    )
    return {
        name: read_own_csv(gzip.decompress(packed), TEXT) for name, packed in session.execute(files)
    }


def run_file(session: Session, run: str, name: str) -> bytes:
    """Return a file of a run."""
    packed: Any = session.scalar(
        select(RunFileRow.content).where(RunFileRow.run == run, RunFileRow.name == name)
    )
    if packed is None:
        raise Absent
    return gzip.decompress(packed)


def file_names(session: Session, run: str) -> list[str]:
    """List the files of a run, its scores first; none before it is done."""
    there = set(session.scalars(select(RunFileRow.name).where(RunFileRow.run == run)))
    return [name for name in FILES if name in there]


def _scope(console: Console, access: RunAccess, whole: WholeRun | None) -> Scope:
    if access.area_chair is None:
        return CHAIR
    id = access.area_chair.id
    if whole is not None:
        papers = whole.papers_of(id)
    else:
        query = select(AssignmentRow.paper).where(AssignmentRow.area_chair == id)
        with console.database.reading() as session:
            papers = frozenset(session.scalars(query))
    return Scope(
        area_chair=access.area_chair.name,
        papers=papers,
        stars=access.conference.show_stars,
        names=access.conference.show_names,
        disclosure=cast(Disclosure, access.conference.disclosure),
        key=bytes.fromhex(access.conference.key),
    )
