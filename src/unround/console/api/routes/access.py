"""Links, area chairs and the log of a conference, and links and log of the server.

All routes are for chairs. A route that replaces area chairs returns what would change; called again with the
`edition` of that response, it makes the change.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import Body, Query
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from unround.console.access import area_chairs, links, log
from unround.console.access.area_chairs import Plan
from unround.console.access.log import note
from unround.console.access.permissions import (
    Viewer,
    assigned_papers,
    get_of_conference,
    present_area_chairs,
    require_done,
)
from unround.console.api.guards import ChairLink, OwnConference, Owner, RunOfConference
from unround.console.api.routing import (
    ConsoleDep,
    SessionDep,
    ViewerDep,
    WriteDep,
    error_responses,
    new_router,
)
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.schemas.access import (
    Access,
    AreaChairDetail,
    AssignmentResult,
    CreatedLink,
    FormerAreaChairs,
    Link,
    LogEntry,
    NewLink,
    NewLinks,
    NewOwnerLink,
    ServerAccess,
)
from unround.console.settings import ConsoleSettings
from unround.console.storage.orm import (
    AreaChairRow,
    FormerAreaChairsRow,
    LinkRow,
    RunRow,
)
from unround.console.storage.uploads import clean_name
from unround.disclosure.area_chairs import TableRefused, read_area_chairs
from unround.formats.model import ImportRefused

router = new_router("access")
NOTHING_SHARED = "No run is shared: whoever opens a link sees nothing until you share one."


@router.get("/conferences/{conference}/access")
def get_access(console: ConsoleDep, session: SessionDep, conference: OwnConference) -> Access:
    """Return the area chairs and links of a conference, and what to know before sending links."""
    return _access(session, console.settings, conference.id)


@router.post("/conferences/{conference}/links", status_code=201, responses=error_responses(409))
def make_link(
    console: ConsoleDep,
    session: WriteDep,
    viewer: ViewerDep,
    conference: OwnConference,
    request: NewLink,
) -> CreatedLink:
    """Make a link. Its secret is shown this once."""
    if request.area_chair is None:
        return _chair_link(session, console.settings, viewer, conference.id, request)
    person = get_of_conference(session, AreaChairRow, request.area_chair, conference.id)
    people = _people_to_link(session, conference.id, [person], request.existing)
    (link,) = _new_links(session, console.settings, viewer, people, request.days, request.label)
    return link


@router.post("/conferences/{conference}/links/all", status_code=201, responses=error_responses(409))
def make_links(
    console: ConsoleDep,
    session: WriteDep,
    viewer: ViewerDep,
    conference: OwnConference,
    request: NewLinks,
) -> list[CreatedLink]:
    """Make a link for every area chair."""
    everyone = present_area_chairs(session, conference.id)
    people = _people_to_link(session, conference.id, everyone, request.existing)
    return _new_links(session, console.settings, viewer, people, request.days, "")


@router.post("/links/{link}/revoke")
def revoke_link(session: WriteDep, viewer: ViewerDep, link: ChairLink) -> Link:
    """Revoke a link and end every session that was opened with it."""
    if link.revoked is None:
        person = session.get(AreaChairRow, link.area_chair) if link.area_chair else None
        owner = f"of {links.owner_of(link, person)}"
        note(session, link.conference, viewer.label, "revoked a link", owner)
    links.revoke(session, link)
    return Link.model_validate(link)


@router.get("/conferences/{conference}/log")
def get_log(session: SessionDep, conference: OwnConference) -> list[LogEntry]:
    """List who did what in this conference, newest first."""
    return log.entries(session, conference.id)


def _access(session: Session, settings: ConsoleSettings, conference: str) -> Access:
    papers = assigned_papers(session, conference)
    by_area_chair: dict[str | None, list[Link]] = {}
    query = select(LinkRow).where(LinkRow.conference == conference, LinkRow.ballot.is_(None))
    for row in session.scalars(query.order_by(LinkRow.created.desc(), LinkRow.id)):
        by_area_chair.setdefault(row.area_chair, []).append(Link.model_validate(row))
    people = [
        AreaChairDetail(
            id=one.id,
            name=one.name,
            email=one.email,
            papers=len(papers.get(one.id, ())),
            links=by_area_chair.get(one.id, []),
        )
        for one in present_area_chairs(session, conference)
    ]
    return Access(
        area_chairs=people,
        chair_links=by_area_chair.get(None, []),
        warnings=_warnings(session, settings, conference),
        former=_former(session, conference),
    )


def _warnings(session: Session, settings: ConsoleSettings, conference: str) -> list[str]:
    """Return what to know before links are sent."""
    shared = select(func.count()).where(RunRow.conference == conference, RunRow.shared)
    return [*settings.warnings, *([] if session.scalar(shared) else [NOTHING_SHARED])]


def _former(session: Session, conference: str) -> FormerAreaChairs | None:
    row = session.get(FormerAreaChairsRow, conference)
    if row is None:
        return None
    return FormerAreaChairs(at=row.at, who=row.who, area_chairs=len(row.people))


def _chair_link(
    session: Session, settings: ConsoleSettings, viewer: Viewer, conference: str, request: NewLink
) -> CreatedLink:
    """Make a link for a chair of this conference, under a name that the log will show."""
    name = request.label.strip()
    if not name:
        raise Refusal(422, "Say for whom the link is: the log shows the name.")
    row, secret = links.make_link(session, conference=conference, days=request.days, label=name)
    note(session, conference, viewer.label, "made a link", f"for {links.owner_of(row, None)}")
    return _created_link(row, settings.link(secret), None)


def _created_link(row: LinkRow, url: str, person: AreaChairRow | None) -> CreatedLink:
    return CreatedLink(
        **Link.model_validate(row).model_dump(),
        url=url,
        name=person.name if person else row.label or None,
        email=person.email if person else None,
    )


def _people_to_link(
    session: Session, conference: str, people: Sequence[AreaChairRow], existing: str
) -> list[AreaChairRow]:
    """Return who gets a new link; `existing` says what becomes of the links that they have."""
    by_person = links.open_links(session, conference)
    having = [person for person in people if person.id in by_person]
    if existing == "refuse" and having:
        owner = (
            f"{having[0].name} has a link"
            if len(people) == 1
            else f"{len(having)} of {len(people)} area chairs have links"
        )
        raise Refusal(409, f"{owner} already. Say whether to replace what they have or keep it.")
    if existing == "replace":
        for person in having:
            for link in by_person[person.id]:
                links.revoke(session, link)
    if existing == "skip":
        return [person for person in people if person.id not in by_person]
    return list(people)


def _new_links(
    session: Session,
    settings: ConsoleSettings,
    viewer: Viewer,
    people: Sequence[AreaChairRow],
    days: int | None,
    label: str,
) -> list[CreatedLink]:
    made = []
    for person in people:
        row, secret = links.make_link(
            session, conference=person.conference, area_chair=person.id, days=days, label=label
        )
        note(session, person.conference, viewer.label, "made a link", f"for {person.name}")
        made.append(_created_link(row, settings.link(secret), person))
    return made


area_chairs_router = new_router("access", "/conferences/{conference}/area-chairs")
Edition = Annotated[
    int | None,
    Query(
        ge=0,
        lt=2**31,
        description="Confirms the change that a response of this edition described.",
    ),
]


@area_chairs_router.post("", responses=error_responses(400, 409, 413))
def import_area_chairs(
    console: ConsoleDep,
    session: SessionDep,
    viewer: ViewerDep,
    conference: OwnConference,
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
        except ImportRefused as refused:
            return _refused(refused)
    plan = area_chairs.plan(session, conference, people)
    return _carry_out(console, viewer, plan, edition, path.name)


@area_chairs_router.post("/from-run/{run}", responses=error_responses(409))
def take_area_chairs(
    console: ConsoleDep,
    session: SessionDep,
    viewer: ViewerDep,
    conference: OwnConference,
    run: RunOfConference,
    edition: Edition = None,
) -> AssignmentResult:
    """Replace the assignments by the area chairs that a run's papers name."""
    require_done(run)
    try:
        people = area_chairs.named_in_run(session, run.id)
    except ImportRefused as refused:
        return _refused(refused)
    plan = area_chairs.plan(session, conference, people)
    return _carry_out(console, viewer, plan, edition, run.name)


