"""Backups of a server that is at work, restored into either database, and refused when damaged."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import shutil
import sqlite3
import sys
import zipfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pytest
from click.testing import CliRunner
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from tests.console.conftest import Person, World, call_on_data, owner_of
from tests.console.disks import filled, only_root, small_disk
from tests.console.postgres import new_database
from tests.console.sample import CHAIRS
from unround.cli import main
from unround.cli.group import commands
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.backup import (
    MANIFEST,
    Writer,
    count_contents,
    read_manifest,
    restore_backup,
    write_backup,
)
from unround.console.storage.open_data import open_alone
from unround.console.storage.orm import ConferenceRow, FileRow, new_id, now
from unround.errors import UsageError
from unround.output.atomic import new_draft, whole_file

pytestmark = pytest.mark.slow
# What is restored goes into SQLite, from whichever database it came.
once = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@pytest.fixture(scope="session")
def backup(world: World, tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("backup") / "of.backup"
    assert count_contents(write_backup(world.console.settings, file))[1] >= 2
    return file


def test_a_restored_console_shows_the_same_bytes(world: World, server: str, tmp_path):
    """By the commands, from each database into each."""
    link, file = world.new_link(CHAIRS[0])["url"], tmp_path / "of.backup"
    before, front_end = world.console.settings, world.console.settings.front_end
    made = call_on_data(before, "backup", file)
    assert made.exit_code == 0, made.output
    with world.console.database.reading() as session:  # of this conference and of other tests
        uploads = session.scalar(select(func.count()).select_from(FileRow))
    assert f" {uploads} uploads, " in made.output
    assert "checked" in made.output
    assert file.stat().st_mode & 0o077 == 0
    looked = CliRunner().invoke(commands, ["restore", str(file), "--check"])
    assert (looked.exit_code, "complete" in looked.output) == (0, True)
    for database in (None, new_database(server)):
        data = tmp_path / ("postgresql" if database else "sqlite")
        settings = ConsoleSettings(data=data, database=database, front_end=front_end)
        restored = call_on_data(settings, "restore", file)
        assert (restored.exit_code, "restored" in restored.output) == (0, True), restored.output
        again = call_on_data(settings, "restore", file)
        assert (again.exit_code, "holds data already" in again.output) == (2, True)
        with open_console(settings) as console:
            chair, area_chair = owner_of(console), Person(console).enter(link)
            for person, same in ((chair, world.chair), (area_chair, world.area_chair())):
                view = f"/api/runs/{world.run}/view"
                assert person.get(view).json() == same.get(view).json()
            path = f"/api/runs/{world.run}/files/scores.csv"
            assert chair.get(path).content == world.chair.get(path).content
            for id in world.files:
                assert (settings.uploads / id).read_bytes() == (before.uploads / id).read_bytes()
            assert chair.patch(f"/api/runs/{world.run}", json={"shared": False}).status_code == 200
            made = chair.new_conference("numbered after the restored ones")
            assert chair.get(f"/api/conferences/{made}").status_code == 200


def test_an_upload_deleted_meanwhile_is_left_out_with_its_row(new_settings, tmp_path, monkeypatch):
    """And at no moment is there a second copy of an upload that deletion would not reach."""
    settings, file = new_settings(), tmp_path / "of.backup"
    with open_console(settings) as console:
        chair = owner_of(console)
        conference = chair.new_conference()
        uploads = [chair.upload(conference, {"a.csv": b"a"})[0] for _ in range(3)]
        first, *_, last = sorted(uploads)
        write = Writer.file

        def write_and_delete(writer: Writer, name: str, source: IO[bytes]) -> str:
            assert (settings.uploads / name).stat().st_nlink == 1
            if name == first:
                chair.delete(f"/api/conferences/{conference}/files/{last}")
            return write(writer, name, source)

        monkeypatch.setattr(Writer, "file", write_and_delete)
        assert count_contents(write_backup(settings, file))[1] == 2
    members = read_manifest(file)["members"]
    assert f"uploads/{last}" not in members
    assert members["tables/files"]["rows"] == 2


def test_a_later_backup_removes_the_draft_of_a_killed_one(new_settings, tmp_path):
    """Also where every night's backup has another name; what a living process writes stays."""
    settings, left = new_settings(), new_draft(tmp_path / "monday.backup")
    left.write_bytes(b"scores")
    with open_console(settings), whole_file(tmp_path / "report.html") as living:
        write_backup(settings, tmp_path / "tuesday.backup")
        assert sorted(tmp_path.iterdir()) == sorted([living, tmp_path / "tuesday.backup"])


