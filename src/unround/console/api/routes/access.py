"""Links, area chairs and the log of a conference, and links and log of the server.

All routes are for chairs. A route that replaces area chairs returns what would change; called again with the
`edition` of that response, it makes the change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from fastapi import Body, Query
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from unround.console.access import links, log
from unround.console.access.area_chairs import (
    before_last_change,
    named_in_run,
    plan_replacement,
    replace,
)
from unround.console.access.permissions import (
    assigned_papers,
    get_of_conference,
    present_area_chairs,
    require_done,
)
from unround.console.api.guards import ChairLink, OwnConference, Owner, RunOfConference
from unround.console.api.routing import Reading, Writing, error_responses, new_router
from unround.console.context import Visit
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
from unround.console.storage.orm import (
    AreaChairRow,
    ConferenceRow,
    LinkRow,
    RunRow,
)
from unround.console.storage.uploads import clean_name
from unround.disclosure.area_chairs import AreaChair, TableRefused, read_area_chairs
from unround.formats.model import ImportRefused

router = new_router("access")
NOTHING_SHARED = "No run is shared: whoever opens a link sees nothing until you share one."


@router.get("/conferences/{conference}/access")
def get_access(visit: Reading, conference: OwnConference) -> Access:
    """Return the area chairs and links of a conference, and what to know before sending links."""
    session, links_of = visit.session, dict[str | None, list[Link]]()
    query = select(LinkRow).where(LinkRow.conference == conference.id, LinkRow.ballot.is_(None))
    for row in session.scalars(query.order_by(LinkRow.created.desc(), LinkRow.id)):
        links_of.setdefault(row.area_chair, []).append(Link.model_validate(row))
    papers = assigned_papers(session, conference.id)
    shared = select(func.count()).where(RunRow.conference == conference.id, RunRow.shared)
    former = conference.former
    return Access(
        area_chairs=[
            AreaChairDetail(
                id=one.id,
                name=one.name,
                email=one.email,
                papers=len(papers.get(one.id, ())),
                links=links_of.get(one.id, []),
            )
            for one in present_area_chairs(session, conference.id)
        ],
        chair_links=links_of.get(None, []),
        warnings=visit.console.settings.warnings
        + ([] if session.scalar(shared) else [NOTHING_SHARED]),
        former=None
        if former is None
        else FormerAreaChairs(
            area_chairs=len(former["people"]), at=former["at"], who=former["who"]
        ),
    )


@router.post("/conferences/{conference}/links", status_code=201, responses=error_responses(409))
def make_link(visit: Writing, conference: OwnConference, request: NewLink) -> CreatedLink:
    """Make a link. Its secret is shown this once."""
    name = request.label.strip()
    if request.area_chair is None and not name:
        raise Refusal(422, "Say for whom the link is: the log shows the name.")
    if request.area_chair is None:
        return _new_link(visit, conference.id, request.days, name)
    person = get_of_conference(visit.session, AreaChairRow, request.area_chair, conference.id)
    _settle_links(visit.session, conference.id, [person], request.existing)
    return _new_link(visit, conference.id, request.days, request.label, person)


@router.post("/conferences/{conference}/links/all", status_code=201, responses=error_responses(409))
def make_links(visit: Writing, conference: OwnConference, request: NewLinks) -> list[CreatedLink]:
    """Make a link for every area chair."""
    everyone = present_area_chairs(visit.session, conference.id)
    people = _settle_links(visit.session, conference.id, everyone, request.existing)
    return [_new_link(visit, conference.id, request.days, "", person) for person in people]


@router.post("/links/{link}/revoke")
def revoke_link(visit: Writing, link: ChairLink) -> Link:
    """Revoke a link and end every session that was opened with it."""
    if link.revoked is None:
        person = visit.session.get(AreaChairRow, link.area_chair) if link.area_chair else None
        owner = f"of {links.owner_of(link, person)}"
        visit.note(link.conference, "revoked a link", owner)
    links.revoke(visit.session, link)
    return Link.model_validate(link)


@router.get("/conferences/{conference}/log")
def get_log(visit: Reading, conference: OwnConference) -> list[LogEntry]:
    """List who did what in this conference, newest first."""
    return log.entries(visit.session, conference.id)


def _new_link(
    visit: Visit,
    conference: str | None,
    days: int | None,
    label: str,
    person: AreaChairRow | None = None,
) -> CreatedLink:
    """Make a link for an area chair or, without one, for a chair or owner, and log for whom it is."""
    area_chair = None if person is None else person.id
    row, secret = links.make_link(
        visit.session, conference=conference, area_chair=area_chair, days=days, label=label
    )
    visit.note(conference, "made a link", f"for {links.owner_of(row, person)}")
    return CreatedLink(
        **Link.model_validate(row).model_dump(),
        url=visit.console.settings.link(secret),
        name=person.name if person else label or None,
        email=person.email if person else None,
    )


def _settle_links(
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
    visit: Reading,
    conference: OwnConference,
    name: Annotated[str, Query(max_length=1000)],
    content: Annotated[bytes, Body(media_type="application/octet-stream")] = b"",
    edition: Edition = None,
) -> AssignmentResult:
    """Replace the assignments by a table of area_chair, paper and optionally email.

    When something in the table is wrong, all of it is listed and nothing is changed.
    """
    with TemporaryDirectory(dir=visit.console.settings.work) as folder:
        path = Path(folder) / clean_name(name)
        path.write_bytes(content)
        return _replace(visit, conference, edition, path.name, lambda: read_area_chairs(path))


@area_chairs_router.post("/from-run/{run}", responses=error_responses(409))
def take_area_chairs(
    visit: Reading, conference: OwnConference, run: RunOfConference, edition: Edition = None
) -> AssignmentResult:
    """Replace the assignments by the area chairs that a run's papers name."""
    require_done(run)
    session = visit.session
    return _replace(visit, conference, edition, run.name, lambda: named_in_run(session, run.id))