@area_chairs_router.post("/undo", responses=error_responses(409))
def undo_area_chairs(
    console: ConsoleDep,
    session: SessionDep,
    viewer: ViewerDep,
    conference: OwnConference,
    edition: Edition = None,
) -> AssignmentResult:
    """Bring back the area chairs, papers and links that the last change replaced."""
    people = area_chairs.before_last_change(session, conference.id)
    plan = area_chairs.plan(session, conference, people)
    return _carry_out(console, viewer, plan, edition, "before the last change")


def _carry_out(
    console: Console, viewer: Viewer, plan: Plan, edition: int | None, source: str
) -> AssignmentResult:
    """Make the change that a plan describes and log it, if `edition` confirms it."""
    if edition is None or plan.result.issues:
        return plan.result
    with console.database.writing() as session:
        result = area_chairs.replace(session, plan, edition, viewer.label)
        detail = f"{result.area_chairs} with {result.papers} papers, from {source}"
        detail += f"; {result.removed} removed" if result.removed else ""
        note(session, plan.conference, viewer.label, "replaced the area chairs", detail)
    return result


def _refused(error: ImportRefused) -> AssignmentResult:
    mistakes = error.mistakes if isinstance(error, TableRefused) else [str(error)]
    return AssignmentResult(edition=0, issues=list(mistakes))


server_router = new_router("server", "/server")


@server_router.get("/access")
def get_server_access(session: SessionDep, viewer: Owner) -> ServerAccess:
    """List the links that open every conference."""
    query = select(LinkRow).where(LinkRow.conference.is_(None))
    rows = session.scalars(query.order_by(LinkRow.created.desc(), LinkRow.id))
    return ServerAccess(links=[Link.model_validate(row) for row in rows])


@server_router.post("/links", status_code=201)
def make_owner_link(
    console: ConsoleDep, session: WriteDep, viewer: Owner, request: NewOwnerLink
) -> CreatedLink:
    """Make a link for another owner. Its secret is shown this once."""
    row, secret = links.make_link(
        session, conference=None, days=request.days, label=request.label.strip()
    )
    note(session, None, viewer.label, "made a link", f"for {links.owner_of(row, None)}")
    return _created_link(row, console.settings.link(secret), None)


@server_router.get("/log")
def get_server_log(session: SessionDep, viewer: Owner) -> list[LogEntry]:
    """List what concerns the server and no conference, newest first."""
    return log.entries(session, None)
