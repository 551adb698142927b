"""Runs are renamed, archived and deleted, and keep their line."""

from __future__ import annotations

from sqlalchemy import func, select

from tests.console.conftest import Person, World
from unround.console.storage.orm import RunFileRow


def _changed(chair: Person, run: str, **changes: object):
    return chair.patch(f"/api/runs/{run}", json=changes)


def _log(chair: Person, conference: str) -> list[tuple[str, str]]:
    return [(line["action"], line["detail"]) for line in chair.log(conference)]


def test_a_run_is_renamed_everywhere(world: World, chair: Person):
    run = world.hidden
    before = chair.get(f"/api/runs/{run}/view")
    assert before.json()["name"] == "other run"
    assert _changed(chair, run, name="second name").json()["name"] == "second name"
    after = chair.get(f"/api/runs/{run}/view", headers={"If-None-Match": before.headers["etag"]})
    assert after.json()["name"] == "second name"
    assert _log(chair, world.conference)[0] == ("renamed a run", "other run → second name")
    _changed(chair, run, name="other run")


def test_an_archived_run_is_kept_and_shared_with_nobody(world: World, chair: Person):
    run = world.hidden
    assert _changed(chair, run, shared=True).json()["shared"]
    archived = _changed(chair, run, archived=True).json()
    assert (archived["archived"], archived["shared"]) == (True, False)
    listed = chair.get(f"/api/conferences/{world.conference}").json()["runs"]
    assert [one["archived"] for one in listed if one["id"] == run] == [True]
    assert chair.get(f"/api/runs/{run}/view").status_code == 200
    refused = _changed(chair, run, shared=True)
    assert refused.status_code == 409
    assert "archived" in refused.json()["detail"]
    assert not _changed(chair, run, archived=False).json()["archived"]
    assert _changed(chair, run, shared=True).json()["shared"]
    _changed(chair, run, shared=False)


def test_the_line_belongs_to_all_runs_of_the_conference(world: World, chair: Person):
    runs = (world.run, world.hidden)

    def kept() -> list[dict[str, object] | None]:
        return [chair.get(f"/api/runs/{run}").json()["line"] for run in runs]

    assert kept() == [None, None]
    line = {"amount": 25.0, "percent": True, "per_track": True}
    assert _changed(chair, world.run, line=line).json()["line"] == line
    assert _log(chair, world.conference)[0] == ("moved the line", "accept 25% in each track")
    _changed(chair, world.hidden, shared=False)  # a change of something else leaves it
    assert kept() == [line, line]
    assert _changed(chair, world.hidden, line=None).json()["line"] is None
    assert kept() == [None, None]
    for amount in (-1, "many"):
        assert _changed(chair, world.run, line={"amount": amount}).status_code == 422


def test_a_run_is_deleted_and_with_it_only_files_that_no_other_run_reads(
    world: World, chair: Person, conference: str
):
    uploads = world.console.settings.uploads
    reviews, rankings = chair.upload(conference, {"a.csv": b"a", "b.csv": b"b"})
    other = world.stored_run(conference, "other", [reviews])
    both = world.stored_run(conference, "both", [reviews, rankings])
    assert [one["id"] for one in chair.get(f"/api/runs/{both}/own-files").json()] == [rankings]
    assert chair.delete(f"/api/runs/{both}", params={"files": True}).status_code == 204
    with world.console.database.reading() as session:
        assert session.scalar(select(func.count()).where(RunFileRow.run == both)) == 0
    assert (uploads / reviews).is_file()
    assert not (uploads / rankings).exists()
    files = chair.get(f"/api/conferences/{conference}").json()["files"]
    assert [one["id"] for one in files] == [reviews]
    assert _log(chair, conference)[0] == ("deleted a run", "both with b.csv")
    assert chair.delete(f"/api/runs/{other}").status_code == 204
    for path in (f"/api/runs/{other}", f"/api/runs/{other}/view"):
        assert chair.get(path).status_code == 404
    assert (uploads / reviews).is_file()  # nobody asked to delete it
    assert chair.delete(f"/api/runs/{other}").status_code == 404
