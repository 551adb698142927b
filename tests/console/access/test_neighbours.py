"""Whose rows: of three conferences in the order of their ids the middle one is ours; others stay apart."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.console.access import links, log
from unround.console.access.area_chairs import plan_replacement, replace
from unround.console.access.log import RecentOpenings
from unround.console.access.permissions import (
    Viewer,
    assigned_papers,
    get_of_conference,
    present_area_chairs,
    visible_runs,
)
from unround.console.errors import Absent, Refusal
from unround.console.storage.database import Database
from unround.console.storage.orm import (
    AreaChairRow,
    AssignmentRow,
    Base,
    ConferenceRow,
    JobRow,
    LinkRow,
    LogRow,
    RunRow,
    SessionRow,
    now,
)
from unround.disclosure.area_chairs import AreaChair

OURS = "5" * 32
THEIRS = ("1" * 32, "9" * 32)
CHAIR = Viewer("chair", "link", "chair", None, OURS)
AREA_CHAIR = Viewer("area_chair", "link", "ann", None, OURS, OURS)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Three conferences; the id of each is also that of its run, its area chair and their link."""
    with closing(Database(f"sqlite:///{tmp_path / 'rows.db'}")) as made:
        Base.metadata.create_all(made.engine)
        with made.writing() as session:
            for id in (OURS, *THEIRS):
                session.add(ConferenceRow(id=id, name=id, created=now(), key=""))
                session.flush()
                job = {"conference": id, "status": "done", "created": now(), "request": {}}
                session.add(RunRow(id=id, name=id, shared=True, inputs=[], **job))
                session.add(JobRow(id=id, kind="check", **job))
                session.add(AreaChairRow(id=id, conference=id, name=f"ann {id[0]}"))
                session.flush()
                session.add(AssignmentRow(area_chair=id, paper=f"paper {id[0]}"))
                session.add(_link(id, area_chair=id))
                log.note(session, id, "owner", f"did {id[0]}")
        yield made


def _link(conference: str | None, **columns: object) -> LinkRow:
    """A link whose secret is its id, by default that of its conference."""
    id = str(columns.pop("id", conference))
    secret = links.hashed(id)
    row = {"id": id, "conference": conference, "secret": secret, "label": "", "created": now()}
    return LinkRow(**row | columns)


def _change(session: Session, table: type[Base], **columns: object) -> None:
    """Change our row of a table."""
    row = session.get_one(table, OURS)
    for name, value in columns.items():
        setattr(row, name, value)


@pytest.mark.parametrize("change", [{"shared": False}, {"status": "failed"}, {"status": "aborted"}])
def test_area_chairs_open_runs_that_are_shared_and_done(database: Database, change: dict):
    with database.writing() as session:
        _change(session, RunRow, **change)
        shown = [
            [run.id for run in session.scalars(visible_runs(viewer))]
            for viewer in (AREA_CHAIR, CHAIR)
        ]
        assert shown == [[], [OURS]]


def test_people_papers_links_and_lines_are_of_one_conference(database: Database):
    with database.reading() as session:
        assert [row.id for row in present_area_chairs(session, OURS)] == [OURS]
        assert assigned_papers(session, OURS) == {OURS: {"paper 5"}}
        open_ones = links.open_links(session, OURS)
        assert {key: [link.id for link in found] for key, found in open_ones.items()} == {
            OURS: [OURS]
        }
        assert [line.action for line in log.entries(session, OURS)] == ["did 5"]
        assert get_of_conference(session, RunRow, OURS, OURS).id == OURS
        for id in THEIRS:
            with pytest.raises(Absent):
                get_of_conference(session, RunRow, id, OURS)


def test_area_chairs_are_replaced_in_one_conference(database: Database):
    people = [AreaChair("bob", frozenset({"1", "2"}), None)]
    with database.writing() as session:
        for run in session.scalars(select(RunRow)):
            run.status = "failed"  # no papers to compare with
        _change(session, ConferenceRow, edition=1000)
        conference = session.get_one(ConferenceRow, OURS)
        planned = plan_replacement(session, conference, people)
        told = planned.result
        assert (told.added, told.removed, told.removed_links) == (1, 1, 1)
        for edition in (999, 1001):
            with pytest.raises(Refusal, match="409: The conference has changed meanwhile"):
                replace(session, planned, edition, "owner")
        done = replace(session, planned, int("1000"), "owner")
        assert (done.done, done.edition) == (True, 1001)
    with database.reading() as session:
        (bob,) = present_area_chairs(session, OURS)
        assert assigned_papers(session, OURS) == {bob.id: {"1", "2"}}
        for id in THEIRS:
            assert [row.id for row in present_area_chairs(session, id)] == [id]
            assert assigned_papers(session, id) == {id: {f"paper {id[0]}"}}


