"""Area chairs and their papers: planned, confirmed, undone. For chairs.

Each route tells what would change; called again with the `edition` of its answer, it does so.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import APIRouter, Body, Query
from sqlalchemy.orm import Session

from unround.console.access import area_chairs
from unround.console.access.audit import note
from unround.console.access.permissions import Viewer, get_of_conference, get_or_404, require_done
from unround.console.api.dependencies import ChairRoute, ConsoleDep, PathId, ViewerDep
from unround.console.api.responses import error_responses
from unround.console.context import Console
from unround.console.schemas.access import AssignmentResult
from unround.console.storage.orm import ConferenceRow, RunRow
from unround.console.storage.uploads import clean_name
from unround.disclosure.area_chairs import AreaChair, TableRefused, read_area_chairs
from unround.formats.model import ImportRefused

router = APIRouter(
    tags=["access"], prefix="/conferences/{conference}/area-chairs", route_class=ChairRoute
)
Edition = Annotated[
    int | None, Query(ge=0, lt=2**31, description="Confirms the change that was told before.")
]


@router.post("", responses=error_responses(400, 409, 413))
def import_area_chairs(
    console: ConsoleDep,
    viewer: ViewerDep,
    conference: PathId,
    name: Annotated[str, Query(max_length=1000)],
    content: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
    edition: Edition = None,
) -> AssignmentResult:
    """Replace the assignments by a table of area_chair, paper and optionally email.

    When something in the table is wrong, all of it is listed and nothing is changed.
    """
    with TemporaryDirectory(dir=console.settings.work) as folder:
        path = Path(folder) / clean_name(name)
        path.write_bytes(content)
        try:
            people = read_area_chairs(path)
        except TableRefused as refused:
            return AssignmentResult(edition=0, issues=list(refused.issues))
        except ImportRefused as error:
            return AssignmentResult(edition=0, issues=[str(error)])
    return _replaced(console, viewer, conference, edition, lambda _: (people, path.name))


@router.post("/from-run/{run}", responses=error_responses(409))
def take_area_chairs(
    console: ConsoleDep,
    viewer: ViewerDep,
    conference: PathId,
    run: PathId,
    edition: Edition = None,
) -> AssignmentResult:
    """Replace the assignments by the area chairs that a run's papers name."""

    def found(session: Session) -> tuple[list[AreaChair], str]:
        source = get_of_conference(session, RunRow, run, conference)
        require_done(source)
        return area_chairs.named_in_run(session, run), source.name

    return _replaced(console, viewer, conference, edition, found)


@router.post("/undo", responses=error_responses(409))
def undo_area_chairs(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, edition: Edition = None
) -> AssignmentResult:
    """Bring back the area chairs, papers and links that the last change replaced."""

    def found(session: Session) -> tuple[list[AreaChair], str]:
        return area_chairs.before_last_change(session, conference), "before the last change"

    return _replaced(console, viewer, conference, edition, found)


def _replaced(
    console: Console,
    viewer: Viewer,
    conference: str,
    edition: int | None,
    found: Callable[[Session], tuple[list[AreaChair], str]],
) -> AssignmentResult:
    """Plan the change to the people found or, confirmed, carry it out and log it."""
    opened = console.database.reading if edition is None else console.database.writing
    with opened() as session:
        row = get_or_404(session, ConferenceRow, conference)
        people, source = found(session)
        result = area_chairs.replace(session, row, people, edition=edition, who=viewer.label)
        if result.done:
            detail = f"{result.area_chairs} with {result.papers} papers, from {source}"
            detail += f"; {result.removed} removed" if result.removed else ""
            note(session, conference, viewer.label, "replaced the area chairs", detail)
    if result.done:
        console.on_visibility_change(conference)
    return result