def test_a_backup_is_for_its_owner_alone_whatever_was_there(new_settings, tmp_path):
    settings, file = new_settings(), tmp_path / "of.backup"
    file.touch(0o644)
    file.chmod(0o644)
    with open_console(settings):
        write_backup(settings, file)
    assert file.stat().st_mode & 0o777 == 0o600


@once
@only_root
@pytest.mark.parametrize("end", ["in order", "killed", "serving"])
def test_a_full_disk_can_be_backed_up_to_another(kind, tmp_path, end):
    """After a kill, SQLite's log holds what the database does not."""
    with small_disk() as disk:
        settings, file = ConsoleSettings(data=disk / "data"), tmp_path / "of.backup"
        with ExitStack() as opened:
            database = opened.enter_context(open_alone(settings))
            with database.writing() as session:
                session.add(ConferenceRow(id=new_id(), name="kept", created=now(), key="0" * 64))
            if end == "killed":  # the files, as they are now, are what such a server leaves
                killed = replace(settings, data=disk / "killed")
                shutil.copytree(settings.data, killed.data, ignore=shutil.ignore_patterns("*-shm"))
                settings = killed
            if end != "serving":
                opened.close()
            with filled(disk):
                started = call_on_data(settings, "serve", "--port", 0)
                made = call_on_data(settings, "backup", file)
        assert made.exit_code == 0, made.output
        assert started.exit_code == 2
        if end != "serving":
            assert "There is no room left on the disk" in started.output
        with zipfile.ZipFile(file) as archive:
            assert b'"kept"' in archive.read("tables/conferences")


def _rewritten(
    backup: Path, target: Path, members: dict[str, bytes], *, agrees: bool = True, **facts: Any
) -> Path:
    """A backup with other members, and a manifest with other facts that agrees with them."""
    with zipfile.ZipFile(backup) as source:
        content = {name: source.read(name) for name in source.namelist()}
    manifest = json.loads(content[MANIFEST]) | facts
    for name, data in members.items() if agrees else ():
        described = {"sha256": hashlib.sha256(data).hexdigest(), "rows": data.count(b"\n")}
        manifest["members"][name] = manifest["members"].get(name, {}) | described
    content |= {MANIFEST: json.dumps(manifest).encode(), **members}
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return target