@pytest.mark.parametrize(
    ("person", "taken", "said"),
    [
        (AreaChair("李\u3000明\u200d", frozenset({"1"}), "a@example.org"), None, []),
        (AreaChair("a" * 200, frozenset({"1"}), None), None, []),
        (
            AreaChair("a" * 201, frozenset({"1"}), None),
            AreaChair("a" * 199 + "…", frozenset({"1"}), None),
            ["1 area chair whose name has"],
        ),
        (
            AreaChair("Ann\u202e\n", frozenset({"1", "2\u202e", "\0"}), "a\nb"),
            AreaChair("Ann", frozenset({"1"}), None),
            [f"{what} has" for what in ("1 area chair whose name", "2 papers whose id")]
            + ["1 area chair whose e-mail has"],
        ),
    ],
    ids=["of another script", "as long as may be", "too long a name", "everything wrong"],
)
def test_texts_that_cannot_be_shown_are_cleaned_with_a_note(
    database, person: AreaChair, taken: AreaChair | None, said: list[str]
):
    taken = taken or person
    with database.writing() as session:
        _change(session, RunRow, status="failed")
        conference = session.get_one(ConferenceRow, OURS)
        done = replace(
            session, plan_replacement(session, conference, [person]), conference.edition, "owner"
        )
        assert (done.done, done.issues) == (True, [])
        assert [note.partition(" has ")[0] + " has" for note in done.notes] == said
        (row,) = present_area_chairs(session, OURS)
        assert (row.name, row.email) == (taken.name, taken.email)
        assert assigned_papers(session, OURS)[row.id] == taken.papers


def test_area_chairs_whose_names_look_alike_are_one_person_unless_their_emails_differ(database):
    twins = [AreaChair("Ann", frozenset({"1"}), "a@example.org")]
    twins += [AreaChair("Ann\u202c", frozenset({"2"}), None)]
    with database.writing() as session:
        _change(session, RunRow, status="failed")
        conference = session.get_one(ConferenceRow, OURS)
        planned = plan_replacement(session, conference, twins).result
        assert (planned.area_chairs, planned.papers, planned.issues) == (1, 2, [])
        twins[1] = dataclasses.replace(twins[1], email="b@example.org")
        planned = plan_replacement(session, conference, twins).result
        assert "give them different names" in planned.issues[0]
        assert plan_replacement(session, conference, []).result.issues == [
            "No area chair is named there."
        ]


def _enter(database: Database, secret: str) -> str:
    return links.enter(database, secret, RecentOpenings())


def _viewer(database: Database, cookie: str) -> Viewer | None:
    with database.reading() as session:
        return links.find_viewer(session, cookie)


def test_who_enters_marks_their_own_link_alone(database: Database):
    cookie = _enter(database, OURS)
    viewer = _viewer(database, cookie)
    assert viewer is not None
    assert (viewer.role, viewer.link, viewer.conference) == ("area_chair", OURS, OURS)
    with database.reading() as session:
        assert [row.id for row in session.scalars(select(LinkRow)) if row.opened] == [OURS]
        assert [row.link for row in session.scalars(select(SessionRow))] == [OURS]


@pytest.mark.parametrize(("days", "open"), [(29, True), (31, False)])
def test_a_session_lasts_thirty_days(database: Database, monkeypatch, days: int, open: bool):
    cookie = _enter(database, OURS)
    later = now() + timedelta(days=days)
    monkeypatch.setattr(links, "now", lambda: later)
    assert (_viewer(database, cookie) is not None) is open


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("table", "change", "logged", "reason"),
    [
        (LinkRow, {"revoked": now()}, "revoked", "This link was revoked on"),
        (LinkRow, {"expires": now() - DAY}, "expired", "This link expired on"),
        (AreaChairRow, {"removed": now()}, "of a removed area chair", "no longer listed"),
        (None, {}, "of a deleted conference", "The conference of this link was deleted"),
    ],
    ids=["revoked", "expired", "removed", "deleted"],
)
@pytest.mark.parametrize("expires", [None, now() + DAY], ids=["for ever", "until tomorrow"])
def test_why_a_link_opens_nothing(database, expires, table, change, logged, reason):
    """And neither does the session of somebody who entered before."""
    cookie = _enter(database, OURS)
    with database.writing() as session:
        _change(session, LinkRow, expires=expires)
        if table is None:
            _change(session, ConferenceRow, deleted=now())
        else:
            _change(session, table, **change)
    assert _viewer(database, cookie) is None
    with pytest.raises(Refusal, match=reason):
        _enter(database, OURS)
    with database.reading() as session:
        line = session.scalars(select(LogRow).order_by(LogRow.id.desc())).first()
        assert (line.conference, line.who, line.action) == (OURS, "ann 5", "failed to enter")
        assert line.detail == f"with a link: {logged}"


def test_one_printed_link_is_renewed_and_the_others_end(database: Database):
    """Servers of earlier versions left one for every start."""
    with database.writing() as session:
        for id, days in (("first", 3), ("newest", 1), ("second", 2)):
            session.add(_link(None, id=id, printed=True, created=now() - days * DAY))
    signed_in = _enter(database, "newest")
    with database.writing() as session:
        secret = links.renew_printed(session, days=7)
    for old in ("first", "newest", "second"):
        with pytest.raises(Refusal, match=r"mistyped|revoked"):
            _enter(database, old)
    renewed = _viewer(database, _enter(database, secret))
    assert renewed is not None
    assert (renewed.link, renewed.role, renewed.conference) == ("newest", "chair", None)
    assert _viewer(database, signed_in) == renewed
