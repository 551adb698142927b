"""Who may see what: area chairs, their papers, links, and the log. For chairs."""

from __future__ import annotations

from fastapi import APIRouter, Request, UploadFile

from unround.console.asking import Asking, Here, PathId, answers
from unround.console.gate import ChairRoute
from unround.console.schema import (
    Access,
    Imported,
    Link,
    LinkChange,
    LogEntry,
    MadeLink,
    NewLink,
    NewLinks,
)

router = APIRouter(tags=["access"], route_class=ChairRoute)


@router.get("/conferences/{conference}/access", responses=answers())
def get_access(here: Here, conference: PathId) -> Access:
    """Area chairs and links."""
    raise NotImplementedError


@router.post("/conferences/{conference}/area-chairs", responses=answers(400, 413))
def import_area_chairs(here: Here, who: Asking, conference: PathId, file: UploadFile) -> Imported:
    """Replace the assignments by a table of area_chair, paper and maybe email.

    When there are problems, all are listed and nothing is changed.
    """
    raise NotImplementedError


@router.post("/conferences/{conference}/area-chairs/from-run/{run}", responses=answers(409))
def take_area_chairs(here: Here, who: Asking, conference: PathId, run: PathId) -> Imported:
    """Replace the assignments by the area chairs that a run's papers name."""
    raise NotImplementedError


@router.post("/conferences/{conference}/links", status_code=201, responses=answers())
def make_link(
    request: Request, here: Here, who: Asking, conference: PathId, wanted: NewLink
) -> MadeLink:
    """Make a link. Its secret is shown this once."""
    raise NotImplementedError


@router.post("/conferences/{conference}/links/all", status_code=201, responses=answers())
def make_links(
    request: Request, here: Here, who: Asking, conference: PathId, wanted: NewLinks
) -> list[MadeLink]:
    """Make a link for every area chair."""
    raise NotImplementedError


@router.patch("/links/{link}", responses=answers(409))
def change_link(here: Here, who: Asking, link: PathId, change: LinkChange) -> Link:
    """Give a link another end."""
    raise NotImplementedError


@router.post("/links/{link}/revoke", responses=answers())
def revoke_link(here: Here, who: Asking, link: PathId) -> Link:
    """End a link and every session that came by it."""
    raise NotImplementedError


@router.get("/conferences/{conference}/log", responses=answers())
def get_log(here: Here, conference: PathId) -> list[LogEntry]:
    """Who did what, newest first."""
    raise NotImplementedError