def _with_one_bit_changed(content: bytes) -> bytes:
    """Change a bit in the data of the largest member: of the headers before data, some bytes say nothing."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        largest = max(archive.infolist(), key=lambda member: member.compress_size)
    at = largest.header_offset + largest.compress_size  # behind the header, before the end
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@once
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        _with_one_bit_changed,
        lambda _: b"hello",
    ],
    ids=["cut off", "one bit", "no archive"],
)
def test_damaged_backups_are_refused_before_anything_is_written(backup, tmp_path, damage):
    (tmp_path / "damaged").write_bytes(damage(backup.read_bytes()))
    with pytest.raises(UsageError, match="is no whole backup of unround"):
        restore_backup(ConsoleSettings(data=tmp_path / "data"), tmp_path / "damaged")
    assert not (tmp_path / "data").exists()


@once
@pytest.mark.parametrize(
    ("members", "facts", "words"),
    [
        ({"tables/log": b""}, {"agrees": False}, "tables/log is not what was written"),
        *(
            ({MANIFEST: text}, {"agrees": False}, "is no whole backup of unround")
            for text in (b"{}", b"[]", b'{"format": 1, "members": []}', b"7")
        ),
        *(
            ({name: b"x"}, {}, "which no backup does")
            for name in ("uploads/../../x", "uploads/a/b", "tables/x y", "other")
        ),
        ({}, {"format": 9}, "was made by a later version of unround"),
    ],
)
def test_strange_backups_are_refused_before_anything_is_written(
    backup, tmp_path, members, facts, words
):
    strange = _rewritten(backup, tmp_path / "strange", members, **facts)
    with pytest.raises(UsageError, match=words):
        restore_backup(ConsoleSettings(data=tmp_path / "data"), strange)
    assert not (tmp_path / "data").exists()


@once
@pytest.mark.parametrize(
    ("members", "facts", "words"),
    [
        *(
            ({"tables/conferences": row}, {}, "is no whole backup of unround")
            for row in (b"[1]\n", b"{}\n", b'"x"\n', b"[[]]\n", b"null\n", b'["\\ud800"]\n')
        ),
        # An empty database would be taken for the restored one.
        *(
            ({}, {"revision": revision}, "does not know the backup's tables")
            for revision in ("base", None, "unknown", "", "9999")
        ),
    ],
)
def test_rows_and_revisions_that_do_not_fit_are_refused(backup, tmp_path, members, facts, words):
    """Whoever can write a manifest can write any row: the command says so, and never fails otherwise."""
    changed = _rewritten(backup, tmp_path / "changed", members, **facts)
    ended = call_on_data(ConsoleSettings(data=tmp_path / "data"), "restore", changed)
    assert ended.exit_code == 2
    assert words in " ".join(ended.output.split())


SQLITE_FULL = OperationalError("INSERT", None, sqlite3.OperationalError("database or disk is full"))


@once
@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (OSError(errno.ENOSPC, ""), 4, "Not possible: the disk is full; make room or name another"),
        (SQLITE_FULL, 2, "the database cannot be used: There is no room left on the disk."),
    ],
    ids=["uploads", "database"],
)
def test_a_restore_that_the_disk_interrupts_is_repeated(
    backup, tmp_path, monkeypatch, capsys, error, code, words
):
    """The room is not asked about beforehand; what was written is said, and that a repeat is all it takes."""

    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr(f"{restore_backup.__module__}._restore_rows", full)
    data = tmp_path / "data"
    monkeypatch.setattr(sys, "argv", ["unround", "restore", str(backup), "--data", str(data)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    told = capsys.readouterr().err
    assert words in told
    assert told.endswith(f"{data} holds a part; repeat `unround restore`.\n")
    assert "Nothing was changed" not in told
    monkeypatch.undo()
    settings = ConsoleSettings(data=data)
    with pytest.raises(UsageError, match=r"interrupted; repeat `unround restore`"):
        open_console(settings).__enter__()
    restore_backup(settings, backup)
    with open_console(settings) as console:
        assert console.database.is_sqlite


def test_an_upload_that_was_changed_is_reported(new_settings, tmp_path):
    settings = new_settings()
    with open_console(settings) as console:
        chair = owner_of(console)
        (file,) = chair.upload(chair.new_conference(), {"a.csv": b"abc"})
    (settings.uploads / file).write_bytes(b"abd")
    with pytest.raises(UsageError, match="is not what was uploaded"):
        write_backup(settings, tmp_path / "b")
    (settings.uploads / file).unlink()
    with pytest.raises(UsageError, match="is not in"):
        write_backup(settings, tmp_path / "b")
    assert not list(tmp_path.glob("*b*"))


def test_a_database_that_goes_away_meanwhile_is_no_error_of_writing(
    world: World, tmp_path, monkeypatch
):
    def away(*_: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")  # of the connection to PostgreSQL

    monkeypatch.setattr(Writer, "rows", away)
    ended = call_on_data(world.console.settings, "backup", tmp_path / "of.backup")
    assert ended.exit_code == 2, ended.output
    assert "the database cannot be used: The database cannot be reached" in ended.output
    assert not list(tmp_path.iterdir())
