"""Conferences, their files, and their area chairs."""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import polars as pl
import pytest
from anyio import to_thread
from sqlalchemy import func, select

from tests.console.client import secret_of
from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS, email_of
from unround.console.schemas.conferences import NewConference
from unround.console.storage.bin import KEPT, empty_bin
from unround.console.storage.orm import (
    AreaChairRow,
    ConferenceRow,
    FileRow,
    LogRow,
    RunFileRow,
    RunRow,
    now,
)
from unround.console.storage.uploads import NewFile


def test_a_conference_is_made_renamed_and_listed(chair: Person, conference: str):
    answer = chair.patch(f"/api/conferences/{conference}", json={"name": "Renamed"})
    assert answer.json()["name"] == "Renamed"
    listed = {one["id"]: one for one in chair.get("/api/conferences").json()}
    assert listed[conference]["name"] == "Renamed"
    assert listed[conference]["runs"] == 0


@pytest.mark.parametrize("name", ["", "   ", "x" * 201, "a\x00b", None, 7])
def test_impossible_names_are_refused_in_a_sentence(chair: Person, name):
    answer = chair.post("/api/conferences", json={"name": name, "shown": True})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("The request cannot be understood: name")
    assert "shown" in answer.json()["detail"]  # an unknown field is a mistake as well


def test_files_are_kept_as_they_came_until_they_are_deleted(
    chair: Person, world: World, conference: str
):
    content = b"reviewer,paper,score\n" + bytes(range(256)) * 5000
    path = f"/api/conferences/{conference}/files"
    one = chair.upload_one(conference, "one.csv", content).json()
    two = chair.made(path, params={"name": "two.csv", "for_ballots": "true"}, content=b"")
    assert (one["name"], one["size"], one["for_ballots"]) == ("one.csv", len(content), False)
    assert one["sha256"] == hashlib.sha256(content).hexdigest()
    assert (two["size"], two["for_ballots"]) == (0, True)
    kept = world.console.settings.uploads / one["id"]
    assert kept.read_bytes() == content
    assert kept.stat().st_mode & 0o077 == 0  # for nobody else on the machine
    assert chair.get(f"/api/conferences/{conference}").json()["files"] == [one, two]
    elsewhere = f"/api/conferences/{world.conference}/files"
    addresses = [f"{elsewhere}/{one['id']}", *[f"{path}/{one['id']}"] * 2]
    assert [chair.delete(address).status_code for address in addresses] == [404, 204, 404]
    assert not kept.exists()


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../../etc/passwd", "passwd"),
        ("..", "file"),
        ("C:\\Users\\me\\reviews.csv", "reviews.csv"),
        ("a/b\\..\\.hidden", "hidden"),
        ("<script>.csv", "_script_.csv"),
        ("räksmörgås ‮gpj.csv", "räksmörgås _gpj.csv"),
        ("x" * 500 + ".csv", "x" * 116 + ".csv"),
    ],
)
def test_names_are_only_names(chair: Person, world: World, conference: str, given, shown):
    uploads = world.console.settings.uploads
    before = {path.name for path in uploads.iterdir()}
    file = chair.upload_one(conference, given, b"content").json()
    assert file["name"] == shown
    assert {path.name for path in uploads.iterdir()} - before == {file["id"]}


def test_an_upload_without_a_name_is_refused(chair: Person, world: World, conference: str):
    before = set(world.console.settings.uploads.iterdir())
    assert chair.post(f"/api/conferences/{conference}/files", content=b"x").status_code == 422
    chair.upload_one("0" * 32, "a.csv", b"x", status=404)
    assert set(world.console.settings.uploads.iterdir()) == before
    assert chair.get(f"/api/conferences/{conference}").json()["files"] == []


def test_a_deleted_conference_can_be_restored_until_it_is_deleted_for_good(
    chair: Person, world: World
):
    made = chair.new_conference("To be deleted")
    files = chair.upload(made, world.sample.files)
    run = world.stored_run(made, files=files)
    chair.assign(made, run=run)
    ada = chair.access(made)["area_chairs"][0]["id"]
    link = chair.made(f"/api/conferences/{made}/links", {"area_chair": ada})
    person = world.nobody().enter(link["url"])
    counts = chair.get(f"/api/conferences/{made}/contents").json()
    assert (counts["files"], counts["runs"], counts["links"]) == (len(files), 1, 1)

    assert chair.delete(f"/api/conferences/{made}").status_code == 204
    assert person.get("/api/me").status_code == 401
    refused = world.nobody().post("/api/enter", json={"secret": secret_of(link["url"])})
    assert "The conference of this link was deleted." in refused.json()["detail"]
    for path in (
        f"/api/conferences/{made}",
        f"/api/conferences/{made}/access",
        f"/api/runs/{run}",
        f"/api/runs/{run}/view",
        f"/api/runs/{run}/tables/papers.csv",
    ):
        assert chair.get(path).status_code == 404, path
    assert made not in {one["id"] for one in chair.get("/api/conferences").json()}
    (binned,) = (one for one in chair.get("/api/bin").json() if one["id"] == made)
    assert binned["name"] == "To be deleted"
    span = datetime.fromisoformat(binned["goes"]) - datetime.fromisoformat(binned["deleted"])
    assert span == timedelta(days=30)

    assert chair.post(f"/api/bin/{made}/restore").status_code == 204
    assert person.get("/api/me").status_code == 200
    assert chair.get(f"/api/runs/{run}/view").status_code == 200
    assert chair.delete(f"/api/bin/{made}").status_code == 404  # it is not in the bin

    assert chair.delete(f"/api/conferences/{made}").status_code == 204
    assert chair.delete(f"/api/bin/{made}").status_code == 204
    assert not any((world.console.settings.uploads / file).exists() for file in files)
    with world.console.database.reading() as session:
        assert not session.scalar(select(func.count()).where(RunFileRow.run == run))
        for table in (RunRow, FileRow, AreaChairRow, LogRow):
            assert not session.scalar(select(func.count()).where(table.conference == made))
    assert chair.post(f"/api/bin/{made}/restore").status_code == 404