@area_chairs_router.post("/undo", responses=error_responses(409))
def undo_area_chairs(
    visit: Reading, conference: OwnConference, edition: Edition = None
) -> AssignmentResult:
    """Bring back the area chairs, papers and links that the last change replaced."""
    people = before_last_change(conference)
    return _replace(visit, conference, edition, "before the last change", lambda: people)


def _replace(
    visit: Visit,
    conference: ConferenceRow,
    edition: int | None,
    source: str,
    find: Callable[[], list[AreaChair]],
) -> AssignmentResult:
    """Return what would change or, if `edition` confirms it, make the change and log it."""
    try:
        plan = plan_replacement(visit.session, conference, find())
    except ImportRefused as refused:
        return _refused(refused)
    if edition is None or plan.result.issues:
        return plan.result
    with visit.change() as change:
        result = replace(change.session, plan, edition, visit.viewer.label)
        detail = f"{result.area_chairs} with {result.papers} papers, from {source}"
        detail += f"; {result.removed} removed" if result.removed else ""
        change.note(conference.id, "replaced the area chairs", detail)
    return result


def _refused(error: ImportRefused) -> AssignmentResult:
    mistakes = error.mistakes if isinstance(error, TableRefused) else [str(error)]
    return AssignmentResult(edition=0, issues=list(mistakes))


server_router = new_router("server", "/server")


@server_router.get("/access")
def get_server_access(visit: Reading, viewer: Owner) -> ServerAccess:
    """List the links that open every conference."""
    query = select(LinkRow).where(LinkRow.conference.is_(None))
    rows = visit.session.scalars(query.order_by(LinkRow.created.desc(), LinkRow.id))
    return ServerAccess(links=[Link.model_validate(row) for row in rows])


@server_router.post("/links", status_code=201)
def make_owner_link(visit: Writing, viewer: Owner, request: NewOwnerLink) -> CreatedLink:
    """Make a link for another owner. Its secret is shown this once."""
    return _new_link(visit, None, request.days, request.label.strip())


@server_router.get("/log")
def get_server_log(visit: Reading, viewer: Owner) -> list[LogEntry]:
    """List what concerns the server and no conference, newest first."""
    return log.entries(visit.session, None)
