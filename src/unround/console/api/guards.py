"""Guards: types of a handler's parameters, each a row and the permission to use it.

The rules are those of `access.permissions`. For a change, the row's conference is locked and read again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, Query

from unround.console.access.permissions import (
    Owned,
    RunAccess,
    Viewer,
    find_row,
    get_of_conference,
    lock_conference,
    open_conference,
    open_results,
    own_conference,
    own_row,
)
from unround.console.api.routing import Opened, PathId
from unround.console.context import Visit
from unround.console.errors import Absent
from unround.console.schemas.base import Id
from unround.console.storage.orm import (
    AreaChairRow,
    BallotRow,
    CollectionRow,
    ConferenceRow,
    FileRow,
    JobRow,
    LinkRow,
    RunRow,
    SavedViewRow,
)

Preview = Annotated[Id | None, Query(alias="as", description="Chairs: as this area chair sees it.")]


def guard(open: Callable[..., Any]) -> Any:
    """Return a dependency that opens something for the viewer, by a visit and ids of the path."""
    return Depends(Opened(open))


def require(allowed: bool, viewer: Viewer) -> Viewer:
    """Return a viewer who is allowed in, or raise 404."""
    if not allowed:
        raise Absent
    return viewer


def _own_conference(visit: Visit, conference: PathId) -> ConferenceRow:
    row = own_conference(visit.session, visit.viewer, conference)
    return lock_conference(visit.session, row.id) if visit.changes else row


def _own(visit: Visit, table: type[Owned], id: str) -> Owned:
    row = own_row(visit.session, visit.viewer, table, id)
    if visit.changes and row.conference is not None:
        lock_conference(visit.session, row.conference)
    return row


def _of_conference(visit: Visit, table: type[Owned], id: str, conference: str) -> Owned:
    return get_of_conference(visit.session, table, id, _own_conference(visit, conference).id)


def _own_check(visit: Visit, check: PathId) -> JobRow:
    row = _own(visit, JobRow, check)
    if row.kind != "check":
        raise Absent
    return row


def _own_ballot_of(visit: Visit, collection: PathId, ballot: PathId) -> BallotRow:
    owner, row = _own(visit, CollectionRow, collection), find_row(visit.session, BallotRow, ballot)
    if row.collection != owner.id:
        raise Absent
    return row


def _in_bin(visit: Visit, deleted: PathId) -> ConferenceRow:
    require(visit.viewer.is_owner, visit.viewer)
    row = find_row(visit.session, ConferenceRow, deleted)
    if row.deleted is None:
        raise Absent
    return lock_conference(visit.session, row.id, in_bin=True) if visit.changes else row


def _results(visit: Visit, run: PathId, preview: Preview = None) -> RunAccess:
    return open_results(visit.session, visit.viewer, run, preview)


def _own_results(visit: Visit, run: PathId) -> RunAccess:
    return open_results(visit.session, visit.viewer, _own(visit, RunRow, run).id)


def _own_area_chair(visit: Visit, conference: PathId) -> AreaChairRow:
    viewer, one_at_a_time = visit.viewer, {"key_share": True} if visit.changes else None
    if viewer.area_chair is None or viewer.conference != conference:
        raise Absent
    return visit.session.get_one(AreaChairRow, viewer.area_chair, with_for_update=one_at_a_time)


def _own_ballot(visit: Visit) -> BallotRow:
    id, one_at_a_time = visit.viewer.ballot, visit.changes or None
    row = visit.session.get(BallotRow, id, with_for_update=one_at_a_time) if id else None
    if row is None:
        raise Absent
    return row


# People.
SignedIn = Annotated[Viewer, guard(lambda visit: visit.viewer)]
Staff = Annotated[Viewer, guard(lambda visit: require(visit.viewer.is_staff, visit.viewer))]
Owner = Annotated[Viewer, guard(lambda visit: require(visit.viewer.is_owner, visit.viewer))]

# For chairs of the conference that the row belongs to.
OwnConference = Annotated[ConferenceRow, guard(_own_conference)]
BinnedConference = Annotated[ConferenceRow, guard(_in_bin)]  # for the owner
ChairRun = Annotated[RunRow, guard(lambda visit, run: _own(visit, RunRow, run))]
ChairCheck = Annotated[JobRow, guard(_own_check)]
ChairLink = Annotated[LinkRow, guard(lambda visit, link: _own(visit, LinkRow, link))]
ChairCollection = Annotated[
    CollectionRow, guard(lambda visit, collection: _own(visit, CollectionRow, collection))
]
ChairBallot = Annotated[BallotRow, guard(_own_ballot_of)]
ChairResults = Annotated[RunAccess, guard(_own_results)]
# The same, where the path names the conference as well.
RunOfConference = Annotated[
    RunRow, guard(lambda visit, conference, run: _of_conference(visit, RunRow, run, conference))
]
FileOfConference = Annotated[
    FileRow, guard(lambda visit, conference, file: _of_conference(visit, FileRow, file, conference))
]
ViewOfConference = Annotated[
    SavedViewRow,
    guard(lambda visit, conference, view: _of_conference(visit, SavedViewRow, view, conference)),
]

# For others, too, or alone.
ShownConference = Annotated[
    ConferenceRow,
    guard(lambda visit, conference: open_conference(visit.session, visit.viewer, conference)),
]
Results = Annotated[RunAccess, guard(_results)]
OwnAreaChair = Annotated[AreaChairRow, guard(_own_area_chair)]
OwnBallot = Annotated[BallotRow, guard(_own_ballot)]
