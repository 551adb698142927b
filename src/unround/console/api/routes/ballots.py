"""Collections of ballots: previewed, made, changed, closed, deleted. For chairs."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter, Response
from sqlalchemy import delete

from unround.ballots.drafts import Drafts, drafts_of_run, read_drafts
from unround.console.access.audit import note
from unround.console.access.permissions import get_of_conference, get_or_404, require_done
from unround.console.api.dependencies import ChairRoute, ConsoleDep, PathId, ViewerDep
from unround.console.api.responses import error_responses
from unround.console.api.routes.access import ONLY_HERE
from unround.console.ballots import collections
from unround.console.context import Console
from unround.console.jobs.order import import_options
from unround.console.schemas.ballots import (
    Collection,
    CollectionChange,
    CollectionPreview,
    CollectionSource,
    CollectionSummary,
    NewCollection,
)
from unround.console.schemas.runs import NewCheck
from unround.console.storage.orm import CollectionRow, ConferenceRow, FileRow, RunRow

router = APIRouter(tags=["ballots"], route_class=ChairRoute)


@router.get("/conferences/{conference}/collections", responses=error_responses())
def list_collections(console: ConsoleDep, conference: PathId) -> list[CollectionSummary]:
    """List the collections of a conference, newest first."""
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)
        return collections.collection_summaries(session, conference)


@router.post("/conferences/{conference}/collections/preview", responses=error_responses(409))
def preview_collection(
    console: ConsoleDep, conference: PathId, request: CollectionSource
) -> CollectionPreview:
    """Say which ballots would be made, and who would be left out."""
    drafts, _ = _drafts(console, conference, request)
    return collections.preview_of(drafts)


@router.post(
    "/conferences/{conference}/collections", status_code=201, responses=error_responses(409)
)
def make_collection(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewCollection
) -> Collection:
    """Make a collection with one ballot per reviewer. Nobody is invited by that: links are made next."""
    drafts, source = _drafts(console, conference, request.source)
    with console.database.writing() as session:
        get_or_404(session, ConferenceRow, conference)
        row = collections.make_collection(session, conference, request, drafts, source)
        detail = f"{row.title}: {len(drafts.ballots)} ballots, from {source}"
        note(session, conference, viewer.label, "made ballots", detail)
        return collections.collection_out(session, row, _warnings(console))


@router.get("/collections/{collection}", responses=error_responses())
def get_collection(console: ConsoleDep, collection: PathId) -> Collection:
    """Return a collection with its ballots, and how far the reviewers have come."""
    with console.database.reading() as session:
        row = get_or_404(session, CollectionRow, collection)
        return collections.collection_out(session, row, _warnings(console))


@router.patch("/collections/{collection}", responses=error_responses())
def change_collection(
    console: ConsoleDep, viewer: ViewerDep, collection: PathId, change: CollectionChange
) -> Collection:
    """Close or reopen a collection, or change its title, instructions or deadline."""
    with console.database.writing() as session:
        row = get_or_404(session, CollectionRow, collection)
        told = collections.change_collection(row, change)
        if told:
            detail = f"{row.title}: {told}"
            note(session, row.conference, viewer.label, "changed a collection", detail)
        session.flush()
        return collections.collection_out(session, row, _warnings(console))


@router.delete("/collections/{collection}", status_code=204, responses=error_responses())
def delete_collection(console: ConsoleDep, viewer: ViewerDep, collection: PathId) -> Response:
    """Delete a collection with its ballots, their versions and links."""
    with console.database.writing() as session:
        row = get_or_404(session, CollectionRow, collection)
        note(session, row.conference, viewer.label, "deleted a collection", row.title)
        session.execute(delete(CollectionRow).where(CollectionRow.id == collection))
    return Response(status_code=204)


def _warnings(console: Console) -> list[str]:
    return [ONLY_HERE] if console.settings.is_local else []


def _drafts(console: Console, conference: str, source: CollectionSource) -> tuple[Drafts, str]:
    """Return the ballots to make, and in words from what."""
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)
        run = source.run and get_of_conference(session, RunRow, source.run, conference)
        files = [get_of_conference(session, FileRow, id, conference) for id in source.files]
    if run:
        require_done(run)
        return drafts_of_run(console.opened_run(run.id).run), f"the run {run.name}"
    if not files:
        return collections.drafts_of_rows(source.rows), "a table"
    with TemporaryDirectory(dir=console.settings.work) as folder:
        paths = [_linked(Path(folder), n, console, file) for n, file in enumerate(files)]
        options = import_options(NewCheck(files=source.files, reading=source.reading))
        return read_drafts(paths, options), ", ".join(file.name for file in files)


def _linked(folder: Path, number: int, console: Console, file: FileRow) -> Path:
    """Link an uploaded file under its name, in a folder of its own: two may have the same name."""
    path = folder / str(number) / file.name
    path.parent.mkdir()
    path.symlink_to(console.settings.uploads.absolute() / file.id)
    return path
