"""Guards: the types of a handler's parameters, each a row and the permission to use it.

The rules are those of `access.permissions`. For a change, the row's conference is locked and read again.
"""

from __future__ import annotations

from typing import Annotated

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
from unround.console.api.routing import Opened, PathId, Visit
from unround.console.errors import Absent
from unround.console.schemas.base import Id
from unround.console.storage.orm import (
    AreaChairRow,
    BallotRow,
    CheckRow,
    CollectionRow,
    ConferenceRow,
    FileRow,
    LinkRow,
    RunRow,
    SavedViewRow,
)

Preview = Annotated[Id | None, Query(alias="as", description="Chairs: as this area chair sees it.")]


# --- people -------------------------------------------------------------------------------------


def _anybody(visit: Visit) -> Viewer:
    return visit.viewer


def _staff(visit: Visit) -> Viewer:
    if visit.viewer.ballot is not None:
        raise Absent
    return visit.viewer


def _owner(visit: Visit) -> Viewer:
    if not visit.viewer.is_owner:
        raise Absent
    return visit.viewer


SignedIn = Annotated[Viewer, Depends(Opened(_anybody))]
Staff = Annotated[Viewer, Depends(Opened(_staff))]  # chairs and area chairs
Owner = Annotated[Viewer, Depends(Opened(_owner))]


# --- rows for the chairs of their conference ----------------------------------------------------


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


def _chair_run(visit: Visit, run: PathId) -> RunRow:
    return _own(visit, RunRow, run)


def _chair_check(visit: Visit, check: PathId) -> CheckRow:
    return _own(visit, CheckRow, check)


def _chair_link(visit: Visit, link: PathId) -> LinkRow:
    return _own(visit, LinkRow, link)


def _chair_collection(visit: Visit, collection: PathId) -> CollectionRow:
    return _own(visit, CollectionRow, collection)


def _chair_ballot(visit: Visit, collection: PathId, ballot: PathId) -> BallotRow:
    owner, row = _chair_collection(visit, collection), find_row(visit.session, BallotRow, ballot)
    if row.collection != owner.id:
        raise Absent
    return row


def _run_of_conference(visit: Visit, conference: PathId, run: PathId) -> RunRow:
    return _of_conference(visit, RunRow, run, conference)


def _file_of_conference(visit: Visit, conference: PathId, file: PathId) -> FileRow:
    return _of_conference(visit, FileRow, file, conference)


def _view_of_conference(visit: Visit, conference: PathId, view: PathId) -> SavedViewRow:
    return _of_conference(visit, SavedViewRow, view, conference)


def _binned_conference(visit: Visit, deleted: PathId) -> ConferenceRow:
    _owner(visit)
    row = find_row(visit.session, ConferenceRow, deleted)
    return lock_conference(visit.session, row.id, in_bin=True)


OwnConference = Annotated[ConferenceRow, Depends(Opened(_own_conference))]
ChairRun = Annotated[RunRow, Depends(Opened(_chair_run))]
ChairCheck = Annotated[CheckRow, Depends(Opened(_chair_check))]
ChairLink = Annotated[LinkRow, Depends(Opened(_chair_link))]
ChairCollection = Annotated[CollectionRow, Depends(Opened(_chair_collection))]
ChairBallot = Annotated[BallotRow, Depends(Opened(_chair_ballot))]
RunOfConference = Annotated[RunRow, Depends(Opened(_run_of_conference))]
FileOfConference = Annotated[FileRow, Depends(Opened(_file_of_conference))]
ViewOfConference = Annotated[SavedViewRow, Depends(Opened(_view_of_conference))]
BinnedConference = Annotated[ConferenceRow, Depends(Opened(_binned_conference))]


# --- rows for others, too -----------------------------------------------------------------------


def _shown_conference(visit: Visit, conference: PathId) -> ConferenceRow:
    return open_conference(visit.session, visit.viewer, conference)


def _results(visit: Visit, run: PathId, preview: Preview = None) -> RunAccess:
    return open_results(visit.session, visit.viewer, run, preview)


def _chair_results(visit: Visit, run: PathId) -> RunAccess:
    _chair_run(visit, run)
    return open_results(visit.session, visit.viewer, run)


def _own_area_chair(visit: Visit, conference: PathId) -> AreaChairRow:
    viewer, one_at_a_time = visit.viewer, {"key_share": True} if visit.changes else None
    if viewer.area_chair is None or viewer.conference != conference:
        raise Absent
    return visit.session.get_one(AreaChairRow, viewer.area_chair, with_for_update=one_at_a_time)


def _own_ballot(visit: Visit) -> BallotRow:
    if visit.viewer.ballot is None:
        raise Absent
    one_at_a_time = visit.changes or None
    row = visit.session.get(BallotRow, visit.viewer.ballot, with_for_update=one_at_a_time)
    if row is None:
        raise Absent
    return row


ShownConference = Annotated[ConferenceRow, Depends(Opened(_shown_conference))]
Results = Annotated[RunAccess, Depends(Opened(_results))]  # as the viewer may see them
ChairResults = Annotated[RunAccess, Depends(Opened(_chair_results))]
OwnAreaChair = Annotated[AreaChairRow, Depends(Opened(_own_area_chair))]
OwnBallot = Annotated[BallotRow, Depends(Opened(_own_ballot))]