def test_the_bin_is_emptied_after_thirty_days(chair: Person, world: World):
    old, fresh = chair.new_conference("Old"), chair.new_conference("Fresh")
    (file,) = chair.upload(old, {"a.csv": b"x"})
    for made in (old, fresh):
        chair.delete(f"/api/conferences/{made}")
    with world.console.database.writing() as session:
        session.get_one(ConferenceRow, old).deleted = now() - KEPT
    empty_bin(world.console.database, world.console.settings.uploads)
    there = {one["id"] for one in chair.get("/api/bin").json()}
    assert old not in there
    assert fresh in there
    assert not (world.console.settings.uploads / file).exists()


def test_area_chairs_come_from_csv_and_xlsx(chair: Person, conference: str):
    table = pl.DataFrame({"area_chair": ["Ann", "Ann", "Bo"], "paper": [1, 2, 2]})
    book = io.BytesIO()
    table.write_excel(book)
    for content, name in ((table.write_csv().encode(), "a.csv"), (book.getvalue(), "a.xlsx")):
        imported = chair.assign(conference, content, name=name)
        assert (imported["area_chairs"], imported["papers"], imported["issues"]) == (2, 2, [])
    people = chair.access(conference)["area_chairs"]
    assert [(one["name"], one["papers"]) for one in people] == [("Ann", 2), ("Bo", 1)]


def test_every_problem_of_a_table_is_listed_and_nothing_changes(chair: Person, conference: str):
    chair.assign(conference, b"area_chair,paper\nAnn,1\n")
    bad = b"area_chair,paper,email\n,1,\nBo,,\nCy,3,c@x.org\nCy,4,other@x.org\n"
    issues = chair.assign(conference, bad)["issues"]
    assert len(issues) == 3
    assert "line 2" in issues[0]
    assert "line 3" in issues[1]
    assert "line 5" in issues[2]
    for content in (b"", b"\x00\x01", b"name,number\na,1\n", b"area_chair,paper\n"):
        assert len(chair.assign(conference, content)["issues"]) == 1
    people = chair.access(conference)["area_chairs"]
    assert [one["name"] for one in people] == ["Ann"]


def test_area_chairs_come_from_a_runs_papers(chair: Person, world: World):
    imported = chair.assign(world.conference, run=world.run)
    assert (imported["area_chairs"], imported["papers"], imported["added"]) == (3, 18, 0)
    people = chair.access(world.conference)["area_chairs"]
    assert {one["name"]: one["id"] for one in people} == world.area_chairs
    assert [one["papers"] for one in people] == [6, 6, 6]
    assert [one["email"] for one in people] == [email_of(one["name"]) for one in people]
    chair.assign(world.conference, world.sample.assignments())
    assert {one["name"] for one in people} == set(CHAIRS)


def test_controls_of_direction_leave_names():
    assert NewConference(name="Con\u202efer\u2066ence\u200f 26").name == "Conference 26"


def test_an_upload_is_let_in_by_one_session_in_one_thread(
    world: World, conference: str, monkeypatch: pytest.MonkeyPatch
):
    counts, at_first_byte = Counter[str](), list[dict[str, int]]()
    database, run_sync, write = world.console.database, to_thread.run_sync, NewFile.write
    reading = database.reading

    def counted_reading() -> Any:
        counts["sessions"] += 1
        return reading()

    async def counted_hop(*given: Any, **more: Any) -> Any:
        counts["hops"] += 1
        return await run_sync(*given, **more)

    def noted_write(file: NewFile, data: bytes) -> None:
        at_first_byte.append(dict(counts))
        write(file, data)

    monkeypatch.setattr(database, "reading", counted_reading)
    monkeypatch.setattr(to_thread, "run_sync", counted_hop)
    monkeypatch.setattr(NewFile, "write", noted_write)
    world.chair.upload_one(conference, "a.csv", b"x")
    assert at_first_byte[0] == {"sessions": 1, "hops": 1 + 1}  # the second one writes the byte
